"""Simulators that one log could have come from. Plug-In is the ensemble of one."""

import hashlib
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from audition.errors import FamilyError, LogError
from audition.family import Family, HasPosterior
from audition.log import Log
from audition.seeds import stream
from audition.simulator import Simulator

IntArray = NDArray[np.int64]
TRIES: Final = 200  # a log whose resample keeps every arm one time in 50 fails 200 times in 1.8 %


@final
@dataclass(frozen=True, slots=True, eq=False)
class Ensemble:
    """The members, and how they came to be."""

    name: str
    simulators: tuple[Simulator, ...]  # [member]
    redrawn: int = 0  # resamples thrown away because an arm was lost
    stratified: int = 0  # members resampled arm by arm because redrawing did not help

    @property
    def size(self) -> int:
        """How many members there are."""
        return len(self.simulators)

    @property
    def digest(self) -> str:
        """A hash of every member, in order."""
        ink = hashlib.sha256(self.name.encode())
        for simulator in self.simulators:
            ink.update(simulator.digest.encode())
        return ink.hexdigest()

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader of the choice should know about how the members were made."""
        said = []
        if self.stratified:
            said.append(
                f"{self.stratified} of {self.size} members were resampled arm by arm, because "
                f"{TRIES} resamples in a row lost an arm; log more of the rare arms"
            )
        elif self.redrawn > self.size // 10:
            said.append(
                f"{self.redrawn} resamples lost an arm and were drawn again for {self.size} "
                "members; the ensemble is conditioned on every arm being seen"
            )
        return tuple(said)


class Resampling(ABC):
    """A way to make an ensemble from a log."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The word that study files use."""

    @abstractmethod
    def make(self, family: Any, log: Any, *, size: int, seed: int) -> Ensemble:
        """An ensemble of `size` members; member i depends on (seed, i) alone."""


@dataclass(frozen=True, slots=True)
class Resampled:
    """A log drawn again, with how hard it was to keep every arm."""

    log: Log
    redrawn: int
    stratified: bool


def resample(log: Log, rng: np.random.Generator) -> Resampled:
    """Draw the log's units with replacement, again if an arm is lost, arm by arm as a last resort.

    The rule for a lost arm: the draw is thrown away and made again, which conditions the bootstrap
    on every logged arm being seen at least once (and, for a pooled variance, on a row to spare).
    After `TRIES` failures the rows are drawn within each arm, which keeps the logged counts.
    """
    for tried in range(TRIES):
        drawn = log.take(rng.integers(log.units, size=log.units))
        if whole(drawn):
            return Resampled(drawn, tried, False)
    rows = np.concatenate([_within(log, arm, rng) for arm in range(len(log.arm_names))])
    stripped = Log.from_arrays(log.arms[rows], log.rewards[rows], arm_names=log.arm_names)
    return Resampled(stripped, TRIES, True)


def whole(log: Log) -> bool:
    """Whether every arm was seen and one row is to spare."""
    return bool(log.counts.min() > 0) and log.rows > len(log.arm_names)


def members(family: Family, logs: list[Resampled], *, name: str) -> Ensemble:
    """Fit the family to every resampled log."""
    simulators = tuple(family.fit(resampled.log) for resampled in logs)
    redrawn = sum(resampled.redrawn for resampled in logs)
    return Ensemble(name, simulators, redrawn, sum(resampled.stratified for resampled in logs))


def member_stream(seed: int, name: str, member: int) -> np.random.Generator:
    """The randomness of one member of one kind of ensemble."""
    return stream(seed, f"ensemble/{name}", member)


def bandit(log: Any, family: Any, *, name: str) -> Log:
    """The log, once it is known to be a bandit log that every arm was seen in."""
    if not isinstance(log, Log):
        raise FamilyError(
            f"the {name} ensemble resamples bandit logs, but this log is a {type(log).__name__}; "
            "give the family an ensemble of its own"
        )
    if log.counts.min() == 0:
        arm = log.arm_names[int(np.argmin(log.counts))]
        raise LogError(
            f"arm {arm!r} was never pulled, so no {family.name} simulator can be fitted to it; "
            f"log it or drop it with --drop-arm {arm}"
        )
    return log


def default_ensemble(family: Family, *, log: Any = None) -> str:
    """The ensemble that is made when none is asked for.

    Posterior draws where the family has a posterior; else the empirical bootstrap. A log with
    declared clusters takes the empirical bootstrap too, for posteriors hold rows independent.
    """
    if isinstance(log, Log) and log.clusters is not None:
        return "empirical"
    return "posterior" if isinstance(family, HasPosterior) else "empirical"


def _within(log: Log, arm: int, rng: np.random.Generator) -> IntArray:
    rows = np.flatnonzero(log.arms == arm)
    return rng.choice(rows, size=rows.size)
