"""The parametric bootstrap: fresh logs drawn from the fit (the paper's eq:plane-rules).

Each member is the family refitted to a fresh log of the same size. The arms of the fresh log are
drawn by the behaviour policy: a known one, the logged shares, or conditioned on the logged counts.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from audition.ensemble import Ensemble, Resampling, bandit, gather, member_stream, refit, row_by_row
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
        shares = self._shares(checked)
        members = []
        for i in range(size):
            rng = member_stream(seed, self.name, i)
            counted = partial(_fresh_log, family, fitted, checked, checked.counts, rng)
            drawn = partial(_drawn, family, fitted, checked, shares, rng)
            draw = counted if self.behavior == "counts" else drawn
            members.append(refit(family, checked, draw=draw, within=counted))
        return gather(members, name=self.name, notes=row_by_row(checked, name=self.name))

    def _shares(self, log: Log) -> NDArray[np.float64]:
        arms = len(log.arm_names)
        if self.behavior in ("observed", "counts"):
            return np.asarray(log.counts / log.rows)
        if self.behavior == "uniform":
            return np.full(arms, 1.0 / arms)
        known = np.zeros(0) if isinstance(self.behavior, str) else np.array(self.behavior, float)
        if known.shape != (arms,) or not (known >= 0.0).all() or not 0.0 < known.sum() < np.inf:
            raise ConfigError(
                "the behaviour of a parametric bootstrap is 'observed', 'uniform', 'counts' or "
                f"{arms} probabilities, but is {self.behavior!r}"
            )
        return np.asarray(known / known.sum())


def _drawn(
    family: BanditFamily,
    fitted: Simulator,
    log: Log,
    shares: NDArray[np.float64],
    rng: np.random.Generator,
) -> Log:
    """A fresh log whose arms the behaviour policy drew."""
    return _fresh_log(family, fitted, log, rng.multinomial(log.rows, shares), rng)


def _fresh_log(
    family: BanditFamily,
    fitted: Simulator,
    log: Log,
    counts: NDArray[np.int64],
    rng: np.random.Generator,
) -> Log:
    """A fresh log with given counts; its rows stand arm by arm, for their order means nothing."""
    arms = np.repeat(np.arange(counts.size), counts)
    return Log.from_arrays(arms, family.sample(fitted, arms, rng), arm_names=log.arm_names)
