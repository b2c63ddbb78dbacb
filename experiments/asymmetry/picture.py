"""Sixteen panels: excess regret in percent of the least regret, against theta / sigma^2."""

from __future__ import annotations

from pathlib import Path

import matplotlib
from curves import ALL, ON_GRID, Curve

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def draw(name: str, curves: list[Curve], path: Path) -> None:
    """Write the figure of one learner."""
    figure, axes = plt.subplots(4, 4, figsize=(11, 8.5), sharex=True, layout="constrained")
    for axis, curve in zip(axes.flat, curves, strict=True):
        least = curve.regret[curve.best]
        excess = 100.0 * (curve.regret / least - 1.0)
        axis.plot(ALL[ON_GRID], excess[ON_GRID], color="#2b6ca3")
        axis.plot(ALL[curve.best], 0.0, "^", color="#c44e52")
        axis.axvline(ALL[curve.best], ls="--", lw=0.8, color="#c44e52")
        axis.set_title(f"margin {curve.margin:g}, $\\sigma$ {curve.sd:g}", fontsize=9)
        axis.set_ylim(0, max(excess[ON_GRID].max() * 1.02, 1.0))
        axis.grid(alpha=0.25)
    figure.supxlabel(r"$\theta / \sigma^2$")
    figure.supylabel("excess regret over the best level, %")
    figure.suptitle(f"{name}: the cost of exploring too little and too much, T = 5000")
    figure.savefig(path, dpi=110)
    plt.close(figure)
