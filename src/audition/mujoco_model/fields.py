"""A model field by path, and models whose fields are multiplied by named parameters.

A path is a field of `mjModel` or `opt.<field>`, with an optional index: `dof_damping`,
`geom_friction[:,0]`, `actuator_gainprm[0:2,0]`, `opt.gravity[2]`, or an object's name in place of
its number, `body_mass[torso]`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from audition.errors import FamilyError
from audition.mujoco_model.source import factory_model

if TYPE_CHECKING:
    import mujoco

    from audition.mujoco_model.settings import MujocoSettings, Parameter

_PATH = re.compile(r"^(?P<field>(?:opt\.)?[A-Za-z_]\w*)(?:\[(?P<index>[^\[\]]+)\])?$")
_INTEGER = re.compile(r"^-?\d+$")
_SLICE = re.compile(r"^(-?\d+)?:(-?\d+)?$")
_OBJECTS = ("body", "geom", "site", "joint", "jnt", "dof", "actuator", "tendon")


@dataclass(frozen=True, slots=True)
class FieldPath:
    """A field of the model and the entries of it that a multiplier touches."""

    field: str
    index: tuple[Any, ...]

    def values(self, model: mujoco.MjModel) -> NDArray[np.float64]:
        """The whole field as a writable array of the model."""
        owner = model.opt if self.field.startswith("opt.") else model
        return getattr(owner, self.field.removeprefix("opt."))  # type: ignore[no-any-return]

    def scale(self, model: mujoco.MjModel, multiplier: float) -> None:
        """Multiply the selected entries of `model` in place."""
        self.values(model)[self.index] *= multiplier


def field_path(parameter: Parameter, model: mujoco.MjModel) -> FieldPath:
    """The entries that a parameter multiplies, or a clear error when there are none."""
    match = _PATH.match(parameter.field.strip())
    if match is None:
        raise FamilyError(
            f"parameter {parameter.name!r}: {parameter.field!r} is not a field path; write a field "
            "and an optional index, such as 'dof_damping' or 'geom_friction[:,0]'"
        )
    name, text = match["field"], match["index"]
    values = _field(parameter.name, name, model)
    index = () if text is None else tuple(_index(name, part, model) for part in text.split(","))
    path = FieldPath(name, index or (...,))
    try:
        chosen = np.asarray(values[path.index])
    except IndexError as error:
        raise FamilyError(
            f"parameter {parameter.name!r}: {parameter.field!r} does not fit a field of shape "
            f"{values.shape} ({error})"
        ) from error
    if not np.any(chosen):
        raise FamilyError(
            f"parameter {parameter.name!r}: every value of {parameter.field!r} is 0, so a "
            "multiplier cannot change it; choose another field or drop the parameter"
        )
    return path


def field_paths(settings: MujocoSettings, model: mujoco.MjModel) -> tuple[FieldPath, ...]:
    """The fields that the settings' parameters multiply, in their order."""
    return tuple(field_path(parameter, model) for parameter in settings.parameters)


def scaled_model(settings: MujocoSettings, parameters: Mapping[str, float]) -> mujoco.MjModel:
    """The model M_lambda: a fresh copy of the factory model with its fields multiplied.

    A parameter that is not named stays at one.
    """
    values = parameter_vector(settings.names, parameters)
    model = factory_model(settings)
    write_multipliers(settings, field_paths(settings, model), model, values)
    return model


def write_multipliers(
    settings: MujocoSettings,
    paths: Sequence[FieldPath],
    model: mujoco.MjModel,
    values: NDArray[np.float64],
) -> None:
    """Multiply the fields of a factory model in place, with what the conventions add to it."""
    for path, value in zip(paths, values, strict=True):
        path.scale(model, float(value))
        if path.field == "body_mass" and settings.conventions.inertia == "scaled":
            FieldPath("body_inertia", path.index).scale(model, float(value))
    if settings.conventions.constants == "recomputed":
        import mujoco

        mujoco.mj_setConst(model, mujoco.MjData(model))


def parameter_vector(
    names: Sequence[str], parameters: Mapping[str, float]
) -> NDArray[np.float64]:  # [parameter]
    """The multipliers in the settings' order, checked: known names, finite and positive."""
    unknown = [name for name in parameters if name not in names]
    if unknown:
        raise FamilyError(
            f"no parameter is called {unknown[0]!r}{_hint(unknown[0], names)}; this model has "
            f"{', '.join(names)}"
        )
    values = np.array([float(parameters.get(name, 1.0)) for name in names])
    for name, value in zip(names, values, strict=True):
        if not (np.isfinite(value) and value > 0):
            raise FamilyError(f"multiplier {name!r} must be finite and positive; got {value}")
    return values


def _field(parameter: str, name: str, model: mujoco.MjModel) -> NDArray[np.float64]:
    owner = model.opt if name.startswith("opt.") else model
    short = name.removeprefix("opt.")
    known = [entry for entry in dir(owner) if not entry.startswith("_")]
    values = getattr(owner, short) if short in known else None
    if isinstance(values, np.ndarray) and values.dtype == np.float64:
        return values
    reason = "is not an array of numbers" if short in known else "does not exist"
    if isinstance(values, float):
        reason = "is a single number, which cannot be multiplied yet"
    raise FamilyError(
        f"parameter {parameter!r}: the model field {name!r} {reason}{_hint(short, known)}"
    )


def _index(field: str, text: str, model: mujoco.MjModel) -> Any:
    part = text.strip().strip("'\"")
    if _INTEGER.match(part):
        return int(part)
    if match := _SLICE.match(part):
        low, high = (None if end is None else int(end) for end in match.groups())
        return slice(low, high)
    kind = field.split("_")[0]
    if kind not in _OBJECTS:
        raise FamilyError(f"index {part!r} of {field!r} is not a number or a slice such as 0:2")
    return _object(kind, part, model)


def _object(kind: str, name: str, model: mujoco.MjModel) -> Any:
    """The rows of a named object: one row, or all the degrees of freedom of a joint."""
    accessor = getattr(model, "joint" if kind in {"jnt", "dof"} else kind)
    try:
        found = accessor(name)
    except KeyError as error:
        raise FamilyError(f"the model has no {kind} called {name!r}: {error.args[0]}") from error
    if kind != "dof":
        return int(found.id)
    start = int(found.dofadr[0])
    joint_kind = int(model.jnt_type[found.id])
    return slice(start, start + {0: 6, 1: 3}.get(joint_kind, 1))


def _hint(name: str, known: Sequence[str]) -> str:
    close = get_close_matches(name, known, n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""
