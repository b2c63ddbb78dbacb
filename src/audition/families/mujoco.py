"""Robots: MuJoCo models whose named multipliers are identified from logged trajectories.

The fit is the mean over episodes of SIMEX-corrected least squares (`app:deeprl-sysid`), clipped to
its box. Each episode is identified once, however many resamples it is drawn into.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, final

import numpy as np

from audition.errors import ConfigError, FamilyError
from audition.family import Family, Opening
from audition.identification.settings import IdentificationSettings
from audition.mujoco_model.settings import (
    FACTORY_PARAMETERS,
    Conventions,
    MujocoSettings,
    Parameter,
    PlainTask,
    SensorSettings,
)
from audition.simulator import Simulator
from audition.trajectories import Trajectories

if TYPE_CHECKING:
    from audition.identification.curves import Curves
    from audition.mujoco_model.world import RobotWorld

Pairs = tuple[tuple[str, str], ...]
_PAPER: Pairs = tuple((parameter.name, parameter.field) for parameter in FACTORY_PARAMETERS)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Mujoco(Family):
    """A Gymnasium robot or any MJCF model, with multipliers on fields of the model.

    `model` is a Gymnasium id, the path of an MJCF file, or MJCF text. `parameters` names the
    multipliers and the fields they multiply: { mass = "body_mass", grip = "geom_friction[:,0]" }.
    An episode lasts `horizon` steps at most; a policy is judged over `evaluation_episodes`.
    """

    model: str
    parameters: Mapping[str, str] | Pairs = _PAPER
    horizon: int = 250
    features: tuple[str, ...] = ("1", "x_velocity", "-squared_actuation")
    skipped_positions: int | None = None
    evaluation_episodes: int = 50
    sensor: SensorSettings = field(default_factory=SensorSettings)
    task: PlainTask = field(default_factory=PlainTask)
    conventions: Conventions = field(default_factory=Conventions)
    identification: IdentificationSettings = field(default_factory=IdentificationSettings)

    reads: ClassVar[str] = "trajectories"
    fingerprinted: ClassVar[tuple[str, ...]] = ("model",)

    def __post_init__(self) -> None:
        """Freeze the model and the parameters, and refuse what no robot could mean."""
        object.__setattr__(self, "model", str(self.model))  # a Path is taken too
        pairs = tuple((str(name), str(path)) for name, path in dict(self.parameters).items())
        object.__setattr__(self, "parameters", pairs)
        if self.evaluation_episodes < 1:
            raise ConfigError(
                f"evaluation_episodes must be at least 1; got {self.evaluation_episodes}"
            )
        self.robot  # noqa: B018 - its settings are checked as they are made

    @property
    def name(self) -> str:
        """`mujoco`."""
        return "mujoco"

    @property
    def robot(self) -> MujocoSettings:
        """The task as every part that touches MuJoCo reads it."""
        return MujocoSettings(
            model=self.model,
            parameters=tuple(Parameter(name, path) for name, path in dict(self.parameters).items()),
            horizon=self.horizon,
            features=self.features,
            skipped_positions=self.skipped_positions,
            sensor=self.sensor,
            task=self.task,
            conventions=self.conventions,
        )

    @property
    def fingerprint(self) -> str:
        """The model's content: a file that is edited makes other simulators."""
        from audition.mujoco_model.source import model_digest

        return model_digest(self.robot)

    @property
    def unpaid(self) -> str:
        """MJCF says nothing of rewards; Gymnasium's environments have their own."""
        from audition.mujoco_model.source import is_bare

        return "a bare MJCF model pays no reward of its own" if is_bare(self.robot) else ""

    def identify(self, log: Trajectories) -> Curves:
        """The curve of every episode, on every core; an episode seen before is not fitted again."""
        from audition.identification.identify import identify

        if not isinstance(log, Trajectories):
            raise FamilyError(
                f"the mujoco family reads logs of trajectories; this log is a {type(log).__name__}"
            )
        return identify(self.robot, log, settings=self.identification, jobs=0)

    def fit(self, log: Trajectories) -> Simulator:
        """The SIMEX estimate over all episodes of the log (the paper's Plug-In)."""
        curves = self.identify(log)
        named = curves.named(curves.estimate())
        return Simulator(self.name, {n: np.asarray(rounded(value)) for n, value in named.items()})

    def cautions(self, log: Trajectories) -> tuple[str, ...]:
        """Signs of another model, parameters that the log cannot tell, members too alike."""
        from audition.identification.calibration import double_bootstrap
        from audition.identification.confidence import confidence
        from audition.mujoco_model.mismatch import mismatches

        curves = self.identify(log)
        return (
            *mismatches(self.robot, log),
            *confidence(curves).unidentified,
            *double_bootstrap(curves).narrow(),
        )

    def open(self, simulators: Sequence[Simulator], *, opening: Opening) -> RobotWorld:
        """One robot a lane; the opening's horizon is the number of training steps."""
        from audition.mujoco_model.world import RobotWorld

        values: list[dict[str, Any]] = [dict(simulator.parameters) for simulator in simulators]
        return RobotWorld(
            self.robot,
            values,
            lanes=opening.lanes,
            seed=opening.seed,
            steps=opening.horizon,
            episodes=self.evaluation_episodes,
        )


def rounded(value: float) -> float:
    """Six significant digits: machines whose last bits differ agree on the simulator."""
    return float(f"{value:.6g}")
