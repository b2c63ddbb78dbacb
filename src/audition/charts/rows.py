"""The lines of a list of candidates: one list, best first, or learner by learner.

Up to twenty candidates stand in one list. More are grouped by learner, so that a reader finds a
learner once and sees its settings side by side.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, final

import numpy as np

from audition.charts.meaning import by_learner, plainly_named, setting_names, setting_values

if TYPE_CHECKING:
    from audition.learner import Candidate
    from audition.result import Result

GROUPED: Final = 20  # candidates; more are grouped by learner
ROW: Final = 19.0
GAP: Final = 9.0  # between groups


@final
@dataclass(frozen=True, slots=True)
class Row:
    """A line of the list."""

    y: float  # its middle
    candidate: int | None  # none: the heading of a group
    words: str
    group: str = ""  # in front of the words, or the whole heading
    keys: str = ""  # what the group's settings are called


@final
@dataclass(frozen=True, slots=True)
class Rows:
    """All lines, and how they are laid out."""

    lines: tuple[Row, ...]
    bottom: float
    grouped: bool


def rows(result: Result, *, top: float, headed: bool, most: int | None) -> Rows:
    """The lines of all candidates, or of the best `most` of them.

    `headed` puts a learner on a line of its own, where there is no room beside its settings.
    """
    candidates = result.prepared.candidates
    if len(candidates) <= GROUPED or most is not None:
        order = np.argsort(-result.verdict().worth, kind="stable")[:most]
        lines = [
            Row(top + ROW * (place + 0.5), int(at), candidates[at].name)
            for place, at in enumerate(order)
        ]
        return Rows(tuple(lines), top + ROW * len(lines), False)
    found: list[Row] = []
    y = top
    for group in by_learner(result):
        members = [candidates[at] for at in group]
        found += _group(members, group, y, headed=headed)
        y += ROW * (len(group) + headed) + GAP
    return Rows(tuple(found), y, True)


def _group(members: list[Candidate], group: list[int], top: float, *, headed: bool) -> list[Row]:
    """The rows of one learner: the values of its settings, or the names somebody gave."""
    name, plain = members[0].learner.name, all(plainly_named(member) for member in members)
    words = [(setting_values(m) or m.name) if plain else m.name for m in members]
    keys = setting_names(members[0]) if plain else ""
    rows = [
        Row(top + ROW * (place + headed + 0.5), at, said)
        for place, (at, said) in enumerate(zip(group, words, strict=True))
    ]
    if headed:
        return [Row(top + ROW / 2, None, "", name, keys), *rows]
    rows[0] = replace(rows[0], group=name)
    if len(rows) > 1:
        rows[1] = replace(rows[1], keys=keys)
    elif plain:
        rows[0] = replace(rows[0], words=members[0].name)
    return rows
