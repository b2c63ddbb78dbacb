"""Whether the rewards vary, and whether a few of them carry all the weight."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from audition.audit.card import NOTE, REFUSE, WARN, Finding
from audition.audit.subject import MANY, Subject, named

LARGEST: Final = 1e15  # engines sum squares in single precision, which ends at 3e38
ENOUGH: Final = 100  # rows from which on one row should not carry much
ONE_ROW: Final = 0.25  # share of the sum of squares
TOP: Final = 0.01  # share of the rows...
HEAVY: Final = 0.5  # ...and of the sum of squares that they carry: 8 % if normal, 19 % exponential


def findings(subject: Subject) -> Iterator[Finding]:
    """Rewards that do not vary, or vary too much."""
    rewards = subject.log.rewards
    if not rewards.size:
        return
    if np.abs(rewards).max() > LARGEST:
        yield Finding(
            REFUSE,
            "reward-huge",
            f"rewards should be at most {LARGEST:g} in size; the largest is "
            f"{np.abs(rewards).max():.3g}. Give them in another unit, or mend the value",
        )
        return
    if rewards.size > 1 and np.ptp(rewards) == 0.0:
        yield Finding(
            REFUSE,
            "rewards-constant",
            f"every reward is {rewards[0]:g}, so nothing tells one candidate from another. Check "
            f"that {subject.log.reward_name!r} is the column of the reward",
        )
        return
    yield from _constant_arms(subject)
    if np.unique(rewards).size > 2:
        yield from _tails(subject)


def _constant_arms(subject: Subject) -> Iterator[Finding]:
    log, counts = subject.log, subject.counts
    scale = MANY * float(np.abs(log.rewards).max())
    still = np.flatnonzero(
        (counts > 1) & (np.sqrt(subject.squares / np.maximum(counts, 1)) <= scale)
    )
    if not still.size:
        return
    if still.size == np.count_nonzero(counts > 0):
        yield Finding(
            WARN,
            "rewards-without-noise",
            "no arm's reward ever varies: one pull of each arm shows the best, and candidates "
            "differ only in the pulls that they waste",
        )
        return
    first = int(still[0])
    yield Finding(
        WARN,
        "arm-constant",
        f"arm {named(log.arm_names, still)}: the reward never varies ({log.means[first]:g} in "
        f"{counts[first]:,} rows of {log.arm_names[first]!r}). A family with a spread of its own "
        "for each arm takes it for an arm without noise; if it is a rare success that has not "
        "come yet, the log understates how uncertain the arm is",
    )


def _tails(subject: Subject) -> Iterator[Finding]:
    squares = subject.residuals**2
    total = float(squares.sum())
    if squares.size < ENOUGH or total <= 0.0:
        return
    row = int(squares.argmax())
    if squares[row] > ONE_ROW * total:
        yield Finding(
            WARN,
            "outlier",
            f"one row, number {row + 1} of those that count, with the reward "
            f"{subject.log.rewards[row]:g} for {subject.log.arm_names[subject.log.arms[row]]!r}, "
            f"carries {squares[row] / total:.0%} of the variance. If it is an error, mend it; if "
            "not, compare the choice with and without it",
        )
    top = max(1, round(TOP * squares.size))
    carried = float(np.partition(squares, squares.size - top)[-top:].sum()) / total
    if carried > HEAVY:
        yield Finding(
            NOTE,
            "heavy-tails",
            f"{TOP:.0%} of the rows carry {carried:.0%} of the variance within arms: rewards have "
            "heavy tails, so means are less sure than a normal family says; a skewed or the "
            "empirical family fits better",
        )
