"""Makes the CPU kernel of a rule in a family, of parts that are each compiled once.

The walk through the rounds is compiled once for all kernels, the reward once a family, the rule
once a learner and number of arms, and once more where it is played often. They meet in memory and
are called by their addresses.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, final

from numba import cfunc, njit
from numba.core import types

from audition import learner as contract
from audition.engine import cpu_arithmetic, cpu_memory, cpu_vector, cpu_walk
from audition.engine.cpu_draws import KINDS
from audition.engine.cpu_kept import kept
from audition.engine.cpu_shape import FIELDS, Shape
from audition.engine.cpu_source import reward_text, rounds_text, start_text
from audition.engine.cpu_walk import Job, Plan, room
from audition.engine.fusing import FusedRule, Target, bind_reward, bind_rule
from audition.errors import EngineError
from audition.family import BanditFamily
from audition.learner import Arm, ScalarLearner

TARGET: Final = Target(cpu_arithmetic.ARITHMETIC, cpu_arithmetic.piece)
SINGLES, PLACES = types.CPointer(types.float32), types.CPointer(types.int64)
WHOLE, SINGLE = types.int64, types.float32
PARTS: Final = {
    "starts": types.void(SINGLES, SINGLES, SINGLE, SINGLE, *[WHOLE] * 4),
    "rewards": types.void(*[SINGLES] * 4, SINGLE, *[WHOLE] * 4),
    "rounds": types.void(*[SINGLES] * 4, *[PLACES] * 3, WHOLE, WHOLE),
}


@final
@dataclass(frozen=True, slots=True, eq=False)
class Kernel:
    """A rule in a family, compiled."""

    plan: Plan  # what is left open are the numbers of a job
    walk: Callable[..., None]
    parts: tuple[Any, ...]  # held, so that their addresses stay good
    widens: bool  # whether a wide kernel of the same rule would be another one

    def play(self, plan: Plan, tasks: Any, job: Job) -> None:
        """Play some tasks of a job."""
        cells = int((tasks[:, 2] - tasks[:, 1]).max(initial=0))
        self.walk(plan, tasks, job, room(plan, cells=cells))


def make(learner: ScalarLearner, family: BanditFamily, *, arms: int, wide: bool) -> Kernel:
    """The kernel of a rule in a family; the wide one gives the same bits, faster and later."""
    rule = bind_rule(type(learner), target=TARGET)
    now = type(learner).start(
        type(learner).Settings(*learner.settings()), contract.Clock(2.0, 10.0, float(arms))
    )
    if not isinstance(now, tuple) or not hasattr(type(now), "_fields"):
        raise EngineError(
            f"{learner.name}.start must return a named tuple to be compiled, but returned "
            f"{type(now).__name__}; write a NamedTuple class of what the round fixes"
        )
    shape = _shape(learner, rule, arms, len(now), wide=wide)
    parts = _rule(learner, rule, shape, type(now))
    parts["rewards"] = _reward(family)
    plan = Plan(
        **{name: part.address for name, part in parts.items()},
        block=shape.rounds,
        arms=arms,
        state=shape.size,
        nows=len(now),
        abreast=shape.abreast,
        paid=KINDS[family.noise],
        noise=KINDS[learner.noise],
        entries=0,
        horizon=0,
        replications=0,
        marks=0,
        settings=0,
    )
    return Kernel(plan, _walk(), tuple(parts.values()), shape.widens)


def _shape(learner: ScalarLearner, rule: FusedRule, arms: int, nows: int, *, wide: bool) -> Shape:
    wanted = {"pulls", "total"} | (rule.reads & {"root", "squares", "last"})
    if "memory" in learner.keeps or type(learner).update is not ScalarLearner.update:
        wanted.add("memory")
    return Shape(
        arms=arms,
        keeps=tuple(field for field in FIELDS if field in wanted),
        noise=learner.noise,
        opening=learner.opening,
        pooling=learner.pooling,
        nows=nows,
        wide=wide,
    )


def _rule(learner: ScalarLearner, rule: FusedRule, shape: Shape, now: type) -> dict[str, Any]:
    """The compiled `starts` and `rounds` of a rule."""
    names = WORDS | {"Arm": Arm, "Clock": contract.Clock, "Now": now, "Settings": learner.Settings}
    names |= {name: getattr(rule, name) for name in ("start", "choose", "update", "pool")}
    start = start_text(settings=len(learner.settings()), nows=shape.nows)
    found = kept(start, names, maker=_part, about=rule.digest)
    found |= kept(rounds_text(shape), names, maker=_part, about=rule.digest)
    return {name: found[name] for name in ("starts", "rounds")}


def _reward(family: BanditFamily) -> Any:
    """The compiled `rewards` of a family."""
    fused = bind_reward(type(family), target=TARGET)
    names = WORDS | {"Columns": family.Columns, "reward": fused.reward}
    text = reward_text(columns=len(family.Columns._fields))
    return kept(text, names, maker=_part, about=fused.digest)["rewards"]


@cache
def _walk() -> Callable[..., None]:
    """The compiled walk, from its own source."""
    pieces = (cpu_walk.block, cpu_walk.keep, cpu_walk.play)
    text = "\n\n".join(f"@piece\n{inspect.getsource(piece)}" for piece in pieces)
    text += f"\n\n@kernel\n{inspect.getsource(cpu_walk.walk)}"
    names = vars(cpu_walk) | {"piece": cpu_arithmetic.piece}
    compiled: Callable[..., None] = kept(text, names, maker=_whole, about="")["walk"]
    return compiled


def _part(*, cache: bool) -> Callable[[str], Any]:
    """A decorator that compiles a part at once."""
    return lambda name: cfunc(PARTS[name], error_model="numpy", cache=cache)


def _whole(*, cache: bool) -> Any:
    return njit(error_model="numpy", nogil=True, cache=cache)


# what the text of a kernel means by its words
WORDS: Final[dict[str, Any]] = {
    name: getattr(module, name)
    for module, words in (
        (cpu_memory, ("load", "store", "spot", "pointer", "ramp")),
        (cpu_vector, ("numbers", "mask", "same_bits")),
        (cpu_arithmetic, ("where", "maximum", "inverse_root", "single", "ZERO", "ONE")),
    )
    for name in words
} | {"__name__": __name__}
