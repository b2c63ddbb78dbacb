"""The lock step itself: all lanes act, all robots move, all lanes learn, until the steps are spent.

A lane's randomness is its own generator's, drawn in one order (first weights; then for every
rollout its action noise and its minibatch orders), so that a lane learns the same in any company.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

import numpy as np
from numpy.typing import NDArray

from audition.episode_world import CurvePoint
from audition.errors import LearnerError
from audition.lockstep.acting import explore, mean_actions
from audition.lockstep.learning import empty_rollout, learn
from audition.lockstep.networks import Floats, Shape, initial_weights
from audition.lockstep.statistics import (
    Running,
    normalise,
    running,
    take_observations,
    take_rewards,
)
from audition.lockstep.update import Memory

if TYPE_CHECKING:
    from audition.lockstep.settings import Settings
    from audition.mujoco_model.robots import Robots, Steps

Doubles = NDArray[np.float64]
Ints = NDArray[np.int64]
RECENT: Final = 20  # training episodes that a point of the curve averages over
POINTS: Final = 60  # points of a learning curve, about


@final
@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """What all lanes have learned: weights and the statistics that observations are scaled by."""

    shape: Shape
    weights: Floats  # [lane, weight]
    statistics: Running
    limit: float

    def act(self, lanes: Ints, observations: Doubles) -> Doubles:
        """The mean action for each row: lanes [row], observations [row, observation]."""
        seen = np.empty(observations.shape, np.float32)
        for row, lane in enumerate(lanes):
            normalise(self.statistics, lane, observations[row], self.limit, seen[row])
        actions = np.empty((len(lanes), self.shape.actions), np.float32)
        mean_actions(self.weights, self.shape.sizes, seen, actions, lanes)
        return actions.astype(np.float64)

    def broken(self) -> NDArray[np.bool_]:  # [lane]
        """Which lanes have weights that are not finite."""
        return np.asarray(~np.isfinite(self.weights).all(axis=1))


class Training:
    """Independent learners, one robot each, between their first step and their last."""

    def __init__(
        self,
        robots: Robots,
        rewards: Sequence[Sequence[float]],
        *,
        settings: Settings,
        randoms: Sequence[np.random.Generator],
    ) -> None:
        """Fresh learners: `rewards[lane]` are the weights of a lane's private reward."""
        lanes, body = robots.lanes, robots.body
        self.settings = settings
        self.shape = Shape(body.noise.size, body.box[0].size, settings.width)
        self.robots = robots
        self._pay = _reward_weights(robots, rewards)
        self._randoms = tuple(randoms)
        first = [initial_weights(self.shape, settings.log_deviation, r) for r in randoms]
        self.memory = Memory(np.array(first), np.zeros_like(first), np.zeros_like(first))
        self.statistics = running(lanes, self.shape.observations)
        self.spreads = running(lanes, 1)
        self.rollout = empty_rollout(lanes, settings.rollout, self.shape.sizes)
        self.updates = 0
        self.steps = 0
        self._all = np.arange(lanes)
        self._broken = np.zeros(lanes, np.bool_)
        self._discounted = np.zeros(lanes)
        self._totals = np.zeros(lanes)
        self._recent: list[deque[float]] = [deque(maxlen=RECENT) for _ in self._all]
        self.curves: list[list[CurvePoint]] = [[] for _ in self._all]
        robots.reset(self._all)
        self._observe(robots.sense(self._all, edge=np.ones(lanes, np.bool_)), 0)

    @property
    def learned(self) -> Learned:
        """What there is to evaluate."""
        limit = self.settings.observation_limit
        return Learned(self.shape, self.memory.weights, self.statistics, limit)

    def run(self, steps: int) -> Learned:
        """Learn for at least so many steps in every lane, in whole rollouts."""
        rollouts = self.settings.iterations(steps)
        every = max(rollouts // POINTS, 1)
        for number in range(1, rollouts + 1):
            self.collect(self._noise())
            self.update(self._orders())
            self._broken = self.learned.broken()
            if number % every == 0 or number == rollouts:
                self._mark()
            if self._broken.all():
                break
        return self.learned

    def collect(self, noise: Floats) -> None:
        """Play one rollout in every lane; noise [step, lane, action] explores."""
        rollout, sizes = self.rollout, self.shape.sizes
        last = self.settings.rollout
        rollout.observations[:, 0] = self._now
        actions = np.empty_like(noise[0])
        for step in range(last):
            mean_actions(self.memory.weights, sizes, self._now, actions, self._all)
            explore(self.memory.weights, sizes, noise[step], actions)
            rollout.actions[:, step] = actions
            actions[self._broken] = 0.0  # MuJoCo would do the same, with a warning at every step
            self._play(self.robots.step(actions.astype(np.float64)), step)
        self.steps += last

    def update(self, orders: Ints) -> None:
        """Learn from the rollout; orders [lane, epoch, step] name the minibatches."""
        self.updates = learn(
            self.memory,
            self.updates,
            self.rollout,
            orders,
            self.settings.rates,
            self.shape.sizes,
        )

    def _play(self, moved: Steps, step: int) -> None:
        """Take in what a step brought: observations, resets, rewards."""
        rollout, settings = self.rollout, self.settings
        over = moved.ended | moved.cut
        seen = self.robots.sense(self._all, edge=over)
        done = np.flatnonzero(over)
        lasts = seen[done]
        if done.size:
            self.robots.reset(done)
            seen[done] = self.robots.sense(done, edge=np.ones(done.size, np.bool_))
        self._observe(seen, step + 1)
        rollout.over[:, step], rollout.cut[:, step] = over, moved.cut
        for row, learner in enumerate(done.tolist()):
            limit, room = settings.observation_limit, rollout.lasts[learner, step]
            normalise(self.statistics, learner, lasts[row], limit, room)
        paid = self._paid(moved)
        self._totals += paid
        for lane in done:
            self._recent[lane].append(self._totals[lane])
        self._totals[done] = 0.0
        discount, limit = settings.return_discount, settings.reward_limit
        scaled = np.empty(paid.size, np.float32)
        take_rewards(self.spreads, paid, self._discounted, over, discount, limit, scaled)
        rollout.rewards[:, step] = scaled

    def _observe(self, seen: Doubles, step: int) -> None:
        self._now = np.empty(seen.shape, np.float32)
        take_observations(self.statistics, seen, self.settings.observation_limit, self._now)
        self.rollout.observations[:, step] = self._now

    def _paid(self, moved: Steps) -> Doubles:  # [lane]
        if self._pay is None:
            return moved.reward
        paid: Doubles = np.einsum("ij,ij->i", self._pay, self.robots.features(moved))
        return paid

    def _noise(self) -> Floats:  # [step, lane, action]
        shape = (self.settings.rollout, self.shape.actions)
        drawn = [random.standard_normal(shape, np.float32) for random in self._randoms]
        return np.stack(drawn, axis=1)

    def _orders(self) -> Ints:  # [lane, epoch, step]
        settings = self.settings
        return np.array(
            [
                [random.permutation(settings.rollout) for _ in range(settings.epochs)]
                for random in self._randoms
            ]
        )

    def _mark(self) -> None:
        for lane, recent in enumerate(self._recent):
            if recent:
                self.curves[lane].append(CurvePoint(self.steps, float(np.mean(recent))))


def _reward_weights(robots: Robots, rewards: Sequence[Sequence[float]]) -> Doubles | None:
    """Every lane's weights [lane, feature]; None where lanes keep the environment's own reward."""
    names = robots.settings.features
    sizes = {len(weights) for weights in rewards}
    if sizes == {0}:
        return None
    if sizes != {len(names)}:
        raise LearnerError(
            f"{len(names)} features ({', '.join(names)}) need as many reward weights in every "
            f"lane; got {sorted(sizes)}"
        )
    return np.array(rewards, dtype=np.float64)
