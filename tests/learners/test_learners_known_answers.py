"""Learners against answers worked out by hand: two arms, few rounds, every outcome enumerated.

Deterministic rules are compared exactly: each lane is one whole table of coin flips, and lanes are
weighed by its probability. Rules that draw are compared within 4.5 standard errors, which a true
statement leaves once in 150,000 tries; the seeds are fixed.
"""

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from given_rewards import pulled
from scipy.integrate import quad
from scipy.stats import beta as beta_law
from scipy.stats import kstest, norm

from audition.learners.beta_thompson import BetaThompson, beta
from audition.learners.boltzmann import Boltzmann
from audition.learners.boltzmann_gumbel import BoltzmannGumbel
from audition.learners.epsilon_decay import EpsilonDecay
from audition.learners.epsilon_greedy import EpsilonGreedy
from audition.learners.exp3 import EXP3
from audition.learners.explore_then_commit import ExploreThenCommit
from audition.learners.moss import MOSS
from audition.learners.thompson import ThompsonSampling
from audition.learners.ucb import UCB

SHARES = (0.35, 0.6)  # [arm] of ones
MANY = 40_000
SURE = 4.5

Policy = Callable[[int, list[tuple[int, int]]], list[float]]
"""(round, history of (arm, reward)) -> the probability of each arm."""


def first_of_largest(index: list[float]) -> list[float]:
    best = index.index(max(index))
    return [1.0 if arm == best else 0.0 for arm in range(2)]


def means(history: list[tuple[int, int]]) -> tuple[list[float], list[int]]:
    paid = [[reward for arm, reward in history if arm == wanted] for wanted in range(2)]
    return [sum(one) / len(one) for one in paid], [len(one) for one in paid]


def ucb_policy(theta: float) -> Policy:
    def policy(t: int, history: list[tuple[int, int]]) -> list[float]:
        mean, pulls = means(history)
        return first_of_largest(
            [m + math.sqrt(2 * theta * math.log(t) / n) for m, n in zip(mean, pulls, strict=True)]
        )

    return policy


def moss_policy(theta: float, horizon: int) -> Policy:
    def policy(t: int, history: list[tuple[int, int]]) -> list[float]:
        del t
        mean, pulls = means(history)
        left = [max(math.log(horizon / (2 * n)), 0.0) for n in pulls]
        return first_of_largest(
            [m + math.sqrt(2 * theta * v / n) for m, v, n in zip(mean, left, pulls, strict=True)]
        )

    return policy


def commit_policy(each: int) -> Policy:
    def policy(t: int, history: list[tuple[int, int]]) -> list[float]:
        if t <= 2 * each:
            return [1.0, 0.0] if t % 2 else [0.0, 1.0]
        return first_of_largest(means(history[: 2 * each])[0])

    return policy


def greedy_policy(epsilon: Callable[[int], float]) -> Policy:
    def policy(t: int, history: list[tuple[int, int]]) -> list[float]:
        best = first_of_largest(means(history)[0])
        return [epsilon(t) / 2 + (1 - epsilon(t)) * one for one in best]

    return policy


def expected_pulls(policy: Policy, horizon: int) -> float:
    """Expected pulls of arm 1, over every history there can be."""

    def ahead(history: list[tuple[int, int]]) -> float:
        t = len(history) + 1
        if t > horizon:
            return 0.0
        chances = [[1.0, 0.0], [0.0, 1.0]][t - 1] if t <= 2 else policy(t, history)
        total = 0.0
        for arm, chance in enumerate(chances):
            if chance:
                share = SHARES[arm]
                later = share * ahead([*history, (arm, 1)])
                later += (1 - share) * ahead([*history, (arm, 0)])
                total += chance * (arm + later)
        return total

    return ahead([])


def every_table(horizon: int) -> tuple[np.ndarray, np.ndarray]:
    """All tables of coin flips  # [lane, round, arm], and their probabilities  # [lane]."""
    flips = np.array(list(itertools.product((0.0, 1.0), repeat=2 * horizon)))
    tables = flips.reshape(-1, horizon, 2)
    share = np.array(SHARES)
    return tables, np.where(tables == 1.0, share, 1.0 - share).prod(axis=(1, 2))


