"""Families, ensembles, rules and objectives that each break one promise."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from audition.ensemble import Ensemble, Resampling, member_stream
from audition.families.gaussian import Gaussian
from audition.family import BanditFamily, HasPosterior, Tables
from audition.objective import Objective, Regret
from audition.rule import Rule
from audition.simulator import Simulator


class _Gaussian(BanditFamily, HasPosterior):
    """A sound family under a name of its own: the ones below differ from it in one thing."""

    noise = "normal"
    supports = "real"
    Columns = Gaussian.Columns

    @property
    def name(self) -> str:
        return "mine"

    def fit(self, log: Any) -> Simulator:
        return Simulator("mine", Gaussian().fit(log).parameters)

    def tables(self, simulators: Any) -> Any:
        return Gaussian().tables(simulators)

    @staticmethod
    def reward(draw: Any, p: Any, table: Any) -> Any:
        return p.mean + p.sd * draw

    def log_likelihood(self, simulator: Any, log: Any) -> Any:
        return Gaussian().log_likelihood(simulator, log)

    def sample(self, simulator: Any, arms: Any, rng: Any) -> Any:
        return Gaussian().sample(simulator, arms, rng)

    def posterior(self, log: Any, *, size: int, rng: Any) -> Any:
        drawn = Gaussian().posterior(log, size=size, rng=rng)
        return [Simulator("mine", one.parameters) for one in drawn]


@dataclass(frozen=True)
class SoundFamily(_Gaussian):
    """Breaks nothing."""


@dataclass(frozen=True)
class RandomFit(_Gaussian):
    """Fits otherwise each time."""

    def fit(self, log: Any) -> Simulator:
        fitted = dict(Gaussian().fit(log).parameters)
        fitted["mean"] = fitted["mean"] + np.random.default_rng().normal()
        return Simulator("mine", fitted)


@dataclass(frozen=True)
class WrongMeans(_Gaussian):
    """Says that its means are higher than what it pays."""

    def tables(self, simulators: Any) -> Any:
        sound = Gaussian().tables(simulators)
        return Tables(sound.columns, sound.entries, sound.means + 1.0)


@dataclass(frozen=True)
class OtherSamples(_Gaussian):
    """Samples with twice the noise."""

    def sample(self, simulator: Any, arms: Any, rng: Any) -> Any:
        mean = simulator.parameters["mean"][arms]
        return mean + 2.0 * (Gaussian().sample(simulator, arms, rng) - mean)


@dataclass(frozen=True)
class TakesLostArm(_Gaussian):
    """Falls over a log without rows of an arm."""

    def fit(self, log: Any) -> Simulator:
        if log.counts.min() == 0:
            raise ZeroDivisionError("no rows")
        return _Gaussian.fit(self, log)


@dataclass(frozen=True)
class LikesShuffles(_Gaussian):
    """Its likelihood has the wrong sign."""

    def log_likelihood(self, simulator: Any, log: Any) -> Any:
        return -Gaussian().log_likelihood(simulator, log)


@dataclass(frozen=True)
class EagerPosterior(_Gaussian):
    """Draws all means first and all deviations after them."""

    def posterior(self, log: Any, *, size: int, rng: Any) -> Any:
        fitted = Gaussian().fit(log)
        sds = [float(fitted.parameters["sd"]) * (1.0 + rng.random()) for _ in range(size)]
        return [
            Simulator(
                "mine", {"mean": fitted.parameters["mean"] + rng.normal(), "sd": np.array(sd)}
            )
            for sd in sds
        ]


@dataclass(frozen=True)
class RewardInNumPy(_Gaussian):
    """Writes its reward with NumPy, which an engine cannot compile."""

    @staticmethod
    def reward(draw: Any, p: Any, table: Any) -> Any:
        return np.add(p.mean, np.multiply(p.sd, draw))


class _Resampling(Resampling):
    """A sound way to make ensembles."""

    @property
    def name(self) -> str:
        return "mine"

    def make(self, family: Any, log: Any, *, size: int, seed: int) -> Ensemble:
        fitted = family.fit(log)
        return Ensemble("mine", tuple(self.member(fitted, i, seed) for i in range(size)))

    def member(self, fitted: Simulator, number: int, seed: int) -> Simulator:
        moved = member_stream(seed, "mine", number).normal(size=fitted.parameters["mean"].shape)
        return Simulator(
            fitted.family, {**fitted.parameters, "mean": fitted.parameters["mean"] + moved}
        )


@dataclass(frozen=True)
class SoundResampling(_Resampling):
    """Breaks nothing."""


@dataclass(frozen=True)
class OneTooFew(_Resampling):
    """Forgets the last member."""

    def make(self, family: Any, log: Any, *, size: int, seed: int) -> Ensemble:
        return _Resampling.make(self, family, log, size=size - 1, seed=seed)


@dataclass(frozen=True)
class IgnoresSeed(_Resampling):
    """Gives the same members for every seed."""

    def member(self, fitted: Simulator, number: int, seed: int) -> Simulator:
        return _Resampling.member(self, fitted, number, 0)


@dataclass(frozen=True)
class OneStream(_Resampling):
    """Draws all members' noise at once, so that each depends on how many there are."""

    def make(self, family: Any, log: Any, *, size: int, seed: int) -> Ensemble:
        fitted = family.fit(log)
        mean = fitted.parameters["mean"]
        moved = np.random.default_rng(seed).normal(size=(mean.size, size)).T
        made = [Simulator(fitted.family, {**fitted.parameters, "mean": mean + m}) for m in moved]
        return Ensemble("mine", tuple(made))


