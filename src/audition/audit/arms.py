"""Whether every arm was tried often enough for its mean to be known."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp
from shlex import quote
from typing import Final

import numpy as np

from audition.audit.card import NOTE, REFUSE, WARN, Finding
from audition.audit.subject import Subject, named

FEW_UNITS: Final = 5  # an arm in m units is lost by a bootstrap draw with probability near exp(-m)
FEW_ROWS: Final = 10  # rows an arm, on average, below which means and spreads are hardly known


def findings(subject: Subject) -> Iterator[Finding]:
    """Arms, their number and their rows."""
    log, counts = subject.log, subject.counts
    if not log.rows:
        yield Finding(REFUSE, "no-rows", "a log should hold at least one row; this one has none")
        return
    if len(log.arm_names) < 2:
        only = repr(log.arm_names[0])
        message = f"there is nothing to choose between with one arm; the log has only {only}"
        yield Finding(REFUSE, "one-arm", f"{message}. Check which column holds the arm")
    yield from _never(subject)
    if log.rows <= len(log.arm_names):
        yield Finding(
            REFUSE,
            "few-rows",
            f"{log.rows} rows for {len(log.arm_names)} arms leave none to tell the noise of a "
            "reward from. Log more, or check which column holds the arm",
        )
    elif log.rows < FEW_ROWS * len(log.arm_names):
        yield Finding(
            WARN,
            "few-rows",
            f"{log.rows} rows for {len(log.arm_names)} arms say little: the simulators that the "
            "log could have come from differ widely, and so will what is best in them",
        )
    yield from _rare(subject)
    yield from _alike(log.arm_names)
    if counts.max() > 0.95 * log.rows and len(log.arm_names) > 1:
        yield Finding(
            NOTE,
            "one-arm-dominates",
            f"{counts.max() / log.rows:.1%} of the rows chose {log.arm_names[counts.argmax()]!r}: "
            "how far the other arms lie from it rests on the few rows that are theirs",
        )


def _never(subject: Subject) -> Iterator[Finding]:
    never = np.flatnonzero(subject.counts == 0)
    if never.size:
        names = subject.log.arm_names
        one = never.size == 1
        yield Finding(
            REFUSE,
            "arm-never-pulled",
            f"arm{'' if one else 's'} {named(names, never)} {'was' if one else 'were'} never "
            f"pulled with a reward on record, so {'its mean is' if one else 'their means are'} "
            f"unknown; log {'it' if one else 'them'} or drop {'it' if one else 'them'} with "
            f"--drop-arm {quote(names[never[0]])}",
        )


def _rare(subject: Subject) -> Iterator[Finding]:
    names, counts, units = subject.log.arm_names, subject.counts, subject.units_by_arm
    once = np.flatnonzero(counts == 1)
    if once.size:
        yield Finding(
            WARN,
            "arm-pulled-once",
            f"arm {named(names, once)}: pulled once, so nothing in the log says how its rewards "
            "vary; a spread is borrowed from the other arms where the family can",
        )
    few = np.flatnonzero((counts > 1) & (units < FEW_UNITS))
    if few.size:
        least = int(units[few].min())
        what = "row" if subject.log.clusters is None else "cluster"
        yield Finding(
            WARN,
            "arm-rare",
            f"arm {named(names, few)}: in {least} {what}{'s' if least > 1 else ''} only"
            f"{' at the least' if few.size > 1 else ''}. About {exp(-least):.0%} of bootstrap "
            "draws lose it and are made again, and the choice leans on those few",
        )


def _alike(names: tuple[str, ...]) -> Iterator[Finding]:
    folded: dict[str, list[str]] = {}
    for name in names:
        folded.setdefault("".join(name.casefold().split()), []).append(name)
    twins = next((group for group in folded.values() if len(group) > 1), None)
    if twins:
        yield Finding(
            WARN,
            "arms-alike",
            f"arms {' and '.join(repr(name) for name in twins[:2])} differ only in case or "
            "spaces; if they are one arm, its rows are split and both seem rarer than they are",
        )
