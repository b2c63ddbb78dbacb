"""Runs tasks on a Ray cluster, or on this machine where no cluster is named.

Ray is an extra: `pip install 'audition[ray]'`. The machines of the cluster need the same version
of Audition, and the same plug-ins.
"""

import importlib
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, final

from audition.deployment import play_packed
from audition.errors import PluginError
from audition.executor import Executor, Finished, Task


@final
@dataclass(frozen=True, slots=True)
class Ray(Executor):
    """A cluster that Ray looks after; one core a task."""

    workers: int = 0  # tasks side by side; 0: one for every core of the cluster
    address: str = ""  # of the cluster; empty: the one that this process is in, or a new local one

    @property
    def name(self) -> str:
        """`ray`."""
        return "ray"

    @property
    def keeps_limits(self) -> bool:
        """A late task is cancelled by force."""
        return True

    def run(self, tasks: Iterable[Task]) -> Iterator[Finished]:
        """Run tasks side by side on the cluster; what is tried again is not for Ray to say."""
        ray = self._cluster()
        room = self.workers or max(int(ray.cluster_resources().get("CPU", 1)), 1)
        play = ray.remote(num_cpus=1, max_retries=0)(play_packed)
        waiting = iter(tasks)
        busy: dict[Any, tuple[Task, float]] = {}
        try:
            while True:
                for task in _some(waiting, room - len(busy)):
                    limit = float("inf") if task.limit is None else task.limit
                    busy[play.remote(task.payload)] = (task, time.monotonic() + limit)
                if not busy:
                    return
                done, _ = ray.wait(list(busy), num_returns=1, timeout=1.0)
                for reference in done:
                    yield _finished(ray, reference, busy.pop(reference)[0])
                for reference, (task, until) in list(busy.items()):
                    if time.monotonic() >= until:
                        del busy[reference]
                        ray.cancel(reference, force=True)
                        yield Finished(task.number, b"", late=True)
        finally:
            for reference in busy:
                ray.cancel(reference, force=True)

    def close(self) -> None:
        """The cluster stays as it is: others may use it."""

    def _cluster(self) -> Any:
        try:
            ray = importlib.import_module("ray")
        except ImportError as error:
            raise PluginError(
                "the ray executor needs Ray, which is not installed: pip install 'audition[ray]', "
                "or use the executor 'processes'"
            ) from error
        if not ray.is_initialized():
            ray.init(address=self.address or None, log_to_driver=False)
        return ray


def _some(waiting: Iterator[Task], count: int) -> Iterator[Task]:
    """At most so many tasks; no more than these are taken."""
    for _ in range(count):
        task = next(waiting, None)
        if task is None:
            return
        yield task


def _finished(ray: Any, reference: Any, task: Task) -> Finished:
    try:
        return Finished(task.number, ray.get(reference))
    except ray.exceptions.RayError as error:
        return Finished(task.number, b"", lost=f"Ray lost it: {type(error).__name__}")
