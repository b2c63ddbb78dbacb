"""The arithmetic of `audition.scalars` and its random numbers for one CUDA thread.

A rule's own logarithms and exponentials are libdevice's, good to a unit or two in the last place.
Draws use the special-function unit: a normal number is then within a few 1e-6 of the one that
`audition.seeds` gives, but for the few smallest radii. The address of a draw is the same as there.

With `NUMBA_ENABLE_CUDASIM=1` Numba runs kernels as plain Python. Everything here then has a
stand-in in NumPy's single precision, so that the logic of a kernel can be tested without a GPU.
"""

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numba import config, cuda

from audition.seeds import MULTIPLIERS, ROUNDS, WEYL

SIMULATED: Final = bool(config.ENABLE_CUDASIM)
if not SIMULATED:
    from llvmlite import ir
    from numba import types
    from numba.cuda import libdevice
    from numba.cuda.extending import intrinsic

single = np.float32
ZERO: Final = single(0.0)
ONE: Final = single(1.0)
M0, M1 = np.uint32(MULTIPLIERS[0]), np.uint32(MULTIPLIERS[1])
WORD: Final = np.uint64(0xFFFFFFFF)
ONE_BITS: Final = np.uint32(0x3F800000)  # of 1.0
SHORT: Final = np.uint32(9)
BELOW_ONE: Final = single(1.0 - 2.0**-24)
HALF_TURN: Final = single(1.5 - 2.0**-24)
MINUS_TWO_LOG_TWO: Final = single(-2.0 * np.log(2.0))
TURN: Final = single(2.0 * np.pi)
GOLDEN: Final = np.uint64(0x9E3779B9)
MIX0, MIX1 = np.uint64(0x7FEB352D), np.uint64(0x846CA68B)
SHIFT0, SHIFT1 = np.uint32(16), np.uint32(15)


def piece(function: Callable[..., Any]) -> Any:
    """A function that kernels call: compiled for the device, or as it stands in the simulator."""
    return function if SIMULATED else cuda.jit(function, device=True)


if SIMULATED:

    def _quiet(function: Callable[..., Any]) -> Callable[..., Any]:
        """Single precision in and out, and silence at the edges, as on the device."""

        def held(*given: Any) -> Any:
            with np.errstate(all="ignore"):
                return single(function(*(single(one) for one in given)))

        return held

    log, exp, sqrt, floor = (_quiet(one) for one in (np.log, np.exp, np.sqrt, np.floor))
    minimum, maximum = _quiet(np.fmin), _quiet(np.fmax)
    fast_log2, fast_cosine, fast_sine = (_quiet(one) for one in (np.log2, np.cos, np.sin))
    inverse_root = _quiet(lambda x: ONE / np.sqrt(x))

    def of_bits(word: Any) -> Any:
        """The number that a word's bits write."""
        return np.uint32(word).view(np.float32)

    def wide_product(value: Any, factor: Any) -> Any:
        """The upper and the lower word of a product."""
        product = int(value) * int(factor)
        return np.uint32(product >> 32), np.uint32(product & 0xFFFFFFFF)

else:

    @intrinsic
    def wide_product(typing: Any, value: Any, factor: Any) -> Any:
        """The upper and the lower word of a product, by one instruction.

        Numba has no such operation, and the compiler takes two instructions for what it has.
        """

        def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            word, double = ir.IntType(32), ir.IntType(64)
            kind = ir.FunctionType(double, [word, word])
            product = builder.call(ir.InlineAsm(kind, "mul.wide.u32 $0, $1, $2;", "=l,r,r"), args)
            parts = builder.lshr(product, double(32)), product
            words = [builder.trunc(part, word) for part in parts]
            return context.make_tuple(builder, sig.return_type, words)

        return types.UniTuple(types.uint32, 2)(types.uint32, types.uint32), lower

    @piece
    def log(x: Any) -> Any:
        """Natural logarithm."""
        return libdevice.logf(x)

    @piece
    def exp(x: Any) -> Any:
        """Exponential."""
        return libdevice.expf(x)

    @piece
    def sqrt(x: Any) -> Any:
        """Square root."""
        return libdevice.sqrtf(x)

    @piece
    def floor(x: Any) -> Any:
        """The largest whole number that is not above x."""
        return libdevice.floorf(x)

    @piece
    def minimum(x: Any, y: Any) -> Any:
        """The smaller of two."""
        return libdevice.fminf(x, y)

    @piece
    def maximum(x: Any, y: Any) -> Any:
        """The larger of two."""
        return libdevice.fmaxf(x, y)

    @piece
    def inverse_root(x: Any) -> Any:
        """1 / sqrt(x), one operation of the special-function unit."""
        return libdevice.rsqrtf(x)

    @piece
    def fast_log2(x: Any) -> Any:
        """Binary logarithm, one operation of the special-function unit."""
        return libdevice.fast_log2f(x)

    @piece
    def fast_cosine(x: Any) -> Any:
        """Cosine of an angle between -pi and pi."""
        return libdevice.fast_cosf(x)

    @piece
    def fast_sine(x: Any) -> Any:
        """Sine of an angle between -pi and pi."""
        return libdevice.fast_sinf(x)

    @piece
    def of_bits(word: Any) -> Any:
        """The number that a word's bits write."""
        return libdevice.int_as_float(np.int32(word))


