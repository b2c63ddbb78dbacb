"""Why averaging moved the choice: the direction of uncertainty along which the scores bend.

Told only where the expansion of prop:regularized1 accounts for most of what averaging did, for an
expansion that does not is no explanation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from audition.amounts import amount
from audition.charts.meaning import meaning
from audition.diagnostics import Curvature, Direction, curvature_of_study
from audition.errors import ScoreError
from audition.study import PLUG_IN, UNCERTAINTY_AWARE

if TYPE_CHECKING:
    from audition.result import Result

ENOUGH: Final = 0.5  # the expansion may miss this share of the measured change, and no more
NAMED: Final = 3  # parameters of a direction that are named, those that move most
SLIGHT: Final = 0.1  # a parameter that moves less than this share of the largest move is not named


def bends(result: Result) -> tuple[str, ...]:
    """One sentence, or none."""
    plug_in, aware = result.selection.choices[PLUG_IN], result.choice
    if plug_in == aware:
        return ()
    tables = result.scores[result.objective]
    try:
        found = curvature_of_study(
            result.prepared.ensembles[PLUG_IN],
            tables[PLUG_IN],
            result.prepared.ensembles[UNCERTAINTY_AWARE],
            tables[UNCERTAINTY_AWARE],
            family=result.prepared.family,
        )
    except ScoreError:  # too few members for so many parameters: nothing can be said
        return ()
    if not {plug_in, aware} <= set(found.candidates):
        return ()
    return _told(found, aware, plug_in, quantity=meaning(result).quantity)


def _told(found: Curvature, aware: str, plug_in: str, *, quantity: str) -> tuple[str, ...]:
    first, second = found.candidates.index(aware), found.candidates.index(plug_in)
    actual = float(found.actual[first] - found.actual[second])
    bent = float(found.predicted[first] - found.predicted[second])
    told = bent + float(found.drift[first] - found.drift[second])
    directions = found.directions(aware, plug_in)
    if actual <= 0.0 or abs(told - actual) > ENOUGH * actual or bent < ENOUGH * actual:
        return ()
    return (
        f"Averaging over the simulators favours {aware} over {plug_in} by {amount(actual)} in "
        f"expected {quantity}, of which the curvature of the scores explains {amount(bent)}; the "
        f"largest part ({amount(directions[0].contribution)}) lies along one direction of "
        f"uncertainty: {_moves(directions[0])}.",
    )


def _moves(direction: Direction) -> str:
    """What changes along a direction, over one standard deviation."""
    ranked = sorted(direction.move.items(), key=lambda pair: -abs(pair[1]))[:NAMED]
    named = [(name, step) for name, step in ranked if abs(step) >= SLIGHT * abs(ranked[0][1])]
    upwards = 1.0 if named[0][1] > 0.0 else -1.0
    parts = [f"{name} by {upwards * step:+.3g}" for name, step in named]
    return f"one standard deviation changes {', '.join(parts)}"
