"""f_lambda: one control step of many transitions under several parameters, in one native call.

MuJoCo steps; Python only lays out states and copies the multiplied fields. Several parameters go
into one call (the columns of a finite difference), each transition starts from the logged state
with a cold solver, as after a reset, and the horizontal position starts where the factory's does.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import mujoco
import numpy as np
from mujoco import rollout
from numpy.typing import NDArray

from audition.errors import FamilyError, LogError
from audition.mujoco_model.fields import FieldPath, field_paths, write_multipliers
from audition.mujoco_model.source import factory_model, frame_skip, skipped_positions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from audition.mujoco_model.settings import MujocoSettings

FloatArray = NDArray[np.float64]


class TransitionModel:
    """The model as a function (parameters, states, actions) -> next states.

    It can be called from several threads at once: each has its own models and data, and MuJoCo
    runs without the interpreter's lock. A transition that goes unstable comes back as NaN.
    """

    def __init__(self, settings: MujocoSettings) -> None:
        """Compile the model and find the fields that the parameters multiply."""
        self.settings = settings
        self.skipped = skipped_positions(settings)
        self.frame_skip = frame_skip(settings)
        self._factory = factory_model(settings)
        if self._factory.na or self._factory.nmocap:
            raise FamilyError(
                "the model has actuator activations or mocap bodies, which a state of qpos and "
                "qvel does not hold; identification needs a model without them"
            )
        # A diverging step must come back as such, not silently as the reference pose.
        self._factory.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)
        self._paths = field_paths(settings, self._factory)
        # Beyond mjMAXVAL a number is bad; a bad acceleration moves a velocity by a step of it.
        self._limit = float(mujoco.mjMAXVAL) * min(1.0, float(self._factory.opt.timestep))
        self._local = threading.local()

    @property
    def state_size(self) -> int:
        """Coordinates of a logged state."""
        return int(self._factory.nq - self.skipped + self._factory.nv)

    @property
    def action_size(self) -> int:
        """Coordinates of an action."""
        return int(self._factory.nu)

    def check(self, states: FloatArray, actions: FloatArray) -> None:
        """Refuse a log whose states or actions are not this model's."""
        if states.shape[1] != self.state_size or actions.shape[1] != self.action_size:
            raise LogError(
                f"the model has {self.state_size} state coordinates (qpos without its first "
                f"{self.skipped}, then qvel) and {self.action_size} actuators; the log has states "
                f"of {states.shape[1]} and actions of {actions.shape[1]}; set skipped_positions "
                "if your log leaves out another number of leading coordinates"
            )

    def __call__(
        self, parameters: FloatArray, states: FloatArray, actions: FloatArray
    ) -> FloatArray:  # [row, transition, coordinate]
        """The next state of every transition under every row of parameters.

        `parameters` [row, parameter], `states` [transition, coordinate], `actions` [transition,
        actuator].
        """
        workspace: _Workspace | None = getattr(self._local, "workspace", None)
        if workspace is None:
            workspace = _Workspace(self._factory, self.settings, self._paths)
            self._local.workspace = workspace
        models = workspace.models(parameters)
        rows, count = len(models), len(states)
        held = np.broadcast_to(
            actions[None, :, None, :], (rows, count, self.frame_skip, actions.shape[1])
        )
        reached = workspace.roll(
            [model for model in models for _ in range(count)],
            np.tile(self._full_states(states), (rows, 1)),
            np.ascontiguousarray(held).reshape(rows * count, self.frame_skip, -1),
        )
        final: FloatArray = reached[:, -1, 1 + self.skipped :].reshape(rows, count, -1)
        final[~(np.abs(final) < self._limit).all(axis=2)] = np.nan
        return final

    def _full_states(self, states: FloatArray) -> FloatArray:  # [transition, 1 + nq + nv]
        full = np.empty((len(states), 1 + self.skipped + states.shape[1]))
        full[:, 0] = 0.0
        full[:, 1 : 1 + self.skipped] = self._factory.qpos0[: self.skipped]
        full[:, 1 + self.skipped :] = states
        return full


class _Workspace:
    """One thread's models, one for each row of parameters, and its MjData."""

    def __init__(
        self, factory: mujoco.MjModel, settings: MujocoSettings, paths: Sequence[FieldPath]
    ) -> None:
        from copy import copy

        self._copy = copy
        self._factory = factory
        self._settings = settings
        self._paths = tuple(paths)
        self._models: list[mujoco.MjModel] = []
        self._fields = {path.field: path for path in paths}
        if "body_mass" in self._fields:
            self._fields["body_inertia"] = FieldPath("body_inertia", (...,))
        self._data = [mujoco.MjData(factory)]
        self._engine = rollout.Rollout(nthread=0)

    def roll(
        self, models: list[mujoco.MjModel], states: FloatArray, controls: FloatArray
    ) -> FloatArray:  # [row, step, 1 + nq + nv]
        """MuJoCo's rollout without its checks of every model: the shapes here are right."""
        rows, steps, _ = controls.shape
        reached = np.empty((rows, steps, states.shape[1]))
        self._engine.rollout(
            models,
            self._data,
            states,
            controls,
            skip_checks=True,
            nstep=steps,
            state=reached,
            sensordata=np.empty((rows, steps, self._factory.nsensordata)),
        )
        return reached

    def models(self, parameters: FloatArray) -> list[mujoco.MjModel]:
        """Models with these multipliers, re-using the ones at hand."""
        while len(self._models) < len(parameters):
            self._models.append(self._copy(self._factory))
        chosen = self._models[: len(parameters)]
        for model, row in zip(chosen, parameters, strict=True):
            for path in self._fields.values():
                path.values(model)[:] = path.values(self._factory)
            write_multipliers(self._settings, self._paths, model, row)
        return chosen
