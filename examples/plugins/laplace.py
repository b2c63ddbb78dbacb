"""A family of simulators: rewards with heavier tails than the normal law."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from audition import cells
from audition.family import BanditFamily, Tables, require_pooled
from audition.log import Log
from audition.scalars import log, minimum, where
from audition.simulator import Simulator


class Columns(NamedTuple):
    """The numbers of one arm."""

    mean: float
    scale: float


@dataclass(frozen=True, slots=True)
class Laplace(BanditFamily):
    """Every arm has its own centre; deviations from it are exponential on both sides."""

    noise: ClassVar[str] = "uniform"  # the draw that `reward` is given
    supports: ClassVar[str] = "real"  # the rewards it can give
    Columns: ClassVar[Any] = Columns

    @property
    def name(self) -> str:
        """The word that study files and `--family` use."""
        return "laplace"

    def fit(self, log: Log) -> Simulator:
        """Maximum likelihood: the median of every arm, and the mean distance from it."""
        require_pooled(self, log)
        arms = range(len(log.arm_names))
        medians = np.array([np.median(log.rewards[log.arms == arm]) for arm in arms])
        scale = np.abs(log.rewards - medians[log.arms]).mean()
        return Simulator(self.name, {"mean": medians, "scale": np.asarray(scale)})

    @staticmethod
    def reward(draw: Any, p: Any, table: Any) -> Any:
        """The inverse of the distribution function, written once for every engine."""
        away = p.scale * log(2.0 * minimum(draw, 1.0 - draw))
        return where(draw < 0.5, p.mean + away, p.mean - away)

    def tables(self, simulators: Sequence[Simulator]) -> Tables:
        """The numbers of every arm of every simulator, for the engines."""
        means = np.stack([one.parameters["mean"] for one in simulators])
        scales = np.array([float(one.parameters["scale"]) for one in simulators])
        columns = np.stack([means, np.broadcast_to(scales[:, None], means.shape)], axis=-1)
        return Tables(columns, np.zeros((*means.shape, 1)), means)

    def log_likelihood(self, simulator: Simulator, log: Log) -> NDArray[np.float64]:
        """The probability of every reward's cell, over the width of the cell."""
        scale = max(float(simulator.parameters["scale"]), 1e-300)
        width = cells.width_of(log.rewards)
        half = width / scale / 2.0
        away = np.abs(log.rewards - simulator.parameters["mean"][log.arms]) / scale
        outside = -away + half + np.log1p(-np.exp(-2.0 * half)) - np.log(2.0)
        near = np.minimum(away, half)
        inside = np.log1p(-0.5 * (np.exp(near - half) + np.exp(-near - half)))
        return np.where(away < half, inside, outside) - np.log(width)

    def sample(
        self, simulator: Simulator, arms: NDArray[np.int64], rng: np.random.Generator
    ) -> NDArray[np.float64]:
        """Fresh rewards, for the parametric bootstrap."""
        noise = rng.laplace(0.0, float(simulator.parameters["scale"]), size=arms.size)
        return simulator.parameters["mean"][arms] + noise
