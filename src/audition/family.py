"""Fits simulators of one kind to a log, and opens them as worlds.

Two levels of contract. Any family implements `fit` and `open`. A bandit family whose rewards can
be written as a scalar function of one draw derives from `BanditFamily` and gives `reward` once:
the plain world and the compiled engines are all made from it.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, final

import numpy as np
from numpy.typing import NDArray

from audition.errors import FamilyError
from audition.log import Log
from audition.seeds import Draws, Lanes
from audition.simulator import Simulator
from audition.world import ArmTable, BanditWorld, World

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@final
@dataclass(frozen=True, slots=True)
class Opening:
    """How a world is opened: which lanes, how long, under which root seed."""

    lanes: Lanes
    horizon: int
    seed: int
    checkpoints: tuple[int, ...] = ()


class Family(ABC):
    """Simulators of one kind."""

    reads: ClassVar[str] = "bandit"  # the kind of log that it fits: "bandit" or "trajectories"
    fingerprinted: ClassVar[tuple[str, ...]] = ()  # settings whose content the fingerprint holds

    @property
    @abstractmethod
    def name(self) -> str:
        """The word that study files use."""

    @property
    def fingerprint(self) -> str:
        """What its simulators depend on beside parameters and settings, such as a model file."""
        return ""

    @property
    def unpaid(self) -> str:
        """Why its worlds pay no reward of their own; empty where they do."""
        return ""

    def cautions(self, log: Any) -> tuple[str, ...]:
        """What a reader of the choice should know of how well this log tells the simulators."""
        del log
        return ()

    @abstractmethod
    def fit(self, log: Any) -> Simulator:
        """The simulator of this kind that the log points to."""

    @abstractmethod
    def open(self, simulators: Sequence[Simulator], *, opening: Opening) -> World:
        """A world with one simulator per lane."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """Bandit simulators as numbers, ready for an engine."""

    columns: FloatArray  # [simulator, arm, column]
    entries: FloatArray  # [simulator, arm, entry]; one entry of zero when unused
    means: FloatArray  # [simulator, arm]


@final
@dataclass(frozen=True, slots=True, eq=False)
class ArmEntries:
    """The table of each lane's pulled arm, [entry, lane], read entry by entry, never copied."""

    entries: FloatArray  # [lane, arm, entry]
    arms: IntArray  # [lane]

    @property
    def shape(self) -> tuple[int, int]:
        """Entries and lanes."""
        return self.entries.shape[2], self.entries.shape[0]

    def __getitem__(self, place: tuple[IntArray, IntArray]) -> FloatArray:
        """The entries at (entry, lane)."""
        entry, lane = place
        return np.asarray(self.entries[lane, self.arms[lane], entry])


class HasPosterior(ABC):
    """A family that can draw simulators from a posterior, given the log."""

    @abstractmethod
    def posterior(self, log: Any, *, size: int, rng: np.random.Generator) -> list[Simulator]:
        """Draws from the posterior over simulators under the family's reference prior.

        They are drawn one after the other, so that asking for more changes none of the first.
        """


