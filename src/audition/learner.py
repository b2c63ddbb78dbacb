"""A candidate: an online algorithm with its settings. It learns while it is deployed.

Two levels of contract. Any learner implements `deploy(world, rng)`: play the world to its end,
all lanes at once, keeping nothing on `self`. A bandit learner whose rule is a scalar index derives
from `ScalarLearner` and gives three small functions of `audition.scalars` arithmetic:

- `start(settings, clock)`: what depends on the round alone, computed once per round;
- `choose(arm, now)`: the index of one arm; the arm with the largest index is pulled, the first
  such arm on a tie;
- `update(arm, now, hit, reward)`: the new value of the arm's `memory`, for rules that keep one
  (`hit` is 1.0 for the arm that was pulled, else 0.0).

and, for rules whose index needs a sum or a maximum over the arms, `pool(arm, now)`, whose reduced
value reaches `choose` and `update` as `arm.pooled`. The plain engine runs them on NumPy lanes in
double precision; the compiled engines fuse and compile the same source.
"""

from abc import ABC, abstractmethod
from dataclasses import MISSING, dataclass, fields, is_dataclass
from typing import Any, ClassVar, Final, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from audition import scalars
from audition.errors import LearnerError
from audition.seeds import Draws
from audition.world import BanditWorld, World

FloatArray = NDArray[np.float64]
LEARNER_PURPOSE: Final = "learner"


@final
@dataclass(frozen=True, slots=True)
class Hints:
    """What the log says of the rewards, for a learner that proposes settings worth trying."""

    noise: float  # standard deviation of a reward around its arm's mean
    gap: float  # the fitted best mean less the fitted worst
    arms: int
    horizon: int
    low: float | None = None  # the smallest reward there can be, where it is known
    high: float | None = None
    support: str = "real"  # as a family says it: real, unit, binary, count, positive, nonnegative

    @property
    def scale(self) -> float:
        """A length to measure exploration by: the noise, or the gap where there is none."""
        return next((size for size in (self.noise, self.gap) if 0.0 < size < np.inf), 1.0)

    @property
    def variance(self) -> float:
        """The scale squared (the paper's sigma^2)."""
        return self.scale**2


class Learner(ABC):
    """An online algorithm with its settings (a frozen dataclass)."""

    plays: ClassVar[str] = "bandit"  # worlds it is made for: "bandit", or "episodes"
    needs: ClassVar[str] = "real"  # rewards it is made for: "real", or "unit" for a known range
    together: ClassVar[int] = 1  # how many runs of an episode world it likes to play side by side
    shift_equivariant: ClassVar[bool] = False  # a constant added to all rewards changes no choice

    @property
    @abstractmethod
    def name(self) -> str:
        """The word that study files use for this kind of learner."""

    @abstractmethod
    def deploy(self, world: Any, rng: Draws) -> None:
        """Play the world to its end; the world keeps the score."""

    @property
    def own_reward(self) -> bool:
        """Whether it makes the reward that it trains on, and needs none of the world's."""
        return True

    @classmethod
    def grid(cls, hints: Hints) -> "tuple[Learner, ...]":
        """The settings worth trying, scaled to the noise; empty for one that must be named."""
        del hints
        return ()


class Clock(NamedTuple):
    """What every rule may know of the round."""

    round: Any  # counts from 1
    horizon: Any
    arms: Any


class Arm(NamedTuple):
    """What a rule may know of one arm in one lane before the round."""

    number: Any  # counts from 0
    pulls: Any
    total: Any  # sum of the rewards it gave
    root: Any  # 1 / sqrt(pulls), 0 before the first pull; mean = total * root * root
    squares: Any  # sum of squared rewards; kept only when "squares" is in `keeps`
    memory: Any  # the rule's own number; kept only when "memory" is in `keeps`
    pooled: Any  # `pool` reduced over the arms; 0 without a pool
    last: Any  # 1.0 when this arm was pulled in the round before, else 0.0
    draw: Any  # the learner's random number for this arm and round
    shared: Any  # the learner's random number for this round (the draw of arm 0)


