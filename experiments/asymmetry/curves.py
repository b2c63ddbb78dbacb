"""Regret against exploration in one environment, and how steep it is on both sides of the best."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, final

import numpy as np
import settings
from numpy.typing import NDArray

from audition.engine import choose
from audition.families.gaussian import Gaussian
from audition.learner import Candidate, ScalarLearner
from audition.learners.thompson import ThompsonSampling
from audition.learners.ucb import UCB
from audition.seeds import stream
from audition.surface_grid import Grid
from audition.surface_measure import Plan, measure
from claims import Call
from plane import NAMES, simulator

FloatArray = NDArray[np.float64]
ALL: Final = np.union1d(settings.LEVELS, settings.BEYOND)
ON_GRID: Final = np.isin(ALL, settings.LEVELS)
DRAWS: Final = 2000  # of the Monte-Carlo error, for errors of ratios


@final
@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """One environment's regret at every level of exploration."""

    margin: float
    sd: float
    regret: FloatArray  # [level of ALL]
    covariance: FloatArray  # [level, level] of the mean regrets

    @property
    def best(self) -> int:
        """Where the least regret on the paper's grid is, as a place in ALL."""
        return best_of(self.regret)

    @property
    def errors(self) -> FloatArray:  # [level]
        """The standard error of every regret."""
        return np.asarray(np.sqrt(np.diag(self.covariance)))

    def spread(self, statistic: Callable[[FloatArray], float]) -> float:
        """The standard error of a number computed from the curve, by parametric resampling."""
        rng = stream(settings.SEED, "asymmetry/errors")
        drawn = rng.multivariate_normal(self.regret, self.covariance, DRAWS, method="eigh")
        values = np.array([statistic(regret) for regret in drawn])
        low, high = np.quantile(values, [0.1587, 0.8413])  # robust against a far argmin
        return float(high - low) / 2.0


def best_of(regret: FloatArray) -> int:
    """The level of least regret on the paper's grid."""
    return int(np.where(ON_GRID, regret, np.inf).argmin())


def ratio(regret: FloatArray) -> float:
    """e(c*/2) / e(2c*) (eq:robust-excess), both measured, even where they leave the grid."""
    half, twice, least = _around(regret, ALL, regret)
    return (half - least) / (twice - least)


def ratio_clipped(regret: FloatArray) -> float:
    """The same with c*/2 and 2c* moved to the nearest end of the paper's grid."""
    half, twice, least = _around(regret, settings.LEVELS, regret[ON_GRID])
    return (half - least) / (twice - least) if twice > least else np.inf


def _around(
    regret: FloatArray, levels: FloatArray, values: FloatArray
) -> tuple[float, float, float]:
    best = best_of(regret)
    half, twice = np.interp([ALL[best] / 2.0, ALL[best] * 2.0], levels, values)
    return float(half), float(twice), float(regret[best])


def measured(kind: str, made: Call) -> tuple[list[Curve], str]:
    """The sixteen curves of one learner, and the engine that measured them."""
    cls: type[ScalarLearner] = UCB if kind == "ucb" else ThompsonSampling
    choice = choose(made.engine, cls(1.0), Gaussian(), arms=2)
    found = []
    for margin in settings.MARGINS:
        for sd in settings.SIGMAS:
            plan = Plan(
                candidates=tuple(Candidate(f"{c:g}", cls(float(c * sd**2))) for c in ALL),
                grid=Grid.of({"margin": [margin], "sd": [sd]}),
                family=Gaussian(),
                simulator=simulator,
                horizon=settings.HORIZON,
                replications=settings.REPLICATIONS[made.preset],
                seed=settings.SEED,
            )
            name = f"{made.preset}-{kind}-{margin:g}-{sd:g}.npz"
            surface = measure(plan, engine=choice.engine, path=made.keep(name))
            covariance = surface.covariances[0] / surface.replications
            found.append(Curve(margin, sd, -surface.means[0], covariance))
        made.say(f"{NAMES[kind]}: four environments of margin {margin:g}")
    return found, choice.engine.version
