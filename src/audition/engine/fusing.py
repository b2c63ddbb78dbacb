"""Takes a rule and a reward as they are written, and binds them to the machine that will run them.

A rule is plain Python over the names of `audition.scalars`. Binding makes a copy of each function
in which those names mean the target's own arithmetic and every constant is single precision, and
hands the copy to the target's compiler. Functions that a rule calls are bound with it. Nothing
here knows what the target is: CPU lanes and CUDA threads are made from the same binding.
"""

import builtins
import dis
import hashlib
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np

from audition import scalars
from audition.errors import EngineError
from audition.family import BanditFamily
from audition.learner import Arm, ScalarLearner

NAMES: Final = tuple(
    name
    for name, value in vars(scalars).items()
    if isinstance(value, types.FunctionType) and value.__module__ == scalars.__name__
)


@final
@dataclass(frozen=True, slots=True)
class Target:
    """A machine that scalar rules are bound to."""

    arithmetic: Mapping[str, Any]  # what each function of audition.scalars means there
    compile: Callable[[types.FunctionType], Any]  # makes a bound function callable in a kernel


@final
@dataclass(frozen=True, slots=True, eq=False)
class FusedRule:
    """A rule that a kernel of the target can call."""

    start: Any  # (settings, clock) -> now
    choose: Any  # (arm, now) -> index
    update: Any  # (arm, now, hit, reward) -> memory
    pool: Any  # (arm, now) -> what is reduced over arms
    reads: frozenset[str]  # fields of Arm that the rule may read; the others need not be kept
    digest: str  # of everything above: the same digest, the same compiled code


@final
@dataclass(frozen=True, slots=True, eq=False)
class FusedReward:
    """A reward that a kernel of the target can call."""

    reward: Any  # (draw, columns, table) -> reward
    digest: str


@final
@dataclass(frozen=True, slots=True, eq=False)
class Fused:
    """A rule and a reward that one kernel of the target calls."""

    start: Any  # (settings, clock) -> now
    choose: Any  # (arm, now) -> index
    update: Any  # (arm, now, hit, reward) -> memory
    pool: Any  # (arm, now) -> what is reduced over arms
    reward: Any  # (draw, columns, table) -> reward
    reads: frozenset[str]  # fields of Arm that the rule may read; the others need not be kept
    digest: str  # of everything above: the same digest, the same compiled code


def bind_rule(learner: type[ScalarLearner], *, target: Target) -> FusedRule:
    """A rule, bound to a target from its single source."""
    binder = Binder(target)
    rule = {
        name: binder.bound(_plain(learner, name)) for name in ("start", "choose", "update", "pool")
    }
    reads = frozenset(binder.mentioned & set(Arm._fields))
    return FusedRule(**rule, reads=reads, digest=binder.digest())


def bind_reward(family: type[BanditFamily], *, target: Target) -> FusedReward:
    """A family's reward, bound to a target from its single source."""
    binder = Binder(target)
    return FusedReward(binder.bound(_plain(family, "reward")), binder.digest())


def bind(learner: type[ScalarLearner], family: BanditFamily, *, target: Target) -> Fused:
    """One rule and one reward, bound to a target from their single source."""
    rule, paid = bind_rule(learner, target=target), bind_reward(type(family), target=target)
    return Fused(
        start=rule.start,
        choose=rule.choose,
        update=rule.update,
        pool=rule.pool,
        reward=paid.reward,
        reads=rule.reads,
        digest=rule.digest + paid.digest,
    )


def _plain(owner: type, name: str) -> types.FunctionType:
    function = getattr(owner, name, None)
    if not isinstance(function, types.FunctionType):
        raise EngineError(
            f"{owner.__name__}.{name} must be a plain static function to be compiled, "
            f"but is {type(function).__name__}; write it with @staticmethod"
        )
    return function


