"""The figure: the table as a map of the lock step's scores, the black box's written beneath."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from robots.settings import NAMES, ROBOTS, Budget

DARK = 0.6  # scores above it stand on a dark ground


def draw(cells: Any, budget: Budget, path: Path) -> None:
    """Write the figure: one panel a robot, empty where nothing is stored yet."""
    figure, axes = plt.subplots(1, len(ROBOTS), figsize=(11, 4.4))
    for axis, robot in zip(axes, ROBOTS, strict=True):
        rows, columns = budget.forward[robot], budget.control
        means = np.full((len(rows), len(columns)), np.nan)
        for i, forward in enumerate(rows):
            for j, control in enumerate(columns):
                place = robot, (1.0, forward, control)
                values = cells.get((*place, "lockstep"))
                if values is None:
                    continue
                means[i, j] = values.mean()
                words = _told("", values) + _told("\nSB3 ", cells.get((*place, "sb3")))
                ink = "white" if means[i, j] > DARK else "black"
                axis.text(j, i, words, ha="center", va="center", fontsize=7, color=ink)
        axis.imshow(means, cmap="YlGn", vmin=0.0, vmax=1.0, aspect="auto")
        axis.set_xticks(range(len(columns)), [f"{c:g}" for c in columns])
        axis.set_yticks(range(len(rows)), [f"{f:g}" for f in rows])
        axis.set_xlabel("weight on actuation")
        axis.set_ylabel("weight on moving forward")
        axis.set_title(f"{NAMES[robot]}: mean score (seeds)")
    figure.tight_layout()
    figure.savefig(path, dpi=130)
    plt.close(figure)


def _told(who: str, values: Any) -> str:
    """A learner's mean score and its number of seeds; nothing where it has none."""
    return "" if values is None else f"{who}{values.mean():.2f} ({values.size})"
