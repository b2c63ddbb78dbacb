"""The arithmetic of `audition.scalars` on sixteen lanes in single precision.

Logarithm, exponential, sine and cosine are polynomials of the kind that Cephes uses, good to a
few units in the last place; nothing branches. A scalar argument stands in every lane.
"""

from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import njit
from numba.core import types
from numba.extending import intrinsic

from audition.engine.cpu_vector import (
    FLOATS,
    MASK,
    NUMBERS,
    WIDTH,
    WORDS,
    called,
    counted,
    host_has,
    is_number,
    numbers,
    same_bits,
    whole,
    words,
)

single = np.float32
piece = njit(error_model="numpy", forceinline=True)

LEAST: Final = single(1.17549435e-38)  # the smallest normal number
FRACTION: Final = np.uint32(0x007FFFFF)
HALF_BITS: Final = np.uint32(0x3F000000)  # of 0.5
HALF: Final = single(0.5)
ZERO: Final = single(0.0)
ONE: Final = single(1.0)
LOG_CUT: Final = single(0.70710678)
# log(1 + x) = x - x^2/2 + x^3 p(x) where 1 + x lies between sqrt(1/2) and sqrt(2)
L0, L1, L2 = single(7.0376836292e-2), single(-1.1514610310e-1), single(1.1676998740e-1)
L3, L4, L5 = single(-1.2420140846e-1), single(1.4249322787e-1), single(-1.6668057665e-1)
L6, L7, L8 = single(2.0000714765e-1), single(-2.4999993993e-1), single(3.3333331174e-1)
TWO_HIGH: Final = single(0.693359375)  # log 2 in two parts, the first with few digits
TWO_LOW: Final = single(-2.12194440e-4)
LOG_E: Final = single(1.44269504)
EXP_MOST: Final = single(88.0)  # e to this is still finite
EXP_LEAST: Final = single(-87.3)  # e to this is still normal
# exp(x) = 1 + x + x^2 p(x) for |x| <= log(2) / 2
E0, E1, E2 = single(1.9875691500e-4), single(1.3981999507e-3), single(8.3334519073e-3)
E3, E4, E5 = single(4.1665795894e-2), single(1.6666665459e-1), single(5.0000001201e-1)
TURN: Final = single(2.0 * np.pi)
# sin(x) and cos(x) for |x| <= pi / 4
S0, S1, S2 = single(-1.9515295891e-4), single(8.3321608736e-3), single(-1.6666654611e-1)
C0, C1, C2 = single(2.443315711809948e-5), single(-1.388731625493765e-3), single(4.166664568e-2)
GRID: Final = single(2.0**-23)
MIDDLE: Final = single(2.0**-24)


@intrinsic
def where(typing: Any, condition: Any, yes: Any, no: Any) -> Any:
    """Pick by lane; a scalar condition picks for all lanes."""
    if condition is not MASK and not isinstance(condition, types.Boolean):
        return None
    kind = WORDS if WORDS in (yes, no) else NUMBERS

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.select(*args)

    return kind(condition, kind, kind), lower


def _unary(name: str) -> Any:
    def typed(typing: Any, x: Any) -> Any:
        if x is not NUMBERS and x is not MASK and not is_number(x):
            return None

        def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            function = called(builder.module, f"llvm.{name}.v{WIDTH}f32", FLOATS, [FLOATS])
            return builder.call(function, args)

        return NUMBERS(NUMBERS), lower

    return intrinsic(typed)


sqrt = _unary("sqrt")
floor = _unary("floor")


def _extreme(sign: str) -> Any:
    def typed(typing: Any, x: Any, y: Any) -> Any:
        def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return builder.select(builder.fcmp_ordered(sign, *args), *args)

        return NUMBERS(NUMBERS, NUMBERS), lower

    return intrinsic(typed)


minimum = _extreme("<")
maximum = _extreme(">")


