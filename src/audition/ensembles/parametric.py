"""The parametric bootstrap: fresh logs drawn from the fit (the paper's eq:plane-rules).

Each member is the family refitted to a fresh log of the same size. The arms of the fresh log are
drawn by the behaviour policy: a known one, the logged shares, or conditioned on the logged counts.
"""

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from audition.ensemble import (
    TRIES,
    Ensemble,
    Resampled,
    Resampling,
    bandit,
    member_stream,
    members,
    whole,
)
from audition.errors import ConfigError
from audition.family import BanditFamily
from audition.log import Log
from audition.simulator import Simulator


@final
@dataclass(frozen=True, slots=True)
class ParametricBootstrap(Resampling):
    """Refit the family to fresh logs that its own fit produced.

    `behavior` is "observed" (arms drawn with the logged shares), "uniform", "counts" (every arm as
    often as it was logged), or the known probabilities of the arms.
    """

    behavior: str | tuple[float, ...] = "observed"

    @property
    def name(self) -> str:
        """`parametric`."""
        return "parametric"

    def make(self, family: Any, log: Any, *, size: int, seed: int) -> Ensemble:
        """Fit once, then draw and refit `size` times."""
        checked = bandit(log, family, name=self.name)
        fitted = family.fit(checked)
        logs = [
            self._fresh(family, fitted, checked, member_stream(seed, self.name, i))
            for i in range(size)
        ]
        return members(family, logs, name=self.name)

    def _fresh(
        self, family: BanditFamily, fitted: Simulator, log: Log, rng: np.random.Generator
    ) -> Resampled:
        for tried in range(TRIES):
            drawn = _fresh_log(family, fitted, log, self._arms(log, rng), rng)
            if whole(drawn):
                return Resampled(drawn, tried, False)
        return Resampled(_fresh_log(family, fitted, log, log.arms, rng), TRIES, True)

    def _arms(self, log: Log, rng: np.random.Generator) -> NDArray[np.int64]:
        if self.behavior == "counts":
            return log.arms
        arms = len(log.arm_names)
        return rng.choice(arms, size=log.rows, p=self._shares(log)).astype(np.int64)

    def _shares(self, log: Log) -> NDArray[np.float64]:
        arms = len(log.arm_names)
        if self.behavior == "observed":
            return np.asarray(log.counts / log.rows)
        if self.behavior == "uniform":
            return np.full(arms, 1.0 / arms)
        known = np.asarray(self.behavior, dtype=np.float64) if self.behavior else np.zeros(0)
        if isinstance(self.behavior, str) or known.shape != (arms,) or known.min() < 0.0:
            raise ConfigError(
                "the behaviour of a parametric bootstrap is 'observed', 'uniform', 'counts' or "
                f"{arms} probabilities, but is {self.behavior!r}"
            )
        return np.asarray(known / known.sum())


def _fresh_log(
    family: BanditFamily,
    fitted: Simulator,
    log: Log,
    arms: NDArray[np.int64],
    rng: np.random.Generator,
) -> Log:
    return Log.from_arrays(arms, family.sample(fitted, arms, rng), arm_names=log.arm_names)
