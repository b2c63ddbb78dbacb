"""Logs of trajectories out of files: one file here for every format.

- a NumPy archive (.npz) of whole arrays;
- a Parquet table (.parquet) of one row a step;
- a Minari data set: its folder, or its `main_data.hdf5`. It is read as data: no code that it names
  is imported, and neither is Minari.

Whatever the input, the answer is a `Trajectories` or a `LogError`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from audition.errors import LogError
from audition.trajectories import Trajectories
from audition.trajectory_files import archive, hdf5, minari, table

__all__ = ["read_trajectories", "suffixes"]

_READERS: dict[str, Callable[[Path], Trajectories]] = {
    suffix: reader.read for reader in (archive, table, hdf5) for suffix in reader.SUFFIXES
}


def suffixes() -> tuple[str, ...]:
    """The endings of the file names that are read."""
    return tuple(_READERS)


def read_trajectories(path: str | Path) -> Trajectories:
    """The log of trajectories in a file, or in the folder of a Minari data set."""
    place = Path(path)
    try:
        folder = place.is_dir()
    except ValueError as error:  # a path may hold a NUL
        raise LogError(f"the log {str(place)!r} cannot be read: {error}") from None
    if folder:
        return minari.read(place)
    reader = _READERS.get(place.suffix.lower())
    if reader is None:
        raise LogError(
            f"a log of trajectories should end in {', '.join(_READERS)}, or be the folder of a "
            f"Minari data set; got {place.name!r}. Save arrays 'states', 'actions', 'next_states' "
            "and 'lengths' with numpy.savez"
        )
    return reader(place)
