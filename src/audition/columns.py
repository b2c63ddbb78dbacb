"""One column of a table, whatever it came from, read as labels, as numbers or as times.

A column is a NumPy array of any kind: numbers, booleans, text, timestamps, or Python objects with
`None` for what is missing. What cannot be read is a `LogError` that shows the first bad value.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from audition.errors import LogError

Column = NDArray[Any]
_EXACT = 2**53  # whole numbers below it are exact as floats
_PLAIN = {int, float, bool, type(None)}
MISSING_TEXT = frozenset({"", "na", "n/a", "nan", "null", "none", "-nan", "#n/a", "\\n"})


@final
class CellError(LogError):
    """One value of a column is not what the column should hold."""

    def __init__(self, message: str, *, row: int) -> None:
        super().__init__(message)
        self.row = row  # from 0


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnMap:
    """Which columns of a table mean what."""

    arm: str = "arm"
    reward: str = "reward"
    propensity: str | None = None
    cluster: str | None = None
    time: str | None = None
    context: tuple[str, ...] = ()
    arms: tuple[str, ...] = ()  # declared arms, in the order wanted; empty: those that occur
    drop_arms: tuple[str, ...] = ()
    decimal: str = "."

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that are read, each once."""
        optional = (self.propensity, self.cluster, self.time)
        wanted = (self.arm, self.reward, *(name for name in optional if name), *self.context)
        return tuple(dict.fromkeys(wanted))


@final
@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """A column of names as codes into the distinct names; a missing name has code -1."""

    codes: NDArray[np.int64]  # [row]
    names: tuple[str, ...]

    def units(self) -> NDArray[np.int64]:
        """Codes 0..units-1, every one used; a row without a name is a unit of its own."""
        missing = self.codes < 0
        alone = len(self.names) + np.arange(np.count_nonzero(missing))
        codes = self.codes.copy()
        codes[missing] = alone
        return np.unique(codes, return_inverse=True)[1].astype(np.int64)


def labels(column: Column, name: str, *, declared: Sequence[str] | None = None) -> Labels:
    """The column as labels, in their natural order, or in the declared order where one is given."""
    codes, found = _factorised(column, name)
    if declared is None:
        order = sorted(range(len(found)), key=lambda index: _natural(found[index]))
        names = tuple(found[index] for index in order)
    else:
        names = _declared(tuple(str(label) for label in declared), found, name)
        order = [found.index(label) if label in found else -1 for label in names]
    place = np.full(len(found) + 1, -1, dtype=np.int64)  # the last place is for code -1
    for position, index in enumerate(order):
        if index >= 0:
            place[index] = position
    return Labels(place[codes], names)


def numbers(column: Column, name: str, *, decimal: str = ".") -> NDArray[np.float64]:
    """The column as float64, NaN where a value is missing; infinities stay."""
    column = _unmasked(column)
    if column.dtype.kind in "fiub":
        return column.astype(np.float64)
    if column.dtype.kind in "OUST":
        return _each(column, name, "numbers", lambda value: _number(value, decimal))
    raise LogError(f"column {name!r} should hold numbers; it holds {column.dtype}")


def times(column: Column, name: str) -> NDArray[np.float64]:
    """The column as sortable float64: numbers as they are, dates and timestamps as seconds."""
    column = _unmasked(column)
    if column.dtype.kind in "Mm":
        seconds = column.astype(f"{column.dtype.kind}8[us]")
        return np.where(np.isnat(seconds), np.nan, seconds.astype(np.int64) / 1e6)
    if column.dtype.kind in "fiub":
        return column.astype(np.float64)
    return _each(column, name, "numbers or ISO 8601 times", _time)


def column_of(values: Any, name: str) -> Column:
    """Values of any make as a column; `None` for what a mask hides."""
    try:
        column = _unmasked(values)
    except ValueError:  # lists of different lengths
        column = np.empty((0, 0))
    if column.ndim != 1:
        raise LogError(f"column {name!r} should hold one value a row; it holds lists or a table")
    return column


def _unmasked(column: Any) -> Column:
    if isinstance(column, np.ma.MaskedArray):
        values = np.asarray(column.data).astype(object)
        values[np.ma.getmaskarray(column)] = None  # `filled(None)` would fill in a default
        return values
    return np.asarray(column)


def _factorised(column: Column, name: str) -> tuple[NDArray[np.int64], list[str]]:
    """Codes and distinct texts in any order; -1 where the label is missing."""
    column = _unmasked(column)
    if column.dtype.kind in "fiubMm":
        distinct, codes = np.unique(column, return_inverse=True)
        if distinct.dtype.kind in "Mm":
            distinct = np.where(np.isnat(distinct), "", distinct.astype(str))
        texts = [_label(value, name) for value in distinct.tolist()]
        return _merged(codes.astype(np.int64).ravel(), texts)
    seen: dict[Any, int] = {}
    values = column.tolist()
    if bool in (kinds := set(map(type, values))) and len(kinds) > 1:  # True and 1 are one key
        values = [_label(value, name) if isinstance(value, bool) else value for value in values]
    try:
        codes = np.fromiter(
            (seen.setdefault(value, len(seen)) for value in values),
            dtype=np.int64,
            count=column.size,
        )
    except TypeError as error:  # a list or a dict in the cell
        raise LogError(f"column {name!r} should hold labels; it holds {error}") from None
    return _merged(codes, [_label(value, name) for value in seen])


