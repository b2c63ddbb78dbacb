"""MuJoCo models with named multipliers: scaled fields, a sensor, and Gymnasium environments.

Families and learners both stand on this part, so that neither has to import the other. MuJoCo and
Gymnasium are imported by the functions that need them.
"""

from audition.mujoco_model.collect import Policy, collect, random_policy
from audition.mujoco_model.environment import WeightedFeatures, make_environment
from audition.mujoco_model.fields import scaled_model
from audition.mujoco_model.health import HealthBox, health_box
from audition.mujoco_model.sensor import observation_scale, sensor_scale
from audition.mujoco_model.settings import (
    FACTORY_PARAMETERS,
    Conventions,
    MujocoSettings,
    Parameter,
    PlainTask,
    SensorSettings,
)
from audition.mujoco_model.source import factory_model, model_digest
from audition.mujoco_model.transitions import TransitionModel

__all__ = [
    "FACTORY_PARAMETERS",
    "Conventions",
    "HealthBox",
    "MujocoSettings",
    "Parameter",
    "PlainTask",
    "Policy",
    "SensorSettings",
    "TransitionModel",
    "WeightedFeatures",
    "collect",
    "factory_model",
    "health_box",
    "make_environment",
    "model_digest",
    "observation_scale",
    "random_policy",
    "scaled_model",
    "sensor_scale",
]
