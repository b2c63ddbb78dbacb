"""Learners that each break one promise, and keep all the others as well as they can."""

import random
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np

from audition.errors import ConfigError
from audition.learner import Hints, Learner, ScalarLearner
from audition.scalars import log, sqrt


def follow(world: Any, pick: Any) -> None:
    """Play every round with the arms that `pick(totals, pulls, round)` names."""
    lane = np.arange(world.lanes)
    totals, pulls = np.zeros((world.lanes, world.arms)), np.zeros((world.lanes, world.arms))
    for number in range(1, world.horizon + 1):
        arms = pick(totals, pulls, number)
        rewards = world.pull(arms)
        totals[lane, arms] += rewards
        pulls[lane, arms] += 1


def greedy(totals: Any, pulls: Any, number: int) -> Any:
    """Each arm once, then the best mean."""
    if number <= pulls.shape[1]:
        return np.full(pulls.shape[0], number - 1)
    return (totals / np.maximum(pulls, 1)).argmax(axis=1)


class Named(Learner):
    """A name of one word."""

    @property
    def name(self) -> str:
        return "broken"


@dataclass(frozen=True, slots=True)
class Sound(Named):
    """Breaks nothing: the others differ from it in one thing."""

    shift_equivariant: ClassVar[bool] = True

    def deploy(self, world: Any, rng: Any) -> None:
        follow(world, greedy)


@dataclass
class Thawed(Named):
    """Its settings can be written."""

    def deploy(self, world: Any, rng: Any) -> None:
        follow(world, greedy)


@dataclass(frozen=True)
class Unwritable(Named):
    """A setting that is no plain value."""

    pick: Any = greedy

    def deploy(self, world: Any, rng: Any) -> None:
        follow(world, greedy)


@dataclass(frozen=True)
class Altered(Named):
    """Comes back with other settings than were written down."""

    rate: float = 1.0

    def __post_init__(self) -> None:
        if not self.rate >= 0:
            raise ConfigError(f"rate is zero or more, but is {self.rate}")
        object.__setattr__(self, "rate", self.rate + 1.0)

    def deploy(self, world: Any, rng: Any) -> None:
        follow(world, greedy)


@dataclass(frozen=True)
class TakesNaN(Named):
    """Takes a setting that is not a number."""

    rate: float = 1.0

    def deploy(self, world: Any, rng: Any) -> None:
        follow(world, greedy)


@dataclass(frozen=True)
class RaisesForeignError(Named):
    """Refuses a setting with an error that is not ours."""

    rate: float = 1.0

    def __post_init__(self) -> None:
        if not self.rate >= 0:
            raise ValueError("bad rate")

    def deploy(self, world: Any, rng: Any) -> None:
        follow(world, greedy)


@dataclass(frozen=True)
class NamedBySettings(Learner):
    """Its name reads its settings."""

    number: int = 3

    @property
    def name(self) -> str:
        return f"broken-{self.number}"

    def deploy(self, world: Any, rng: Any) -> None:
        follow(world, greedy)


@dataclass(frozen=True)
class TwoWords(Learner):
    """Its name is a sentence."""

    @property
    def name(self) -> str:
        return "quite broken"

    def deploy(self, world: Any, rng: Any) -> None:
        follow(world, greedy)


@dataclass(frozen=True)
class StrangeGrid(Named):
    """Proposes learners of another kind."""

    @classmethod
    def grid(cls, hints: Hints) -> tuple[Learner, ...]:
        return (Sound(),)

    def deploy(self, world: Any, rng: Any) -> None:
        follow(world, greedy)


@dataclass(frozen=True)
class RepeatedGrid(Named):
    """Proposes one setting twice."""

    number: int = 1

    @classmethod
    def grid(cls, hints: Hints) -> tuple[Learner, ...]:
        return (cls(1), cls(1))

    def deploy(self, world: Any, rng: Any) -> None:
        follow(world, greedy)


@dataclass(frozen=True)
class StopsEarly(Named):
    """Leaves the last round out."""

    def deploy(self, world: Any, rng: Any) -> None:
        for _ in range(world.horizon - 1):
            world.pull(np.zeros(world.lanes, dtype=np.int64))


@dataclass(frozen=True)
class GoesOn(Named):
    """Plays one round too many."""

    def deploy(self, world: Any, rng: Any) -> None:
        for _ in range(world.horizon + 1):
            world.pull(np.zeros(world.lanes, dtype=np.int64))


