"""Identify logged episodes in parallel, a few at a time; run it again and it goes on.

python experiments/robots_fit/fill.py --workers 6 --deadline 1200

Episode i of a robot depends on (seed, i) alone, so any machine may do any part. What is done is
written every half minute to results/curves-ROBOT.npz, which `run.py --preset full` reads.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import numpy as np
from pool import FloatArray, Pool
from settings import BATCH, BUDGETS, ROBOTS, SEED, TRUTH

from audition.identification.identify import identify
from audition.identification.settings import IdentificationSettings
from audition.mujoco_model.collect import collect
from audition.mujoco_model.settings import MujocoSettings
from claims import machine

RESULTS: Final = Path(__file__).resolve().parent / "results"
SAVE_EVERY: Final = 30.0  # seconds
Say = Callable[[str], None]


def pool(robot: str, path: Path | None = None) -> Pool:
    """The identified episodes of a robot, as far as there are any."""
    settings = MujocoSettings(model=ROBOTS[robot])
    about = repr((settings, IdentificationSettings(), sorted(TRUTH.items()), SEED, BATCH))
    return Pool.at(path or RESULTS / f"curves-{robot.lower()}.npz", about)


def batch(robot: str, number: int) -> FloatArray:  # [episode, omega, parameter]
    """Log one batch of episodes on M* and identify each of them."""
    settings = MujocoSettings(model=ROBOTS[robot])
    log = collect(settings, TRUTH, episodes=BATCH, seed=SEED, first=number * BATCH)
    return identify(settings, log, jobs=1).values


def fill(pools: dict[str, Pool], *, episodes: int, workers: int, until: float, say: Say) -> None:
    """Work off what is missing, both robots in turn, until the clock says so."""
    waiting = deque(
        sorted(
            ((robot, number) for robot, kept in pools.items() for number in kept.missing(episodes)),
            key=lambda item: item[1],
        )
    )
    total, done, saved = len(waiting), 0, time.monotonic()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    running: dict[Future[Any], tuple[str, int]] = {}
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as processes:
        while waiting or running:
            while waiting and len(running) < 2 * workers and time.monotonic() < until:
                item = waiting.popleft()
                running[processes.submit(batch, *item)] = item
            if not running:
                break
            for finished in wait(running, return_when=FIRST_COMPLETED).done:
                robot, number = running.pop(finished)
                pools[robot].batches[number] = np.asarray(finished.result())
                if machine() not in pools[robot].machines:
                    pools[robot].machines.append(machine())
                done += 1
            if time.monotonic() - saved > SAVE_EVERY:
                _save(pools)
                saved = time.monotonic()
                say(f"{done} of {total} batches")
    _save(pools)
    say(f"{done} of {total} batches; {'all' if done == total else 'not all'} of them done")


def _save(pools: dict[str, Pool]) -> None:
    for kept in pools.values():
        if kept.batches:
            kept.save()


def main() -> None:
    """Fill the pools of the full preset."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--deadline", type=float, default=float("inf"), help="seconds to work")
    parser.add_argument("--episodes", type=int, default=BUDGETS["full"].episodes)
    given = parser.parse_args()
    started = time.monotonic()
    RESULTS.mkdir(exist_ok=True)
    fill(
        {robot: pool(robot) for robot in ROBOTS},
        episodes=given.episodes,
        workers=given.workers,
        until=started + given.deadline,
        say=lambda words: print(f"[{time.monotonic() - started:7.1f} s] {words}", flush=True),
    )


if __name__ == "__main__":
    main()
