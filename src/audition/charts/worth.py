"""Every candidate's number under both rules, with how surely it differs from the choice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

import numpy as np

from audition.amounts import amount, with_error
from audition.charts import svg
from audition.charts.axis import Axis, geometric, tick_label
from audition.charts.meaning import Shown, meaning, shown
from audition.charts.rows import GROUPED, ROW, Row, rows
from audition.study import PLUG_IN, UNCERTAINTY_AWARE

if TYPE_CHECKING:
    from audition.result import Result

TOP: Final = 46.0
TOGGLE: Final = 3.6  # the two rules' marks stand this far above and below a row's middle


@final
@dataclass(frozen=True, slots=True)
class _Page:
    """Where things stand: labels on the left, numbers on an axis on the right."""

    width: float
    height: float
    label_at: float
    axis: Axis
    rows: tuple[Row, ...]


def worth_picture(result: Result, *, width: float, key: str, most: int | None = None) -> str:
    """The picture of all candidates, or of the best `most`; narrow ones give learners own lines."""
    aware, plug_in = shown(result, UNCERTAINTY_AWARE), shown(result, PLUG_IN)
    page = _page(result, aware, plug_in, width=width, most=most)
    said = meaning(result)
    parts = [*_ground(page, result, aware, plug_in), *_legend(result, page)]
    for row in page.rows:
        parts += _labels(row, page)
        if row.candidate is not None:
            parts += _marks(result, row, page, aware, plug_in)
    names = result.verdict().candidates
    best = names[aware.best]
    return svg.picture(
        parts,
        size=(page.width, page.height),
        key=key,
        title=f"{said.title.capitalize()} of every candidate",
        description=(
            f"{len(names)} candidates; {said.better} is better. Under Uncertainty-Aware the best "
            f"is {best} with {with_error(aware.values[aware.best], aware.errors[aware.best])}; "
            f"under Plug-In it is {names[plug_in.best]} with "
            f"{with_error(plug_in.values[plug_in.best], plug_in.errors[plug_in.best])}. "
            "The table of candidates has the same numbers."
        ),
    )


def _page(result: Result, aware: Shown, plug_in: Shown, *, width: float, most: int | None) -> _Page:
    narrow = width < svg.NARROW
    laid = rows(result, top=TOP, headed=narrow, most=most)
    label_at = (10.0 if narrow else 168.0) if laid.grouped else 0.0
    start = 110.0 if narrow else (290.0 if laid.grouped else 220.0)
    drawn = [row.candidate for row in laid.lines if row.candidate is not None]
    drawn += [aware.best, plug_in.best]
    values = np.concatenate([aware.values[drawn], plug_in.values[drawn]])
    values = values[np.isfinite(values)]
    logarithmic = geometric(values.tolist())
    axis = Axis.around(
        _ends(aware, plug_in, drawn, logarithmic=logarithmic),
        start=start,
        stop=width - 12.0,
        logarithmic=logarithmic,
    )
    return _Page(width, laid.bottom + 30.0, label_at, axis, laid.lines)


def _ends(aware: Shown, plug_in: Shown, drawn: list[int], *, logarithmic: bool) -> list[float]:
    """The numbers that the axis must hold: every value, and every reach that a log scale can."""
    ends = []
    for rule in (aware, plug_in):
        sound = [at for at in drawn if np.isfinite(rule.values[at])]
        ends += [rule.values[sound].min(), rule.values[sound].max()]
        low, high = (rule.values - rule.reach)[sound], (rule.values + rule.reach)[sound]
        if not logarithmic:
            ends += [low.min(), high.max()]
    return [float(end) for end in ends]


def _ground(page: _Page, result: Result, aware: Shown, plug_in: Shown) -> list[str]:
    """Grid, axis, the band of the choice and the lines of both choices."""
    bottom = page.height - 26.0
    parts = [
        svg.rect(0, row.y - ROW / 2, page.width, ROW, css="band")
        for row in page.rows
        if row.candidate == aware.best
    ]
    for tick in page.axis.ticks(4 if page.width < svg.NARROW else 8):
        x = page.axis.at(tick)
        parts.append(svg.line(x, TOP - 4, x, bottom, css="grid"))
        parts.append(svg.text(x, bottom + 12, tick_label(tick), css="tick", anchor="middle"))
        if len(page.rows) > GROUPED:
            parts.append(svg.text(x, TOP - 9, tick_label(tick), css="tick", anchor="middle"))
    for rule, css in ((plug_in, "plug-in"), (aware, "aware")):
        x = page.axis.at(float(rule.values[rule.best]))
        parts.append(svg.line(x, TOP - 4, x, bottom, css=f"mark-line {css}"))
    scale = ", log scale" if page.axis.logarithmic else ""
    said = meaning(result)
    words = svg.fitted(f"{said.title}{scale}; {said.better} is better", page.width - 12, size=11.0)
    parts.append(svg.text(page.width - 12, page.height - 2, words, css="tick", anchor="end"))
    return parts


def _legend(result: Result, page: _Page) -> list[str]:
    size = result.prepared.ensembles[UNCERTAINTY_AWARE].size
    narrow = page.width < svg.NARROW
    aware = f"Uncertainty-Aware{'' if narrow else f': mean over {size} simulators'}"
    plug_in = f"Plug-In{'' if narrow else ': the one fitted simulator'}"
    second = 24.0 + svg.length(aware) + 24.0
    return [
        svg.circle(8, 10, 4, css="dot aware"),
        svg.text(18, 14, aware, css="label"),
        svg.diamond(second, 10, 4.6, css="dot plug-in"),
        svg.text(second + 10, 14, plug_in, css="label"),
    ]


def _labels(row: Row, page: _Page) -> list[str]:
    y, parts = row.y + 4, []
    if row.candidate is None:
        name = svg.fitted(row.group, page.width / 2)
        return [svg.heading(0, y, name, svg.fitted(row.keys, page.width / 3))]
    if row.group:
        name = svg.fitted(row.group, page.label_at - 8)
        parts.append(svg.text(0, y, name, css="label strong"))
    if row.keys:
        parts.append(svg.text(0, y, svg.fitted(row.keys, page.label_at - 8), css="tick"))
    if row.words:
        room = page.axis.start - page.label_at - 12
        parts.append(svg.text(page.label_at, row.y + 4, svg.fitted(row.words, room), css="label"))
    return parts


def _marks(result: Result, row: Row, page: _Page, aware: Shown, plug_in: Shown) -> list[str]:
    at = row.candidate
    assert at is not None
    name = result.prepared.candidates[at].name
    if not np.isfinite(aware.values[at]):
        count = sum(result.verdict(rule).failed[at] for rule in (PLUG_IN, UNCERTAINTY_AWARE))
        words = f"failed in {count} trials"
        return [svg.text(page.axis.start, row.y + 4, words, css="label failed")]
    rivals = {*result.verdict().rivals, result.choice}
    faint = "" if name in rivals else " faint"
    return [
        _mark(page, row.y + TOGGLE, plug_in, at, f"{name}, Plug-In", "plug-in faint"),
        _mark(page, row.y - TOGGLE, aware, at, f"{name}, Uncertainty-Aware", f"aware{faint}"),
    ]


def _mark(page: _Page, y: float, rule: Shown, at: int, name: str, css: str) -> str:
    if not np.isfinite(rule.values[at]):
        return ""
    value, reach = float(rule.values[at]), float(rule.reach[at])
    x = page.axis.at(value)
    bar = svg.line(
        page.axis.at(value - reach), y, page.axis.at(value + reach), y, css=f"reach {css}"
    )
    draw = svg.diamond if "plug-in" in css else svg.circle
    dot = draw(x, y, 3.8 if "plug-in" in css else 3.4, css=f"dot {css}")
    words = f"{name}: {with_error(value, float(rule.errors[at]))}"
    if reach > 0.0:
        words += f"; against the choice ± {amount(reach, digits=2)}"
    return svg.told(words, bar, dot)
