"""Stills of what a trained learner does: drawn from true states, kept with the trial, reported."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pendulum import Turned, ensemble, family, fill, learner

from audition import Candidate, select
from audition.family import Opening
from audition.mujoco_model.collect import collect
from audition.mujoco_model.stills import PICTURES
from audition.report import report_html
from audition.seeds import Lanes
from audition.store import Store


def test_stills_show_the_first_evaluation_episode_of_the_robot() -> None:
    world = family(horizon=30).open(ensemble().simulators[:1], opening=Opening(Lanes.of([0]), 1, 0))
    world.evaluate(0, lambda _: np.ones(1))
    (frames,) = world.outcome().rollouts
    assert len(frames) == PICTURES
    assert {len(frame) for frame in frames} == {1}  # one capsule
    for ((x1, z1, x2, z2, radius),) in frames:
        assert np.hypot(x2 - x1, z2 - z1) == pytest.approx(0.5, abs=2e-3)
        assert min(np.hypot(x1, z1), np.hypot(x2, z2)) == pytest.approx(0.0, abs=1e-3)
        assert radius == 0.05
    assert frames[0][0] != frames[-1][0]  # a motor at full power turned it


def test_episodes_played_side_by_side_give_the_same_stills() -> None:
    found = []
    for together in (False, True):
        opening = Opening(Lanes.of([4]), 1, 9)
        world = family().open(ensemble().simulators[:1], opening=opening)
        if together:
            world.evaluate_together([0], lambda lanes, _: np.full((len(lanes), 1), 0.3))
        else:
            world.evaluate(0, lambda _: np.full(1, 0.3))
        found.append(world.outcome().rollouts)
    assert found[0] == found[1] != ((),)


def test_a_store_keeps_the_stills_with_the_trial(tmp_path: Path) -> None:
    with Store.open(tmp_path / "trials.sqlite") as store:
        fresh = fill(learner(), learner(learning_rate=1e-3), store=store)
    with Store.open(tmp_path / "trials.sqlite") as store:
        recalled = fill(learner(), learner(learning_rate=1e-3), store=store)
    assert recalled.curves == fresh.curves
    assert all(trial.frames for trials in fresh.curves.values() for trial in trials)


def test_the_report_shows_what_the_choice_does() -> None:
    robot = family()
    truth = {"mass": 1.2, "damping": 0.9}
    log = collect(robot.robot, truth, episodes=4, seed=1)
    result = select(
        log,
        family=robot,
        candidates=[Candidate.of(learner()), Candidate.of(learner(learning_rate=1e-3))],
        objectives=[Turned()],
        horizon=64,
        size=2,
        replications=1,
    )
    page = report_html(result)
    assert "What the trained learner does" in page
    assert page.count('class="limb aware"') >= 2 * PICTURES  # wide and narrow
