"""From a rollout to new weights, lane by lane: values, advantages, and the update."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from audition.lockstep.compiled import compiled, compiled_exactly
from audition.lockstep.networks import HALF, Floats, Sizes, forward
from audition.lockstep.settings import Rates
from audition.lockstep.update import LOG_ROOT_TWO_PI, Experience, Memory, update

Flags = NDArray[np.bool_]
Ints = NDArray[np.int64]


class Rollout(NamedTuple):
    """What all lanes saw and did between two updates."""

    observations: Floats  # [lane, step + 1, observation] normalised; the last one is the next first
    actions: Floats  # [lane, step, action] as sampled
    rewards: Floats  # [lane, step] scaled
    over: Flags  # [lane, step] the episode ended or was cut after this step
    cut: Flags  # [lane, step] it was cut by the time limit
    lasts: Floats  # [lane, step, observation] of a cut episode's last state; else not set


class Judgement(NamedTuple):
    """How good a lane's rollout was, by its own value network."""

    log_likelihoods: Floats  # [step]
    values: Floats  # [step + 1]
    advantages: Floats  # [step]
    returns: Floats  # [step]


def empty_rollout(lanes: int, steps: int, sizes: Sizes) -> Rollout:
    """Room for a rollout of so many steps in every lane."""
    single = np.float32
    return Rollout(
        np.zeros((lanes, steps + 1, sizes.observations), single),
        np.zeros((lanes, steps, sizes.actions), single),
        np.zeros((lanes, steps), single),
        np.zeros((lanes, steps), np.bool_),
        np.zeros((lanes, steps), np.bool_),
        np.zeros((lanes, steps, sizes.observations), single),
    )


@compiled
def learn(
    memory: Memory, updates: int, rollout: Rollout, orders: Ints, rates: Rates, sizes: Sizes
) -> int:
    """One update of every lane; memory [lane, weight], orders [lane, epoch, step]."""
    done = updates
    for lane in range(orders.shape[0]):
        own = Memory(memory.weights[lane], memory.moment[lane], memory.square[lane])
        seen = judge(own.weights, rollout, lane, rates, sizes)
        steps = rollout.actions.shape[1]
        experience = Experience(
            rollout.observations[lane, :steps],
            rollout.actions[lane],
            seen.log_likelihoods,
            seen.advantages,
            seen.returns,
        )
        done = update(own, updates, experience, orders[lane], rates, sizes)
    return done


@compiled
def judge(weights: Floats, rollout: Rollout, lane: int, rates: Rates, sizes: Sizes) -> Judgement:
    """Values, likelihoods, advantages and returns of one lane's rollout."""
    steps = rollout.actions.shape[1]
    seen = rollout.observations[lane]
    values = state_values(weights, sizes, seen)
    rewards = rollout.rewards[lane].copy()
    cut = np.flatnonzero(rollout.cut[lane])
    if cut.size:
        # a time limit is not an end: what would have followed is worth the value of the last state
        lasts = np.empty((cut.size, sizes.observations), np.float32)
        for i in range(cut.size):
            lasts[i] = rollout.lasts[lane, cut[i]]
        worth = state_values(weights, sizes, lasts)
        for i in range(cut.size):
            rewards[cut[i]] += np.float32(rates.discount) * worth[i]
    likelihoods = log_likelihoods(weights, sizes, seen[:steps], rollout.actions[lane])
    advantages = np.empty(steps, np.float32)
    trace_back(rewards, values, rollout.over[lane], rates.discount, rates.trace, advantages)
    return Judgement(likelihoods, values, advantages, advantages + values[:steps])


@compiled
def state_values(weights: Floats, sizes: Sizes, observations: Floats) -> Floats:
    """The value network on [row, observation]."""
    rows = observations.shape[0]
    first = np.empty((rows, sizes.width), np.float32)
    second = np.empty((rows, sizes.width), np.float32)
    out = np.empty((rows, 1), np.float32)
    shape = (sizes.observations, sizes.width, 1)
    forward(weights[sizes.value : sizes.deviation], shape, observations, first, second, out)
    return out[:, 0].copy()


@compiled
def log_likelihoods(
    weights: Floats, sizes: Sizes, observations: Floats, actions: Floats
) -> Floats:  # [step]
    """The log density of the actions under the policy that took them."""
    rows = actions.shape[0]
    first = np.empty((rows, sizes.width), np.float32)
    second = np.empty((rows, sizes.width), np.float32)
    mean = np.empty((rows, sizes.actions), np.float32)
    shape = (sizes.observations, sizes.width, sizes.actions)
    forward(weights[: sizes.value], shape, observations, first, second, mean)
    constant = -LOG_ROOT_TWO_PI * sizes.actions
    for j in range(sizes.actions):
        constant -= weights[sizes.deviation + j]
    found = np.empty(rows, np.float32)
    for i in range(rows):
        total = constant
        for j in range(sizes.actions):
            z = (actions[i, j] - mean[i, j]) * np.exp(-weights[sizes.deviation + j])
            total -= HALF * z * z
        found[i] = total
    return found


@compiled_exactly
def trace_back(
    rewards: Floats, values: Floats, over: Flags, discount: float, trace: float, advantages: Floats
) -> None:
    """Generalised advantage estimates, from the last step to the first, in single precision."""
    gamma, decay = np.float32(discount), np.float32(discount * trace)
    ahead = np.float32(0.0)
    for step in range(rewards.size - 1, -1, -1):
        lives = np.float32(0.0) if over[step] else np.float32(1.0)
        surprise = rewards[step] + gamma * values[step + 1] * lives - values[step]
        ahead = surprise + decay * lives * ahead
        advantages[step] = ahead
