"""What a learner promises: to play the world it is given, from the numbers it is given, no more."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any, Final

import numpy as np

from audition.checks.compiled import learner_agrees
from audition.checks.promise import Promise, tried
from audition.checks.settings import fresh, instance, settings_promises, state
from audition.checks.worlds import LANES, Setting, choices, hints
from audition.errors import PluginError
from audition.learner import Learner, ScalarLearner, settings_of

SHIFT: Final = 8.0  # a power of two: adding it rounds as little as adding anything can
SHORT: Final = (1, 2, 3, 7)  # horizons around the number of arms, which is three


def learner_promises(subject: Any) -> tuple[Promise, ...]:
    """Every promise of a learner, kept or broken; play is tried for bandit learners only."""
    learner = _made(subject)
    promises = settings_promises(learner)
    promises += (tried("it proposes settings of its own kind", lambda: _grid(learner)),)
    if learner.plays != "bandit":
        return promises
    setting = Setting(unit=learner.needs == "unit")
    promises += tuple(
        tried(words, lambda test=test: test(learner, setting))  # type: ignore[misc]
        for words, test in PLAY
    )
    if isinstance(learner, ScalarLearner):
        promises += (
            tried("its numbers fit what its rule reads", lambda: _numbers(learner)),
            tried(
                "its rule gives the same run compiled and plain", lambda: learner_agrees(learner)
            ),
        )
    return promises


def _made(subject: Any) -> Learner:
    cls = subject if isinstance(subject, type) else type(subject)
    if not issubclass(cls, Learner):
        raise PluginError(f"a learner derives from audition.learner.Learner; {cls!r} does not")
    proposed: tuple[Learner, ...] = ()
    if isinstance(subject, type):
        proposed = cls.grid(hints(unit=cls.needs == "unit"))
    made: Learner = instance(subject, named=proposed[0] if proposed else None)
    return made


def _grid(learner: Learner) -> str:
    cls = type(learner)
    proposed = cls.grid(hints(unit=cls.needs == "unit"))
    for one in proposed:
        if type(one) is not cls:
            return f"its grid holds a {type(one).__qualname__}"
    written = {repr(settings_of(one)) for one in proposed}
    if len(written) != len(proposed):
        return f"its grid of {len(proposed)} settings holds only {len(written)} different ones"
    return ""


def _plays(learner: Learner, setting: Setting) -> str:
    for horizon in (*SHORT, setting.horizon):
        choices(fresh(learner), replace(setting, horizon=horizon))
    return ""


def _repeats(learner: Learner, setting: Setting) -> str:
    if (choices(fresh(learner), setting) != choices(fresh(learner), setting)).any():
        return "two equal learners met the same world with the same random numbers and differed"
    return ""


def _given_numbers(learner: Learner, setting: Setting) -> str:
    """Whether global generators stay where they are, from a place that no seed leads to again."""
    random.random()
    np.random.random()  # noqa: NPY002 - it is watched
    before = _dice()
    choices(fresh(learner), setting)
    if before != _dice():
        return "it drew from a global generator; draw from the `rng` that deploy is given"
    return ""


def _dice() -> tuple[Any, str]:
    """Where the generators stand that everybody shares."""
    return random.getstate(), repr(np.random.get_state(legacy=True))  # noqa: NPY002 - it is watched


def _keeps_nothing(learner: Learner, setting: Setting) -> str:
    used = fresh(learner)
    before = state(used)
    first = choices(used, setting)
    if state(used) != before:
        return "its state was changed by a deployment; keep what it learns in local variables"
    choices(used, replace(setting, seed=setting.seed + 1))
    if (choices(used, setting) != first).any():
        return "deployed a second time, the same learner chose otherwise in the same world"
    return ""


def _lanes(learner: Learner, setting: Setting) -> str:
    together = choices(fresh(learner), setting)
    for some in ((LANES - 1,), (3, 0), tuple(reversed(range(LANES)))):
        alone = choices(fresh(learner), replace(setting, lanes=some))
        if (alone != together[:, list(some)]).any():
            return f"lanes {some} on their own chose otherwise than beside the other lanes"
    return ""


def _learns_from_rewards(learner: Learner, setting: Setting) -> str:
    told = choices(fresh(learner), replace(setting, told=5.0))
    if (told != choices(fresh(learner), setting)).any():
        return "it chose otherwise when only the world's own books changed, not what was paid"
    return ""


def _shift(learner: Learner, setting: Setting) -> str:
    if not learner.shift_equivariant:
        return ""
    moved = choices(fresh(learner), replace(setting, shift=SHIFT))
    if (moved != choices(fresh(learner), setting)).any():
        return (
            f"it declares shift_equivariant, but chose otherwise with rewards higher by {SHIFT:g}"
        )
    return ""


def _numbers(learner: ScalarLearner) -> str:
    read, given = learner.Settings._fields, learner.settings()
    if len(read) != len(given):
        return f"settings() gives {len(given)} numbers, but Settings reads {', '.join(read)}"
    if not all(isinstance(value, float) for value in given):
        return f"settings() gives {given!r}; each must be a float"
    return ""


PLAY: Final = (
    ("it plays every round of a world, and not one more", _plays),
    ("the same random numbers give the same run", _repeats),
    ("it draws only from the random numbers it is given", _given_numbers),
    ("it keeps nothing from one deployment to the next", _keeps_nothing),
    ("its lanes are independent of each other", _lanes),
    ("it learns from what it is paid, and from nothing else", _learns_from_rewards),
    ("what it declares of shifted rewards is true", _shift),
)
