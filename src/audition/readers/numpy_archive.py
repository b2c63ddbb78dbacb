"""NumPy archives (.npz), one array a column; never pickled objects.

An array of two axes gives a column for each of its own, `name_0`, `name_1`, and so on; a record
array gives its fields.
"""

from __future__ import annotations

import io
import lzma
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from audition.columns import Column
from audition.errors import LogError
from audition.readers.source import MOST_BYTES, SAMPLE_ROWS, FileTable, found

SUFFIXES = (".npz",)
_MOST_COLUMNS: Final = 10_000

# What a damaged archive, or one made to do harm, makes zipfile and NumPy raise.
_UNSOUND: Final = (
    ValueError,
    OSError,
    EOFError,
    KeyError,
    IndexError,
    TypeError,
    AttributeError,
    ArithmeticError,
    MemoryError,
    RuntimeError,  # encrypted, or a compression that is not known
    SyntaxError,
    struct.error,
    tokenize.TokenError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
)


def read(data: bytes, wanted: Sequence[str]) -> FileTable:
    """The wanted columns, each of one axis and all of one length."""
    columns = _columns(data)
    names = tuple(name for name, _ in columns)
    if not found(names, wanted):
        sample = {name: column[:SAMPLE_ROWS] for name, column in columns}
        return FileTable(names=names, columns=sample)
    kept = {name: column for name, column in columns if name in wanted}
    return FileTable(names=names, columns=kept)


def _columns(data: bytes) -> list[tuple[str, Column]]:
    """Every column of the archive, in its order."""
    return [column for name, array in arrays(data) for column in _split(name, array)]


def arrays(data: bytes) -> list[tuple[str, NDArray[Any]]]:
    """The arrays of the archive with their names, in its order."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            if sum(entry.file_size for entry in entries) > MOST_BYTES:
                raise LogError(
                    f"a log of at most {MOST_BYTES / 2**30:g} GiB is read; this archive holds more "
                    "when unpacked. Keep the arrays you need"
                )
            kept = [(entry.filename, _array(archive.read(entry))) for entry in entries]
    except _UNSOUND as error:
        raise LogError(_unsound(error)) from None
    return [(name.removesuffix(".npy").strip(), array) for name, array in kept if array is not None]


def _array(data: bytes) -> NDArray[Any] | None:
    """One array; nothing for a file of another kind."""
    if not data.startswith(b"\x93NUMPY"):
        return None
    array: NDArray[Any] = np.lib.format.read_array(io.BytesIO(data), allow_pickle=False)
    return array


def _split(name: str, array: NDArray[Any]) -> list[tuple[str, Column]]:
    if array.dtype.names and array.ndim == 1:
        return [(field, array[field]) for field in array.dtype.names if array[field].ndim == 1]
    if array.ndim == 1:
        return [(name, array)]
    if array.ndim == 2 and array.shape[1] == 1:
        return [(name, array[:, 0])]
    if array.ndim == 2 and array.shape[1] <= _MOST_COLUMNS:
        return [(f"{name}_{place}", array[:, place]) for place in range(array.shape[1])]
    return []  # a number by itself, or too many axes: no column


def _unsound(error: BaseException) -> str:
    if "pickle" in str(error):
        return (
            "an array of the archive holds Python objects, which are never read: unpickling runs "
            "code. Save labels as text, for example with array.astype(str)"
        )
    return f"the log is not a sound NumPy archive: {error or type(error).__name__}. Save it again"
