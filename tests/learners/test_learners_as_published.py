"""Each learner against a naive version of its paper, on the same rewards and random numbers."""

from typing import Any

import naive_learners
import numpy as np
import pytest
from given_rewards import learner_draws, pulled

from audition.learner import Hints
from audition.learners.kl_ucb import bound
from audition.plugins import discover

LANES, ARMS, HORIZON = 8, 4, 90
BANDITS = [plugin.cls for plugin in discover().of("learners") if plugin.cls.plays == "bandit"]


def settings_of(cls: Any) -> list[Any]:
    unit = cls.needs == "unit"
    hints = Hints(
        noise=1.0, gap=1.0, arms=ARMS, horizon=HORIZON, support="unit" if unit else "real"
    )
    return list(cls.grid(hints))


def rewards_for(cls: Any) -> np.ndarray:  # [lane, round, arm]
    rng = np.random.default_rng(31)
    if cls.needs == "unit":
        levels = np.array([0.3, 0.45, 0.6, 0.7])
        return rng.beta(2 * levels, 2 * (1 - levels), (LANES, HORIZON, ARMS))
    return rng.normal([0.0, 0.4, 0.8, 0.2], 1.0, (LANES, HORIZON, ARMS))


def drawn(cls: Any, lane: int, round_number: int) -> list[Any]:
    """This lane's random numbers of one round, of the kind that the learner draws."""
    draws = learner_draws(LANES)
    kinds = {"normal": draws.normals, "uniform": draws.uniforms, "bits": draws.words}
    if cls.noise == "none":
        return [0.0] * ARMS
    return list(kinds[cls.noise](round_number, ARMS)[lane])


def test_every_bandit_learner_has_a_naive_twin() -> None:
    assert {settings_of(cls)[0].name for cls in BANDITS} == set(naive_learners.NAIVE)


@pytest.mark.parametrize("cls", BANDITS, ids=lambda cls: cls.__name__)
def test_learner_pulls_the_arms_that_its_paper_says(cls: Any) -> None:
    rewards = rewards_for(cls)
    numbers = [
        [drawn(cls, lane, round_number) for round_number in range(1, HORIZON + 1)]
        for lane in range(2)
    ]
    for learner in settings_of(cls)[::3]:
        fast = pulled(learner, rewards)
        for lane in range(2):
            naive = naive_learners.play(
                learner,
                arms=ARMS,
                horizon=HORIZON,
                pay=lambda t, arm, lane=lane: float(rewards[lane, t - 1, arm]),
                draws=lambda t, lane=lane: numbers[lane][t - 1],
            )
            assert fast[lane].tolist() == naive, learner


@pytest.mark.parametrize("cls", BANDITS, ids=lambda cls: cls.__name__)
def test_a_horizon_shorter_than_the_arms_ends_in_the_opening(cls: Any) -> None:
    rewards = rewards_for(cls)[:, :2]
    arms = pulled(settings_of(cls)[0], rewards)
    if cls.opening:
        assert (arms == [0, 1]).all()
    assert arms.shape == (LANES, 2)


def test_kl_bound_solves_its_equation() -> None:
    means = np.concatenate([[1e-5, 1e-3], np.linspace(0.02, 0.98, 25), [0.999]])
    levels = np.geomspace(1e-5, 20.0, 40)
    found = bound(means[:, None], levels[None, :])
    exact = [[naive_learners.kl_bound(m, v) for v in levels] for m in means]
    assert np.abs(found - np.array(exact)).max() < 2e-5


def test_ucb_index_is_the_papers_equation() -> None:
    """eqn:ucb1 by hand: rewards 1, 0 then 0.2; theta 0.5 at t = 4 has widths sqrt(log 4 / N)."""
    from audition.learners.ucb import UCB

    rewards = np.array([[[1.0, 0.0], [1.0, 0.0], [0.2, 0.0], [0.0, 0.0]]])
    # t=3: 1 + w > 0 + w, so arm 0. t=4: arm 0 has 0.6 + sqrt(1.386 / 2) = 1.433, arm 1 has 1.177.
    assert pulled(UCB(theta=0.5), rewards).tolist() == [[0, 1, 0, 0]]
    # theta 2: arm 0 has 0.6 + sqrt(4 * 1.386 / 2) = 2.265, arm 1 has sqrt(4 * 1.386) = 2.355.
    assert pulled(UCB(theta=2.0), rewards).tolist() == [[0, 1, 0, 1]]
