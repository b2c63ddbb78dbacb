"""The sentence on curvature: told where it explains the change of choice, and only there."""

import numpy as np
import pytest

from audition import Log, Result, select
from audition.diagnostics import curvature_of_study
from audition.learners.ucb import UCB
from audition.report import report_html
from audition.report.bends import bends
from audition.study import PLUG_IN, UNCERTAINTY_AWARE


def chosen(seed: int, *, size: int = 80) -> Result:
    """A selection among five levels of exploration from a log of 24 rows."""
    rng = np.random.default_rng(seed)
    arms = np.arange(24) % 2
    rewards = np.where(arms == 0, 1.0, 0.0) + 3.0 * rng.standard_normal(24)
    return select(
        Log.from_arrays(arms, rewards, arm_names=["a", "b"]),
        horizon=1000,
        family="gaussian",
        size=size,
        replications=16,
        candidates=[UCB(theta) for theta in (1.0, 2.0, 4.0, 8.0, 12.0)],
    )


@pytest.fixture(scope="module")
def differing() -> list[Result]:
    """Selections in which the two rules part."""
    results = [chosen(seed) for seed in range(40)]
    return [one for one in results if one.selection.choices[PLUG_IN] != one.choice]


def test_rules_that_agree_are_not_explained_apart() -> None:
    agreeing = chosen(0)
    assert agreeing.selection.choices[PLUG_IN] == agreeing.choice
    assert bends(agreeing) == ()


def test_some_changes_of_choice_are_explained_and_some_are_not(differing: list[Result]) -> None:
    told = [bool(bends(one)) for one in differing]
    assert any(told)
    assert not all(told)


def test_what_is_told_accounts_for_most_of_what_was_measured(differing: list[Result]) -> None:
    for one in differing:
        if not bends(one):
            continue
        found = curvature_of_study(
            one.prepared.ensembles[PLUG_IN],
            one.table(PLUG_IN),
            one.prepared.ensembles[UNCERTAINTY_AWARE],
            one.table(),
            family=one.prepared.family,
        )
        pair = [found.candidates.index(c) for c in (one.choice, one.selection.choices[PLUG_IN])]
        actual, drift, predicted = (
            float(part[pair[0]] - part[pair[1]])
            for part in (found.actual, found.drift, found.predicted)
        )
        assert actual > 0.0
        assert abs(drift + predicted - actual) <= 0.5 * actual
        assert f"{actual:.4g}" in bends(one)[0]


def test_the_report_tells_it(differing: list[Result]) -> None:
    told = next(one for one in differing if bends(one))
    assert "direction of uncertainty" in report_html(told)


def test_too_few_members_for_the_parameters_say_nothing() -> None:
    few = [chosen(seed, size=8) for seed in (12, 15, 21)]
    assert all(bends(one) == () for one in few)
