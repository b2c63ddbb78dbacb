"""The lock step computes what Stable-Baselines3 does, from the same robot, weights and chance."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from ppo_twins import (
    Chance,
    Recorder,
    flat_weights,
    give_weights,
    lockstep,
    one_robot,
    stable_baselines,
)
from stable_baselines3.common.running_mean_std import RunningMeanStd

from audition.lockstep.learning import judge
from audition.lockstep.networks import Shape, initial_weights
from audition.lockstep.settings import Settings
from audition.lockstep.statistics import running, take_observations, take_rewards
from audition.lockstep.training import Training
from audition.lockstep.update import Experience, Memory, update

THETA = (1.0, 3.0, 0.05)
SMALL = Settings(rollout=256, epochs=4)
ITERATIONS = 4
AGREEMENT = 1e-5  # weights after an update; single precision leaves about 3e-7
CHAOS = 2e-4  # what contacts make of such differences within an episode


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> None:
    """Torch on one thread, as in the learner."""
    torch.set_num_threads(1)


@pytest.fixture(scope="module", params=["Hopper-v5", "Walker2d-v5"])
def twins(request: pytest.FixtureRequest) -> tuple[Training, Recorder, Chance]:
    """A lane before its first step, and all that Stable-Baselines3 did with equal chance."""
    world = one_robot(request.param, horizon=25)
    training = lockstep(world, THETA, SMALL)
    actions = training.shape.actions
    chance = Chance.drawn(SMALL, iterations=ITERATIONS, actions=actions, seed=1)
    weights = training.memory.weights[0].copy()
    recorded = stable_baselines(
        one_robot(request.param, horizon=25), THETA, weights=weights, settings=SMALL, chance=chance
    )
    return training, recorded, chance


def test_every_iteration_sees_judges_and_learns_the_same(
    twins: tuple[Training, Recorder, Chance],
) -> None:
    """Observations, actions, rewards, values, advantages, statistics and weights, each time."""
    training, recorded, chance = twins
    cuts = ends = 0
    for number, theirs in enumerate(recorded.rollouts):
        near(training.memory.weights[0], recorded.weights[number], within=AGREEMENT)
        training.collect(chance.noise[number][:, None, :])
        rollout, sizes = training.rollout, training.shape.sizes
        seen = judge(training.memory.weights[0].copy(), rollout, 0, SMALL.rates, sizes)
        near(rollout.observations[0, :-1], theirs["observations"], within=CHAOS)
        near(rollout.actions[0], theirs["actions"], within=CHAOS)
        near(seen.values[:-1], theirs["values"], within=CHAOS)
        near(seen.log_likelihoods, theirs["log_probs"], within=CHAOS)
        near(seen.advantages, theirs["advantages"], within=CHAOS)
        near(seen.returns, theirs["returns"], within=CHAOS)
        near(training.statistics.mean[0], theirs["mean"], within=CHAOS)
        near(training.statistics.variance[0], theirs["variance"], within=CHAOS)
        near(training.spreads.variance[0, 0], theirs["spread"], within=CHAOS)
        cuts += int(rollout.cut[0].sum())
        ends += int((rollout.over[0] & ~rollout.cut[0]).sum())
        training.update(chance.orders[number][None])
    near(training.memory.weights[0], recorded.weights[-1], within=AGREEMENT)
    assert cuts > 5 and ends > 5  # time limits and falls both happened


def test_one_update_from_equal_weights_and_data_agrees(
    twins: tuple[Training, Recorder, Chance],
) -> None:
    """Each of Stable-Baselines3's rollouts in turn, with its own likelihoods and advantages."""
    training, recorded, chance = twins
    first = recorded.weights[0]
    memory = Memory(first.copy(), np.zeros_like(first), np.zeros_like(first))
    updates = 0
    for number, theirs in enumerate(recorded.rollouts):
        experience = Experience(
            theirs["observations"],
            theirs["actions"],
            theirs["log_probs"],
            theirs["advantages"],
            theirs["returns"],
        )
        moved = np.abs(recorded.weights[number + 1] - recorded.weights[number]).max()
        sizes = training.shape.sizes
        updates = update(memory, updates, experience, chance.orders[number], SMALL.rates, sizes)
        near(memory.weights, recorded.weights[number + 1], within=AGREEMENT)
        assert moved > 100 * AGREEMENT  # there was something to agree on


