"""A log of another clock or of other units is told before anybody trusts what it identifies."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from small_robots import PENDULUM, exact, logged, pendulum

from audition.families.mujoco import Mujoco
from audition.mujoco_model.mismatch import mismatches
from audition.mujoco_model.settings import PlainTask
from audition.trajectories import Trajectories

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "pendulum"


def test_the_example_s_log_is_of_its_model() -> None:
    """Through the sensor's noise."""
    with np.load(EXAMPLE / "runs.npz") as arrays:
        log = Trajectories(**{name: arrays[name] for name in arrays.files})
    family = Mujoco(
        model=str(EXAMPLE / "pendulum.xml"),
        parameters={"mass": "body_mass", "damping": "dof_damping[hinge]"},
    )
    assert mismatches(family.robot, log) == ()
    slow = replace(family, task=PlainTask(frame_skip=1))
    assert "task.frame_skip" in mismatches(slow.robot, log)[0]


@pytest.mark.parametrize(("frame_skip", "seconds"), [(2, "0.04"), (8, "0.16")])
def test_a_log_of_another_rate_is_told_with_both_steps(frame_skip: int, seconds: str) -> None:
    """The family's caution names the setting; identification itself would only bend the mass."""
    log = logged(exact())
    (said,) = [
        caution
        for caution in pendulum(task=PlainTask(frame_skip=frame_skip)).cautions(log)
        if "as if a step lasted" in caution
    ]
    assert f"the model's lasts {seconds} s: set task.frame_skip" in said
    assert not [s for s in pendulum().cautions(log) if "as if a step lasted" in s]


def test_the_rate_is_told_where_positions_are_left_out_of_the_log() -> None:
    """The velocity of a position that is not logged has no say; an id has a step of its own."""
    hopper = Mujoco(model="Hopper-v5", features=("1",), horizon=20)
    log = logged_hopper(hopper)
    assert mismatches(hopper.robot, log) == ()
    every_other = Trajectories(
        log.states[:-1], log.actions[:-1], log.next_states[1:], np.array([log.steps - 1])
    )
    assert "log every control step" in mismatches(hopper.robot, every_other)[0]


def logged_hopper(hopper: Mujoco) -> Trajectories:
    from audition.mujoco_model.collect import collect

    return collect(hopper.robot, {"mass": 1.0, "friction": 1.0, "damping": 1.0}, episodes=1, seed=1)


def test_a_robot_that_never_moves_and_one_with_a_ball_joint_say_nothing_of_the_rate() -> None:
    """No velocity to go by; positions that velocities do not move one to one."""
    still = Trajectories(np.zeros((4, 2)), np.zeros((4, 1)), np.zeros((4, 2)), np.array([4]))
    assert mismatches(pendulum().robot, still) == ()
    ball = PENDULUM.replace('type="hinge" axis="0 1 0"', 'type="ball"')
    turning = Trajectories(np.ones((4, 7)), np.zeros((4, 1)), np.ones((4, 7)), np.array([4]))
    assert mismatches(pendulum(model=ball).robot, turning) == ()


def test_actions_outside_the_actuators_ranges_are_told_by_their_share() -> None:
    """In per cent of full torque, say; rounding to single precision is no fault."""
    log = logged(exact())
    at_the_ends = np.sign(log.actions) * np.float32(1.0000001)
    assert mismatches(pendulum().robot, replace(log, actions=at_the_ends)) == ()
    percent = log.actions.copy()
    percent[: log.steps // 2] = 30.0
    (said,) = mismatches(pendulum().robot, replace(log, actions=percent))
    assert said.startswith("50% of the logged actions lie outside the model's ctrlrange")


def test_actions_that_nothing_clips_may_be_as_large_as_they_are() -> None:
    """An actuator without a range."""
    free = PENDULUM.replace('ctrlrange="-1 1" ctrllimited="true"', "")
    log = logged(exact())
    large = replace(log, actions=100.0 * log.actions)
    assert mismatches(pendulum(model=free).robot, large) == ()
