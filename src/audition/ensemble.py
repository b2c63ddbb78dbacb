"""Simulators that one log could have come from. Plug-In is the ensemble of one."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
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
    notes: tuple[str, ...] = ()  # what its maker had to say

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
        said = list(self.notes)
        if self.stratified:
            said.append(
                f"{self.stratified} of {self.size} members were resampled arm by arm, because "
                f"{TRIES} resamples in a row lost an arm or could not be fitted; log more of the "
                "rare arms"
            )
        elif self.redrawn > self.size // 10:
            said.append(
                f"{self.redrawn} resamples lost an arm or could not be fitted and were drawn again "
                f"for {self.size} members; the ensemble is conditioned on logs that can be fitted"
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


@final
@dataclass(frozen=True, slots=True)
class Member:
    """A simulator fitted to a log drawn again, with how hard it was to keep every arm."""

    simulator: Simulator
    redrawn: int
    stratified: bool


def refit(
    family: Family, log: Log, *, draw: Callable[[], Log], within: Callable[[], Log]
) -> Member:
    """Fit the family to a log drawn again; a draw that loses an arm is drawn again.

    The rule for a draw that the family cannot be fitted to (an arm is lost, no row is to spare for
    a pooled variance, no reward is positive where the family needs some): it is thrown away and
    made again, which conditions the bootstrap on logs that can be fitted. After `TRIES` failures
    the arms are held fixed: `within` draws logs in which every arm has rows as in the log.
    """
    for tried in range(TRIES):
        simulator = _fitted(family, draw())
        if simulator is not None:
            return Member(simulator, tried, False)
    for _ in range(TRIES):
        simulator = _fitted(family, within())
        if simulator is not None:
            return Member(simulator, TRIES, True)
    raise FamilyError(
        f"the log has {log.rows} rows, too few to resample: {2 * TRIES} draws in a row could not "
        f"be fitted by the {family.name} family; log more, or choose another family or ensemble"
    )


def _fitted(family: Family, log: Log) -> Simulator | None:
    if log.counts.min() == 0 or log.rows <= len(log.arm_names):
        return None
    try:
        simulator: Simulator = family.fit(log)
    except FamilyError:
        return None
    return simulator


def resample(log: Log, rng: np.random.Generator) -> Log:
    """Draw the log's units with replacement."""
    return log.take(rng.integers(log.units, size=log.units))


def resample_within(log: Log, rng: np.random.Generator) -> Log:
    """Draw with replacement within each arm: its rows, or its share of each cluster."""
    rows = np.concatenate([_within(log, arm, rng) for arm in range(len(log.arm_names))])
    return Log.from_arrays(log.arms[rows], log.rewards[rows], arm_names=log.arm_names)


def gather(members: Sequence[Member], *, name: str, notes: tuple[str, ...] = ()) -> Ensemble:
    """Members as one ensemble."""
    return Ensemble(
        name,
        tuple(member.simulator for member in members),
        sum(member.redrawn for member in members),
        sum(member.stratified for member in members),
        notes,
    )


def row_by_row(log: Log, *, name: str) -> tuple[str, ...]:
    """What to say of an ensemble that holds rows independent, where the log has clusters."""
    if log.clusters is None:
        return ()
    return (
        f"the {name} ensemble holds rows independent, but the log declares {log.units} clusters; "
        "rows of one cluster may move together, so the members may be too alike; use the "
        "empirical ensemble",
    )


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
    if log.clusters is None:
        return rng.choice(rows, size=rows.size)
    order = rows[np.argsort(log.clusters[rows], kind="stable")]
    first = np.flatnonzero(np.diff(log.clusters[order], prepend=-1))
    parts = np.split(order, first[1:])
    return np.concatenate([parts[i] for i in rng.integers(len(parts), size=len(parts))])
