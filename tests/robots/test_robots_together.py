"""Robots stepped together are the Gymnasium environments that a learner would meet one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from audition.errors import LearnerError
from audition.mujoco_model.environment import make_environment
from audition.mujoco_model.robots import Robots
from audition.mujoco_model.settings import (
    Conventions,
    MujocoSettings,
    Parameter,
    PlainTask,
    SensorSettings,
)
from audition.mujoco_model.world import RobotWorld
from audition.seeds import Lanes

CART_POLE = """
<mujoco>
  <option timestep="0.01" integrator="RK4"/>
  <worldbody>
    <body name="cart">
      <joint name="slide" type="slide" axis="1 0 0" damping="0.5"/>
      <geom type="box" size="0.1 0.05 0.05" mass="1"/>
      <body name="pole" pos="0 0 0.05">
        <joint name="hinge" type="hinge" axis="0 1 0" damping="0.02"/>
        <geom type="capsule" fromto="0 0 0 0 0 0.6" size="0.02" mass="0.2"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="slide" gear="5" ctrlrange="-1 1" ctrllimited="true"/></actuator>
</mujoco>
"""
TRUTH = {"mass": 1.5, "friction": 0.7, "damping": 1.4}
FACTORY: dict[str, float] = {}


def cart_pole(**changes: Any) -> MujocoSettings:
    """A cart-pole in bare MJCF that falls within a second or two."""
    given = {
        "parameters": (Parameter("mass", "body_mass"), Parameter("damping", "dof_damping")),
        "horizon": 40,
        "sensor": SensorSettings(steps=200),
        "task": PlainTask(forward="slide", healthy=(("hinge", -0.2, 0.2),), reset_noise=0.02),
        **changes,
    }
    return MujocoSettings(model=CART_POLE, **given)


def walk(environment: Any, actions: NDArray[np.float64]) -> list[tuple[Any, ...]]:
    """What an environment shows at every step, reset whenever an episode is over."""
    observation, _ = environment.reset()
    shown = [(observation,)]
    for action in actions:
        observation, reward, ended, cut, info = environment.step(action)
        facts = info["features"], info["squared_actuation"], info.get("distance", np.nan)
        after = environment.reset()[0] if ended or cut else observation
        shown.append((observation, after, reward, ended, cut and not ended, *facts))
    return shown


def walk_together(robots: Robots, actions: NDArray[np.float64]) -> list[list[tuple[Any, ...]]]:
    """The same for every lane of robots that are stepped together; actions [step, lane, ...]."""
    everyone = np.arange(robots.lanes)
    robots.reset(everyone)
    first = robots.sense(everyone, edge=np.ones(robots.lanes, np.bool_))
    shown: list[list[tuple[Any, ...]]] = [[(row,)] for row in first]
    for action in actions:
        moved = robots.step(action)
        over = moved.ended | moved.cut
        seen = robots.sense(everyone, edge=over)
        after, features = seen.copy(), robots.features(moved)
        done = np.flatnonzero(over)
        if done.size:
            robots.reset(done)
            after[done] = robots.sense(done, edge=np.ones(done.size, np.bool_))
        for lane in everyone:
            facts = moved.reward[lane], moved.ended[lane], moved.cut[lane], features[lane]
            ends = moved.effort[lane], moved.distance[lane]
            shown[lane].append((seen[lane], after[lane], *facts, *ends))
    return shown


@pytest.mark.parametrize("boundary", ["noisy", "exact"])
@pytest.mark.parametrize("model", ["Hopper-v5", "Walker2d-v5", "cart-pole"])
def test_a_robot_of_a_batch_is_its_gymnasium_environment_bit_for_bit(
    model: str, boundary: str
) -> None:
    """Over many resets: observations with their noise, rewards, ends, time limits, features."""
    conventions = Conventions(boundary=boundary)  # type: ignore[arg-type]
    plain = MujocoSettings(model=model, horizon=15, conventions=conventions)
    settings = cart_pole(conventions=conventions) if model == "cart-pole" else plain
    parameters = [FACTORY, {"mass": 1.4, "damping": 0.8}, {"mass": 0.7}]
    seeds = [4, 9, 11]
    robots = Robots(settings, parameters, seeds=seeds)
    random = np.random.default_rng(0)
    size = robots.body.box[0].size
    actions = random.uniform(-1.6, 1.6, (120, len(seeds), size))  # beyond the box, to be clipped
    together = walk_together(robots, actions)
    ends = 0
    for lane, (values, seed) in enumerate(zip(parameters, seeds, strict=True)):
        alone = walk(make_environment(settings, values, seed=seed), actions[:, lane])
        for ours, theirs in zip(together[lane], alone, strict=True):
            for mine, its in zip(ours, theirs, strict=True):
                np.testing.assert_allclose(mine, its, rtol=0, atol=1e-13)
        ends += sum(bool(row[3] or row[4]) for row in alone[1:])
    assert ends > 10  # the comparison crossed resets


@pytest.mark.parametrize("model", ["Hopper-v5", "cart-pole"])
def test_evaluation_side_by_side_plays_the_same_episodes_as_one_by_one(model: str) -> None:
    """`evaluate_together` and `evaluate` agree on every number of every episode."""
    settings = cart_pole() if model == "cart-pole" else MujocoSettings(model=model, horizon=60)
    lanes = Lanes.of([0, 1])
    gains = np.random.default_rng(1).normal(size=(2, 11 if model == "Hopper-v5" else 4, 3)) / 3
    gains = gains[:, :, : (3 if model == "Hopper-v5" else 1)]
    values = [{"mass": 1.5}, {"mass": 0.8}]
    worlds = [
        RobotWorld(settings, values, lanes=lanes, seed=2, steps=1, episodes=6) for _ in range(2)
    ]
    worlds[0].evaluate_together(
        [0, 1], lambda rows, seen: np.einsum("ri,rij->rj", seen, gains[rows])
    )
    for lane in (0, 1):
        worlds[1].evaluate(lane, lambda seen, lane=lane: seen @ gains[lane])  # type: ignore[misc]
    together, alone = worlds[0].outcome(), worlds[1].outcome()
    for name in ("lengths", "returns", "distances", "efforts", "features"):
        np.testing.assert_allclose(getattr(together, name), getattr(alone, name), atol=1e-9)
    assert np.unique(together.lengths).size > 1


def test_a_feature_that_a_batch_cannot_know_is_refused_by_name() -> None:
    """The message names the feature and the learner that can read it."""
    settings = MujocoSettings(model="Hopper-v5", features=("1", "reward_survive"))
    robots = Robots(settings, [FACTORY], seeds=[0])
    robots.reset(np.arange(1))
    with pytest.raises(LearnerError, match=r"reward_survive.*sb3"):
        robots.features(robots.step(np.zeros((1, 3))))


def test_a_robot_without_a_box_of_health_is_referred_to_the_sb3_learner() -> None:
    """HalfCheetah has no health rule that a batch could read."""
    with pytest.raises(LearnerError, match="sb3"):
        Robots(MujocoSettings(model="HalfCheetah-v5"), [FACTORY], seeds=[0])
