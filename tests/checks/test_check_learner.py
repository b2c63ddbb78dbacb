"""The checks of learners: built-in ones keep every promise, and each broken one is told its own."""

from typing import Any

import broken_learners as broken
import pytest

from audition.checks import check_learner
from audition.errors import PluginError
from audition.plugins import discover

PLAYS = "it plays every round of a world"


@pytest.mark.parametrize("plugin", discover().of("learners"), ids=lambda plugin: plugin.name)
def test_every_built_in_learner_keeps_its_promises(plugin: Any) -> None:
    assert all(promise.kept for promise in check_learner(plugin.cls))


@pytest.mark.parametrize("subject", [broken.Sound, broken.Sound(), broken.SoundScalar])
def test_a_sound_learner_of_a_stranger_passes(subject: Any) -> None:
    assert len(check_learner(subject)) >= 13


@pytest.mark.parametrize(
    ("cls", "promise"),
    [
        (broken.Thawed, "its settings are frozen"),
        (broken.Unwritable, "its settings are plain values"),
        (broken.Altered, "settings that were written down make the same plug-in"),
        (broken.TakesNaN, "it refuses a setting that is not a number: rate=nan was taken"),
        (broken.RaisesForeignError, "rate=nan: it raised ValueError"),
        (broken.NamedBySettings, "the name must not read the settings"),
        (broken.TwoWords, "a name is one word"),
        (broken.StrangeGrid, "its grid holds a Sound"),
        (broken.RepeatedGrid, "its grid of 2 settings holds only 1 different"),
        (broken.StopsEarly, f"{PLAYS}.*stopped after 0"),
        (broken.GoesOn, f"{PLAYS}.*pulled once more"),
        (broken.NeedsThreeRounds, f"{PLAYS}.*pulled once more"),
        (broken.Crashes, f"{PLAYS}.*raised KeyError"),
        (broken.OwnDice, "the same random numbers give the same run"),
        (broken.GlobalDice, "it drew from a global generator"),
        (broken.Remembers, "it keeps nothing from one deployment to the next"),
        (broken.MeansOverLanes, "its lanes are independent of each other"),
        (broken.Peeks, "it learns from what it is paid"),
        (broken.SaysItShifts, "what it declares of shifted rewards is true"),
        (broken.TooManyNumbers, "settings() gives 2 numbers, but Settings reads theta"),
        (broken.WholeNumbers, "each must be a float"),
        (broken.UsesNumPy, "compiled and plain"),
        (broken.LosesPrecision, "compiled and plain.*of the runs pulled other arms"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_broken_promise_is_named(cls: Any, promise: str) -> None:
    pattern = promise.replace("(", r"\(").replace(")", r"\)")
    with pytest.raises(PluginError, match=rf"(?s){cls.__name__} breaks \d+ of.*{pattern}"):
        check_learner(cls)


def test_a_learner_that_breaks_one_promise_is_told_of_that_one_only() -> None:
    with pytest.raises(PluginError) as caught:
        check_learner(broken.Peeks)
    assert "breaks 1 of the" in str(caught.value)
    assert str(caught.value).count("\n- ") == 1


def test_something_else_is_no_learner() -> None:
    with pytest.raises(PluginError, match=r"derives from audition\.learner\.Learner"):
        check_learner(42)
