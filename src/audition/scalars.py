"""Arithmetic that reads the same on one number and on a lane of many.

A learner's or a family's scalar rule is written once with these functions. Run as it stands, it
works on NumPy arrays in double precision (the plain engine). The compiled engines bind the same
names to branch-free single-precision code for CPU lanes and for CUDA, and fuse the rule from that
single source. Write constants as floats (`2.0`, not `2`): an integer would widen the arithmetic.
"""

from typing import Any

import numpy as np

Value = Any  # a float32 in a compiled engine, an array of lanes in the plain one

BIG = 3.0e38


def where(condition: Value, yes: Value, no: Value) -> Value:
    """Pick `yes` where the condition holds and `no` elsewhere; both sides are computed."""
    return np.where(condition, yes, no)


def log(x: Value) -> Value:
    """Natural logarithm."""
    return np.log(x)


def exp(x: Value) -> Value:
    """Exponential."""
    return np.exp(x)


def sqrt(x: Value) -> Value:
    """Square root."""
    return np.sqrt(x)


def floor(x: Value) -> Value:
    """The largest whole number that is not above x."""
    return np.floor(x)


def minimum(x: Value, y: Value) -> Value:
    """The smaller of two."""
    return np.minimum(x, y)


def maximum(x: Value, y: Value) -> Value:
    """The larger of two."""
    return np.maximum(x, y)


def lookup(table: Value, position: Value) -> Value:
    """The entry of a table at a position, rounded down; the plain engine holds [entry, lane]."""
    rows = np.asarray(position, dtype=np.int64)
    return table[rows, np.arange(table.shape[1])]


def uniform_of(word: Value, number: int) -> Value:
    """The `number`-th uniform in (0, 1) grown from a random 32-bit word (a multiplicative hash)."""
    x = np.asarray(word, dtype=np.uint64) + np.uint64(number * 0x9E3779B9 & 0xFFFFFFFF)
    for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B), (16, 1)):
        x = x & np.uint64(0xFFFFFFFF)
        x = (x ^ (x >> np.uint64(shift))) * np.uint64(factor)
    return ((x & np.uint64(0xFFFFFFFF)) >> np.uint64(9)).astype(np.float64) * 2.0**-23 + 2.0**-24
