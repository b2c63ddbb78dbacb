"""UCB with exploration radius theta (the paper's eqn:ucb1; Auer, Cesa-Bianchi and Fischer 2002).

The index is `mean + sqrt(2 theta log t / pulls)`; theta at the variance of the rewards is the
critical level of exploration (Theorem 1 of the paper).
"""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, final

from audition.learner import ScalarLearner
from audition.scalars import log, sqrt


class Settings(NamedTuple):
    """Numbers that the rule reads."""

    theta: float


class Now(NamedTuple):
    """What the round fixes."""

    width: float  # sqrt(2 theta log t)


@final
@dataclass(frozen=True, slots=True)
class UCB(ScalarLearner):
    """Pull the arm whose mean could plausibly be the largest."""

    theta: float

    Settings: ClassVar[Any] = Settings

    @property
    def name(self) -> str:
        """`ucb`."""
        return "ucb"

    def settings(self) -> tuple[float, ...]:
        """The exploration radius."""
        return (self.theta,)

    @staticmethod
    def start(settings: Any, clock: Any) -> Now:
        """The width that one pull would leave."""
        return Now(sqrt(2.0 * settings.theta * log(clock.round)))

    @staticmethod
    def choose(arm: Any, now: Any) -> Any:
        """Mean plus width over the root of the pulls, with one root an arm."""
        return arm.root * (arm.total * arm.root + now.width)