@intrinsic
def _first_guess(typing: Any, x: Any) -> Any:
    """The machine's own estimate of 1 / sqrt(x); exact where it has none."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if not host_has("avx512f"):
            root = called(builder.module, f"llvm.sqrt.v{WIDTH}f32", FLOATS, [FLOATS])
            return builder.fdiv(ir.Constant(FLOATS, [1.0] * WIDTH), builder.call(root, args))
        short = ir.IntType(16)
        estimate = called(
            builder.module, "llvm.x86.avx512.rsqrt14.ps.512", FLOATS, [FLOATS, FLOATS, short]
        )
        return builder.call(estimate, [args[0], ir.Constant(FLOATS, None), short(-1)])

    return NUMBERS(NUMBERS), lower


@piece
def inverse_root(x: Any) -> Any:
    """1 / sqrt(x) to one or two units in the last place, by one step of Newton."""
    guess = _first_guess(x)
    return guess * (single(1.5) - (HALF * x) * guess * guess)


@piece
def log(x: Any) -> Any:
    """Natural logarithm of a positive number."""
    given = maximum(numbers(x), LEAST)
    bits = same_bits(given)
    power = counted(bits >> np.uint32(23)) - single(126.0)
    part = same_bits((bits & FRACTION) | HALF_BITS)  # in [1/2, 1)
    low = part < LOG_CUT
    power = where(low, power - ONE, power)
    f = where(low, part + part, part) - ONE
    z = f * f
    y = L0 * f + L1
    y = y * f + L2
    y = y * f + L3
    y = y * f + L4
    y = y * f + L5
    y = y * f + L6
    y = y * f + L7
    y = y * f + L8
    y = y * f * z + TWO_LOW * power - HALF * z
    return f + y + TWO_HIGH * power


@piece
def exp(x: Any) -> Any:
    """Exponential, held within what single precision can say."""
    given = minimum(maximum(numbers(x), EXP_LEAST), EXP_MOST)
    power = floor(given * LOG_E + HALF)
    f = given - power * TWO_HIGH - power * TWO_LOW
    y = E0 * f + E1
    y = y * f + E2
    y = y * f + E3
    y = y * f + E4
    y = y * f + E5
    y = y * (f * f) + f + ONE
    return y * same_bits((whole(power) + np.uint32(127)) << np.uint32(23))


@piece
def of_turn(turn: Any) -> Any:
    """Cosine and sine of a whole turn's share in [0, 1]."""
    quarter = floor(turn * single(4.0) + HALF)
    x = (turn - quarter * single(0.25)) * TURN
    z = x * x
    sine = x + x * z * ((S0 * z + S1) * z + S2)
    cosine = ONE - HALF * z + z * z * ((C0 * z + C1) * z + C2)
    number = whole(quarter)
    swapped = counted(number & np.uint32(1)) > HALF
    over = (number & np.uint32(2)) << np.uint32(30)
    flipped = ((number + np.uint32(1)) & np.uint32(2)) << np.uint32(30)
    first = same_bits(same_bits(where(swapped, sine, cosine)) ^ flipped)
    second = same_bits(same_bits(where(swapped, cosine, sine)) ^ over)
    return first, second


@piece
def uniform(word: Any) -> Any:
    """The midpoint in (0, 1) that a random word stands for."""
    return counted(word >> np.uint32(9)) * GRID + MIDDLE


@piece
def uniform_of(word: Any, number: Any) -> Any:
    """The `number`-th uniform grown from one random word."""
    x = words(word) + np.uint32(number) * np.uint32(0x9E3779B9)
    x = (x ^ (x >> np.uint32(16))) * np.uint32(0x7FEB352D)
    x = (x ^ (x >> np.uint32(15))) * np.uint32(0x846CA68B)
    return uniform(x ^ (x >> np.uint32(16)))


@intrinsic
def _gather(typing: Any, entries: Any, places: Any) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        found = ir.Constant(FLOATS, ir.Undefined)
        for lane in range(WIDTH):
            at = ir.Constant(ir.IntType(32), lane)
            place = builder.zext(builder.extract_element(args[1], at), ir.IntType(64))
            found = builder.insert_element(found, builder.load(builder.gep(args[0], [place])), at)
        return found

    return NUMBERS(entries, WORDS), lower


@piece
def lookup(table: Any, position: Any) -> Any:
    """A table's entries at positions, rounded down and kept inside the table."""
    entries, size = table  # the address of the first entry, and how many there are
    last = numbers(single(size - 1))
    return _gather(entries, whole(minimum(maximum(numbers(position), single(0.0)), last)))


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
