"""Two panels: mean excess regret and its 95 % quantile, one row a strategy, best on top."""

from __future__ import annotations

import matplotlib
import numpy as np
from numpy.typing import NDArray
from strategies import NAMES, PAPER, PLUG_IN

from claims import Call

matplotlib.use("Agg")
import matplotlib.pyplot as plt

COLOURS = {PLUG_IN: "#c44e52", PAPER: "#dd8452"}


def draw(races: dict[str, NDArray[np.float64]], made: Call) -> None:
    """Write one figure for all races."""
    figure, axes = plt.subplots(1, len(races), figsize=(13, 7), layout="constrained")
    for axis, (words, excess) in zip(np.atleast_1d(axes), races.items(), strict=True):
        flat = 100.0 * excess.reshape(len(NAMES), -1)
        means, tails = flat.mean(axis=1), np.quantile(flat, 0.95, axis=1)
        order = np.argsort(-means)
        for row, at in enumerate(order):
            colour = COLOURS.get(NAMES[at], "#2b6ca3")
            axis.plot([means[at], tails[at]], [row, row], color=colour, lw=1, alpha=0.5)
            axis.plot(means[at], row, "o", color=colour)
            axis.plot(tails[at], row, "|", color=colour, ms=11, mew=2)
        axis.set_yticks(range(len(order)), [NAMES[at] for at in order], fontsize=8)
        axis.set_xlabel("excess regret over the oracle, %: mean (dot), 95 % quantile (bar)")
        axis.set_title(words)
        axis.grid(alpha=0.25)
    figure.savefig(made.results / f"{made.preset}.png", dpi=120)
    plt.close(figure)
