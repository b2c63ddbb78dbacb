"""Table tab:deeprl-app-truth: the success score of every weight vector on the true robot.

The full table is 750 runs on Hopper and 960 on Walker2d; `experiments/robots/fill.py truth` makes
them a few at a time on any machine, and this reads what is stored. The row theta_fwd = 1 stands for
both learners, the lock step and Stable-Baselines3. `quick` trains for 4,096 steps (label: short
training).
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from picture import draw

from claims import Call, Finding, main_of, record
from robots.plans import equivalence, truth, truth_row
from robots.runs import Run
from robots.settings import BUDGETS, NAMES, ROBOTS, Budget, Theta, candidates
from robots.supply import FloatArray, scores, stock, supply, thresholds_of
from robots.words import LEARNERS, cell, label

FEWEST = 4  # runs of a cell that a spread is told from
PAPER_SEEDS = {"Hopper": 30, "Walker2d": 32}
Cells = dict[tuple[str, Theta, str], FloatArray]


def main(made: Call) -> None:
    """Read the table as far as it has been filled."""
    budget = BUDGETS[made.preset]
    wishes = wanted(made, budget)
    rows = supply(made, wishes)
    cells = measured(scores(rows, thresholds_of(made)))
    findings = [stock(made, "truth table", rows, wishes)]
    for (robot, theta, learner), values in cells.items():
        spread = float(values.std(ddof=1)) if values.size > 1 else 0.0
        findings.append(
            Finding(
                label(made.preset, f"{cell(robot, theta)}: score, {LEARNERS[learner]}"),
                float(values.mean()),
                spread / np.sqrt(values.size),
                f"({values.size} seeds)",
                spread / np.sqrt(PAPER_SEEDS[NAMES[robot]]),
            )
        )
    findings += _optima(made, budget, cells)
    draw(cells, budget, made.results / f"{made.preset}.png")
    record(made, findings, engine="stored runs", unmeasured="listed")


def wanted(made: Call, budget: Budget) -> list[Run]:
    """The runs of the table; in full, those that compare the two learners too."""
    if made.preset == "quick":
        return truth(budget)
    return list(dict.fromkeys([*truth(budget), *truth_row(budget), *equivalence(budget)]))


def measured(found: Mapping[Run, float]) -> Cells:
    """The scores of every cell that enough runs are stored of  # [seed]."""
    cells: dict[tuple[str, Theta, str], list[float]] = {}
    for run, score in found.items():
        theta = (run.theta[0], run.theta[1], run.theta[2])
        if np.isfinite(score):
            cells.setdefault((run.robot, theta, run.learner), []).append(score)
    order = sorted(cells, key=lambda key: (ROBOTS.index(key[0]), key[1], key[2]))
    return {key: np.array(cells[key]) for key in order if len(cells[key]) >= FEWEST}


def _optima(made: Call, budget: Budget, cells: Cells) -> list[Finding]:
    """The best candidate of every robot whose table is complete."""
    found = []
    for robot in ROBOTS:
        own = {theta: cells.get((robot, theta, "lockstep")) for theta in candidates(robot, budget)}
        means = {theta: float(values.mean()) for theta, values in own.items() if values is not None}
        if len(means) == len(own):
            best = max(means, key=lambda theta: means[theta])
            remark = f"(fwd {best[1]:g}, ctrl {best[2]:g})"
            words = label(made.preset, f"{NAMES[robot]}: score of the optimum")
            found.append(Finding(words, means[best], None, remark))
    return found


if __name__ == "__main__":
    main_of(main, __file__, __doc__)
