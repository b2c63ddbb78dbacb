"""Tables tab:deeprl-simex and tab:deeprl-app-criteria: what the rules select for the real robot.

Everything is read from stored tables: identified episodes (robots_fit), simulated scores on the
lattice, true scores. For each of many data sets the Plug-In and the UA rule (mean, 10th percentile,
Borda) select a weight vector with K = 12 simulated runs each, and are paid its true score. `quick`
trains for 4,096 steps on a 2 x 2 lattice (label: short training); `full` waits for the surface that
`experiments/robots/fill.py surface` makes, and until it is there selects among the candidates with
theta_fwd = 1 alone, of which `fill.py surface-row` trains three seeds at every point.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from cells import Cell, findings_of, whole_or_row
from conditional import draw

from audition.identification.settings import IdentificationSettings
from audition.identification.simex import extrapolation
from claims import HERE, Call, Finding, main_of, record
from robots.lattice import PAPER, Lattices, lattice_errors, lattice_of
from robots.plans import surface, truth
from robots.protocol import BOX, fits, picks
from robots.runs import Run
from robots.settings import BUDGETS, NAMES, ROBOTS, Budget, candidates
from robots.supply import FloatArray, scores, stock, supply, thresholds_of
from robots.words import label
from robots_fit.fill import fill, pool
from robots_fit.settings import BUDGETS as POOLS


def main(made: Call) -> None:
    """Place the lattices, read the tables, let the rules select, and say what it was worth."""
    budget = BUDGETS[made.preset]
    episodes = _identified(made)
    placed = _estimates(episodes, budget)
    findings = [f for key, known in placed.items() for f in _axes(made, key, known, budget)]
    own = {key: lattice_of(known, knots=budget.lattice) for key, known in placed.items()}
    lattices = own if made.preset == "quick" else PAPER
    thresholds = thresholds_of(made)
    wishes = {"truth": truth(budget), "surface": surface(budget, lattices=lattices)}
    rows = {name: supply(made, runs) for name, runs in wishes.items()}
    findings += [stock(made, name, rows[name], runs) for name, runs in wishes.items()]
    true, simulated = (scores(known, thresholds) for known in rows.values())
    shown = _selected(made, lattices, episodes, simulated=simulated, true=true)
    for title, cell in shown.items():
        findings += findings_of(label(made.preset, title), cell)
    if shown:
        draw(shown, made.results / f"{made.preset}.png")
    record(made, findings, engine="stored tables", unmeasured="listed")


def _selected(
    made: Call,
    lattices: Lattices,
    episodes: Mapping[str, FloatArray],
    *,
    simulated: Mapping[Run, float],
    true: Mapping[Run, float],
) -> dict[str, Cell]:
    """What the rules select wherever the tables are filled, by the title of the cell."""
    budget = BUDGETS[made.preset]
    shown = {}
    for (robot, logged), lattice in lattices.items():
        found = whole_or_row(robot, lattice, budget, simulated=simulated, true=true)
        if found is None or robot not in episodes:
            continue
        begun = time.monotonic()
        sets = fits(
            episodes[robot],
            logged=logged,
            data_sets=budget.replications,
            members=budget.members,
        )
        title = f"{NAMES[robot]}, T_off = {logged}{_part(found, len(candidates(robot, budget)))}"
        shown[title] = found.with_picks(picks(found.table, sets))
        made.say(f"{title}: {time.monotonic() - begun:.1f} s of selecting")
    return shown


def _part(cell: Cell, whole: int) -> str:
    """Which part of the candidates a cell holds, and from how many seeds; nothing if all."""
    held, seeds = cell.table.simulated.shape[1:]
    return "" if held == whole else f", only the {held} with fwd 1, {seeds} seeds a point"


def _identified(made: Call) -> dict[str, FloatArray]:  # [episode, parameter]
    """The corrected estimates of every identified episode of robots_fit's pools."""
    wanted = POOLS[made.preset].episodes
    folder = HERE / "robots_fit"
    pools = {robot: pool(name) for robot, name in NAMES.items()}
    if made.preset == "quick":
        (folder / "kept").mkdir(exist_ok=True)
        pools = {
            robot: pool(name, folder / "kept" / f"quick-{name.lower()}.npz")
            for robot, name in NAMES.items()
        }
        named = {NAMES[robot]: kept for robot, kept in pools.items()}
        fill(named, episodes=wanted, workers=1, until=float("inf"), say=made.say)
    weights = extrapolation(np.array(IdentificationSettings().simex.multipliers))
    found = {}
    for robot, kept in pools.items():
        curves = kept.data_sets(1, episodes=wanted)[:, 0]  # [episode, omega, parameter]
        if len(curves):
            found[robot] = np.asarray(np.einsum("w,ewp->ep", weights, curves))
    return found


def _estimates(
    episodes: dict[str, FloatArray], budget: Budget
) -> dict[tuple[str, int], FloatArray]:  # [log, parameter]
    """Estimates from disjoint logs of the pool, where it holds enough of them."""
    found = {}
    for robot in ROBOTS:
        for logged in budget.logged:
            known = episodes.get(robot, np.zeros((0, 3)))
            count = min(len(known) // logged, budget.lattice_logs)
            if count < budget.lattice_logs:
                continue
            sets = known[: count * logged].reshape(count, logged, -1).mean(axis=1)
            found[robot, logged] = np.clip(sets, *BOX)
    return found


def _axes(made: Call, key: tuple[str, int], estimates: FloatArray, budget: Budget) -> list[Finding]:
    """Our own lattice beside the paper's; each is the percentiles of a few logs, so wide of it."""
    robot, logged = key
    head = label(made.preset, f"{NAMES[robot]}, T_off = {logged}: lattice")
    numbers = lattice_of(estimates, knots=budget.lattice).numbers
    errors = lattice_errors(estimates, knots=budget.lattice)
    return [
        Finding(f"{head}, {name}", value, float(error), f"({len(estimates)} logs)")
        for (name, value), error in zip(numbers.items(), errors, strict=True)
    ]


if __name__ == "__main__":
    main_of(main, __file__, __doc__)
