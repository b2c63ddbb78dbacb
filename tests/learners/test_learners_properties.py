"""What holds for every bandit learner: shifts, scales, settings, and what they propose."""

import math
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from given_rewards import pulled
from hypothesis import given, settings
from hypothesis import strategies as st

from audition.default_candidates import default_candidates
from audition.errors import ConfigError, LearnerError
from audition.learner import Candidate, Hints, describe
from audition.plugins import discover
from audition.world import World

BANDITS = [plugin.cls for plugin in discover().of("learners") if plugin.cls.plays == "bandit"]
GAUSSIAN = Hints(noise=2.0, gap=0.5, arms=5, horizon=5000)
COINS = Hints(noise=0.4, gap=0.1, arms=5, horizon=5000, low=0.0, high=1.0, support="binary")


def grid(cls: Any, hints: Hints = GAUSSIAN) -> list[Any]:
    return list(cls.grid(COINS if cls.needs == "unit" else hints))


def normals(*, sd: float = 1.0, shift: float = 0.0) -> np.ndarray:  # [lane, round, arm]
    rng = np.random.default_rng(77)
    return sd * rng.normal([0.0, 0.5, 1.0], 1.0, (6, 60, 3)) + shift


@pytest.mark.parametrize(
    "cls", [cls for cls in BANDITS if cls.shift_equivariant], ids=lambda cls: cls.__name__
)
@settings(max_examples=8, deadline=None)
@given(shift=st.sampled_from([-64.0, -1.0, 0.5, 32.0]) | st.floats(-50.0, 50.0))
def test_a_shift_of_all_rewards_changes_no_choice(cls: Any, shift: float) -> None:
    learner = grid(cls)[0]
    assert (pulled(learner, normals()) == pulled(learner, normals(shift=shift))).all()


@pytest.mark.parametrize(
    "cls", [cls for cls in BANDITS if not cls.shift_equivariant], ids=lambda cls: cls.__name__
)
def test_learners_of_bounded_rewards_do_notice_a_shift(cls: Any) -> None:
    small = np.random.default_rng(6).uniform(0.0, 0.4, (6, 60, 3))
    learner = grid(cls)[-1]
    assert cls.needs == "unit"
    assert (pulled(learner, small) != pulled(learner, small + 0.5)).any()


@pytest.mark.parametrize(
    "cls", [cls for cls in BANDITS if cls.needs == "real"], ids=lambda cls: cls.__name__
)
def test_settings_are_scaled_to_the_noise(cls: Any) -> None:
    """Rewards in another currency: ten times the noise and the gap, the same choices."""
    near = Hints(noise=1.3, gap=0.7, arms=3, horizon=60)
    far = replace(near, noise=13.0, gap=7.0)
    for one, other in zip(grid(cls, near), grid(cls, far), strict=True):
        assert (pulled(one, normals()) == pulled(other, normals(sd=10.0))).all()


@pytest.mark.parametrize("cls", BANDITS, ids=lambda cls: cls.__name__)
@pytest.mark.parametrize(
    "hints",
    [
        GAUSSIAN,
        replace(GAUSSIAN, noise=0.0),
        replace(GAUSSIAN, gap=0.0),
        replace(GAUSSIAN, noise=0.0, gap=0.0),
        replace(GAUSSIAN, horizon=1),
        replace(GAUSSIAN, arms=2, horizon=2),
        replace(GAUSSIAN, noise=1e-9, gap=1e6),
        replace(GAUSSIAN, noise=1e6, gap=1e-9),
    ],
    ids=["usual", "no-noise", "no-gap", "neither", "one-round", "tiny", "far-apart", "all-noise"],
)
def test_every_log_gets_settings_that_can_be_made(cls: Any, hints: Hints) -> None:
    proposed = cls.grid(hints)
    assert proposed
    assert all(math.isfinite(value) for one in proposed for value in one.settings())


@pytest.mark.parametrize("cls", BANDITS, ids=lambda cls: cls.__name__)
def test_a_setting_that_is_no_number_is_refused_by_name(cls: Any) -> None:
    learner = grid(cls)[0]
    for setting in fields(learner):
        if setting.type in (float, "float"):
            for wrong in (math.nan, -1.0, math.inf):
                with pytest.raises(ConfigError, match=str(wrong)):
                    replace(learner, **{setting.name: wrong})


def test_explore_then_commit_refuses_to_explore_nothing() -> None:
    from audition.learners.explore_then_commit import ExploreThenCommit

    with pytest.raises(ConfigError, match="at least once"):
        ExploreThenCommit(each=0)


def test_a_gaussian_log_of_five_arms_has_thirty_candidates_or_more() -> None:
    found = default_candidates(BANDITS, GAUSSIAN)
    assert len(found) >= 30
    assert len({candidate.name for candidate in found}) == len(found)
    assert {type(one.learner) for one in found} == {c for c in BANDITS if c.needs == "real"}


def test_learners_of_bounded_rewards_join_for_coins_only() -> None:
    raced = {type(one.learner) for one in default_candidates(BANDITS, COINS)}
    assert raced == set(BANDITS)


def test_candidates_do_not_depend_on_the_order_of_learners() -> None:
    assert default_candidates(BANDITS, COINS) == default_candidates(BANDITS[::-1], COINS)


def test_exploration_grids_reach_from_below_to_above_the_noise() -> None:
    from audition.learners.thompson import ThompsonSampling
    from audition.learners.ucb import UCB

    for cls in (UCB, ThompsonSampling):
        shares = [learner.theta / GAUSSIAN.variance for learner in cls.grid(GAUSSIAN)]
        assert shares == sorted(shares)
        assert shares[0] <= 0.1 + 1e-9
        assert shares[-1] > 1.0


def test_a_candidate_is_named_after_its_settings() -> None:
    from audition.learners.ucb import UCB

    assert Candidate.of(UCB(theta=2.0)).name == "ucb(theta=2)"


def test_a_bandit_learner_refuses_a_world_of_another_kind_in_words() -> None:
    class Elsewhere(World):
        @property
        def lanes(self) -> int:
            return 1

    with pytest.raises(LearnerError, match="plays bandit worlds, but met a Elsewhere"):
        grid(BANDITS[0])[0].deploy(Elsewhere(), None)


def test_a_name_tells_a_table_of_settings_only_where_it_was_changed():
    from audition.learners.ppo import PPO
    from audition.lockstep.settings import Settings

    assert describe(PPO(weights=(1.0, 3.0))) == "ppo(weights=(1.0, 3.0))"
    assert "width=32" in describe(PPO(weights=(1.0,), settings=Settings(width=32)))


@pytest.mark.parametrize(
    "wrong",
    [
        {"learning_rate": -1e-3},
        {"learning_rate": math.nan},
        {"clip_range": -0.2},
        {"max_gradient": math.nan},
        {"adam_decay": 1.0},
        {"adam_square_decay": -0.1},
    ],
)
def test_a_ppo_that_no_update_could_follow_is_refused(wrong):
    from audition.lockstep.settings import Settings

    (name,) = wrong
    with pytest.raises(ConfigError, match=f"ppo: {name} must"):
        Settings(**wrong)
