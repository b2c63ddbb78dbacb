"""Which engine plays a rule: the one asked for, or the best that can, with a reason in one line."""

from collections.abc import Iterable
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
    """The engine that plays a rule, and what kept better ones from it."""

    engine: Engine
    learner: str
    obstacles: tuple[tuple[str, str], ...] = ()  # (engine, why it cannot play this rule)

    @property
    def reason(self) -> str:
        """Why another engine plays than the one asked for; empty when nothing stood in the way."""
        return "".join(reasons([self]))


def choose(name: str, learner: ScalarLearner, family: BanditFamily, *, arms: int) -> Choice:
    """The engine of a name, or the next best that can play this rule in this family."""
    if name not in NAMES:
        raise ConfigError(f"an engine is one of {', '.join(NAMES)}, but {name!r} was named")
    obstacles: list[tuple[str, str]] = []
    for candidate in ORDER[name]:
        try:
            engine = _engine(candidate)
            engine.prepare(learner, family, arms=arms)
        except (EngineError, PluginError) as error:
            obstacles.append((candidate, str(error)))
        else:
            return Choice(engine, learner.name, tuple(obstacles))
    raise EngineError(_said(tuple(obstacles), [learner.name]))


def reasons(choices: Iterable[Choice]) -> tuple[str, ...]:
    """One line for everything that stands in the way of some rules alike."""
    alike: dict[tuple[tuple[tuple[str, str], ...], str], list[str]] = {}
    for choice in choices:
        if choice.obstacles:
            alike.setdefault((choice.obstacles, choice.engine.name), []).append(choice.learner)
    return tuple(
        f"{_said(obstacles, learners)}; using {engine}"
        for (obstacles, engine), learners in alike.items()
    )


def _said(obstacles: tuple[tuple[str, str], ...], learners: list[str]) -> str:
    played = ", ".join(dict.fromkeys(learners))
    return "; ".join(
        f"the {engine} engine cannot play {played}: {why}" for engine, why in obstacles
    )


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
