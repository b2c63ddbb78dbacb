"""PPO in lock step against Stable-Baselines3's: training steps per second of one core, as a ratio.

    python benchmarks/ppo.py [--json] [--seconds 60] [--out benchmarks/results/ppo.json]

Both learn by the paper's settings (1024 steps, then 10 epochs of minibatches of 64; observations
and rewards normalised; horizon 250), one thread each, in turns in one process, so that a busy
machine slows both. Two baselines: `same task` is Stable-Baselines3 on exactly the robot that the
lock step has (scaled physics, noisy sensor, weighted reward); `plain` is Stable-Baselines3 on the
environment as Gymnasium makes it, with none of that around it. Times are CPU seconds of this
process, medians over the turns.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import gymnasium
import numpy as np
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import DummyVecEnv, VecNormalize

from audition.episode_shaping import PrivateReward
from audition.learners.sb3 import PAPER_PPO
from audition.lockstep.settings import Settings
from audition.lockstep.training import Training
from audition.mujoco_model.settings import MujocoSettings
from audition.mujoco_model.world import RobotWorld
from audition.seeds import Lanes
from record import processor, write

ROBOTS = {"Hopper-v5": 6.0, "Walker2d-v5": 5.0}  # and the ratio to reach
LANES = 32
THETA = (1.0, 1.0, 0.25)
TRUTH = {"mass": 1.5, "friction": 0.7, "damping": 1.4}
PACKAGES = ("numpy", "numba", "torch", "gymnasium", "mujoco", "stable-baselines3")
WARM_ROLLOUTS = 10  # so that neither is timed in the first, short episodes alone
Turn = Callable[[], int]
"""Train for a while, and say for how many environment steps."""


def lockstep(model: str) -> Turn:
    """One rollout and update of every lane."""
    world = _world(model, lanes=LANES)
    randoms = [np.random.default_rng(lane) for lane in range(LANES)]
    training = Training(world.robots(), [THETA] * LANES, settings=Settings(), randoms=randoms)

    def turn() -> int:
        training.run(1024)
        return 1024 * LANES

    return turn


def same_task(model: str) -> Turn:
    """Stable-Baselines3 on the lock step's robot."""
    return _stable_baselines(PrivateReward(_world(model, lanes=1).environment(0), THETA, steps=1))


def plain(model: str) -> Turn:
    """Stable-Baselines3 on the bare environment."""
    return _stable_baselines(gymnasium.make(model, max_episode_steps=250))


def _stable_baselines(environment: Any) -> Turn:
    normal = VecNormalize(DummyVecEnv([lambda: environment]))
    learner = PPO("MlpPolicy", normal, device="cpu", **PAPER_PPO)

    def turn() -> int:
        learner.learn(2048, reset_num_timesteps=False)
        return 2048

    return turn


def _world(model: str, *, lanes: int) -> RobotWorld:
    settings = MujocoSettings(model=model)
    numbers = Lanes.of(range(lanes))
    return RobotWorld(settings, [TRUTH] * lanes, lanes=numbers, seed=1, steps=1024, episodes=1)


def measure(model: str, *, seconds: float) -> dict[str, Any]:
    """Microseconds of CPU per environment step of each, taken in turns."""
    turns = {"lockstep": lockstep(model), "same task": same_task(model), "plain": plain(model)}
    for name, turn in turns.items():
        for _ in range(WARM_ROLLOUTS if name == "lockstep" else WARM_ROLLOUTS // 4):
            turn()
    taken: dict[str, list[float]] = {name: [] for name in turns}
    start = time.monotonic()
    while time.monotonic() - start < seconds:
        for name, turn in turns.items():
            before = time.process_time()
            steps = turn()
            taken[name].append((time.process_time() - before) / steps * 1e6)
    cost = {name: median(times) for name, times in taken.items()}
    return {
        "robot": model,
        "turns": len(taken["lockstep"]),
        "microseconds_per_step": {name: round(value, 1) for name, value in cost.items()},
        "times_as_fast": {
            name: round(cost[name] / cost["lockstep"], 2) for name in ("same task", "plain")
        },
        "target": ROBOTS[model],
    }


def main() -> None:
    """Measure every robot and say what came out."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--seconds", type=float, default=30.0, help="of timing per robot")
    parser.add_argument("--robots", nargs="+", default=list(ROBOTS), choices=list(ROBOTS))
    parser.add_argument("--out", type=Path, help="also write what was found to this file")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    found = [measure(model, seconds=arguments.seconds) for model in arguments.robots]
    if arguments.out:
        machine = f"{processor()}, {os.cpu_count()} cores; one thread of each learner"
        write(arguments.out, "ppo", found, machine=machine, packages=PACKAGES)
    if arguments.json:
        print(json.dumps(found, indent=2))
        return
    for row in found:
        cost = ", ".join(f"{k} {v} us" for k, v in row["microseconds_per_step"].items())
        ratios = ", ".join(f"{v} x {k}" for k, v in row["times_as_fast"].items())
        print(f"{row['robot']}: {cost}; {ratios} (target {row['target']}, {row['turns']} turns)")


if __name__ == "__main__":
    main()
