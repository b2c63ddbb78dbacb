"""Small panels side by side that share their upward scale: three abreast, or two on a telephone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, final

from audition.charts import svg
from audition.charts.axis import Axis, tick_label

HEIGHT: Final = 138.0
PITCH: Final = HEIGHT + 52.0  # from panel to panel, downwards
TOP: Final = 30.0  # room for a legend
BOLD: Final = 1.2  # width of bold letters over that of plain ones, generously


@final
@dataclass(frozen=True, slots=True)
class Box:
    """The frame of a panel."""

    left: float
    right: float
    top: float
    bottom: float
    outer: bool  # whether it stands at the left end of its row, and carries the scale

    def upright(self, values: tuple[float, ...], *, logarithmic: bool = False) -> Axis:
        """A scale that holds the values, from the bottom of the panel to its top."""
        return Axis.around(values, start=self.bottom, stop=self.top, logarithmic=logarithmic)


def boxes(count: int, *, width: float) -> list[Box]:
    """Frames for so many panels."""
    abreast = min(2 if width < svg.NARROW else 3, count)
    margin = 34.0 if width < svg.NARROW else 44.0
    panel = (width - margin - 4.0) / abreast
    return [
        Box(
            left=margin + (number % abreast) * panel,
            right=margin + (number % abreast + 1) * panel - 14.0,
            top=TOP + (number // abreast) * PITCH + 20.0,
            bottom=TOP + (number // abreast) * PITCH + 20.0 + HEIGHT,
            outer=number % abreast == 0,
        )
        for number in range(count)
    ]


def frame(
    box: Box, upright: Axis, *, marks: Mapping[float, str], title: str, subtitle: str = ""
) -> list[str]:
    """The panel's name, its scales, and lines to read the upward one by."""
    parts = _title(box, title, subtitle)
    for tick in upright.ticks(4):
        y = upright.at(tick)
        parts.append(svg.line(box.left, y, box.right, y, css="grid"))
        if box.outer:
            parts.append(svg.text(box.left - 5, y + 4, tick_label(tick), css="tick", anchor="end"))
    for x, words in marks.items():
        parts.append(svg.line(x, box.bottom, x, box.bottom + 4, css="axis"))
        parts.append(svg.text(x, box.bottom + 15, words, css="tick", anchor="middle"))
    parts.append(svg.line(box.left, box.bottom, box.right, box.bottom, css="axis"))
    return parts


def marks(axis: Axis) -> dict[float, str]:
    """Place to number of the marks on a scale, as many as have room for their words."""
    for most in (5, 4, 3, 2, 1):
        found = {axis.at(tick): tick_label(tick) for tick in axis.ticks(most)}
        if _apart(found):
            break
    return found


def _apart(found: Mapping[float, str]) -> bool:
    """Whether every mark's words end before those of the next one begin."""
    ends = [(x, svg.length(words, size=11.0) / 2.0) for x, words in sorted(found.items())]
    return all(x + half + 3.0 <= y - other for (x, half), (y, other) in pairwise(ends))


def _title(box: Box, title: str, subtitle: str) -> list[str]:
    """On one line where both have room, else one above the other."""
    room = box.right - box.left
    if BOLD * svg.length(title) + 6.0 + svg.length(subtitle, size=11.0) <= room:
        return [svg.heading(box.left, box.top - 7, title, subtitle)]
    return [
        svg.heading(box.left, box.top - 20, svg.fitted(title, room / BOLD), ""),
        svg.text(box.left, box.top - 7, svg.fitted(subtitle, room, size=11.0), css="tick halo"),
    ]
