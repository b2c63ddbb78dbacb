"""One plausible environment: a frozen value, its parameters by name."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from audition.errors import FamilyError

FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Simulator:
    """An environment that the log could have come from (the paper's `M`)."""

    family: str
    parameters: Mapping[str, FloatArray]

    def __post_init__(self) -> None:
        frozen = {
            name: _frozen(self.family, name, self.parameters[name]) for name in self.parameters
        }
        object.__setattr__(self, "parameters", MappingProxyType(frozen))

    @property
    def digest(self) -> str:
        """A hash of the family and of every parameter, equal only for equal simulators."""
        ink = hashlib.sha256(self.family.encode())
        for name in sorted(self.parameters):
            value = self.parameters[name]
            ink.update(f"/{name}{value.shape}".encode())
            ink.update(np.ascontiguousarray(value, dtype="<f8").tobytes())
        return ink.hexdigest()

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and strings, ready for JSON."""
        values = {name: value.tolist() for name, value in self.parameters.items()}
        return {"family": self.family, "parameters": values}

    @staticmethod
    def from_dict(plain: Mapping[str, Any]) -> "Simulator":
        """The simulator that `to_dict` wrote down."""
        parameters = {name: np.asarray(plain["parameters"][name]) for name in plain["parameters"]}
        return Simulator(plain["family"], parameters)


def _frozen(family: str, name: str, value: FloatArray) -> FloatArray:
    array = np.array(value, dtype=np.float64)
    if not np.all(np.isfinite(array)):
        raise FamilyError(
            f"a {family} simulator needs finite parameters, but {name!r} holds {array!r}; "
            "the log may be too small or too extreme for this family"
        )
    array.setflags(write=False)
    return array
