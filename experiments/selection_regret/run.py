"""Figure 2: regret against exploration, and what the two rules select from a million logs.

Top: the cumulative pseudo-regret of every candidate at the cell nearest M*. Bottom: the law of the
selected exploration under Plug-In and Uncertainty-Aware, and the mean and variance of the regret.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from picture import draw

import plane
from audition.surface import Surface
from claims import Call, Finding, main_of, record
from plane import FloatArray, IntArray, Measured

OUTSIDE = "share of fits outside the whole bins of the paper's window"


def main(made: Call) -> None:
    """Measure (or read) both surfaces, select, and write down what was found."""
    budget = plane.BUDGETS[made.preset]
    fits = plane.data_sets(budget.data_sets)
    weight = np.bincount(plane.bin_of(fits), minlength=np.prod(plane.BINS)) / len(fits)
    ensembles = plane.all_members(budget.members)
    findings: list[Finding] = []
    columns = {}
    for kind in plane.NAMES:
        measured = plane.surface(kind, made)
        findings += _regrets(kind, measured)
        findings += _selections(kind, measured, ensembles, weight)
        findings += _without_bins(kind, measured, ensembles, fits)
        columns[kind] = _column(measured, ensembles, weight)
        made.say(f"{plane.NAMES[kind]} selected for {len(fits):,} data sets")
    findings.append(Finding(OUTSIDE, 1.0 - float(plane.inside(fits).mean())))
    draw(columns, made.results / f"{made.preset}.png")
    record(made, findings, engine=measured.engine)


def regrets(surface: Surface) -> FloatArray:  # [candidate]
    """The pseudo-regret of every candidate at the cell nearest M*."""
    return -surface.means[plane.nearest_cell(surface)]


def laws(
    surface: Surface, ensembles: FloatArray, weight: FloatArray
) -> dict[str, FloatArray]:  # [candidate]
    """How often each rule selects every candidate."""
    size = len(surface.candidates)
    chosen: dict[str, IntArray] = {
        "Plug-In": plane.plug_in(surface),
        "UA": plane.uncertainty_aware(surface, ensembles),
    }
    return {rule: np.bincount(at, weights=weight, minlength=size) for rule, at in chosen.items()}


def summary(surface: Surface, ensembles: FloatArray, weight: FloatArray) -> FloatArray:
    """Mean, variance and share below the optimum, for Plug-In and then for UA."""
    regret = regrets(surface)
    best = int(regret.argmin())
    found = []
    for law in laws(surface, ensembles, weight).values():
        mean = float(law @ regret)
        below = float(law[:best] @ regret[:best]) / mean
        found += [mean, float(law @ (regret - mean) ** 2), below]
    return np.array(found)


def _regrets(kind: str, measured: Measured) -> list[Finding]:
    regret = regrets(measured.surface)
    error = measured.surface.standard_errors[plane.nearest_cell(measured.surface)]
    best = int(regret.argmin())
    name = plane.NAMES[kind]
    shown = {0.1: 0, 0.3: 2, 0.6: 5}
    found = [
        Finding(f"{name}: regret at theta/sigma^2 = {share}", regret[at], error[at])
        for share, at in shown.items()
    ]
    shares = plane.SHARES[kind]
    return [
        *found,
        Finding(f"{name}: best theta/sigma^2", float(shares[best])),
        Finding(f"{name}: regret of the best candidate", regret[best], error[best]),
        *_second(name, measured),
        Finding(f"{name}: standard error at the best candidate", *_of_error(measured, error[best])),
        Finding(
            f"{name}: standard error at the smallest candidate", *_of_error(measured, error[0])
        ),
    ]


def _second(name: str, measured: Measured) -> list[Finding]:
    """The candidate that might be the best in another run of the same budget."""
    regret, cell = regrets(measured.surface), plane.nearest_cell(measured.surface)
    best, second = (int(at) for at in np.argsort(regret)[:2])
    contrast = np.zeros(regret.size)
    contrast[[best, second]] = 1.0, -1.0
    error = measured.surface.standard_error_of(contrast)[cell]
    own = measured.surface.standard_errors[cell, second]
    at = f"at {measured.surface.candidates[second]};"
    return [
        Finding(
            f"{name}: regret of the second best above it", regret[second] - regret[best], error
        ),
        Finding(f"{name}: standard error at the second best", *_of_error(measured, own), at),
    ]


def _of_error(measured: Measured, error: float) -> tuple[float, float]:
    """A standard error with its own.

    The variance is made by the few replications that settle on the worse arm, each of a regret
    near T Delta; their count is Poisson, and it is that of the error squared.
    """
    surface = measured.surface
    margin = surface.grid.points[plane.nearest_cell(surface), 0]
    settled = (error * surface.replications / (plane.HORIZON * margin)) ** 2
    return float(error), float(error / (2.0 * np.sqrt(max(settled, 1.0))))


def _selections(
    kind: str, measured: Measured, ensembles: FloatArray, weight: FloatArray
) -> list[Finding]:
    def statistic(surface: Surface) -> FloatArray:
        return summary(surface, ensembles, weight)

    values = statistic(measured.surface)
    errors = measured.jackknife(statistic)
    name = plane.NAMES[kind]
    words = [
        f"{name}, {rule}: {what}"
        for rule in ("Plug-In", "UA")
        for what in ("mean regret", "variance of regret", "share of regret below the optimum")
    ]
    return [Finding(w, float(v), float(e)) for w, v, e in zip(words, values, errors, strict=True)]


def _without_bins(
    kind: str, measured: Measured, ensembles: FloatArray, fits: FloatArray
) -> list[Finding]:
    """The same selections worked out for every data set, and how much the bins change them."""
    surface, name, bins = measured.surface, plane.NAMES[kind], plane.bin_of(fits)
    regret = regrets(surface)
    binned = {
        "Plug-In": plane.plug_in(surface),
        "UA": plane.uncertainty_aware(surface, ensembles),
    }
    started = time.monotonic()
    found = []
    for rule, chosen in plane.exact(surface, fits, ensembles.shape[1]).items():
        paid, changed = regret[chosen], chosen != binned[rule][bins]
        found += [
            Finding(f"{name}, {rule}, without bins: mean regret", float(paid.mean())),
            Finding(f"{name}, {rule}, without bins: variance of regret", float(paid.var())),
            Finding(
                f"{name}, {rule}: share of data sets whose selection the bins change",
                float(changed.mean()),
            ),
        ]
    seconds = time.monotonic() - started
    words = f"{name}: seconds to select for {len(fits):,} data sets by both rules, without bins"
    return [*found, Finding(words, round(seconds, 2))]


def _column(
    measured: Measured, ensembles: FloatArray, weight: FloatArray
) -> dict[str, FloatArray | dict[str, FloatArray]]:
    surface = measured.surface
    return {
        "regret": regrets(surface),
        "error": surface.standard_errors[plane.nearest_cell(surface)],
        "laws": laws(surface, ensembles, weight),
    }


if __name__ == "__main__":
    main_of(main, __file__, __doc__)
