"""Two panels: mean excess regret and its 95 % quantile, one row a strategy, best on top."""

from __future__ import annotations

from pathlib import Path

import matplotlib
import numpy as np
from numpy.typing import NDArray
from strategies import NAMES, PAPER, PLUG_IN

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import LogFormatter

FloatArray = NDArray[np.float64]

COLOURS = {PLUG_IN: "#c44e52", PAPER: "#dd8452"}


def draw(races: dict[str, tuple[FloatArray, FloatArray]], path: Path) -> None:
    """Write one figure for all races: mean and 95 % quantile of the excess, by NAMES."""
    figure, axes = plt.subplots(1, len(races), figsize=(13, 7), layout="constrained")
    for axis, (words, (means, tails)) in zip(np.atleast_1d(axes), races.items(), strict=True):
        order = np.argsort(-means)
        for row, at in enumerate(order):
            colour = COLOURS.get(NAMES[at], "#2b6ca3")
            ends = 100.0 * means[at], 100.0 * tails[at]
            axis.plot(ends, [row, row], color=colour, lw=1, alpha=0.5)
            axis.plot(ends[0], row, "o", color=colour)
            axis.plot(ends[1], row, "|", color=colour, ms=11, mew=2)
        axis.set_yticks(range(len(order)), [NAMES[at] for at in order], fontsize=8)
        axis.set_xscale("log")
        axis.xaxis.set_major_formatter(LogFormatter())
        axis.xaxis.set_minor_formatter(LogFormatter(labelOnlyBase=False))
        axis.set_xlabel("excess regret over the oracle, %: mean (dot), 95 % quantile (bar)")
        axis.set_title(words)
        axis.grid(alpha=0.25, which="both")
    figure.savefig(path, dpi=120)
    plt.close(figure)
