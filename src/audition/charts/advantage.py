"""What the choice turns on: how much better it does than its opponent, simulator by simulator.

The opponent is Plug-In's choice. Where both rules choose alike it is the closest rival: the
candidate of the next best worth. Every simulator of the ensemble is one point, laid out by the
property that goes with the advantage most closely.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from audition.amounts import amount, percent
from audition.charts import svg
from audition.charts.axis import Axis, tick_label
from audition.charts.meaning import meaning
from audition.ensemble import Ensemble
from audition.explanation import member_properties
from audition.study import PLUG_IN, UNCERTAINTY_AWARE

if TYPE_CHECKING:
    from audition.result import Result

FloatArray = NDArray[np.float64]
FEWEST: Final = 8  # members that a property is ranked over
LARGEST_STRONG: Final = 400  # points; more are drawn lighter


@final
@dataclass(frozen=True, slots=True, eq=False)
class Advantage:
    """The choice against its opponent over the simulators."""

    choice: str
    opponent: str
    difference: FloatArray  # [member] of scores, larger is better for the choice
    driver: str  # the property that goes with it most closely
    property: FloatArray  # [member]
    correlation: float  # Spearman's
    fitted: float | None  # the property in the one simulator fitted to the log


def advantage(result: Result) -> Advantage | None:
    """The choice against its opponent; none where there is nothing to lay it out by."""
    scores = result.table()
    choice, opponent = result.choice, _opponent(result)
    if opponent is None:
        return None
    values = scores.by_member
    places = [scores.candidates.index(name) for name in (choice, opponent)]
    difference = values[places[0]] - values[places[1]]
    properties = _properties(result, UNCERTAINTY_AWARE)
    if difference.size < FEWEST or np.ptp(difference) == 0.0 or not properties:
        return None
    ranks = rankdata(difference)
    related = {
        name: float(np.corrcoef(ranks, rankdata(column))[0, 1])
        for name, column in properties.items()
    }
    driver = max(related, key=lambda name: abs(related[name]))
    return Advantage(
        choice,
        opponent,
        difference,
        driver,
        properties[driver],
        related[driver],
        _fitted(result, driver),
    )


def advantage_picture(result: Result, found: Advantage, *, width: float, key: str) -> str:
    """The scatter: above the line the choice does better, below it the opponent."""
    narrow = width < svg.NARROW
    left, right, top = (46.0, width - 10.0, 26.0)
    bottom = top + (200.0 if narrow else 260.0)
    across = Axis.around(
        [*found.property.tolist(), *([] if found.fitted is None else [found.fitted])],
        start=left + 4,
        stop=right,
    )
    upright = Axis.around([*found.difference.tolist(), 0.0], start=bottom, stop=top)
    zero = upright.at(0.0)
    parts = _ground(across, upright, left=left, right=right, narrow=narrow)
    parts.append(svg.line(left, zero, right, zero, css="axis"))
    if found.fitted is not None:
        parts += _fitted_line(across, found.fitted, top=top, bottom=bottom)
    light = "" if found.difference.size <= LARGEST_STRONG else " light"
    for x, y in zip(found.property, found.difference, strict=True):
        side = "aware" if y >= 0.0 else "plug-in"
        parts.append(svg.circle(across.at(x), upright.at(y), 3.0, css=f"point {side}{light}"))
    parts += _steps(found, across, upright)
    parts += _words(found, left=left, right=right, bottom=bottom)
    said = meaning(result)
    ahead = float((found.difference > 0.0).mean())
    return svg.picture(
        parts,
        size=(width, bottom + 54.0),
        key=key,
        title=f"{found.choice} against {found.opponent}, simulator by simulator",
        description=(
            f"The difference in {said.quantity} against the {found.driver}. {found.choice} does "
            f"better in {percent(ahead)} of {found.difference.size} simulators. Rank correlation "
            f"with the {found.driver}: {found.correlation:+.2f}."
        ),
    )


def thirds(found: Advantage) -> tuple[float, float, float, float]:
    """Where the lowest third of the property ends and the highest begins, and the mean in each."""
    low, high = np.quantile(found.property, (1 / 3, 2 / 3))
    below = found.difference[found.property <= low]
    above = found.difference[found.property >= high]
    return float(low), float(high), float(below.mean()), float(above.mean())


def _opponent(result: Result) -> str | None:
    verdict = result.verdict()
    plug_in = result.selection.choices[PLUG_IN]
    if plug_in != result.choice:
        return plug_in
    order = [int(at) for at in np.argsort(-verdict.worth, kind="stable") if at != verdict.best]
    if not np.isfinite(verdict.worth[order[0]]):
        return None
    return verdict.candidates[order[0]]


def _properties(result: Result, rule: str) -> dict[str, FloatArray]:
    return member_properties(result.prepared.ensembles[rule], family=result.prepared.family)


def _fitted(result: Result, driver: str) -> float | None:
    """The property in the fitted simulator, which is read off an ensemble with it at the end."""
    fitted = result.prepared.ensembles[PLUG_IN].simulators[0]
    many = result.prepared.ensembles[UNCERTAINTY_AWARE].simulators
    joined = Ensemble(PLUG_IN, (*many, fitted))
    found = member_properties(joined, family=result.prepared.family)
    return float(found[driver][-1]) if driver in found else None


def _ground(across: Axis, upright: Axis, *, left: float, right: float, narrow: bool) -> list[str]:
    parts = []
    for tick in upright.ticks(5):
        y = upright.at(tick)
        parts.append(svg.line(left, y, right, y, css="grid"))
        parts.append(svg.text(left - 5, y + 4, tick_label(tick), css="tick", anchor="end"))
    for tick in across.ticks(4 if narrow else 7):
        x = across.at(tick)
        parts.append(svg.line(x, upright.start, x, upright.start + 4, css="axis"))
        parts.append(svg.text(x, upright.start + 16, tick_label(tick), css="tick", anchor="middle"))
    return parts


def _fitted_line(across: Axis, value: float, *, top: float, bottom: float) -> list[str]:
    x = across.at(value)
    anchor = "end" if x > (across.start + across.stop) / 2 else "start"
    return [
        svg.line(x, top, x, bottom, css="mark-line plain"),
        svg.text(
            x + (-5 if anchor == "end" else 5),
            top + 10,
            "fitted to the log",
            css="tick halo",
            anchor=anchor,
        ),
    ]


def _steps(found: Advantage, across: Axis, upright: Axis) -> list[str]:
    """The mean in the lowest and in the highest third of the simulators."""
    low, high, below, above = thirds(found)
    ends = (
        (float(found.property.min()), low, below, "lowest"),
        (high, float(found.property.max()), above, "highest"),
    )
    return [
        svg.told(
            f"mean over the {name} third: {amount(mean, digits=2)}",
            svg.line(
                across.at(start), upright.at(mean), across.at(end), upright.at(mean), css="step"
            ),
        )
        for start, end, mean, name in ends
    ]


def _words(found: Advantage, *, left: float, right: float, bottom: float) -> list[str]:
    room = right - left - 100.0
    return [
        svg.text(
            left, 14, f"↑ {svg.fitted(found.choice, room)} does better", css="label aware-ink"
        ),
        svg.text(
            left,
            bottom + 48,
            f"↓ {svg.fitted(found.opponent, room)} does better",
            css="label plug-in-ink",
        ),
        svg.text(
            right, bottom + 32, svg.fitted(found.driver, right - left), css="tick", anchor="end"
        ),
    ]
