"""Surfaces on disk: one .npz of plain arrays and a JSON header, written whole or not at all.

A file also says which grid points are measured, so that a surface that was stopped half way
goes on where it was.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from audition.errors import StoreError
from audition.surface import Surface
from audition.surface_grid import Grid

FloatArray = NDArray[np.float64]
FORMAT: Final = "audition-surface-1"


@final
@dataclass(frozen=True, slots=True, eq=False)
class Partial:
    """A surface in the making."""

    surface: Surface
    measured: NDArray[np.bool_]  # [grid point]


def save(surface: Surface, path: Path) -> None:
    """Write a finished surface."""
    keep(Partial(surface, np.ones(surface.grid.size, dtype=np.bool_)), path)


def load(path: Path) -> Surface:
    """Read a finished surface."""
    partial = resume(path)
    if not partial.measured.all():
        missing = int((~partial.measured).sum())
        raise StoreError(
            f"{path} holds a surface that is not finished ({missing} of "
            f"{partial.measured.size} grid points are missing); measure it again with the same "
            "plan and it continues"
        )
    return partial.surface


def keep(partial: Partial, path: Path) -> None:
    """Write a surface as far as it is measured; the old file stays until the new one is whole."""
    surface = partial.surface
    header = {
        "format": FORMAT,
        "candidates": list(surface.candidates),
        "axes": list(surface.grid.names),
        "replications": surface.replications,
        "made from": surface.header,
    }
    arrays: dict[str, Any] = {
        f"axis_{name}": knots
        for name, knots in zip(surface.grid.names, surface.grid.values, strict=True)
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.writing")
    with fresh.open("wb") as file:
        np.savez(
            file,
            header=np.array(json.dumps(header, sort_keys=True)),
            measured=partial.measured,
            means=surface.means,
            covariances=surface.covariances,
            **arrays,
        )
    fresh.replace(path)


def resume(path: Path) -> Partial:
    """Read a surface as far as it is measured."""
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        header = json.loads(str(arrays["header"]))
        names = tuple(header["axes"])
        grid = Grid(names, tuple(arrays[f"axis_{name}"] for name in names))
        known = header["format"]
    except (OSError, ValueError, KeyError) as error:
        raise StoreError(
            f"{path} is not a surface that Audition wrote ({error}); delete it or name another file"
        ) from error
    if known != FORMAT:
        raise StoreError(f"{path} has format {known!r}, but this version reads {FORMAT!r}")
    surface = Surface(
        header["made from"],
        tuple(header["candidates"]),
        grid,
        arrays["means"],
        arrays["covariances"],
        int(header["replications"]),
    )
    return Partial(surface, arrays["measured"])
