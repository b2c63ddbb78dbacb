"""Numbers as people read them: as many digits as their error allows, and no more."""

import math
from typing import Final

MINUS: Final = "\N{MINUS SIGN}"
LARGEST: Final = 1e9  # beyond, and below the smallest, a power of ten reads better than zeros
SMALLEST: Final = 1e-4
MOST_DECIMALS: Final = 6


def amount(value: float, *, digits: int = 4) -> str:
    """A number with so many digits that count: 0.08123, 81.23, 12,346."""
    if not math.isfinite(value):
        return "–"
    if value == 0.0:
        return "0"
    if not SMALLEST <= abs(value) < LARGEST:
        return f"{value:.{digits - 1}e}".replace("-", MINUS)
    decimals = max(digits - 1 - math.floor(math.log10(abs(value))), 0)
    return _fixed(float(f"{value:.{digits}g}") if abs(value) < 10**digits else value, decimals)


def with_error(value: float, error: float, *, decimals: int | None = None) -> str:
    """A number and its standard error, rounded where the error stops it being known.

    A column of a table gives all its numbers the same decimals.
    """
    if not math.isfinite(value):
        return "–"
    decimals = decimals_of(error) if decimals is None else decimals
    if decimals is None:
        return amount(value)
    if decimals > MOST_DECIMALS or not max(abs(value), error) < LARGEST:
        return _with_power(value, error)
    return f"{_fixed(value, decimals)} ± {_fixed(error, decimals)}"


def decimals_of(error: float) -> int | None:
    """Decimals that show one digit of an error, or two where the first of them is a 1 or a 2."""
    if not (math.isfinite(error) and error > 0.0):
        return None
    power = math.floor(math.log10(error))
    leading = int(f"{error:.1e}"[0])
    return max((1 if leading < 3 else 0) - power, 0)


def percent(share: float) -> str:
    """A share of a whole; what is neither nothing nor everything is never written as either."""
    if not math.isfinite(share):
        return "–"
    if 0.0 < share < 0.005:
        return "<1%"
    return ">99%" if 0.995 <= share < 1.0 else f"{share:.0%}"


def _with_power(value: float, error: float) -> str:
    """(2.53 ± 0.12)e11, or the number alone where its error is out of sight."""
    size = max(abs(value), error)
    if not size > 0.0:
        return amount(value)
    power = math.floor(math.log10(size))
    decimals = decimals_of(error / 10.0**power)
    if decimals is None or decimals > MOST_DECIMALS:
        return amount(value)
    both = (_fixed(part / 10.0**power, decimals) for part in (value, error))
    return f"({' ± '.join(both)})e{power}".replace("e-", f"e{MINUS}")


def _fixed(value: float, decimals: int) -> str:
    text = f"{value:,.{decimals}f}"
    if float(text.replace(",", "")) == 0.0:
        text = text.lstrip("-")
    return text.replace("-", MINUS)
