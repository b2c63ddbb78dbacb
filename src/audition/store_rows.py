"""What the tables of a store hold, row by row, as an SQLite browser shows them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, final

from audition.episode_world import Frames

TABLES: Final = (
    """CREATE TABLE IF NOT EXISTS scores (
        key TEXT PRIMARY KEY NOT NULL,
        candidate TEXT NOT NULL,
        ensemble TEXT NOT NULL,
        member INTEGER NOT NULL,
        simulator TEXT NOT NULL,
        first_replication INTEGER NOT NULL,
        replications INTEGER NOT NULL,
        objective TEXT NOT NULL,
        mean REAL,
        standard_deviation REAL,
        sum_of_squares REAL NOT NULL,
        valid INTEGER NOT NULL,
        invalid INTEGER NOT NULL,
        horizon INTEGER NOT NULL,
        seed INTEGER NOT NULL,
        engine TEXT NOT NULL
    ) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS failures (
        trial TEXT NOT NULL,
        replication INTEGER NOT NULL,
        candidate TEXT NOT NULL,
        ensemble TEXT NOT NULL,
        member INTEGER NOT NULL,
        reason TEXT NOT NULL,
        deadline REAL,
        PRIMARY KEY (trial, replication)
    ) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS curves (
        trial TEXT NOT NULL,
        replication INTEGER NOT NULL,
        candidate TEXT NOT NULL,
        ensemble TEXT NOT NULL,
        member INTEGER NOT NULL,
        steps TEXT NOT NULL,
        value TEXT NOT NULL,
        frames TEXT NOT NULL,
        PRIMARY KEY (trial, replication)
    ) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS progress (
        ensemble TEXT PRIMARY KEY NOT NULL,
        done INTEGER NOT NULL,
        total INTEGER NOT NULL
    ) WITHOUT ROWID""",
)


@final
@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A row of `scores`, its columns in order."""

    key: str
    candidate: str
    ensemble: str
    member: int
    simulator: str
    first_replication: int
    replications: int
    objective: str
    mean: float | None
    standard_deviation: float | None
    sum_of_squares: float
    valid: int
    invalid: int
    horizon: int
    seed: int
    engine: str


@final
@dataclass(frozen=True, slots=True)
class FailureRow:
    """Why one trial gave no score."""

    trial: str
    replication: int
    candidate: str
    ensemble: str
    member: int
    reason: str
    deadline: float | None  # the seconds it was given, where it took longer


@final
@dataclass(frozen=True, slots=True)
class CurveRow:
    """How a learner learned in one trial, and stills of what it does."""

    trial: str
    replication: int
    candidate: str
    ensemble: str
    member: int
    steps: tuple[int, ...]
    value: tuple[float, ...]
    frames: Frames = ()


@final
@dataclass(frozen=True, slots=True)
class Batch:
    """What is kept as one: all of it or nothing."""

    scores: Sequence[tuple[Any, ...]]  # in the order of ScoreRow
    failures: Sequence[FailureRow] = ()
    curves: Sequence[CurveRow] = ()
    mended: Sequence[str] = ()  # trials that failed before and have scores now
