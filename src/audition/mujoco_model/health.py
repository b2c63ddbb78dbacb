"""When a robot is healthy: an open box on its state, which a batch can check in one comparison."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from audition.errors import FamilyError
from audition.mujoco_model.source import bare_gymnasium, factory_model, is_bare

if TYPE_CHECKING:
    import mujoco

    from audition.mujoco_model.settings import MujocoSettings

_COORDINATE = re.compile(r"^(qpos|qvel)\[(\d+)\]$")


@dataclass(frozen=True, slots=True, eq=False)
class HealthBox:
    """Healthy while low < (qpos, qvel) < high in every coordinate; the bounds are open."""

    low: NDArray[np.float64]  # [nq + nv]
    high: NDArray[np.float64]  # [nq + nv]

    def healthy(self, states: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which of the full states (qpos, qvel) are healthy  # [...]; a NaN is not."""
        inside = (states > self.low) & (states < self.high)
        return np.asarray(inside.all(axis=-1))


def health_box(settings: MujocoSettings) -> HealthBox:
    """The health rule as a box on (qpos, qvel).

    Only environments whose rule is such a box have one: Hopper-v5, Walker2d-v5, and bare models.
    """
    model = factory_model(settings)
    size = model.nq + model.nv
    low, high = np.full(size, -np.inf), np.full(size, np.inf)
    if is_bare(settings):
        for name, least, most in settings.task.healthy:
            where = coordinate(name, model)
            low[where], high[where] = max(low[where], least), min(high[where], most)
        return HealthBox(low, high)
    _read_gymnasium(bare_gymnasium(settings.model), low, high)
    return HealthBox(low, high)


def coordinate(name: str, model: mujoco.MjModel) -> int:
    """Where a coordinate stands in (qpos, qvel): `qpos[1]`, `qvel[0]` or a hinge or slide joint."""
    if match := _COORDINATE.match(name):
        size, start = (model.nq, 0) if match[1] == "qpos" else (model.nv, model.nq)
        if int(match[2]) < size:
            return start + int(match[2])
        raise FamilyError(f"coordinate {name!r} is beyond the model's {size} entries of {match[1]}")
    try:
        return int(model.joint(name).qposadr[0])
    except KeyError as error:
        raise FamilyError(
            f"{name!r} is not a coordinate: write qpos[i], qvel[i] or a joint's name ({error})"
        ) from error


def _read_gymnasium(environment: Any, low: NDArray[np.float64], high: NDArray[np.float64]) -> None:
    """Copy the ranges of a Gymnasium hopper or walker: height, angle, other coordinates."""
    from gymnasium.envs.mujoco.hopper_v5 import HopperEnv
    from gymnasium.envs.mujoco.walker2d_v5 import Walker2dEnv

    if not isinstance(environment, HopperEnv | Walker2dEnv):
        raise FamilyError(
            f"the health rule of {type(environment).__name__} is not a box on the state that can "
            "be read; use make_environment, which asks the environment itself"
        )
    ranges = vars(environment)
    if not ranges["_terminate_when_unhealthy"]:
        return
    if isinstance(environment, HopperEnv):
        low[2:], high[2:] = ranges["_healthy_state_range"]
    for where, name in ((1, "_healthy_z_range"), (2, "_healthy_angle_range")):
        least, most = ranges[name]
        low[where], high[where] = max(low[where], least), min(high[where], most)