def _merged(codes: NDArray[np.int64], texts: list[str]) -> tuple[NDArray[np.int64], list[str]]:
    """Give values with one text one code, and the missing ones -1."""
    names = list(dict.fromkeys(text for text in texts if text))
    index = {text: position for position, text in enumerate(names)}
    places = np.array([index.get(text, -1) for text in texts], dtype=np.int64)
    return (places[codes] if places.size else codes), names


def _label(value: Any, name: str) -> str:
    """The text of a label; '' when it is missing. 2.0 and 2 are one label, true is 'true'."""
    if isinstance(value, str):  # half of a surrogate pair has no UTF-8 to be printed in
        return value.strip().encode("utf-8", "replace").decode("utf-8")
    try:
        return _plain_label(value, name)
    except (ValueError, ArithmeticError) as error:  # such as a number of thousands of digits
        raise LogError(f"column {name!r} should hold labels; one cannot be read: {error}") from None


def _plain_label(value: Any, name: str) -> str:
    if value is None or value != value:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float | Decimal) and -_EXACT < value < _EXACT and value == int(value):
        return str(int(value))
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace").strip()
    if isinstance(value, list | tuple | dict | set):
        raise LogError(
            f"column {name!r} should hold labels; it holds {type(value).__name__} values"
        )
    return str(value)


def _natural(label: str) -> tuple[int, float, str]:
    """Numbers first and by size, then words."""
    try:
        value = float(label)
    except ValueError:
        return (1, 0.0, label)
    return (0, value, label) if math.isfinite(value) else (1, 0.0, label)


def _declared(declared: tuple[str, ...], found: list[str], name: str) -> tuple[str, ...]:
    if len(set(declared)) != len(declared):
        raise LogError(
            f"the declared arms should differ from each other; got {', '.join(declared)}"
        )
    strange = sorted(set(found) - set(declared))
    if strange:
        shown = ", ".join(repr(label) for label in strange[:5])
        raise LogError(
            f"column {name!r} holds {len(strange)} arm(s) that were not declared: {shown}; "
            "declare them too, or take their rows out of the log"
        )
    return declared


def _each(
    column: Column, name: str, expected: str, read: Callable[[Any], float]
) -> NDArray[np.float64]:
    """Read every value; a value met before is not read again."""
    known: dict[Any, float] = {}
    values = column.tolist()
    if set(map(type, values)) <= _PLAIN:
        with suppress(OverflowError):  # a whole number beyond float64: the slow way names its row
            return np.array(values, dtype=np.float64)  # None becomes NaN
    out = np.empty(len(values), dtype=np.float64)
    for row, value in enumerate(values):
        try:
            number = known.get(value)
            if number is None:
                number = known[value] = read(value)
        except (TypeError, ValueError, OverflowError, ArithmeticError):
            shown = repr(value)[:60]
            hint = '; for 3,14 give decimal="," (--decimal ,)' if _decimal_comma(value) else ""
            raise CellError(
                f"column {name!r} should hold {expected}; row {row + 1} holds {shown}{hint}",
                row=row,
            ) from None
        out[row] = number
    return out


def _decimal_comma(value: Any) -> bool:
    text = value.strip() if isinstance(value, str) else ""
    return text.count(",") == 1 and text.replace(",", "").lstrip("+-").isdigit()


def _number(value: Any, decimal: str) -> float:
    if value is None:
        return math.nan
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if not isinstance(value, str):
        return float(value)
    text = value.strip()
    if text.lower() in MISSING_TEXT:
        return math.nan
    if text.lower() in ("true", "false"):
        return float(text.lower() == "true")
    if "_" in text:  # float() reads 1_000; a file that holds it means something else
        raise ValueError(text)
    return float(text.replace(decimal, ".") if decimal != "." else text)


def _time(value: Any) -> float:
    if value is None or value != value:
        return math.nan
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if isinstance(value, str):
        try:
            return _number(value, ".")
        except ValueError:
            value = datetime.datetime.fromisoformat(value.strip())
    if isinstance(value, datetime.datetime):
        zoned = value if value.tzinfo is not None else value.replace(tzinfo=datetime.UTC)
        return zoned.timestamp()
    if isinstance(value, datetime.date):
        return float((value - datetime.date(1970, 1, 1)).days * 86_400)
    if isinstance(value, datetime.time):
        return value.hour * 3600.0 + value.minute * 60.0 + value.second + value.microsecond / 1e6
    if isinstance(value, datetime.timedelta):
        return value.total_seconds()
    return float(value)
