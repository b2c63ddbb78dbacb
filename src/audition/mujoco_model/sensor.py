"""How loud the sensor is: the spread of every coordinate under the random policy."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from audition.errors import FamilyError
from audition.mujoco_model.source import skipped_positions, written
from audition.seeds import stream

if TYPE_CHECKING:
    from audition.mujoco_model.settings import MujocoSettings


def sensor_scale(settings: MujocoSettings) -> NDArray[np.float64]:
    """sigma_j of every coordinate of the logged state  # [nq - skipped + nv].

    The noise itself is `settings.sensor.relative` times this.
    """
    states, observations = _calibration(settings, written(settings))
    if settings.sensor.source == "state":
        return _spread(settings, states)
    if observations.shape != states.shape:
        raise FamilyError(
            f"sensor source 'observation' needs an observation of the logged state's "
            f"{states.shape[1]} coordinates; this environment observes {observations.shape[1]}: "
            "use source 'state'"
        )
    return _spread(settings, observations)


def observation_scale(settings: MujocoSettings) -> NDArray[np.float64]:
    """sigma_j of every coordinate of the observation.

    Where the observation is the logged state, coordinate for coordinate, both have one scale.
    """
    states, observations = _calibration(settings, written(settings))
    if observations.shape == states.shape:
        return sensor_scale(settings)
    return _spread(settings, observations)


def _spread(
    settings: MujocoSettings, values: NDArray[np.float64]
) -> NDArray[np.float64]:  # [coordinate]
    return np.asarray(np.maximum(values.std(axis=0), settings.sensor.floor))


@lru_cache(maxsize=16)
def _calibration(
    settings: MujocoSettings, _written: tuple[int, int]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:  # each [step, coordinate]
    """True states and exact observations after each step of the random policy, factory model."""
    from audition.mujoco_model.environment import exact_environment, true_state

    environment = exact_environment(settings, {})
    skipped = skipped_positions(settings)
    random = stream(settings.sensor.seed, "sensor calibration")
    low, high = environment.action_space.low, environment.action_space.high
    states, observations = [], []
    environment.reset(seed=settings.sensor.seed)
    for _ in range(settings.sensor.steps):
        observation, _, ended, cut, _ = environment.step(random.uniform(low, high))
        states.append(true_state(environment, skipped))
        observations.append(observation)
        if ended or cut:
            environment.reset()
    environment.close()
    return np.array(states), np.array(observations)
