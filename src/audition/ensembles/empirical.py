"""The empirical bootstrap: episodes, or declared clusters, drawn again with replacement."""

from dataclasses import dataclass
from typing import Any, final

from audition.ensemble import Ensemble, Resampling, bandit, member_stream, members, resample


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
        logs = [resample(checked, member_stream(seed, self.name, i)) for i in range(size)]
        return members(family, logs, name=self.name)
