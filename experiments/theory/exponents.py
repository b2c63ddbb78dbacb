"""Theorem 1: polynomial regret below sigma^2, and 2 theta / Delta times log T from there on."""

from __future__ import annotations

from typing import Any

import matplotlib
import numpy as np
import settings
from playing import FloatArray, Growth, bandit, play

from claims import Call, Finding
from plane import NAMES

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import NullFormatter

APART = 4  # doublings between the two horizons that a slope is taken over


def exponents(kind: str, made: Call) -> list[Finding]:
    """The slope of log regret below the critical level, and of regret in log T above it."""
    truth = bandit([0.0, -settings.MARGIN], [settings.SIGMA**2] * 2)
    thetas = [level * settings.SIGMA**2 for level in settings.LEVELS]
    budget = settings.BUDGETS[made.preset]
    growth = play(kind, [(t, truth, 0) for t in thetas], made, replications=budget.replications)
    _draw(kind, growth, made)
    low, high = growth.horizons[-1 - APART], growth.horizons[-1]
    span = f"between T = {low:,.0f} and {high:,.0f};"
    found = []
    for cell, level in enumerate(settings.LEVELS):
        first, last = growth.regrets[cell, -1 - APART], growth.regrets[cell, -1]  # [replication]
        if level < 1.0:
            value, error = _log_slope(first, last, np.log(high / low))
            name = f"{NAMES[kind]}: exponent of regret at theta/sigma^2 = {level}"
        else:
            value, error = _slope(first, last, np.log(high / low))
            name = f"{NAMES[kind]}: regret per log T at theta/sigma^2 = {level}"
        found.append(Finding(name, value, error, span))
    return found


def _log_slope(first: FloatArray, last: FloatArray, width: float) -> tuple[float, float]:
    """d log E[regret] / d log T, with its error by the delta method on paired replications."""
    one, two = first.mean(), last.mean()
    influence = last / two - first / one
    return float(np.log(two / one) / width), _error(influence) / width


def _slope(first: FloatArray, last: FloatArray, width: float) -> tuple[float, float]:
    """d E[regret] / d log T."""
    return float((last - first).mean() / width), _error(last - first) / width


def _error(values: FloatArray) -> float:
    return float(values.std(ddof=1) / np.sqrt(values.size))


def _draw(kind: str, growth: Growth, made: Call) -> None:
    figure, axes = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
    below = [cell for cell, level in enumerate(settings.LEVELS) if level < 1.0]
    above = [cell for cell, level in enumerate(settings.LEVELS) if level >= 1.0]
    _panel(axes[0], growth, below)
    for cell in below:
        steep = 1.0 - settings.LEVELS[cell]
        end = growth.means[cell, -1]
        axes[0].plot(growth.horizons, end * (growth.horizons / growth.horizons[-1]) ** steep, "k:")
    axes[0].set(yscale="log", ylabel="regret", title="below sigma^2; dotted: limit")
    _panel(axes[1], growth, above)
    for cell in above:
        constant = 2.0 * settings.LEVELS[cell] * settings.SIGMA**2 / settings.MARGIN
        logs = np.log(growth.horizons)
        axes[1].plot(growth.horizons, growth.means[cell, -1] + constant * (logs - logs[-1]), "k:")
    axes[1].set(title="from sigma^2 on; dotted: 2 theta / Delta per log T")
    figure.suptitle(f"{NAMES[kind]}, margin 1, sigma 1")
    figure.savefig(made.results / f"{made.preset}-exponents-{kind}.png", dpi=120)
    plt.close(figure)


def _panel(axis: Any, growth: Growth, cells: list[int]) -> None:
    for cell in cells:
        label = rf"$\theta/\sigma^2$ = {settings.LEVELS[cell]}"
        axis.plot(growth.horizons, growth.means[cell], "o-", ms=3, label=label)
    axis.set(xscale="log", xlabel="horizon T")
    axis.xaxis.set_minor_formatter(NullFormatter())
    axis.legend(frameon=False)
    axis.grid(alpha=0.25)
