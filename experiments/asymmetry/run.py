"""Figures asym-ucb and asym-ts: too little exploration costs more than too much, in 16 bandits.

For every environment: regret over forty levels of exploration, the best of them c*, and what half
of c* and twice c* cost above it.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from curves import ALL, Curve, measured, ratio, ratio_clipped
from picture import draw

from claims import Call, Finding, main_of, record
from plane import NAMES


def main(made: Call) -> None:
    """Measure the sixteen curves of both learners and say how steep they are."""
    findings: list[Finding] = []
    all_curves: list[Curve] = []
    for kind, name in NAMES.items():
        curves, engine = measured(kind, made)
        all_curves += curves
        if kind == "ucb":
            findings += _known(curves)
        findings += _ratios(name, curves)
        findings += _regret_at_best(f"{name}: ", curves)
        draw(name, curves, made.results / f"{made.preset}-{kind}.png")
    findings += _regret_at_best("", all_curves)[:2]
    table = [_environment(curve) for curve in all_curves]
    record(made, findings, engine=engine, more={"environments": table})


def _known(curves: list[Curve]) -> list[Finding]:
    """UCB at (1, 3), which the paper prints."""
    (curve,) = (curve for curve in curves if (curve.margin, curve.sd) == (1.0, 3.0))
    places = {level: int(np.argmin(np.abs(ALL - level))) for level in (0.1, 0.3, 0.6)}
    return [
        Finding(f"UCB at (1, 3): regret at c = {level}", curve.regret[at], curve.errors[at])
        for level, at in places.items()
    ]


def _ratios(name: str, curves: list[Curve]) -> list[Finding]:
    """Median and range of e(c*/2) / e(2c*) over the environments."""
    found = []
    for words, of in (
        ("", ratio),
        (", ends of the grid in place of what leaves it", ratio_clipped),
    ):
        values = np.array([of(curve.regret) for curve in curves])
        errors = np.array([curve.spread(of) for curve in curves])
        middle = np.argsort(values)[7:9]
        median_error = float(np.hypot(*errors[middle])) / 2.0
        at = {"lowest": int(values.argmin()), "highest": int(values.argmax())}
        found.append(Finding(f"{name}: median ratio{words}", np.median(values), median_error))
        for word, place in at.items():
            where = f"at margin {curves[place].margin:g}, sigma {curves[place].sd:g};"
            found.append(
                Finding(f"{name}: {word} ratio{words}", values[place], errors[place], where)
            )
        above = int((values > 1.0).sum())
        found.append(Finding(f"{name}: environments with a ratio above one{words}", above))
    return found


def _regret_at_best(name: str, curves: list[Curve]) -> list[Finding]:
    """The readings of 'the regret at c* ranges from 0.4 to 1100' that we tried."""
    least = np.array([curve.regret[curve.best] for curve in curves])
    margins = np.array([curve.margin for curve in curves])
    sds = np.array([curve.sd for curve in curves])
    readings = {
        "regret at c*": least,
        "pulls of the worse arm at c* (regret over margin)": least / margins,
        "pulls of the worse arm at c* beyond its first": least / margins - 1.0,
        "regret at c* over sigma": least / sds,
        "regret at c*, in percent of T margin": 100.0 * least / (5000 * margins),
    }
    return [
        Finding(f"{name}{word} {reading}", float(pick(values)))
        for reading, values in readings.items()
        for word, pick in (("lowest", np.min), ("highest", np.max))
    ]


def _environment(curve: Curve) -> dict[str, float]:
    return {
        "margin": curve.margin,
        "sigma": curve.sd,
        "best level": float(ALL[curve.best]),
        "regret there": round(float(curve.regret[curve.best]), 3),
        "ratio": round(ratio(curve.regret), 3),
    }


if __name__ == "__main__":
    main_of(main, __file__, __doc__)
