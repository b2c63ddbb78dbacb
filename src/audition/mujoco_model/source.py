"""Where a model comes from: a Gymnasium id, an MJCF file, or MJCF text."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from audition.errors import FamilyError

if TYPE_CHECKING:
    import mujoco

    from audition.mujoco_model.settings import MujocoSettings


def is_bare(settings: MujocoSettings) -> bool:
    """Whether the model is MJCF without a Gymnasium environment around it."""
    model = settings.model
    return "<mujoco" in model or Path(model).suffix.lower() in {".xml", ".mjb"}


def factory_model(settings: MujocoSettings) -> mujoco.MjModel:
    """A fresh copy of the model as its maker wrote it, every multiplier at one."""
    from copy import copy

    return copy(_compiled(settings.model, is_bare(settings)))


def model_digest(settings: MujocoSettings) -> str:
    """A hash of the compiled factory model: the same physics gives the same digest."""
    import mujoco

    model = factory_model(settings)
    buffer = np.empty(mujoco.mj_sizeModel(model), np.uint8)
    mujoco.mj_saveModel(model, None, buffer)
    return hashlib.sha256(buffer.tobytes()).hexdigest()


def bare_gymnasium(model: str) -> Any:
    """The environment behind a Gymnasium id, without time limit or checks."""
    import gymnasium

    try:
        made = gymnasium.make(model, disable_env_checker=True)
    except (gymnasium.error.Error, ImportError, OSError) as error:
        raise FamilyError(
            f"model {model!r} is not a Gymnasium environment id that can be made ({error}); give an "
            "id such as 'Hopper-v5', the path of an .xml file, or MJCF text"
        ) from error
    environment = made.unwrapped
    from gymnasium.envs.mujoco import MujocoEnv

    if not isinstance(environment, MujocoEnv):
        raise FamilyError(
            f"environment {model!r} is a {type(environment).__name__}, not a MujocoEnv; the mujoco "
            "family needs an environment built on a MuJoCo model"
        )
    return environment


@lru_cache(maxsize=16)
def _compiled(model: str, bare: bool) -> mujoco.MjModel:
    import mujoco

    if not bare:
        return bare_gymnasium(model).model
    try:
        if "<mujoco" in model:
            return mujoco.MjModel.from_xml_string(model)
        if Path(model).suffix.lower() == ".mjb":
            return mujoco.MjModel.from_binary_path(model)
        return mujoco.MjModel.from_xml_path(model)
    except (ValueError, mujoco.FatalError) as error:
        raise FamilyError(f"the MJCF model cannot be read: {error}") from error
