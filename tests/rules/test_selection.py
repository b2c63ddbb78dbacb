"""The choice, its rivals and how surely it is better, on tables whose truth is known."""

import numpy as np
import pytest

from audition.course import Failure
from audition.errors import ScoreError
from audition.rules.borda import Borda
from audition.rules.mean import Mean
from audition.scores import Scores
from audition.selection import Panel, choose, judge


def table(means, *, invalid=None):
    """A table [candidate, member] of one block a member."""
    mean = np.asarray(means, dtype=np.float64)[..., None]
    lost = np.zeros(mean.shape, dtype=np.int64) if invalid is None else invalid[..., None]
    names = tuple(f"c{number}" for number in range(mean.shape[0]))
    return Scores("regret", names, mean, np.zeros(mean.shape), 1 - lost, lost)


def noisy(rng, gaps, *, members=100, common=3.0, own=1.0):
    """Scores with a part that all candidates share in a member, and a part of their own."""
    shared = rng.normal(0.0, common, members)
    return np.asarray(gaps)[:, None] + shared + rng.normal(0.0, own, (len(gaps), members))


def test_the_standard_error_is_that_of_a_mean_over_members():
    scores = noisy(np.random.default_rng(1), [0.0, 1.0])
    found = judge("r", Panel(Mean(), table(scores)))
    expected = scores.std(axis=1, ddof=1) / 10.0
    assert found.standard_error == pytest.approx(expected, rel=0.15)


def test_what_members_share_cancels_in_a_shortfall():
    """Scores that vary by 10 from member to member are told apart by a gap of 1."""
    scores = noisy(np.random.default_rng(2), [0.0, -1.0], common=10.0, own=1.0)
    found = judge("r", Panel(Mean(), table(scores)))
    assert found.choice == "c0"
    assert found.rivals == ()
    assert found.shortfall_error[1] < 0.2 < found.standard_error[1]


def test_the_best_candidate_is_the_choice_or_a_rival_in_at_least_nineteen_studies_of_twenty():
    """Ten equal candidates: the worst case. Of 300 studies 27 misses or more would be a rate
    beyond 5 % with a false alarm below 1 in 1,000."""
    missed = 0
    for study in range(300):
        scores = noisy(np.random.default_rng(study), np.zeros(10), members=40)
        found = judge("r", Panel(Mean(), table(scores)), seed=study)
        missed += "c0" not in (found.choice, *found.rivals)
    assert missed < 27


def test_a_single_unit_tells_nothing_apart():
    found = judge("r", Panel(Mean(), table([[1.0], [5.0], [2.0]])))
    assert found.choice == "c1"
    assert found.rivals == ("c2", "c0")


def test_a_candidate_with_a_failed_trial_cannot_be_chosen_or_be_a_rival():
    lost = np.zeros((3, 4), dtype=np.int64)
    lost[0, 2] = 1
    found = judge("r", Panel(Mean(), table([[9.0] * 4, [1.0, 2, 3, 4], [0.0] * 4], invalid=lost)))
    assert found.choice == "c1"
    assert found.worth[0] == -np.inf
    assert "c0" not in found.rivals
    assert found.failed == (1, 0, 0)


def test_nothing_to_choose_from_is_an_error_that_says_what_to_do():
    with pytest.raises(ScoreError, match="drop the candidates that crash"):
        judge("r", Panel(Mean(), table(np.ones((2, 3)), invalid=np.ones((2, 3), dtype=np.int64))))


def test_when_nobody_finished_a_few_different_reasons_are_told_on_one_line():
    lost = table(np.ones((2, 3)), invalid=np.ones((2, 3), dtype=np.int64))
    reasons = ("no\nluck", "no\nluck", "late", "lazy", "lame", "lost")
    failures = [Failure(f"c{at}", 0, 0, reason) for at, reason in enumerate(reasons)]
    with pytest.raises(ScoreError) as raised:
        judge("r", Panel(Mean(), lost), failures=failures)
    assert str(raised.value).endswith("crash: c0: no luck; c2: late; c3: lazy; 2 more")


def test_every_two_rules_are_compared_on_the_same_members():
    scores = noisy(np.random.default_rng(5), [0.0, 0.3, -0.5], members=60)
    scores[1] -= np.where(np.arange(60) < 5, 8.0, 0.0)  # mostly best, rarely a disaster
    plug_in = table(np.array([[0.0, 0.1], [0.5, 0.6], [0.0, 0.0]])[:, None, :].mean(axis=2))
    found = choose(
        {
            "plug_in": Panel(Mean(), plug_in),
            "uncertainty_aware": Panel(Mean(), table(scores)),
            "borda": Panel(Borda(), table(scores)),
        }
    )
    assert found.choices["uncertainty_aware"] == "c0"
    assert found.choices["plug_in"] == found.choices["borda"] == "c1"
    pairs = {(one.first, one.second): one for one in found.comparisons}
    assert set(pairs) == {
        ("uncertainty_aware", "plug_in"),
        ("borda", "plug_in"),
        ("borda", "uncertainty_aware"),
    }
    paired = pairs["uncertainty_aware", "plug_in"]
    difference = scores[0] - scores[1]
    assert paired.difference == pytest.approx(difference.mean())
    assert paired.standard_error == pytest.approx(difference.std(ddof=1) / np.sqrt(60))
    assert paired.t == pytest.approx(paired.difference / paired.standard_error)
    assert paired.better == pytest.approx((difference > 0).mean())
    assert pairs["borda", "plug_in"].difference == 0.0
