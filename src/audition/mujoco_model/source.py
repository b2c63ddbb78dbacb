"""Where a model comes from: a Gymnasium id, an MJCF file, or MJCF text."""

from __future__ import annotations

import hashlib
from copy import copy
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


def written(settings: MujocoSettings) -> tuple[int, int]:
    """When the model's file was last written and its size: what is kept of a file is kept by both.

    MJCF text and Gymnasium ids do not change under their name.
    """
    if "<mujoco" in settings.model or not is_bare(settings):
        return 0, 0
    try:
        found = Path(settings.model).stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


def factory_model(settings: MujocoSettings) -> mujoco.MjModel:
    """A fresh copy of the model as its maker wrote it, every multiplier at one."""
    model = copy(_compiled(settings.model, is_bare(settings), written(settings)))
    set_engine_flags(settings, model)
    return model


def set_engine_flags(settings: MujocoSettings, model: mujoco.MjModel) -> None:
    """Write the engine switches that the conventions name into a model."""
    import mujoco

    if settings.conventions.islands == "off":
        model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_ISLAND)


def skipped_positions(settings: MujocoSettings) -> int:
    """How many leading entries of qpos the logged state leaves out."""
    if settings.skipped_positions is not None:
        return settings.skipped_positions
    if is_bare(settings):
        return 0
    return _facts(settings.model)[1]


def frame_skip(settings: MujocoSettings) -> int:
    """Physics steps in one control step."""
    return settings.task.frame_skip if is_bare(settings) else _facts(settings.model)[0]


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
            f"model {model!r} is not a Gymnasium environment id that can be made ({error}); give "
            "an id such as 'Hopper-v5', the path of an .xml file, or MJCF text"
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
def _compiled(model: str, bare: bool, _written: tuple[int, int]) -> mujoco.MjModel:
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


@lru_cache(maxsize=16)
def _facts(model: str) -> tuple[int, int]:
    """Frame skip and skipped positions of a Gymnasium environment, as it reports them."""
    environment = bare_gymnasium(model)
    structure = vars(environment).get("observation_structure", {})
    return int(environment.frame_skip), int(structure.get("skipped_qpos", 0))
