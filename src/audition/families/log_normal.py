"""Log-normal rewards: positive and skewed, such as money spent by those who spend."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from audition import cells, log_normal_law
from audition.family import BanditFamily, HasPosterior, Tables, require_pooled, require_support
from audition.log import Log
from audition.scalars import exp
from audition.simulator import Simulator

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


class Columns(NamedTuple):
    """One arm's numbers."""

    log_mean: float
    log_sd: float


@final
@dataclass(frozen=True, slots=True)
class LogNormal(BanditFamily, HasPosterior):
    """The logarithm of a reward is normal; all arms share its standard deviation."""

    noise: ClassVar[str] = "normal"
    supports: ClassVar[str] = "positive"
    Columns: ClassVar[Any] = Columns

    @property
    def name(self) -> str:
        """`log_normal`."""
        return "log_normal"

    def fit(self, log: Log) -> Simulator:
        """Means of the logarithm, and its pooled variance."""
        told = self._sums(log)
        return Simulator(self.name, {"log_mean": told.log_means, "log_sd": np.asarray(told.log_sd)})

    @staticmethod
    def reward(draw: Any, p: Any, table: Any) -> Any:
        """The exponential of a normal number."""
        del table
        return exp(p.log_mean + p.log_sd * draw)

    def tables(self, simulators: Sequence[Simulator]) -> Tables:
        """Mean and spread of the logarithm; the true means are those of the draws there are."""
        log_means = np.stack([simulator.parameters["log_mean"] for simulator in simulators])
        log_sds = np.array([float(simulator.parameters["log_sd"]) for simulator in simulators])
        spread = np.broadcast_to(log_sds[:, None], log_means.shape)
        means = np.exp(log_means) * log_normal_law.drawn_mean(log_sds)[:, None]
        columns = np.stack([log_means, spread], axis=-1)
        return Tables(columns, np.zeros((*log_means.shape, 1)), means)

    def log_likelihood(self, simulator: Simulator, log: Log) -> FloatArray:
        """The probability of each reward's cell."""
        width = cells.width_of(log.rewards)
        told = np.full(log.rows, -np.inf)
        paid = log.rewards > 0.0
        told[paid] = log_normal_law.over_cells(
            log.rewards[paid],
            simulator.parameters["log_mean"][log.arms[paid]],
            float(simulator.parameters["log_sd"]),
            width=width,
        )
        return told

    def sample(self, simulator: Simulator, arms: IntArray, rng: np.random.Generator) -> FloatArray:
        """Log-normal rewards."""
        noise = rng.standard_normal(arms.size) * float(simulator.parameters["log_sd"])
        return np.asarray(np.exp(simulator.parameters["log_mean"][arms] + noise))

    def posterior(self, log: Log, *, size: int, rng: np.random.Generator) -> list[Simulator]:
        """Reference prior on the scale of the logarithm, its spread bounded."""
        return [
            Simulator(self.name, {"log_mean": log_means, "log_sd": np.asarray(log_sd)})
            for log_means, log_sd in log_normal_law.posterior(self._sums(log), rng, size=size)
        ]

    def _sums(self, log: Log) -> log_normal_law.Sums:
        require_pooled(self, log)
        require_support(self, log)
        return log_normal_law.sums(log.rewards, log.arms, size=len(log.arm_names))
