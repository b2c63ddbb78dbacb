"""The race over two-armed truths: every strategy selects on the same logs, and is then deployed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final, final

import numpy as np
import settings
from numpy.typing import NDArray
from strategies import ENSEMBLES, NAMES, RULES, TwoArmLog, draw_log
from unit_bandits import UnitRegret, unit_regret

from audition.seeds import stream
from claims import Call
from cores import cores, spread
from plane import NAMES as LEARNERS

FloatArray = NDArray[np.float64]
TRUTHS: Final = [(margin, sd) for margin in settings.MARGINS for sd in settings.SIGMAS]


@final
@dataclass(frozen=True, slots=True)
class Piece:
    """One truth and one size of the log."""

    made: Call
    truth: int
    place: int


def race(made: Call) -> tuple[FloatArray, str]:
    """Excess regret over the oracle [strategy, learner, horizon, truth, T_off, data set]."""
    tables = tables_of(made)
    pieces = [Piece(made, t, p) for t in range(len(TRUTHS)) for p in range(len(settings.LOGGED))]
    processes = 1 if made.preset == "quick" else cores()
    found = []
    for piece, excess in zip(pieces, spread(excess_of, pieces, processes=processes), strict=True):
        found.append(excess)
        if piece.place + 1 == len(settings.LOGGED):
            made.say(f"two arms: truth {piece.truth + 1} of {len(TRUTHS)}")
    whole = np.stack(found, axis=3)  # [strategy, learner, horizon, piece, data set]
    shape = (*whole.shape[:3], len(TRUTHS), len(settings.LOGGED), whole.shape[-1])
    return whole.reshape(shape), tables[0][0].engine


def excess_of(piece: Piece) -> FloatArray:
    """The excess of every strategy on the data sets of one piece.

    [strategy, learner, horizon, data set]
    """
    budget, tables = settings.BUDGETS[piece.made.preset], tables_of(piece.made)
    margin, sd = TRUTHS[piece.truth]
    rows = settings.LOGGED[piece.place]
    costs = _deployed(tables, margin, sd)
    excess = np.zeros((len(NAMES), len(tables), len(tables[0]), budget.data_sets))
    for number in range(budget.data_sets):
        rng = stream(settings.SEED, "race/two", piece.truth, rows, number)
        log = draw_log(margin, sd, rows, rng)
        chosen = _select(log, tables, budget.members, rng)
        for (kind, h), cost in costs.items():
            excess[:, kind, h, number] = cost[chosen[kind][h]] / cost.min() - 1.0
    return excess


@cache
def tables_of(made: Call) -> list[list[UnitRegret]]:
    """The tables of unit bandits [learner] [horizon]."""
    budget = settings.BUDGETS[made.preset]
    horizons = [h for h in settings.HORIZONS if h in budget.unit_replications]
    return [[unit_regret(kind, h, made) for h in horizons] for kind in LEARNERS]


def _deployed(
    tables: list[list[UnitRegret]], margin: float, sd: float
) -> dict[tuple[int, int], FloatArray]:
    """The regret of every candidate in the truth, by learner and horizon."""
    return {
        (kind, h): table.of(np.array([margin]), np.array([sd]), thetas)[:, 0]
        for kind, thetas in enumerate(settings.THETAS.values())
        for h, table in enumerate(tables[kind])
    }


def _select(
    log: TwoArmLog, tables: list[list[UnitRegret]], size: int, rng: np.random.Generator
) -> list[list[NDArray[np.int64]]]:  # [learner] [horizon] [strategy]
    """The candidate that every strategy selects from one log."""
    margin, sd = log.fit
    members = [make(log, size, rng) for make in ENSEMBLES.values()]
    chosen = []
    for kind, thetas in enumerate(settings.THETAS.values()):
        by_horizon = []
        for table in tables[kind]:
            plug = table.of(np.array([margin]), np.array([sd]), thetas)[:, 0].argmin()
            picks = [int(plug)]
            for margins, sds in members:
                values = -table.of(margins, sds, thetas)
                picks += [int(rule.worth(values).argmax()) for rule in RULES.values()]
            by_horizon.append(np.array(picks))
        chosen.append(by_horizon)
    return chosen
