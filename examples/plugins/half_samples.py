"""A way to make ensembles: each member is fitted to a random half of the log."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from audition.ensemble import (
    Ensemble,
    Resampling,
    bandit,
    gather,
    member_stream,
    refit,
    resample_within,
)
from audition.log import Log


@dataclass(frozen=True, slots=True)
class HalfSamples(Resampling):
    """Refit the family to random halves: a half strays from the log as the log does from truth."""

    @property
    def name(self) -> str:
        """The word that study files and `--ensemble` use."""
        return "half_samples"

    def make(self, family: Any, log: Any, *, size: int, seed: int) -> Ensemble:
        """Member i depends on the seed and on i alone."""
        checked = bandit(log, family, name=self.name)
        members = []
        for i in range(size):
            rng = member_stream(seed, self.name, i)
            draw = partial(_half, checked, rng)
            # `refit` draws again when a half has lost an arm, and at last within each arm
            members.append(
                refit(family, checked, draw=draw, within=partial(resample_within, checked, rng))
            )
        return gather(members, name=self.name)


def _half(log: Log, rng: np.random.Generator) -> Log:
    """Half of the units: rows, or whole clusters where the log declares them."""
    return log.take(rng.permutation(log.units)[: max(log.units // 2, 1)])
