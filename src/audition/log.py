"""What a bandit user recorded: one row per decision, the arm chosen and the reward it gave.

A `Log` is a value: its arrays cannot be written, and every change gives a new log. The *unit* is
what is drawn again when a log is resampled: the row, or the declared cluster (a user, a day) that
a row belongs to. Rewards are finite here; what a file held besides is counted by the readers.
"""

from __future__ import annotations

import hashlib
import html
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from audition.columns import Labels, column_of, labels, numbers
from audition.columns import times as read_times
from audition.errors import LogError
from audition.frames import frame_columns

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

_DIGEST_VERSION = "audition-log-1"


@final
@dataclass(frozen=True, slots=True, eq=False)
class Log:
    """Decisions in the order they were recorded, each with the arm chosen and the reward seen."""

    arms: IntArray  # [row] index into arm_names
    rewards: FloatArray  # [row]
    arm_names: tuple[str, ...]
    propensities: FloatArray | None = None  # [row] probability of the arm that was chosen
    clusters: IntArray | None = None  # [row] 0..units-1, every code used
    times: FloatArray | None = None  # [row] sortable
    contexts: FloatArray | None = None  # [row, feature]
    context_names: tuple[str, ...] = ()
    reward_name: str = "reward"
    arm_name: str = "arm"
    _rows_by_unit: IntArray | None = field(init=False, repr=False, default=None)  # [row]
    _unit_starts: IntArray | None = field(init=False, repr=False, default=None)  # [unit + 1]

    def __post_init__(self) -> None:
        """Freeze the arrays and refuse what is not a log."""
        _set(self, "arms", _frozen(self.arms, np.int64))
        _set(self, "rewards", _frozen(self.rewards, np.float64))
        _set(self, "arm_names", tuple(str(name) for name in self.arm_names))
        _set(self, "context_names", tuple(str(name) for name in self.context_names))
        for name in ("propensities", "times", "contexts"):
            _freeze_optional(self, name, np.float64)
        _freeze_optional(self, "clusters", np.int64)
        _check_shapes(self)
        _check_values(self)
        if self.clusters is not None:
            order, starts = _group(self.clusters)
            _set(self, "_rows_by_unit", order)
            _set(self, "_unit_starts", starts)

    @classmethod
    def from_arrays(
        cls,
        arms: ArrayLike,
        rewards: ArrayLike,
        *,
        arm_names: Sequence[str] | None = None,
        propensities: ArrayLike | None = None,
        clusters: ArrayLike | None = None,
        times: ArrayLike | None = None,
        contexts: ArrayLike | None = None,
        context_names: Sequence[str] = (),
        reward_name: str = "reward",
        arm_name: str = "arm",
    ) -> Log:
        """A log from plain arrays; arms and clusters may be labels of any kind.

        `arm_names` declares the arms there are, in the order wanted; whole numbers in `arms` are
        then positions in it. Without it the arms are those that occur.
        """
        chosen = column_of(arms, arm_name)
        if arm_names is not None and chosen.dtype.kind in "iu":
            named = Labels(chosen.astype(np.int64), tuple(arm_names))
        else:
            named = labels(chosen, arm_name, declared=arm_names)
        features = None if contexts is None else np.asarray(contexts, dtype=np.float64)
        if features is not None and features.ndim == 1:
            features = features[:, None]
        if features is not None and not context_names:
            context_names = [f"context_{index}" for index in range(features.shape[-1])]
        return cls(
            arms=named.codes,
            rewards=numbers(column_of(rewards, reward_name), reward_name),
            arm_names=named.names,
            propensities=None
            if propensities is None
            else numbers(column_of(propensities, "propensity"), "propensity"),
            clusters=None
            if clusters is None
            else labels(column_of(clusters, "cluster"), "cluster").units(),
            times=None if times is None else read_times(column_of(times, "time"), "time"),
            contexts=features,
            context_names=tuple(context_names),
            reward_name=reward_name,
            arm_name=arm_name,
        )

    @classmethod
    def from_dataframe(
        cls,
        frame: Any,
        *,
        arm: str,
        reward: str,
        propensity: str | None = None,
        cluster: str | None = None,
        time: str | None = None,
        context: Sequence[str] = (),
        arms: Sequence[str] | None = None,
    ) -> Log:
        """A log from a pandas, polars or Arrow frame, or anything with `__arrow_c_stream__`.

        `arms` declares the arms there are, in the order wanted. A missing or infinite value is an
        error here; `audition.readers.read_frame` drops such rows and says so.
        """
        named = {"propensities": propensity, "clusters": cluster, "times": time}
        wanted = [arm, reward, *context, *(name for name in named.values() if name is not None)]
        columns = frame_columns(frame, wanted)
        chosen = labels(columns[arm], arm, declared=arms)
        features = [numbers(columns[name], name) for name in context]
        return cls.from_arrays(
            chosen.codes,
            columns[reward],
            arm_names=chosen.names,
            contexts=np.column_stack(features) if features else None,
            context_names=context,
            reward_name=reward,
            arm_name=arm,
            **{key: columns[name] for key, name in named.items() if name is not None},
        )

    @property
    def rows(self) -> int:
        """How many decisions were recorded."""
        return int(self.arms.size)

    @property
    def units(self) -> int:
        """How many units a resample draws from: clusters where declared, else rows."""
        return self.rows if self._unit_starts is None else int(self._unit_starts.size - 1)

    @property
    def counts(self) -> IntArray:
        """How often each arm was chosen  # [arm]."""
        return np.bincount(self.arms, minlength=len(self.arm_names)).astype(np.int64)

    @property
    def means(self) -> FloatArray:
        """Mean reward of each arm, NaN for an arm never chosen  # [arm]."""
        totals = np.bincount(self.arms, weights=self.rewards, minlength=len(self.arm_names))
        counts = self.counts
        means = np.full(counts.size, np.nan)
        means[counts > 0] = totals[counts > 0] / counts[counts > 0]
        return means

    @property
    def digest(self) -> str:
        """SHA-256 of everything the log says, the same on every machine."""
        arrays = {
            "arms": self.arms.astype("<i8"),
            "rewards": (self.rewards + 0.0).astype("<f8"),  # -0.0 and 0.0 are one reward
            "propensities": self.propensities,
            "clusters": None if self.clusters is None else self.clusters.astype("<i8"),
            "times": self.times,
            "contexts": self.contexts,
        }
        names = [self.arm_names, self.context_names, self.reward_name, self.arm_name]
        shapes = {name: None if a is None else list(a.shape) for name, a in arrays.items()}
        head = json.dumps([_DIGEST_VERSION, names, shapes], separators=(",", ":"))
        digest = hashlib.sha256(head.encode())
        for array in arrays.values():
            if array is not None:
                little = array.astype(array.dtype.newbyteorder("<"), copy=False)
                digest.update(np.ascontiguousarray(little).tobytes())
        return digest.hexdigest()

    def take(self, units: IntArray) -> Log:
        """The log that holds these units, in this order; a unit named twice counts twice."""
        units = np.asarray(units, dtype=np.int64)
        if units.size and (units.min() < 0 or units.max() >= self.units):
            raise LogError(
                f"units must lie in 0..{self.units - 1}; got {units.min()}..{units.max()}"
            )
        if self._rows_by_unit is None or self._unit_starts is None:
            return self._rows(units, None)
        sizes = np.diff(self._unit_starts)[units]
        clusters = np.repeat(np.arange(units.size, dtype=np.int64), sizes)
        # Row j of draw i is row (start of i's unit) + j of the table sorted by unit.
        shift = np.repeat(self._unit_starts[units] - (np.cumsum(sizes) - sizes), sizes)
        return self._rows(self._rows_by_unit[np.arange(clusters.size) + shift], clusters)

    def drop_arm(self, name: str) -> Log:
        """The log without one arm and without the rows that chose it."""
        gone = self._index(name)
        kept = np.flatnonzero(self.arms != gone)
        clusters = self.clusters
        if clusters is not None:
            clusters = np.unique(clusters[kept], return_inverse=True)[1].astype(np.int64)
        shorter = self._rows(kept, clusters)
        names = tuple(other for other in self.arm_names if other != name)
        return replace(shorter, arms=shorter.arms - (shorter.arms > gone), arm_names=names)

    def _rows(self, rows: IntArray, clusters: IntArray | None) -> Log:
        return Log(
            arms=self.arms[rows],
            rewards=self.rewards[rows],
            arm_names=self.arm_names,
            propensities=None if self.propensities is None else self.propensities[rows],
            clusters=clusters,
            times=None if self.times is None else self.times[rows],
            contexts=None if self.contexts is None else self.contexts[rows],
            context_names=self.context_names,
            reward_name=self.reward_name,
            arm_name=self.arm_name,
        )

    def _index(self, name: str) -> int:
        if name not in self.arm_names:
            raise LogError(f"no arm is called {name!r}; the arms are {', '.join(self.arm_names)}")
        return self.arm_names.index(name)

    def _repr_html_(self) -> str:
        """The log in a notebook: its size, and a line for each arm."""
        units = "" if self.clusters is None else f", {self.units:,} clusters"
        lines = [
            f"<tr><td>{html.escape(name)}</td><td>{count:,}</td><td>{mean:.6g}</td></tr>"
            for name, count, mean in zip(self.arm_names, self.counts, self.means, strict=True)
        ]
        head = f"<tr><th>{html.escape(self.arm_name)}</th><th>rows</th>"
        head += f"<th>mean {html.escape(self.reward_name)}</th></tr>"
        title = f"Log: {self.rows:,} rows, {len(self.arm_names)} arms{units}"
        return f"<table><caption>{title}</caption>{head}{''.join(lines)}</table>"


