"""A small robot of one's own: a pendulum in MJCF, with black-box learners that train in moments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from audition.ensemble import Ensemble
from audition.episode_objective import EpisodeScore
from audition.episode_world import EpisodeOutcome
from audition.evaluation import Evaluation, evaluate
from audition.families.mujoco import Mujoco
from audition.learner import Candidate
from audition.learners.sb3 import StableBaselines3
from audition.mujoco_model.settings import PlainTask, SensorSettings
from audition.simulator import Simulator

MODEL = """
<mujoco>
  <option timestep="0.02"/>
  <worldbody>
    <body name="pole">
      <joint name="hinge" type="hinge" axis="0 1 0" damping="0.1"/>
      <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.05"/>
    </body>
  </worldbody>
  <actuator><motor joint="hinge" gear="2" ctrllimited="true" ctrlrange="-1 1"/></actuator>
</mujoco>
"""
SMALL = {"n_steps": 32, "batch_size": 16, "n_epochs": 1, "policy_kwargs": {"net_arch": [4]}}
STEPS = 64


@dataclass(frozen=True)
class Turned(EpisodeScore):
    """A score of a user's own: how far the hinge was turned, less the effort."""

    @property
    def name(self) -> str:
        return "turned"

    def episode_scores(self, outcome: EpisodeOutcome) -> Any:
        return outcome.distances - outcome.efforts


def family(**changes: Any) -> Mujoco:
    given: dict[str, Any] = {
        "model": MODEL,
        "parameters": {"mass": "body_mass", "damping": "dof_damping"},
        "horizon": 8,
        "features": ("x_velocity", "-squared_actuation"),
        "skipped_positions": 0,
        "evaluation_episodes": 2,
        "sensor": SensorSettings(steps=50),
        "task": PlainTask(frame_skip=2),
    }
    return Mujoco(**{**given, **changes})


def learner(**settings: Any) -> StableBaselines3:
    return StableBaselines3(
        algorithm="PPO", settings={**SMALL, **settings}, weights=(1.0, 0.1), normalise="both"
    )


def ensemble() -> Ensemble:
    def one(mass: float, damping: float) -> Simulator:
        return Simulator("mujoco", {"mass": np.array(mass), "damping": np.array(damping)})

    return Ensemble("drawn", (one(1.0, 1.0), one(1.3, 0.8)))


def fill(*learners: Any, horizon: int = STEPS, **given: Any) -> Evaluation:
    """Play learners once in both simulators."""
    return evaluate(
        [Candidate.of(one) for one in learners],
        ensemble(),
        family(),
        horizon=horizon,
        **{"objectives": (Turned(),), "replications": 1, "seed": 3, **given},
    )
