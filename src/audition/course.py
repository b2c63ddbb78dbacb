"""What goes with an evaluation on its way: how far it is, what failed, how it is asked to stop."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

from audition.episode_world import Frames
from audition.errors import ConfigError

if TYPE_CHECKING:
    from audition.executor import Executor
    from audition.play_learners import Patience
    from audition.store import Store


@final
@dataclass(frozen=True, slots=True)
class Failure:
    """A trial that gave no score, and why; for a block of replications, its first one."""

    candidate: str
    member: int
    replication: int
    reason: str

    @property
    def said(self) -> str:
        """Who failed and why, on one line."""
        return f"{self.candidate}: {' '.join(self.reason.split())}"


@final
@dataclass(frozen=True, slots=True)
class LearningCurve:
    """What recent training episodes gave, by training steps, in one trial; and what it came to."""

    member: int
    replication: int
    steps: tuple[int, ...]
    value: tuple[float, ...]
    frames: Frames = ()  # stills of the first evaluation episode


@final
@dataclass(frozen=True, slots=True)
class Progress:
    """How far an evaluation has come; trials count every replication by itself."""

    done: int  # trials that are in the table
    total: int
    kept: int  # of those done, how many the store held when this call began
    seconds: float  # since this call began

    @property
    def eta(self) -> float | None:
        """Seconds that are left at the pace of this call; None before there is a pace."""
        if self.done >= self.total:
            return 0.0
        if self.done <= self.kept or self.seconds <= 0.0:
            return None
        return self.seconds * (self.total - self.done) / (self.done - self.kept)


@final
class Stop:
    """A wish to stop in good order; a signal handler or another thread may make it."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def request(self) -> None:
        """Wish to stop: what is in hand is finished and kept, nothing more is begun."""
        self._event.set()

    @property
    def requested(self) -> bool:
        """Whether somebody wished to stop."""
        return self._event.is_set()


@final
@dataclass(frozen=True, slots=True)
class Share:
    """One of several equal shares of a study's units, numbered from 1."""

    number: int
    of: int

    def __post_init__(self) -> None:
        """Refuse a share that there is not."""
        if not 1 <= self.number <= self.of:
            raise ConfigError(
                f"a shard is i/n with i from 1 to n, such as 2/5; got {self.number}/{self.of}"
            )

    @staticmethod
    def of_text(text: str) -> Share:
        """The share that a text like `2/5` names."""
        number, _, of = text.partition("/")
        if not (number.isascii() and number.isdecimal() and of.isascii() and of.isdecimal()):
            raise ConfigError(f"a shard is i/n with i from 1 to n, such as 2/5; got {text!r}")
        return Share(int(number), int(of))


ALL: Final = Share(1, 1)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Means:
    """How an order is carried out; none of it changes a score."""

    store: Store | None
    executor: Executor | None
    patience: Patience
    share: Share
    progress: Callable[[Progress], None] | None
    stop: Stop
