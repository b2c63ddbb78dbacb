"""The checks of families, ensembles, rules and objectives, tried on sound and on broken ones."""

import broken_others as broken
import pytest

from audition.checks import (
    check_family,
    check_objective,
    check_resampling,
    check_rule,
    promises,
)
from audition.errors import PluginError
from audition.objective import CumulativeReward, LastReward, Regret


@pytest.mark.parametrize(
    ("check", "subject"),
    [
        (check_family, broken.SoundFamily),
        (check_resampling, broken.SoundResampling),
        (check_rule, broken.SoundRule),
        (check_objective, broken.SoundObjective),
        (check_objective, Regret),
        (check_objective, CumulativeReward),
        (check_objective, LastReward(7)),
    ],
    ids=str,
)
def test_what_is_sound_passes(check, subject):
    assert all(promise.kept for promise in check(subject))


@pytest.mark.parametrize(
    ("check", "cls", "promise"),
    [
        (check_family, broken.RandomFit, "a fit must not be random"),
        (check_family, broken.WrongMeans, "says its mean is"),
        (check_family, broken.OtherSamples, "do not follow one law"),
        (check_family, broken.TakesLostArm, "raised ZeroDivisionError"),
        (check_family, broken.LikesShuffles, "its likelihood prefers the fit"),
        (check_family, broken.EagerPosterior, "its first draws changed"),
        (check_family, broken.RewardInNumPy, "compiled and plain"),
        (check_resampling, broken.OneTooFew, "5 members were asked for, but 4 came"),
        (check_resampling, broken.IgnoresSeed, "another seed gave the same members"),
        (check_resampling, broken.OneStream, "member i changed when more members"),
        (check_resampling, broken.AllAlike, "of 5 members only 1 differ"),
        (check_rule, broken.OneWorth, "have worths of shape"),
        (check_rule, broken.FirstMember, "with the members in another order"),
        (check_rule, broken.SortsInPlace, "wrote into the scores"),
        (check_rule, broken.Contrary, "does better in every member is worth less"),
        (check_rule, broken.FirstCandidate, "with the candidates in another order"),
        (check_rule, broken.RandomRule, "worth something else the second time"),
        (check_rule, broken.ListSetting, "settings are numbers, text"),
        (check_objective, broken.FirstSeen, "when other objectives look at the run"),
        (check_objective, broken.BeyondTheEnd, "rounds from 1 to the horizon"),
        (check_objective, broken.LessTheMean, "depends on the other lanes"),
        (check_objective, broken.OneScore, "have scores of shape"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_broken_promise_is_named(check, cls, promise):
    with pytest.raises(PluginError, match=f"(?s){cls.__name__} breaks .*{promise}"):
        check(cls)


@pytest.mark.parametrize("check", [check_family, check_resampling, check_rule, check_objective])
def test_something_else_is_no_plug_in(check):
    with pytest.raises(PluginError, match="derives from audition"):
        check(42)


def test_a_kind_without_checks_says_which_have_some():
    with pytest.raises(PluginError, match="there are checks for families, learners"):
        promises("executors", broken.SoundRule)
