"""Robots side by side: an episode world whose lanes are MuJoCo models with their own multipliers.

A learner that steps all lanes at once reads `settings` and `parameters` and builds its own batch;
what it learned is then judged by `evaluate`, as every policy is, or by `evaluate_together`,
which plays the very same episodes side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from audition.episode_world import TRAINING, EpisodeWorld, FloatArray, Frames
from audition.errors import FamilyError
from audition.seeds import Lanes

if TYPE_CHECKING:
    import gymnasium

    from audition.mujoco_model.robots import Robots
    from audition.mujoco_model.settings import MujocoSettings

IntArray = NDArray[np.int64]
JointPolicy = Callable[[IntArray, FloatArray], FloatArray]
"""What several learners have learned: (lane [row], observation [row, ...]) -> action [row, ...]."""


@final
class RobotWorld(EpisodeWorld):
    """One robot per lane, M_lambda with that lane's multipliers, its sensor and its health rule."""

    def __init__(
        self,
        settings: MujocoSettings,
        parameters: Sequence[Mapping[str, float]],
        *,
        lanes: Lanes,
        seed: int,
        steps: int,
        episodes: int = 50,
    ) -> None:
        """A world of `parameters[lane]` in every lane."""
        if len(parameters) != lanes.size:
            raise FamilyError(
                f"a robot world needs multipliers for each of its {lanes.size} lanes, but got "
                f"{len(parameters)}"
            )
        super().__init__(
            lanes=lanes, seed=seed, steps=steps, episodes=episodes, drawing=self._stills
        )
        self.settings = settings
        self.parameters = tuple(
            {name: float(np.asarray(value)) for name, value in lane.items()} for lane in parameters
        )

    def robots(self) -> Robots:
        """The robots of all lanes for training, stepped together: `environment`, lane by lane."""
        from audition.mujoco_model.robots import Robots

        seeds = [self.seed(lane, purpose=TRAINING) for lane in range(self.lanes)]
        return Robots(self.settings, self.parameters, seeds=seeds)

    def evaluate_together(self, lanes: Sequence[int], policy: JointPolicy) -> None:
        """Play the evaluation episodes of these lanes side by side and keep what was done.

        The policy gives an action for each row: (lane [row], observation [row, ...]) -> [row, ...].
        """
        from audition.mujoco_model.robots import Robots, play

        for lane in lanes:
            seeds = self.evaluation_seeds(lane)
            robots = Robots(self.settings, [self.parameters[lane]] * len(seeds), seeds=seeds)
            rows = np.full(len(seeds), lane)
            actions: list[FloatArray] = []  # of the first episode
            self._keep(lane, play(robots, partial(_of_lane, policy, rows, actions)))
            self._draw(lane, actions)

    def _stills(self, lane: int, seed: int, actions: Sequence[FloatArray]) -> Frames:
        from audition.mujoco_model.stills import stills

        return stills(self.settings, self.parameters[lane], seed=seed, actions=actions)

    def make(self, lane: int, *, seed: int) -> gymnasium.Env[Any, Any]:
        """M_lambda as a learner meets it."""
        from audition.mujoco_model.environment import make_environment

        return make_environment(self.settings, self.parameters[lane], seed=seed)


def _of_lane(
    policy: JointPolicy,
    lanes: IntArray,
    first: list[FloatArray],
    rows: IntArray,
    observations: FloatArray,
) -> FloatArray:
    """The lane's policy for every episode; what it does in the first one is remembered."""
    actions = policy(lanes[rows], observations)
    if rows[0] == 0:
        first.append(np.array(actions[0], dtype=np.float64))
    return actions


__all__ = ["FloatArray", "JointPolicy", "RobotWorld"]
