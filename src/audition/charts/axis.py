"""A scale from numbers to places on a page, straight or logarithmic, and its round marks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, final

from audition.amounts import MINUS

STEPS: Final = (1.0, 2.0, 2.5, 5.0, 10.0)
GEOMETRIC: Final = 8.0  # numbers whose largest is this many times the smallest go on a log scale


@final
@dataclass(frozen=True, slots=True)
class Axis:
    """Numbers from `low` to `high`, laid out from `start` to `stop`."""

    low: float
    high: float
    start: float
    stop: float
    logarithmic: bool = False

    @staticmethod
    def around(
        values: Sequence[float], *, start: float, stop: float, logarithmic: bool = False
    ) -> Axis:
        """A scale that holds the values with a little room at both ends."""
        low, high = min(values), max(values)
        if logarithmic:
            room = (high / low) ** 0.04 if high > low else 1.5
            return Axis(low / room, high * room, start, stop, True)
        room = 0.04 * (high - low) or abs(high) * 0.1 or 1.0
        return Axis(low - room, high + room, start, stop)

    def at(self, value: float) -> float:
        """Where a number lies; numbers beyond the ends lie at the ends."""
        if self.logarithmic and value <= 0.0:
            return self.start
        share = (self._warped(value) - self._warped(self.low)) / (
            self._warped(self.high) - self._warped(self.low)
        )
        return self.start + min(max(share, 0.0), 1.0) * (self.stop - self.start)

    def ticks(self, most: int) -> list[float]:
        """Round numbers on the scale, at most so many (and at least one)."""
        found = self._powers(most) if self.logarithmic else []
        return found or self._evenly(most)

    def _warped(self, value: float) -> float:
        return math.log10(value) if self.logarithmic else value

    def _powers(self, most: int) -> list[float]:
        """1, 2, 5, 10, ..., or fewer of them, where at least two fit."""
        first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
        for shares in ((1, 2, 3, 5), (1, 2, 5), (1, 3), (1,)):
            marks = [share * 10.0**power for power in range(first, last + 1) for share in shares]
            inside = [mark for mark in marks if self.low <= mark <= self.high]
            if 2 <= len(inside) <= most:
                return inside
        powers = [10.0**power for power in range(first, last + 1)]
        inside = [mark for mark in powers if self.low <= mark <= self.high]
        return inside[:: math.ceil(len(inside) / most)] if len(inside) > most else []

    def _evenly(self, most: int) -> list[float]:
        span = self.high - self.low
        rough = 10.0 ** math.floor(math.log10(span / max(most, 1)))
        for step in (rough * share for share in (*STEPS, 20.0, 50.0, 100.0)):
            first = math.ceil(self.low / step - 1e-9)
            last = math.floor(self.high / step + 1e-9)
            if last - first + 1 <= most:
                return [number * step for number in range(first, last + 1)] or [self._middle()]
        return [self._middle()]

    def _middle(self) -> float:
        return float(f"{(self.low + self.high) / 2:.2g}")


def geometric(values: Sequence[float]) -> bool:
    """Whether numbers span so much that only a log scale shows all of them."""
    return min(values) > 0.0 and max(values) >= GEOMETRIC * min(values)


def tick_label(value: float) -> str:
    """A mark's number, as short as it can be."""
    if abs(value) >= 1e6 or 0.0 < abs(value) < 1e-4:
        shown = f"{value:.2g}".replace("e+0", "e").replace("e-0", "e-").replace("e+", "e")
    else:
        shown = f"{float(f'{value:.6g}'):,.6f}".rstrip("0").rstrip(".")
    return shown.replace("-", MINUS) if value else "0"
