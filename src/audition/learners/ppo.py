"""PPO as Stable-Baselines3 runs it: every lane an independent learner, in lock step on one core.

It is for robots of the `mujoco` family (a Gymnasium hopper or walker, or a bare MJCF model); any
other environment, and any other algorithm, is for the `sb3` learner.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, final

from audition.errors import LearnerError
from audition.learner import Learner
from audition.lockstep.settings import Settings
from audition.seeds import Draws

if TYPE_CHECKING:
    from audition.mujoco_model.world import RobotWorld


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class PPO(Learner):
    """The paper's PPO with its reward weights, one for each feature of the world.

    No weights keep the environment's own reward.
    """

    together: ClassVar[int] = 16  # enough for a core; more would only make a unit of work longer

    weights: tuple[float, ...] = ()
    settings: Settings = field(default_factory=Settings)

    plays: ClassVar[str] = "episodes"

    @property
    def name(self) -> str:
        """`ppo`."""
        return "ppo"

    @property
    def own_reward(self) -> bool:
        """With weights."""
        return bool(self.weights)

    def deploy(self, world: RobotWorld, rng: Draws) -> None:
        """Train all lanes side by side, and hand their policies to the world."""
        deploy_together([self] * world.lanes, world, rng)


def deploy_together(learners: Sequence[PPO], world: RobotWorld, rng: Draws) -> None:
    """Deploy `learners[lane]` in every lane; reward weights may differ, settings may not.

    A lane learns the same in any company, so this is only a way to fill a core.
    """
    from audition.lockstep.training import Training
    from audition.mujoco_model.world import RobotWorld

    if not isinstance(world, RobotWorld):
        raise LearnerError(
            f"the 'ppo' learner steps robots of the mujoco family, but met a "
            f"{type(world).__name__}; use the 'sb3' learner with algorithm 'PPO'"
        )
    if len(learners) != world.lanes or len({learner.settings for learner in learners}) != 1:
        raise LearnerError(
            f"learners in lock step share their settings and fill every lane; got {len(learners)} "
            f"for {world.lanes} lanes"
        )
    training = Training(
        world.robots(),
        [learner.weights for learner in learners],
        settings=learners[0].settings,
        randoms=[rng.generator(lane) for lane in range(world.lanes)],
    )
    learned = training.run(world.steps)
    for lane, curve in enumerate(training.curves):
        for point in curve:
            world.mark(lane, steps=point.steps, value=point.value)
    broken = learned.broken()
    for lane in range(world.lanes):
        if broken[lane]:
            world.fail(lane, "PPO diverged: its weights are not finite")
    world.evaluate_together([lane for lane in range(world.lanes) if not broken[lane]], learned.act)