class ScalarLearner(Learner):
    """A bandit rule given once, as scalar functions, for every engine."""

    noise: ClassVar[str] = "none"  # of its draws: "none", "normal", "uniform" or "bits"
    keeps: ClassVar[tuple[str, ...]] = ()  # of "squares", "memory", "last"
    opening: ClassVar[int] = 1  # each arm is pulled this often first, in order
    pooling: ClassVar[str] = "none"  # how `pool` is reduced over arms: "none", "sum" or "max"
    Settings: ClassVar[Any]  # a NamedTuple class of floats, as `start` reads it

    @abstractmethod
    def settings(self) -> tuple[float, ...]:
        """The settings as numbers, in the order of `Settings`."""

    @staticmethod
    @abstractmethod
    def start(settings: Any, clock: Any) -> Any:
        """What depends on the round alone: a NamedTuple of numbers."""

    @staticmethod
    @abstractmethod
    def choose(arm: Any, now: Any) -> Any:
        """The index of one arm."""

    @staticmethod
    def update(arm: Any, now: Any, hit: Any, reward: Any) -> Any:
        """The arm's next memory; by default it stays as it is."""
        del now, hit, reward
        return arm.memory

    @staticmethod
    def pool(arm: Any, now: Any) -> Any:
        """What is summed or maximised over arms before `choose`; by default nothing."""
        del now
        return arm.memory

    def deploy(self, world: World, rng: Draws) -> None:
        """Run the scalar rule on NumPy lanes, in double precision."""
        if not isinstance(world, BanditWorld):
            raise LearnerError(
                f"{self.name} is a bandit learner and plays bandit worlds, but met a "
                f"{type(world).__name__}; name a learner that trains in episodes, such as 'sb3'"
            )
        _deploy(self, world, rng)


@final
@dataclass(frozen=True, slots=True)
class Candidate:
    """A learner under a name, as the tables show it."""

    name: str
    learner: Learner

    @staticmethod
    def of(learner: Learner) -> "Candidate":
        """A candidate named after its learner and settings: `ucb(theta=2)`."""
        return Candidate(describe(learner), learner)


def describe(learner: Learner) -> str:
    """A learner and its settings in one short line; a whole table of settings only if changed."""
    usual = {
        field.name: field.default_factory()
        for field in fields(learner)  # type: ignore[arg-type]
        if field.default_factory is not MISSING
    }
    given = {
        name: value
        for name, value in settings_of(learner).items()
        if not (is_dataclass(value) and usual.get(name) == value)
    }
    return f"{learner.name}({', '.join(f'{k}={short(v)}' for k, v in given.items())})"


def rounded(value: float) -> float:
    """A setting with four significant digits, so that its short form says all of it."""
    return float(f"{value:.4g}")


def settings_of(learner: Learner) -> dict[str, Any]:
    """The learner's settings by name (its dataclass fields)."""
    return {field.name: getattr(learner, field.name) for field in fields(learner)}  # type: ignore[arg-type]


def short(value: Any) -> str:
    """A setting as people write it."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _deploy(learner: ScalarLearner, world: BanditWorld, rng: Draws) -> None:
    lanes, arms = world.lanes, world.arms
    shape = (arms, lanes)
    state = {name: np.zeros(shape) for name in ("pulls", "total", "squares", "memory", "last")}
    numbers = np.arange(arms, dtype=np.float64)[:, None]
    settings = learner.Settings(*learner.settings())
    for _ in range(world.horizon):
        clock = Clock(float(world.round), float(world.horizon), float(arms))
        now = learner.start(settings, clock)
        arm = _arm(learner, numbers, state, rng, world.round)
        if learner.pooling != "none":
            reduce = np.sum if learner.pooling == "sum" else np.max
            pooled = np.broadcast_to(learner.pool(arm, now), shape)
            arm = arm._replace(pooled=reduce(pooled, axis=0, keepdims=True))
        if world.round <= learner.opening * arms:
            chosen = np.full(lanes, (world.round - 1) % arms, dtype=np.int64)
        else:
            index = np.broadcast_to(learner.choose(arm, now), shape)
            chosen = np.argmax(index, axis=0)
        rewards = world.pull(chosen)
        hit = (numbers == chosen).astype(np.float64)
        state["memory"] = np.broadcast_to(learner.update(arm, now, hit, rewards), shape)
        state["pulls"] += hit
        state["total"] += hit * rewards
        state["squares"] += hit * rewards * rewards
        state["last"] = hit


def _arm(
    learner: ScalarLearner,
    numbers: FloatArray,
    state: dict[str, FloatArray],
    rng: Draws,
    round_number: int,
) -> Arm:
    pulls = state["pulls"]
    root = np.where(pulls > 0, 1.0 / np.sqrt(np.maximum(pulls, 1.0)), 0.0)
    draw = _draw(learner.noise, rng, round_number, pulls.shape)
    zero = np.zeros_like(pulls)
    return Arm(
        number=numbers,
        pulls=pulls,
        total=state["total"],
        root=root,
        squares=state["squares"],
        memory=state["memory"],
        pooled=zero,
        last=state["last"],
        draw=draw,
        shared=draw[:1],
    )


def _draw(kind: str, rng: Draws, round_number: int, shape: tuple[int, ...]) -> Any:
    arms = shape[0]
    if kind == "normal":
        return rng.normals(round_number, arms).T
    if kind == "uniform":
        return rng.uniforms(round_number, arms).T
    if kind == "bits":
        return rng.words(round_number, arms).T
    return np.zeros(shape)


__all__ = [
    "Arm",
    "Candidate",
    "Clock",
    "Hints",
    "Learner",
    "ScalarLearner",
    "describe",
    "rounded",
    "scalars",
    "settings_of",
]
