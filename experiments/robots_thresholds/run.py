"""Table tab:deeprl-app-thresholds: what success means, calibrated at the default weights.

Policies at theta = (1, 1, 0.002) are trained on M* and rolled out for six seeds and 100 episodes
each; x_hi is the median distance, x_lo half of it, c_max 0.9 times the mean squared actuation.
`quick` trains for 4,096 steps (label: short training), so its numbers are its own.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from picture import draw

from audition.episode_objective import calibration
from claims import Call, Finding, main_of, record
from robots.plans import equivalence, thresholds
from robots.runs import Run
from robots.settings import BUDGETS, DEFAULT_WEIGHTS, NAMES, ROBOTS
from robots.supply import FloatArray, Rows, outcome, supply
from robots.words import LEARNERS, label

RESAMPLES = 500
PAPER_SEEDS = 6
FEWEST = 4  # seeds that an error is told from


def main(made: Call) -> None:
    """Calibrate both robots, by the protocol and by the runs that compare the two learners."""
    budget = BUDGETS[made.preset]
    findings: list[Finding] = []
    shown: dict[tuple[str, str], Rows] = {}
    wishes: dict[str, list[Run]] = {"lock step": thresholds(budget)}
    if made.preset == "full":
        for learner, words in LEARNERS.items():  # the compared runs, of fewer episodes each
            compared = equivalence(budget, (learner,))
            more = [run for run in compared if run.theta == DEFAULT_WEIGHTS]
            wishes[f"{words}, compared runs"] = more
    for learner, runs in wishes.items():
        rows = supply(made, runs)
        for robot in ROBOTS:
            own = {run: row for run, row in rows.items() if run.robot == robot}
            if len(own) < FEWEST:
                continue
            shown[robot, learner] = own
            head = label(made.preset, f"{NAMES[robot]}, {learner}")
            findings += _findings(head, own)
    draw(shown, made.results / f"{made.preset}.png")
    record(made, findings, engine="stored runs", unmeasured="listed")


def _findings(head: str, rows: Rows) -> list[Finding]:
    values = _numbers(list(rows.values()))
    errors = _errors(list(rows.values()))
    theirs = errors * np.sqrt(len(rows) / PAPER_SEEDS)
    remark = f"({len(rows)} seeds)"
    return [
        Finding(f"{head}: {name}", float(value), float(error), remark, float(their))
        for name, value, error, their in zip(
            ("x_lo", "x_hi", "c_max"), values, errors, theirs, strict=True
        )
    ]


def _numbers(rows: Sequence[Mapping[str, Any]]) -> FloatArray:
    return np.array(list(calibration(outcome(rows)).values()))


def _errors(rows: Sequence[Mapping[str, Any]]) -> FloatArray:
    """Standard errors from resampled seeds: the episodes of one policy are alike."""
    rng = np.random.default_rng(0)
    drawn = [
        _numbers([rows[at] for at in rng.integers(len(rows), size=len(rows))])
        for _ in range(RESAMPLES)
    ]
    return np.asarray(np.std(drawn, axis=0, ddof=1))


if __name__ == "__main__":
    main_of(main, __file__, __doc__)
