"""Runs tasks here, one after the other: the simplest place, and the easiest to debug in."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import final

from audition.deployment import play_packed
from audition.executor import Executor, Finished, Task


@final
@dataclass(frozen=True, slots=True)
class InProcess(Executor):
    """This process; nobody can end a task that hangs."""

    workers: int = 1  # one task at a time, whatever number is asked for

    @property
    def name(self) -> str:
        """`in_process`."""
        return "in_process"

    @property
    def keeps_limits(self) -> bool:
        """A process cannot end what it is doing itself."""
        return False

    def run(self, tasks: Iterable[Task]) -> Iterator[Finished]:
        """One task after the other."""
        for task in tasks:
            yield Finished(task.number, play_packed(task.payload))

    def close(self) -> None:
        """There is nothing to let go of."""
