"""How the number moves with the exploration setting: a panel for each learner that has just one.

Too little exploration and too much of it cost differently, and the two rules weigh them
differently: this is where one sees it. All panels share the vertical scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np

from audition.amounts import with_error
from audition.charts import svg
from audition.charts.axis import Axis, geometric
from audition.charts.meaning import Shown, by_learner, meaning, shown
from audition.charts.panels import Box, boxes, frame, marks
from audition.learner import settings_of, short
from audition.study import PLUG_IN, UNCERTAINTY_AWARE

if TYPE_CHECKING:
    from audition.result import Result

FEWEST: Final = 3  # settings that make a line worth drawing


@final
@dataclass(frozen=True, slots=True)
class Sweep:
    """Candidates of one learner that differ in one number alone, in its order."""

    learner: str
    setting: str
    values: tuple[float, ...]
    candidates: tuple[int, ...]


def sweeps(result: Result) -> list[Sweep]:
    """Every learner with one varying setting, the learner of the best candidate first."""
    found = (_sweep(result, group) for group in by_learner(result))
    return [sweep for sweep in found if sweep is not None]


def exploration_picture(result: Result, *, width: float, key: str) -> str:
    """The panels, three abreast or two."""
    found = sweeps(result)
    rules = {name: shown(result, name) for name in (PLUG_IN, UNCERTAINTY_AWARE)}
    values, logarithmic = _vertical(found, rules)
    frames = boxes(len(found), width=width)
    parts = _legend(width)
    for sweep, box in zip(found, frames, strict=True):
        upright = box.upright(values, logarithmic=logarithmic)
        places, marked = _horizontal(sweep, box)
        parts += frame(box, upright, marks=marked, title=sweep.learner, subtitle=sweep.setting)
        for name, css in ((PLUG_IN, "plug-in"), (UNCERTAINTY_AWARE, "aware")):
            parts += _line(sweep, rules[name], places, upright, css)
    said = meaning(result)
    return svg.picture(
        parts,
        size=(width, frames[-1].bottom + 32.0),
        key=key,
        title=f"{said.title.capitalize()} against the exploration setting",
        description=" ".join(_told(sweep, rules[UNCERTAINTY_AWARE]) for sweep in found),
    )


def _sweep(result: Result, group: Sequence[int]) -> Sweep | None:
    candidates = [result.prepared.candidates[at] for at in group]
    rows = [settings_of(candidate.learner) for candidate in candidates]
    varying = [name for name in rows[0] if len({repr(row.get(name)) for row in rows}) > 1]
    if len(varying) != 1 or len(group) < FEWEST:
        return None
    values = [row[varying[0]] for row in rows]
    if not all(_is_number(value) for value in values):
        return None
    order = np.argsort(np.array(values, dtype=np.float64), kind="stable")
    return Sweep(
        candidates[0].learner.name,
        varying[0],
        tuple(float(values[at]) for at in order),
        tuple(group[at] for at in order),
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and np.isfinite(value)


def _vertical(found: Sequence[Sweep], rules: dict[str, Shown]) -> tuple[tuple[float, ...], bool]:
    """What the upward scale must hold, and whether it is logarithmic."""
    places = [at for sweep in found for at in sweep.candidates]
    values = np.concatenate([rule.values[places] for rule in rules.values()])
    values = values[np.isfinite(values)]
    if geometric(values.tolist()):
        return tuple(values.tolist()), True
    reach = np.concatenate([rule.reach[places] for rule in rules.values()])
    reach = reach[np.isfinite(reach)]
    return (*(values - reach).tolist(), *(values + reach).tolist()), False


def _horizontal(sweep: Sweep, box: Box) -> tuple[list[float], dict[float, str]]:
    """Where each value of the setting lies, and the marks of its scale.

    A grid in even ratios is drawn on a log scale. A zero below such a grid, which means no
    exploration at all, has a place of its own on the left.
    """
    above = [value for value in sweep.values if value > 0.0]
    start, stop = box.left + 8.0, box.right - 8.0
    zero = sweep.values[0] == 0.0
    if len(above) < 2 or min(sweep.values) < 0.0 or not geometric(above):
        axis = Axis.around(sweep.values, start=start, stop=stop)
        return [axis.at(value) for value in sweep.values], marks(axis)
    axis = Axis.around(above, start=start + (22.0 if zero else 0.0), stop=stop, logarithmic=True)
    places = [axis.at(value) if value > 0.0 else start for value in sweep.values]
    return places, {**({start: "0"} if zero else {}), **marks(axis)}


def _line(sweep: Sweep, rule: Shown, places: Sequence[float], upright: Axis, css: str) -> list[str]:
    seen = [
        (x, at, value)
        for x, at, value in zip(places, sweep.candidates, sweep.values, strict=True)
        if np.isfinite(rule.values[at])
    ]
    parts = [
        svg.polyline([(x, upright.at(rule.values[at])) for x, at, _ in seen], css=f"line {css}")
    ]
    for x, at, value in seen:
        number, reach = float(rule.values[at]), float(rule.reach[at])
        y = upright.at(number)
        draw = svg.diamond if css == "plug-in" else svg.circle
        marks = [
            svg.line(
                x, upright.at(number - reach), x, upright.at(number + reach), css=f"reach {css}"
            ),
            draw(x, y, 3.0, css=f"dot {css}"),
        ]
        if at == rule.best:
            marks.append(draw(x, y, 8.5 if css == "plug-in" else 7.0, css=f"ring {css}"))
        words = f"{sweep.setting}={short(value)}: {with_error(number, float(rule.errors[at]))}"
        parts.append(svg.told(words, *marks))
    return parts


def _legend(width: float) -> list[str]:
    ringed = width >= svg.NARROW
    parts = [
        svg.line(0, 10, 18, 10, css="line aware"),
        svg.circle(9, 10, 3.2, css="dot aware"),
        svg.text(24, 14, "Uncertainty-Aware", css="label"),
        svg.line(152, 10, 170, 10, css="line plug-in"),
        svg.diamond(161, 10, 3.8, css="dot plug-in"),
        svg.text(176, 14, "Plug-In", css="label"),
    ]
    at = 246.0 if ringed else 236.0
    parts.append(svg.circle(at, 10, 6.5, css="ring aware"))
    parts.append(svg.text(at + 12, 14, "choice of the rule" if ringed else "choice", css="label"))
    return parts


def _told(sweep: Sweep, rule: Shown) -> str:
    values = rule.values[list(sweep.candidates)]
    if not np.isfinite(values).any():
        return f"{sweep.learner}: failed."
    best = np.nanargmin if rule.values[rule.best] == np.nanmin(rule.values) else np.nanargmax
    at = int(best(values))
    return f"{sweep.learner}: best at {sweep.setting}={short(sweep.values[at])}."
