"""One PPO update of one learner: the clipped surrogate, its gradient, and Adam.

The gradient is written out by hand and held against automatic differentiation by the tests.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from audition.lockstep.compiled import compiled
from audition.lockstep.networks import HALF, ONE, Floats, Sizes, backward, forward
from audition.lockstep.settings import Rates

Ints = NDArray[np.int64]
ADVANTAGE_FLOOR = np.float32(1e-8)  # added to a minibatch's standard deviation of advantages
LOG_ROOT_TWO_PI = np.float32(0.5 * np.log(2 * np.pi))
GRADIENT_FLOOR = 1e-6  # added to the gradient's norm before it is clipped


class Memory(NamedTuple):
    """One learner's weights and Adam's two moments of their gradient."""

    weights: Floats  # [weight]
    moment: Floats  # [weight]
    square: Floats  # [weight]


class Experience(NamedTuple):
    """One learner's rollout, ready to learn from."""

    observations: Floats  # [step, observation] normalised
    actions: Floats  # [step, action] as sampled, before they are clipped to the box
    log_likelihoods: Floats  # [step]
    advantages: Floats  # [step]
    returns: Floats  # [step]


class Room(NamedTuple):
    """Scratch arrays of one minibatch."""

    x: Floats
    first: Floats
    second: Floats
    mean: Floats
    value_first: Floats
    value_second: Floats
    value: Floats
    pull_mean: Floats
    pull_value: Floats
    pull_first: Floats
    pull_second: Floats
    precision: Floats  # one over the standard deviation of every action
    slope: Floats


@compiled
def make_room(rows: int, sizes: Sizes) -> Room:
    """Scratch for minibatches of so many rows."""
    wide = (rows, sizes.width)
    return Room(
        np.empty((rows, sizes.observations), np.float32),
        np.empty(wide, np.float32),
        np.empty(wide, np.float32),
        np.empty((rows, sizes.actions), np.float32),
        np.empty(wide, np.float32),
        np.empty(wide, np.float32),
        np.empty((rows, 1), np.float32),
        np.empty((rows, sizes.actions), np.float32),
        np.empty((rows, 1), np.float32),
        np.empty(wide, np.float32),
        np.empty(wide, np.float32),
        np.empty(sizes.actions, np.float32),
        np.zeros(sizes.total, np.float32),
    )


@compiled
def update(
    memory: Memory, updates: int, experience: Experience, orders: Ints, rates: Rates, sizes: Sizes
) -> int:
    """Learn from one rollout, `orders` [epoch, step] naming minibatches; counts Adam's steps."""
    room = make_room(rates.minibatch, sizes)
    for epoch in range(orders.shape[0]):
        for start in range(0, orders.shape[1], rates.minibatch):
            rows = orders[epoch, start : start + rates.minibatch]
            gradient(memory.weights, experience, rows, rates, sizes, room)
            updates += 1
            descend(memory, room.slope, updates, rates)
    return updates


@compiled
def gradient(
    weights: Floats, experience: Experience, rows: Ints, rates: Rates, sizes: Sizes, room: Room
) -> None:
    """The gradient of the PPO loss on the named rows, into `room.slope`."""
    policy = (sizes.observations, sizes.width, sizes.actions)
    value = (sizes.observations, sizes.width, 1)
    for i in range(rows.size):
        for j in range(sizes.observations):
            room.x[i, j] = experience.observations[rows[i], j]
    actor = weights[: sizes.value]
    critic = weights[sizes.value : sizes.deviation]
    forward(actor, policy, room.x, room.first, room.second, room.mean)
    forward(critic, value, room.x, room.value_first, room.value_second, room.value)
    pull_outputs(weights, experience, rows, rates, sizes, room)
    scratch = (room.pull_first, room.pull_second)
    batch = (room.x, room.first, room.second, room.pull_mean)
    backward(actor, room.slope[: sizes.value], policy, batch, scratch)
    judged = (room.x, room.value_first, room.value_second, room.pull_value)
    backward(critic, room.slope[sizes.value : sizes.deviation], value, judged, scratch)


@compiled
def pull_outputs(
    weights: Floats, experience: Experience, rows: Ints, rates: Rates, sizes: Sizes, room: Room
) -> None:
    """d loss / d (mean action, value, log deviation) on a minibatch."""
    count = np.float32(rows.size)
    centre, spread = advantage_scale(experience.advantages, rows)
    spread_slope = room.slope[sizes.deviation :]
    spread_slope[:] = -np.float32(rates.entropy_weight)
    low, high = np.float32(1 - rates.clip_range), np.float32(1 + rates.clip_range)
    constant = -LOG_ROOT_TWO_PI * sizes.actions
    for j in range(sizes.actions):
        room.precision[j] = np.exp(-weights[sizes.deviation + j])
        constant -= weights[sizes.deviation + j]
    for i in range(rows.size):
        row = rows[i]
        log_likelihood = constant
        for j in range(sizes.actions):
            z = (experience.actions[row, j] - room.mean[i, j]) * room.precision[j]
            log_likelihood -= HALF * z * z
        ratio = np.exp(log_likelihood - experience.log_likelihoods[row])
        advantage = (experience.advantages[row] - centre) / spread
        clipped = min(max(ratio, low), high)
        # the clipped surrogate is flat where clipping makes it the smaller of the two
        flat = advantage * clipped < advantage * ratio
        pull = np.float32(0) if flat else -advantage * ratio / count
        for j in range(sizes.actions):
            z = (experience.actions[row, j] - room.mean[i, j]) * room.precision[j]
            room.pull_mean[i, j] = pull * z * room.precision[j]
            spread_slope[j] += pull * (z * z - ONE)
        miss = room.value[i, 0] - experience.returns[row]
        room.pull_value[i, 0] = np.float32(2 * rates.value_weight) * miss / count


@compiled
def advantage_scale(advantages: Floats, rows: Ints) -> tuple[np.float32, np.float32]:
    """The mean and the standard deviation (n - 1, plus a floor) of a minibatch's advantages."""
    total = 0.0
    for i in range(rows.size):
        total += advantages[rows[i]]
    mean = total / rows.size
    squares = 0.0
    for i in range(rows.size):
        squares += (advantages[rows[i]] - mean) ** 2
    deviation = np.float32(np.sqrt(squares / (rows.size - 1)))
    return np.float32(mean), deviation + ADVANTAGE_FLOOR


@compiled
def descend(memory: Memory, slope: Floats, updates: int, rates: Rates) -> None:
    """Clip the gradient's norm, then take one Adam step."""
    squares = np.float32(0)
    for k in range(slope.size):
        squares += slope[k] * slope[k]
    shrink = np.float32(min(1.0, rates.max_gradient / (np.sqrt(squares) + GRADIENT_FLOOR)))
    keep, keep_square = np.float32(rates.adam_decay), np.float32(rates.adam_square_decay)
    fresh, fresh_square = np.float32(1 - rates.adam_decay), np.float32(1 - rates.adam_square_decay)
    pace = np.float32(rates.learning_rate / (1 - rates.adam_decay**updates))
    bias = np.float32(1 / np.sqrt(1 - rates.adam_square_decay**updates))
    floor = np.float32(rates.adam_epsilon)
    weights, moment, square = memory.weights, memory.moment, memory.square
    for k in range(slope.size):
        g = slope[k] * shrink
        m = keep * moment[k] + fresh * g
        v = keep_square * square[k] + fresh_square * g * g
        moment[k], square[k] = m, v
        weights[k] -= pace * m / (np.sqrt(v) * bias + floor)
