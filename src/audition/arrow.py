"""The Arrow C stream, read into NumPy columns without any Arrow package.

Layouts follow the Arrow C data and C stream interfaces. Every value is copied, so nothing outlives
the table; a column whose layout is not known is refused when it is asked for, not before.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Protocol, final, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from audition.columns import Column
from audition.errors import LogError


@runtime_checkable
class ArrowStream(Protocol):
    """Anything that hands out its rows through the Arrow C stream interface."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


class _Schema(ctypes.Structure):
    pass


class _Array(ctypes.Structure):
    pass


class _Stream(ctypes.Structure):
    pass


_RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_GET = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
_Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_void_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(_Schema))),
    ("dictionary", ctypes.POINTER(_Schema)),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]
_Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(_Array))),
    ("dictionary", ctypes.POINTER(_Array)),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]
_Stream._fields_ = [
    ("get_schema", _GET),
    ("get_next", _GET),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]

_PLAIN = {"c": "i1", "C": "u1", "s": "<i2", "S": "<u2", "i": "<i4", "I": "<u4", "l": "<i8"}
_PLAIN |= {"L": "<u8", "e": "<f2", "f": "<f4", "g": "<f8"}
# date32, date64, times of day, and (below) timestamps and durations with their unit letter.
_TEMPORAL = {"tdD": ("<i4", "M8[D]"), "tdm": ("<i8", "M8[ms]")}
_TEMPORAL |= {"tts": ("<i4", "m8[s]"), "ttm": ("<i4", "m8[ms]")}
_TEMPORAL |= {"ttu": ("<i8", "m8[us]"), "ttn": ("<i8", "m8[ns]")}
_UNITS = {"s": "s", "m": "ms", "u": "us", "n": "ns"}
_INLINE_VIEW = 12  # bytes of text that a string view holds in itself


@final
class ArrowTable:
    """The rows of an Arrow stream, each column converted when it is asked for."""

    def __init__(self, source: ArrowStream) -> None:
        self._capsule = source.__arrow_c_stream__()  # its destructor releases the stream
        self._stream = _stream(self._capsule)
        self._schema = _Schema()
        self._batches: list[_Array] = []
        self._call(self._stream.get_schema, self._schema)
        if self._schema.format != b"+s":
            self.close()
            raise LogError("the Arrow stream should hold a table (a struct); it holds one array")
        fields = [self._schema.children[i].contents for i in range(self._schema.n_children)]
        self.names = tuple((field.name or b"").decode("utf-8", "replace") for field in fields)
        while True:
            batch = _Array()
            self._call(self._stream.get_next, batch)
            if not batch.release:
                break
            self._batches.append(batch)

    def column(self, name: str) -> Column:
        """One column, its batches joined."""
        place = self.names.index(name)
        field = self._schema.children[place].contents
        parts = [
            _values(field, batch.children[place].contents, batch.offset, batch.length, name)
            for batch in self._batches
        ]
        if not parts:
            return np.empty(0, dtype=object)
        if len({part.dtype for part in parts}) > 1:
            parts = [part.astype(object) for part in parts]
        return np.concatenate(parts)

    def close(self) -> None:
        """Give the memory back to whoever made it."""
        for struct in (*self._batches, self._schema):
            if struct.release:
                _RELEASE(struct.release)(ctypes.addressof(struct))
        self._batches = []

    def __enter__(self) -> ArrowTable:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _call(self, get: Callable[[int, int], int], into: ctypes.Structure) -> None:
        code = get(ctypes.addressof(self._stream), ctypes.addressof(into))
        if code:
            why = self._stream.get_last_error(ctypes.addressof(self._stream)) or b"no reason given"
            self.close()
            raise LogError(f"the Arrow stream broke off: {why.decode('utf-8', 'replace')}")


def _stream(capsule: object) -> _Stream:
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return _Stream.from_address(pointer(capsule, b"arrow_array_stream"))


def _values(field: _Schema, array: _Array, start: int, rows: int, name: str) -> Column:
    """Rows start..start+rows of one array; `None`, NaN or NaT where the row is null."""
    layout = (field.format or b"").decode("ascii", "replace")
    start += array.offset
    valid = _validity(array, start, rows)
    if field.dictionary:
        return _decoded(field, array, start, rows, name)
    if layout in _PLAIN:
        return _nulled(_buffer(array, 1, _PLAIN[layout], start, rows), valid)
    if layout == "b":
        return _nulled(_bits(array, 1, start, rows), valid)
    if layout == "n":
        return np.full(rows, None, dtype=object)
    if layout in ("u", "U", "z", "Z"):
        return _texts(array, "<i8" if layout in "UZ" else "<i4", start, rows, valid)
    if layout in ("vu", "vz"):
        return _views(array, start, rows, valid)
    if layout.startswith("d:"):
        return _decimals(layout, array, start, rows, valid)
    kind = _temporal(layout)
    if kind is None:
        raise LogError(f"column {name!r} should hold plain values; its Arrow layout is {layout!r}")
    moments = _buffer(array, 1, kind[0], start, rows).astype("<i8").astype(kind[1])
    if valid is not None:
        moments[~valid] = "NaT"
    return moments


