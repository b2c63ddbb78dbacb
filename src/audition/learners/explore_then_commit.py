"""Explore-then-commit (Lattimore and Szepesvari 2020, chapter 6).

Every arm is pulled `each` times in turn; then the arm of largest mean is pulled to the end, with
no second thoughts. A horizon that is too short for the exploration ends within it.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple, final

from audition.errors import ConfigError
from audition.learner import Hints, ScalarLearner
from audition.scalars import where

SHARES: Final = (0.25, 0.5, 1.0, 2.0, 4.0)  # of the book's number of pulls


class Settings(NamedTuple):
    """Numbers that the rule reads."""

    each: float


class Now(NamedTuple):
    """What the round fixes."""

    exploring: float  # 1.0 while every arm is being pulled in turn, else 0.0


@final
@dataclass(frozen=True, slots=True)
class ExploreThenCommit(ScalarLearner):
    """Try every arm equally often, then stay with the best."""

    each: int

    keeps: ClassVar[tuple[str, ...]] = ("memory",)
    shift_equivariant: ClassVar[bool] = True
    Settings: ClassVar[Any] = Settings

    def __post_init__(self) -> None:
        if self.each < 1:
            raise ConfigError(
                f"explore-then-commit pulls every arm at least once, but each is {self.each}"
            )

    @property
    def name(self) -> str:
        """`explore_then_commit`."""
        return "explore_then_commit"

    def settings(self) -> tuple[float, ...]:
        """The pulls of every arm before it commits."""
        return (float(self.each),)

    @classmethod
    def grid(cls, hints: Hints) -> "tuple[ExploreThenCommit, ...]":
        """Multiples of the book's best number of pulls (its equation 6.5), within the horizon."""
        most = max(hints.horizon // (2 * hints.arms), 1)
        signal = hints.gap**2 / hints.variance / 4.0
        best = most if signal == 0.0 else max(math.log(hints.horizon * signal), 0.0) / signal
        pulls = {min(max(math.ceil(share * best), 1), most) for share in SHARES}
        return tuple(cls(each) for each in sorted(pulls))

    @staticmethod
    def start(settings: Any, clock: Any) -> Now:
        """Whether this round still explores."""
        return Now(where(clock.round <= settings.each * clock.arms, 1.0, 0.0))

    @staticmethod
    def choose(arm: Any, now: Any) -> Any:
        """While exploring the arm with the fewest pulls, then the mean at the end of it."""
        return where(now.exploring > 0.5, -arm.pulls, arm.memory)

    @staticmethod
    def update(arm: Any, now: Any, hit: Any, reward: Any) -> Any:
        """The mean as long as exploration lasts."""
        mean = arm.total * arm.root * arm.root
        fresh = mean + (reward - mean) / (arm.pulls + 1.0)
        return where(now.exploring * hit > 0.5, fresh, arm.memory)
