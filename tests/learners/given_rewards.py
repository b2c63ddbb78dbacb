"""Bandit worlds whose rewards are given in advance, lane by lane and round by round."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from audition.learner import LEARNER_PURPOSE
from audition.seeds import Draws, Lanes
from audition.world import ArmTable, BanditWorld

FloatArray = NDArray[np.float64]


def world_of(rewards: FloatArray) -> BanditWorld:
    """A world that pays rewards[lane, round, arm]."""
    lanes, horizon = rewards.shape[:2]
    played = iter(range(horizon))

    def reward(draw: FloatArray, chosen: Any) -> FloatArray:
        return np.asarray(rewards[np.arange(lanes), next(played), chosen])

    return BanditWorld(
        ArmTable(rewards.mean(axis=1), "uniform", reward),
        draws=Draws(0, "world", Lanes.of(range(lanes))),
        horizon=horizon,
        checkpoints=tuple(range(1, horizon + 1)),
    )


def learner_draws(lanes: int, *, seed: int = 5) -> Draws:
    """The learner's random numbers, lane i being replication i."""
    return Draws(seed, LEARNER_PURPOSE, Lanes.of(range(lanes)))


def pulled(learner: Any, rewards: FloatArray, *, seed: int = 5) -> NDArray[np.int64]:
    """The arm that a learner pulls  # [lane, round]."""
    world = world_of(rewards)
    learner.deploy(world, learner_draws(rewards.shape[0], seed=seed))
    return np.asarray(np.diff(world.outcome().pulls, axis=1, prepend=0.0).argmax(axis=2))
