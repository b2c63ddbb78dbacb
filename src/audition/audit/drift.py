"""Whether rewards, or the shares of the arms, moved while the log was recorded.

A simulator pays by one law from the first round to the last. Under that law the order of an arm's
rewards says nothing, so their ranks do not go with the ranks of their times: the score is the sum
of products of centred ranks over its standard error, by permutation where rows are independent and
by the sum of squares over clusters where they are not (30 clusters at least). Shares are tested the
same way, with "this arm was chosen" in place of the reward's rank. Each of the two tests has level
LEVEL for all arms together. A policy that learns moves the shares by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from audition.audit.card import NOTE, WARN, Finding
from audition.audit.subject import LEVEL, FloatArray, Subject, clear

ENOUGH: Final = 20  # rows of an arm for the normal limit
UNITS: Final = 30  # clusters for a sum of squares over them
MATERIAL: Final = 0.1  # rank correlation, or change of share from first to last half


def findings(subject: Subject) -> Iterator[Finding]:
    """Trends in time, where there is a time; else in the order of the rows."""
    log = subject.log
    if log.rows < ENOUGH:
        return
    if log.times is None:
        yield Finding(
            NOTE,
            "no-time",
            "no time column is named; drift is looked for in the order of the rows",
        )
    elif np.ptp(log.times) == 0.0:
        yield Finding(NOTE, "one-time", "every row has the same time, so drift cannot be seen")
        return
    if log.clusters is not None and log.units < UNITS:
        return
    order = np.arange(log.rows, dtype=np.float64) if log.times is None else rankdata(log.times)
    yield from _rewards(subject, order)
    yield from _shares(subject, order)


def _rewards(subject: Subject, order: FloatArray) -> Iterator[Finding]:
    arms = len(subject.log.arm_names)
    score, slope = np.zeros(arms), np.zeros(arms)
    for arm in np.flatnonzero(subject.counts >= ENOUGH).tolist():
        rows = np.flatnonzero(subject.log.arms == arm)
        ranks = rankdata(subject.log.rewards[rows])
        score[arm], slope[arm] = _trend(subject, ranks, rankdata(order[rows]), rows)
    moved = np.flatnonzero(clear(score, looks=int(np.count_nonzero(score))))
    if not moved.size:
        return
    worst = int(moved[np.abs(slope[moved]).argmax()])
    large = abs(slope[worst]) > MATERIAL
    yield Finding(
        WARN if large else NOTE,
        "reward-drift",
        f"the rewards of {subject.log.arm_names[worst]!r} {_way(slope[worst])} {_when(subject)} "
        f"(rank correlation {slope[worst]:+.2f}, {abs(score[worst]):.1f} standard errors; test at "
        f"level {LEVEL:g}"
        f"{f'; {moved.size - 1} more arms drift, too' if moved.size > 1 else ''}). "
        + (
            "Simulators pay by one law throughout, so a candidate that would keep up with a "
            "moving reward is not seen to be better; prefer recent rows"
            if large
            else "The trend is clear but slight"
        ),
    )


def _shares(subject: Subject, order: FloatArray) -> Iterator[Finding]:
    arms = len(subject.log.arm_names)
    score, change = np.zeros(arms), np.zeros(arms)
    every = np.arange(subject.log.rows)
    late = order > np.median(order)
    if arms < 2 or not late.any():
        return
    for arm in np.flatnonzero(subject.counts >= ENOUGH).tolist():
        chosen = (subject.log.arms == arm).astype(np.float64)
        score[arm], _ = _trend(subject, chosen, order, every)
        change[arm] = chosen[late].mean() - chosen[~late].mean()
    moved = np.flatnonzero(clear(score, looks=int(np.count_nonzero(score))))
    if not moved.size:
        return
    worst = int(moved[np.abs(change[moved]).argmax()])
    yield Finding(
        WARN if abs(change[worst]) > MATERIAL else NOTE,
        "share-drift",
        f"the share of {subject.log.arm_names[worst]!r} changes by {change[worst]:+.1%} from the "
        f"first half of the log to the second ({abs(score[worst]):.1f} standard errors; test at "
        f"level {LEVEL:g}). A policy that learns does this; its means lean low for arms that it "
        "gave up, and resampling does not show it",
    )


def _trend(
    subject: Subject, values: FloatArray, order: FloatArray, rows: NDArray[np.int64]
) -> tuple[float, float]:
    """The normal score of the values going with their order, and their correlation."""
    values, order = values - values.mean(), order - order.mean()
    spread = float((values**2).sum()) * float((order**2).sum())
    if spread <= 0.0:
        return 0.0, 0.0
    products = values * order
    total = float(products.sum())
    variance = spread / (rows.size - 1)
    if subject.log.clusters is not None:
        sums = np.bincount(subject.units[rows], weights=products)
        if np.unique(subject.units[rows]).size < UNITS:
            return 0.0, 0.0
        variance = max(float((sums**2).sum()), variance)
    return total / np.sqrt(variance), total / np.sqrt(spread)


def _way(slope: float) -> str:
    return "rise" if slope > 0.0 else "fall"


def _when(subject: Subject) -> str:
    return "with time" if subject.log.times is not None else "down the rows"
