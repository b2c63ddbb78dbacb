"""How the commands speak: lines for people on stderr, answers for programs on stdout.

Names come from strangers' files, so whatever could steer a terminal is spelt first.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any, Final

import click

from audition.harmless import harmless

if TYPE_CHECKING:
    from rich.console import Console

WIDTH: Final = 100  # of tables that go into a file


def label(name: object) -> str:
    """A name on one line: what `harmless` spells, and line ends too."""
    return harmless(name).replace("\n", "\\n")


def say(message: str = "") -> None:
    """A line for people, on stderr."""
    click.echo(harmless(message), err=True)


def answer(plain: Any) -> None:
    """Data for programs, on stdout."""
    click.echo(json.dumps(plain, indent=2, allow_nan=False))


def console(*, err: bool = False) -> Console:
    """A place to print tables to; with NO_COLOR set, or not on a terminal, it is plain text."""
    from rich.console import Console

    stream = sys.stderr if err else sys.stdout
    return Console(
        file=stream,
        color_system=None if os.environ.get("NO_COLOR") else "auto",
        width=None if stream.isatty() else WIDTH,
        highlight=False,
        markup=False,
        emoji=False,
    )


def plural(count: int, noun: str) -> str:
    """A count with its noun."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def duration(seconds: float) -> str:
    """A stretch of time as people say it."""
    if seconds < 1:
        return "under a second"
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    if seconds < 48 * 3600:
        return f"{seconds / 3600:.1f} h"
    return f"{seconds / 86400:.1f} days"


def disk(count: float) -> str:
    """A number of bytes as people say it."""
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"
