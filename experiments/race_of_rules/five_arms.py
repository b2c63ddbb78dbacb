"""The race over five-armed truths, where no small table serves: every member is played afresh.

The logs, the fits and the ensembles are Audition's own (`Gaussian`, and the four ways to make an
ensemble); horizons with as many members are read off one long run, which these two learners allow.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import settings
from numpy.typing import NDArray
from strategies import ENSEMBLES, NAMES, RULES

from audition.engine import Engine, Work, choose
from audition.ensemble import Resampling
from audition.ensembles.empirical import EmpiricalBootstrap
from audition.ensembles.parametric import ParametricBootstrap
from audition.ensembles.perturbed import MeanPerturbation
from audition.ensembles.posterior import PosteriorDraws
from audition.families.gaussian import Gaussian
from audition.learner import ScalarLearner
from audition.learners.thompson import ThompsonSampling
from audition.learners.ucb import UCB
from audition.log import Log
from audition.seeds import stream
from audition.simulator import Simulator
from claims import Call
from plane import NAMES as LEARNERS

FloatArray = NDArray[np.float64]
MAKERS: dict[str, Resampling] = {
    "parametric": ParametricBootstrap("uniform"),
    "empirical": EmpiricalBootstrap(),
    "posterior": PosteriorDraws(),
    "perturbed": MeanPerturbation(),
}
assert tuple(MAKERS) == tuple(ENSEMBLES)
DEPLOYED = 2**30  # the address of the truth's own random numbers


def race(made: Call) -> FloatArray:
    """Excess regret over the oracle [strategy, learner, horizon, truth, T_off, data set]."""
    found = []
    for t in range(len(settings.FIVE_ARMS)):
        found.append(_remembered(t, made))
        made.say(f"five arms: truth {t + 1} of {len(settings.FIVE_ARMS)}")
    return np.stack(found, axis=3)


def _remembered(t: int, made: Call) -> FloatArray:
    """The excess in one truth: read where a run with the same settings left it."""
    terms = repr((settings.BUDGETS[made.preset], settings.FIVE_ARMS[t], NAMES, settings.SEED))
    path = made.keep(f"{made.preset}-five-{t}.npz")
    if path.is_file():
        with np.load(path, allow_pickle=False) as file:
            if str(file["terms"]) == terms:
                return np.asarray(file["excess"])
    excess = _excess(t, made)
    np.savez(path, terms=np.array(terms), excess=excess)
    return excess


def _excess(t: int, made: Call) -> FloatArray:
    """The excess in one truth [strategy, learner, horizon, T_off, data set]."""
    budget = settings.BUDGETS[made.preset]
    horizons, most = tuple(budget.five_members), max(budget.five_members.values())
    sizes = (len(settings.LOGGED), budget.five_data_sets)
    excess = np.zeros((len(NAMES), len(LEARNERS), len(horizons), *sizes))
    simulator = _truth(*settings.FIVE_ARMS[t])
    players = [_player(word, thetas, made) for word, thetas in settings.THETAS.items()]
    costs = [_play(*one, [simulator], made, horizons, first=DEPLOYED)[:, 0] for one in players]
    for place, rows in enumerate(settings.LOGGED):
        for number in range(budget.five_data_sets):
            seed = int(stream(settings.SEED, "race/five", t, rows, number).integers(2**31))
            ensembles = _ensembles(_log(simulator, rows, seed), seed, most)
            for kind, (one, cost) in enumerate(zip(players, costs, strict=True)):
                picks = _select(*one, ensembles, made)
                for h in range(len(horizons)):
                    paid = cost[picks[:, h], h]
                    excess[:, kind, h, place, number] = paid / cost[:, h].min() - 1.0
    return excess


def _player(word: str, thetas: FloatArray, made: Call) -> tuple[Engine, tuple[ScalarLearner, ...]]:
    """The candidates of one learner, and the engine that plays them."""
    learners = tuple(_learner(word, theta) for theta in thetas)
    return choose(made.engine, learners[0], Gaussian(), arms=5).engine, learners


def _ensembles(log: Log, seed: int, size: int) -> list[list[Simulator]]:
    """The fit as often as an ensemble has members, so that it has as many trials; then those."""
    family = Gaussian()
    made = [maker.make(family, log, size=size, seed=seed) for maker in MAKERS.values()]
    return [[family.fit(log)] * size, *(list(one.simulators) for one in made)]


def _select(
    engine: Engine,
    learners: Sequence[ScalarLearner],
    ensembles: Sequence[Sequence[Simulator]],
    made: Call,
) -> NDArray[np.int64]:  # [strategy, horizon]
    """The candidate that every strategy selects from one log."""
    members = settings.BUDGETS[made.preset].five_members
    picks = np.zeros((len(NAMES), len(members)), dtype=np.int64)
    for size in dict.fromkeys(members.values()):
        places = [place for place, count in enumerate(members.values()) if count == size]
        horizons = tuple(np.array(list(members))[places].tolist())
        together = [one for ensemble in ensembles for one in ensemble[:size]]
        cost = _play(engine, learners, together, made, horizons, first=0, period=size)
        picks[:, places] = _picked(-cost.reshape(len(learners), len(ensembles), size, -1))
    return picks


def _picked(tables: FloatArray) -> NDArray[np.int64]:  # [strategy, horizon]
    """What the fit and every rule on every ensemble select from the scores of their members."""
    picks = [tables[:, 0].mean(axis=1).argmax(axis=0)]
    for at in range(1, tables.shape[1]):
        for rule in RULES.values():
            worth = [rule.worth(tables[:, at, :, h]).argmax() for h in range(tables.shape[3])]
            picks.append(np.array(worth))
    return np.stack(picks)


def _play(
    engine: Engine,
    learners: Sequence[ScalarLearner],
    simulators: Sequence[Simulator],
    made: Call,
    horizons: tuple[int, ...],
    *,
    first: int,
    period: int = 1,
) -> FloatArray:  # [candidate, simulator, horizon]
    """The mean regret of every candidate in every simulator at every horizon.

    Simulators a period apart meet the same random numbers, so ensembles are compared fairly.
    """
    budget = settings.BUDGETS[made.preset]
    truth = first == DEPLOYED
    replications = budget.deployed_replications if truth else budget.five_replications
    tables = Gaussian().tables([one for one in simulators for _ in learners])
    members = np.repeat(first + np.arange(len(simulators)) % period, len(learners))
    work = Work(
        learners=tuple(learners) * len(simulators),
        family=Gaussian(),
        tables=tables,
        members=members,
        replications=np.arange(replications),
        horizon=horizons[-1],
        checkpoints=horizons,
        seed=settings.SEED,
    )
    played = engine.play(work)
    gaps = played.means.max(axis=1, keepdims=True) - played.means  # [cell, arm]
    pulls = played.pulls.mean(axis=3, dtype=np.float64)  # [cell, horizon, arm]
    regret = np.einsum("ca,cha->ch", gaps, pulls)
    return np.swapaxes(regret.reshape(len(simulators), len(learners), -1), 0, 1)


def _learner(word: str, theta: float) -> ScalarLearner:
    return UCB(float(theta)) if word == "ucb" else ThompsonSampling(float(theta))


def _truth(shape: Sequence[float], margin: float, sd: float) -> Simulator:
    return Simulator("gaussian", {"mean": margin * np.array(shape), "sd": np.array(sd)})


def _log(truth: Simulator, rows: int, seed: int) -> Log:
    """A log of the truth, its arms drawn uniformly until all are seen."""
    rng = stream(seed, "race/log")
    arms = rng.integers(5, size=rows)
    while np.unique(arms).size < 5:
        arms = rng.integers(5, size=rows)
    rewards = Gaussian().sample(truth, arms, rng)
    return Log.from_arrays(arms, rewards, arm_names=[f"arm {k + 1}" for k in range(5)])
