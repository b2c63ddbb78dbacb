"""A small log of trajectories to write in every format."""

from __future__ import annotations

import numpy as np

from audition.trajectories import Trajectories

LENGTHS = (3, 1, 4)


def a_log(seed: int = 0) -> Trajectories:
    """Three episodes of two coordinates and one actuator, each next state the next start."""
    random = np.random.default_rng(seed)
    paths = [random.normal(size=(steps + 1, 2)) for steps in LENGTHS]
    return Trajectories.from_paths(paths, [random.normal(size=(steps, 1)) for steps in LENGTHS])


def paths_of(log: Trajectories) -> list[np.ndarray]:
    """Each episode's states, one more than its actions."""
    return [np.vstack([episode.states, episode.next_states[-1:]]) for episode in log]
