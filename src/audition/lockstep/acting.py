"""What every lane does next: the policy's mean action, and the noise that explores around it."""

import numpy as np
from numpy.typing import NDArray

from audition.lockstep.compiled import compiled
from audition.lockstep.networks import Floats, Sizes, add_bias_and_bend

Ints = NDArray[np.int64]


@compiled
def mean_actions(weights: Floats, sizes: Sizes, observed: Floats, out: Floats, lanes: Ints) -> None:
    """The mean action of a lane for each row: observed [row, observation] to out [row, action]."""
    inputs, width, actions = sizes.observations, sizes.width, sizes.actions
    first = np.empty((1, width), np.float32)
    second = np.empty((1, width), np.float32)
    a = inputs * width
    b = a + width + width * width
    c = b + width
    d = c + width * actions
    for row in range(observed.shape[0]):
        own = weights[lanes[row]]
        carry(observed[row], own[:a].reshape(inputs, width), first[0])
        add_bias_and_bend(first, own[a : a + width])
        carry(first[0], own[a + width : b].reshape(width, width), second[0])
        add_bias_and_bend(second, own[b:c])
        carry(second[0], own[c:d].reshape(width, actions), out[row])
        for j in range(actions):
            out[row, j] += own[d + j]


@compiled
def explore(weights: Floats, sizes: Sizes, noise: Floats, actions: Floats) -> None:
    """actions <- actions + deviation * noise, in place, each [lane, action]."""
    for lane in range(actions.shape[0]):
        for j in range(actions.shape[1]):
            actions[lane, j] += np.exp(weights[lane, sizes.deviation + j]) * noise[lane, j]


@compiled
def carry(x: Floats, matrix: Floats, out: Floats) -> None:
    """out = x @ matrix, for one vector; too small for a library call to pay."""
    out[:] = 0
    for i in range(matrix.shape[0]):
        for j in range(matrix.shape[1]):
            out[j] += x[i] * matrix[i, j]
