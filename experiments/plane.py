"""The paper's plane of two-armed Gaussian bandits (app:plane): its surfaces, data and two rules.

Three experiments share what is here. A surface is measured in sixteen runs of distinct seeds, as in
the paper; they are pooled, and they are also the units that a jackknife takes errors from, because
all cells of one run share their random numbers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from audition.engine import choose
from audition.families.gaussian import Gaussian
from audition.learner import Candidate, ScalarLearner
from audition.learners.thompson import ThompsonSampling
from audition.learners.ucb import UCB
from audition.seeds import stream
from audition.simulator import Simulator
from audition.surface import Surface
from audition.surface_choice import Members, best_in_fit, best_on_average
from audition.surface_file import load, save
from audition.surface_grid import Grid
from audition.surface_measure import Plan, measure
from claims import HERE, Call

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

NAMES: Final = {"ucb": "UCB", "ts": "Thompson Sampling"}
MARGIN, SIGMA, HORIZON, LOGGED = 1.0, 3.0, 5000, 25  # M*, T and T_off
SHARES: Final = {  # theta / sigma^2 (eq:plane-grid)
    "ucb": np.round(np.arange(1, 12) * 0.1, 10),
    "ts": np.round(np.arange(1, 16) * 0.1, 10),
}
GRID: Final = Grid.of(  # eq:plane-grid-env
    {
        "margin": np.round(0.075 + 0.15 * np.arange(40), 10),
        "sd": np.round(0.9 + 0.1 * np.arange(49), 10),
    }
)


@final
@dataclass(frozen=True, slots=True)
class Budget:
    """How much is spent."""

    runs: int
    replications: int  # of a run
    members: int  # of an ensemble
    data_sets: int


BUDGETS: Final = {
    "quick": Budget(runs=4, replications=16, members=500, data_sets=50_000),
    "full": Budget(runs=16, replications=2000, members=8000, data_sets=1_000_000),
}


@final
@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """A surface and the runs that it was pooled from."""

    surface: Surface
    runs: FloatArray  # [run, grid point, candidate] mean scores
    engine: str

    def left_out(self) -> Iterator[Surface]:
        """The pooled surface without each of the runs in turn."""
        total = self.runs.sum(axis=0)
        for run in self.runs:
            yield replaced(self.surface, (total - run) / (len(self.runs) - 1))

    def jackknife(self, statistic: Callable[[Surface], FloatArray]) -> FloatArray:
        """The standard error of anything that is computed from a surface."""
        values = np.stack([np.asarray(statistic(surface)) for surface in self.left_out()])
        spread = ((values - values.mean(axis=0)) ** 2).sum(axis=0)
        return np.asarray(np.sqrt(spread * (len(values) - 1) / len(values)))


def candidates(kind: str) -> tuple[Candidate, ...]:
    """The paper's candidate set, named by theta / sigma^2."""
    cls: type[ScalarLearner] = UCB if kind == "ucb" else ThompsonSampling
    return tuple(Candidate(f"{c:.1f}", cls(float(c * SIGMA**2))) for c in SHARES[kind])


def simulator(point: FloatArray) -> Simulator:
    """The bandit of a margin and a standard deviation."""
    return Simulator("gaussian", {"mean": np.array([point[0], 0.0]), "sd": np.array(point[1])})


def plan(kind: str, *, run: int, replications: int) -> Plan:
    """One run of a surface."""
    return Plan(
        candidates=candidates(kind),
        grid=GRID,
        family=Gaussian(),
        simulator=simulator,
        horizon=HORIZON,
        replications=replications,
        seed=run,
    )


def surface(kind: str, made: Call) -> Measured:
    """The surface of a learner at the call's budget: read where it is kept, measured where not."""
    place = HERE / "surfaces" / f"{made.preset}-{kind}.npz"
    if not place.is_file():
        _measure(kind, made, place)
    with np.load(place.with_suffix(".runs.npz"), allow_pickle=False) as file:
        runs = file["runs"].astype(np.float64)
    pooled = load(place)
    return Measured(pooled, runs, str(pooled.header["engine"]))


def _measure(kind: str, made: Call, place: Path) -> None:
    budget = BUDGETS[made.preset]
    one = plan(kind, run=0, replications=budget.replications)
    choice = choose(made.engine, one.learners[0], one.family, arms=2)
    if choice.reason:
        made.say(choice.reason)
    surfaces = []
    for run in range(budget.runs):
        again = plan(kind, run=run, replications=budget.replications)
        kept = HERE / "surfaces" / "kept" / f"{made.preset}-{kind}-{run}.npz"
        surfaces.append(measure(again, engine=choice.engine, path=kept))
        made.say(f"{NAMES[kind]} surface, run {run + 1} of {budget.runs}")
    place.parent.mkdir(exist_ok=True)
    runs = np.stack([one.means for one in surfaces])
    np.savez_compressed(place.with_suffix(".runs.npz"), runs=runs.astype(np.float32))
    covariances = np.mean([one.covariances for one in surfaces], axis=0)
    first = surfaces[0]
    header = json.loads(json.dumps({**first.header, "seeds": list(range(budget.runs))}))
    pooled = Surface(
        header,
        first.candidates,
        first.grid,
        runs.mean(axis=0),
        covariances,
        first.replications * budget.runs,
    )
    save(pooled, place)


