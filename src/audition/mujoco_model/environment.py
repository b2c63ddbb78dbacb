"""A Gymnasium environment of one simulator: scaled physics, a noisy sensor, features in `info`.

Noise touches only what a learner sees; features and the pieces of the score come from the true
state. The reward is the environment's own: a learner shapes it for itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import gymnasium
import mujoco
import numpy as np
from numpy.typing import ArrayLike, NDArray

from audition.errors import FamilyError
from audition.mujoco_model.fields import field_paths, parameter_vector, write_multipliers
from audition.mujoco_model.source import (
    bare_gymnasium,
    factory_model,
    is_bare,
    set_engine_flags,
    skipped_positions,
)
from audition.seeds import stream

if TYPE_CHECKING:
    from audition.mujoco_model.settings import MujocoSettings

Step = tuple[NDArray[np.float64], float, bool, bool, dict[str, Any]]
_BAD_STATE = (
    mujoco.mjtWarning.mjWARN_BADQPOS,
    mujoco.mjtWarning.mjWARN_BADQVEL,
    mujoco.mjtWarning.mjWARN_BADQACC,
)


def make_environment(
    settings: MujocoSettings, parameters: Mapping[str, float], *, seed: int
) -> gymnasium.Env[Any, Any]:
    """M_lambda as a learner meets it: time limit, features in `info`, noise on what is observed.

    `info` of every step holds `features` (phi of the true step), `squared_actuation`, and
    `distance` where the environment reports `x_position`. `seed` starts the reset and the noise;
    `reset(seed=...)` starts both anew.
    """
    from audition.mujoco_model.sensor import observation_scale

    environment = exact_environment(settings, parameters)
    noise = settings.sensor.relative * observation_scale(settings)
    return NoisySensor(environment, noise, settings.conventions.boundary, seed)


def exact_environment(
    settings: MujocoSettings, parameters: Mapping[str, float]
) -> gymnasium.Env[Any, Any]:
    """M_lambda without its sensor: what it observes is exact."""
    values = parameter_vector(settings.names, parameters)
    if is_bare(settings):
        from audition.mujoco_model.plain import PlainEnvironment

        core: Any = PlainEnvironment(settings, factory_model(settings))
    else:
        core = bare_gymnasium(settings.model)
        set_engine_flags(settings, core.model)
    write_multipliers(settings, field_paths(settings, core.model), core.model, values)
    limited = gymnasium.wrappers.TimeLimit(core, settings.horizon)
    return Features(limited, settings)


def true_state(environment: gymnasium.Env[Any, Any], skipped: int) -> NDArray[np.float64]:
    """The logged state of an environment now: qpos without its first entries, and qvel."""
    core: Any = environment.unwrapped
    return np.concatenate([core.data.qpos[skipped:], core.data.qvel])


class Features(gymnasium.Wrapper[Any, Any, Any, Any]):  # type: ignore[misc]
    """Puts the feature vector and the score's pieces of every step into `info`."""

    def __init__(self, environment: gymnasium.Env[Any, Any], settings: MujocoSettings) -> None:
        """Clip actions to the action space as the convention says, and name the features."""
        super().__init__(environment)
        self._settings = settings
        self._features = tuple(_feature(name) for name in settings.features)
        self._start = 0.0
        self.skipped = skipped_positions(settings)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float64], dict[str, Any]]:
        """Remember where the episode started."""
        observation, info = self.env.reset(seed=seed, options=options)
        travelled = self._settings.conventions.distance == "travelled"
        self._start = float(info.get("x_position", 0.0)) if travelled else 0.0
        return observation, info

    def step(self, action: ArrayLike) -> Step:
        """Step with the action clipped to the action space; an unstable model ends the episode."""
        raw = np.asarray(action, dtype=np.float64)
        space: Any = self.env.action_space
        clipped = np.clip(raw, space.low, space.high)
        observation, reward, ended, cut, info = self.env.step(clipped)
        felt = clipped if self._settings.conventions.actuation == "clipped" else raw
        info["squared_actuation"] = float(felt @ felt)
        info["reward"] = float(reward)
        if "x_position" in info:
            info["distance"] = float(info["x_position"]) - self._start
        info["features"] = np.array([sign * _fact(info, name) for sign, name in self._features])
        info["unstable"] = self._exploded()
        return observation, float(reward), bool(ended) or info["unstable"], bool(cut), info

    def _exploded(self) -> bool:
        """Whether MuJoCo met a bad number since the reset, and silently started over."""
        core: Any = self.env.unwrapped
        return any(core.data.warning[kind].number > 0 for kind in _BAD_STATE)


class NoisySensor(gymnasium.Wrapper[Any, Any, Any, Any]):  # type: ignore[misc]
    """Adds Gaussian noise of a given sd to every observed coordinate."""

    def __init__(
        self,
        environment: gymnasium.Env[Any, Any],
        noise: NDArray[np.float64],
        boundary: str,
        seed: int,
    ) -> None:
        """A sensor whose stream is its own, so that it does not disturb the resets."""
        super().__init__(environment)
        self.noise = noise  # [observation] standard deviations
        self._boundary = boundary
        self._seed: int | None = seed
        self._random = stream(seed, "sensor")

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float64], dict[str, Any]]:
        """Reset, with the seed of construction the first time; a given seed restarts the noise."""
        chosen = self._seed if seed is None else seed
        self._seed = None
        if chosen is not None:
            self._random = stream(chosen, "sensor")
        observation, info = self.env.reset(seed=chosen, options=options)
        return self._sense(observation, edge=True), info

    def step(self, action: ArrayLike) -> Step:
        """Step, and blur what is seen of the new state."""
        observation, reward, ended, cut, info = self.env.step(action)
        return self._sense(observation, edge=ended or cut), float(reward), ended, cut, info

    def _sense(self, observation: NDArray[np.float64], *, edge: bool) -> NDArray[np.float64]:
        if edge and self._boundary == "exact":
            return observation
        return observation + self.noise * self._random.standard_normal(self.noise.size)


def _feature(name: str) -> tuple[float, str]:
    return (-1.0, name[1:]) if name.startswith("-") else (1.0, name)


def _fact(info: dict[str, Any], name: str) -> float:
    if name == "1":
        return 1.0
    if name not in info:
        known = sorted(key for key, value in info.items() if np.isscalar(value))
        raise FamilyError(
            f"feature {name!r} is not in the step's info; this environment reports "
            f"{', '.join(known)}, and '1' is a constant"
        )
    return float(info[name])
