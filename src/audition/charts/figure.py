"""The worth of every candidate as a matplotlib figure, for notebooks and papers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from audition.charts.axis import geometric
from audition.charts.meaning import RULES, meaning, shown
from audition.charts.svg import fitted
from audition.study import PLUG_IN, UNCERTAINTY_AWARE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from audition.result import Result

ROW: Final = 0.22  # inches
COLOURS: Final = {UNCERTAINTY_AWARE: "#0b5cad", PLUG_IN: "#b4500b"}
MARKS: Final = {UNCERTAINTY_AWARE: "o", PLUG_IN: "D"}
LABEL: Final = 260.0  # room for a candidate's name, in the units of a chart


def worth_figure(result: Result) -> Figure:
    """Every candidate, best first, with its reach against the choice under both rules."""
    from matplotlib.figure import Figure

    names = result.verdict().candidates
    order = np.argsort(-result.verdict().worth, kind="stable")
    figure = Figure(figsize=(8.0, 1.3 + ROW * len(names)), layout="constrained")
    axes = figure.add_subplot()
    for rule, shift in ((PLUG_IN, 0.14), (UNCERTAINTY_AWARE, -0.14)):
        _draw(axes, result, rule, order, shift)
    # A dollar sign would start a formula.
    labels = [fitted(names[at], LABEL).replace("$", r"\$") for at in order]
    axes.set_yticks(np.arange(len(names)), labels)
    axes.set_ylim(len(names) - 0.4, -0.6)
    values = np.concatenate([shown(result, rule).values for rule in COLOURS])
    if geometric(values[np.isfinite(values)].tolist()):
        axes.set_xscale("log")
    said = meaning(result)
    axes.set_xlabel(f"{said.title}; {said.better} is better".replace("$", r"\$"))
    axes.grid(axis="x", alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, frameon=False)
    return figure


def _draw(axes: Axes, result: Result, rule: str, order: np.ndarray, shift: float) -> None:
    seen = shown(result, rule)
    axes.errorbar(
        seen.values[order],
        np.arange(order.size) + shift,
        xerr=seen.reach[order],
        fmt=MARKS[rule],
        markersize=4.0,
        color=COLOURS[rule],
        ecolor=COLOURS[rule],
        elinewidth=1.2,
        markerfacecolor=COLOURS[rule] if rule == UNCERTAINTY_AWARE else "none",
        label=RULES[rule],
    )
    axes.axvline(float(seen.values[seen.best]), color=COLOURS[rule], linestyle=":", linewidth=1.0)
