"""Figure 3 and its Thompson Sampling twin: where Uncertainty-Aware explores more than Plug-In.

Over the bins of fits, the exploration that each rule selects and their difference, under the law of
the fits that a million logs of M* give (contours at 50, 90 and 99 % of its mass).
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from picture import draw

import plane
from audition.surface import Surface
from claims import Call, Finding, main_of, record
from plane import FloatArray, Measured

MASSES = (0.50, 0.90, 0.99)


def main(made: Call) -> None:
    """Select in every bin, and count by the law of the fits."""
    budget = plane.BUDGETS[made.preset]
    fits = plane.data_sets(budget.data_sets)
    weight, density = (_weights(part) for part in (fits, fits[plane.inside(fits)]))
    held = 1e6 * float(plane.inside(fits).mean())
    ensembles = plane.all_members(budget.members)
    findings = [
        Finding(f"data sets in a bin at the {mass:.0%} contour, of a million", level * held)
        for mass, level in zip(MASSES, levels(density), strict=True)
    ]
    findings.append(_clipped(ensembles, weight))
    for kind in plane.NAMES:
        measured = plane.surface(kind, made)
        findings += _shares(kind, measured, ensembles, weight)
        maps = [plane.SHARES[kind][at] for at in selections(measured.surface, ensembles)]
        draw(kind, maps, density, levels(density), made)
        made.say(f"{plane.NAMES[kind]}: both rules in {weight.size} bins")
    record(made, findings, engine=measured.engine)


def _weights(fits: FloatArray) -> FloatArray:  # [bin]
    """The share of these fits in every bin."""
    counts = np.bincount(plane.bin_of(fits), minlength=int(np.prod(plane.BINS)))
    return np.asarray(counts / len(fits))


def levels(weight: FloatArray) -> list[float]:
    """The weight of a bin on each contour: bins above it hold that mass."""
    falling = np.sort(weight)[::-1]
    held = np.cumsum(falling)
    return [float(falling[np.searchsorted(held, mass)]) for mass in MASSES]


def selections(surface: Surface, ensembles: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The candidate of Plug-In and of UA in every bin."""
    return plane.plug_in(surface), plane.uncertainty_aware(surface, ensembles)


def _shares(
    kind: str, measured: Measured, ensembles: FloatArray, weight: FloatArray
) -> list[Finding]:
    def statistic(surface: Surface) -> FloatArray:
        plug, aware = selections(surface, ensembles)
        inside = weight >= levels(weight)[-1]
        return np.array(
            [
                weight @ (aware > plug),
                weight @ (aware == plug),
                weight @ (aware < plug),
                weight @ (aware - plug) * 0.1,
                np.mean((aware >= plug)[inside]),
            ]
        )

    words = (
        "share of data sets for which UA explores more",
        "share for which both select alike",
        "share for which UA explores less",
        "mean of UA's theta/sigma^2 less Plug-In's",
        "share of the bins inside the 99% contour where UA explores at least as much",
    )
    values, errors = statistic(measured.surface), measured.jackknife(statistic)
    name = plane.NAMES[kind]
    return [
        Finding(f"{name}: {w}", float(v), float(e))
        for w, v, e in zip(words, values, errors, strict=True)
    ]


def _clipped(ensembles: FloatArray, weight: FloatArray) -> Finding:
    """The mass of the bins of which more than 5 % of the members lie outside the surface's grid."""
    flat = ensembles.reshape(-1, 2)
    low = np.array([knots[0] for knots in plane.GRID.values])
    high = np.array([knots[-1] for knots in plane.GRID.values])
    beyond = (flat[:, 0] > high[0]) | (flat[:, 1] < low[1]) | (flat[:, 1] > high[1])
    shares = beyond.reshape(ensembles.shape[:2]).mean(axis=1)
    return Finding(
        "mass of the bins where over 5% of the members are clipped at the far edges",
        float(weight[shares > 0.05].sum()),
        remark="a margin under 0.075 is clipped too; the paper's remark is about the upper corner",
    )


if __name__ == "__main__":
    main_of(main, __file__, __doc__)
