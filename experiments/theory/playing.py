"""Plays two-armed Gaussian bandits to long horizons and gives the regret at every doubling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
import settings
from numpy.typing import NDArray

from audition.engine import Engine, Work, choose
from audition.families.gaussian_per_arm import GaussianPerArm
from audition.family import Tables
from audition.learner import ScalarLearner
from audition.learners.thompson import ThompsonSampling
from audition.learners.ucb import UCB
from audition.simulator import Simulator
from claims import Call

FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Growth:
    """Regret at every horizon, replication by replication."""

    horizons: FloatArray  # [horizon]
    regrets: FloatArray  # [cell, horizon, replication]

    @property
    def means(self) -> FloatArray:  # [cell, horizon]
        """The mean over replications."""
        return self.regrets.mean(axis=2)


def bandit(means: Sequence[float], variances: Sequence[float]) -> Simulator:
    """A Gaussian bandit; the better arm should have mean 0, where single precision is finest."""
    return Simulator("gaussian_per_arm", {"mean": np.array(means), "sd": np.sqrt(variances)})


def learner(kind: str, theta: float) -> ScalarLearner:
    """UCB or Thompson Sampling."""
    return UCB(theta) if kind == "ucb" else ThompsonSampling(theta)


def engine_for(kind: str, made: Call) -> Engine:
    """The engine that plays one kind of learner."""
    return choose(made.engine, learner(kind, 1.0), GaussianPerArm(), arms=2).engine


def play(
    kind: str,
    cells: Sequence[tuple[float, Simulator, int]],  # theta, simulator, member
    made: Call,
    *,
    replications: int,
) -> Growth:
    """The regret of every cell at every doubling of the horizon."""
    low, high = settings.BUDGETS[made.preset].doublings
    horizons = tuple(2**power for power in range(low, high + 1))
    family = GaussianPerArm()
    tables: Tables = family.tables([simulator for _, simulator, _ in cells])
    work = Work(
        learners=tuple(learner(kind, theta) for theta, _, _ in cells),
        family=family,
        tables=tables,
        members=np.array([member for _, _, member in cells]),
        replications=np.arange(replications),
        horizon=horizons[-1],
        checkpoints=horizons,
        seed=settings.SEED,
    )
    played = engine_for(kind, made).play(work)
    gaps = played.means.max(axis=1, keepdims=True) - played.means  # [cell, arm]
    regrets = np.einsum("ca,char->chr", gaps, played.pulls.astype(np.float64))
    return Growth(np.array(horizons, dtype=np.float64), regrets)
