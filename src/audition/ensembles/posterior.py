"""Posterior draws: parameters drawn given the log, under a reference prior."""

from dataclasses import dataclass
from typing import Any, final

from audition.ensemble import Ensemble, Resampling, bandit, member_stream, row_by_row
from audition.errors import FamilyError
from audition.family import HasPosterior


@final
@dataclass(frozen=True, slots=True)
class PosteriorDraws(Resampling):
    """Draw parameters from the family's posterior; exact where the prior is conjugate."""

    @property
    def name(self) -> str:
        """`posterior`."""
        return "posterior"

    def make(self, family: Any, log: Any, *, size: int, seed: int) -> Ensemble:
        """`size` independent draws."""
        checked = bandit(log, family, name=self.name)
        if not isinstance(family, HasPosterior):
            raise FamilyError(
                f"family {family.name!r} has no posterior to draw from; "
                "use the empirical or parametric bootstrap"
            )
        rng = member_stream(seed, self.name, 0)
        drawn = tuple(family.posterior(checked, size=size, rng=rng))
        return Ensemble(self.name, drawn, notes=row_by_row(checked, name=self.name))