@final
class Binder:
    """Copies functions for one target, each once, and remembers what they were made of."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._done: dict[types.FunctionType, Any] = {}
        self._open: set[types.FunctionType] = set()
        self._hash = hashlib.sha256()
        self.mentioned: set[str] = set()  # every name and attribute met so far
        self._module = types.ModuleType("arithmetic")
        self._module.__dict__.update(target.arithmetic)
        self._module.__dict__["BIG"] = np.float32(scalars.BIG)

    def bound(self, function: types.FunctionType) -> Any:
        """The function as the target's kernels call it."""
        if function in self._done:
            return self._done[function]
        if function in self._open:
            raise EngineError(f"{function.__qualname__} calls itself, which no engine can compile")
        self._open.add(function)
        copy = self._copy(function)
        self._open.discard(function)
        self._done[function] = self._target.compile(copy)
        return self._done[function]

    def digest(self) -> str:
        """What the bound functions are made of, in one word."""
        return self._hash.hexdigest()

    def _copy(self, function: types.FunctionType) -> types.FunctionType:
        code = _single_code(function.__code__)
        self._note(function.__qualname__, _told(code))
        scope: dict[str, Any] = {"__builtins__": builtins, "__name__": __name__}
        for name in sorted(set(_names(code))):
            self.mentioned.add(name)
            if name in function.__globals__:
                value = function.__globals__[name]
                scope[name] = self._value(value, where=f"{function.__qualname__}: {name}")
        cells = tuple(
            types.CellType(
                self._value(cell.cell_contents, where=f"{function.__qualname__}: {name}")
            )
            for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True)
        )
        defaults = tuple(_single(value) for value in function.__defaults__ or ()) or None
        self._note("defaults", repr(defaults))
        return types.FunctionType(code, scope, function.__name__, defaults, cells or None)

    def _value(self, value: Any, *, where: str) -> Any:
        """What a name in a rule means on the target."""
        if isinstance(value, types.ModuleType):
            return self._module_of(value, where)
        if isinstance(value, types.FunctionType):
            if value.__module__ == scalars.__name__:
                return self._arithmetic(value.__name__)
            return self.bound(value)
        single = _single(value)
        fields = vars(value).get("_fields") if isinstance(value, type) else None
        self._note(where, repr(fields or single))
        return single

    def _module_of(self, module: types.ModuleType, where: str) -> types.ModuleType:
        if module.__name__ == scalars.__name__:
            return self._module
        raise EngineError(
            f"{where} is the module {module.__name__}, which an engine cannot compile; "
            "use the functions of audition.scalars"
        )

    def _arithmetic(self, name: str) -> Any:
        if name not in self._target.arithmetic:
            raise EngineError(f"this engine has no {name} of audition.scalars")
        return self._target.arithmetic[name]

    def _note(self, where: str, what: str) -> None:
        self._hash.update(f"{where}={what};".encode())


def _single(value: Any) -> Any:
    """Fractions in single precision; anything else as it is."""
    if isinstance(value, float | np.floating):
        return np.float32(value)
    if type(value) is tuple:
        return tuple(_single(part) for part in value)
    return value


def _single_code(code: types.CodeType) -> types.CodeType:
    constants = tuple(
        _single_code(part) if isinstance(part, types.CodeType) else _single(part)
        for part in code.co_consts
    )
    return code.replace(co_consts=constants, co_code=_without_del(code.co_code))


def _without_del(instructions: bytes) -> bytes:
    """Rules write `del clock` for what they do not read; compilers know no such statement."""
    changed = bytearray(instructions)
    for at in range(0, len(changed), 2):
        if changed[at] == dis.opmap["DELETE_FAST"]:
            changed[at] = dis.opmap["NOP"]
    return bytes(changed)


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            yield from _names(part)


def _told(code: types.CodeType) -> str:
    """A function's code as text that is the same in every process."""
    constants = [
        _told(part) if isinstance(part, types.CodeType) else repr(part)
        for part in code.co_consts[1:]  # the first is the docstring or None
        if not isinstance(part, str)
    ]
    first = code.co_consts[:1]
    constants += [repr(part) for part in first if not isinstance(part, str | types.CodeType)]
    names = (code.co_names, code.co_varnames, code.co_freevars)
    return f"{code.co_code.hex()}{constants}{names}"