def replaced(surface: Surface, means: FloatArray) -> Surface:
    """The same surface with other means."""
    return Surface(
        surface.header,
        surface.candidates,
        surface.grid,
        np.ascontiguousarray(means),
        surface.covariances,
        surface.replications,
    )


def data_sets(size: int, *, seed: int = 0) -> FloatArray:  # [data set, (margin, sd)]
    """The fits (eq:plane-fit) of that many logs of M*, each of 25 uniformly chosen arms."""
    return fits(np.array([MARGIN, SIGMA]), size, stream(seed, "plane/data"))


def fits(
    truth: FloatArray, size: int, rng: np.random.Generator, *, rows: int = LOGGED
) -> FloatArray:
    """Fits to fresh logs of a bandit: exact draws of (margin, sd), without the rows."""
    first = rng.binomial(rows, 0.5, size)
    while (lost := (first < 1) | (first >= rows)).any():
        first[lost] = rng.binomial(rows, 0.5, int(lost.sum()))
    error = np.sqrt(1.0 / first + 1.0 / (rows - first))
    margin = truth[0] + truth[1] * error * rng.standard_normal(size)
    sd = truth[1] * np.sqrt(rng.chisquare(rows - 2, size) / (rows - 2))
    return np.column_stack([margin, sd])


def positive(points: FloatArray) -> FloatArray:
    """Relabel the arms so that the margin is not negative."""
    return np.concatenate([np.abs(points[..., :1]), points[..., 1:]], axis=-1)


BIN: Final = (0.15, 0.10)  # eq:plane-bins
FINE: Final = (0.05, 0.05)  # of the table that exact selections are read from where it settles them
LOW: Final = (-2.5, 1.5)
HIGH: Final = (4.5, 4.5)
BINS: Final = (47, 30)  # 7 / 0.15 is 46.7: the last bin reaches to 4.55


def centers() -> FloatArray:  # [bin, (margin, sd)] the sd runs fastest
    """The centres of the paper's bins of fits."""
    axes = [LOW[k] + BIN[k] * (np.arange(BINS[k]) + 0.5) for k in (0, 1)]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)


def bin_of(points: FloatArray) -> IntArray:  # [point]
    """The bin that a fit falls in; a fit outside the window goes to the nearest bin."""
    places = [
        np.clip(((points[:, k] - LOW[k]) / BIN[k]).astype(np.int64), 0, BINS[k] - 1) for k in (0, 1)
    ]
    return np.asarray(places[0] * BINS[1] + places[1])


def inside(points: FloatArray) -> NDArray[np.bool_]:  # [point]
    """Which fits lie in a whole bin of the window: the 47th column of bins leaves it."""
    high = [LOW[k] + BIN[k] * int((HIGH[k] - LOW[k]) / BIN[k] + 1e-9) for k in (0, 1)]
    return np.asarray(np.all((points >= LOW) & (points < high), axis=1))


def members(center: FloatArray, number: int, size: int) -> FloatArray:  # [member, (margin, sd)]
    """The parametric bootstrap of one bin's centre (eq:plane-rules)."""
    return positive(fits(center, size, stream(0, "plane/members", number)))


def members_of(size: int) -> Members:
    """The same bootstrap for any fit, from one set of draws that every fit moves and scales."""
    moves = fits(np.array([0.0, 1.0]), size, stream(0, "plane/members of any fit"))

    def made(points: FloatArray) -> FloatArray:  # [fit, member, (margin, sd)]
        found = points[:, None, 1:] * moves  # one array, filled in place: this is the hot loop
        margin = found[..., 0]
        margin += points[:, None, 0]
        np.abs(margin, out=margin)
        return np.asarray(found)

    return made


def exact(surface: Surface, points: FloatArray, size: int) -> dict[str, IntArray]:  # [fit]
    """What each rule selects for every fit itself, without bins."""
    return {
        "Plug-In": best_in_fit(surface, positive(points)),
        "UA": best_on_average(surface, points, members=members_of(size), spacing=FINE),
    }


def all_members(size: int) -> FloatArray:  # [bin, member, (margin, sd)]
    """The ensembles of all bins; the same for every surface."""
    return np.stack([members(center, i, size) for i, center in enumerate(centers())])


def plug_in(surface: Surface) -> IntArray:  # [bin]
    """The candidate that Plug-In selects in every bin."""
    return np.asarray(surface.at(positive(centers())).argmax(axis=1))


def uncertainty_aware(surface: Surface, ensembles: FloatArray) -> IntArray:  # [bin]
    """The candidate that Uncertainty-Aware selects in every bin."""
    return np.asarray(surface.mean_over(ensembles).argmax(axis=1))


def nearest_cell(surface: Surface) -> int:
    """The grid point nearest M*."""
    return surface.grid.nearest([MARGIN, SIGMA])
