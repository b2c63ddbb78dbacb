"""Means of the regret and its covariance across candidates, without keeping the replications.

Cells that share a simulator and a member meet the same draws, so their regrets are correlated;
a surface needs that covariance. Slices of replications come in a fixed order and are merged with
the pairwise update of Chan, Golub and LeVeque (1983), so the result does not depend on threads.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from audition.family import Tables

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


def sharing(tables: Tables, members: IntArray) -> list[IntArray]:
    """Cells by the simulator and the member they share, in the order of their first cell."""
    cells = len(members)
    parts = (tables.columns, tables.entries, tables.means, members.astype(np.float64))
    rows = np.concatenate([part.reshape(cells, -1) for part in parts], axis=1, dtype=np.float64)
    whole, size = rows.tobytes(), rows.shape[1] * 8
    groups: dict[bytes, list[int]] = {}
    for cell in range(cells):
        groups.setdefault(whole[cell * size : (cell + 1) * size], []).append(cell)
    return [np.array(cells, dtype=np.int64) for cells in groups.values()]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """The first two moments of the pseudo-regret at the horizon, over replications."""

    count: int  # replications
    means: FloatArray  # [cell]
    groups: tuple[IntArray, ...]  # [group] the cells that share a simulator and a member
    covariances: tuple[FloatArray, ...]  # [group] [cell, cell] of one replication's regret

    @property
    def variances(self) -> FloatArray:  # [cell]
        """The variance of one replication's regret in every cell."""
        variances = np.empty(self.means.shape)
        for group, covariance in zip(self.groups, self.covariances, strict=True):
            variances[group] = np.diag(covariance)
        return variances

    @staticmethod
    def joined(parts: "Sequence[Summing]", *, cells: int) -> "Moments":
        """What the sums over separate batches of cells come to."""
        means = np.empty(cells)
        groups: list[IntArray] = []
        covariances: list[FloatArray] = []
        for part in parts:
            means[part.cells] = part.means
            for place, spread in zip(part.places, part.spreads, strict=True):
                groups.append(part.cells[place])
                covariances.append(spread / max(part.count - 1, 1))
        return Moments(parts[0].count, means, tuple(groups), tuple(covariances))


@final
class Summing:
    """Moments in the making, for one batch of cells."""

    def __init__(self, cells: IntArray, places: list[IntArray]) -> None:
        self.cells = cells
        self.places = places  # [group] where its cells stand in `cells`
        self.count = 0
        self.means: FloatArray = np.zeros(cells.size)
        self.spreads: list[FloatArray] = [np.zeros((p.size, p.size)) for p in places]

    @staticmethod
    def over(groups: Sequence[IntArray], cells: IntArray) -> "Summing":
        """Sums for the cells of a batch, which is made of whole groups."""
        place = {int(cell): at for at, cell in enumerate(cells)}
        places = [
            np.array([place[int(cell)] for cell in group]) for group in groups if group[0] in place
        ]
        return Summing(cells, places)

    def merge(self, count: int, means: FloatArray, spreads: Sequence[FloatArray]) -> None:
        """Take in a slice that comes as its mean and its sums of squared deviations."""
        both = self.count + count
        moved = means - self.means
        weight = self.count * count / both
        for at, (place, spread) in enumerate(zip(self.places, spreads, strict=True)):
            self.spreads[at] += spread + weight * np.outer(moved[place], moved[place])
        self.means = self.means + moved * (count / both)
        self.count = both


def spreads_of(
    regrets: FloatArray, places: Sequence[IntArray]
) -> tuple[FloatArray, list[FloatArray]]:
    """Means of [cell, replication] regrets, and by place the sums of products of deviations."""
    means = regrets.mean(axis=1)
    deviations = regrets - means[:, None]
    return means, [deviations[place] @ deviations[place].T for place in places]