@piece
def where(condition: Any, yes: Any, no: Any) -> Any:
    """Pick one of two numbers that are both known."""
    return yes if condition else no


@piece
def uniform(word: Any) -> Any:
    """The midpoint in (0, 1) that a random word stands for, exactly."""
    return of_bits((word >> SHORT) | ONE_BITS) - BELOW_ONE


@piece
def _mixed(word: Any, shift: Any, factor: Any) -> Any:
    return np.uint32((np.uint64(word ^ (word >> shift)) * factor) & WORD)


@piece
def uniform_of(word: Any, number: Any) -> Any:
    """The `number`-th uniform grown from one random word."""
    x = np.uint32((np.uint64(word) + np.uint64(number) * GOLDEN) & WORD)
    x = _mixed(_mixed(x, SHIFT0, MIX0), SHIFT1, MIX1)
    return uniform(np.uint32(x ^ (x >> SHIFT0)))


@piece
def lookup(table: Any, position: Any) -> Any:
    """A table's entry at a position, rounded down and kept inside the table."""
    last = single(table.size - 1)
    return table[np.int32(minimum(maximum(position, ZERO), last))]


def schedule(key: tuple[int, int]) -> tuple[np.uint32, ...]:
    """The keys of all rounds in turn; a kernel takes them as arguments and keeps none itself."""
    return tuple(
        np.uint32((word + step * weyl) & 0xFFFFFFFF)
        for step in range(ROUNDS)
        for word, weyl in zip(key, WEYL, strict=True)
    )


@piece
def _stirred(c0: Any, c1: Any, c2: Any, c3: Any, k0: Any, k1: Any) -> Any:
    high0, low0 = wide_product(c0, M0)
    high1, low1 = wide_product(c2, M1)
    return np.uint32(high1 ^ c1 ^ k0), low1, np.uint32(high0 ^ c3 ^ k1), low0


@piece
def philox(block: Any, replication: Any, member: Any, k: Any) -> Any:
    """Four random words: the counter is (block, replication, member, 0)."""
    c0, c1, c2, c3 = _stirred(block, replication, member, np.uint32(0), k[0], k[1])
    c0, c1, c2, c3 = _stirred(c0, c1, c2, c3, k[2], k[3])
    c0, c1, c2, c3 = _stirred(c0, c1, c2, c3, k[4], k[5])
    c0, c1, c2, c3 = _stirred(c0, c1, c2, c3, k[6], k[7])
    c0, c1, c2, c3 = _stirred(c0, c1, c2, c3, k[8], k[9])
    c0, c1, c2, c3 = _stirred(c0, c1, c2, c3, k[10], k[11])
    c0, c1, c2, c3 = _stirred(c0, c1, c2, c3, k[12], k[13])
    c0, c1, c2, c3 = _stirred(c0, c1, c2, c3, k[14], k[15])
    c0, c1, c2, c3 = _stirred(c0, c1, c2, c3, k[16], k[17])
    return _stirred(c0, c1, c2, c3, k[18], k[19])


@piece
def normals(first: Any, second: Any) -> Any:
    """A Box-Muller pair from two words.

    The angle is turned by half a turn, into the range where the fast sine is good, and the radius
    takes the sign.
    """
    radius = -sqrt(MINUS_TWO_LOG_TWO * fast_log2(uniform(first)))
    angle = (of_bits((second >> SHORT) | ONE_BITS) - HALF_TURN) * TURN
    return radius * fast_cosine(angle), radius * fast_sine(angle)


ARITHMETIC: Final = {
    "where": where,
    "log": log,
    "exp": exp,
    "sqrt": sqrt,
    "floor": floor,
    "minimum": minimum,
    "maximum": maximum,
    "lookup": lookup,
    "uniform_of": uniform_of,
}
