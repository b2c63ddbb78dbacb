"""The paper's selection protocol on stored tables (app:deeprl-protocol): seconds, and no training.

A simulated run at lambda is a seed drawn from the stored ones, read off the lattice by bilinear
interpolation; the data set and the seeds drawn are shared by all rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from audition.identification.calibration import bootstrap
from audition.rule import Rule
from audition.rules.borda import Borda
from audition.rules.mean import Mean
from audition.rules.quantile import Quantile
from audition.seeds import stream
from audition.surface_grid import Grid
from robots.lattice import Lattice

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
PLUG_IN, UA, TENTH, BORDA = "Plug-In", "UA", "10th percentile", "Borda"
OVER_MEMBERS: Final[dict[str, Rule]] = {UA: Mean(), TENTH: Quantile(level=0.1), BORDA: Borda()}
SEED: Final = 31
BOX: Final = (0.1, 10.0)  # an estimate is clipped to it (app:deeprl-sysid)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Stored scores of one robot and T_off: simulated on the lattice, and true."""

    lattice: Lattice
    simulated: FloatArray  # [lattice point, candidate, seed]
    truth: FloatArray  # [candidate]

    @property
    def grid(self) -> Grid:
        """The lattice's axes."""
        return Grid.of({"friction": self.lattice.friction, "damping": self.lattice.damping})

    def at(self, parameters: FloatArray) -> FloatArray:  # [..., candidate, seed]
        """Every stored seed's score at lambda [..., (mass, friction, damping)]."""
        where = parameters[..., 1:].reshape(-1, 2)
        flat = self.simulated.reshape(self.grid.size, -1)
        return self.grid.read(flat, where).reshape(
            *parameters.shape[:-1], *self.simulated.shape[1:]
        )


@final
@dataclass(frozen=True, slots=True, eq=False)
class Fits:
    """What each data set pointed to."""

    estimates: FloatArray  # [data set, parameter]
    members: FloatArray  # [data set, member, parameter]


def fits(by_episode: FloatArray, *, logged: int, data_sets: int, members: int) -> Fits:
    """Data sets of `logged` episodes out of a pool of corrected estimates [episode, parameter].

    A data set holds an episode once; two data sets may share some, fewer the larger the pool.
    """
    drawn = []
    for number in range(data_sets):
        rng = stream(SEED, "data set", logged, number)
        drawn.append(by_episode[rng.choice(len(by_episode), size=logged, replace=False)])
    boots = [bootstrap(one, size=members, seed=SEED + number) for number, one in enumerate(drawn)]
    estimates = np.array([one.mean(axis=0) for one in drawn])
    return Fits(np.clip(estimates, *BOX), np.clip(np.array(boots), *BOX))


def picks(table: Table, found: Fits) -> dict[str, IntArray]:  # [data set]
    """The candidate that every rule selects on every data set, K = n simulated runs each."""
    count, members, _ = found.members.shape
    candidates, seeds = table.simulated.shape[1:]
    drawn = stream(SEED, "stored seeds").integers(seeds, size=(count, candidates, members))
    single = np.take_along_axis(table.at(found.estimates), drawn, axis=2)  # [set, candidate, run]
    each = table.at(found.members).transpose(0, 2, 1, 3)  # [set, candidate, member, seed]
    values = np.take_along_axis(each, drawn[..., None], axis=3)[..., 0]
    chosen = {PLUG_IN: single.mean(axis=2).argmax(axis=1)}
    for name, rule in OVER_MEMBERS.items():
        chosen[name] = np.array([rule.worth(one).argmax() for one in values])
    return chosen


def paired_t(first: FloatArray, second: FloatArray) -> float:
    """The t statistic of the mean of first minus second; 0 where they never differ."""
    difference = first - second
    spread = difference.std(ddof=1)
    return float(difference.mean() / (spread / np.sqrt(difference.size))) if spread > 0 else 0.0


def moves(ratios: FloatArray, best: int, plug: IntArray, ua: IntArray) -> tuple[float, float]:
    """How often UA asks for a smaller ratio after one above the optimum's, and larger after below.

    NaN where the Plug-In never selected such a candidate.
    """
    above, below = ratios[plug] > ratios[best], ratios[plug] < ratios[best]
    smaller, larger = ratios[ua] < ratios[plug], ratios[ua] > ratios[plug]
    return _share(smaller, above), _share(larger, below)


def shortfall_above(ratios: FloatArray, truth: FloatArray, best: int, plug: IntArray) -> float:
    """The part of the Plug-In's shortfall that candidates with a larger ratio make up."""
    short = truth[best] - truth[plug]
    total = float(short.sum())
    return float(short[ratios[plug] > ratios[best]].sum()) / total if total > 0 else float("nan")


def _share(of: NDArray[np.bool_], among: NDArray[np.bool_]) -> float:
    return float(of[among].mean()) if among.any() else float("nan")
