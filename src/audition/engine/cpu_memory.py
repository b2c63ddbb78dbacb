"""Memory as kernels see it: places in flat arrays, and code called by its address.

A kernel is compiled in parts that meet in memory, so that no part is compiled twice: the walk
through the rounds once for all, a reward once a family, a rule once a learner. The parts take
addresses, which know no bounds; the arrays they point into are held by whoever calls the walk.
"""

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from audition.engine.cpu_vector import FLOATS, LLVM, NUMBERS, WIDTH, WORDS


def _place(context: Any, builder: Any, kind: Any, whole: Any, index: Any) -> Any:
    """The address of an entry of an array, or of what a pointer points to."""
    if isinstance(kind, types.CPointer):
        return builder.gep(whole, [index])
    from numba.np.arrayobj import make_array

    return builder.gep(make_array(kind)(context, builder, whole).data, [index])


@intrinsic
def load(typing: Any, numbers: Any, at: Any) -> Any:
    """Sixteen consecutive entries of float32 or uint32."""
    kind = NUMBERS if numbers.dtype == types.float32 else WORDS

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place = _place(context, builder, sig.args[0], *args)
        return builder.load(builder.bitcast(place, LLVM[type(kind)].as_pointer()), align=4)

    return kind(numbers, types.intp), lower


@intrinsic
def store(typing: Any, numbers: Any, at: Any, value: Any) -> Any:
    """Write sixteen consecutive entries; words may be kept where numbers are."""
    kind = WORDS if value is WORDS else NUMBERS

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place = _place(context, builder, sig.args[0], args[0], args[1])
        builder.store(args[2], builder.bitcast(place, args[2].type.as_pointer()), align=4)
        return context.get_dummy_value()

    return types.void(numbers, types.intp, kind), lower


@intrinsic
def spot(typing: Any, numbers: Any, at: Any) -> Any:
    """One entry, without a look at the bounds."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load(_place(context, builder, sig.args[0], *args))

    return numbers.dtype(numbers, types.intp), lower


@intrinsic
def put(typing: Any, numbers: Any, at: Any, value: Any) -> Any:
    """Write one entry, without a look at the bounds."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(args[2], _place(context, builder, sig.args[0], args[0], args[1]))
        return context.get_dummy_value()

    return types.void(numbers, types.intp, numbers.dtype), lower


@intrinsic
def pointer(typing: Any, numbers: Any, at: Any) -> Any:
    """The address of an entry."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _place(context, builder, sig.args[0], *args)

    return types.CPointer(numbers.dtype)(numbers, types.intp), lower


@intrinsic
def ramp(typing: Any) -> Any:
    """0, 1, ... 15 on the lanes."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return ir.Constant(FLOATS, [float(lane) for lane in range(WIDTH)])

    return NUMBERS(), lower


@intrinsic
def call(typing: Any, address: Any, arguments: Any) -> Any:
    """Call compiled code that gives nothing back, by its address."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        from numba.core import cgutils

        given = cgutils.unpack_tuple(builder, args[1])
        kind = ir.FunctionType(ir.VoidType(), [one.type for one in given])
        builder.call(builder.inttoptr(args[0], kind.as_pointer()), given)
        return context.get_dummy_value()

    return types.void(types.uintp, arguments), lower
