"""PPO in lock step learns as Stable-Baselines3's does: scores, distances and efforts side by side.

At three weight vectors of each robot, on M* with the sensor, sixteen seeds of each learner: the
means of the success score must agree, and so must the spreads over seeds. Distances and efforts
are compared too, since many a score sits at 0 or 1. `quick` trains for 4,096 steps (label: short
training).
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from picture import draw
from scipy.stats import chi2

from audition.episode_objective import SuccessScore
from claims import Call, Finding, main_of, record
from robots.plans import equivalence
from robots.settings import BUDGETS, COMPARED, ROBOTS
from robots.supply import FloatArray, Rows, scores, stock, supply, thresholds_of
from robots.words import LEARNERS, cell, label

FEWEST = 2  # runs of a learner that a mean's error can be told from
ENOUGH = 8  # runs that a spread's can
MEASURES = ("score", "distance", "effort")
PAPER_SEEDS = 30
RESAMPLES = 2000


def main(made: Call) -> None:
    """Read (or make) the runs of both learners and compare them, cell by cell."""
    wishes = equivalence(BUDGETS[made.preset])
    rows = supply(made, wishes)
    thresholds = thresholds_of(made)
    findings = [stock(made, "comparison", rows, wishes)]
    shown: dict[str, dict[str, FloatArray]] = {}
    for robot in ROBOTS:
        for theta in COMPARED:
            both = {name: _measures(rows, thresholds, robot, theta, name) for name in LEARNERS}
            if min(measures["score"].size for measures in both.values()) < FEWEST:
                continue
            head = label(made.preset, cell(robot, theta))
            shown[cell(robot, theta)] = {n: m["score"] for n, m in both.items()}
            findings += _levels(head, both) + _differences(head, both)
    findings += _together(made, findings)
    draw(shown, made.results / f"{made.preset}.png")
    record(made, findings, engine="stored runs", unmeasured="listed")


def _measures(
    rows: Rows,
    thresholds: dict[str, SuccessScore],
    robot: str,
    theta: tuple[float, ...],
    learner: str,
) -> dict[str, FloatArray]:  # [seed]
    """The score, the mean distance and the mean effort of every run of a cell."""
    own = {
        run: row
        for run, row in rows.items()
        if (run.robot, run.theta, run.learner) == (robot, theta, learner) and not row["failure"]
    }
    return {
        "score": np.array(list(scores(own, thresholds).values())),
        "distance": np.array([np.mean(row["distances"]) for row in own.values()]),
        "effort": np.array([np.mean(row["efforts"]) for row in own.values()]),
    }


def _levels(head: str, both: dict[str, dict[str, FloatArray]]) -> list[Finding]:
    """Mean scores; a few seeds tell no spread, so there the two learners share theirs."""
    found = []
    spread = pooled_spread(*(measures["score"] for measures in both.values()))
    for learner, measures in both.items():
        values = measures["score"]
        own = float(values.std(ddof=1)) if values.size >= ENOUGH else spread
        words = f"({values.size} seeds{'' if own != spread else ', spread of both learners'})"
        found.append(
            Finding(
                f"{head}: score, {LEARNERS[learner]}",
                float(values.mean()),
                own / np.sqrt(values.size),
                words,
                own / np.sqrt(PAPER_SEEDS),
            )
        )
    return found


def _differences(head: str, both: dict[str, dict[str, FloatArray]]) -> list[Finding]:
    found = []
    for measure in MEASURES:
        ours, theirs = (both[name][measure] for name in ("lockstep", "sb3"))
        error = pooled_error(ours, theirs)
        gap = float(ours.mean() - theirs.mean())
        found.append(Finding(f"{head}: difference of mean {measure}", gap, error))
        ratio, error = log_ratio_of_spreads(ours, theirs)
        if np.isfinite(ratio) and min(ours.size, theirs.size) >= ENOUGH:
            found.append(Finding(f"{head}: log ratio of spreads of {measure}", ratio, error))
    return found


def pooled_error(first: FloatArray, second: FloatArray) -> float:
    """The standard error of the difference of means when both have one spread, as equals do."""
    return pooled_spread(first, second) * float(np.sqrt(1 / first.size + 1 / second.size))


def pooled_spread(first: FloatArray, second: FloatArray) -> float:
    """The standard deviation of both around their own means."""
    squares = first.var() * first.size + second.var() * second.size
    return float(np.sqrt(squares / (first.size + second.size - 2)))


def log_ratio_of_spreads(first: FloatArray, second: FloatArray) -> tuple[float, float]:
    """The log of the ratio of standard deviations, and its error from resampled seeds."""
    if min(first.std(), second.std()) <= 0.0:
        return float("nan"), float("nan")
    rng = np.random.default_rng(0)
    drawn = []
    for values in (first, second):
        again = values[rng.integers(values.size, size=(RESAMPLES, values.size))].std(axis=1)
        drawn.append(np.log(np.where(again > 0.0, again, np.nan)))
    return float(np.log(first.std() / second.std())), float(np.nanstd(drawn[0] - drawn[1]))


def _together(made: Call, findings: list[Finding]) -> list[Finding]:
    """The chance of differences as large as those of all cells when there is none."""
    found = []
    for words in ("difference of mean", "log ratio of spreads of"):
        for measure in MEASURES:
            z = [
                f.ours / f.standard_error
                for f in findings
                if f.quantity.endswith(f"{words} {measure}") and f.standard_error
            ]
            if made.preset == "full" and z:
                chance = float(chi2.sf(np.square(z).sum(), len(z)))
                remark = f"({len(z)} cells; the largest |z| is {np.abs(z).max():.2f})"
                name = f"all cells: p of every {words} {measure}"
                found.append(Finding(name, chance, None, remark))
    return found


if __name__ == "__main__":
    main_of(main, __file__, __doc__)
