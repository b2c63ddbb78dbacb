"""Small pieces of SVG: text stays text, colours are the page's, and every name is escaped."""

from __future__ import annotations

import html
import math
import unicodedata
from collections.abc import Iterable
from typing import Final

from audition.harmless import harmless

WIDE: Final = 0.57  # width of an average letter over the size of its type, generously
NARROW: Final = 480.0  # a picture narrower than this is for a telephone


def escaped(text: object) -> str:
    """Text that can stand anywhere in a page."""
    return html.escape(harmless(text), quote=True)


def line(x1: float, y1: float, x2: float, y2: float, *, css: str) -> str:
    """A straight line."""
    return f'<line class="{css}" x1="{_at(x1)}" y1="{_at(y1)}" x2="{_at(x2)}" y2="{_at(y2)}"/>'


def limb(x1: float, y1: float, x2: float, y2: float, *, css: str, thick: float, ink: float) -> str:
    """A thick line with round ends; ink from 0 to 1 says how dark it is."""
    return (
        f'<line class="{css}" x1="{_at(x1)}" y1="{_at(y1)}" x2="{_at(x2)}" y2="{_at(y2)}" '
        f'stroke-width="{_at(thick)}" stroke-opacity="{ink:.2f}"/>'
    )


def text(x: float, y: float, words: object, *, css: str = "", anchor: str = "start") -> str:
    """Words from a point on their base line."""
    named = f' class="{css}"' if css else ""
    held = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text{named} x="{_at(x)}" y="{_at(y)}"{held}>{escaped(words)}</text>'


def heading(x: float, y: float, name: str, remark: str) -> str:
    """A name in strong type with a lighter remark behind it, wherever the name ends."""
    said = f'<tspan class="tick" dx="6">{escaped(remark)}</tspan>' if remark else ""
    named = f'<tspan class="strong">{escaped(name)}</tspan>'
    return f'<text class="halo" x="{_at(x)}" y="{_at(y)}">{named}{said}</text>'


def circle(x: float, y: float, radius: float, *, css: str) -> str:
    """A round mark."""
    return f'<circle class="{css}" cx="{_at(x)}" cy="{_at(y)}" r="{_at(radius)}"/>'


def diamond(x: float, y: float, radius: float, *, css: str) -> str:
    """A square mark on its tip."""
    corners = ((x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y))
    joined = " ".join(f"{_at(a)},{_at(b)}" for a, b in corners)
    return f'<polygon class="{css}" points="{joined}"/>'


def rect(x: float, y: float, width: float, height: float, *, css: str) -> str:
    """A rectangle."""
    return (
        f'<rect class="{css}" x="{_at(x)}" y="{_at(y)}" width="{_at(max(width, 0.0))}" '
        f'height="{_at(height)}"/>'
    )


def polyline(points: Iterable[tuple[float, float]], *, css: str) -> str:
    """A line through points."""
    joined = " ".join(f"{_at(x)},{_at(y)}" for x, y in points)
    return f'<polyline class="{css}" points="{joined}"/>'


def told(words: object, *parts: str) -> str:
    """Marks that say something when one points at them."""
    return f"<g><title>{escaped(words)}</title>{''.join(parts)}</g>"


def picture(
    parts: Iterable[str], *, size: tuple[float, float], key: str, title: str, description: str
) -> str:
    """A whole picture, with a name and a description for those who do not see it."""
    width, height = math.ceil(size[0]), math.ceil(size[1])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 {width} {height}" '
        f'role="img" aria-labelledby="{key}-title {key}-words">'
        f'<title id="{key}-title">{escaped(title)}</title>'
        f'<desc id="{key}-words">{escaped(description)}</desc>{"".join(parts)}</svg>'
    )


def fitted(words: object, width: float, *, size: float = 12.0) -> str:
    """Words that fit in so many units: the middle gives way to an ellipsis."""
    clean = harmless(words)
    letters = max(int(width / (WIDE * size)), 4)
    if _columns(clean) <= letters:
        return clean
    head, tail = _taken(clean, (letters - 1) * 2 // 3), _taken(clean[::-1], (letters - 1) // 3)
    return f"{head}…{tail[::-1]}"


def length(words: object, *, size: float = 12.0) -> float:
    """About how long words are."""
    return _columns(harmless(words)) * WIDE * size


def _columns(words: str) -> float:
    return sum(1.8 if unicodedata.east_asian_width(char) in "WF" else 1.0 for char in words)


def _taken(words: str, columns: int) -> str:
    taken = ""
    for char in words:
        if _columns(taken + char) > columns:
            break
        taken += char
    return taken


def _at(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
