"""Arrays of steps cut into episodes, however a file says where they end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from audition.errors import LogError
from audition.trajectories import Trajectories

IntArray = NDArray[np.int64]


def from_paths(states: ArrayLike, actions: ArrayLike, lengths: IntArray) -> Trajectories:
    """Episodes end to end, each with one more state than actions."""
    seen, taken = np.asarray(states), np.asarray(actions)
    if np.any(lengths < 1):
        raise LogError("an episode of no steps holds nothing to learn from; drop it")
    if len(seen) != int(lengths.sum()) + lengths.size or len(taken) != int(lengths.sum()):
        raise LogError(
            f"without next_states, every episode needs one more state than actions: "
            f"{lengths.size} episodes of {int(lengths.sum())} steps in all need "
            f"{int(lengths.sum()) + lengths.size} states and {int(lengths.sum())} actions; got "
            f"{len(seen)} and {len(taken)}"
        )
    ends = np.cumsum(lengths)
    return Trajectories.from_paths(
        np.split(seen, (ends + np.arange(1, lengths.size + 1))[:-1]), np.split(taken, ends[:-1])
    )


def run_lengths(labels: NDArray[Any]) -> IntArray:  # [episode]
    """How long each run of equal labels is; a label that comes back later is an error."""
    if labels.ndim != 1 or not labels.size:
        raise LogError(
            f"the column 'episode' must hold one label a step, at least one; got {labels.shape}"
        )
    starts = np.concatenate([[0], np.flatnonzero(labels[1:] != labels[:-1]) + 1])
    names = labels[starts]
    if len(set(names.tolist())) < names.size:
        raise LogError(
            "the steps of an episode must stand together, in their order; episode "
            f"{_repeated(names.tolist())!r} comes back after another one: sort the log by episode "
            "and step"
        )
    return np.diff(np.append(starts, labels.size)).astype(np.int64)


def whole_numbers(values: NDArray[Any], name: str) -> IntArray:
    """Lengths, whatever kind of number they were saved as."""
    if values.ndim != 1 or values.dtype.kind not in "iu":
        raise LogError(
            f"{name} must be a list of whole numbers, one for each episode; got shape "
            f"{values.shape} of {values.dtype}"
        )
    return values.astype(np.int64)


def _repeated(names: Sequence[Any]) -> Any:
    """The first name that was there before."""
    return next(name for place, name in enumerate(names) if name in names[:place])
