"""Stable-Baselines3 as the `sb3` learner runs it, with its own chance, explained by the lock step.

Its actions are fed to the lock step's robot, and the minibatch orders are those of the seed: then
the lock step must see what it saw, and learn what it learned, and the noise that is left over in
its actions must be standard normal. So the two learners differ in their draws and in nothing else.
"""

from __future__ import annotations

import numpy as np
import torch
from ppo_twins import Recorder, flat_weights, lockstep, one_robot
from stable_baselines3.common.utils import set_random_seed

from audition.episode_shaping import PrivateReward
from audition.learners.sb3 import PAPER_PPO, StableBaselines3
from audition.lockstep.acting import mean_actions
from audition.lockstep.learning import judge
from audition.lockstep.networks import Shape
from audition.lockstep.settings import Settings
from audition.lockstep.update import Experience, Memory, update

THETA = (1.0, 1.0, 0.002)
SMALL = Settings(rollout=256, epochs=4)
ITERATIONS = 4
SEED = 3


def test_the_learner_with_its_own_chance_learns_what_the_lock_step_would() -> None:
    torch.set_num_threads(1)
    training = lockstep(one_robot("Walker2d-v5", horizon=40), THETA, SMALL)
    recorded = trained(training.shape)
    sizes, rates = training.shape.sizes, SMALL.rates
    first = recorded.weights[0]
    memory, updates = Memory(first.copy(), np.zeros_like(first), np.zeros_like(first)), 0
    orders = np.random.RandomState(SEED)
    noise = []
    for number, theirs in enumerate(recorded.rollouts):
        met, after = recorded.weights[number], recorded.weights[number + 1]
        training.rollout.observations[:, 0] = training._now
        for step, action in enumerate(theirs["actions"]):
            training.rollout.actions[:, step] = action
            training._play(training.robots.step(action[None].astype(np.float64)), step)
        seen = judge(met.copy(), training.rollout, 0, rates, sizes)
        np.testing.assert_array_equal(training.rollout.observations[0, :-1], theirs["observations"])
        np.testing.assert_allclose(seen.advantages, theirs["advantages"], rtol=0, atol=2e-5)
        means = np.empty_like(theirs["actions"])
        lanes = np.zeros(len(means), np.int64)
        mean_actions(met[None], sizes, theirs["observations"], means, lanes)
        noise.append((theirs["actions"] - means) / np.exp(met[sizes.deviation :]))
        names = ("observations", "actions", "log_probs", "advantages", "returns")
        order = np.array([orders.permutation(SMALL.rollout) for _ in range(SMALL.epochs)])
        experience = Experience(*(theirs[name] for name in names))
        updates = update(memory, updates, experience, order, rates, sizes)
        np.testing.assert_allclose(memory.weights, after, rtol=0, atol=1e-5)
        assert np.abs(after - met).max() > 1e-3  # there was something to learn
    left = np.concatenate(noise).ravel()
    # a fixed seed; five standard errors of the mean and of the sd are passed once in a million
    assert abs(left.mean()) < 5 / np.sqrt(left.size)
    assert abs(left.std() - 1) < 5 / np.sqrt(2 * left.size)


def trained(shape: Shape) -> Recorder:
    """Everything that a short training saw and learned, made as the learner makes it."""
    settings = {**PAPER_PPO, "n_steps": SMALL.rollout, "n_epochs": SMALL.epochs}
    learner = StableBaselines3(algorithm="PPO", settings=settings, weights=THETA)
    steps = ITERATIONS * SMALL.rollout
    world = one_robot("Walker2d-v5", horizon=40)
    shaped = PrivateReward(world.environment(0), THETA, steps=steps)
    set_random_seed(SEED)
    model = learner._model(learner._normalised(shaped))
    recorder = Recorder(shape)
    model.learn(steps, callback=recorder)
    recorder.weights.append(flat_weights(shape, model.policy))
    return recorder
