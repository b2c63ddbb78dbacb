"""The empirical bootstrap: episodes, or declared clusters, drawn again with replacement."""

from dataclasses import dataclass
from functools import partial
from typing import Any, final

from audition.ensemble import (
    Ensemble,
    Resampling,
    bandit,
    gather,
    member_stream,
    refit,
    resample,
    resample_within,
)


@final
@dataclass(frozen=True, slots=True)
class EmpiricalBootstrap(Resampling):
    """Refit the family to resampled logs; assumes nothing of how rewards are distributed."""

    @property
    def name(self) -> str:
        """`empirical`."""
        return "empirical"

    def make(self, family: Any, log: Any, *, size: int, seed: int) -> Ensemble:
        """Each member is the family fitted to one resample of the log's units."""
        checked = bandit(log, family, name=self.name)
        members = []
        for i in range(size):
            rng = member_stream(seed, self.name, i)
            members.append(
                refit(
                    family,
                    checked,
                    draw=partial(resample, checked, rng),
                    within=partial(resample_within, checked, rng),
                )
            )
        return gather(members, name=self.name)
