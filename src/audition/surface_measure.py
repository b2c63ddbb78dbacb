"""Measures a surface with any engine, piece by piece, and goes on after a stop.

Every cell (grid point x candidate) meets the same draws: member 0 of the root seed. For a
two-armed Gaussian bandit under UCB or Thompson Sampling a cell depends on (Delta, sigma, theta)
through Delta / sigma and theta / sigma^2 alone, its regret being sigma times that of the unit
bandit; a plan on those two axes with `sd = 1` measures the whole family with one axis less, at
the price of interpolating in theta as well. The paper's plane does not use it, nor does `measure`.
"""

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from audition.engine.work import Engine, Work
from audition.errors import EngineError, StoreError
from audition.family import BanditFamily, Tables
from audition.learner import Candidate, ScalarLearner, settings_of
from audition.simulator import Simulator
from audition.surface import Surface
from audition.surface_file import Partial, keep, resume
from audition.surface_grid import Grid

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
PIECE: Final = 2**38  # decisions between two looks at the clock: under a minute on two cores
SECONDS: Final = 10.0  # between two writes of the partial file


@final
@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What a surface is measured from."""

    candidates: tuple[Candidate, ...]  # settings of one class of scalar rule
    grid: Grid
    family: BanditFamily
    simulator: Callable[[FloatArray], Simulator]  # the simulator at a grid point [axis]
    horizon: int
    replications: int
    seed: int

    @property
    def learners(self) -> tuple[ScalarLearner, ...]:
        """The candidates' learners, once it is known that an engine can play them."""
        learners = tuple(candidate.learner for candidate in self.candidates)
        scalar = tuple(one for one in learners if isinstance(one, ScalarLearner))
        if len(scalar) != len(learners) or not learners:
            raise EngineError(
                "a surface needs candidates whose rule is scalar, but got "
                f"{[candidate.name for candidate in self.candidates]}"
            )
        return scalar

    def header(self, engine: Engine) -> dict[str, Any]:
        """Everything that the numbers depend on, as plain text and numbers."""
        ink = hashlib.sha256()
        for point in self.grid.points:
            ink.update(self.simulator(point).digest.encode())
        kind = type(self.candidates[0].learner)
        return {
            "learner": f"{kind.__module__}.{kind.__qualname__}",
            "settings": [_plain(settings_of(c.learner)) for c in self.candidates],
            "family": self.family.name,
            "simulators": ink.hexdigest(),
            "horizon": self.horizon,
            "replications": self.replications,
            "seed": self.seed,
            "engine": engine.version,
        }

    def work(self, points: IntArray) -> Work:
        """The cells of some grid points, candidate by candidate."""
        simulators = [self.simulator(point) for point in self.grid.points[points]]
        tables, size = self.family.tables(simulators), len(self.candidates)
        parts = (tables.columns, tables.entries, tables.means)
        return Work(
            learners=self.learners * len(simulators),
            family=self.family,
            tables=Tables(*(np.repeat(part, size, axis=0) for part in parts)),
            members=np.zeros(len(simulators) * size, dtype=np.int64),
            replications=np.arange(self.replications),
            horizon=self.horizon,
            checkpoints=(self.horizon,),
            seed=self.seed,
        )


def measure(
    plan: Plan,
    *,
    engine: Engine,
    path: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Surface:
    """Measure a surface; with a path it is kept there on the way and continued from there.

    `progress` is told how many grid points are done, and of how many.
    """
    partial = _begin(plan, engine, path)
    written = time.monotonic()
    size = plan.grid.size
    for points in _pieces(plan, np.flatnonzero(~partial.measured)):
        _measure(plan, engine, points, partial)
        whole = bool(partial.measured.all())
        if path is not None and (whole or time.monotonic() - written > SECONDS):
            keep(partial, path)
            written = time.monotonic()
        if progress is not None:
            progress(int(partial.measured.sum()), size)
    return partial.surface


def _begin(plan: Plan, engine: Engine, path: Path | None) -> Partial:
    header = plan.header(engine)
    names = tuple(candidate.name for candidate in plan.candidates)
    if path is not None and path.exists():
        partial = resume(path)
        other = partial.surface.header
        changed = sorted(key for key in {*header, *other} if header.get(key) != other.get(key))
        if changed or partial.surface.candidates != names:
            raise StoreError(
                f"{path} was measured from something else ({', '.join(changed) or 'names'} "
                "changed); name another file, or delete it to measure again"
            )
        return partial
    size, count = plan.grid.size, len(names)
    means, covariances = np.zeros((size, count)), np.zeros((size, count, count))
    surface = Surface(header, names, plan.grid, means, covariances, plan.replications)
    return Partial(surface, np.zeros(size, dtype=np.bool_))


def _pieces(plan: Plan, points: IntArray) -> list[IntArray]:
    each = len(plan.candidates) * plan.replications * plan.horizon
    together = max(PIECE // each, 1)
    return [points[at : at + together] for at in range(0, points.size, together)]


def _measure(plan: Plan, engine: Engine, points: IntArray, partial: Partial) -> None:
    moments = engine.moments(plan.work(points))
    count = len(plan.candidates)
    partial.surface.means[points] = -moments.means.reshape(points.size, count)
    for cells, covariance in zip(moments.groups, moments.covariances, strict=True):
        for at in np.unique(cells // count):  # equal simulators at two points share a group
            inside = cells // count == at
            order = cells[inside] % count
            block = np.ix_([points[at]], order, order)
            partial.surface.covariances[block] = covariance[np.ix_(inside, inside)]
    partial.measured[points] = True


def _plain(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings as JSON would give them back."""
    return {
        name: value if isinstance(value, str | int | float | bool | None) else repr(value)
        for name, value in settings.items()
    }
