"""Counts: clicks in a visit, items in a basket (Poisson).

A count is the Poisson quantile of one normal draw. It is read from a table over cells of the
draw. Up to a mean of `EXACT` no cell holds two steps of the quantile function, so the table is the
law itself. Above, a cell interpolates the continuous quantile function and rounds down, moved so
that the mean is the arm's: then the law is within 1e-4 of Poisson's in Kolmogorov's distance.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple, final

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammainc, gammaincc, gammaln, ndtr, ndtri

from audition import cells
from audition.draw_table import CELLS, LAST, REACH, STEP, even, even_knots
from audition.family import BanditFamily, HasPosterior, Tables, require_rows, require_support
from audition.log import Log
from audition.scalars import floor, lookup, minimum
from audition.simulator import Simulator

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

EXACT: Final = 40.0  # the mean up to which steps of the quantile function are wider than a cell
HALF: Final = CELLS * 1.0  # where the second half of the table starts


class Columns(NamedTuple):
    """One arm's numbers, which are all in its table."""

    mean: float


@final
@dataclass(frozen=True, slots=True)
class Poisson(BanditFamily, HasPosterior):
    """Every arm pays a Poisson count with its own mean."""

    noise: ClassVar[str] = "normal"
    supports: ClassVar[str] = "count"
    Columns: ClassVar[Any] = Columns

    @property
    def name(self) -> str:
        """`poisson`."""
        return "poisson"

    def fit(self, log: Log) -> Simulator:
        """The mean count of every arm."""
        require_rows(self, log)
        require_support(self, log)
        return Simulator(self.name, {"mean": log.means})

    @staticmethod
    def reward(draw: Any, p: Any, table: Any) -> Any:
        """The table's value at the start of the draw's cell and its rise in it, rounded down."""
        del p
        position = even(draw)
        cell = minimum(floor(position), LAST)
        return floor(lookup(table, cell) + lookup(table, cell + HALF) * (position - cell))

    def tables(self, simulators: Sequence[Simulator]) -> Tables:
        """Starts and rises of the quantile function over the cells of the draw."""
        means = np.stack([simulator.parameters["mean"] for simulator in simulators])
        entries = np.zeros((*means.shape, 2 * CELLS))
        small = means <= EXACT
        entries[small] = _exact(means[small])
        entries[~small] = _interpolated(means[~small])
        return Tables(means[..., None], entries, means)

    def log_likelihood(self, simulator: Simulator, log: Log) -> FloatArray:
        """The probability of each count, over the width of its cell."""
        mean = simulator.parameters["mean"][log.arms]
        with np.errstate(divide="ignore", invalid="ignore"):
            told = log.rewards * np.log(mean) - mean - gammaln(log.rewards + 1.0)
        told = np.where(mean > 0.0, told, np.where(log.rewards == 0.0, 0.0, -np.inf))
        whole = (log.rewards >= 0.0) & (log.rewards == np.floor(log.rewards))
        return np.asarray(np.where(whole, told, -np.inf) - np.log(cells.width_of(log.rewards)))

    def sample(self, simulator: Simulator, arms: IntArray, rng: np.random.Generator) -> FloatArray:
        """Counts."""
        return rng.poisson(simulator.parameters["mean"][arms]).astype(np.float64)

    def posterior(self, log: Log, *, size: int, rng: np.random.Generator) -> list[Simulator]:
        """Gamma draws under Jeffreys' prior: shape total + 1/2, rate rows."""
        totals = self.fit(log).parameters["mean"] * log.counts
        return [
            Simulator(self.name, {"mean": rng.gamma(totals + 0.5) / log.counts})
            for _ in range(size)
        ]


def _exact(means: FloatArray) -> FloatArray:  # [mean, 2 * CELLS]
    """Cells that start below a step and rise by one to cross it just where the draw does."""
    most = int(EXACT + REACH * np.sqrt(EXACT) + 12.0)  # no draw gives more
    counts = np.arange(most)[None, :]
    with np.errstate(divide="ignore"):
        steps = np.where(  # the draw above which the count exceeds each number
            counts < means[:, None],
            ndtri(gammaincc(counts + 1.0, means[:, None])),
            -ndtri(gammainc(counts + 1.0, means[:, None])),
        )
    position = (np.clip(steps, -REACH, REACH) + REACH) / STEP
    cell = np.minimum(position, CELLS).astype(np.int64)
    row = np.broadcast_to(np.arange(means.size)[:, None], cell.shape)
    risen = np.zeros((means.size, CELLS + 1))
    np.add.at(risen, (row, cell), 1.0)
    start = np.concatenate([np.zeros((means.size, 1)), np.cumsum(risen, axis=1)[:, :-2]], axis=1)
    rise = np.zeros_like(risen)
    into = np.zeros_like(risen)
    inside = (steps > -REACH) & (steps < REACH)
    rise[row[inside], cell[inside]] = 1.0
    into[row[inside], cell[inside]] = 1.0 - (position - cell)[inside]
    return np.concatenate([start + into[:, :CELLS], rise[:, :CELLS]], axis=1)


def _interpolated(means: FloatArray) -> FloatArray:  # [mean, 2 * CELLS]
    """The continuous quantile function, cell by cell."""
    draws, mean = even_knots()[None, :], means[:, None]
    root = np.sqrt(mean)
    guess = mean + root * draws + (draws**2 + 2.0) / 6.0  # Cornish and Fisher, then a Newton step
    guess = np.maximum(guess, 0.5)
    with np.errstate(divide="ignore"):
        at = np.where(draws < 0.0, ndtri(gammaincc(guess, mean)), -ndtri(gammainc(guess, mean)))
    knots = guess + (draws - at) * np.sqrt(np.maximum(guess, 1.0))
    mass = np.diff(ndtr(draws))
    density = np.exp(-0.5 * draws * draws) / np.sqrt(2.0 * np.pi)
    along = (-np.diff(density) - draws[:, :-1] * mass) / STEP  # mass times mean place in the cell
    centre = (mass * knots[:, :-1] + along * np.diff(knots, axis=1)).sum(axis=1)
    knots += (means + 0.5 - centre)[:, None]  # rounding down takes one half
    return np.concatenate([knots[:, :-1], np.diff(knots, axis=1)], axis=1)
