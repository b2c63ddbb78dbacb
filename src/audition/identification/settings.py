"""How parameters are identified, as plain data; the defaults are those of `app:deeprl-sysid`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from audition.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class LeastSquaresSettings:
    """Trust-region least squares over an episode's transitions, inside a box.

    At most `transitions` of them, evenly spaced, are used. `step` is the finite-difference step,
    a share of the parameter (`relative`, as SciPy reads its `diff_step`) or the step itself.
    """

    transitions: int = 80
    start: float = 1.0
    low: float = 0.1
    high: float = 10.0
    step: float = 1e-3
    step_kind: Literal["relative", "absolute"] = "relative"

    def __post_init__(self) -> None:
        """Refuse what cannot be solved."""
        if not (0 < self.low < self.start < self.high):
            raise ConfigError(
                "the box of a fit needs 0 < low < start < high; got "
                f"low={self.low}, start={self.start}, high={self.high}"
            )
        if self.transitions < 1 or not 0 < self.step < 1:
            raise ConfigError(
                "a fit needs at least 1 transition and a step between 0 and 1; got "
                f"transitions={self.transitions}, step={self.step}"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class SimexSettings:
    """Noise added in growing amounts, and the trend followed back to no noise at all.

    `multipliers` are the omegas, the first of them 0; `draws` noisy copies are fitted for every
    other one. Decision 9 gives the reason for the defaults of the two choices that the paper leaves
    open: whether a state that is both a next state and the next start gets one added reading or
    two, and whether residuals are scaled by the spread of the noisy copy or of the log.
    """

    multipliers: tuple[float, ...] = (0.0, 0.5, 1.0, 1.5, 2.0)
    draws: int = 2
    readings: Literal["one", "two"] = "one"
    scale: Literal["copy", "log"] = "copy"
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse multipliers through which no parabola goes."""
        rising = all(a < b for a, b in zip(self.multipliers, self.multipliers[1:], strict=False))
        if len(self.multipliers) < 3 or self.multipliers[0] != 0.0 or not rising:
            raise ConfigError(
                "SIMEX needs three or more noise multipliers, rising from 0; got "
                f"{self.multipliers}"
            )
        if self.draws < 1:
            raise ConfigError(f"SIMEX needs at least 1 draw for each multiplier; got {self.draws}")


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentificationSettings:
    """How one episode is fitted, and how the fit is corrected for noise."""

    least_squares: LeastSquaresSettings = field(default_factory=LeastSquaresSettings)
    simex: SimexSettings = field(default_factory=SimexSettings)
