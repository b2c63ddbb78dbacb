"""The figure: the estimates of every data set around the truth, naive beside SIMEX."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from pool import FloatArray
from settings import ROBOTS, TRUTH

matplotlib.use("Agg")
import matplotlib.pyplot as plt

COLOURS = {"naive": "#c44e52", "SIMEX": "#2b6ca3"}


def draw(shown: dict[tuple[str, int, str], FloatArray], path: Path) -> None:
    """Write the figure: one row a robot, one column a parameter."""
    figure, axes = plt.subplots(len(ROBOTS), len(TRUTH), figsize=(10, 5.6), squeeze=False)
    for row, robot in enumerate(ROBOTS):
        for column, (parameter, truth) in enumerate(TRUTH.items()):
            axis = axes[row, column]
            axis.axhline(truth, color="0.4", ls=":")
            _points(axis, {key[1:]: v[:, column] for key, v in shown.items() if key[0] == robot})
            axis.set_title(f"{robot}: {parameter}", fontsize=10)
            axis.grid(alpha=0.25)
    axes[0, 0].legend(frameon=False)
    for axis in axes[-1]:
        axis.set_xlabel("logged episodes")
    figure.tight_layout()
    figure.savefig(path, dpi=130)
    plt.close(figure)


def _points(axis: Any, found: dict[tuple[int, str], FloatArray]) -> None:
    """Mean and sd over data sets, and the data sets themselves (2nd to 98th percentile)."""
    lengths = sorted({length for length, _ in found})
    for (length, fit), values in sorted(found.items()):
        place = lengths.index(length) + (0.15 if fit == "SIMEX" else -0.15)
        inside = np.clip(values, *np.percentile(values, [2, 98]))
        axis.plot(np.full(len(values), place), inside, ".", color=COLOURS[fit], alpha=0.25, ms=3)
        word = fit if length == lengths[0] else None
        axis.errorbar(
            place, values.mean(), values.std(ddof=1), fmt="o", color=COLOURS[fit], label=word
        )
    axis.set_xticks(range(len(lengths)), [str(length) for length in lengths])
