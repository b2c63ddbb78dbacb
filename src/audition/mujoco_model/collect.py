"""Log episodes of a policy on a simulator, as its sensor would record them.

The log holds qpos without the horizontal position and qvel, not the environment's observation,
which may clip velocities. The sensor reads each visited state once: a next state and the state
that the next step starts from are one reading.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from audition.errors import FamilyError
from audition.mujoco_model.environment import exact_environment, true_state
from audition.mujoco_model.sensor import sensor_scale
from audition.mujoco_model.source import skipped_positions
from audition.seeds import stream
from audition.trajectories import Trajectories

if TYPE_CHECKING:
    from audition.mujoco_model.settings import MujocoSettings

FloatArray = NDArray[np.float64]
Policy = Callable[[FloatArray, np.random.Generator], FloatArray]
"""A behaviour policy: (sensed state, generator) -> action."""


def random_policy(environment: gymnasium.Env[Any, Any]) -> Policy:
    """Actions uniform on the action space, the paper's behaviour policy pi_b."""
    space: Any = environment.action_space
    low, high = space.low, space.high

    def act(_: FloatArray, random: np.random.Generator) -> FloatArray:
        return np.asarray(random.uniform(low, high))

    return act


def collect(
    settings: MujocoSettings,
    parameters: Mapping[str, float],
    *,
    episodes: int,
    seed: int,
    policy: Policy | None = None,
    first: int = 0,
) -> Trajectories:
    """A log of `episodes` episodes of a policy (the random one by default) on M_lambda.

    Episode i depends on (seed, i) alone, so a log can be collected in parts: `first` is the number
    of the first episode of this part.
    """
    environment = exact_environment(settings, parameters)
    act = random_policy(environment) if policy is None else policy
    noise = settings.sensor.relative * sensor_scale(settings)
    recorder = _Recorder(environment, act, noise, skipped_positions(settings))
    paths = []
    for number in range(first, first + episodes):
        start = int(stream(seed, "log reset", number).integers(2**31))
        paths.append(recorder.episode(start, stream(seed, "log", number)))
    environment.close()
    return Trajectories.from_paths([path[0] for path in paths], [path[1] for path in paths])


class _Recorder:
    """Runs one episode at a time and keeps what the sensor read."""

    def __init__(
        self, environment: gymnasium.Env[Any, Any], act: Policy, noise: FloatArray, skipped: int
    ) -> None:
        self._environment = environment
        self._act = act
        self._noise = noise
        self._skipped = skipped

    def episode(self, start: int, random: np.random.Generator) -> tuple[FloatArray, FloatArray]:
        """Sensed states [step + 1, coordinate] and actions [step, actuator]."""
        self._environment.reset(seed=start)
        states, actions = [self._sense(random)], []
        over = False
        while not over:
            action = np.asarray(self._act(states[-1], random), dtype=np.float64)
            _, _, ended, cut, info = self._environment.step(action)
            if info["unstable"]:
                break  # what MuJoCo shows after a bad number is a fresh start, not a next state
            actions.append(action)
            states.append(self._sense(random))
            over = ended or cut
        if not actions:
            raise FamilyError("the model goes unstable in the first step of an episode")
        return np.array(states), np.array(actions)

    def _sense(self, random: np.random.Generator) -> FloatArray:
        exact = true_state(self._environment, self._skipped)
        return exact + self._noise * random.standard_normal(exact.size)
