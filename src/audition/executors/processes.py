"""Runs tasks in processes of this machine, one a core, and ends those that take too long.

Workers are fresh interpreters that import nothing of the calling script, so a notebook or a script
without a guard can use them. Each does its arithmetic on one thread, which is faster for many
trials side by side and gives the same bits whatever the number of workers.
"""

import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final, final

from audition.errors import ConfigError
from audition.executor import Executor, Finished, Task
from audition.worker_process import LENGTH, send

ONE_THREAD: Final = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "NUMBA_NUM_THREADS",
)
TO_BEGIN: Final = 120.0  # seconds to import what a task needs, which no deadline counts
PATIENCE: Final = 2.0  # seconds that an idle worker has to leave by itself


@final
@dataclass(frozen=True, slots=True, eq=False)
class Processes(Executor):
    """A pool of worker processes."""

    workers: int = 0  # 0: one for every core that this process may use
    _idle: list[Any] = field(init=False, repr=False, default_factory=list)

    def __post_init__(self) -> None:
        """Refuse a number of workers that cannot be."""
        if self.workers < 0:
            raise ConfigError(f"workers must be 0 (one a core) or more; got {self.workers}")

    @property
    def name(self) -> str:
        """`processes`."""
        return "processes"

    @property
    def keeps_limits(self) -> bool:
        """A late worker is ended and another takes its place."""
        return True

    @property
    def size(self) -> int:
        """How many workers there are at most."""
        return self.workers or len(os.sched_getaffinity(0))

    def run(self, tasks: Iterable[Task]) -> Iterator[Finished]:
        """Run tasks side by side."""
        waiting = iter(tasks)
        busy: list[_Worker] = []
        more = True
        try:
            while True:
                while more and len(busy) < self.size:
                    task = next(waiting, None)
                    more = task is not None
                    if task is not None:
                        busy.append(self._with_task(task))
                if not busy:
                    return
                for worker in _stirred(busy):
                    finished = worker.finished()
                    if finished is not None:
                        busy.remove(worker)
                        if worker.alive:
                            self._idle.append(worker)
                        yield finished
        finally:
            for worker in busy:
                worker.end()

    def close(self) -> None:
        """Send idle workers home; busy ones were ended with their run."""
        while self._idle:
            self._idle.pop().leave()

    def _with_task(self, task: Task) -> "_Worker":
        while self._idle:
            worker: _Worker = self._idle.pop()
            if worker.take(task):
                return worker
        worker = _Worker()
        worker.take(task)
        return worker


class _Worker:
    """One process, the task that it has in hand, and what was heard of it so far."""

    def __init__(self) -> None:
        places = [place or str(Path.cwd()) for place in sys.path]
        environment = {
            **os.environ,
            **dict.fromkeys(ONE_THREAD, "1"),
            "PYTHONPATH": os.pathsep.join(places),
            "PYTHONHASHSEED": "0",
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "audition.worker_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            start_new_session=True,
        )
        self._task: Task | None = None
        self._heard = bytearray()
        self._until: float | None = None
        self.alive = True

    @property
    def ears(self) -> IO[bytes]:
        """Where its answers come in."""
        assert self._process.stdout is not None
        return self._process.stdout

    @property
    def until(self) -> float:
        """When its task must be done."""
        return float("inf") if self._until is None else self._until

    def take(self, task: Task) -> bool:
        """Hand it a task; False when it is gone."""
        assert self._process.stdin is not None
        self._task = task
        if task.limit is not None:
            self._until = time.monotonic() + task.limit + TO_BEGIN
        try:
            send(self._process.stdin, task.payload)
        except OSError:
            self.end()
        return self.alive

    def finished(self) -> Finished | None:
        """What came of its task, once that is known."""
        assert self._task is not None
        payload = self._frame()
        if payload is not None:
            self._until = None
            return Finished(self._task.number, payload)
        if not self.alive:
            return Finished(self._task.number, b"", lost=_how(self._process.wait()))
        if time.monotonic() < self.until:
            return None
        self.end()
        return Finished(self._task.number, b"", late=True)

    def listen(self) -> None:
        """Read what it has said."""
        said = os.read(self.ears.fileno(), 2**20)
        self._heard += said
        if not said:
            self.end()

    def check(self) -> None:
        """See whether it is still there, though a process that it started may hold its pipe."""
        if self._process.poll() is not None:
            self.end()

    def leave(self) -> None:
        """Let it go; it has nothing in hand."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(PATIENCE)
        self.end()

    def end(self) -> None:
        """End it at once, and all that it started."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self.alive = False
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()

    def _frame(self) -> bytes | None:
        while len(self._heard) >= LENGTH.size:
            (size,) = LENGTH.unpack_from(self._heard)
            if len(self._heard) < LENGTH.size + size:
                return None
            payload = bytes(self._heard[LENGTH.size : LENGTH.size + size])
            del self._heard[: LENGTH.size + size]
            if payload:
                return payload
            assert self._task is not None
            if self._task.limit is not None:
                self._until = time.monotonic() + self._task.limit
        return None


def _stirred(busy: list[_Worker]) -> list[_Worker]:
    """Wait until a worker says something, ends, or is late."""
    soonest = min(worker.until for worker in busy)
    timeout = max(min(soonest - time.monotonic(), 1.0), 0.0)
    with selectors.DefaultSelector() as selector:
        for worker in busy:
            if worker.alive:
                selector.register(worker.ears, selectors.EVENT_READ, worker)
        stirred = [key.data for key, _ in selector.select(timeout)]
    for worker in stirred:
        worker.listen()
    for worker in busy:
        if worker.alive and worker not in stirred:
            worker.check()
    return list(busy)


def _how(code: int) -> str:
    if code >= 0:
        return f"its worker process ended with exit code {code}"
    return f"its worker process was ended by {signal.Signals(-code).name}"
