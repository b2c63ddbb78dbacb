"""What races: ways to make an ensemble from a two-armed log, and rules that judge its members."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from audition.rule import Rule
from audition.rules.best_probability import BestProbability
from audition.rules.borda import Borda
from audition.rules.cvar import CVaR
from audition.rules.mean import Mean
from audition.rules.minimax_regret import MinimaxRegret
from audition.rules.quantile import Quantile

FloatArray = NDArray[np.float64]

RULES: Final[dict[str, Rule]] = {
    "mean": Mean(),
    "10th percentile": Quantile(0.1),
    "Borda": Borda(),
    "CVaR 20%": CVaR(0.2),
    "minimax regret": MinimaxRegret(),
    "best probability": BestProbability(),
}
PLUG_IN: Final = "Plug-In"
PAPER: Final = "parametric, mean"  # the Uncertainty-Aware rule as the paper runs it


@final
@dataclass(frozen=True, slots=True, eq=False)
class TwoArmLog:
    """A log of two arms, with the fit of eq:plane-fit."""

    arms: NDArray[np.int64]  # [row] 0 or 1
    rewards: FloatArray  # [row]

    @property
    def pulls(self) -> FloatArray:  # [arm]
        """How often each arm was logged."""
        return np.bincount(self.arms, minlength=2).astype(np.float64)

    @property
    def fit(self) -> FloatArray:  # (margin, sd)
        """The fitted margin and the pooled standard deviation."""
        margin, sd = fits(self.arms[None], self.rewards[None])
        return np.array([margin[0], sd[0]])


def fits(arms: NDArray[np.int64], rewards: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Margin and pooled sd of many logs at once  # arms, rewards [log, row]."""
    first = arms == 0
    counts = np.stack([first.sum(axis=1), (~first).sum(axis=1)])  # [arm, log]
    sums = np.stack([(rewards * first).sum(axis=1), (rewards * ~first).sum(axis=1)])
    means = sums / counts
    residual = rewards - np.where(first, means[0][:, None], means[1][:, None])
    spread = (residual**2).sum(axis=1) / (arms.shape[1] - 2)
    return means[0] - means[1], np.sqrt(np.maximum(spread, 1e-12))


def whole(arms: NDArray[np.int64]) -> NDArray[np.bool_]:  # [log]
    """Which logs hold both arms."""
    return np.asarray((arms.min(axis=1) == 0) & (arms.max(axis=1) == 1))


def draw_log(margin: float, sd: float, rows: int, rng: np.random.Generator) -> TwoArmLog:
    """A log of a truth, its arms drawn uniformly until both are seen."""
    arms = rng.integers(2, size=rows)
    while not whole(arms[None])[0]:
        arms = rng.integers(2, size=rows)
    rewards = np.where(arms == 0, margin, 0.0) + sd * rng.standard_normal(rows)
    return TwoArmLog(arms, rewards)


Members = tuple[FloatArray, FloatArray]  # margins and sds  # each [member]


def parametric(log: TwoArmLog, size: int, rng: np.random.Generator) -> Members:
    """Fits to fresh logs of the fit, arms drawn uniformly (the paper's)."""
    margin, sd = log.fit
    rows = log.arms.size
    first = rng.binomial(rows, 0.5, size)
    while (lost := (first < 1) | (first >= rows)).any():
        first[lost] = rng.binomial(rows, 0.5, int(lost.sum()))
    error = np.sqrt(1.0 / first + 1.0 / (rows - first))
    spread = np.sqrt(rng.chisquare(rows - 2, size) / (rows - 2))
    return margin + sd * error * rng.standard_normal(size), sd * spread


def empirical(log: TwoArmLog, size: int, rng: np.random.Generator) -> Members:
    """Fits to the log's rows drawn again; a draw that loses an arm is drawn anew."""
    rows = log.arms.size
    chosen = rng.integers(rows, size=(size, rows))
    while (lost := ~whole(log.arms[chosen])).any():
        chosen[lost] = rng.integers(rows, size=(int(lost.sum()), rows))
    return fits(log.arms[chosen], log.rewards[chosen])


def posterior(log: TwoArmLog, size: int, rng: np.random.Generator) -> Members:
    """Draws given the log under the reference prior."""
    margin, sd = log.fit
    freedom = log.arms.size - 2
    sds = sd * np.sqrt(freedom / rng.chisquare(freedom, size))
    error = np.sqrt((1.0 / log.pulls).sum())
    return margin + sds * error * rng.standard_normal(size), sds


def perturbed(log: TwoArmLog, size: int, rng: np.random.Generator) -> Members:
    """The fitted means moved by their error, the noise left alone (eq:perturbed-bandit)."""
    margin, sd = log.fit
    error = np.sqrt((1.0 / log.pulls).sum())
    return margin + sd * error * rng.standard_normal(size), np.full(size, sd)


ENSEMBLES: Final[dict[str, Callable[[TwoArmLog, int, np.random.Generator], Members]]] = {
    "parametric": parametric,
    "empirical": empirical,
    "posterior": posterior,
    "perturbed": perturbed,
}
NAMES: Final = (PLUG_IN, *(f"{ensemble}, {rule}" for ensemble in ENSEMBLES for rule in RULES))
