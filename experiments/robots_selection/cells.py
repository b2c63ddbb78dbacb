"""A robot and a T_off: what every rule selected there, and what that paid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import final

import numpy as np

from claims import Finding
from robots.lattice import Lattice
from robots.plans import ROW_LATTICE_SEEDS, row
from robots.protocol import (
    BORDA,
    PLUG_IN,
    TENTH,
    UA,
    FloatArray,
    IntArray,
    Table,
    moves,
    paired_t,
    shortfall_above,
)
from robots.runs import TRUE_POINT, Run
from robots.settings import Budget, Theta, candidates

RIVALS = (UA, TENTH, BORDA)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """Stored tables and the selections made from them."""

    thetas: tuple[Theta, ...]
    table: Table
    picks: dict[str, IntArray] = field(default_factory=dict)  # by rule [data set]

    @property
    def ratios(self) -> FloatArray:  # [candidate]
        """theta_fwd / theta_ctrl: how hard the trained robot runs."""
        return np.array([forward / control for _, forward, control in self.thetas])

    @property
    def best(self) -> int:
        """The optimum's number."""
        return int(self.table.truth.argmax())

    def paid(self, rule: str) -> FloatArray:  # [data set]
        """The true score of what a rule selected."""
        return self.table.truth[self.picks[rule]]

    def with_picks(self, picks: dict[str, IntArray]) -> Cell:
        """The same cell with these selections."""
        return replace(self, picks=picks)


def whole_or_row(
    robot: str,
    lattice: Lattice,
    budget: Budget,
    *,
    simulated: Mapping[Run, float],
    true: Mapping[Run, float],
) -> Cell | None:
    """The tables of all candidates; while these are not filled, those of the row theta_fwd = 1."""
    few = min(ROW_LATTICE_SEEDS, budget.lattice_seeds)
    for thetas, seeds in (
        (candidates(robot, budget), budget.lattice_seeds),
        (row(robot, budget), few),
    ):
        found = cell_of(robot, lattice, thetas, simulated=simulated, true=true, seeds=seeds)
        if found is not None:
            return found
    return None


def cell_of(
    robot: str,
    lattice: Lattice,
    thetas: Sequence[Theta],
    *,
    simulated: Mapping[Run, float],
    true: Mapping[Run, float],
    seeds: int,
) -> Cell | None:
    """The tables of some candidates, or None while runs of them are missing.

    A run that diverged counts: it has walked nowhere and scores 0.
    """
    by_place: dict[tuple[object, ...], list[float]] = {}
    for run, score in (*simulated.items(), *true.items()):
        if run.robot == robot:
            earned = score if np.isfinite(score) else 0.0
            by_place.setdefault((run.point, run.theta), []).append(earned)
    truth = [by_place.get((TRUE_POINT, theta), []) for theta in thetas]
    stored = [[by_place.get((point, theta), []) for theta in thetas] for point in lattice.points]
    fewest = min(len(known) for row in stored for known in row)
    if not all(truth) or fewest < seeds:
        return None
    table = np.array([[known[:fewest] for known in row] for row in stored])
    paid = np.array([np.mean(known) for known in truth])
    return Cell(tuple(thetas), Table(lattice, table, paid))


def findings_of(head: str, cell: Cell) -> list[Finding]:
    """The cell's numbers, named as in the paper's tables."""
    plug, ua = cell.paid(PLUG_IN), cell.paid(UA)
    found = [_mean(f"{head}: {rule} score", cell.paid(rule)) for rule in (PLUG_IN, *RIVALS)]
    found += [
        Finding(f"{head}: q10 of the Plug-In's score", float(np.quantile(plug, 0.1))),
        Finding(f"{head}: q10 of UA's score", float(np.quantile(ua, 0.1))),
    ]
    found += [
        Finding(f"{head}: t, {rule} against Plug-In", paired_t(cell.paid(rule), plug), 1.0)
        for rule in RIVALS
    ]
    found += [
        _mean(f"{head}: share at the optimum, {rule}", (cell.picks[rule] == cell.best) * 1.0)
        for rule in (PLUG_IN, UA)
    ]
    smaller, larger = moves(cell.ratios, cell.best, cell.picks[PLUG_IN], cell.picks[UA])
    above = shortfall_above(cell.ratios, cell.table.truth, cell.best, cell.picks[PLUG_IN])
    words = {
        "UA asks for less after a Plug-In that runs too hard": smaller,
        "UA asks for more after a Plug-In that runs too softly": larger,
        "part of the Plug-In's shortfall that runs too hard": above,
    }
    return found + [Finding(f"{head}: {w}", v) for w, v in words.items() if np.isfinite(v)]


def _mean(words: str, values: FloatArray) -> Finding:
    return Finding(words, float(values.mean()), float(values.std(ddof=1) / np.sqrt(values.size)))
