"""Worlds that are played in episodes of a Gymnasium environment, and what their evaluation saw.

A learner trains however it likes on `world.environment(lane, purpose="training")`, for
`world.steps` steps, and shapes the reward as it likes. Then it hands its policy to
`world.evaluate`, which plays `world.episodes` episodes in environments of the world's own and
keeps the score. The semantics that every episode world keeps:

- A lane is independent of every other lane.
- Every environment starts from a seed that is a function of (root seed, purpose, replication,
  member, index) alone, so that candidates meet the same resets and the same noise.
- Evaluation episode e has its own seed, so that a policy that falls early in one episode meets
  the same next episode as a policy that does not.
- A lane whose learner diverges is told so by `fail`; its numbers are NaN, the other lanes' stand.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np
from numpy.typing import NDArray

from audition.errors import LearnerError
from audition.seeds import Lanes, stream
from audition.world import World

if TYPE_CHECKING:
    import gymnasium

FloatArray = NDArray[np.float64]
Policy = Callable[[FloatArray], FloatArray]
"""What a learner has learned: observation -> action, without noise."""
Frames = tuple[tuple[tuple[float, ...], ...], ...]
"""Still pictures of an episode  # [frame][limb] x and height of both ends, and the radius."""
Drawing = Callable[[int, int, Sequence[FloatArray]], Frames]
"""(lane, seed of the episode, its actions) -> its still pictures."""

TRAINING: Final = "training"
EVALUATION: Final = "evaluation"


@final
@dataclass(frozen=True, slots=True, eq=False)
class Episodes:
    """What one lane's policy did in its evaluation episodes."""

    lengths: FloatArray  # [episode] steps
    returns: FloatArray  # [episode] sum of the environment's own reward
    distances: FloatArray  # [episode] how far it got by the end; NaN where nothing reports it
    efforts: FloatArray  # [episode] mean over steps of the squared actuation
    features: FloatArray  # [episode, feature] sums over steps

    @staticmethod
    def nothing(episodes: int, *, features: int) -> Episodes:
        """The episodes of a lane without a policy: NaN throughout."""
        gone = np.full(episodes, np.nan)
        return Episodes(gone, gone, gone, gone, np.full((episodes, features), np.nan))


