"""Train on the true robot, as many runs at once as there are cores, and remember each in a file.

    python experiments/robots_equivalence/train.py --learner sb3 --jobs 16 \\
        --cells forward-one@0:8 equivalence@0:16 --out runs.jsonl --minutes 9

Run the same command again to go on; a run that the file holds is not done twice. `--minutes` is a
promise: no run is started that is not expected to end in time, and what has not ended by then is
dropped. It needs numpy, torch, gymnasium, mujoco and stable-baselines3 (and numba for lock step).
"""

from __future__ import annotations

import argparse
import fcntl
import multiprocessing
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing import connection
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from runs import SETTINGS, Run, append, finished, train

THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")
CAUTION = 1.1  # a run is expected to take this many times the slowest so far


@dataclass
class Pool:
    """Blocks of runs in processes of their own, at most `jobs` at a time, until the deadline."""

    jobs: int
    deadline: float
    running: dict[Any, tuple[Any, Sequence[Run], float]] = field(default_factory=dict)
    slowest: float = 0.0

    def go(self, blocks: Sequence[Sequence[Run]]) -> Iterator[list[dict[str, Any]]]:
        """Every block's rows as it ends."""
        waiting = list(blocks)
        while waiting or self.running:
            while waiting and len(self.running) < self.jobs and self._in_time():
                self._start(waiting.pop(0))
            left = self.deadline - time.monotonic()
            if not self.running or left <= 0:
                break
            for end in connection.wait(list(self.running), timeout=left):
                yield self._collect(end)
        for process, _, _ in self.running.values():
            process.kill()

    def _in_time(self) -> bool:
        return time.monotonic() + CAUTION * self.slowest < self.deadline

    def _start(self, block: Sequence[Run]) -> None:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=_work, args=(theirs, list(block)), daemon=True)
        process.start()
        theirs.close()
        self.running[ours] = (process, block, time.monotonic())

    def _collect(self, end: Any) -> list[dict[str, Any]]:
        process, block, start = self.running.pop(end)
        try:
            rows: list[dict[str, Any]] = end.recv()
        except EOFError:
            process.join()
            print(f"lost (exit {process.exitcode}): {block}", file=sys.stderr, flush=True)
            return []
        process.join()
        self.slowest = max(self.slowest, time.monotonic() - start)
        return rows


def _work(end: Any, block: list[Run]) -> None:
    end.send(train(block))


def wanted(arguments: argparse.Namespace) -> list[Run]:
    """The runs asked for, seed by seed, so that what is done is even over the cells."""
    runs = []
    for text in arguments.cells:
        name, _, seeds = text.partition("@")
        first, last = (int(part) for part in (seeds or arguments.seeds).split(":"))
        for theta in SETTINGS["cells"][name]:
            weights = tuple(float(weight) for weight in theta)
            runs += [
                Run(robot, weights, seed, arguments.learner, arguments.steps)
                for robot in arguments.robots
                for seed in range(first, last)
            ]
    return sorted(dict.fromkeys(runs), key=lambda run: (run.seed, run.robot, run.theta))


def blocks_of(runs: Sequence[Run], *, lanes: int) -> list[list[Run]]:
    """Runs of one robot in blocks of at most so many lanes."""
    blocks = []
    for robot in dict.fromkeys(run.robot for run in runs):
        same = [run for run in runs if run.robot == robot]
        blocks += [same[start : start + lanes] for start in range(0, len(same), lanes)]
    return sorted(blocks, key=lambda block: block[0].seed)


def main() -> None:
    """Do what is asked and not yet done."""
    arguments = _arguments()
    for name in THREADS:
        os.environ[name] = "1"
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    with arguments.out.with_suffix(".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit(f"another process is filling {arguments.out}; let it end, or name another")
        asked, done = wanted(arguments), finished(arguments.out)
        runs = [run for run in asked if run not in done]
        print(f"{len(asked)} runs asked, {len(runs)} to do", file=sys.stderr, flush=True)
        lanes = 1 if arguments.learner == "sb3" else arguments.lanes
        start = time.monotonic()
        pool = Pool(arguments.jobs, start + 60.0 * arguments.minutes)
        count = 0
        for rows in pool.go(blocks_of(runs, lanes=lanes)):
            append(arguments.out, rows)
            count += len(rows)
            minutes = (time.monotonic() - start) / 60
            last = f"{rows[-1]['robot']} {rows[-1]['theta']} {rows[-1]['score']}" if rows else ""
            print(f"{count}/{len(runs)} {minutes:.1f} min {last}", file=sys.stderr, flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--learner", choices=("sb3", "lockstep"), required=True)
    parser.add_argument("--cells", nargs="+", default=["equivalence"], metavar="NAME[@a:b]")
    parser.add_argument("--robots", nargs="+", default=SETTINGS["robots"])
    parser.add_argument("--seeds", default="0:16", metavar="a:b")
    parser.add_argument("--steps", type=int, default=SETTINGS["steps"])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--lanes", type=int, default=16, help="runs side by side in one process")
    parser.add_argument("--minutes", type=float, default=10_000)
    parser.add_argument("--out", type=Path, required=True)
    return parser.parse_args()


if __name__ == "__main__":
    main()
