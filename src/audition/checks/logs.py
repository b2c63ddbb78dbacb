"""Small logs to try families and ensembles with, one for each kind of reward."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from audition.log import Log
from audition.seeds import stream

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
Drawing = Callable[[np.random.Generator, FloatArray], FloatArray]

ROWS: Final = 240
LEVELS: Final = (0.25, 0.5, 0.75)  # [arm]


def _zero_inflated(rng: np.random.Generator, level: FloatArray) -> FloatArray:
    paid = rng.gamma(3.0, level)
    return np.where(rng.random(level.size) < 0.5, 0.0, paid)


DRAWN: Final[Mapping[str, Drawing]] = {  # how rewards of a kind are drawn, given the arm's level
    "real": lambda rng, level: level + rng.standard_normal(level.size),
    "binary": lambda rng, level: (rng.random(level.size) < level).astype(np.float64),
    "unit": lambda rng, level: rng.beta(4.0 * level, 4.0 * (1.0 - level)),
    "count": lambda rng, level: rng.poisson(4.0 * level).astype(np.float64),
    "positive": lambda rng, level: rng.gamma(3.0, level),
    "nonnegative": _zero_inflated,
}
IMPOSSIBLE: Final[Mapping[str, float]] = {  # a reward that a kind cannot hold
    "binary": 0.5,
    "unit": 1.5,
    "count": -1.0,
    "positive": 0.0,
    "nonnegative": -1.0,
}


def example(support: str) -> Log:
    """A log of three arms whose rewards are of a kind; "logged" takes any, so it gets real ones."""
    rng = stream(11, "checks/log")
    arms = rng.integers(3, size=ROWS)
    rewards = DRAWN.get(support, DRAWN["real"])(rng, np.array(LEVELS)[arms])
    return Log.from_arrays(arms, rewards, arm_names=("a", "b", "c"))


def impossible(support: str) -> Log | None:
    """A log with a reward that the kind cannot hold, where there is such a one."""
    if support not in IMPOSSIBLE:
        return None
    log = example(support)
    rewards = np.append(log.rewards, IMPOSSIBLE[support])
    return Log.from_arrays(np.append(log.arms, 0), rewards, arm_names=log.arm_names)


def without_arm(log: Log) -> Log:
    """The log, without the rows of its last arm, which stays declared."""
    kept = log.arms < len(log.arm_names) - 1
    return Log.from_arrays(log.arms[kept], log.rewards[kept], arm_names=log.arm_names)


def rare_arm(log: Log) -> Log:
    """The log with a single row of its last arm."""
    last = np.flatnonzero(log.arms == len(log.arm_names) - 1)
    kept = np.setdiff1d(np.arange(log.rows), last[1:])
    return Log.from_arrays(log.arms[kept], log.rewards[kept], arm_names=log.arm_names)