@final
@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A point of a learning curve: the mean return of recent training episodes."""

    steps: int
    value: float


@final
@dataclass(frozen=True, slots=True, eq=False)
class EpisodeOutcome:
    """What the final policies did, for an objective to turn into one number a lane."""

    lengths: FloatArray  # [lane, episode]
    returns: FloatArray  # [lane, episode]
    distances: FloatArray  # [lane, episode]
    efforts: FloatArray  # [lane, episode]
    features: FloatArray  # [lane, episode, feature]
    failures: tuple[str, ...]  # [lane] why a lane has no numbers; empty where it has
    curves: tuple[tuple[CurvePoint, ...], ...]  # [lane]
    rollouts: tuple[Frames, ...] = ()  # [lane] the first evaluation episode, where it can be drawn


class EpisodeWorld(World):
    """Environments side by side, one per lane, each learned in and then evaluated."""

    def __init__(
        self,
        *,
        lanes: Lanes,
        seed: int,
        steps: int,
        episodes: int,
        drawing: Drawing | None = None,
    ) -> None:
        """A world of so many training steps and evaluation episodes in every lane."""
        self._addresses = lanes
        self._root = seed
        self.steps = steps
        self.episodes = episodes
        self._kept: dict[int, Episodes] = {}
        self._failed: dict[int, str] = {}
        self._drawing = drawing
        self._rollouts: dict[int, Frames] = {}
        self._curves: tuple[list[CurvePoint], ...] = tuple([] for _ in range(lanes.size))

    @property
    def lanes(self) -> int:
        """How many environments stand side by side."""
        return self._addresses.size

    @abstractmethod
    def make(self, lane: int, *, seed: int) -> gymnasium.Env[Any, Any]:
        """A fresh environment of that lane's simulator, whose first reset starts from the seed."""

    def seed(self, lane: int, *, purpose: str, index: int = 0) -> int:
        """The seed of one environment (or episode) of one purpose in one lane."""
        where = int(self._addresses.replications[lane]), int(self._addresses.members[lane])
        named = stream(self._root, f"world/{purpose}", *where, index)
        return int(named.integers(2**31))

    def environment(
        self, lane: int, *, purpose: str = TRAINING, index: int = 0
    ) -> gymnasium.Env[Any, Any]:
        """A fresh environment for a learner; another index is another stream of episodes."""
        return self.make(lane, seed=self.seed(lane, purpose=purpose, index=index))

    def evaluate(self, lane: int, policy: Policy) -> None:
        """Play the evaluation episodes with a policy and keep what it did."""
        environment = self.environment(lane, purpose=EVALUATION)
        seeds = self.evaluation_seeds(lane)
        actions: list[FloatArray] = []  # of the first episode
        remembering = _remembering(policy, actions)
        played = [_play(environment, remembering, seeds[0])]
        played += [_play(environment, policy, seed) for seed in seeds[1:]]
        environment.close()
        columns = (np.array(column, dtype=np.float64) for column in zip(*played, strict=True))
        self._keep(lane, Episodes(*columns))
        self._draw(lane, actions)

    def evaluation_seeds(self, lane: int) -> list[int]:
        """The seed of every evaluation episode of a lane."""
        return [
            self.seed(lane, purpose=EVALUATION, index=number) for number in range(self.episodes)
        ]

    def mark(self, lane: int, *, steps: int, value: float) -> None:
        """Add a point to a lane's learning curve."""
        self._curves[lane].append(CurvePoint(steps, value))

    def fail(self, lane: int, reason: str) -> None:
        """Record that no policy came of a lane, and why."""
        self._once(lane)
        self._failed[lane] = reason

    def outcome(self) -> EpisodeOutcome:
        """What the policies did, once every lane is evaluated or has failed."""
        missing = [
            lane for lane in range(self.lanes) if not (lane in self._kept or lane in self._failed)
        ]
        if missing:
            raise LearnerError(
                f"a learner must hand world.evaluate a policy for each of {self.lanes} lanes, or "
                f"world.fail a reason, but lane {missing[0]} got neither"
            )
        sizes = {kept.features.shape[1] for kept in self._kept.values()} or {0}
        gone = Episodes.nothing(self.episodes, features=max(sizes))
        lanes = [self._kept.get(lane, gone) for lane in range(self.lanes)]
        return EpisodeOutcome(
            lengths=np.stack([lane.lengths for lane in lanes]),
            returns=np.stack([lane.returns for lane in lanes]),
            distances=np.stack([lane.distances for lane in lanes]),
            efforts=np.stack([lane.efforts for lane in lanes]),
            features=np.stack([lane.features for lane in lanes]),
            failures=tuple(self._failed.get(lane, "") for lane in range(self.lanes)),
            curves=tuple(tuple(points) for points in self._curves),
            rollouts=tuple(self._rollouts.get(lane, ()) for lane in range(self.lanes)),
        )

    def _draw(self, lane: int, actions: Sequence[FloatArray]) -> None:
        """Picture the first evaluation episode, which these actions made."""
        if self._drawing is not None:
            self._rollouts[lane] = self._drawing(lane, self.evaluation_seeds(lane)[0], actions)

    def _keep(self, lane: int, episodes: Episodes) -> None:
        self._once(lane)
        self._kept[lane] = episodes

    def _once(self, lane: int) -> None:
        if lane in self._kept or lane in self._failed:
            raise LearnerError(
                f"lane {lane} was already evaluated or failed; hand in one final policy a lane"
            )


def _remembering(policy: Policy, actions: list[FloatArray]) -> Policy:
    def act(observation: FloatArray) -> FloatArray:
        action = policy(observation)
        actions.append(np.array(action, dtype=np.float64))
        return action

    return act


def _play(
    environment: gymnasium.Env[Any, Any], policy: Policy, seed: int
) -> tuple[int, float, float, float, FloatArray]:
    """One episode: its steps, return, distance, mean squared actuation and feature sums."""
    observation, _ = environment.reset(seed=seed)
    steps, total, effort, distance = 0, 0.0, 0.0, float("nan")
    features = np.zeros(0)
    over = False
    while not over:
        action = policy(observation)
        if not np.all(np.isfinite(action)):
            raise LearnerError(f"a policy must act with finite numbers, but gave {action!r}")
        observation, reward, ended, cut, info = environment.step(action)
        steps += 1
        total += float(info.get("reward", reward))
        effort += float(info.get("squared_actuation", np.sum(np.square(action))))
        distance = float(info.get("distance", float("nan")))
        found = np.asarray(info.get("features", ()), dtype=np.float64)
        features = features + found if features.size else found.copy()
        over = bool(ended or cut)
    return steps, total, distance, effort / steps, features
