"""One row a learner, one column a size of the log: what averaging adds, and what curvature says."""

from __future__ import annotations

import matplotlib

import plane
from audition.diagnostics import Curvature
from claims import Call

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def draw(found: dict[str, dict[int, Curvature]], made: Call) -> None:
    """Write the figure."""
    columns = len(next(iter(found.values())))
    figure, axes = plt.subplots(
        len(found), columns, figsize=(13, 6.2), squeeze=False, layout="constrained"
    )
    for row, (kind, sizes) in zip(axes, found.items(), strict=True):
        for axis, (rows, one) in zip(row, sizes.items(), strict=True):
            shares = plane.SHARES[kind]
            middle = one.drift + one.predicted
            low, high = middle - one.bound, middle + one.bound
            axis.fill_between(shares, low, high, color="#2b6ca3", alpha=0.12, lw=0)
            axis.plot(shares, middle, color="#2b6ca3", label=r"drift + tr$(H\Sigma)/2$")
            axis.plot(shares, one.actual, "o", ms=4, color="#c44e52", label="$J_{UA} - J_{plug}$")
            together = [*middle, *one.actual]
            pad = 0.6 * (max(together) - min(together))
            axis.set_ylim(min(together) - pad, max(together) + pad)
            axis.set_title(f"{plane.NAMES[kind]}, {rows} rows", fontsize=10)
            axis.grid(alpha=0.25)
    axes[0, 0].legend(frameon=False, fontsize=8)
    figure.supxlabel(r"$\theta / \sigma^2$")
    figure.supylabel("added to the value by averaging")
    figure.suptitle("What the ensemble adds at margin 0.975, sigma 3; shaded: the bound L/6 E|e|^3")
    figure.savefig(made.results / f"{made.preset}.png", dpi=120)
    plt.close(figure)
