"""Two tanh networks, policy and value, in one flat vector of weights per learner.

The vector holds, in order: the policy's three layers, the value's three layers, and the logarithm
of the action's standard deviation. A layer is its matrix [input, output] followed by its bias.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from audition.lockstep.compiled import compiled

Floats = NDArray[np.float32]
HIDDEN_GAIN = 2.0**0.5  # orthogonal initialisation: tanh layers,
POLICY_GAIN = 0.01  # the policy's head, so that first actions are pure noise,
VALUE_GAIN = 1.0  # and the value's head

# tanh(x) by Lambert's continued fraction x/2 -> p/q (seven levels), then the double-angle formula
# 2pq / (p^2 + q^2); beyond 9 tanh is 1 in single precision. Absolute error below 2e-7.
LIMIT = np.float32(9.0)
HALF = np.float32(0.5)
TWO = np.float32(2.0)
ONE = np.float32(1.0)
P0, P1, P2 = np.float32(135135.0), np.float32(17325.0), np.float32(378.0)
Q0, Q1, Q2, Q3 = np.float32(135135.0), np.float32(62370.0), np.float32(3150.0), np.float32(28.0)


class Sizes(NamedTuple):
    """The shape of both networks, as kernels read it."""

    observations: int
    actions: int
    width: int
    value: int  # where the value network starts in the flat vector
    deviation: int  # where the log standard deviations start
    total: int


@final
@dataclass(frozen=True, slots=True)
class Shape:
    """How many numbers a learner observes, how many it acts with, and how wide it thinks."""

    observations: int
    actions: int
    width: int

    @property
    def sizes(self) -> Sizes:
        """Where everything stands in the flat vector."""
        body = self.observations * self.width + self.width + self.width * self.width + self.width
        value = body + self.width * self.actions + self.actions
        deviation = value + body + self.width + 1
        total = deviation + self.actions
        return Sizes(self.observations, self.actions, self.width, value, deviation, total)

    def layers(self, weights: Floats) -> dict[str, Floats]:
        """Views of one learner's flat vector by name, matrices as [input, output]."""
        views: dict[str, Floats] = {}
        start = 0
        for net, head in (("policy", self.actions), ("value", 1)):
            edges = (self.observations, self.width, self.width, head)
            for number, (rows, columns) in enumerate(pairwise(edges), 1):
                matrix = weights[start : start + rows * columns]
                views[f"{net}.{number}.matrix"] = matrix.reshape(rows, columns)
                start += rows * columns
                views[f"{net}.{number}.bias"] = weights[start : start + columns]
                start += columns
        views["log_deviation"] = weights[start : start + self.actions]
        return views


def initial_weights(shape: Shape, log_deviation: float, random: np.random.Generator) -> Floats:
    """One learner's first weights: orthogonal matrices, zero biases."""
    weights = np.zeros(shape.sizes.total, np.float32)
    layers = shape.layers(weights)
    gains: dict[str, float] = {"policy.3.matrix": POLICY_GAIN, "value.3.matrix": VALUE_GAIN}
    for name, view in layers.items():
        if name.endswith("matrix"):
            view[:] = gains.get(name, HIDDEN_GAIN) * orthogonal(view.shape, random)
    layers["log_deviation"][:] = log_deviation
    return weights


def orthogonal(shape: tuple[int, ...], random: np.random.Generator) -> NDArray[np.float64]:
    """A matrix with orthonormal rows or columns, uniform among them (signs from R's diagonal)."""
    rows, columns = shape
    normal = random.standard_normal((max(rows, columns), min(rows, columns)))
    q, r = np.linalg.qr(normal)
    q *= np.sign(np.diag(r))
    return q if rows >= columns else q.T


@compiled
def add_bias_and_bend(hidden: Floats, bias: Floats) -> None:
    """hidden <- tanh(hidden + bias), in place; a NaN passes through."""
    for row in range(hidden.shape[0]):
        for column in range(hidden.shape[1]):
            x = hidden[row, column] + bias[column]
            x = LIMIT if x > LIMIT else x
            x = -LIMIT if x < -LIMIT else x
            x *= HALF
            s = x * x
            p = x * (P0 + s * (P1 + s * (P2 + s)))
            q = Q0 + s * (Q1 + s * (Q2 + s * Q3))
            hidden[row, column] = TWO * p * q / (p * p + q * q)


@compiled
def forward(
    weights: Floats, shape: tuple[int, int, int], x: Floats, first: Floats, second: Floats,
    out: Floats,
) -> None:  # fmt: skip
    """One network on a batch: x [row, input] to out [row, output], keeping the hidden layers."""
    inputs, width, outputs = shape
    a = inputs * width
    b = a + width + width * width
    np.dot(x, weights[:a].reshape(inputs, width), first)
    add_bias_and_bend(first, weights[a : a + width])
    np.dot(first, weights[a + width : b].reshape(width, width), second)
    add_bias_and_bend(second, weights[b : b + width])
    c = b + width
    d = c + width * outputs
    np.dot(second, weights[c:d].reshape(width, outputs), out)
    for row in range(out.shape[0]):
        for column in range(outputs):
            out[row, column] += weights[d + column]


@compiled
def backward(
    weights: Floats, slope: Floats, shape: tuple[int, int, int],
    batch: tuple[Floats, Floats, Floats, Floats], room: tuple[Floats, Floats],
) -> None:  # fmt: skip
    """The gradient of one network; batch = (x, first, second, d loss / d out), room = scratch."""
    inputs, width, outputs = shape
    x, first, second, pull = batch
    pull_first, pull_second = room
    a = inputs * width
    b = a + width + width * width
    c = b + width
    d = c + width * outputs
    np.dot(second.T, pull, slope[c:d].reshape(width, outputs))
    sum_rows(pull, slope[d : d + outputs])
    np.dot(pull, weights[c:d].reshape(width, outputs).T, pull_second)
    unbend(pull_second, second)
    sum_rows(pull_second, slope[b : b + width])
    np.dot(first.T, pull_second, slope[a + width : b].reshape(width, width))
    np.dot(pull_second, weights[a + width : b].reshape(width, width).T, pull_first)
    unbend(pull_first, first)
    sum_rows(pull_first, slope[a : a + width])
    np.dot(x.T, pull_first, slope[:a].reshape(inputs, width))


@compiled
def unbend(pull: Floats, hidden: Floats) -> None:
    """pull <- pull * tanh', from tanh's own value."""
    for row in range(pull.shape[0]):
        for column in range(pull.shape[1]):
            h = hidden[row, column]
            pull[row, column] *= ONE - h * h


@compiled
def sum_rows(values: Floats, out: Floats) -> None:
    """out[column] = the column's sum over rows."""
    out[:] = 0
    for row in range(values.shape[0]):
        for column in range(values.shape[1]):
            out[column] += values[row, column]
