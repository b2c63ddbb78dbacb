"""What a study may set of a Stable-Baselines3 algorithm, and how it is told of what it may not."""

from __future__ import annotations

from typing import Any

import pytest
from pendulum import ensemble, family

from audition.errors import ConfigError, LearnerError
from audition.family import Opening
from audition.learner import LEARNER_PURPOSE
from audition.learners.sb3 import StableBaselines3, frozen, thawed
from audition.mujoco_model.settings import Conventions
from audition.portable import Portable
from audition.seeds import Draws, Lanes

OFF_POLICY: dict[str, Any] = {"learning_starts": 8, "buffer_size": 100, "batch_size": 8}


def deployed(learner: StableBaselines3, **changes: Any) -> Any:
    """The world in which a learner was deployed for two episodes."""
    lanes = Lanes.of([0])
    world = family(**changes).open(ensemble().simulators[:1], opening=Opening(lanes, 16, 0))
    learner.deploy(world, Draws(0, LEARNER_PURPOSE, lanes))
    return world


@pytest.mark.parametrize("frequency", [(1, "episode"), [1, "episode"]])
def test_training_once_an_episode_is_understood_from_python_and_from_toml(frequency: Any) -> None:
    settings = {**OFF_POLICY, "train_freq": frequency, "policy_kwargs": {}}
    learner = StableBaselines3(algorithm="TD3", settings=settings, weights=(1.0, 0.1))
    assert deployed(learner).outcome().failures == ("",)


def test_settings_are_the_same_again_in_another_process() -> None:
    given = {
        "train_freq": (1, "episode"),
        "policy_kwargs": {"net_arch": {"pi": [], "vf": [8]}, "optimizer_kwargs": {}},
        "replay_buffer_kwargs": {},
        "seeds": [1, 2],
        "empty": [],
    }
    learner = StableBaselines3(settings=given)
    assert thawed(learner.settings) == given
    assert thawed(Portable.of(learner).make().settings) == given
    assert Portable.of(learner).make() == learner


@pytest.mark.parametrize(
    ("algorithm", "settings"),
    [
        ("PPO", {"no_such_setting": 1}),
        ("PPO", {"batch_size": 1}),  # an assertion of Stable-Baselines3
        ("TD3", {"train_freq": [1, "fortnight"]}),  # a ValueError of its own
    ],
)
def test_what_an_algorithm_refuses_is_told_under_its_name(algorithm: str, settings: Any) -> None:
    learner = StableBaselines3(algorithm=algorithm, settings=settings, weights=(1.0, 0.1))
    with pytest.raises(LearnerError, match=f"{algorithm} cannot be made with these settings: "):
        deployed(learner)


@pytest.mark.parametrize("value", [dict, lambda left: left, object()])
def test_a_class_or_a_function_is_referred_to_a_learner_of_ones_own(value: Any) -> None:
    with pytest.raises(ConfigError, match=r"'activation_fn' .* write a learner of your own"):
        frozen({"policy_kwargs": {"activation_fn": value}})


def test_raw_actuation_is_refused_where_actions_are_clipped_before() -> None:
    with pytest.raises(LearnerError, match="clips actions before the model sees them"):
        deployed(StableBaselines3(weights=(1.0, 0.1)), conventions=Conventions(actuation="raw"))