@dataclass(frozen=True)
class NeedsThreeRounds(Named):
    """Falls over when the horizon is shorter than the arms."""

    def deploy(self, world: Any, rng: Any) -> None:
        for arm in range(world.arms):
            world.pull(np.full(world.lanes, arm))
        for _ in range(world.horizon - world.arms):
            world.pull(np.zeros(world.lanes, dtype=np.int64))


@dataclass(frozen=True)
class OwnDice(Named):
    """Brings a generator of its own."""

    def deploy(self, world: Any, rng: Any) -> None:
        dice = np.random.default_rng()
        follow(world, lambda totals, pulls, number: dice.integers(world.arms, size=world.lanes))


@dataclass(frozen=True)
class GlobalDice(Named):
    """Draws from the generator that everybody shares, seeded so that runs repeat."""

    def deploy(self, world: Any, rng: Any) -> None:
        random.seed(4)
        follow(
            world,
            lambda totals, pulls, number: np.array(
                [random.randrange(world.arms) for _ in range(world.lanes)]
            ),
        )


@dataclass(frozen=True)
class Remembers(Named):
    """Begins where the last deployment ended."""

    seen: dict[str, int] = field(default_factory=dict)

    def deploy(self, world: Any, rng: Any) -> None:
        before = self.seen.get("rounds", 0)
        self.seen["rounds"] = before + world.horizon
        follow(world, lambda totals, pulls, number: np.full(world.lanes, before % world.arms))


@dataclass(frozen=True)
class MeansOverLanes(Named):
    """All lanes pull the arm that is best on average over the lanes."""

    def deploy(self, world: Any, rng: Any) -> None:
        def pick(totals: Any, pulls: Any, number: int) -> Any:
            if number <= world.arms:
                return np.full(world.lanes, number - 1)
            return np.full(world.lanes, int(totals.sum(axis=0).argmax()))

        follow(world, pick)


@dataclass(frozen=True)
class Peeks(Named):
    """Reads the true means in the world's books."""

    def deploy(self, world: Any, rng: Any) -> None:
        best = world._table.means.argmax(axis=1)
        follow(world, lambda totals, pulls, number: best)


@dataclass(frozen=True)
class SaysItShifts(Named):
    """Declares that shifts change nothing, but counts on rewards above a half."""

    shift_equivariant: ClassVar[bool] = True

    def deploy(self, world: Any, rng: Any) -> None:
        def pick(totals: Any, pulls: Any, number: int) -> Any:
            good = totals / np.maximum(pulls, 1) > 0.5
            return np.where(good.any(axis=1), good.argmax(axis=1), (number - 1) % world.arms)

        follow(world, pick)


@dataclass(frozen=True)
class Crashes(Named):
    """Fails in the middle of a run."""

    def deploy(self, world: Any, rng: Any) -> None:
        raise KeyError("arm")


class Settings(NamedTuple):
    """Numbers that the rules below read."""

    theta: float


class Now(NamedTuple):
    """What the round fixes."""

    width: float


class Scalar(ScalarLearner):
    """A sound scalar rule: the ones below differ from it in one thing."""

    Settings: ClassVar[Any] = Settings

    @property
    def name(self) -> str:
        return "broken_scalar"

    def settings(self) -> tuple[float, ...]:
        return (1.0,)

    @staticmethod
    def start(settings: Any, clock: Any) -> Any:
        return Now(sqrt(2.0 * settings.theta * log(clock.round)))

    @staticmethod
    def choose(arm: Any, now: Any) -> Any:
        return arm.root * (arm.total * arm.root + now.width)


@dataclass(frozen=True)
class SoundScalar(Scalar):
    """Breaks nothing."""


@dataclass(frozen=True)
class TooManyNumbers(Scalar):
    """Gives two settings where the rule reads one."""

    def settings(self) -> tuple[float, ...]:
        return (1.0, 2.0)


@dataclass(frozen=True)
class WholeNumbers(Scalar):
    """Gives a whole number where the rule reads a float."""

    def settings(self) -> tuple[float, ...]:
        return (1,)


@dataclass(frozen=True)
class UsesNumPy(Scalar):
    """Writes its rule with NumPy, which an engine cannot compile."""

    @staticmethod
    def choose(arm: Any, now: Any) -> Any:
        return np.add(arm.root * arm.root * arm.total, arm.root * now.width)


@dataclass(frozen=True)
class LosesPrecision(Scalar):
    """Means something else in single precision: a large constant swallows the differences."""

    @staticmethod
    def choose(arm: Any, now: Any) -> Any:
        return 1.0e9 + arm.root * (arm.total * arm.root + now.width)
