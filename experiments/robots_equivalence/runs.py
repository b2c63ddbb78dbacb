"""Training runs on the true robot: what a run is, how it is done, and the file that remembers it.

A run is one learner with one weight vector and one seed. Finished runs are lines of JSON in one
file; a run that is in the file is never done again, whatever process or machine did it.
"""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
SETTINGS: dict[str, Any] = json.loads((HERE / "settings.json").read_text())
PACKAGES = ("numpy", "torch", "gymnasium", "mujoco", "stable-baselines3")
PLACES = 5  # decimals that a stored number keeps


@dataclass(frozen=True, slots=True)
class Run:
    """One training run on the true robot."""

    robot: str
    theta: tuple[float, ...]
    seed: int
    learner: str
    steps: int = SETTINGS["steps"]


def finished(file: Path) -> dict[Run, dict[str, Any]]:
    """The runs that a file remembers; a line torn by a crash counts as not there."""
    found: dict[Run, dict[str, Any]] = {}
    if not file.exists():
        return found
    for line in file.read_text().splitlines():
        try:
            row = json.loads(line)
        except json.JSONDecodeError:
            continue
        theta = tuple(float(weight) for weight in row["theta"])
        run = Run(row["robot"], theta, row["seed"], row["learner"], row["steps"])
        found.setdefault(run, row)
    return found


def append(file: Path, rows: Sequence[dict[str, Any]]) -> None:
    """Add finished runs to the file, each a line of its own even after a torn one."""
    file.parent.mkdir(parents=True, exist_ok=True)
    torn = file.exists() and not file.read_bytes().endswith((b"\n",)) and file.stat().st_size > 0
    with file.open("a") as out:
        out.write("\n" if torn else "")
        out.writelines(json.dumps(row, allow_nan=False) + "\n" for row in rows)


def train(runs: Sequence[Run]) -> list[dict[str, Any]]:
    """Do runs that share robot, learner and steps, side by side where the learner can."""
    import torch

    from audition.mujoco_model.settings import MujocoSettings, SensorSettings
    from audition.mujoco_model.world import RobotWorld
    from audition.seeds import Draws, Lanes

    torch.set_num_threads(1)
    first, root = runs[0], SETTINGS["root_seed"]
    robot = MujocoSettings(
        model=first.robot,
        horizon=SETTINGS["horizon"],
        sensor=SensorSettings(relative=SETTINGS["sensor"]),
    )
    lanes = Lanes.of([run.seed for run in runs])
    world = RobotWorld(
        robot,
        [SETTINGS["truth"]] * len(runs),
        lanes=lanes,
        seed=root,
        steps=first.steps,
        episodes=SETTINGS["episodes"],
    )
    start = time.perf_counter()
    _deploy(runs, world, Draws(root, "learner", lanes))
    seconds = (time.perf_counter() - start) / len(runs)
    return list(_rows(runs, world.outcome(), seconds))


def _deploy(runs: Sequence[Run], world: Any, draws: Any) -> None:
    if runs[0].learner == "sb3":
        from audition.learners.sb3 import StableBaselines3

        (run,) = runs
        StableBaselines3.paper_ppo(run.theta).deploy(world, draws)
        return
    from audition.learners.ppo import PPO, deploy_together

    deploy_together([PPO(weights=run.theta) for run in runs], world, draws)


def _rows(runs: Sequence[Run], outcome: Any, seconds: float) -> Iterator[dict[str, Any]]:
    from audition.episode_objective import SuccessScore

    scores = SuccessScore(**SETTINGS["thresholds"][runs[0].robot]).score(outcome)
    for lane, run in enumerate(runs):
        yield {
            **asdict(run),
            "parameters": SETTINGS["truth"],
            "score": _plain(scores[lane]),
            "distances": _plain(outcome.distances[lane]),
            "efforts": _plain(outcome.efforts[lane]),
            "lengths": _plain(outcome.lengths[lane]),
            "features": _plain(outcome.features[lane].mean(axis=0)),
            "curve": [[point.steps, _plain(point.value)] for point in outcome.curves[lane]],
            "failure": outcome.failures[lane],
            "seconds": _plain(seconds),
            "machine": f"{platform.machine()}, Python {platform.python_version()}",
            "versions": {name: version(name) for name in PACKAGES},
        }


def _plain(values: Any) -> Any:
    """Numbers as JSON holds them: rounded, and null for what is not finite."""
    if np.ndim(values):
        return [_plain(value) for value in values]
    number = float(values)
    return round(number, PLACES) if np.isfinite(number) else None