@pytest.mark.parametrize(
    ("learner", "policy"),
    [
        (UCB(theta=0.1), ucb_policy(0.1)),
        (UCB(theta=0.24), ucb_policy(0.24)),
        (UCB(theta=2.0), ucb_policy(2.0)),
        (MOSS(theta=0.5), moss_policy(0.5, 6)),
        (ExploreThenCommit(each=2), commit_policy(2)),
    ],
    ids=["ucb-0.1", "ucb-0.24", "ucb-2", "moss", "explore-then-commit"],
)
def test_expected_pulls_are_those_of_all_histories(learner: Any, policy: Policy) -> None:
    horizon = 6
    tables, weights = every_table(horizon)
    ours = float(weights @ pulled(learner, tables).sum(axis=1))
    assert weights.sum() == pytest.approx(1.0, abs=1e-12)
    assert ours == pytest.approx(expected_pulls(policy, horizon), abs=1e-10)


@pytest.mark.parametrize(
    ("learner", "epsilon"),
    [
        (EpsilonGreedy(epsilon=0.3), lambda t: 0.3),
        (EpsilonDecay(decay=0.8), lambda t: min(1.0, 1.6 / t)),
    ],
    ids=["epsilon-greedy", "epsilon-decay"],
)
def test_expected_pulls_of_rules_that_draw(learner: Any, epsilon: Callable[[int], float]) -> None:
    horizon = 5
    rng = np.random.default_rng(8)
    flips = (rng.random((MANY, horizon, 2)) < np.array(SHARES)).astype(np.float64)
    counted = pulled(learner, flips).sum(axis=1)
    error = SURE * counted.std() / math.sqrt(MANY)
    assert counted.mean() == pytest.approx(
        expected_pulls(greedy_policy(epsilon), horizon), abs=error
    )


def share_of_arm_1(learner: Any, rewards: list[list[float]]) -> float:
    """How often arm 1 is pulled in the last round, over many draws on one table of rewards."""
    tables = np.broadcast_to(np.array(rewards), (MANY, len(rewards), 2))
    return float(pulled(learner, tables)[:, -1].mean())


def near(share: float) -> Any:
    return pytest.approx(share, abs=SURE * math.sqrt(share * (1 - share) / MANY))


@pytest.mark.parametrize("theta", [0.25, 1.0, 4.0])
def test_thompson_sampling_matches_probabilities_in_round_three(theta: float) -> None:
    """eqn:TS after one reward each: P(N(r1, theta) > N(r0, theta))."""
    share = share_of_arm_1(ThompsonSampling(theta=theta), [[0.3, 0.0], [0.0, 0.9], [0.0, 0.0]])
    assert share == near(float(norm.cdf(0.6 / math.sqrt(2 * theta))))


def test_thompson_sampling_matches_probabilities_after_unequal_pulls() -> None:
    """Round four, with pulls (2, 1) or (1, 2), whichever the draw of round three gave."""
    theta, first, third, second, other = 1.0, 0.3, 0.9, 0.5, 0.1
    up = norm.cdf((second - first) / math.sqrt(2 * theta))
    after_1 = norm.cdf(((second + other) / 2 - first) / math.sqrt(theta * 1.5))
    after_0 = norm.cdf((second - (first + third) / 2) / math.sqrt(theta * 1.5))
    rewards = [[first, 0.0], [0.0, second], [third, other], [0.0, 0.0]]
    share = share_of_arm_1(ThompsonSampling(theta=theta), rewards)
    assert share == near(float(up * after_1 + (1 - up) * after_0))


@pytest.mark.parametrize("theta", [0.5, 2.0])
def test_thompson_sampling_regret_at_horizon_three_is_a_normal_integral(theta: float) -> None:
    """Gaussian arms 1 apart with sd 1.5: the worse arm is pulled once, then with P(Z < -1 / s)."""
    rng = np.random.default_rng(3)
    rewards = rng.normal([1.0, 0.0], 1.5, (MANY, 3, 2))
    worse = pulled(ThompsonSampling(theta=theta), rewards).sum(axis=1)
    chance = float(norm.cdf(-1.0 / math.sqrt(2 * (1.5**2 + theta))))
    assert worse.mean() == pytest.approx(
        1.0 + chance, abs=SURE * math.sqrt(chance * (1 - chance) / MANY)
    )


def test_ucb_regret_at_horizon_four_is_a_normal_integral() -> None:
    """Gaussian arms: round three follows the larger reward, round four a bound on two normals."""
    theta, gap, sd, horizon = 0.5, 1.0, 1.5, 4
    rng = np.random.default_rng(4)
    rewards = rng.normal([gap, 0.0], sd, (MANY, horizon, 2))
    worse = pulled(UCB(theta=theta), rewards)
    chance = float(norm.cdf(-gap / (sd * math.sqrt(2))))
    assert worse[:, 2].mean() == near(chance)
    wide, narrow = (math.sqrt(2 * theta * math.log(4) / n) for n in (1, 2))
    first = np.linspace(gap - 8 * sd, gap + 8 * sd, 1201)[:, None]  # the reward of arm 0
    second = np.linspace(-8 * sd, 8 * sd, 1201)[None, :]
    density = norm.pdf(first, gap, sd) * norm.pdf(second, 0.0, sd)
    # the leader is left if the mean of its two rewards falls below the other's one by the widths
    left_0 = norm.cdf((2 * (second + wide - narrow) - first - gap) / sd)
    left_1 = norm.cdf((2 * (first + wide - narrow) - second - 0.0) / sd)
    pulls_1 = density * np.where(first > second, left_0, 1.0 - left_1)
    cell = (16 * sd / 1200) ** 2
    assert worse[:, 3].mean() == near(float(pulls_1.sum() * cell))


