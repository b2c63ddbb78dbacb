"""NumPy archives (.npz) of whole arrays; never pickled objects.

`states` [step, coordinate] and `actions` [step, actuator], with `lengths` [episode] (or `episode`
[step], a label). With `next_states` there is one for every state; without, every episode has one
more state than actions.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audition.errors import LogError
from audition.readers.numpy_archive import arrays
from audition.readers.source import read_bytes
from audition.trajectories import Trajectories
from audition.trajectory_files.episodes_found import from_paths, run_lengths, whole_numbers

SUFFIXES = (".npz",)


def read(path: Path) -> Trajectories:
    """The episodes in an archive."""
    given = arrays(read_bytes(path))
    found = dict(given)
    if len(found) < len(given):
        raise LogError("the archive holds two arrays of one name; save it again")
    missing = [name for name in ("states", "actions") if name not in found]
    if missing:
        raise LogError(
            f"a log of trajectories holds arrays 'states', 'actions', 'next_states' and 'lengths'; "
            f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} not among "
            f"{', '.join(sorted(found)) or 'its arrays, for it has none'}"
        )
    for name in ("states", "actions", "next_states"):
        if name in found and found[name].dtype.kind not in "fiub":
            raise LogError(f"{name} must be numbers; got an array of {found[name].dtype}")
    if "next_states" not in found:
        return from_paths(found["states"], found["actions"], _lengths(found))
    return Trajectories(
        states=found["states"],
        actions=found["actions"],
        next_states=found["next_states"],
        lengths=_lengths(found),
    )


def _lengths(found: Mapping[str, NDArray[Any]]) -> NDArray[np.int64]:
    if "lengths" in found:
        return whole_numbers(found["lengths"], "lengths")
    if "episode" in found and "next_states" in found:
        return run_lengths(found["episode"])
    raise LogError(
        "a log of trajectories says where its episodes end: an array 'lengths' with the number of "
        "steps of each (or, with 'next_states', an array 'episode' with a label for each step)"
    )
