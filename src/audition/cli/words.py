"""Text for people: names come from strangers' files, so whatever could steer a terminal is spelt."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

import click


def harmless(text: str) -> str:
    """The text with control, format and bidirectional characters written as escapes."""
    return "".join(
        char if char == "\n" or not unicodedata.category(char).startswith("C") else _spelt(char)
        for char in str(text)
    )


def say(message: str = "") -> None:
    """A line for people, on stderr."""
    click.echo(harmless(message), err=True)


def answer(plain: Any) -> None:
    """Data for programs, on stdout."""
    click.echo(json.dumps(plain, indent=2, allow_nan=False))


def amount(value: float) -> str:
    """A number as people read it: four digits that count."""
    if value != value:
        return "-"
    return f"{value:,.0f}" if abs(value) >= 10_000 else f"{value:.4g}"


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


def size(count: float) -> str:
    """A number of bytes as people say it."""
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"


def _spelt(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")
