"""Parquet files, through pyarrow where it is installed (the `data` extra)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from audition.errors import LogError
from audition.frames import open_frame, readable
from audition.readers.source import MOST_BYTES, SAMPLE_ROWS, FileTable, found

SUFFIXES = (".parquet", ".pq")


def read(data: bytes, wanted: Sequence[str]) -> FileTable:
    """The wanted columns, whatever Arrow types they have."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise LogError(
            "a Parquet log is read with pyarrow, which is not installed; install it with "
            "pip install 'audition[data]', or convert the log to CSV"
        ) from None
    try:
        file = parquet.ParquetFile(pyarrow.BufferReader(data))
        names = tuple(str(name) for name in file.schema_arrow.names)
        complete = found(names, wanted)
        _check_size(file.metadata)
        kept = list(dict.fromkeys(wanted)) if complete else None
        table = file.read(columns=kept, use_threads=False)
    except (pyarrow.ArrowException, OSError, ValueError, KeyError, IndexError, TypeError) as error:
        raise LogError(f"the log is not a sound Parquet file: {str(error)[:200]}") from None
    with open_frame(table if complete else table.slice(0, SAMPLE_ROWS)) as frame:
        shown = wanted if complete else readable(frame)
        return FileTable(names=names, columns={name: frame.column(name) for name in shown})


def _check_size(metadata: Any) -> None:
    groups = range(metadata.num_row_groups)
    size = sum(metadata.row_group(group).total_byte_size for group in groups)
    if size > MOST_BYTES:
        raise LogError(
            f"a log of at most {MOST_BYTES / 2**30:g} GiB is read; this file holds "
            f"{size / 2**30:.3g} GiB when unpacked. Keep the columns you need"
        )