def _set(log: Log, name: str, value: object) -> None:
    object.__setattr__(log, name, value)


def _frozen(values: ArrayLike, kind: type[np.generic]) -> NDArray[Any]:
    """A contiguous read-only array; a view that others could write through is copied."""
    array = np.ascontiguousarray(np.asarray(values, dtype=kind))
    if array.flags.writeable or array.base is not None:
        array = array.copy()
        array.flags.writeable = False
    return array


def _freeze_optional(log: Log, name: str, kind: type[np.generic]) -> None:
    values = getattr(log, name)
    if values is not None:
        _set(log, name, _frozen(values, kind))


def _group(clusters: IntArray) -> tuple[IntArray, IntArray]:
    """Rows sorted by unit  # [row], and where each unit starts among them  # [unit + 1]."""
    sizes = np.bincount(clusters)
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    if np.all(clusters[1:] >= clusters[:-1]):
        return np.arange(clusters.size, dtype=np.int64), starts
    return np.argsort(clusters, kind="stable").astype(np.int64), starts


def _check_shapes(log: Log) -> None:
    columns = {"rewards": log.rewards, "arms": log.arms, "propensities": log.propensities}
    columns |= {"clusters": log.clusters, "times": log.times}
    for name, values in columns.items():
        if values is not None and values.shape != (log.arms.size,):
            raise LogError(
                f"{name} should hold one value per row ({log.arms.size}); got {values.shape}"
            )
    expected = (log.rows, len(log.context_names))
    if log.contexts is not None and log.contexts.shape != expected:
        raise LogError(f"contexts should be [row, feature] = {expected}; got {log.contexts.shape}")


def _check_values(log: Log) -> None:
    if len(set(log.arm_names)) != len(log.arm_names):
        raise LogError(f"arm names should differ from each other; got {', '.join(log.arm_names)}")
    if log.rows and not 0 <= log.arms.min() <= log.arms.max() < len(log.arm_names):
        raise LogError(
            f"every row should name one of the {len(log.arm_names)} arms; "
            f"codes run from {log.arms.min()} to {log.arms.max()} (-1 is a missing arm)"
        )
    for name in ("rewards", "propensities", "times", "contexts"):
        values = getattr(log, name)
        if values is not None and not np.isfinite(values).all():
            bad = int(np.count_nonzero(~np.isfinite(values)))
            raise LogError(
                f"{name} should be finite; {bad} of {values.size} values are missing or infinite. "
                "Take those rows out, or let audition.readers.read_frame do it and say so"
            )
    codes = log.clusters
    if codes is not None and codes.size and (codes.min() < 0 or not np.bincount(codes).all()):
        raise LogError("cluster codes should be 0..units-1, every one used; see Log.from_arrays")
