"""Robots that are identified in a fraction of a second."""

from __future__ import annotations

from typing import Any

import numpy as np

from audition.families.mujoco import Mujoco
from audition.identification.settings import IdentificationSettings, LeastSquaresSettings
from audition.mujoco_model.collect import collect
from audition.mujoco_model.settings import SensorSettings
from audition.trajectories import Trajectories

PENDULUM = """
<mujoco>
  <option timestep="0.02"/>
  <worldbody>
    <body name="arm">
      <joint name="hinge" type="hinge" axis="0 1 0" damping="0.1"/>
      <geom name="rod" type="capsule" fromto="0 0 0 0 0 -0.6" size="0.03" mass="0.4"/>
    </body>
  </worldbody>
  <actuator><motor joint="hinge" gear="2" ctrlrange="-1 1" ctrllimited="true"/></actuator>
</mujoco>
"""
TRUTH = {"mass": 1.5, "damping": 1.8}
FEW = IdentificationSettings(least_squares=LeastSquaresSettings(transitions=15))


def pendulum(**changes: Any) -> Mujoco:
    """A pendulum whose mass and damping are unknown."""
    given: dict[str, Any] = {
        "model": PENDULUM,
        "parameters": {"mass": "body_mass", "damping": "dof_damping[hinge]"},
        "horizon": 15,
        "features": ("1", "-squared_actuation"),
        "sensor": SensorSettings(steps=300),
        "identification": FEW,
        **changes,
    }
    return Mujoco(**given)


def logged(family: Mujoco, *, episodes: int = 6, seed: int = 3, **truth: float) -> Trajectories:
    """Episodes of the random policy on the true robot."""
    return collect(family.robot, {**TRUTH, **truth}, episodes=episodes, seed=seed)


def exact() -> Mujoco:
    """The pendulum with a sensor that reads the truth."""
    return pendulum(sensor=SensorSettings(relative=0.0, steps=300))


def spread(values: np.ndarray) -> np.ndarray:
    """The standard deviation over the first axis."""
    return np.asarray(values.std(axis=0, ddof=1))
