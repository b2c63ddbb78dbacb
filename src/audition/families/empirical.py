"""Each arm's own logged rewards, drawn again: no law is assumed.

An arm with up to `MOST` rows keeps every reward; an arm with more keeps the means of `MOST` equal
shares of its sorted rewards. So an arm's mean is always the mean of its rewards, exactly, and its
variance loses what the rewards vary within a share. Arms are padded to one length; how many
entries count is a column.

To be compared with other families the rewards are smoothed into a histogram: bins of equal shares
of all fitted rewards, a value that fills a bin being a bin of its own, and every arm's shares
drawn towards those of all arms by half a row a bin. Simulators never use it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from audition import cells
from audition.family import BanditFamily, HasPosterior, Tables, require_rows
from audition.log import Log
from audition.scalars import lookup, minimum
from audition.simulator import Simulator

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

MOST: Final = 512  # entries an arm: 5 arms in 200 simulators are 4 MB
MOST_DRAWN: Final = 256  # entries of a weighted arm, each worth 1/256 of its rewards
MOST_BINS: Final = 64


class Columns(NamedTuple):
    """One arm's numbers, beside its entries."""

    entries: float


@final
@dataclass(frozen=True, slots=True)
class Empirical(BanditFamily, HasPosterior):
    """Every arm pays one of the rewards that it was logged with, each as often as it was logged."""

    noise: ClassVar[str] = "uniform"
    supports: ClassVar[str] = "logged"
    Columns: ClassVar[Any] = Columns

    @property
    def name(self) -> str:
        """`empirical`."""
        return "empirical"

    def fit(self, log: Log) -> Simulator:
        """The rewards of every arm, in rising order."""
        require_rows(self, log)
        return _simulator([_thinned(rewards) for rewards in _by_arm(log)], rows=log.counts)

    @staticmethod
    def reward(draw: Any, p: Any, table: Any) -> Any:
        """The entry that a uniform draw points to; a larger draw pays more."""
        return lookup(table, minimum(draw * p.entries, p.entries - 1.0))

    def tables(self, simulators: Sequence[Simulator]) -> Tables:
        """The entries by arm, padded with zeros to the longest arm of all simulators."""
        used = np.stack([simulator.parameters["entries"] for simulator in simulators])
        rewards = [simulator.parameters["rewards"] for simulator in simulators]
        entries = np.zeros((*used.shape, max(table.shape[1] for table in rewards)))
        for at, table in enumerate(rewards):
            entries[at, :, : table.shape[1]] = table
        return Tables(used[..., None], entries, entries.sum(axis=-1) / used)

    def log_likelihood(self, simulator: Simulator, log: Log) -> FloatArray:
        """The smoothed histogram's density at every reward."""
        rewards, used = simulator.parameters["rewards"], simulator.parameters["entries"]
        rows = simulator.parameters["rows"]
        held = np.arange(rewards.shape[1]) < used[:, None]  # [arm, entry]
        weight = np.broadcast_to((rows / used)[:, None], rewards.shape)
        width = cells.width_of(log.rewards)
        edges = _edges(rewards[held], weight[held], width)
        bins = edges.size - 1
        place = np.clip(np.searchsorted(edges, rewards, side="right") - 1, 0, bins - 1)
        counts = np.zeros((used.size, bins))
        np.add.at(counts, (np.nonzero(held)[0], place[held]), weight[held])
        pooled = (counts.sum(axis=0) + 0.5) / (counts.sum() + 0.5 * bins)
        drawn = 0.5 * bins
        shares = (counts + drawn * pooled) / (counts.sum(axis=1, keepdims=True) + drawn)
        density = np.log(shares / np.diff(edges))
        at = np.searchsorted(edges, log.rewards, side="right") - 1
        inside = (at >= 0) & (at < bins)
        return np.where(inside, density[log.arms, np.clip(at, 0, bins - 1)], -np.inf)

    def sample(self, simulator: Simulator, arms: IntArray, rng: np.random.Generator) -> FloatArray:
        """Entries of the arms."""
        used = simulator.parameters["entries"].astype(np.int64)[arms]
        return np.asarray(simulator.parameters["rewards"][arms, rng.integers(used)])

    def posterior(self, log: Log, *, size: int, rng: np.random.Generator) -> list[Simulator]:
        """The Bayesian bootstrap (Rubin 1981): rewards of every arm weighted by a flat Dirichlet.

        Entries are the means of `MOST_DRAWN` equal shares of the weighted rewards, so that an
        arm's mean is its weighted mean, exactly. An entry on the edge of two values lies between.
        """
        require_rows(self, log)
        arms = _by_arm(log)
        drawn = []
        for _ in range(size):
            entries = [_equal_shares(own, rng.exponential(size=own.size)) for own in arms]
            drawn.append(_simulator(entries, rows=log.counts))
        return drawn


def _by_arm(log: Log) -> list[FloatArray]:
    """The rewards of every arm, in rising order."""
    return [np.sort(log.rewards[log.arms == arm]) for arm in range(len(log.arm_names))]


def _thinned(rewards: FloatArray) -> FloatArray:
    if rewards.size <= MOST:
        return rewards
    return _equal_shares(rewards, np.ones(rewards.size), size=MOST)


def _equal_shares(
    rewards: FloatArray, weights: FloatArray, *, size: int = MOST_DRAWN
) -> FloatArray:
    """Means of equal shares of weighted rewards that stand in rising order."""
    below = np.concatenate([[0.0], np.cumsum(weights)])
    total = np.concatenate([[0.0], np.cumsum(weights * rewards)])
    at = np.interp(np.linspace(0.0, below[-1], size + 1), below, total)
    means = np.diff(at) * (size / below[-1])
    return np.asarray(np.clip(means, rewards[0], rewards[-1]))


def _simulator(arms: list[FloatArray], *, rows: IntArray) -> Simulator:
    used = np.array([rewards.size for rewards in arms], dtype=np.float64)
    padded = np.zeros((used.size, int(used.max())))
    for arm, rewards in enumerate(arms):
        padded[arm, : rewards.size] = rewards
    return Simulator(
        Empirical().name, {"rewards": padded, "entries": used, "rows": rows.astype(np.float64)}
    )


def _edges(rewards: FloatArray, weights: FloatArray, width: float) -> FloatArray:
    """Edges of the bins, rising: cells of heavy values, and quantiles of all rewards between."""
    half = max(width / 2.0, float(np.spacing(np.abs(rewards).max())) * 4.0, 1e-300)
    values, which = np.unique(rewards, return_inverse=True)
    mass = np.bincount(which, weights=weights)
    bins = int(min(np.ceil(2.0 * np.cbrt(mass.sum())), MOST_BINS))
    heavy = values[mass >= mass.sum() / bins]
    below = np.cumsum(mass) / mass.sum()
    cut = values[np.searchsorted(below, np.arange(1, bins) / bins, side="left")]
    fences = np.concatenate([cut + half, heavy - half, heavy + half])
    edges = np.unique(np.concatenate([[values[0] - half, values[-1] + half], fences]))
    return np.asarray(edges[np.concatenate([[True], np.diff(edges) > half])])
