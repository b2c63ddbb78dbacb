"""The figure: one column a learner, regret on top and the law of the selections below."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib

import plane

matplotlib.use("Agg")
import matplotlib.pyplot as plt

COLOURS = {"Plug-In": "#c44e52", "UA": "#2b6ca3"}


def draw(columns: dict[str, dict[str, Any]], path: Path) -> None:
    """Write the figure."""
    figure, axes = plt.subplots(2, len(columns), figsize=(10, 6.4), sharex="col", squeeze=False)
    for column, (kind, found) in enumerate(columns.items()):
        _regret(axes[0, column], kind, found)
        _laws(axes[1, column], kind, found)
    axes[0, 0].set_ylabel("cumulative regret, T = 5000")
    axes[1, 0].set_ylabel("share of data sets")
    figure.tight_layout()
    figure.savefig(path, dpi=130)
    plt.close(figure)


def _regret(axis: Any, kind: str, found: dict[str, Any]) -> None:
    shares = plane.SHARES[kind]
    best = int(found["regret"].argmin())
    axis.errorbar(shares, found["regret"], yerr=2 * found["error"], fmt="o-", color="0.25", ms=4)
    axis.axvline(shares[best], ls=":", color="0.4")
    axis.set_ylim(0, None)
    axis.set_title(f"{plane.NAMES[kind]} at margin 0.975, sigma 3")
    axis.grid(alpha=0.25)


def _laws(axis: Any, kind: str, found: dict[str, Any]) -> None:
    shares, regret = plane.SHARES[kind], found["regret"]
    for number, (rule, law) in enumerate(found["laws"].items()):
        mean = float(law @ regret)
        variance = float(law @ (regret - mean) ** 2)
        words = f"{rule}: mean {mean:.1f}, variance {variance:,.0f}"
        axis.bar(shares + 0.04 * (number - 0.5), law, 0.038, color=COLOURS[rule], label=words)
    axis.axvline(shares[int(regret.argmin())], ls=":", color="0.4")
    axis.set_xlabel(r"selected $\theta / \sigma^2$")
    axis.set_ylim(0, 1.25 * max(law.max() for law in found["laws"].values()))  # for the legend
    axis.legend(frameon=False)
    axis.grid(alpha=0.25)
