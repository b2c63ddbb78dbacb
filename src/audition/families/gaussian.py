"""Gaussian rewards, one variance pooled over the arms (the paper's eq:plane-fit)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from audition import cells
from audition.family import BanditFamily, HasPosterior, Tables, require_pooled
from audition.log import Log
from audition.simulator import Simulator

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


class Columns(NamedTuple):
    """One arm's numbers."""

    mean: float
    sd: float


@final
@dataclass(frozen=True, slots=True)
class Gaussian(BanditFamily, HasPosterior):
    """Every arm has its own mean; all share one standard deviation."""

    noise: ClassVar[str] = "normal"
    supports: ClassVar[str] = "real"
    Columns: ClassVar[Any] = Columns

    @property
    def name(self) -> str:
        """`gaussian`."""
        return "gaussian"

    def fit(self, log: Log) -> Simulator:
        """Sample means, and the pooled variance with rows less arms degrees of freedom."""
        require_pooled(self, log)
        means = log.means
        residual = log.rewards - means[log.arms]
        sd = np.sqrt(residual @ residual / (log.rows - means.size))
        return Simulator(self.name, {"mean": means, "sd": np.asarray(sd)})

    @staticmethod
    def reward(draw: Any, p: Any, table: Any) -> Any:
        """Mean plus noise."""
        del table
        return p.mean + p.sd * draw

    def tables(self, simulators: Sequence[Simulator]) -> Tables:
        """Mean and standard deviation by arm."""
        means = np.stack([simulator.parameters["mean"] for simulator in simulators])
        sds = np.array([float(simulator.parameters["sd"]) for simulator in simulators])
        columns = np.stack([means, np.broadcast_to(sds[:, None], means.shape)], axis=-1)
        return Tables(columns, np.zeros((*means.shape, 1)), means)

    def log_likelihood(self, simulator: Simulator, log: Log) -> FloatArray:
        """The normal probability of each reward's cell."""
        sd = max(float(simulator.parameters["sd"]), 1e-300)
        width = cells.width_of(log.rewards)
        away = log.rewards - simulator.parameters["mean"][log.arms]
        low, high = (away - width / 2.0) / sd, (away + width / 2.0) / sd
        return cells.over_cells(low, high, cells.normal_density(away / sd, sd), width=width)

    def sample(self, simulator: Simulator, arms: IntArray, rng: np.random.Generator) -> FloatArray:
        """Normal rewards."""
        noise = rng.standard_normal(arms.size) * float(simulator.parameters["sd"])
        return simulator.parameters["mean"][arms] + noise

    def posterior(self, log: Log, *, size: int, rng: np.random.Generator) -> list[Simulator]:
        """Reference prior: variance scaled inverse chi-square, means normal given it."""
        fitted = self.fit(log)
        arms = len(log.arm_names)
        freedom = log.rows - arms
        # one draw after the other, so that asking for more leaves the first ones as they are
        drawn = [(rng.chisquare(freedom), rng.standard_normal(arms)) for _ in range(size)]
        spread = np.array([one for one, _ in drawn])
        sds = float(fitted.parameters["sd"]) * np.sqrt(freedom / spread)  # [draw]
        errors = sds[:, None] / np.sqrt(log.counts)  # [draw, arm]
        means = fitted.parameters["mean"] + errors * np.array([noise for _, noise in drawn])
        return [
            Simulator(self.name, {"mean": means[i], "sd": np.asarray(sds[i])}) for i in range(size)
        ]
