"""The race on the paper's own M*: its surfaces, its bins, its million data sets.

Within a bin the fit is taken at the centre, as the paper does, and how often each arm was logged is
drawn for each member. The empirical bootstrap needs the rows themselves, so it selects from logs of
its own, fewer of them, without bins and with as many members as the race over truths has; the error
of its means is that of the logs alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, final

import numpy as np
import settings
from numpy.typing import NDArray
from strategies import PLUG_IN, RULES, draw_log, empirical

import plane
from audition.seeds import stream
from claims import Call, Finding
from cores import cores, spread

FloatArray = NDArray[np.float64]
ENSEMBLES: Final = ("parametric", "posterior", "perturbed")
STRATEGIES: Final = tuple(f"{ensemble}, {rule}" for ensemble in ENSEMBLES for rule in RULES)
PIECES: Final = 64  # of the bins, so that no process waits long for the last


@final
@dataclass(frozen=True, slots=True)
class Piece:
    """Some bins of one learner's surface, or some logs."""

    made: Call
    kind: str
    numbers: tuple[int, ...]


def race(made: Call) -> list[Finding]:
    """Mean, variance and tail of the deployment regret of every strategy."""
    budget = plane.BUDGETS[made.preset]
    fits = plane.data_sets(budget.data_sets)
    weight = np.bincount(plane.bin_of(fits), minlength=int(np.prod(plane.BINS))) / len(fits)
    found = []
    for kind, name in plane.NAMES.items():
        surface = plane.surface(kind, made).surface
        regret = -surface.means[plane.nearest_cell(surface)]
        chosen = {PLUG_IN: plane.plug_in(surface), **_selections(kind, weight, made)}
        for strategy, picks in chosen.items():
            found += _told(f"M*, {name}, {strategy}", regret[picks], weight)
        for rule, picks in _from_rows(kind, made).items():
            paid, words = regret[picks], f"M*, {name}, empirical, {rule}"
            error = float(paid.std(ddof=1) / np.sqrt(paid.size))
            found += _told(words, paid, np.full(paid.size, 1.0 / paid.size), error=error)
        found.append(Finding(f"M*, {name}, oracle: regret", float(regret.min())))
        made.say(f"the paper's M*: {name}")
    return found


def _selections(kind: str, weight: FloatArray, made: Call) -> dict[str, NDArray[np.int64]]:  # [bin]
    """The candidate of every strategy in every bin that holds a data set."""
    held = np.flatnonzero(weight)
    chosen = {name: np.zeros(weight.size, dtype=np.int64) for name in STRATEGIES}
    for name, row in zip(STRATEGIES, _spread(choices_of, kind, held, made), strict=True):
        chosen[name][held] = row
    return chosen


def _from_rows(kind: str, made: Call) -> dict[str, NDArray[np.int64]]:  # [log]
    """The candidate of every rule on the empirical bootstrap of every log."""
    numbers = np.arange(settings.BUDGETS[made.preset].row_logs)
    return dict(zip(RULES, _spread(choices_from_rows, kind, numbers, made), strict=True))


def _spread(
    work: Callable[[Piece], NDArray[np.int64]], kind: str, numbers: NDArray[np.int64], made: Call
) -> NDArray[np.int64]:  # [strategy, number]
    """What some work chooses, on all cores, for every number."""
    parts = np.array_split(np.arange(numbers.size), min(PIECES, numbers.size))
    pieces = [Piece(made, kind, tuple(numbers[part].tolist())) for part in parts]
    processes = 1 if made.preset == "quick" else cores()
    return np.concatenate(list(spread(work, pieces, processes=processes)), axis=1)


def choices_from_rows(piece: Piece) -> NDArray[np.int64]:  # [rule, log]
    """What every rule chooses from the empirical bootstrap of some logs of M*."""
    surface = plane.surface(piece.kind, piece.made).surface
    size = settings.BUDGETS[piece.made.preset].members
    picks = np.zeros((len(RULES), len(piece.numbers)), dtype=np.int64)
    for place, number in enumerate(piece.numbers):
        rng = stream(settings.SEED, "race/rows", number)
        log = draw_log(plane.MARGIN, plane.SIGMA, plane.LOGGED, rng)
        points = plane.positive(np.column_stack(empirical(log, size, rng)))
        values = surface.at(points).T  # [candidate, member]
        picks[:, place] = [int(rule.worth(values).argmax()) for rule in RULES.values()]
    return picks


def choices_of(piece: Piece) -> NDArray[np.int64]:  # [strategy, bin]
    """What every strategy chooses in some bins."""
    surface = plane.surface(piece.kind, piece.made).surface
    size = plane.BUDGETS[piece.made.preset].members
    centers = plane.centers()
    picks = np.zeros((len(STRATEGIES), len(piece.numbers)), dtype=np.int64)
    for place, number in enumerate(piece.numbers):
        row = 0
        for ensemble in ENSEMBLES:
            points = _members(ensemble, centers[number], number, size)
            values = surface.at(points).T  # [candidate, member]
            for rule in RULES.values():
                picks[row, place] = int(rule.worth(values).argmax())
                row += 1
    return picks


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


def _told(
    words: str, regret: FloatArray, weight: FloatArray, *, error: float | None = None
) -> list[Finding]:
    """Mean, variance and tails of what a strategy pays; an error where the logs were drawn."""
    mean = float(weight @ regret)
    order = np.argsort(regret)
    held = np.cumsum(weight[order])
    tails = {
        level: float(regret[order][min(np.searchsorted(held, level), order.size - 1)])
        for level in (0.95, 0.99)
    }
    return [
        Finding(f"{words}: mean regret", mean, error),
        Finding(f"{words}: variance of regret", float(weight @ (regret - mean) ** 2)),
        *(Finding(f"{words}: {level:.0%} quantile of regret", t) for level, t in tails.items()),
    ]
