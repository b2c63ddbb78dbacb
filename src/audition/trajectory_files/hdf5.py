"""Minari's HDF5 files, read as data through h5py (the `rl` extra).

`episode_0`, `episode_1`, ... each hold `observations` [step + 1, coordinate] and `actions` [step,
actuator]. Links to other files, external and virtual storage are refused: a data set is to say
nothing but its own bytes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audition.errors import LogError
from audition.readers.source import MOST_BYTES
from audition.trajectories import Trajectories

SUFFIXES = (".hdf5", ".h5")
FloatArray = NDArray[np.float64]


def read(path: Path) -> Trajectories:
    """The episodes in the file, by their numbers."""
    try:
        import h5py
    except ImportError:
        raise LogError(
            "an HDF5 log is read with h5py, which is not installed; install it with "
            "pip install 'audition[rl]', or save the log as .npz"
        ) from None
    if not path.is_file():
        raise LogError(f"there is no file {str(path)!r}; check the path of the log")
    try:
        with h5py.File(path, "r") as file:
            return _episodes(file)
    except (OSError, RuntimeError, KeyError, ValueError, TypeError) as error:
        raise LogError(f"the log is not a sound HDF5 file: {str(error)[:200]}") from None


def _episodes(file: Any) -> Trajectories:
    names = [name for name in file if name.removeprefix("episode_").isdecimal()]
    if not names:
        raise LogError(
            "an HDF5 log holds groups episode_0, episode_1, ...; this one holds "
            f"{', '.join(list(file)[:8]) or 'nothing'}"
        )
    found, room = [], MOST_BYTES
    for name in sorted(names, key=lambda name: int(name.removeprefix("episode_"))):
        group = _own(file, name, name)
        for part in ("observations", "actions"):
            if not _is_group(group) or part not in group:
                raise LogError(f"{name} holds no {part!r}")
            table = _table(_own(group, part, f"{name}/{part}"), f"{name}/{part}")
            room -= table.nbytes
            if room < 0:
                raise LogError(f"a log of at most {MOST_BYTES / 2**30:g} GiB is read")
            found.append(np.asarray(table[()], dtype=np.float64))
    flat = [values if values.ndim != 1 else values[:, None] for values in found]
    return Trajectories.from_paths(flat[0::2], flat[1::2])


def _own(group: Any, name: str, place: str) -> Any:
    """A member of the file itself, not of one that it links to."""
    import h5py

    if not isinstance(group.get(name, getlink=True), h5py.HardLink):
        raise LogError(f"{place} is a link to elsewhere, which is never followed")
    return group[name]


def _is_group(value: Any) -> bool:
    import h5py

    return isinstance(value, h5py.Group)


def _table(dataset: Any, place: str) -> Any:
    """A plain table of numbers, stored in this file."""
    import h5py

    if _is_group(dataset):
        raise LogError(
            f"{place} is a dictionary of spaces; a log of trajectories needs one array of numbers: "
            "save qpos and qvel side by side as .npz"
        )
    if not isinstance(dataset, h5py.Dataset) or dataset.dtype.kind not in "fiu":
        raise LogError(f"{place} must be numbers; it holds {getattr(dataset, 'dtype', dataset)}")
    if dataset.is_virtual or dataset.external:
        raise LogError(f"{place} is stored in another file, which is never opened")
    return dataset
