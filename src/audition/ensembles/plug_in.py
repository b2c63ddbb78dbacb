"""The ensemble of one: the simulator fitted to the log as it is (the paper's Plug-In)."""

from dataclasses import dataclass
from typing import Any, final

from audition.ensemble import Ensemble, Resampling


@final
@dataclass(frozen=True, slots=True)
class PlugIn(Resampling):
    """What practitioners use today: one fitted simulator."""

    @property
    def name(self) -> str:
        """`plug_in`."""
        return "plug_in"

    def make(self, family: Any, log: Any, *, size: int = 1, seed: int = 0) -> Ensemble:
        """One member, whatever the size asked for."""
        del size, seed
        return Ensemble(self.name, (family.fit(log),))
