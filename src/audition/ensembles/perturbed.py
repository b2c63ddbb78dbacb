"""Mean perturbation: fitted means moved by their error (the paper's eq:perturbed-bandit)."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from audition.ensemble import Ensemble, Resampling, bandit, member_stream, row_by_row
from audition.errors import FamilyError
from audition.simulator import Simulator


@final
@dataclass(frozen=True, slots=True)
class MeanPerturbation(Resampling):
    """Move each arm's mean by `sd / sqrt(count)` times a standard normal; leave the noise alone."""

    @property
    def name(self) -> str:
        """`perturbed`."""
        return "perturbed"

    def make(self, family: Any, log: Any, *, size: int, seed: int) -> Ensemble:
        """Members that differ from the fit in their means only."""
        checked = bandit(log, family, name=self.name)
        fitted = family.fit(checked)
        if set(fitted.parameters) != {"mean", "sd"}:
            raise FamilyError(
                "mean perturbation needs a family of means and standard deviations (gaussian, "
                f"gaussian_per_arm), but {family.name!r} has {', '.join(fitted.parameters)}; "
                "use the empirical or parametric bootstrap"
            )
        error = fitted.parameters["sd"] / np.sqrt(checked.counts)
        simulators = []
        for i in range(size):
            noise = member_stream(seed, self.name, i).standard_normal(error.size)
            moved = {**fitted.parameters, "mean": fitted.parameters["mean"] + error * noise}
            simulators.append(Simulator(fitted.family, moved))
        return Ensemble(self.name, tuple(simulators), notes=row_by_row(checked, name=self.name))
