"""Gaussian rewards, one variance pooled over the arms (the paper's eq:plane-fit)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from audition.errors import FamilyError
from audition.family import BanditFamily, Tables
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
class Gaussian(BanditFamily):
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
        arms = len(log.arm_names)
        if log.rows <= arms:
            raise FamilyError(
                f"one pooled variance needs more rows than arms, but the log has {log.rows} rows "
                f"and {arms} arms; log more, or drop arms"
            )
        means = log.means
        residual = log.rewards - means[log.arms]
        sd = np.sqrt(residual @ residual / (log.rows - arms))
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
        """The normal log density."""
        sd = max(float(simulator.parameters["sd"]), 1e-300)
        z = (log.rewards - simulator.parameters["mean"][log.arms]) / sd
        return np.asarray(-0.5 * z * z - np.log(sd) - 0.5 * np.log(2.0 * np.pi))

    def sample(
        self, simulator: Simulator, arms: IntArray, rng: np.random.Generator
    ) -> FloatArray:
        """Normal rewards."""
        noise = rng.standard_normal(arms.size) * float(simulator.parameters["sd"])
        return simulator.parameters["mean"][arms] + noise
