"""Thompson Sampling with Beta posteriors, for rewards in [0, 1] (Agrawal and Goyal 2012).

Every reward r becomes a coin flip that succeeds with probability r (a reward of 0 or 1 stays as it
is). The posterior of an arm is `Beta(prior + wins / n, prior + losses / n)`, where n is the
`narrowing`: above 1 it widens the posterior and explores more, below 1 less (the posterior
reshaping of Chapelle and Li 2011); 1 with prior 1 is the algorithm as published.

The draw is Cheng's (1978) rejection sampler BB, run for `TRIES` tries in every lane, all of them
grown from the arm's one random word; if none is accepted the posterior's mean stands in. Each is
accepted with probability 0.68 or more, so the law is within `0.32^8 = 1.1e-4` of the Beta law in
total variation at worst, and much nearer once an arm has had wins and losses.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple, final

from audition.errors import ConfigError
from audition.learner import Hints, ScalarLearner
from audition.scalars import exp, log, maximum, minimum, sqrt, uniform_of, where

NARROWINGS: Final = (0.05, 0.1, 0.2, 0.4, 0.7, 1.0, 1.5)
TRIES: Final = 8
COIN: Final = 2 * TRIES  # the first 2 TRIES uniforms of a word are the sampler's
LOG_FOUR: Final = math.log(4.0)
TRIFLE: Final = 1e-6  # makes the rate of Beta(1, 1), a 0 over 0, one: its limit


class Settings(NamedTuple):
    """Numbers that the rule reads."""

    narrowing: float
    prior: float


class Now(NamedTuple):
    """What the round fixes."""

    weight: float  # of one pull, 1 / narrowing
    prior: float


@final
@dataclass(frozen=True, slots=True)
class BetaThompson(ScalarLearner):
    """Pull each arm with the posterior probability that its coin is the best."""

    narrowing: float = 1.0
    prior: float = 1.0

    needs: ClassVar[str] = "unit"
    noise: ClassVar[str] = "bits"
    keeps: ClassVar[tuple[str, ...]] = ("memory",)  # wins
    opening: ClassVar[int] = 0
    Settings: ClassVar[Any] = Settings

    def __post_init__(self) -> None:
        if not 0.0 < self.narrowing < math.inf:
            raise ConfigError(
                f"the narrowing is above 0 and finite, but is {self.narrowing}; 1 leaves the "
                "posterior as it is"
            )
        if not 1.0 <= self.prior < math.inf:
            raise ConfigError(
                "the prior counts at least one win and one loss of each arm, because the sampler "
                f"needs them, but is {self.prior}"
            )

    @property
    def name(self) -> str:
        """`beta_ts`."""
        return "beta_ts"

    def settings(self) -> tuple[float, ...]:
        """How far the posterior is narrowed, and the prior's wins and losses."""
        return (self.narrowing, self.prior)

    @classmethod
    def grid(cls, hints: Hints) -> "tuple[BetaThompson, ...]":
        """From greedy to wide; the posterior knows the noise itself."""
        del hints
        return tuple(cls(narrowing) for narrowing in NARROWINGS)

    @staticmethod
    def start(settings: Any, clock: Any) -> Now:
        """The weight of a pull."""
        del clock
        return Now(1.0 / settings.narrowing, settings.prior)

    @staticmethod
    def choose(arm: Any, now: Any) -> Any:
        """A draw from the arm's posterior."""
        wins = now.prior + now.weight * arm.memory
        losses = now.prior + now.weight * (arm.pulls - arm.memory)
        return beta(wins, losses, arm.draw)

    @staticmethod
    def update(arm: Any, now: Any, hit: Any, reward: Any) -> Any:
        """One more win if the coin of the reward came up."""
        del now
        return arm.memory + where(uniform_of(arm.draw, COIN) < reward, hit, 0.0)


def beta(wins: Any, losses: Any, word: Any) -> Any:
    """A draw from Beta(wins, losses), both at least 1, from one random word."""
    low, high = minimum(wins, losses), maximum(wins, losses)
    both = low + high
    rate = sqrt((maximum(both - 2.0, 0.0) + TRIFLE) / (2.0 * low * high - both + TRIFLE))
    slope = low + 1.0 / rate
    odds, accepted = low / high, 0.0 * low
    for trial in range(TRIES):
        first = uniform_of(word, 2 * trial)
        logit = rate * log(first / (1.0 - first))
        weight = low * exp(logit)
        score = both * log(both / (high + weight)) + slope * logit - LOG_FOUR
        kept = score > log(first * first * uniform_of(word, 2 * trial + 1))
        fresh = where(kept, 1.0 - accepted, 0.0)
        odds = where(fresh > 0.5, weight / high, odds)
        accepted = maximum(accepted, fresh)
    return where(wins <= losses, odds, 1.0) / (1.0 + odds)
