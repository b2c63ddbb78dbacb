"""Sixteen lanes as one number: the vector types that rules are compiled for on a CPU.

A rule is written for one lane. On the CPU each of its numbers is a vector of sixteen lanes that
stays in a register, so the rule's source is typed with `Numbers` (sixteen float32), `Words`
(sixteen uint32) and `Mask` (sixteen truth values), and every operation is one vector instruction
without a branch. LLVM splits the vectors where the machine's registers are shorter. This module
gives Numba the types and their operators.
"""

import operator
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel.models import PrimitiveModel
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, lower_cast, register_model

WIDTH: Final = 16
CONTRACT: Final = ("contract",)  # a product and a sum may become one fused operation
FLOATS: Final = ir.VectorType(ir.FloatType(), WIDTH)
INTS: Final = ir.VectorType(ir.IntType(32), WIDTH)
HALVES: Final = ir.VectorType(ir.IntType(64), WIDTH // 2)
BITS: Final = ir.VectorType(ir.IntType(1), WIDTH)


class NumbersType(types.Type):  # type: ignore[misc]
    """Sixteen float32."""


class WordsType(types.Type):  # type: ignore[misc]
    """Sixteen uint32."""


class MaskType(types.Type):  # type: ignore[misc]
    """Sixteen truth values."""


NUMBERS: Final = NumbersType("audition.numbers")
WORDS: Final = WordsType("audition.words")
MASK: Final = MaskType("audition.mask")
LLVM: Final = {NumbersType: FLOATS, WordsType: INTS, MaskType: BITS}


def _model(kind: type, vector: ir.Type) -> None:
    class Model(PrimitiveModel):  # type: ignore[misc]
        def __init__(self, dmm: Any, fe_type: Any) -> None:
            super().__init__(dmm, fe_type, vector)

    register_model(kind)(Model)


for _kind, _vector in LLVM.items():
    _model(_kind, _vector)


def splat(builder: Any, value: Any) -> Any:
    """One scalar in every lane."""
    vector = ir.VectorType(value.type, WIDTH)
    first = builder.insert_element(ir.Constant(vector, ir.Undefined), value, _int(0))
    return builder.shuffle_vector(
        first, ir.Constant(vector, ir.Undefined), ir.Constant(INTS, [0] * WIDTH)
    )


def _int(value: int) -> Any:
    return ir.Constant(ir.IntType(32), value)


def _scalar_to(kind: Any, scalar: Any) -> Callable[..., Any]:
    def cast(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
        return splat(builder, context.cast(builder, value, fromty, scalar))

    for source in (types.Float, types.Integer, types.IntegerLiteral, types.Boolean):
        lower_cast(source, kind)(cast)
    return cast


_scalar_to(NumbersType, types.float32)
_scalar_to(WordsType, types.uint32)
_scalar_to(MaskType, types.boolean)


@lower_cast(MaskType, NumbersType)
def _mask_to_numbers(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return builder.uitofp(value, FLOATS)


def is_number(kind: Any) -> bool:
    """Whether a Numba type is a scalar that can stand in every lane."""
    return isinstance(kind, types.Number | types.Boolean | types.IntegerLiteral)


def widest(*kinds: Any) -> Any:
    """The vector type that arguments of an operator meet in, or None where they cannot."""
    vectors = {kind for kind in kinds if kind in (NUMBERS, WORDS, MASK)}
    if not all(kind in vectors or is_number(kind) for kind in kinds):
        return None
    if vectors == {MASK, NUMBERS}:
        return NUMBERS
    return vectors.pop() if len(vectors) == 1 else None


def _operator(symbols: Any, kind: Any, result: Any, lower: Callable[..., Any]) -> None:
    """Teach Numba one operator of vectors; scalars beside a vector stand in every lane."""

    class Template(AbstractTemplate):  # type: ignore[misc]
        def generic(self, args: Any, kws: Any) -> Any:
            if kws or widest(*args) is not kind:
                return None
            return signature(result, *([kind] * len(args)))

    for symbol in symbols:
        infer_global(symbol)(Template)

        def lowered(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return lower(builder, *args)

        for count in (1, 2):
            lower_builtin(symbol, *([kind] * count))(lowered)


def _float(name: str) -> Callable[..., Any]:
    return lambda builder, x, y: getattr(builder, name)(x, y, flags=CONTRACT)


def _whole(name: str) -> Callable[..., Any]:
    return lambda builder, x, y: getattr(builder, name)(x, y)


def _compared(sign: str) -> Callable[..., Any]:
    return lambda builder, x, y: builder.fcmp_ordered(sign, x, y)


_operator((operator.add, operator.iadd), NUMBERS, NUMBERS, _float("fadd"))
_operator((operator.sub, operator.isub), NUMBERS, NUMBERS, _float("fsub"))
_operator((operator.mul, operator.imul), NUMBERS, NUMBERS, _float("fmul"))
_operator((operator.truediv, operator.itruediv), NUMBERS, NUMBERS, _float("fdiv"))
_operator((operator.neg,), NUMBERS, NUMBERS, lambda builder, x: builder.fneg(x))
_operator((operator.pos,), NUMBERS, NUMBERS, lambda builder, x: x)
for _symbol, _sign in (
    (operator.lt, "<"),
    (operator.le, "<="),
    (operator.gt, ">"),
    (operator.ge, ">="),
    (operator.eq, "=="),
    (operator.ne, "!="),
):
    _operator((_symbol,), NUMBERS, MASK, _compared(_sign))
for _kind in (WORDS, MASK):
    _operator((operator.and_, operator.iand), _kind, _kind, _whole("and_"))
    _operator((operator.or_, operator.ior), _kind, _kind, _whole("or_"))
    _operator((operator.xor, operator.ixor), _kind, _kind, _whole("xor"))
    _operator((operator.invert,), _kind, _kind, lambda builder, x: builder.not_(x))
_operator((operator.add, operator.iadd), WORDS, WORDS, _whole("add"))
_operator((operator.sub, operator.isub), WORDS, WORDS, _whole("sub"))
_operator((operator.mul, operator.imul), WORDS, WORDS, _whole("mul"))
_operator((operator.lshift,), WORDS, WORDS, _whole("shl"))
_operator((operator.rshift,), WORDS, WORDS, _whole("lshr"))


def _converter(kind: Any) -> Any:
    def convert(typing: Any, value: Any) -> Any:
        if value is not kind and not is_number(value) and widest(value, kind) is not kind:
            return None

        def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return args[0]

        return kind(kind), lower

    return convert


numbers = intrinsic(_converter(NUMBERS))  # any number as sixteen
words = intrinsic(_converter(WORDS))  # any whole number as sixteen words
mask = intrinsic(_converter(MASK))  # any truth value as sixteen


@intrinsic
def same_bits(typing: Any, value: Any) -> Any:
    """Numbers as the words that hold them, and back."""
    other = WORDS if value is NUMBERS else NUMBERS

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.bitcast(args[0], LLVM[type(other)])

    return other(value), lower


@intrinsic
def whole(typing: Any, value: Any) -> Any:
    """Signed whole numbers in words, from numbers rounded towards zero."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.fptosi(args[0], INTS)

    return WORDS(NUMBERS), lower


@intrinsic
def counted(typing: Any, value: Any) -> Any:
    """Numbers from signed words."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.sitofp(args[0], FLOATS)

    return NUMBERS(WORDS), lower


@intrinsic
def wide_product(typing: Any, value: Any, factor: Any) -> Any:
    """The upper and the lower 32 bits of the product of words and one word.

    Even and odd lanes are multiplied apart, which is how the machine's own wide product works.
    """

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        half, low = (ir.Constant(HALVES, [part] * (WIDTH // 2)) for part in (32, 2**32 - 1))
        high = ir.Constant(HALVES, [2**64 - 2**32] * (WIDTH // 2))
        pair = [builder.bitcast(arg, HALVES) for arg in args]
        once = builder.and_(pair[1], low)
        even = builder.mul(builder.and_(pair[0], low), once)
        odd = builder.mul(builder.lshr(pair[0], half), once)
        upper = builder.or_(builder.lshr(even, half), builder.and_(odd, high))
        lower_ = builder.or_(builder.and_(even, low), builder.shl(odd, half))
        words_ = [builder.bitcast(part, INTS) for part in (upper, lower_)]
        return context.make_tuple(builder, sig.return_type, words_)

    return types.UniTuple(WORDS, 2)(WORDS, WORDS), lower


def called(module: Any, name: str, result: Any, arguments: list[Any]) -> Any:
    """An LLVM intrinsic, declared in a module."""
    return cgutils.get_or_insert_function(module, ir.FunctionType(result, arguments), name)


@lru_cache
def host_has(feature: str) -> bool:
    """Whether the machine that Numba compiles for has an instruction set."""
    from numba.core.registry import cpu_target

    return f"+{feature}" in cpu_target.target_context.codegen().magic_tuple()[2].split(",")
