"""The race over two-armed truths: every strategy selects on the same logs, and is then deployed."""

from __future__ import annotations

import numpy as np
import settings
from numpy.typing import NDArray
from strategies import ENSEMBLES, NAMES, RULES, TwoArmLog, draw_log
from unit_bandits import UnitRegret, unit_regret

from audition.seeds import stream
from claims import Call
from plane import NAMES as LEARNERS

FloatArray = NDArray[np.float64]


def race(made: Call) -> tuple[FloatArray, FloatArray, str]:
    """Excess regret over the oracle and the regret itself, and the engine.

    Both [strategy, learner, horizon, truth, T_off, data set].
    """
    budget = settings.BUDGETS[made.preset]
    horizons = [h for h in settings.HORIZONS if h in budget.unit_replications]
    tables = [[unit_regret(kind, h, made) for h in horizons] for kind in LEARNERS]
    truths = [(margin, sd) for margin in settings.MARGINS for sd in settings.SIGMAS]
    sizes = (len(truths), len(settings.LOGGED), budget.data_sets)
    excess = np.zeros((len(NAMES), len(tables), len(horizons), *sizes))
    regrets = np.zeros_like(excess)
    for t, (margin, sd) in enumerate(truths):
        costs = _deployed(tables, margin, sd)
        for place, rows in enumerate(settings.LOGGED):
            for number in range(budget.data_sets):
                rng = stream(settings.SEED, "race/two", t, rows, number)
                log = draw_log(margin, sd, rows, rng)
                chosen = _select(log, tables, budget.members, rng)
                for (kind, h), cost in costs.items():
                    paid = cost[chosen[kind][h]]  # [strategy]
                    regrets[:, kind, h, t, place, number] = paid
                    excess[:, kind, h, t, place, number] = paid / cost.min() - 1.0
        made.say(f"two arms: truth {t + 1} of {len(truths)}")
    return excess, regrets, tables[0][0].engine


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
