"""Runs tasks somewhere: bytes go in, bytes come out, in the order in which they are done.

An executor knows nothing of studies. It takes the next task only when it has room for it, so that
a caller who stops giving tasks lets it run dry; it answers every task that it took. Whether a
task is tried again, and what a late one means, is for the caller to say.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Self, final


@final
@dataclass(frozen=True, slots=True)
class Task:
    """A packed deployment (`audition.deployment`), and the seconds that it may take."""

    number: int
    payload: bytes
    limit: float | None


@final
@dataclass(frozen=True, slots=True)
class Finished:
    """What came of a task: an answer, or a word on why there is none."""

    number: int
    payload: bytes
    lost: str = ""  # how its worker was lost; empty when there is an answer
    late: bool = False  # its time was over


class Executor(ABC):
    """A place where tasks are run; use it with `with`, or close it."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The word that study files use."""

    @property
    @abstractmethod
    def keeps_limits(self) -> bool:
        """Whether a task that takes too long is ended."""

    @abstractmethod
    def run(self, tasks: Iterable[Task]) -> Iterator[Finished]:
        """Run every task, taking the next one when there is room; answers come as they are done."""

    @abstractmethod
    def close(self) -> None:
        """Let go of all workers; what they still run is lost."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *ending: object) -> None:
        del ending
        self.close()
