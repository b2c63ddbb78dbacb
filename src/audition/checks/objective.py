"""What an objective promises: one score a lane, from the rounds that it asked to see."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from audition.checks.promise import Promise, tried
from audition.checks.settings import instance, settings_promises
from audition.episode_objective import EpisodeScore
from audition.errors import PluginError
from audition.objective import Objective
from audition.seeds import stream
from audition.world import Outcome

FloatArray = NDArray[np.float64]

HORIZON: Final = 40
LANES: Final = 5
ARMS: Final = 3


def objective_promises(subject: Any) -> tuple[Promise, ...]:
    """Every promise of an objective, kept or broken; scoring is tried for bandit worlds only."""
    objective: Objective = instance(subject)
    if not isinstance(objective, Objective):
        raise PluginError(
            f"an objective derives from audition.objective.Objective; {subject!r} does not"
        )
    promises = settings_promises(objective, fixed_name=False)
    if isinstance(objective, EpisodeScore):
        return promises
    return promises + tuple(tried(words, partial(test, objective)) for words, test in TESTS)


def _rounds(objective: Objective) -> str:
    marks = objective.checkpoints(HORIZON)
    if not marks or not all(isinstance(mark, int) and 1 <= mark <= HORIZON for mark in marks):
        return f"checkpoints are rounds from 1 to the horizon {HORIZON}, but are {marks!r}"
    return ""


def _scores(objective: Objective) -> str:
    score = np.asarray(objective.score(_seen(objective.checkpoints(HORIZON))))
    if score.shape != (LANES,):
        return f"{LANES} lanes have scores of shape {score.shape}"
    return "" if np.isfinite(score).all() else "a run that went well has a score that is not finite"


def _company(objective: Objective) -> str:
    marks = objective.checkpoints(HORIZON)
    alone = objective.score(_seen(marks))
    beside = objective.score(_seen(tuple(range(1, HORIZON + 1))))
    if not np.allclose(alone, beside):
        return (
            "its score changes when other objectives look at the run too; find the rounds it "
            "needs in outcome.checkpoints"
        )
    return ""


def _lanes(objective: Objective) -> str:
    outcome = _seen(objective.checkpoints(HORIZON))
    one = replace(
        outcome, pulls=outcome.pulls[2:3], totals=outcome.totals[2:3], means=outcome.means[2:3]
    )
    if not np.allclose(objective.score(one)[0], objective.score(outcome)[2]):
        return "a lane's score depends on the other lanes"
    return ""


def _seen(marks: tuple[int, ...]) -> Outcome:
    """What was seen of one and the same run at some of its rounds."""
    rounds = tuple(sorted({*marks, HORIZON}))
    rng = stream(23, "checks/objective")
    arms = rng.integers(ARMS, size=(LANES, HORIZON))
    hits = (arms[:, :, None] == np.arange(ARMS)).astype(np.float64)  # [lane, round, arm]
    paid = hits * rng.normal(1.0, 1.0, (LANES, HORIZON, 1))
    at = np.array(rounds) - 1
    means = rng.normal(1.0, 1.0, (LANES, ARMS))
    return Outcome(rounds, hits.cumsum(axis=1)[:, at], paid.cumsum(axis=1)[:, at], means)


TESTS: Final = (
    ("it asks to see rounds that there are", _rounds),
    ("it gives every lane one score", _scores),
    ("its score does not depend on what others look at", _company),
    ("its lanes are independent of each other", _lanes),
)
