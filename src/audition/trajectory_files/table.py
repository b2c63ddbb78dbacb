"""Parquet tables of one row a step, through pyarrow (the `data` extra).

Columns `episode`, and `state`, `action`, `next_state` as lists; or one column a coordinate,
`state_0`, `state_1`, ... Without `next_state` the next row's state is meant, and the last row of an
episode gives its last state alone (its action is not read).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audition.errors import LogError
from audition.readers.source import MOST_BYTES, read_bytes
from audition.trajectories import Trajectories
from audition.trajectory_files.episodes_found import from_paths, run_lengths

SUFFIXES = (".parquet", ".pq")
FloatArray = NDArray[np.float64]


def read(path: Path) -> Trajectories:
    """The episodes in a Parquet file."""
    frame = arrow_table(path)
    if "episode" not in frame.column_names:
        raise LogError(
            "a Parquet log of trajectories needs a column 'episode' that labels the episode of "
            f"each step; its columns are {', '.join(frame.column_names)}"
        )
    labels = np.asarray(frame.column("episode").to_pylist(), dtype=object)
    if any(label is None for label in labels):
        raise LogError("the column 'episode' must label every step; some of its values are missing")
    lengths = run_lengths(labels)
    states, actions = matrix(frame, "state"), matrix(frame, "action")
    if not _columns(frame, "next_state"):
        last = np.cumsum(lengths) - 1
        return from_paths(states, np.delete(actions, last, axis=0), lengths - 1)
    return Trajectories(
        states=states,
        actions=actions,
        next_states=matrix(frame, "next_state"),
        lengths=lengths,
    )


def arrow_table(path: Path) -> Any:
    """A Parquet file, whole."""
    pyarrow = with_pyarrow()
    from pyarrow import parquet

    data = read_bytes(path)
    try:
        file = parquet.ParquetFile(pyarrow.BufferReader(data))
        groups = range(file.metadata.num_row_groups)
        size = sum(file.metadata.row_group(group).total_byte_size for group in groups)
        if size > MOST_BYTES:
            raise LogError(
                f"a log of at most {MOST_BYTES / 2**30:g} GiB is read; {path.name} holds "
                f"{size / 2**30:.3g} GiB when unpacked. Keep the columns you need"
            )
        return file.read(use_threads=False)
    except (pyarrow.ArrowException, OSError, ValueError, KeyError, IndexError, TypeError) as error:
        raise LogError(f"the log is not a sound Parquet file: {str(error)[:200]}") from None


def with_pyarrow() -> Any:
    """The package, or a word on where it comes from."""
    try:
        import pyarrow
    except ImportError:
        raise LogError(
            "a Parquet log is read with pyarrow, which is not installed; install it with "
            "pip install 'audition[data]', or save the log as .npz"
        ) from None
    return pyarrow


def matrix(frame: Any, name: str) -> FloatArray:  # [step, coordinate]
    """One quantity of every step; a missing number is NaN."""
    columns = _columns(frame, name)
    if not columns:
        raise LogError(
            f"the log has no column {name!r} (a list), nor {name}_0, {name}_1, ...; its columns "
            f"are {', '.join(frame.column_names)}"
        )
    if columns == [name]:
        return lists(frame.column(name), name)
    return np.column_stack([_numbers(frame.column(column), column) for column in columns])


def lists(column: Any, name: str) -> FloatArray:  # [step, entry]
    """A column of lists of one length, or of numbers, as a table."""
    import pyarrow

    whole = column.combine_chunks() if hasattr(column, "combine_chunks") else column
    if not _is_list(whole.type):
        return _numbers(whole, name)[:, None]
    sizes = set(whole.value_lengths().to_pylist()) if len(whole) else set()
    if len(sizes) != 1 or None in sizes:
        shown = sorted(str(size) for size in sizes)[:5]
        raise LogError(
            f"the lists of column {name!r} must all have one length; they have {', '.join(shown)}"
        )
    if isinstance(whole, pyarrow.ChunkedArray):
        whole = pyarrow.concat_arrays(whole.chunks)
    return _numbers(whole.flatten(), name).reshape(len(whole), -1)


def _columns(frame: Any, name: str) -> list[str]:
    """The column itself, or name_0, name_1, ... as far as they go without a gap."""
    if name in frame.column_names:
        return [name]
    pattern = re.compile(rf"^{re.escape(name)}_(\d+)$")
    numbers = sorted(int(match[1]) for c in frame.column_names if (match := pattern.match(c)))
    if numbers != list(range(len(numbers))):
        raise LogError(f"the columns {name}_0, {name}_1, ... must have no gap; got {numbers}")
    return [f"{name}_{number}" for number in numbers]


def _is_list(kind: Any) -> bool:
    from pyarrow import types

    return bool(types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind))


def _numbers(column: Any, name: str) -> FloatArray:
    from pyarrow import types

    kind = column.type
    if not (types.is_floating(kind) or types.is_integer(kind) or types.is_boolean(kind)):
        raise LogError(f"column {name!r} must hold numbers; it holds {kind}")
    values = [np.nan if value is None else value for value in column.to_pylist()]
    return np.asarray(values, dtype=np.float64)