def test_a_cut_episode_is_worth_the_value_of_its_last_state() -> None:
    """A cut step gains the discounted value of its last state, a fall gains nothing."""
    world = one_robot("Hopper-v5", horizon=10)
    training = lockstep(world, THETA, SMALL)
    random = np.random.default_rng(3)
    training.collect(random.standard_normal((SMALL.rollout, 1, 3), np.float32))
    rollout, sizes = training.rollout, training.shape.sizes
    weights = training.memory.weights[0].copy()
    seen = judge(weights, rollout, 0, SMALL.rates, sizes)
    uncut = rollout._replace(cut=np.zeros_like(rollout.cut))
    blind = judge(weights, uncut, 0, SMALL.rates, sizes)
    policy = lockstep_policy(training)
    gained = seen.advantages - blind.advantages
    for step in np.flatnonzero(rollout.over[0]):
        last = torch.from_numpy(rollout.lasts[0, step][None])
        worth = policy.predict_values(last).item() if rollout.cut[0, step] else 0.0
        near(gained[step], 0.99 * worth, within=1e-6)
    assert rollout.cut[0].sum() > 5
    assert not np.allclose(rollout.lasts[0, rollout.cut[0]], 0.0)


def test_running_statistics_are_those_of_vec_normalize_to_the_bit() -> None:
    """Observations and discounted returns, lane by lane, over episodes of random length."""
    random = np.random.default_rng(4)
    observed = random.normal(3.0, 40.0, (300, 2, 5))
    paid = random.normal(1.0, 5.0, (300, 2))
    over = random.random((300, 2)) < 0.1
    seen, spreads, so_far = running(2, 5), running(2, 1), np.zeros(2)
    theirs = [RunningMeanStd(shape=(5,)) for _ in range(2)]
    returns = [RunningMeanStd(shape=()) for _ in range(2)]
    totals = np.zeros(2)
    out, scaled = np.empty((2, 5), np.float32), np.empty(2, np.float32)
    for step in range(300):
        take_observations(seen, observed[step], 10.0, out)
        take_rewards(spreads, paid[step], so_far, over[step], 0.99, 10.0, scaled)
        for lane in range(2):
            theirs[lane].update(observed[step, lane][None])
            reward = paid[step, lane].astype(np.float32)
            totals[lane] = totals[lane] * 0.99 + reward
            returns[lane].update(totals[lane : lane + 1])
            spread = np.sqrt(returns[lane].var + 1e-8)
            expected = np.clip(np.float64(reward) / spread, -10, 10).astype(np.float32)
            assert scaled[lane] == expected
            np.testing.assert_array_equal(seen.mean[lane], theirs[lane].mean)
            np.testing.assert_array_equal(seen.variance[lane], theirs[lane].var)
            z = (observed[step, lane] - theirs[lane].mean) / np.sqrt(theirs[lane].var + 1e-8)
            np.testing.assert_array_equal(out[lane], np.clip(z, -10, 10).astype(np.float32))
            totals[lane] *= not over[step, lane]


def test_first_weights_have_the_singular_values_of_stable_baselines3() -> None:
    """Orthogonal matrices scaled by each layer's gain, no biases, unit standard deviation."""
    training = lockstep(one_robot("Walker2d-v5"), THETA, Settings())
    shape = training.shape
    ours = initial_weights(shape, 0.0, np.random.default_rng(0))
    theirs = flat_weights(shape, lockstep_policy(training, copied=False))
    pairs = zip(shape.layers(ours).items(), shape.layers(theirs).values(), strict=True)
    for (name, mine), its in pairs:
        if name.endswith("matrix"):
            assert not np.allclose(mine, its)
            near(singular(mine), singular(its), within=1e-5)
        else:
            np.testing.assert_array_equal(mine, its)


def singular(matrix: NDArray[np.float32]) -> NDArray[np.float32]:
    """Singular values."""
    return np.linalg.svd(matrix, compute_uv=False)


def near(ours: object, theirs: object, *, within: float) -> None:
    """Agreement in every entry."""
    np.testing.assert_allclose(np.asarray(ours), np.asarray(theirs), rtol=0, atol=within)


def lockstep_policy(training: Training, *, copied: bool = True) -> torch.nn.Module:
    """A policy of Stable-Baselines3 of the lane's shape, with the lane's weights."""
    from gymnasium.spaces import Box
    from stable_baselines3.common.policies import ActorCriticPolicy

    shape: Shape = training.shape
    policy = ActorCriticPolicy(
        Box(-np.inf, np.inf, (shape.observations,)),
        Box(-1, 1, (shape.actions,)),
        lambda _: 3e-4,
        net_arch=[64, 64],
    )
    if copied:
        give_weights(shape, training.memory.weights[0], policy)
    return policy
