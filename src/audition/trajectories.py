"""What a robot's user recorded: episodes of (state, action, next state), each as long as it was.

The episode is the unit that is drawn again when a log is resampled. Values are finite, arrays
cannot be written, and the digest names the content, so that work on a log can be kept by it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from audition.errors import LogError

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

_VERSION = b"audition-trajectories-1"


@final
@dataclass(frozen=True, slots=True, eq=False)
class Episode:
    """One episode: the state before each step, the action taken, and the state after it."""

    states: FloatArray  # [step, coordinate]
    actions: FloatArray  # [step, actuator]
    next_states: FloatArray  # [step, coordinate]

    @property
    def steps(self) -> int:
        """How many transitions the episode has."""
        return len(self.states)

    @property
    def digest(self) -> str:
        """SHA-256 of the episode's numbers and shapes."""
        return _digest(self.states, self.actions, self.next_states)

    def continuous(self) -> bool:
        """Whether every next state is, bit for bit, the state that the next step starts from."""
        return bool(np.array_equal(self.next_states[:-1], self.states[1:]))


@final
@dataclass(frozen=True, slots=True, eq=False)
class Trajectories:
    """Episodes end to end, with the length of each."""

    states: FloatArray  # [step, coordinate]
    actions: FloatArray  # [step, actuator]
    next_states: FloatArray  # [step, coordinate]
    lengths: IntArray  # [episode]
    _starts: IntArray = field(init=False, repr=False)  # [episode + 1]

    def __post_init__(self) -> None:
        """Freeze the arrays and refuse what is not a log of episodes."""
        for name in ("states", "actions", "next_states"):
            object.__setattr__(self, name, _matrix(getattr(self, name), name))
        object.__setattr__(self, "lengths", _lengths(self.lengths))
        starts = np.concatenate([[0], np.cumsum(self.lengths)]).astype(np.int64)
        object.__setattr__(self, "_starts", starts)
        _check(self)

    @classmethod
    def from_episodes(cls, episodes: Sequence[Episode]) -> Trajectories:
        """A log of these episodes, in this order."""
        if not episodes:
            raise LogError("a log of trajectories needs at least one episode; none came")
        try:
            return cls(
                states=np.concatenate([episode.states for episode in episodes]),
                actions=np.concatenate([episode.actions for episode in episodes]),
                next_states=np.concatenate([episode.next_states for episode in episodes]),
                lengths=np.array([episode.steps for episode in episodes]),
            )
        except ValueError as error:
            raise LogError(f"the episodes do not have the same coordinates: {error}") from error

    @classmethod
    def from_paths(cls, paths: Sequence[ArrayLike], actions: Sequence[ArrayLike]) -> Trajectories:
        """A log from each episode's states, one more than its actions."""
        if len(paths) != len(actions):
            raise LogError(f"{len(paths)} paths of states came with {len(actions)} of actions")
        episodes = []
        for number, (path, taken) in enumerate(zip(paths, actions, strict=True)):
            states, moves = _matrix(path, "states"), _matrix(taken, "actions")
            if len(states) != len(moves) + 1:
                raise LogError(
                    f"episode {number} needs one more state than actions; it has {len(states)} "
                    f"states and {len(moves)} actions"
                )
            episodes.append(Episode(states[:-1], moves, states[1:]))
        return cls.from_episodes(episodes)

    @property
    def units(self) -> int:
        """How many episodes there are."""
        return int(self.lengths.size)

    @property
    def steps(self) -> int:
        """How many transitions there are in all."""
        return len(self.states)

    @property
    def digest(self) -> str:
        """SHA-256 of everything the log says, the same on every machine."""
        return _digest(self.states, self.actions, self.next_states, self.lengths)

    def __len__(self) -> int:
        """How many episodes there are."""
        return self.units

    def __iter__(self) -> Iterator[Episode]:
        """The episodes in order."""
        return (self.episode(unit) for unit in range(self.units))

    def episode(self, unit: int) -> Episode:
        """One episode, as views of the log's arrays."""
        if not 0 <= unit < self.units:
            raise LogError(f"episodes are numbered 0 to {self.units - 1}; got {unit}")
        rows = slice(int(self._starts[unit]), int(self._starts[unit + 1]))
        return Episode(self.states[rows], self.actions[rows], self.next_states[rows])

    def take(self, units: ArrayLike) -> Trajectories:
        """The log that holds these episodes, in this order; one named twice counts twice."""
        chosen = np.asarray(units, dtype=np.int64).reshape(-1)
        return Trajectories.from_episodes([self.episode(int(unit)) for unit in chosen])

    def _repr_html_(self) -> str:
        """The log in a notebook: its size in one line."""
        return (
            f"<p>Trajectories: {self.units:,} episodes, {self.steps:,} steps "
            f"({self.lengths.min()} to {self.lengths.max()} each), "
            f"{self.states.shape[1]} state coordinates, {self.actions.shape[1]} actuators</p>"
        )


def _matrix(values: ArrayLike, name: str) -> FloatArray:
    try:
        array = np.array(values, dtype=np.float64, order="C")
    except (TypeError, ValueError) as error:
        raise LogError(f"{name} must be a table of numbers [step, coordinate]: {error}") from error
    if array.ndim != 2 or array.shape[1] == 0:
        raise LogError(f"{name} must have two axes [step, coordinate]; got shape {array.shape}")
    array.flags.writeable = False
    return array


def _lengths(values: ArrayLike) -> IntArray:
    given = np.asarray(values)
    if given.ndim != 1 or given.size == 0 or not np.issubdtype(given.dtype, np.integer):
        raise LogError(
            "lengths must hold one whole number per episode, at least one; got shape "
            f"{given.shape} of {given.dtype}"
        )
    array = given.astype(np.int64)
    array.flags.writeable = False
    return array


def _check(log: Trajectories) -> None:
    steps = log.steps
    if log.next_states.shape != log.states.shape or len(log.actions) != steps:
        raise LogError(
            "states and next_states must have one shape, and actions as many rows; got "
            f"{log.states.shape}, {log.next_states.shape} and {log.actions.shape}"
        )
    if log.lengths.min() < 1 or int(log.lengths.sum()) != steps:
        raise LogError(
            f"episode lengths must be at least 1 and add up to the {steps} steps; they go from "
            f"{log.lengths.min()} and add up to {log.lengths.sum()}"
        )
    for name in ("states", "actions", "next_states"):
        bad = np.flatnonzero(~np.isfinite(getattr(log, name)).all(axis=1))
        if bad.size:
            unit = int(np.searchsorted(np.cumsum(log.lengths), bad[0], side="right"))
            raise LogError(
                f"{name} must be finite; {bad.size} of {steps} steps are not, the first in episode "
                f"{unit}: drop those episodes or cut them there"
            )


def _digest(*arrays: NDArray[np.float64] | NDArray[np.int64]) -> str:
    found = hashlib.sha256(_VERSION)
    for array in arrays:
        found.update(repr(array.shape).encode())
        little = array.astype(array.dtype.newbyteorder("<"), copy=False)
        found.update(np.ascontiguousarray(little).tobytes())
    return found.hexdigest()
