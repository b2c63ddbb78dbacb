"""The compiled rules and rewards against the plain ones, for every plug-in that has both.

The plain engine counts in double precision and the compiled one in single, so a near tie may fall
the other way and a run then parts for good. Over these few rounds that is rare; a rule that means
something else when compiled parts in most runs.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest

from audition.engine import Played, Work
from audition.engine.cpu import CpuEngine
from audition.engine.cpu_kernel import make
from audition.engine.plain import PlainEngine
from audition.families.bernoulli import Bernoulli
from audition.families.gaussian import Gaussian
from audition.family import BanditFamily
from audition.learner import Hints, ScalarLearner
from audition.learners.explore_then_commit import ExploreThenCommit
from audition.learners.thompson import ThompsonSampling
from audition.learners.ucb import UCB
from audition.log import Log
from audition.plugins import discover
from audition.scalars import log, sqrt, where
from audition.simulator import Simulator

RULES = [
    plugin.cls
    for plugin in discover().of("learners")
    if issubclass(plugin.cls, ScalarLearner) and plugin.origin == "built in"
]
FAMILIES = [
    plugin.cls
    for plugin in discover().of("families")
    if issubclass(plugin.cls, BanditFamily) and plugin.origin == "built in"
]
HINTS = Hints(noise=1.0, gap=0.5, arms=3, horizon=50)
COINS = Hints(noise=0.5, gap=0.3, arms=3, horizon=50, low=0.0, high=1.0, support="binary")
MOST_APART = 0.02  # share of runs that rounding may send another way
CLOSE = 1e-4  # of sums of rewards in single precision, relative to their size


def work(learners: Sequence[ScalarLearner], *, arms: int, rounds: int = 50, runs: int = 96) -> Work:
    """Every learner in two simulators, on two members' randomness."""
    if learners[0].needs == "unit":
        family: BanditFamily = Bernoulli()
        pair = [{"share": np.linspace(0.2, top, arms)} for top in (0.5, 0.8)]
    else:
        family = Gaussian()
        pair = [
            {"mean": np.linspace(3.0, 3.0 + gap, arms), "sd": np.array(1.0)} for gap in (0.5, 1.0)
        ]
    simulators = [Simulator(family.name, one) for one in pair for _ in learners]
    return Work(
        learners=(*learners, *learners),
        family=family,
        tables=family.tables(simulators),
        members=np.repeat([0, 5], len(learners)),
        replications=np.arange(3, 3 + runs),
        horizon=rounds,
        checkpoints=(rounds // 2, rounds),
        seed=11,
    )


def played_twice(asked: Work) -> tuple[Played, Played]:
    return PlainEngine().play(asked), CpuEngine(threads=1).play(asked)


def share_apart(plain: Played, fast: Played) -> float:
    return float((plain.pulls != fast.pulls).any(axis=(1, 2)).mean())


def test_every_built_in_bandit_learner_has_the_fast_path() -> None:
    bandits = [plugin.cls for plugin in discover().of("learners") if plugin.cls.plays == "bandit"]
    assert bandits
    assert set(bandits) <= set(RULES)


@pytest.mark.parametrize("arms", [2, 4, 9])
@pytest.mark.parametrize("cls", RULES, ids=lambda cls: cls.__name__)
def test_every_built_in_rule_is_compiled_to_what_it_says(cls: Any, arms: int) -> None:
    grid = cls.grid(COINS if cls.needs == "unit" else HINTS)
    plain, fast = played_twice(work((grid[0], grid[-1]), arms=arms))
    assert share_apart(plain, fast) <= MOST_APART


@pytest.mark.parametrize("cls", RULES, ids=lambda cls: cls.__name__)
def test_a_rule_that_is_played_often_gives_the_same_bits(cls: Any) -> None:
    grid = cls.grid(COINS if cls.needs == "unit" else HINTS)
    asked = work((grid[0], grid[-1]), arms=3)
    # four cells of one member, three abreast: a row of both simulators, then one that is not full
    assert same_bits(replace(asked, members=np.zeros(4, dtype=np.int64)))


def test_two_cells_abreast_give_the_same_bits_as_one() -> None:
    assert same_bits(work(tuple(map(UCB, (0.3, 1.0, 3.0))), arms=6))  # three cells of a member


def same_bits(asked: Work) -> bool:
    """Whether one cell at a time and several side by side play the same, bit for bit."""
    once = CpuEngine(threads=1, often=np.inf).play(asked)
    often = CpuEngine(threads=1, often=0.0).play(asked)
    return np.array_equal(once.pulls, often.pulls) and np.array_equal(once.totals, often.totals)


def test_few_arms_widen_and_two_or_many_do_not() -> None:
    assert {arms: made_wide(arms) for arms in (2, 3, 5, 9)} == {2: 4, 3: 3, 5: 2, 9: 1}


def made_wide(arms: int) -> int:
    return make(UCB(1.0), Gaussian(), arms=arms, wide=True).plan.abreast


@pytest.mark.parametrize("cls", FAMILIES, ids=lambda cls: cls.__name__)
def test_every_built_in_reward_is_compiled_to_what_it_says(cls: Any) -> None:
    family = cls()
    rng = np.random.default_rng(4)
    rewards = rng.integers(0, 2, 300).astype(float)
    if family.supports != "binary":
        rewards = np.where(
            rewards > 0, 1.0 + rng.poisson(2.0, 300), 0.0 if "zero" in family.name else 1.0
        )
    told = Log.from_arrays(rng.integers(0, 3, 300), rewards)
    simulators = [family.fit(told)]
    asked = Work(
        learners=(ExploreThenCommit(each=60),),
        family=family,
        tables=family.tables(simulators),
        members=np.zeros(1, dtype=np.int64),
        replications=np.arange(200),
        horizon=60,
        checkpoints=(60,),
        seed=3,
    )
    plain, fast = played_twice(asked)
    size = max(float(np.abs(plain.totals).max()), 1.0)
    apart = (np.abs(plain.totals - fast.totals) > CLOSE * size).any(axis=(0, 1, 2))
    assert apart.mean() <= MOST_APART


class Once(NamedTuple):
    """Settings and state of a round."""

    width: float


@dataclass(frozen=True, slots=True)
class Strangers(ScalarLearner):
    """A user's own rule: UCB until a third of the rounds, greedy from then on, with a memory."""

    width: float = 2.0

    keeps: ClassVar[tuple[str, ...]] = ("memory", "squares")
    pooling: ClassVar[str] = "max"
    Settings: ClassVar[Any] = Once

    @property
    def name(self) -> str:
        return "strangers"

    def settings(self) -> tuple[float, ...]:
        return (self.width,)

    @staticmethod
    def start(settings: Any, clock: Any) -> Once:
        bonus = sqrt(settings.width * log(clock.round + 1.0))
        return Once(where(clock.round * 3.0 < clock.horizon, bonus, 0.0))

    @staticmethod
    def choose(arm: Any, now: Any) -> Any:
        steady = arm.squares * arm.root * arm.root - 0.01 * arm.memory
        return arm.total * arm.root * arm.root + now.width * arm.root - 0.05 * steady / arm.pooled

    @staticmethod
    def update(arm: Any, now: Any, hit: Any, reward: Any) -> Any:
        del now
        return 0.9 * arm.memory + hit * reward

    @staticmethod
    def pool(arm: Any, now: Any) -> Any:
        del now
        return arm.pulls + 1.0


@pytest.mark.parametrize("arms", [2, 3, 11])
def test_a_users_own_rule_is_compiled_for_any_number_of_arms(arms: int) -> None:
    plain, fast = played_twice(work((Strangers(2.0), Strangers(0.5)), arms=arms))
    assert share_apart(plain, fast) <= MOST_APART


def test_threads_and_company_change_no_bit() -> None:
    asked = work((UCB(1.0), UCB(3.0)), arms=3, rounds=200, runs=50)
    whole = CpuEngine(threads=2).play(asked)
    alone = CpuEngine(threads=1).play(asked.of_cells(np.array([3])).of_replications(np.array([9])))
    assert (whole.totals[3, :, :, 6] == alone.totals[0, :, :, 0]).all()


def test_a_long_horizon_counts_every_pull() -> None:
    rounds = 2**20 + 7
    played = CpuEngine().play(work((UCB(2.0),), arms=2, rounds=rounds, runs=16))
    assert (played.pulls[:, -1].sum(axis=1) == rounds).all()
    assert (played.pulls[:, -1, 1] > 0.99 * rounds).all()


def test_memory_does_not_grow_with_the_horizon() -> None:
    import tracemalloc

    def peak(rounds: int) -> int:
        asked = work((ThompsonSampling(2.0),), arms=2, rounds=rounds, runs=16)
        CpuEngine(threads=1).play(asked)
        tracemalloc.start()
        CpuEngine(threads=1).play(asked)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    assert peak(200_000) <= peak(2_000) + 10_000
