"""Where the members disagree: in what share of them each candidate does best."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from audition.amounts import percent
from audition.charts import svg
from audition.study import PLUG_IN, UNCERTAINTY_AWARE

if TYPE_CHECKING:
    from audition.result import Result

MOST: Final = 10  # bars
ROW: Final = 22.0


def shares_picture(result: Result, *, width: float, key: str) -> str:
    """A bar for each of the candidates that win most members, both choices among them."""
    shares = result.explanation.best_in
    names = _told_of(result)
    rest = [name for name in shares if name not in names and shares[name] > 0.0]
    bars = [(name, shares[name], _css(result, name)) for name in names]
    others = f"{len(rest)} other{'s' if len(rest) > 1 else ''}"
    together = percent(sum(shares[name] for name in rest))
    start = 150.0 if width < svg.NARROW else 240.0
    longest = max(share for _, share, _ in bars) or 1.0
    room = width - start - 60.0
    parts = []
    for number, (name, share, css) in enumerate(bars):
        y = number * ROW
        bar = svg.rect(start, y + 4, room * share / longest, ROW - 8, css=f"bar {css}")
        end = start + room * share / longest + 6
        strong = " strong" if css in ("aware", "plug-in") else ""
        parts.append(
            svg.told(
                f"{name}: best in {percent(share)}",
                svg.text(0, y + 15, svg.fitted(name, start - 10), css=f"label{strong}"),
                bar,
                svg.text(end, y + 15, percent(share), css="label"),
            )
        )
    if rest:
        words = f"{others}, {together} together"
        parts.append(svg.text(0, len(bars) * ROW + 15, words, css="tick"))
    size = result.prepared.ensembles[UNCERTAINTY_AWARE].size
    return svg.picture(
        parts,
        size=(width, (len(bars) + bool(rest)) * ROW + 4),
        key=key,
        title=f"Share of the {size} simulators that each candidate does best in",
        description="; ".join(f"{name} {percent(share)}" for name, share, _ in bars)
        + (f"; {others} {together}." if rest else "."),
    )


def _told_of(result: Result) -> list[str]:
    shares = result.explanation.best_in
    choices = {result.selection.choices[rule] for rule in (UNCERTAINTY_AWARE, PLUG_IN)}
    order = sorted(shares, key=lambda name: -shares[name])
    winners = [name for name in order if shares[name] > 0.0][:MOST]
    return [*winners, *(name for name in order if name in choices and name not in winners)]


def _css(result: Result, name: str) -> str:
    choices = result.selection.choices
    if name == choices[UNCERTAINTY_AWARE]:
        return "aware"
    return "plug-in" if name == choices[PLUG_IN] else "rest"
