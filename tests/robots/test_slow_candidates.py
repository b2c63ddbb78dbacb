"""Learners that train for minutes: failures are recorded, what is done is kept, others go on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pendulum import SMALL, ensemble, family, fill, learner

from audition.episode_objective import MeanReturn
from audition.errors import Interrupted
from audition.evaluation import Progress, Stop
from audition.learners.ppo import PPO
from audition.learners.sb3 import StableBaselines3
from audition.store import Store


def test_black_boxes_of_several_algorithms_are_scored_in_every_simulator() -> None:
    actor = StableBaselines3(algorithm="A2C", settings={"n_steps": 16}, weights=(1.0, 0.1))
    off_policy = StableBaselines3(
        algorithm="TD3", settings={"learning_starts": 20, "buffer_size": 200}, normalise="nothing"
    )
    found = fill(learner(), actor, off_policy)
    assert found.scores["turned"].eligible.all()
    assert not found.failures


def test_a_learner_that_crashes_or_diverges_is_a_recorded_failure() -> None:
    unknown = StableBaselines3(algorithm="NoSuchThing")
    found = fill(learner(), unknown, learner(learning_rate=1e30))
    table = found.scores["turned"]
    assert list(table.eligible) == [True, False, False]
    assert list(table.failed) == [0, 2, 2]
    reasons = {failure.candidate: failure.reason for failure in found.failures}
    crashed, diverged = (reasons[name] for name in table.candidates[1:])
    assert "no algorithm 'NoSuchThing'" in crashed
    assert "diverged" in diverged or "broke down" in diverged


def test_the_lock_step_trains_a_robot_of_ones_own() -> None:
    from audition.lockstep.settings import Settings

    small = Settings(rollout=32, minibatch=16, epochs=1, width=4)
    found = fill(PPO(weights=(1.0, 0.1), settings=small), learner())
    assert found.scores["turned"].eligible.all()
    assert set(found.curves) == set(found.scores["turned"].candidates)


def test_a_run_past_its_deadline_is_a_recorded_failure() -> None:
    slow = StableBaselines3(algorithm="PPO", settings=SMALL)
    found = fill(slow, horizon=10**7, deadline=2.0, objectives=(MeanReturn(),))
    assert list(found.scores["return"].failed) == [2]
    assert {failure.reason for failure in found.failures} == {
        "it took longer than the deadline of 2 s"
    }


def test_progress_counts_every_run_and_guesses_how_long_the_rest_will_take() -> None:
    told: list[Progress] = []
    fill(learner(), learner(learning_rate=1e-3), progress=told.append)
    assert [now.done for now in told] == sorted(now.done for now in told)
    assert {now.total for now in told} == {4}
    assert told[-1].done == 4
    halfway = next(now for now in told if now.done == 2)
    assert halfway.eta is not None and halfway.eta > 0.0


def test_a_stopped_study_goes_on_where_it_was_and_gives_the_same_numbers(tmp_path: Path) -> None:
    learners = (learner(), learner(learning_rate=1e-3))
    whole = fill(*learners)
    stop = Stop()

    def stop_after_one(now: Progress) -> None:
        if now.done:
            stop.request()

    with Store.open(tmp_path / "trials.sqlite") as store:
        with pytest.raises(Interrupted, match="stopped after 1 of 4 trials"):
            fill(*learners, store=store, stop=stop, progress=stop_after_one)
        told: list[Progress] = []
        resumed = fill(*learners, store=store, progress=told.append)
    assert told[0].done == told[0].kept == 1
    np.testing.assert_array_equal(resumed.scores["turned"].mean, whole.scores["turned"].mean)


def test_episodes_are_cut_at_the_familys_horizon() -> None:
    from audition.family import Opening
    from audition.seeds import Lanes

    opening = Opening(Lanes.of([0]), 16, 0)
    world = family().open(ensemble().simulators[:1], opening=opening)
    world.evaluate(0, lambda _: np.zeros(1))
    assert set(world.outcome().lengths[0]) == {8.0}
