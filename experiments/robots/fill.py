"""Fill the stored runs a few at a time, on any machine; what is stored is never done again.

    python experiments/robots/fill.py equivalence truth-row --workers 15 --deadline-seconds 1300 \\
        --out runs

Run the same command again to go on. The deadline is a promise: no block of runs is started that is
not expected to end in time, and what has not ended by then is dropped. Every finished run is a file
of its own in the folder `--out`; `--gather FILE` writes all of them to one file instead. Needs
numpy, torch, gymnasium, mujoco and stable-baselines3, and numba for the lock step.
"""

from __future__ import annotations

import argparse
import fcntl
import multiprocessing
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from multiprocessing import connection
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from robots.plans import BOTH, PLANS, blocks_of
from robots.runs import Run, gather, keep, stored, train
from robots.settings import BUDGETS

THREADS: Final = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")
CAUTION: Final = 1.1  # a block is expected to take this many times the slowest of its kind so far
PATIENCE: Final = 3600.0  # seconds; a wait cannot be told to last for ever
STORED: Final = Path(__file__).parent / "stored"
Block = Sequence[Run]


@dataclass
class Pool:
    """Blocks of runs in processes of their own, so many at a time, until the deadline."""

    workers: int
    deadline: float
    running: dict[Any, tuple[Any, Block, float]] = field(default_factory=dict)
    slowest: dict[str, float] = field(default_factory=dict)  # seconds per lane, by learner

    def go(self, blocks: Sequence[Block]) -> Iterator[list[dict[str, Any]]]:
        """Every block's rows as it ends."""
        waiting = list(blocks)
        try:
            while waiting or self.running:
                self._start_those_in_time(waiting)
                left = self.deadline - time.monotonic()
                if not self.running or left <= 0:
                    break
                for end in connection.wait(list(self.running), timeout=min(left, PATIENCE)):
                    yield self._collect(end)
        finally:
            for process, _, _ in self.running.values():
                process.kill()

    def _start_those_in_time(self, waiting: list[Block]) -> None:
        left = self.deadline - time.monotonic()
        for block in list(waiting):
            if len(self.running) >= self.workers:
                return
            if CAUTION * self.slowest.get(block[0].learner, 0.0) * len(block) < left:
                waiting.remove(block)
                self._start(block)

    def _start(self, block: Block) -> None:
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
            _say(f"lost (exit {process.exitcode}): {block[0]} and {len(block) - 1} more")
            return []
        process.join()
        taken = (time.monotonic() - start) / len(block)
        learner = block[0].learner
        self.slowest[learner] = max(self.slowest.get(learner, 0.0), taken)
        return rows


def _work(end: Any, block: list[Run]) -> None:
    end.send(train(block))


def wanted(given: argparse.Namespace) -> list[Run]:
    """The runs of the plans that are asked for, the most wanted first."""
    budget = BUDGETS[given.preset]
    if given.steps:
        budget = replace(budget, steps=given.steps)
    learners = [given.learners] if given.learners else []
    runs = [run for name in given.plans for run in PLANS[name](budget, *learners)]
    return list(dict.fromkeys(runs))


def fill(given: argparse.Namespace) -> None:
    """Do what is asked for and not yet stored."""
    start = time.monotonic()
    asked, done = wanted(given), stored(STORED, given.out)
    todo = [run for run in asked if run not in done]
    _say(f"{len(asked)} runs asked for, {len(todo)} to do")
    pool = Pool(given.workers, start + given.deadline_seconds)
    count = 0
    for rows in pool.go(blocks_of(todo, lanes=given.lanes)):
        for row in rows:
            keep(given.out, row)
        count += len(rows)
        if rows:
            _say(
                f"{count}/{len(todo)} after {time.monotonic() - start:.0f} s; the last took "
                f"{rows[-1]['seconds']} s: {rows[-1]['learner']} {rows[-1]['robot']}"
            )
    _say(f"ended with {len(todo) - count} still to do")


def main() -> None:
    """Fill the folder, one process at a time, or gather what it holds."""
    given = _arguments()
    if given.gather:
        rows = stored(STORED, given.out)
        gather(rows.values(), given.gather)
        _say(f"{len(rows)} runs in {given.gather}")
        return
    for name in THREADS:
        os.environ[name] = "1"
    given.out.mkdir(parents=True, exist_ok=True)
    with (given.out / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit(f"another process is filling {given.out}; let it end, or name another folder")
        fill(given)


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("plans", nargs="*", help=", ".join(PLANS))
    parser.add_argument("--preset", choices=list(BUDGETS), default="full")
    parser.add_argument("--learners", nargs="+", choices=BOTH, help="in place of the plan's own")
    parser.add_argument("--steps", type=int, help="of a run, in place of the preset's")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--lanes", type=int, default=16, help="runs side by side in one process")
    parser.add_argument("--deadline-seconds", type=float, default=1e9)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--gather", type=Path, metavar="FILE")
    given = parser.parse_args()
    if strange := set(given.plans) - set(PLANS):
        parser.error(
            f"no plan is called {', '.join(sorted(strange))}; there are {', '.join(PLANS)}"
        )
    return given


if __name__ == "__main__":
    main()
