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
from audition.errors import LogError
from audition.trajectories import Trajectories


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
        if family.reads == "trajectories":
            return _of_episodes(family, log, size=size, seed=seed, name=self.name)
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


def _of_episodes(family: Any, log: Trajectories, *, size: int, seed: int, name: str) -> Ensemble:
    """Episodes drawn again; the family keeps what it knows of each, so a member costs little."""
    if log.units < 2:
        raise LogError(
            "an ensemble draws the log's episodes again, but this log holds one episode only, so "
            "every simulator would be the same; log at least 2 episodes"
        )
    fitted = [
        family.fit(log.take(member_stream(seed, name, i).integers(log.units, size=log.units)))
        for i in range(size)
    ]
    return Ensemble(name, tuple(fitted), notes=family.cautions(log))