@dataclass(frozen=True)
class AllAlike(_Resampling):
    """Makes the same member again and again."""

    def member(self, fitted: Simulator, number: int, seed: int) -> Simulator:
        return _Resampling.member(self, fitted, 0, seed)


@dataclass(frozen=True)
class SoundRule(Rule):
    """Breaks nothing."""

    @property
    def name(self) -> str:
        return "mine"

    def worth(self, values: Any) -> Any:
        return values.mean(axis=1)


class _Rule(Rule):
    @property
    def name(self) -> str:
        return "mine"


@dataclass(frozen=True)
class OneWorth(_Rule):
    """One worth for all."""

    def worth(self, values: Any) -> Any:
        return values.mean()


@dataclass(frozen=True)
class FirstMember(_Rule):
    """Looks at the first member only."""

    def worth(self, values: Any) -> Any:
        return values[:, 0].copy()


@dataclass(frozen=True)
class SortsInPlace(_Rule):
    """Sorts the scores that it was given."""

    def worth(self, values: Any) -> Any:
        values.sort(axis=1)
        return values[:, 0].copy()


@dataclass(frozen=True)
class Contrary(_Rule):
    """Prefers what does worse."""

    def worth(self, values: Any) -> Any:
        return -values.mean(axis=1)


@dataclass(frozen=True)
class FirstCandidate(_Rule):
    """Prefers whoever stands first."""

    def worth(self, values: Any) -> Any:
        return values.mean(axis=1) - 100.0 * np.arange(values.shape[0])


@dataclass(frozen=True)
class RandomRule(_Rule):
    """Throws dice."""

    def worth(self, values: Any) -> Any:
        return values.mean(axis=1) + np.random.default_rng().normal(size=values.shape[0])


class _Objective(Objective):
    @property
    def name(self) -> str:
        return "mine"

    def checkpoints(self, horizon: int) -> tuple[int, ...]:
        return (horizon // 2, horizon)

    def score(self, outcome: Any) -> Any:
        start = outcome.checkpoints.index(outcome.checkpoints[-1] // 2)
        return (outcome.totals[:, -1] - outcome.totals[:, start]).sum(axis=-1)


@dataclass(frozen=True)
class SoundObjective(_Objective):
    """The rewards of the second half."""


@dataclass(frozen=True)
class FirstSeen(_Objective):
    """Takes the first round that anybody looked at for its own."""

    def score(self, outcome: Any) -> Any:
        return (outcome.totals[:, -1] - outcome.totals[:, 0]).sum(axis=-1)


@dataclass(frozen=True)
class BeyondTheEnd(_Objective):
    """Asks for a round after the last."""

    def checkpoints(self, horizon: int) -> tuple[int, ...]:
        return (horizon, horizon + 1)

    def score(self, outcome: Any) -> Any:
        return Regret().score(outcome)


@dataclass(frozen=True)
class LessTheMean(_Objective):
    """Scores a lane against the others."""

    def score(self, outcome: Any) -> Any:
        score = Regret().score(outcome)
        return score - score.mean()


@dataclass(frozen=True)
class OneScore(_Objective):
    """One score for all lanes."""

    def score(self, outcome: Any) -> Any:
        return Regret().score(outcome).sum()


@dataclass(frozen=True)
class ListSetting(_Rule):
    """Keeps a mutable setting."""

    seen: list = field(default_factory=list)

    def worth(self, values: Any) -> Any:
        return values.mean(axis=1)