@pytest.mark.parametrize("temperature", [0.2, 1.0])
def test_boltzmann_draws_by_the_softmax_of_means(temperature: float) -> None:
    share = share_of_arm_1(Boltzmann(temperature=temperature), [[0.3, 0], [0, 0.5], [0, 0]])
    assert share == near(1 / (1 + math.exp(-0.2 / temperature)))


def test_boltzmann_gumbel_cools_with_the_root_of_the_pulls() -> None:
    """After (2, 1) pulls of equal means b = 0.4 / sqrt(2) meets 0.4; P by the Gumbel integral."""
    rewards = [[0.5, 0.0], [0.0, 0.1], [0.5, 0.1], [0.0, 0.0]]
    tables = np.broadcast_to(np.array(rewards), (MANY, 4, 2))
    arms = pulled(BoltzmannGumbel(scale=0.4), tables)
    third = float(arms[:, 2].mean())
    assert third == near(1 / (1 + math.exp(0.4 / 0.4)))
    stayed = arms[arms[:, 2] == 0, 3]
    cool = 0.4 / math.sqrt(2)
    chance = quad(
        # x: the Gumbel of arm 1; arm 0 must stay below 0.1 + 0.4 x
        lambda x: math.exp(-x - math.exp(-x)) * math.exp(-math.exp(-(0.4 * x - 0.4) / cool)),
        -5.0,
        40.0,
    )[0]
    assert stayed.mean() == pytest.approx(
        chance, abs=SURE * math.sqrt(chance * (1 - chance) / stayed.size)
    )


def test_exp3_probabilities_follow_its_weights() -> None:
    """gamma 0.4: after a reward of 1 the pulled arm has weight exp(0.2 / 0.5) against 1."""
    tables = np.broadcast_to(np.array([[1.0, 1.0], [0.0, 0.0]]), (MANY, 2, 2))
    arms = pulled(EXP3(gamma=0.4), tables)
    assert arms[:, 0].mean() == near(0.5)
    weight = math.exp(0.2 / 0.5)
    stays = 0.6 * weight / (weight + 1) + 0.2
    assert (arms[:, 0] == arms[:, 1]).mean() == near(stays)


def test_beta_thompson_follows_the_posterior_of_wins_and_losses() -> None:
    """Uniform priors; after one win the arm is Beta(2, 1), and P(Beta(2, 1) > U) is 2/3."""
    tables = np.broadcast_to(np.array([[1.0, 1.0], [0.0, 0.0]]), (MANY, 2, 2))
    arms = pulled(BetaThompson(), tables)
    assert arms[:, 0].mean() == near(0.5)
    assert (arms[:, 0] == arms[:, 1]).mean() == near(2 / 3)


def test_beta_thompson_flips_a_coin_for_a_reward_between_zero_and_one() -> None:
    """A reward of 0.3 is a win with probability 0.3: 0.3 x 2/3 + 0.7 x 1/3."""
    tables = np.broadcast_to(np.array([[0.3, 0.3], [0.0, 0.0]]), (MANY, 2, 2))
    arms = pulled(BetaThompson(), tables)
    assert (arms[:, 0] == arms[:, 1]).mean() == near(0.3 * 2 / 3 + 0.7 / 3)


@pytest.mark.parametrize(
    ("wins", "losses"),
    [(1.0, 1.0), (2.0, 1.0), (1.0, 9.0), (3.5, 2.25), (40.0, 11.0), (800.0, 3.0)],
)
def test_beta_sampler_follows_the_beta_law(wins: float, losses: float) -> None:
    """Kolmogorov-Smirnov at 1e-5 over 20,000 draws; the sampler's own error is below 1.1e-4."""
    words = np.random.default_rng(12).integers(2**32, size=20_000, dtype=np.uint64)
    sizes = np.full(words.size, wins), np.full(words.size, losses)
    drawn = beta(*sizes, words)
    assert kstest(drawn, beta_law(wins, losses).cdf).pvalue > 1e-5
