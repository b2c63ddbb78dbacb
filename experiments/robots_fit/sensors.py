"""How much the naive estimates depend on which 2,000 random steps set the sensor's noise.

python experiments/robots_fit/sensors.py

sigma_j is itself estimated (app:deeprl-plant), from about a hundred short falls that differ: two
sensors that are set by the same recipe are not equally loud, and the bias of a fit grows with the
noise. The paper's table is made with one such sensor and ours with another, so the spread over
sensors is part of how far the two may lie apart. The episodes, their actions and the normal draws
are the same for every sensor here; sensors.json keeps the mean estimate under each.
"""

from __future__ import annotations

import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Final

os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parent))

import numpy as np
from settings import ROBOTS, SEED, TRUTH

from audition.identification.least_squares import least_squares
from audition.mujoco_model.collect import collect
from audition.mujoco_model.sensor import sensor_scale
from audition.mujoco_model.settings import MujocoSettings, SensorSettings
from audition.mujoco_model.transitions import TransitionModel

PLACE: Final = Path(__file__).resolve().parent / "sensors.json"
SENSORS: Final = tuple(range(10))
EPISODES: Final = 60


def mean_estimate(robot: str, sensor: int) -> tuple[list[float], float]:
    """The mean naive estimate under one sensor, and how loud it is (the mean of log sigma_j)."""
    settings = MujocoSettings(model=ROBOTS[robot], sensor=SensorSettings(seed=sensor))
    log = collect(settings, TRUTH, episodes=EPISODES, seed=SEED)
    model = TransitionModel(settings)
    values = [least_squares(model, episode, parameters=len(TRUTH)).values for episode in log]
    return np.mean(values, axis=0).tolist(), float(np.log(sensor_scale(settings)).mean())


def main() -> None:
    """Both robots under every sensor, on all cores."""
    jobs = [(robot, sensor) for sensor in SENSORS for robot in ROBOTS]
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        found = list(pool.map(mean_estimate, *zip(*jobs, strict=True)))
    plain = {
        robot: {
            "sensors": list(SENSORS),
            "episodes": EPISODES,
            "means": [m for (name, _), (m, _) in zip(jobs, found, strict=True) if name == robot],
            "loudness": [x for (name, _), (_, x) in zip(jobs, found, strict=True) if name == robot],
        }
        for robot in ROBOTS
    }
    PLACE.write_text(json.dumps(plain, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
