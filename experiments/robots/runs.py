"""Training runs: what a run is, how it is done, and the row that remembers it.

A run is one learner with one weight vector and one seed on one simulator M_lambda. Its row keeps
what the final policy did in every evaluation episode, so that any thresholds can score it later.
"""

from __future__ import annotations

import hashlib
import json
import platform
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final, Literal, final

import numpy as np

from robots.settings import HORIZON, ROOT_SEED, SENSOR, TRUTH, Budget

Learner = Literal["sb3", "lockstep"]
Point = tuple[float, float, float]  # lambda: mass, friction, damping
PACKAGES: Final = ("numpy", "torch", "gymnasium", "mujoco", "stable-baselines3", "numba")
TRUE_POINT: Final[Point] = (TRUTH["mass"], TRUTH["friction"], TRUTH["damping"])
PLACES: Final = 4  # decimals that a stored number keeps


@final
@dataclass(frozen=True, slots=True, order=True)
class Run:
    """One training run."""

    robot: str
    point: Point
    theta: tuple[float, ...]
    seed: int
    learner: Learner
    steps: int
    episodes: int

    @property
    def key(self) -> str:
        """A name that no other run has, for a file."""
        text = json.dumps(asdict(self), sort_keys=True)
        return f"{self.learner}-{hashlib.sha256(text.encode()).hexdigest()[:20]}"

    @staticmethod
    def of(row: Mapping[str, Any]) -> Run:
        """The run that a row is of."""
        numbers = {name: tuple(float(v) for v in row[name]) for name in ("point", "theta")}
        plain = {name: row[name] for name in ("robot", "seed", "learner", "steps", "episodes")}
        return Run(**{**plain, **numbers})


def on_truth(
    robot: str, theta: tuple[float, ...], seed: int, learner: Learner, budget: Budget
) -> Run:
    """A run on M* at a budget's length."""
    return Run(robot, TRUE_POINT, theta, seed, learner, budget.steps, budget.episodes)


def stored(*places: Path) -> dict[Run, dict[str, Any]]:
    """The rows of all JSON and JSONL files in these folders, by run; a torn line is not there."""
    found: dict[Run, dict[str, Any]] = {}
    for place in places:
        for file in sorted(place.glob("*.json*")):
            for row in _rows_of(file):
                found.setdefault(Run.of(row), row)
    return found


def keep(place: Path, row: Mapping[str, Any]) -> None:
    """Write a row to a file of its own, whole or not at all."""
    place.mkdir(parents=True, exist_ok=True)
    file = place / f"{Run.of(row).key}.json"
    draft = file.with_suffix(".part")
    draft.write_text(json.dumps(row, allow_nan=False) + "\n", encoding="utf-8")
    draft.replace(file)


def gather(rows: Iterable[Mapping[str, Any]], file: Path) -> None:
    """Write rows to one file, a line each, in an order that does not depend on who made them."""
    lines = sorted((Run.of(row), json.dumps(row, allow_nan=False)) for row in rows)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(f"{line}\n" for _, line in lines), encoding="utf-8")


def train(runs: Sequence[Run]) -> list[dict[str, Any]]:
    """Do runs that share robot, learner and length, side by side where the learner can."""
    import torch

    from audition.mujoco_model.settings import MujocoSettings, SensorSettings
    from audition.mujoco_model.world import RobotWorld
    from audition.seeds import Draws, Lanes

    torch.set_num_threads(1)
    first = runs[0]
    lanes = Lanes.of([run.seed for run in runs])
    world = RobotWorld(
        MujocoSettings(model=first.robot, horizon=HORIZON, sensor=SensorSettings(relative=SENSOR)),
        [dict(zip(TRUTH, run.point, strict=True)) for run in runs],
        lanes=lanes,
        seed=ROOT_SEED,
        steps=first.steps,
        episodes=first.episodes,
    )
    start = time.perf_counter()
    _deploy(runs, world, Draws(ROOT_SEED, "learner", lanes))
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
    from claims import machine

    found = {"python": platform.python_version(), **_versions()}
    for lane, run in enumerate(runs):
        yield {
            **asdict(run),
            "distances": _plain(outcome.distances[lane]),
            "efforts": _plain(outcome.efforts[lane]),
            "lengths": [None if np.isnan(n) else int(n) for n in outcome.lengths[lane]],
            "curve": [[point.steps, _plain(point.value)] for point in outcome.curves[lane][::3]],
            "failure": outcome.failures[lane],
            "seconds": round(seconds, 1),
            "machine": machine(),
            "versions": found,
        }


def _versions() -> dict[str, str]:
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _rows_of(file: Path) -> Iterator[dict[str, Any]]:
    for line in file.read_text(encoding="utf-8").splitlines():
        try:
            yield json.loads(line)
        except json.JSONDecodeError:
            continue


def _plain(values: Any) -> Any:
    """Numbers as JSON holds them: rounded, and null for what is not finite."""
    if np.ndim(values):
        return [_plain(value) for value in values]
    number = float(values)
    return round(number, PLACES) if np.isfinite(number) else None
