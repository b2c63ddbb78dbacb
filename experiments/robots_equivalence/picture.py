"""The figure: the scores of all seeds of both learners, cell by cell."""

from __future__ import annotations

from pathlib import Path

import matplotlib
import numpy as np
from numpy.typing import NDArray

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from robots.words import LEARNERS

COLOURS = {"lockstep": "#2b6ca3", "sb3": "#c44e52"}
APART = 0.18


def draw(shown: dict[str, dict[str, NDArray[np.float64]]], path: Path) -> None:
    """Write the figure."""
    figure, axis = plt.subplots(figsize=(10, 4.2))
    for side, (learner, words) in zip((-APART, APART), LEARNERS.items(), strict=True):
        for place, cell in enumerate(shown):
            values = shown[cell][learner]
            at = place + side + np.linspace(-0.1, 0.1, values.size)
            axis.plot(at, np.sort(values), "o", ms=3, alpha=0.7, color=COLOURS[learner])
            axis.plot([place + side - 0.14, place + side + 0.14], [values.mean()] * 2,
                      color=COLOURS[learner], label=words if place == 0 else None)  # fmt: skip
    axis.set_xticks(range(len(shown)), [cell.replace(" (", "\n(") for cell in shown], fontsize=8)
    axis.set_ylabel("success score of a seed")
    axis.grid(alpha=0.25, axis="y")
    if shown:
        axis.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(path, dpi=130)
    plt.close(figure)
