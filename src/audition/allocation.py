"""Which trials come next: the whole table, breadth first over the members.

A unit is the piece of work that is played, kept and resumed as one: some candidates in some
members for some spans of replications. Units are cut from the whole table by fixed rules, never
from what happens to be missing, so that an interruption changes nothing of how trials are grouped.
Members come in order and every candidate meets a member before the next members open, so that a
study that is stopped early has treated its candidates alike.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, final

BLOCK: Final = 32  # replications that are kept as one row
FEWEST_BLOCKS: Final = 20  # of a single simulator: errors are computed from its blocks


@final
@dataclass(frozen=True, slots=True)
class Span:
    """Consecutive replications."""

    first: int
    count: int

    @property
    def numbers(self) -> range:
        """The replications' numbers."""
        return range(self.first, self.first + self.count)


@final
@dataclass(frozen=True, slots=True)
class Cell:
    """One candidate in one member for one span, by their positions."""

    candidate: int
    member: int
    span: int


@final
@dataclass(frozen=True, slots=True)
class Group:
    """Candidates that are played together, and how much of the table one unit takes."""

    candidates: tuple[int, ...]
    members: int  # at most so many in a unit
    spans: int  # at most so many in a unit


@final
@dataclass(frozen=True, slots=True)
class Unit:
    """Trials that are played, kept and resumed as one piece."""

    candidates: tuple[int, ...]
    members: range
    spans: range

    def cells(self) -> Iterator[Cell]:
        """Its cells; those of one member stand together."""
        for span in self.spans:
            for member in self.members:
                for candidate in self.candidates:
                    yield Cell(candidate, member, span)


def block_size(members: int, replications: int) -> int:
    """How many replications make a block; fewer for a single simulator with few of them."""
    if members > 1:
        return BLOCK
    return max(min(BLOCK, replications // FEWEST_BLOCKS), 1)


def spans(replications: int, *, size: int) -> tuple[Span, ...]:
    """The replications 0, 1, ... cut into spans."""
    return tuple(
        Span(first, min(size, replications - first)) for first in range(0, replications, size)
    )


def units(groups: Sequence[Group], *, members: int, spans: int) -> tuple[Unit, ...]:
    """The whole table in the order in which it is played."""
    placed = []
    for number, group in enumerate(groups):
        for span in range(0, spans, group.spans):
            for member in range(0, members, group.members):
                unit = Unit(
                    group.candidates,
                    range(member, min(member + group.members, members)),
                    range(span, min(span + group.spans, spans)),
                )
                placed.append(((span, member, number), unit))
    return tuple(unit for _, unit in sorted(placed, key=lambda pair: pair[0]))
