"""Figure fig:cond-picks-deeprl: what UA selects, given what the Plug-In selected."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from robots.protocol import PLUG_IN, UA

ABOVE, BELOW, SAME = "#c44e52", "#2b6ca3", "0.45"
ACROSS = 3  # panels in a row


def draw(cells: dict[str, Any], path: Path) -> None:
    """Write the figure: one panel a cell, candidates sorted by theta_fwd / theta_ctrl."""
    across = min(ACROSS, len(cells))
    down = -(-len(cells) // across)
    size = (5.2 * across, 4.6 * down)
    figure, axes = plt.subplots(down, across, figsize=size, squeeze=False)
    for axis in axes.ravel()[len(cells) :]:
        axis.axis("off")
    for axis, (title, cell) in zip(axes.ravel(), cells.items(), strict=False):
        _panel(axis, title, cell)
    figure.tight_layout()
    figure.savefig(path, dpi=130)
    plt.close(figure)


def _panel(axis: Any, title: str, cell: Any) -> None:
    plug, ua = cell.picks[PLUG_IN], cell.picks[UA]
    selected = np.union1d(plug, ua)
    order = selected[np.argsort(cell.ratios[selected], kind="stable")]
    place = {int(candidate): at for at, candidate in enumerate(order)}
    columns = [c for c in order if np.any(plug == c)]
    for column, chosen in enumerate(columns):
        given = ua[plug == chosen]
        for candidate in np.unique(given):
            share = float(np.mean(given == candidate))
            row, own = place[int(candidate)], place[int(chosen)]
            colour = SAME if row == own else ABOVE if row > own else BELOW
            axis.barh(row, 0.85 * share, left=column - 0.4, height=0.7, color=colour)
    diagonal = [place[int(chosen)] for chosen in columns]
    axis.plot(np.arange(len(columns)), diagonal, "--", color="0.3", lw=0.8)
    words = [f"{cell.thetas[c][1]:g}/{cell.thetas[c][2]:g}" for c in order]
    counts = [
        f"{cell.thetas[c][1]:g}/{cell.thetas[c][2]:g}\n({int(np.sum(plug == c))})" for c in columns
    ]
    axis.set_xticks(range(len(columns)), counts, fontsize=6)
    axis.set_yticks(range(len(order)), words, fontsize=7)
    axis.set_xlabel("Plug-In selection, fwd/ctrl (data sets)")
    axis.set_ylabel("UA selection, fwd/ctrl")
    axis.set_xlim(-0.5, len(columns) - 0.4)
    axis.set_title(title)
