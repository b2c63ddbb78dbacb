"""Philox4x32-10 and Box-Muller on sixteen lanes: the draws of `audition.seeds`, made fast.

The address of a draw is the same as there, so the plain engine and this one meet the same
numbers: raw words and uniforms exactly, normals up to the rounding of single precision.
"""

from typing import Any, Final

import numpy as np
from numba import njit

from audition.engine.cpu_arithmetic import log, of_turn, piece, single, sqrt, uniform
from audition.engine.cpu_memory import load, spot, store
from audition.engine.cpu_vector import WIDTH, same_bits, wide_product, words
from audition.seeds import MULTIPLIERS, ROUNDS, WEYL

M0, M1 = np.uint32(MULTIPLIERS[0]), np.uint32(MULTIPLIERS[1])
W0, W1 = np.uint32(WEYL[0]), np.uint32(WEYL[1])
KINDS: Final = {"none": 0, "normal": 1, "uniform": 2, "bits": 3}
NORMAL, UNIFORM = KINDS["normal"], KINDS["uniform"]
MINUS_TWO: Final = single(-2.0)


@piece
def philox(block: Any, replications: Any, member: Any, key: Any) -> Any:
    """Four random words for sixteen replications."""
    c0, c1, c2, c3 = words(block), replications, words(member), words(np.uint32(0))
    k0, k1 = key[0], key[1]
    for _ in range(ROUNDS):
        h0, l0 = wide_product(c0, M0)
        h1, l1 = wide_product(c2, M1)
        c0, c1, c2, c3 = h1 ^ c1 ^ k0, l1, h0 ^ c3 ^ k1, l0
        k0, k1 = np.uint32(k0 + W0), np.uint32(k1 + W1)
    return c0, c1, c2, c3


@piece
def normals(first: Any, second: Any) -> Any:
    """A Box-Muller pair from two words."""
    radius = sqrt(MINUS_TWO * log(uniform(first)))
    cosine, sine = of_turn(uniform(second))
    return radius * cosine, radius * sine


@piece
def _put(numbers: Any, flat: Any, first: Any, last: Any, value: Any) -> None:
    if first <= flat < last:
        store(numbers, (flat - first) * WIDTH, value)


@njit(error_model="numpy")
def fill(out: Any, kind: Any, first: Any, last: Any, who: Any, key: Any) -> None:
    """Draws of flat index `first` to `last` (not included) for sixteen replications.

    `who` holds the replications and, after them, the member. Random words are kept bit by bit.
    """
    replications, member = load(who, 0), spot(who, WIDTH)
    for block in range(first // 4, (last + 3) // 4):
        w0, w1, w2, w3 = philox(np.uint32(block), replications, member, key)
        flat = block * 4
        a, b, c, d = same_bits(w0), same_bits(w1), same_bits(w2), same_bits(w3)
        if kind == NORMAL:
            a, b = normals(w0, w1)
            c, d = normals(w2, w3)
        elif kind == UNIFORM:
            a, b, c, d = uniform(w0), uniform(w1), uniform(w2), uniform(w3)
        _put(out, flat, first, last, a)
        _put(out, flat + 1, first, last, b)
        _put(out, flat + 2, first, last, c)
        _put(out, flat + 3, first, last, d)
