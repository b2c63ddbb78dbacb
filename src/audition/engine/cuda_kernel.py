"""Makes the CUDA kernel of a rule in a family, from the same source as the CPU's.

A rule that takes logarithms or exponentials in every round needs many registers and much code, so
its threads carry fewer cells.
"""

import types
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final, final

import numpy as np
from numba import cuda, float32, uint32

from audition import scalars
from audition.engine import cuda_arithmetic
from audition.engine.cuda_shape import Shape
from audition.engine.cuda_source import text
from audition.engine.fusing import Fused, Target, bind
from audition.errors import EngineError
from audition.family import BanditFamily
from audition.learner import Arm, Clock, ScalarLearner

TARGET: Final = Target(cuda_arithmetic.ARITHMETIC, cuda_arithmetic.piece)
ROOM: Final = 128  # numbers that the cells of a thread keep, when a rule is light
HEAVY_ROOM: Final = 24
LOOPED: Final = 0.5  # of that, where the rounds loop over the arms, which takes more registers
LIGHT: Final = {"sqrt", "minimum", "maximum", "where", "floor", "uniform_of", "lookup"}


def mentioned(function: Any) -> set[str]:
    """Every name in a rule's function and in the functions that it calls."""
    seen: set[Any] = set()
    waiting, names = [function], set()
    while waiting:
        one = waiting.pop()
        if one in seen or not isinstance(one, types.FunctionType):
            continue
        seen.add(one)
        fresh = set(_names(one.__code__))
        names |= fresh
        if one.__module__ != scalars.__name__:
            waiting += [one.__globals__.get(name) for name in fresh]
    return names


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            yield from _names(part)


@final
class Rule:
    """A rule in a family with a number of arms, and its kernels by how many cells they carry."""

    def __init__(self, learner: ScalarLearner, family: BanditFamily, arms: int) -> None:
        self._fused = bind(type(learner), family, target=TARGET)
        now = type(learner).start(
            type(learner).Settings(*learner.settings()), Clock(2.0, 10.0, float(arms))
        )
        if not isinstance(now, tuple) or not hasattr(type(now), "_fields"):
            raise EngineError(
                f"{learner.name}.start must return a named tuple to be compiled, but returned "
                f"{type(now).__name__}; write a NamedTuple class of what the round fixes"
            )
        self._types = {"Now": type(now), "Settings": learner.Settings, "Columns": family.Columns}
        self._shape = _shape(learner, family, self._fused, arms, len(now))
        self._kernels: dict[Shape, Callable[..., Any]] = {}
        named = {
            name
            for part in ("choose", "update", "pool")
            for name in mentioned(getattr(type(learner), part))
        }
        heavy = bool(named & (set(cuda_arithmetic.ARITHMETIC) - LIGHT))
        numbers = (HEAVY_ROOM if heavy else ROOM) * (1.0 if arms == 2 else LOOPED)
        self.room = max(int(numbers) // (arms * len(self._shape.kept)), 1)

    def kernel(self, *, simulators: int, cells: int) -> Callable[..., Any]:
        """The kernel whose threads carry so many; it is compiled when it is first launched."""
        shape = replace(self._shape, simulators=simulators, cells=cells)
        if shape not in self._kernels:
            self._kernels[shape] = self._made(shape)
        return self._kernels[shape]

    def _made(self, shape: Shape) -> Callable[..., Any]:
        names: dict[str, Any] = {
            name: getattr(cuda_arithmetic, name)
            for name in (
                "where",
                "maximum",
                "inverse_root",
                "uniform",
                "normals",
                "philox",
                "piece",
            )
        }
        for name in ("start", "choose", "update", "pool", "reward"):
            names[name] = getattr(self._fused, name)
        names |= {"Arm": Arm, "Clock": Clock, **self._types}
        names |= {"ZERO": cuda_arithmetic.ZERO, "ONE": cuda_arithmetic.ONE}
        names |= {"NO_BITS": np.uint32(0), "single": np.float32, "np": np, "cuda": cuda}
        names |= {"float32": float32, "uint32": uint32, "__name__": __name__}
        names["kernel"] = cuda.jit(fastmath=True)
        where = f"<{self._fused.digest[:12]} {shape.simulators}x{shape.cells}>"
        exec(compile(text(shape), where, "exec"), names)
        play: Callable[..., Any] = names["play"]
        return play


def _shape(
    learner: ScalarLearner, family: BanditFamily, fused: Fused, arms: int, nows: int
) -> Shape:
    kept = {"pulls", "total"} | (fused.reads & {"root", "squares", "last"})
    if "memory" in learner.keeps or type(learner).update is not ScalarLearner.update:
        kept.add("memory")
    return Shape(
        arms=arms,
        keeps=frozenset(kept),
        noise=learner.noise,
        paid=family.noise,
        opening=learner.opening,
        pooling=learner.pooling,
        settings=len(learner.settings()),
        columns=len(family.Columns._fields),
        nows=nows,
        steady="round" not in mentioned(type(learner).start),
        simulators=1,
        cells=1,
    )
