"""Learning curves of learners that train in episodes: the best few candidates, a panel each.

A thin line is one trial, in one simulator of the ensemble; the thick one is their mean where all
of them have points. The dashed line is the choice's mean, to compare with.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from audition.charts import svg
from audition.charts.axis import Axis
from audition.charts.panels import boxes, frame, marks

if TYPE_CHECKING:
    from audition.evaluation import LearningCurve
    from audition.result import Result

FloatArray = NDArray[np.float64]
MOST: Final = 9  # panels
THIN: Final = 40  # trials that are drawn one by one
POINTS: Final = 60  # of a mean curve


def learned(result: Result) -> list[str]:
    """The candidates that have learning curves, best first, as many as are drawn."""
    found = result.verdict()
    order = np.argsort(-found.worth, kind="stable")
    names = [found.candidates[at] for at in order]
    return [name for name in names if _sound(result.curves.get(name, ()))][:MOST]


def learning_picture(result: Result, *, width: float, key: str) -> str:
    """The panels."""
    names = learned(result)
    curves = {name: _sound(result.curves[name]) for name in names}
    every = [curve for name in names for curve in curves[name]]
    values = tuple(value for curve in every for value in curve.value)
    ends = [float(step) for curve in every for step in (curve.steps[0], curve.steps[-1])]
    frames = boxes(len(names), width=width)
    parts = [
        svg.line(0, 10, 18, 10, css="line aware"),
        svg.text(24, 14, "mean over trials", css="label"),
        svg.line(140, 10, 158, 10, css="line plug-in"),
        svg.text(164, 14, "the choice's mean", css="label"),
    ]
    for name, box in zip(names, frames, strict=True):
        across = Axis.around(ends, start=box.left + 4.0, stop=box.right - 4.0)
        upright = box.upright(values)
        parts += frame(box, upright, marks=marks(across), title=name)
        parts += _trials(curves[name], across, upright)
        if name != names[0]:
            parts.append(_mean(curves[names[0]], across, upright, css="line plug-in"))
        parts.append(_mean(curves[name], across, upright, css="line aware"))
    return svg.picture(
        parts,
        size=(width, frames[-1].bottom + 32.0),
        key=key,
        title="Learning curves of the best candidates",
        description="Return of recent training episodes against training steps: " + _told(curves),
    )


def mean_curve(curves: Sequence[LearningCurve]) -> tuple[FloatArray, FloatArray]:
    """Steps and the mean over trials, where every trial has points."""
    first = max(curve.steps[0] for curve in curves)
    last = min(curve.steps[-1] for curve in curves)
    steps = np.linspace(first, max(last, first), POINTS)
    drawn = [np.interp(steps, curve.steps, curve.value) for curve in curves]
    return steps, np.mean(drawn, axis=0)


def _sound(curves: Sequence[LearningCurve]) -> list[LearningCurve]:
    return [
        curve for curve in curves if len(curve.steps) > 1 and bool(np.isfinite(curve.value).all())
    ]


def _trials(curves: Sequence[LearningCurve], across: Axis, upright: Axis) -> list[str]:
    return [
        svg.polyline(_places(curve.steps, curve.value, across, upright), css="thin aware")
        for curve in curves[:THIN]
    ]


def _mean(curves: Sequence[LearningCurve], across: Axis, upright: Axis, *, css: str) -> str:
    steps, values = mean_curve(curves)
    return svg.polyline(_places(steps, values, across, upright), css=css)


def _places(
    steps: Sequence[float] | FloatArray,
    values: Sequence[float] | FloatArray,
    across: Axis,
    upright: Axis,
) -> list[tuple[float, float]]:
    return [(across.at(x), upright.at(y)) for x, y in zip(steps, values, strict=True)]


def _told(curves: dict[str, list[LearningCurve]]) -> str:
    ends = {name: mean_curve(trials)[1][-1] for name, trials in curves.items()}
    return "; ".join(f"{name} ends at {end:.4g}" for name, end in ends.items()) + "."
