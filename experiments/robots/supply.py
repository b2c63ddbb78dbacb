"""Rows for an experiment: read from what is stored; at the quick preset, trained when missing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from audition.episode_objective import SuccessScore
from audition.episode_world import EpisodeOutcome
from claims import Call, Finding
from robots.plans import blocks_of
from robots.runs import Run, keep, stored, train
from robots.settings import SHORT_THRESHOLDS, THRESHOLDS
from robots.words import label

FloatArray = NDArray[np.float64]
Rows = Mapping[Run, dict[str, Any]]
HERE: Final = Path(__file__).parent
STORED: Final = HERE / "stored"
KEPT: Final = HERE / "kept"  # what the quick preset trained here; not in git
LANES: Final = 16


def supply(made: Call, runs: Sequence[Run]) -> Rows:
    """The rows of these runs, as many as there are; `quick` trains the missing ones now."""
    found = stored(STORED, KEPT)
    missing = [run for run in dict.fromkeys(runs) if run not in found]
    if made.preset == "quick":
        for block in blocks_of(missing, lanes=LANES):
            for row in train(block):
                keep(KEPT, row)
                found[Run.of(row)] = row
        made.say(f"{len(missing)} short training runs done, {len(runs) - len(missing)} known")
    elif missing:
        made.say(
            f"{len(runs) - len(missing)} of {len(runs)} runs are stored; "
            "experiments/robots/fill.py makes the others"
        )
    return {run: found[run] for run in runs if run in found}


def stock(made: Call, name: str, rows: Rows, wishes: Sequence[Run]) -> Finding:
    """How far a table has been filled, as a line of the results."""
    words = label(made.preset, f"runs of the {name} that are stored")
    return Finding(words, float(len(rows)), None, f"(of {len(set(wishes)):,})")


def outcome(rows: Iterable[Mapping[str, Any]]) -> EpisodeOutcome:
    """What the stored policies did, as an objective reads it: one lane a row."""
    known = list(rows)

    def column(name: str) -> FloatArray:  # [row, episode]
        return np.array([row[name] for row in known], dtype=np.float64)

    lengths = column("lengths")
    return EpisodeOutcome(
        lengths=lengths,
        returns=np.full(lengths.shape, np.nan),  # not stored: nothing here is scored by it
        distances=column("distances"),
        efforts=column("efforts"),
        features=np.zeros((*lengths.shape, 0)),
        failures=tuple(row["failure"] for row in known),
        curves=((),) * len(known),
    )


def scores(rows: Rows, thresholds: Mapping[str, SuccessScore]) -> dict[Run, float]:
    """The success score of every run (eq:app-deeprl-score); NaN for one that diverged."""
    return {run: float(thresholds[run.robot].score(outcome([row]))[0]) for run, row in rows.items()}


def thresholds_of(made: Call) -> dict[str, SuccessScore]:
    """The thresholds to score by: the paper's, and lower ones for short training."""
    table = THRESHOLDS if made.preset == "full" else SHORT_THRESHOLDS
    return {robot: SuccessScore(**values) for robot, values in table.items()}
