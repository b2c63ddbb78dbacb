"""Every bandit learner once more, for one lane, written as its paper has it: loops and lists."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from audition.learners.beta_thompson import COIN, beta
from audition.scalars import uniform_of


@dataclass
class Seen:
    """What a learner has seen so far in its lane, and this round's random numbers."""

    arms: int
    horizon: int
    rewards: list[list[float]] = field(default_factory=list)  # [arm][pull]
    order: list[tuple[int, float]] = field(default_factory=list)
    round: int = 1
    draws: list[Any] = field(default_factory=list)  # [arm]
    memory: dict[str, Any] = field(default_factory=dict)

    def mean(self, arm: int) -> float:
        return fmean(self.rewards[arm])

    def pulls(self, arm: int) -> int:
        return len(self.rewards[arm])

    def variance(self, arm: int) -> float:
        mean = self.mean(arm)
        return fmean([(reward - mean) ** 2 for reward in self.rewards[arm]])

    def largest(self, index: Callable[[int], float]) -> int:
        return max(range(self.arms), key=lambda arm: (index(arm), -arm))

    def uniform(self, arm: int, number: int) -> float:
        return float(uniform_of(self.draws[arm], number))


def opening(seen: Seen) -> int | None:
    """Each arm once, in order."""
    return seen.round - 1 if seen.round <= seen.arms else None


def ucb(seen: Seen, learner: Any) -> int:
    return seen.largest(
        lambda arm: (
            seen.mean(arm) + math.sqrt(2 * learner.theta * math.log(seen.round) / seen.pulls(arm))
        )
    )


def ts(seen: Seen, learner: Any) -> int:
    return seen.largest(
        lambda arm: seen.mean(arm) + math.sqrt(learner.theta / seen.pulls(arm)) * seen.draws[arm]
    )


def epsilon_greedy(seen: Seen, learner: Any) -> int:
    if seen.uniform(0, 1) < learner.epsilon:
        return seen.largest(lambda arm: seen.uniform(arm, 2))
    return seen.largest(seen.mean)


def epsilon_decay(seen: Seen, learner: Any) -> int:
    if seen.uniform(0, 1) < min(1.0, learner.decay * seen.arms / seen.round):
        return seen.largest(lambda arm: seen.uniform(arm, 2))
    return seen.largest(seen.mean)


def explore_then_commit(seen: Seen, learner: Any) -> int:
    if seen.round <= learner.each * seen.arms:
        return (seen.round - 1) % seen.arms
    if "committed" not in seen.memory:
        seen.memory["committed"] = seen.largest(seen.mean)
    return int(seen.memory["committed"])


def _gumbel(uniform: float) -> float:
    return -math.log(-math.log(uniform))


def boltzmann(seen: Seen, learner: Any) -> int:
    return seen.largest(lambda arm: seen.mean(arm) + learner.temperature * _gumbel(seen.draws[arm]))


def boltzmann_gumbel(seen: Seen, learner: Any) -> int:
    return seen.largest(
        lambda arm: (
            seen.mean(arm) + learner.scale / math.sqrt(seen.pulls(arm)) * _gumbel(seen.draws[arm])
        )
    )


def ucb_tuned(seen: Seen, learner: Any) -> int:
    logarithm, square = math.log(seen.round), learner.width**2

    def index(arm: int) -> float:
        pulls = seen.pulls(arm)
        bound = seen.variance(arm) + square * math.sqrt(2 * logarithm / pulls)
        return seen.mean(arm) + math.sqrt(logarithm / pulls * min(square / 4, bound))

    return seen.largest(index)


def ucb_v(seen: Seen, learner: Any) -> int:
    level = learner.zeta * math.log(seen.round)

    def index(arm: int) -> float:
        pulls = seen.pulls(arm)
        spread = math.sqrt(2 * seen.variance(arm) * level / pulls)
        return seen.mean(arm) + spread + 3 * learner.width * level / pulls

    return seen.largest(index)


def divergence(p: float, q: float) -> float:
    """Kullback-Leibler divergence of two coins."""
    near = 0.0 if p == 0.0 else p * math.log(p / q)
    return near + (0.0 if p == 1.0 else (1 - p) * math.log((1 - p) / (1 - q)))


