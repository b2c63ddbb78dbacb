"""Which engine plays a rule: the one asked for, or the best that can, with a reason in one line."""

from dataclasses import dataclass
from typing import Final, final

from audition.engine.work import Engine
from audition.errors import ConfigError, EngineError, PluginError
from audition.family import BanditFamily
from audition.learner import ScalarLearner

NAMES: Final = ("auto", "plain", "cpu", "cuda")
ORDER: Final = {
    "auto": ("cpu", "plain"),
    "cuda": ("cuda", "cpu", "plain"),
    "cpu": ("cpu", "plain"),
    "plain": ("plain",),
}


@final
@dataclass(frozen=True, slots=True)
class Choice:
    """The engine that plays, and why it is not the one asked for."""

    engine: Engine
    reason: str  # one line; empty when nothing stood in the way


def choose(name: str, learner: ScalarLearner, family: BanditFamily, *, arms: int) -> Choice:
    """The engine of a name, or the next best that can play this rule in this family."""
    if name not in NAMES:
        raise ConfigError(f"an engine is one of {', '.join(NAMES)}, but {name!r} was named")
    reasons = []
    for candidate in ORDER[name]:
        try:
            engine = _engine(candidate)
            engine.prepare(learner, family, arms=arms)
        except (EngineError, PluginError) as error:
            reasons.append(f"the {candidate} engine cannot play {learner.name}: {error}")
        else:
            used = f"; using {engine.name}" if reasons else ""
            return Choice(engine, "; ".join(reasons) + used)
    raise EngineError("; ".join(reasons))


def _engine(name: str) -> Engine:
    """An engine by name; its packages are imported only now."""
    if name == "cuda":
        from audition.engine.cuda import CudaEngine

        return CudaEngine()
    if name == "cpu":
        from audition.engine.cpu import CpuEngine

        return CpuEngine()
    from audition.engine.plain import PlainEngine

    return PlainEngine()
