"""Ctrl-C and SIGTERM: the first asks the study to stop in good order, the second ends it at once.

While trials are played the first signal lets those in hand finish, keeps them and then ends the
command; at any other time there is nothing to keep and the command just ends.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

from audition.cli.leaving import STOPPED
from audition.cli.words import say

if TYPE_CHECKING:
    from audition.evaluation import Stop

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def stoppable(stop: Stop) -> Iterator[None]:
    """While this lasts, the first signal requests a stop and the second one leaves at once."""

    def heard(number: int, frame: FrameType | None) -> None:
        del number, frame
        if stop.requested:
            _leave_at_once()
        stop.request()
        say("stopping: the trials in hand are finished and kept; once more stops at once")

    with _handled(heard):
        yield


@contextmanager
def terminable() -> Iterator[None]:
    """While this lasts, SIGTERM ends the command like Ctrl-C does."""

    def heard(number: int, frame: FrameType | None) -> None:
        del number, frame
        raise KeyboardInterrupt

    with _handled(heard):
        yield


@contextmanager
def _handled(handler: Any) -> Iterator[None]:
    try:
        before = {number: signal.signal(number, handler) for number in SIGNALS}
    except ValueError:  # not in the main thread: signals are somebody else's matter
        yield
        return
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


def _leave_at_once() -> None:
    """End without cleaning up: SQLite rolls back what was not yet committed."""
    os._exit(STOPPED)