def _temporal(layout: str) -> tuple[str, str] | None:
    if layout[:2] == "ts" and layout[2:3] in _UNITS:
        return ("<i8", f"M8[{_UNITS[layout[2]]}]")  # with a zone or without: Arrow counts in UTC
    if layout[:2] == "tD" and layout[2:3] in _UNITS:
        return ("<i8", f"m8[{_UNITS[layout[2]]}]")
    return _TEMPORAL.get(layout)


def _buffer(array: _Array, place: int, kind: str, start: int, count: int) -> NDArray[Any]:
    """A copy of `count` items of a buffer, from item `start` on."""
    item = np.dtype(kind)
    address = array.buffers[place] if array.n_buffers > place else None
    if not address or count <= 0:
        return np.zeros(max(count, 0), dtype=item)
    raw = ctypes.string_at(address + start * item.itemsize, count * item.itemsize)
    return np.frombuffer(raw, dtype=item, count=count).copy()


def _bits(array: _Array, place: int, start: int, rows: int) -> NDArray[np.bool_]:
    first, last = start // 8, -(-(start + rows) // 8)
    octets = _buffer(array, place, "u1", first, last - first)
    return np.unpackbits(octets, bitorder="little")[start - 8 * first :][:rows].astype(bool)


def _validity(array: _Array, start: int, rows: int) -> NDArray[np.bool_] | None:
    if array.null_count == 0 or array.n_buffers == 0 or not array.buffers[0]:
        return None
    valid = _bits(array, 0, start, rows)
    return None if valid.all() else valid


def _nulled(values: NDArray[Any], valid: NDArray[np.bool_] | None) -> Column:
    if valid is None:
        return values
    if values.dtype.kind == "f":
        values[~valid] = np.nan
        return values
    objects = values.astype(object)
    objects[~valid] = None
    return objects


def _decoded(field: _Schema, array: _Array, start: int, rows: int, name: str) -> Column:
    """A dictionary column: every code replaced by its value."""
    codes = _buffer(array, 1, _PLAIN[field.format.decode("ascii")], start, rows).astype(np.int64)
    valid = _validity(array, start, rows)
    if valid is not None:
        codes[~valid] = -1
    words = array.dictionary.contents
    values = _values(field.dictionary.contents, words, 0, words.length, name)
    with_null = np.empty(len(values) + 1, dtype=object)
    with_null[:-1] = values.tolist() if values.dtype.kind in "mM" else values
    return with_null[codes]  # code -1 meets the last value, which is None


def _texts(
    array: _Array, kind: str, start: int, rows: int, valid: NDArray[np.bool_] | None
) -> Column:
    if rows == 0:
        return np.empty(0, dtype=object)
    ends = _buffer(array, 1, kind, start, rows + 1).astype(np.int64)
    base = int(ends[0])
    data = _buffer(array, 2, "u1", base, int(ends[-1]) - base).tobytes()
    cuts = (ends - base).tolist()
    return _objects([data[a:b].decode("utf-8", "replace") for a, b in pairwise(cuts)], valid)


def _views(array: _Array, start: int, rows: int, valid: NDArray[np.bool_] | None) -> Column:
    """Strings of at most twelve bytes lie in the view; longer ones in a numbered buffer."""
    kind = np.dtype([("length", "<i4"), ("prefix", "<i4"), ("buffer", "<i4"), ("offset", "<i4")])
    table = np.zeros(rows, dtype=kind)
    if rows and array.buffers[1]:
        raw = ctypes.string_at(array.buffers[1] + 16 * start, 16 * rows)
        table = np.frombuffer(raw, dtype=kind, count=rows).copy()
    inline = table.tobytes()
    texts = []
    for row, (length, _, buffer, offset) in enumerate(table.tolist()):
        if valid is not None and not valid[row]:
            octets = b""
        elif length <= _INLINE_VIEW:
            octets = inline[16 * row + 4 : 16 * row + 4 + length]
        else:
            octets = ctypes.string_at(array.buffers[2 + buffer] + offset, length)
        texts.append(octets.decode("utf-8", "replace"))
    return _objects(texts, valid)


def _decimals(
    layout: str, array: _Array, start: int, rows: int, valid: NDArray[np.bool_] | None
) -> Column:
    """Decimals as the nearest float64: a reward needs no more, and a label reads the same."""
    parts = [int(part) for part in layout[2:].split(",")]
    scale, width = parts[1], (parts[2] if len(parts) > 2 else 128) // 8
    data = _buffer(array, 1, "u1", start * width, rows * width).tobytes()
    whole = [
        int.from_bytes(data[at : at + width], "little", signed=True)
        for at in range(0, rows * width, width)
    ]
    over, times = 10 ** max(scale, 0), 10 ** max(-scale, 0)
    return _nulled(np.array([value * times / over for value in whole], dtype=np.float64), valid)


def _objects(values: Sequence[object], valid: NDArray[np.bool_] | None) -> Column:
    out = np.empty(len(values), dtype=object)
    out[:] = values
    if valid is not None:
        out[~valid] = None
    return out
