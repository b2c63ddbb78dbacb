"""Folders of Minari data sets, read as data: HDF5, Parquet or Arrow files of episodes.

The observations are taken as the states, each episode with one more of them than of actions. The
metadata are read for the format alone; the environment that they name is never made.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audition.errors import LogError
from audition.readers.source import MOST_BYTES, read_bytes
from audition.trajectories import Trajectories
from audition.trajectory_files import hdf5
from audition.trajectory_files.table import arrow_table, lists, with_pyarrow

MAIN_FILE = "main_data.hdf5"
_MOST_METADATA = 2**24
FloatArray = NDArray[np.float64]


def read(folder: Path) -> Trajectories:
    """The episodes of a data set, from its folder or from the `data` folder in it."""
    data = folder / "data" if (folder / "data").is_dir() else folder
    if (data / MAIN_FILE).is_file():
        return hdf5.read(data / MAIN_FILE)
    parts = _parts(data)
    if not parts:
        raise LogError(
            f"{folder} is not a Minari data set: there is no data/{MAIN_FILE} in it, nor folders "
            "data/0, data/1, ... of .parquet or .arrow files"
        )
    _check_metadata(data / "metadata.json")
    paths, actions = zip(*(_episode(part) for part in parts), strict=True)
    return Trajectories.from_paths(paths, actions)


def _parts(data: Path) -> list[Path]:
    """One file an episode, by the episodes' numbers."""
    found = [entry for entry in data.iterdir() if entry.is_dir() and entry.name.isdecimal()]
    parts = []
    for entry in sorted(found, key=lambda entry: int(entry.name)):
        files = sorted(f for f in entry.iterdir() if f.suffix in {".parquet", ".arrow"})
        if len(files) != 1:
            raise LogError(f"episode {entry.name} should be one file; there are {len(files)}")
        parts.append(files[0])
    if sum(part.stat().st_size for part in parts) > MOST_BYTES:
        raise LogError(f"a log of at most {MOST_BYTES / 2**30:g} GiB is read; this one is larger")
    return parts


def _check_metadata(path: Path) -> None:
    """Refuse metadata that are not JSON; what they name is never loaded."""
    if not path.is_file():
        return
    try:
        if path.stat().st_size > _MOST_METADATA:
            raise LogError(f"{path.name} is larger than {_MOST_METADATA // 2**20} MiB")
        json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise LogError(f"the data set's {path.name} is not JSON: {str(error)[:200]}") from None


def _episode(path: Path) -> tuple[FloatArray, FloatArray]:
    """States, and actions without the padding of the last row."""
    frame = arrow_table(path) if path.suffix == ".parquet" else _arrow_file(path)
    found = []
    for name in ("observations", "actions"):
        if name not in frame.column_names:
            raise LogError(f"{path.parent.name}/{path.name} has no column {name!r}")
        found.append(lists(frame.column(name), name))
    return found[0], found[1][:-1]


def _arrow_file(path: Path) -> Any:
    pyarrow = with_pyarrow()
    try:
        return pyarrow.ipc.open_file(pyarrow.BufferReader(read_bytes(path))).read_all()
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise LogError(f"{path.name} is not a sound Arrow file: {str(error)[:200]}") from None
