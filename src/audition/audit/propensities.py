"""Whether the arms were chosen as often as the logged propensities say.

A log holds the probability of the arm that was chosen. With two arms this is the whole policy, and
the indicator of an arm less its probability sums to a martingale, also when the policy learns.
With more arms the inverse propensities of an arm's rows sum to the number of rows in which it
could be chosen (Horvitz and Thompson 1952). Sums are over units, so that an arm given to a whole
cluster counts once. One normal test an arm, at LEVEL for all arms together.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from audition.audit.card import NOTE, REFUSE, WARN, Finding
from audition.audit.subject import LEVEL, FloatArray, Subject, clear

ENOUGH: Final = 25  # rows expected and left over, for the normal limit
UNITS: Final = 30
MATERIAL: Final = 0.05  # relative departure that is worth a warning
TINY: Final = 1e-3


def findings(subject: Subject) -> Iterator[Finding]:
    """Propensities that cannot be, or that the arms belie."""
    chances = subject.log.propensities
    if chances is None or not chances.size:
        return
    outside = int(np.count_nonzero((chances <= 0.0) | (chances > 1.0)))
    if outside:
        yield Finding(
            REFUSE,
            "propensity-outside",
            f"a propensity should lie above 0 and at most at 1; {outside:,} do not, from "
            f"{chances.min():g} to {chances.max():g}. Mend them, or read the log without them",
        )
        return
    if chances.min() < TINY:
        yield Finding(
            NOTE,
            "propensity-tiny",
            f"the smallest propensity is {chances.min():.3g}: its row stands for "
            f"{1.0 / chances.min():,.0f} others wherever rows are weighted by propensity",
        )
    if chances.min() == 1.0 and len(subject.seen) > 1:
        yield Finding(
            WARN,
            "propensity-one",
            "every propensity is 1, though several arms were chosen: nothing was left to chance, "
            "and what moved the choice of the arm may have moved the reward, too",
        )
        return
    yield from _belied(subject, chances)


def _belied(subject: Subject, chances: FloatArray) -> Iterator[Finding]:
    open_rows = chances < 1.0  # in the others no other arm could be chosen
    if np.count_nonzero(open_rows) < UNITS or subject.log.units < UNITS:
        return
    expected, score = _tested(subject, chances, open_rows)
    observed = np.bincount(subject.log.arms[open_rows], minlength=score.size)
    tested = np.isfinite(score)
    off = np.flatnonzero(clear(np.where(tested, score, 0.0), looks=int(tested.sum())))
    if not off.size:
        return
    worst = int(off[np.abs(score[off]).argmax()])
    departure = abs(observed[worst] / max(expected[worst], 1e-300) - 1.0)
    two = len(subject.log.arm_names) == 2
    yield Finding(
        WARN if departure > MATERIAL else NOTE,
        "propensities-belied",
        f"arm {subject.log.arm_names[worst]!r} was chosen {observed[worst]:,} times, where its "
        f"propensities say about {expected[worst]:,.0f} ({abs(score[worst]):.1f} standard errors; "
        f"test at level {LEVEL:g}). The propensities are not those that were used"
        f"{'' if two else ', or the arm was not always open to choice'}; weights made from "
        "them would be off. Audition's choice does not use them",
    )


def _tested(
    subject: Subject, chances: FloatArray, rows: NDArray[np.bool_]
) -> tuple[FloatArray, FloatArray]:
    """Rows expected of each arm, and its normal score; NaN where there are too few."""
    arms = len(subject.log.arm_names)
    expected, score = np.full(arms, np.nan), np.full(arms, np.nan)
    for arm in subject.seen.tolist():
        mine = rows & (subject.log.arms == arm)
        if not mine.any():
            continue
        if arms == 2:
            chance = np.where(subject.log.arms == arm, chances, 1.0 - chances)
            away = np.where(rows, mine - chance, 0.0)
            least = float((chance * (1.0 - chance))[rows].sum())
            expected[arm] = chance[rows].sum()
        else:
            away = np.where(rows, mine / chances - 1.0, 0.0)
            # Seldom chosen means a small sum of squares, too; this is its size for a steady policy.
            least = float(rows.sum() * (1.0 / chances[mine].min() - 1.0))
            expected[arm] = mine.sum() * rows.sum() / (1.0 / chances[mine]).sum()
        if not ENOUGH <= expected[arm] <= rows.sum() - ENOUGH:
            continue
        total = float(away.sum())
        squares = float((subject.summed(away) ** 2).sum())
        steady = total < 0.0 or arms == 2
        score[arm] = total / np.sqrt(max(squares, least) if steady else squares)
    return expected, score
