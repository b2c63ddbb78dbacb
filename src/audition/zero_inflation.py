"""Rewards that are zero, or positive with a law of their own: most visitors buy nothing.

One normal draw decides both: at or below the `cut` the reward is zero, above it the rest of the
draw is the place in the positive law. An arm that never gave a positive reward says nothing of its
positive law, so there it borrows that of all arms together.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr, ndtri

from audition.draw_table import CELLS, REACH, rooted_knots
from audition.errors import FamilyError
from audition.family import BanditFamily, require_rows, require_support
from audition.log import Log

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

NEVER: Final = REACH - 0.01  # a cut that no draw exceeds
NEAR: Final = (0.25 / CELLS) ** 2  # where the knot at the cut is read: in the midst of its cell


def positive_rows(family: BanditFamily, log: Log) -> tuple[FloatArray, IntArray, FloatArray]:
    """Positive rewards, their arms, and every arm's share of them; refuses too few of them."""
    require_rows(family, log)
    require_support(family, log)
    paid = log.rewards > 0.0
    rewards, arms = log.rewards[paid], log.arms[paid]
    counts = np.bincount(arms, minlength=len(log.arm_names))
    if rewards.size <= max(int((counts > 0).sum()), 1):
        raise FamilyError(
            f"a {family.name} fit needs more positive rewards than arms that gave one, but there "
            f"are {rewards.size} from {int((counts > 0).sum())} arms; log more, or use the "
            "empirical family"
        )
    return rewards, arms, counts / log.counts


def shares_drawn(log: Log, shares: FloatArray, rng: np.random.Generator) -> FloatArray:
    """A posterior draw of the shares of positive rewards, under Jeffreys' prior  # [arm]."""
    paid = shares * log.counts
    return rng.beta(paid + 0.5, log.counts - paid + 0.5)


def cuts(shares: FloatArray) -> FloatArray:
    """The draw above which the reward is positive."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.clip(-ndtri(shares), -REACH, NEVER))


def places(cut: FloatArray) -> tuple[FloatArray, FloatArray]:  # [..., knot], [..., knot]
    """The place in the positive law at every knot above a cut, from below and from above."""
    knots = rooted_knots(cut)
    knots[..., 0] = cut + (REACH - cut) * NEAR
    log_above = log_ndtr(-knots) - log_ndtr(-cut[..., None])
    return -np.expm1(log_above), np.exp(log_above)


def log_likelihood(
    rewards: FloatArray,
    shares: FloatArray,
    positive: FloatArray,
    below_half: FloatArray,
    *,
    width: float,
) -> FloatArray:
    """The log probability of every cell over the width.

    `positive` is that of the positive law at positive rewards; `below_half` the probability that
    it would have been written down as zero.
    """
    with np.errstate(divide="ignore"):
        zero = np.log(1.0 - shares + shares * below_half) - np.log(width)
        told = np.where(rewards > 0.0, np.log(shares) + positive, zero)
    return np.where(rewards < 0.0, -np.inf, told)
