"""Tables against sums over every way a short game can go, and against formulas.

Expected scores are worked out without any of Audition's engines. A mean over so many replications
may be off by five of its standard errors, which a sound engine does once in two million tries.
"""

import itertools
import math

import numpy as np
import pytest
from scipy.stats import norm

from audition.ensemble import Ensemble
from audition.evaluation import evaluate
from audition.families.bernoulli import Bernoulli
from audition.families.gaussian import Gaussian
from audition.learner import Candidate
from audition.learners.epsilon_greedy import EpsilonGreedy
from audition.learners.explore_then_commit import ExploreThenCommit
from audition.learners.thompson import ThompsonSampling
from audition.learners.ucb import UCB
from audition.objective import CumulativeReward, LastReward, Regret
from audition.simulator import Simulator

SHARES = (0.3, 0.8)
MEANS, SD = (0.4, 1.1), 1.5
MANY = 20_000
ENGINES = ("plain", "cpu")


def coins() -> Ensemble:
    return Ensemble("plug_in", (Simulator("bernoulli", {"share": np.array(SHARES)}),))


def normals() -> Ensemble:
    parameters = {"mean": np.array(MEANS), "sd": np.array(SD)}
    return Ensemble("plug_in", (Simulator("gaussian", parameters),))


def played(learner, where, family, objective, *, horizon, engine):
    """The mean score and its standard error."""
    found = evaluate(
        (Candidate.of(learner),),
        where,
        family,
        objectives=(objective,),
        horizon=horizon,
        replications=MANY,
        seed=8,
        engine=engine,
    )
    blocks = found.scores[objective.name].mean[0, 0]
    return blocks.mean(), blocks.std(ddof=1) / math.sqrt(blocks.size)


def enumerated(probabilities, *, horizon, score):
    """The mean of a score over all rewards and pulls of two coins.

    `probabilities(pulls, totals, round)` gives the chance of every arm in the next round.
    """
    expected = 0.0
    for rewards in itertools.product((0.0, 1.0), repeat=horizon):
        for arms in itertools.product((0, 1), repeat=horizon):
            chance = 1.0
            pulls, totals = [0, 0], [0.0, 0.0]
            for number, (arm, reward) in enumerate(zip(arms, rewards, strict=True), start=1):
                chance *= probabilities(pulls, totals, number)[arm]
                chance *= SHARES[arm] if reward else 1.0 - SHARES[arm]
                if not chance:
                    break
                pulls[arm] += 1
                totals[arm] += reward
            if chance:
                expected += chance * score(arms, rewards)
    return expected


def once_each(choose):
    """The arms in turn first, then by the index of each; the first arm on a tie."""

    def probabilities(pulls, totals, number):
        if number <= 2:
            return (1.0, 0.0) if number == 1 else (0.0, 1.0)
        index = [choose(pulls[arm], totals[arm] / pulls[arm], number) for arm in (0, 1)]
        return (1.0, 0.0) if index[0] >= index[1] else (0.0, 1.0)

    return probabilities


def regret(arms, rewards):
    return -sum(max(SHARES) - SHARES[arm] for arm in arms)


def paid(arms, rewards):
    return sum(rewards)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("objective", "score"),
    [
        (Regret(), regret),
        (CumulativeReward(), paid),
        (LastReward(2), lambda arms, rewards: sum(rewards[-2:])),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_ucb_on_two_coins_is_the_sum_over_all_games(engine, objective, score):
    theta = 0.13  # no two indices tie, whatever the coins show

    def index(pulls, mean, number):
        return mean + math.sqrt(2.0 * theta * math.log(number) / pulls)

    expected = enumerated(once_each(index), horizon=6, score=score)
    mean, error = played(UCB(theta), coins(), Bernoulli(), objective, horizon=6, engine=engine)
    assert error > 0.0
    assert abs(mean - expected) < 5.0 * error


@pytest.mark.parametrize("engine", ENGINES)
def test_thompson_sampling_on_two_coins_is_the_sum_over_all_games(engine):
    theta = 0.2

    def probabilities(pulls, totals, number):
        if number <= 2:
            return (1.0, 0.0) if number == 1 else (0.0, 1.0)
        lead = totals[0] / pulls[0] - totals[1] / pulls[1]
        first = norm.cdf(lead / math.sqrt(theta / pulls[0] + theta / pulls[1]))
        return first, 1.0 - first

    expected = enumerated(probabilities, horizon=5, score=regret)
    mean, error = played(
        ThompsonSampling(theta), coins(), Bernoulli(), Regret(), horizon=5, engine=engine
    )
    assert abs(mean - expected) < 5.0 * error


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("each", [1, 4, 10])
def test_explore_then_commit_on_two_normal_arms_has_the_books_regret(engine, each):
    """each * gap, and the rest of the horizon when the worse mean came out ahead (Phi below)."""
    horizon, gap = 40, MEANS[1] - MEANS[0]
    wrong = norm.cdf(-gap * math.sqrt(each / 2.0) / SD)
    expected = -gap * (each + (horizon - 2 * each) * wrong)
    learner = ExploreThenCommit(each)
    mean, error = played(learner, normals(), Gaussian(), Regret(), horizon=horizon, engine=engine)
    assert abs(mean - expected) < 5.0 * error


@pytest.mark.parametrize("engine", ENGINES)
def test_pulling_at_random_has_half_the_gap_as_regret_a_round(engine):
    """Epsilon one never looks: after one pull of each arm every round is a fair coin."""
    expected = -(MEANS[1] - MEANS[0]) * (1.0 + 18 * 0.5)
    mean, error = played(
        EpsilonGreedy(1.0), normals(), Gaussian(), Regret(), horizon=20, engine=engine
    )
    assert abs(mean - expected) < 5.0 * error


@pytest.mark.parametrize("engine", ENGINES)
def test_the_first_choice_of_ucb_on_normal_arms_is_a_comparison_of_two_rewards(engine):
    """With three rounds the last pull goes to the arm whose single reward was larger."""
    wrong = norm.cdf(-(MEANS[1] - MEANS[0]) / (SD * math.sqrt(2.0)))
    expected = -(MEANS[1] - MEANS[0]) * (1.0 + wrong)
    mean, error = played(UCB(2.0), normals(), Gaussian(), Regret(), horizon=3, engine=engine)
    assert abs(mean - expected) < 5.0 * error
