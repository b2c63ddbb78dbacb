"""Running means and variances of every lane, and what is scaled by them, as VecNormalize does.

Observations are counted at every step, the first one of an episode in place of the last one of the
episode before; a reward is divided by the spread of the discounted return so far. All of it is in
double precision and in the order of operations of Stable-Baselines3, so that both agree to the bit.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from audition.lockstep.compiled import compiled_exactly

Doubles = NDArray[np.float64]
Floats = NDArray[np.float32]
Flags = NDArray[np.bool_]

FIRST_COUNT = 1e-4  # the weight of the statistics that nothing was seen for
FLOOR = 1e-8  # added to a variance before its root


class Running(NamedTuple):
    """Mean and variance of every coordinate of every lane so far."""

    mean: Doubles  # [lane, coordinate]
    variance: Doubles  # [lane, coordinate]
    weight: Doubles  # [lane], how much was seen


def running(lanes: int, coordinates: int) -> Running:
    """Statistics of nothing yet: mean 0, variance 1."""
    shape = (lanes, coordinates)
    return Running(np.zeros(shape), np.ones(shape), np.full(lanes, FIRST_COUNT))


@compiled_exactly
def count_in(seen: Running, lane: int, values: Doubles) -> None:
    """Count one vector of a lane into its statistics."""
    count = seen.weight[lane]
    total = count + 1.0
    for k in range(values.size):
        delta = values[k] - seen.mean[lane, k]
        spread = seen.variance[lane, k] * count + delta * delta * count * 1.0 / total
        seen.mean[lane, k] += delta * 1.0 / total
        seen.variance[lane, k] = spread / total
    seen.weight[lane] = total


@compiled_exactly
def normalise(seen: Running, lane: int, values: Doubles, limit: float, out: Floats) -> None:
    """One vector of a lane less its mean, over its spread, clipped to the limit."""
    for k in range(values.size):
        z = (values[k] - seen.mean[lane, k]) / np.sqrt(seen.variance[lane, k] + FLOOR)
        out[k] = np.float32(min(max(z, -limit), limit))


@compiled_exactly
def take_observations(seen: Running, observed: Doubles, limit: float, out: Floats) -> None:
    """Count what every lane observes [lane, coordinate], then normalise it into `out`."""
    for lane in range(observed.shape[0]):
        count_in(seen, lane, observed[lane])
        normalise(seen, lane, observed[lane], limit, out[lane])


@compiled_exactly
def take_rewards(
    seen: Running, paid: Doubles, so_far: Doubles, over: Flags, discount: float, limit: float,
    out: Floats,
) -> None:  # fmt: skip
    """Scale every lane's reward by the spread of its discounted return `so_far`."""
    single = np.empty(1)
    for lane in range(paid.size):
        reward = np.float64(np.float32(paid[lane]))  # what an environment pays is single precision
        so_far[lane] = so_far[lane] * discount + reward
        single[0] = so_far[lane]
        count_in(seen, lane, single)
        scaled = reward / np.sqrt(seen.variance[lane, 0] + FLOOR)
        out[lane] = np.float32(min(max(scaled, -limit), limit))
        if over[lane]:
            so_far[lane] = 0.0
