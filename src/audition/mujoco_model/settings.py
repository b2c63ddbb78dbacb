"""What a MuJoCo task is, as plain data: the model, its named multipliers, the sensor, the task.

A model is a Gymnasium environment id, the path of an MJCF file, or the MJCF text itself. An id
brings its own health rule, reset and observation; a bare model takes them from `PlainTask`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import Literal

from audition.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Parameter:
    """A multiplier by name, and the model field that it multiplies: `geom_friction[:,0]`."""

    name: str
    field: str


FACTORY_PARAMETERS = (
    Parameter("mass", "body_mass"),
    Parameter("friction", "geom_friction[:,0]"),
    Parameter("damping", "dof_damping"),
)
"""The paper's physics parameter: lambda = (mass, friction, damping) of `app:deeprl-plant`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conventions:
    """Choices that the paper leaves open; decision 9 gives the reason for each default."""

    inertia: Literal["fixed", "scaled"] = "fixed"  # does body_inertia follow body_mass?
    constants: Literal["kept", "recomputed"] = "kept"  # is mj_setConst run after scaling?
    islands: Literal["off", "on"] = "off"  # constraint islands: off is faster, states are equal
    boundary: Literal["noisy", "exact"] = "noisy"  # the observations at reset and at the end
    actuation: Literal["clipped", "raw"] = "clipped"  # the action in the feature vector
    distance: Literal["travelled", "position"] = "travelled"  # is the start subtracted from x?


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorSettings:
    """Independent Gaussian noise of sd `relative * sigma_j` on every coordinate.

    sigma_j is the standard deviation of coordinate j over `steps` steps of the random policy on the
    factory model, floored at `floor`; `source` says whether it is that of the logged state or of
    the environment's observation, which may clip velocities.
    """

    relative: float = 0.05
    floor: float = 1e-3
    steps: int = 2000
    source: Literal["state", "observation"] = "state"
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse a sensor that cannot be."""
        if not (self.relative >= 0 and self.floor >= 0 and self.steps >= 2):
            raise ConfigError(
                "a sensor needs relative >= 0, floor >= 0 and at least 2 calibration steps; got "
                f"relative={self.relative}, floor={self.floor}, steps={self.steps}"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainTask:
    """What a bare MJCF model does not say: step length, start, health and what is observed.

    `healthy` holds boxes (coordinate, low, high) on the state; a coordinate is `qpos[1]`, `qvel[0]`
    or a joint's name. `forward` is the coordinate whose velocity is `x_velocity`.
    """

    frame_skip: int = 4
    reset_noise: float = 5e-3
    velocity_clip: float = 10.0
    forward: str = "qpos[0]"
    healthy: tuple[tuple[str, float, float], ...] = ()

    def __post_init__(self) -> None:
        """Refuse what no task could mean."""
        if self.frame_skip < 1:
            raise ConfigError(f"frame_skip must be at least 1; got {self.frame_skip}")
        if not 0 <= self.reset_noise < inf:
            raise ConfigError(f"reset_noise must be 0 or more and finite; got {self.reset_noise}")
        if not self.velocity_clip > 0:
            raise ConfigError(f"velocity_clip must be above 0; got {self.velocity_clip}")
        for name, low, high in self.healthy:
            if not low < high:
                raise ConfigError(
                    f"healthy: {name!r} needs a low end below its high end; got {low} and {high}"
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class MujocoSettings:
    """A MuJoCo task: which model, which multipliers, how it is sensed, and when an episode ends.

    `features` is the vector phi(S, A): names of numbers in the step's `info`, `1` for a constant,
    a leading minus for the negative. `skipped_positions` leading entries of `qpos` (the horizontal
    position) are left out of the logged state; None asks the environment.
    """

    model: str
    parameters: tuple[Parameter, ...] = FACTORY_PARAMETERS
    horizon: int = 250
    features: tuple[str, ...] = ("1", "x_velocity", "-squared_actuation")
    skipped_positions: int | None = None
    sensor: SensorSettings = field(default_factory=SensorSettings)
    task: PlainTask = field(default_factory=PlainTask)
    conventions: Conventions = field(default_factory=Conventions)

    def __post_init__(self) -> None:
        """Refuse what no model could mean."""
        names = self.names
        if not names or len(set(names)) != len(names):
            raise ConfigError(f"parameters need one distinct name each, at least one; got {names}")
        if self.horizon < 1:
            raise ConfigError(f"horizon must be at least 1 step; got {self.horizon}")
        if self.skipped_positions is not None and self.skipped_positions < 0:
            raise ConfigError(f"skipped_positions must be 0 or more; got {self.skipped_positions}")

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters' names, in the order of every array over parameters."""
        return tuple(parameter.name for parameter in self.parameters)