class BanditFamily(Family):
    """Rewards that are a scalar function of one draw and of a few numbers by arm.

    `reward(draw, p, table)` is a plain function of `audition.scalars` arithmetic: `p` is the named
    tuple `Columns` filled with one arm's numbers, `table` that arm's entries (for `lookup`).
    """

    noise: ClassVar[str] = "normal"  # the draw that reward takes: "normal" or "uniform"
    Columns: ClassVar[Any]  # a NamedTuple class of one arm's numbers, as `reward` reads them
    supports: ClassVar[str] = "real"  # the rewards it can give: one of SUPPORTS, or "logged"

    @staticmethod
    @abstractmethod
    def reward(draw: Any, p: Any, table: Any) -> Any:
        """The reward that one draw gives for an arm with these numbers."""

    @abstractmethod
    def tables(self, simulators: Sequence[Simulator]) -> Tables:
        """The simulators' numbers for an engine."""

    @abstractmethod
    def log_likelihood(self, simulator: Simulator, log: Log) -> FloatArray:  # [row]
        """The log density of every logged reward under a simulator, in one shared unit.

        Families are compared by it on held-out rows. A reward stands for the cell of values that
        would have been written down as it (`audition.cells`): the probability of that cell over
        its width, so that masses and densities meet on equal terms. Where a density is flat over
        a cell it is the plain log density.
        """

    @abstractmethod
    def sample(
        self, simulator: Simulator, arms: IntArray, rng: np.random.Generator
    ) -> FloatArray:  # [row]
        """Fresh rewards for the given arms (the parametric bootstrap)."""

    def support(self, log: Log) -> str:
        """The rewards that simulators fitted to this log can give, one of `SUPPORTS`."""
        return support_of(log.rewards) if self.supports == "logged" else self.supports

    def means(self, simulator: Simulator) -> FloatArray:  # [arm]
        """The true mean reward of every arm."""
        means: FloatArray = self.tables([simulator]).means[0]
        return means

    def arm_table(self, tables: Tables) -> ArmTable:
        """What a plain world pays, one row of the tables a lane."""

        def reward(draw: FloatArray, arms: IntArray) -> FloatArray:
            lane = np.arange(arms.size)
            columns = self.Columns(*tables.columns[lane, arms].T)
            paid = type(self).reward(draw, columns, ArmEntries(tables.entries, arms))
            return np.broadcast_to(np.asarray(paid, dtype=np.float64), arms.shape)

        return ArmTable(tables.means, self.noise, reward)

    def open(self, simulators: Sequence[Simulator], *, opening: Opening) -> BanditWorld:
        """A plain bandit world in double precision, made from the scalar reward."""
        return BanditWorld(
            self.arm_table(self.tables(simulators)),
            draws=Draws(opening.seed, REWARD_PURPOSE, opening.lanes),
            horizon=opening.horizon,
            checkpoints=opening.checkpoints,
        )


REWARD_PURPOSE: Final = "world"
SUPPORTS: Final = {  # what each kind of reward holds besides itself
    "binary": ("binary",),
    "unit": ("binary", "unit"),
    "count": ("binary", "count"),
    "positive": ("positive",),
    "nonnegative": ("binary", "unit", "count", "positive", "nonnegative"),
    "real": ("binary", "unit", "count", "positive", "nonnegative", "real"),
}


def support_of(rewards: FloatArray) -> str:
    """The narrowest kind of reward that these all are; `unit` is asked before the rest."""
    if not rewards.size or rewards.min() < 0.0:
        return "real"
    if rewards.max() <= 1.0:
        return "binary" if bool(np.all((rewards == 0.0) | (rewards == 1.0))) else "unit"
    if bool(np.all(rewards == np.floor(rewards))):
        return "count"
    return "positive" if rewards.min() > 0.0 else "nonnegative"


def holds(support: str, rewards: FloatArray) -> bool:
    """Whether rewards of this kind could all have been these."""
    if support == "positive":
        return bool(rewards.size and rewards.min() > 0.0)
    return support_of(rewards) in SUPPORTS[support]


def require_rows(family: Family, log: Log, *, least: int = 1) -> None:
    """Refuse a log in which some arm has fewer rows than the family needs to fit it."""
    short = [
        f"{name!r} has {count}"
        for name, count in zip(log.arm_names, log.counts, strict=True)
        if count < least
    ]
    if short:
        raise FamilyError(
            f"a {family.name} fit needs at least {least} row{'s' if least > 1 else ''} of every "
            f"arm, but {', '.join(short)}; log more, or drop the arm"
        )


def require_pooled(family: Family, log: Log) -> None:
    """Refuse a log that leaves an arm without rows, or no row to spare for a pooled spread."""
    require_rows(family, log)
    if log.rows <= len(log.arm_names):
        raise FamilyError(
            f"a {family.name} fit pools its spread over the arms and needs more rows than arms, "
            f"but the log has {log.rows} rows and {len(log.arm_names)} arms; log more, or drop arms"
        )


def require_support(family: BanditFamily, log: Log) -> None:
    """Refuse a log whose rewards the family cannot give."""
    support = family.support(log)
    if not holds(support, log.rewards):
        raise FamilyError(
            f"a {family.name} simulator gives {support} rewards, but the log has rewards from "
            f"{log.rewards.min():.6g} to {log.rewards.max():.6g} of kind "
            f"{support_of(log.rewards)!r}; choose another family, or let it be chosen (auto)"
        )
