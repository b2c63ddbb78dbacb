"""The figure of one learner: what Plug-In selects, what UA selects, and the difference."""

from __future__ import annotations

from typing import Any

import matplotlib
import numpy as np

import plane
from claims import Call
from plane import FloatArray

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def draw(
    kind: str, maps: list[FloatArray], weight: FloatArray, levels: list[float], made: Call
) -> None:
    """Write the three panels."""
    figure, axes = plt.subplots(1, 3, figsize=(12.5, 4.1), sharey=True, layout="constrained")
    top = float(plane.SHARES[kind][-1])
    panels = [
        ("Plug-In", maps[0], "viridis", 0.0, top),
        ("Uncertainty-Aware", maps[1], "viridis", 0.0, top),
        ("UA less Plug-In", maps[1] - maps[0], "RdBu", -0.5, 0.5),
    ]
    for axis, (title, values, colours, low, high) in zip(axes, panels, strict=True):
        image = _panel(axis, values, colours, (low, high))
        _contours(axis, weight, levels)
        axis.plot(plane.MARGIN, plane.SIGMA, marker="*", ms=13, mfc="gold", mec="black")
        axis.set_title(title)
        axis.set_xlabel(r"fitted margin $\hat\Delta$")
        figure.colorbar(image, ax=axis, shrink=0.9, label=r"$\theta / \sigma^2$")
    axes[0].set_ylabel(r"fitted noise $\hat\sigma$")
    figure.suptitle(f"{plane.NAMES[kind]}: contours hold 50, 90 and 99 % of the data sets")
    figure.savefig(made.results / f"{made.preset}-{kind}.png", dpi=130)
    plt.close(figure)


def _edges(axis: int) -> FloatArray:
    return np.asarray(plane.LOW[axis] + plane.BIN[axis] * np.arange(plane.BINS[axis] + 1))


def _panel(axis: Any, values: FloatArray, colours: str, limits: tuple[float, float]) -> Any:
    grid = values.reshape(plane.BINS).T
    return axis.pcolormesh(_edges(0), _edges(1), grid, cmap=colours, vmin=limits[0], vmax=limits[1])


def _contours(axis: Any, weight: FloatArray, levels: list[float]) -> None:
    middles = [0.5 * (_edges(k)[1:] + _edges(k)[:-1]) for k in (0, 1)]
    axis.contour(
        *middles, weight.reshape(plane.BINS).T, sorted(levels), colors="black", linewidths=0.8
    )
