"""What people hear while a study runs: a bar on a terminal, else a plain line now and then.

A line is said when a step begins and when it ends; a step that takes long says how far it is after
15 seconds, and then twice as long each time, so that a log of a long run stays short.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self, final

from audition.cli.words import duration, say

if TYPE_CHECKING:
    from audition.evaluation import Progress

FIRST_LINE: Final = 15.0  # seconds
LONGEST_SILENCE: Final = 600.0


class Narrator(ABC):
    """Somebody who tells how a study goes."""

    @abstractmethod
    def step(self, words: str) -> None:
        """Say what was found or what comes next."""

    @abstractmethod
    def progress(self, step: str, now: Progress) -> None:
        """Say how far a step is."""

    def close(self) -> None:  # noqa: B027 - most narrators hold nothing that must be let go
        """Leave the terminal as it was."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        del kind, error, trace
        self.close()


@final
class Silent(Narrator):
    """Says nothing."""

    def step(self, words: str) -> None:
        """Nothing."""

    def progress(self, step: str, now: Progress) -> None:
        """Nothing."""


@final
class Lines(Narrator):
    """One plain line a step, and a few more when it takes long."""

    def __init__(self) -> None:
        self._next: dict[str, float] = {}
        self._finished: set[str] = set()

    def step(self, words: str) -> None:
        """A line."""
        say(words)

    def progress(self, step: str, now: Progress) -> None:
        """A line when it is time for one."""
        due = self._next.setdefault(step, FIRST_LINE)
        if now.done >= now.total:
            if step not in self._finished:
                say(f"{step}: {finished(now)}")
            self._finished.add(step)
        elif now.seconds >= due:
            self._next[step] = now.seconds + min(now.seconds, LONGEST_SILENCE)
            say(f"{step}: {underway(now)}")


@final
class Bar(Narrator):
    """A bar on a terminal, with what is left of it beside it."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._tasks: dict[str, Any] = {}

    def step(self, words: str) -> None:
        """A line above the bar."""
        say(words)

    def progress(self, step: str, now: Progress) -> None:
        """Move the bar."""
        if step not in self._tasks:
            self._tasks[step] = self._started().add_task(step, total=None, said="")
        said = finished(now) if now.done >= now.total else underway(now)
        self._bar.update(self._tasks[step], completed=now.done, total=now.total, said=said)

    def close(self) -> None:
        """Stop drawing."""
        if self._bar is not None:
            self._bar.stop()

    def _started(self) -> Any:
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn

            self._bar = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(bar_width=12),
                TextColumn("{task.fields[said]}", markup=False),
                console=Console(file=sys.stderr),
            )
            self._bar.start()
        return self._bar


def narrator(*, quiet: bool) -> Narrator:
    """The narrator that fits who listens on stderr."""
    if quiet:
        return Silent()
    return Bar() if sys.stderr.isatty() else Lines()


def underway(now: Progress) -> str:
    """How far, and how long it will take from here, where that is known."""
    left = "" if now.eta is None else f", {duration(now.eta)} left"
    return f"{now.done:,} of {now.total:,} trials ({now.done / now.total:.0%}){left}"


def finished(now: Progress) -> str:
    """How much was done, and how much of it lay in the store already."""
    some = "all" if now.kept >= now.total else f"{now.kept:,} of them"
    kept = f", {some} kept from before" if now.kept else ""
    return f"{now.total:,} trials in {duration(now.seconds)}{kept}"
