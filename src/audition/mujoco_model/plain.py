"""A bare MJCF model as a Gymnasium environment: torque in, (qpos, qvel) out, health as boxes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import gymnasium
import mujoco
import numpy as np
from numpy.typing import NDArray

from audition.errors import FamilyError
from audition.mujoco_model.health import coordinate, health_box

if TYPE_CHECKING:
    from audition.mujoco_model.settings import MujocoSettings


class PlainEnvironment(gymnasium.Env):  # type: ignore[misc]
    """The model started near its reference pose, ended when it leaves its healthy boxes."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": []}

    def __init__(self, settings: MujocoSettings, model: mujoco.MjModel) -> None:
        """An environment that steps `model`, which it may write to."""
        self.settings = settings
        self.model = model
        self.data = mujoco.MjData(model)
        self.frame_skip = settings.task.frame_skip
        self.skipped = settings.skipped_positions or 0
        self._health = health_box(settings)
        self._forward = coordinate(settings.task.forward, model)
        self.init_qpos, self.init_qvel = self.data.qpos.copy(), self.data.qvel.copy()
        low, high = _action_bounds(model)
        self.action_space = gymnasium.spaces.Box(low, high, dtype=np.float64)
        size = model.nq - self.skipped + model.nv
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (size,), np.float64)

    @property
    def dt(self) -> float:
        """Seconds per control step."""
        return float(self.model.opt.timestep) * self.frame_skip

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float64], dict[str, Any]]:
        """Start near the reference pose."""
        super().reset(seed=seed, options=options)
        mujoco.mj_resetData(self.model, self.data)
        noise = self.settings.task.reset_noise
        start = np.zeros(self.model.nv)
        mujoco.mj_integratePos(
            self.model, self.data.qpos, self.np_random.uniform(-noise, noise, start.size), 1.0
        )
        self.data.qvel[:] += self.np_random.uniform(-noise, noise, start.size)
        mujoco.mj_forward(self.model, self.data)
        return self._observation(), {"x_position": self._full()[self._forward]}

    def step(
        self, action: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], float, bool, bool, dict[str, Any]]:
        """Hold the action for `frame_skip` physics steps; the reward is zero, learners shape it."""
        before = self._full()[self._forward]
        self.data.ctrl[:] = action
        mujoco.mj_step(self.model, self.data, nstep=self.frame_skip)
        state = self._full()
        x = float(state[self._forward])
        info = {"x_position": x, "x_velocity": (x - before) / self.dt}
        return self._observation(), 0.0, not bool(self._health.healthy(state)), False, info

    def _full(self) -> NDArray[np.float64]:
        return np.concatenate([self.data.qpos, self.data.qvel])

    def _observation(self) -> NDArray[np.float64]:
        clip = self.settings.task.velocity_clip
        velocity = np.clip(self.data.qvel, -clip, clip)
        return np.concatenate([self.data.qpos[self.skipped :], velocity])


def _action_bounds(
    model: mujoco.MjModel,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    if model.nu == 0:
        raise FamilyError("the model has no actuator, so no action can move it; add an <actuator>")
    free = np.flatnonzero(model.actuator_ctrllimited == 0)
    if free.size:
        raise FamilyError(
            f"actuator {model.actuator(int(free[0])).name!r} has no ctrlrange, so the random "
            "policy has no bounds; write ctrlrange and ctrllimited in the MJCF"
        )
    low, high = model.actuator_ctrlrange.T.copy()
    return low, high
