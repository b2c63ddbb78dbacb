"""The family that a log chooses by itself: the one that made it, or a simpler one as good."""

import numpy as np
import pytest

from audition.errors import ConfigError
from audition.family_choice import choose_family
from audition.log import Log


def log(rewards, arms) -> Log:
    return Log.from_arrays(arms, rewards, arm_names=("a", "b", "c"))


def made(kind: str, *, rows: int = 1500) -> Log:
    rng = np.random.default_rng(8)
    arms = rng.integers(3, size=rows)
    level = np.array([1.0, 1.5, 2.5])[arms]
    rewards = {
        "gaussian": lambda: rng.normal(level, 1.0),
        "gaussian_per_arm": lambda: rng.normal(level, level),
        "bernoulli": lambda: (rng.random(rows) < level / 5.0) * 1.0,
        "poisson": lambda: rng.poisson(level) * 1.0,
        "gamma": lambda: rng.gamma(0.7, level),
        "log_normal": lambda: rng.lognormal(level, 1.0),
        "zero_inflated_gamma": lambda: rng.gamma(0.7, level) * (rng.random(rows) < 0.3),
        "zero_inflated_log_normal": lambda: rng.lognormal(level, 1.0) * (rng.random(rows) < 0.3),
        "empirical": lambda: np.where(rng.random(rows) < level / 4.0, 9.99, -5.0),
    }[kind]()
    return log(rewards, arms)


@pytest.mark.parametrize(
    "kind",
    [
        "gaussian",
        "gaussian_per_arm",
        "bernoulli",
        "poisson",
        "gamma",
        "log_normal",
        "zero_inflated_gamma",
        "zero_inflated_log_normal",
        "empirical",
    ],
)
def test_a_log_chooses_the_family_that_made_it(kind):
    found = choose_family(made(kind))
    assert found.chosen == kind
    assert found.chosen in found.sentence
    assert found.scores[0].behind == 0.0


def test_the_choice_is_the_same_every_time_and_says_what_was_refused():
    given = made("gaussian", rows=200)
    first, again = choose_family(given, seed=3), choose_family(given, seed=3)
    assert first.sentence == again.sentence
    assert {name for name, _ in first.refused} >= {"bernoulli", "poisson", "gamma", "log_normal"}
    assert f"{len(first.refused)} could not hold the rewards" in first.sentence


def test_an_arm_of_one_row_is_kept_for_fitting():
    rng = np.random.default_rng(2)
    arms = np.append(rng.integers(2, size=60), 2)
    found = choose_family(log(rng.normal(arms, 1.0), arms))
    assert found.chosen == "gaussian"


def test_one_fold_is_no_cross_validation():
    with pytest.raises(ConfigError, match="at least 2 folds"):
        choose_family(made("gaussian", rows=50), folds=1)


@pytest.mark.parametrize("seed", range(8))
def test_zeros_and_ones_are_always_coin_flips(seed):
    rng = np.random.default_rng(seed)
    arms = rng.integers(3, size=300)
    found = choose_family(log(rng.random(300) < 0.1 + 0.05 * arms, arms))
    assert found.chosen == "bernoulli"
    assert "empirical" in dict(found.refused)
