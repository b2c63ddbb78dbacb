"""The race on the paper's own M*: its surfaces, its bins, its million data sets.

Within a bin the fit is taken at the centre, as the paper does, and how often each arm was logged is
drawn for each member. The empirical bootstrap needs the rows themselves and does not race here.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from strategies import PLUG_IN, RULES

import plane
from audition.seeds import stream
from audition.surface import Surface
from claims import Call, Finding

FloatArray = NDArray[np.float64]
ENSEMBLES = ("parametric", "posterior", "perturbed")


def race(made: Call) -> list[Finding]:
    """Mean, variance and tail of the deployment regret of every strategy."""
    budget = plane.BUDGETS[made.preset]
    fits = plane.data_sets(budget.data_sets)
    weight = np.bincount(plane.bin_of(fits), minlength=int(np.prod(plane.BINS))) / len(fits)
    found = []
    for kind, name in plane.NAMES.items():
        surface = plane.surface(kind, made).surface
        regret = -surface.means[plane.nearest_cell(surface)]
        chosen = {PLUG_IN: plane.plug_in(surface), **_selections(surface, weight, budget.members)}
        for strategy, picks in chosen.items():
            found += _told(f"M*, {name}, {strategy}", regret[picks], weight)
        found.append(Finding(f"M*, {name}, oracle: regret", float(regret.min())))
        made.say(f"the paper's M*: {name}")
    return found


def _selections(
    surface: Surface, weight: FloatArray, size: int
) -> dict[str, NDArray[np.int64]]:  # [bin]
    chosen = {f"{e}, {r}": np.zeros(weight.size, dtype=np.int64) for e in ENSEMBLES for r in RULES}
    for number, center in enumerate(plane.centers()):
        if weight[number] == 0.0:
            continue
        for ensemble in ENSEMBLES:
            points = _members(ensemble, center, number, size)
            values = surface.at(points).T  # [candidate, member]
            for word, rule in RULES.items():
                chosen[f"{ensemble}, {word}"][number] = int(rule.worth(values).argmax())
    return chosen


def _members(ensemble: str, center: FloatArray, number: int, size: int) -> FloatArray:
    if ensemble == "parametric":
        return plane.members(center, number, size)
    rng = stream(0, f"race/{ensemble}", number)
    first = np.clip(rng.binomial(plane.LOGGED, 0.5, size), 1, plane.LOGGED - 1)
    error = np.sqrt(1.0 / first + 1.0 / (plane.LOGGED - first))
    freedom = plane.LOGGED - 2
    spread = np.sqrt(freedom / rng.chisquare(freedom, size)) if ensemble == "posterior" else 1.0
    sds = center[1] * spread * np.ones(size)
    margins = center[0] + sds * error * rng.standard_normal(size)
    return plane.positive(np.column_stack([margins, sds]))


def _told(words: str, regret: FloatArray, weight: FloatArray) -> list[Finding]:
    mean = float(weight @ regret)
    order = np.argsort(regret)
    held = np.cumsum(weight[order])
    tail = float(regret[order][np.searchsorted(held, 0.95)])
    return [
        Finding(f"{words}: mean regret", mean),
        Finding(f"{words}: variance of regret", float(weight @ (regret - mean) ** 2)),
        Finding(f"{words}: 95% quantile of regret", tail),
    ]
