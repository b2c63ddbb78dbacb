"""Identification against the MuJoCo stepping that it needs, as a ratio measured in one run.

    python benchmarks/identification.py [--json] [--episodes 16] [--turns 5] [--out FILE]

An episode's curve is nine least-squares fits, and every fit asks for next states of MuJoCo. The
floor is those very steps and nothing else: all transitions of all fits, each with its own scaled
model, in one native call of `mujoco.rollout` on as many threads. Both take turns in one process on
all cores, and the ratio is that of the medians of wall time. Beside it stand the ratio of CPU time,
and the CPU time of an identification over that of the native calls within it: both can be read on
a machine that has other work to do.
"""

from __future__ import annotations

import argparse
import json
import os
import threading
import time
from copy import copy
from pathlib import Path
from statistics import median
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import mujoco
import numpy as np
from mujoco import rollout

from audition.identification.identify import curves_of
from audition.mujoco_model.collect import collect
from audition.mujoco_model.fields import field_paths, write_multipliers
from audition.mujoco_model.sensor import sensor_scale
from audition.mujoco_model.settings import MujocoSettings
from audition.mujoco_model.source import factory_model
from audition.mujoco_model.transitions import TransitionModel
from audition.trajectories import Trajectories
from record import processor, write

TRUTH = {"mass": 1.5, "friction": 0.7, "damping": 1.4}
PACKAGES = ("numpy", "scipy", "mujoco", "gymnasium")
TARGET = 1.15  # times the stepping, at most
Asked = list[tuple[np.ndarray, np.ndarray, np.ndarray]]  # parameters, states, actions


class Listening:
    """A transition model that remembers what it was asked."""

    def __init__(self, model: TransitionModel) -> None:
        self.model = model
        self.asked: Asked = []
        self._lock = threading.Lock()

    def __call__(self, parameters: Any, states: Any, actions: Any) -> Any:
        with self._lock:
            self.asked.append((parameters.copy(), states, actions))
        return self.model(parameters, states, actions)


class Inside:
    """CPU time that an identification's threads spend in MuJoCo's native stepping."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._lock = threading.Lock()
        self._roll = rollout.Rollout.rollout

    def __enter__(self) -> Inside:
        def timed_roll(engine: Any, *given: Any, **named: Any) -> Any:
            start = time.thread_time()
            found = self._roll(engine, *given, **named)
            with self._lock:
                self.seconds += time.thread_time() - start
            return found

        rollout.Rollout.rollout = timed_roll
        return self

    def __exit__(self, *_: object) -> None:
        rollout.Rollout.rollout = self._roll


class Floor:
    """The steps that an identification took, ready to be taken again in one call."""

    def __init__(self, robot: MujocoSettings, model: TransitionModel, asked: Asked) -> None:
        factory = factory_model(robot)
        paths = field_paths(robot, factory)
        models, starts, controls = [], [], []
        for parameters, states, actions in asked:
            full = np.zeros((len(states), 1 + model.skipped + states.shape[1]))
            full[:, 1 : 1 + model.skipped] = factory.qpos0[: model.skipped]
            full[:, 1 + model.skipped :] = states
            for row in parameters:
                scaled = copy(factory)
                write_multipliers(robot, paths, scaled, row)
                models += [scaled] * len(states)
                starts.append(full)
                controls.append(actions)
        self._models = models
        self._starts, self._controls = np.concatenate(starts), np.concatenate(controls)[:, None, :]
        self._data = [mujoco.MjData(factory) for _ in range(cores())]
        self._engine = rollout.Rollout(nthread=cores())
        self._steps = model.frame_skip
        self.transitions = len(models)

    def __call__(self) -> None:
        self._engine.rollout(
            self._models, self._data, self._starts, self._controls, nstep=self._steps
        )


def measure(name: str, *, episodes: int, turns: int) -> dict[str, Any]:
    """The ratio for one robot."""
    robot = MujocoSettings(model=name)
    log = collect(robot, TRUTH, episodes=episodes, seed=7)
    model = TransitionModel(robot)
    noise = robot.sensor.relative * sensor_scale(robot)
    listening = Listening(model)
    identify(listening, log, noise, robot)
    floor = Floor(robot, model, listening.asked)
    took: dict[str, list[tuple[float, float]]] = {"identification": [], "stepping": []}
    for _ in range(turns):
        took["identification"].append(timed(lambda: identify(model, log, noise, robot)))
        took["stepping"].append(timed(floor))
    seconds = {what: median(wall for wall, _ in values) for what, values in took.items()}
    work = {what: median(cpu for _, cpu in values) for what, values in took.items()}
    with Inside() as inside:
        _, whole = timed(lambda: identify(model, log, noise, robot))
    return {
        "robot": name,
        "episodes": episodes,
        "turns": turns,
        "env_steps": floor.transitions,
        "seconds": {what: round(value, 3) for what, value in seconds.items()},
        "core_seconds_per_episode": round(work["identification"] / episodes, 3),
        "times_the_stepping": round(seconds["identification"] / seconds["stepping"], 3),
        "times_its_cpu_time": round(work["identification"] / work["stepping"], 3),
        "times_the_stepping_inside": round(whole / inside.seconds, 3),
        "target": TARGET,
    }


def identify(model: Any, log: Trajectories, noise: np.ndarray, robot: MujocoSettings) -> None:
    """All curves of the log, on every core, with nothing kept."""
    curves_of(model, log, noise=noise, parameters=len(robot.names), jobs=0)


def timed(work: Any) -> tuple[float, float]:
    """Seconds of wall time, and of CPU time of all threads."""
    start, used = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - start, time.process_time() - used


def cores() -> int:
    return os.cpu_count() or 1


def main() -> None:
    """Measure both robots and tell the ratios."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--episodes", type=int, default=16)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--out", type=Path, help="also write what was found to this file")
    given = parser.parse_args()
    found = [
        measure(name, episodes=given.episodes, turns=given.turns)
        for name in ("Hopper-v5", "Walker2d-v5")
    ]
    if given.out:
        machine = f"{processor()}, {cores()} cores"
        write(given.out, "identification", found, machine=machine, packages=PACKAGES)
    if given.json:
        print(json.dumps(found, indent=1))
        return
    for row in found:
        print(
            f"{row['robot']}: {row['times_the_stepping']} times the stepping (target {TARGET}; "
            f"{row['times_its_cpu_time']} times in CPU time, "
            f"{row['times_the_stepping_inside']} times the stepping inside it), "
            f"{row['core_seconds_per_episode']} core-seconds an episode, {cores()} cores"
        )


if __name__ == "__main__":
    main()
