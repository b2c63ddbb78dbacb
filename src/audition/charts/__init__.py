"""Pictures of a result, drawn as small SVG for reading: at two widths, in the page's own colours.

One file a picture. `charts` gives all that a result has something to show for, each drawn twice:
for a page, and for a telephone. `worth_figure` is the first of them for matplotlib.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Final, final

from audition.charts.advantage import advantage, advantage_picture
from audition.charts.exploration import exploration_picture, sweeps
from audition.charts.figure import worth_figure
from audition.charts.learning import learned, learning_picture
from audition.charts.rollout import rolled, rollout_picture
from audition.charts.shares import shares_picture
from audition.charts.worth import worth_picture

if TYPE_CHECKING:
    from audition.result import Result

PAGE: Final = 840.0
TELEPHONE: Final = 360.0


@final
@dataclass(frozen=True, slots=True)
class Chart:
    """One picture at both widths."""

    key: str
    wide: str
    narrow: str


def charts(result: Result) -> Iterator[Chart]:
    """Every picture that the result has something to show for."""
    yield _both("worth", lambda width, key: worth_picture(result, width=width, key=key))
    if sweeps(result):
        yield _both(
            "exploration", lambda width, key: exploration_picture(result, width=width, key=key)
        )
    if learned(result):
        yield _both("learning", lambda width, key: learning_picture(result, width=width, key=key))
    if rolled(result):
        yield _both("rollout", lambda width, key: rollout_picture(result, width=width, key=key))
    yield _both("shares", lambda width, key: shares_picture(result, width=width, key=key))
    found = advantage(result)
    if found is not None:
        yield _both(
            "advantage", lambda width, key: advantage_picture(result, found, width=width, key=key)
        )


def style() -> str:
    """The style sheet that the pictures need; it takes its colours from the page."""
    return (files("audition.charts") / "charts.css").read_text("utf-8")


def _both(key: str, draw: Callable[[float, str], str]) -> Chart:
    return Chart(key, draw(PAGE, f"{key}-wide"), draw(TELEPHONE, f"{key}-narrow"))


__all__ = ["Chart", "charts", "style", "worth_figure"]