def kl_bound(mean: float, level: float) -> float:
    """The largest q in [mean, 1) whose divergence stays within the level, by bisection."""
    low, high = mean, 1.0
    for _ in range(100):
        middle = (low + high) / 2
        if middle < 1.0 and divergence(mean, middle) <= level:
            low = middle
        else:
            high = middle
    return low


def kl_ucb(seen: Seen, learner: Any) -> int:
    level = learner.scale * math.log(seen.round)
    return seen.largest(lambda arm: kl_bound(seen.mean(arm), level / seen.pulls(arm)))


def moss(seen: Seen, learner: Any) -> int:
    def index(arm: int) -> float:
        pulls = seen.pulls(arm)
        left = max(math.log(seen.horizon / (seen.arms * pulls)), 0.0)
        return seen.mean(arm) + math.sqrt(2 * learner.theta * left / pulls)

    return seen.largest(index)


def successive_elimination(seen: Seen, learner: Any) -> int:
    left = seen.memory.setdefault("left", set(range(seen.arms)))
    width = {
        arm: math.sqrt(2 * learner.theta * math.log(seen.horizon) / seen.pulls(arm)) for arm in left
    }
    most = max(seen.mean(arm) - width[arm] for arm in left)
    left -= {arm for arm in left if seen.mean(arm) + width[arm] < most}
    return min(sorted(left), key=seen.pulls)


def beta_ts(seen: Seen, learner: Any) -> int:
    wins = [0.0] * seen.arms
    for (arm, reward), coin in zip(seen.order, seen.memory.get("coins", []), strict=True):
        wins[arm] += coin < reward

    def index(arm: int) -> float:
        losses = seen.pulls(arm) - wins[arm]
        a = learner.prior + wins[arm] / learner.narrowing
        return float(beta(a, learner.prior + losses / learner.narrowing, seen.draws[arm]))

    chosen = seen.largest(index)
    seen.memory.setdefault("coins", []).append(seen.uniform(chosen, COIN))
    return chosen


def exp3(seen: Seen, learner: Any) -> int:
    floor = learner.gamma / seen.arms
    weights = [1.0] * seen.arms
    for arm, reward in seen.order:
        share = weights[arm] / sum(weights)
        probability = (1 - learner.gamma) * share + floor
        weights[arm] *= math.exp(floor * reward / probability)
    if seen.uniform(0, 1) < learner.gamma:
        return seen.largest(lambda arm: _gumbel(seen.uniform(arm, 2)))
    return seen.largest(lambda arm: math.log(weights[arm]) + _gumbel(seen.uniform(arm, 2)))


WITHOUT_OPENING = ("beta_ts", "exp3")

NAIVE: dict[str, Callable[[Seen, Any], int]] = {
    "ucb": ucb,
    "ts": ts,
    "epsilon_greedy": epsilon_greedy,
    "epsilon_decay": epsilon_decay,
    "explore_then_commit": explore_then_commit,
    "boltzmann": boltzmann,
    "boltzmann_gumbel": boltzmann_gumbel,
    "ucb_tuned": ucb_tuned,
    "ucb_v": ucb_v,
    "kl_ucb": kl_ucb,
    "moss": moss,
    "successive_elimination": successive_elimination,
    "beta_ts": beta_ts,
    "exp3": exp3,
}


def play(
    learner: Any,
    *,
    arms: int,
    horizon: int,
    pay: Callable[[int, int], float],
    draws: Callable[[int], list[Any]],
) -> list[int]:
    """The arms pulled in one lane; `pay(round, arm)` is the reward, `draws(round)` the numbers."""
    rule = NAIVE[learner.name]
    seen = Seen(arms=arms, horizon=horizon, rewards=[[] for _ in range(arms)])
    pulled = []
    for seen.round in range(1, horizon + 1):
        seen.draws = draws(seen.round)
        first = None if learner.name in WITHOUT_OPENING else opening(seen)
        arm = rule(seen, learner) if first is None else first
        reward = pay(seen.round, arm)
        seen.rewards[arm].append(reward)
        seen.order.append((arm, reward))
        pulled.append(arm)
    return pulled
