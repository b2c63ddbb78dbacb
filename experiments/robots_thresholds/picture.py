"""The figure: how far and how hard every evaluation episode went, and the thresholds drawn in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from audition.episode_objective import calibration
from robots.settings import NAMES
from robots.supply import outcome

COLOURS = ("#2b6ca3", "#55a868", "#c44e52")


def draw(shown: dict[tuple[str, str], Any], path: Path) -> None:
    """Write the figure: one panel a robot."""
    robots = list(dict.fromkeys(robot for robot, _ in shown))
    if not robots:
        return
    figure, axes = plt.subplots(1, len(robots), figsize=(5 * len(robots), 4), squeeze=False)
    for axis, robot in zip(axes[0], robots, strict=True):
        own = {learner: rows for (name, learner), rows in shown.items() if name == robot}
        for colour, (learner, rows) in zip(COLOURS, own.items(), strict=False):
            _panel(axis, learner, rows, colour)
        axis.set_title(NAMES[robot])
        axis.set_xlabel("distance of an episode, m")
        axis.legend(markerscale=3, framealpha=0.9, fontsize=8)
        axis.grid(alpha=0.25)
    axes[0, 0].set_ylabel("mean squared actuation")
    figure.tight_layout()
    figure.savefig(path, dpi=130)
    plt.close(figure)


def _panel(axis: Any, learner: str, rows: Any, colour: str) -> None:
    seen = outcome(rows.values())
    words = f"{learner} ({len(rows)} seeds)"
    axis.plot(seen.distances.ravel(), seen.efforts.ravel(), ".", ms=3, color=colour, label=words)
    found = calibration(seen)
    axis.axhline(found["most_effort"], ls="--", color=colour)
    for distance in (found["near"], found["far"]):
        axis.axvline(distance, ls=":", color=colour)
