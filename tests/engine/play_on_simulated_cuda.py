"""Plays small work on Numba's CUDA simulator and on the plain engine, and prints how they differ.

Run by the tests in a process of its own: the simulator is chosen by an environment variable before
Numba is first imported.
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from audition.engine import Engine, Work
from audition.engine.cuda import CudaEngine
from audition.engine.plain import PlainEngine
from audition.families.bernoulli import Bernoulli
from audition.families.empirical import Empirical
from audition.families.gaussian import Gaussian
from audition.family import BanditFamily, Tables
from audition.learner import Hints, ScalarLearner
from audition.plugins import discover
from audition.simulator import Simulator

HINTS = Hints(noise=1.0, gap=0.5, arms=2, horizon=100)


def learners(cls: type[ScalarLearner]) -> tuple[ScalarLearner, ...]:
    """Three settings, so that cells of a thread differ."""
    return tuple(cls.grid(HINTS)[:3])


def simulators(family: BanditFamily, arms: int) -> list[Simulator]:
    """Two simulators, the last arm the best."""
    share = np.linspace(0.3, 0.8, arms)
    if family.name == "bernoulli":
        return [Simulator("bernoulli", {"share": share * scale}) for scale in (1.0, 0.7)]
    if family.name == "empirical":
        rewards = np.arange(4.0)[None, :] + share[:, None]
        entries = np.full(arms, 4.0)
        return [
            Simulator("empirical", {"entries": entries, "rewards": rewards * scale})
            for scale in (1.0, 0.5)
        ]
    sds = np.array(1.0), np.array(2.0)
    return [Simulator("gaussian", {"mean": 5.0 + share, "sd": sd}) for sd in sds]


def work(
    rules: tuple[ScalarLearner, ...], family: BanditFamily, *, arms: int, members: bool
) -> Work:
    """Every rule in every simulator; simulators are members of their own, or share their draws."""
    tables = family.tables(simulators(family, arms))
    size = len(rules)
    return Work(
        learners=rules * 2,
        family=family,
        tables=Tables(
            *(np.repeat(p, size, axis=0) for p in (tables.columns, tables.entries, tables.means))
        ),
        members=np.repeat([4, 9] if members else [4, 4], size),
        replications=np.array([0, 1, 2, 70_000, 2**32 - 1]),
        horizon=32,
        checkpoints=(1, 4, 29, 32),
        seed=3,
    )


def differences(job: Work, engine: Engine) -> dict[str, float]:
    """The share of runs that pulled other arms, and how far apart the rewards of the others are."""
    plain, played = PlainEngine().play(job), engine.play(job)
    apart = (plain.pulls != played.pulls).any(axis=(1, 2), keepdims=True)
    totals = np.abs(plain.totals - played.totals) / np.maximum(np.abs(plain.totals), 1.0)
    return {"apart": float(apart.mean()), "totals": float(np.where(apart, 0.0, totals).max())}


def all_rules() -> Iterator[tuple[str, dict[str, float]]]:
    """Every built-in rule with two arms and with three."""
    for plugin in discover().of("learners"):
        if issubclass(plugin.cls, ScalarLearner) and plugin.origin == "built in":
            family = Bernoulli() if plugin.cls.needs == "unit" else Gaussian()
            for arms in (2, 3):
                job = work(learners(plugin.cls), family, arms=arms, members=True)
                yield f"{plugin.name} with {arms} arms", differences(job, CudaEngine())


def ways_to_lay_out() -> Iterator[tuple[str, dict[str, float]]]:
    """The same work with fewer and more cells to a thread."""
    from audition.learners.ucb import UCB

    rules = tuple(UCB(theta) for theta in (0.5, 1.0, 2.0, 3.0, 4.0))
    job = work(rules, Gaussian(), arms=2, members=False)
    for room in (1, 3, 5, 16):
        yield f"{room} cells to a thread", differences(job, CudaEngine(room=room))
    uneven = job.of_cells(np.array([8, 0, 1, 2, 3, 4, 6]))
    yield "uneven cells", differences(uneven, CudaEngine())
    many = replace(job, replications=np.arange(70))
    yield "two blocks", differences(many.of_cells(np.array([0, 5])), CudaEngine())
    table = work(rules[:2], Empirical(), arms=3, members=True)
    yield "rewards from a table", differences(table, CudaEngine())


def moments() -> dict[str, list[float]]:
    """Means and covariances of the regret on both engines."""
    from audition.learners.thompson import ThompsonSampling

    rules = ThompsonSampling(1.0), ThompsonSampling(2.0), ThompsonSampling(4.0)
    job = replace(
        work(rules, Gaussian(), arms=2, members=True),
        replications=np.arange(24),
        horizon=20,
        checkpoints=(20,),
    )
    found = {}
    for engine in (PlainEngine(), CudaEngine()):
        told = engine.moments(job)
        spread = np.concatenate([part.ravel() for part in told.covariances])
        found[engine.name] = [*told.means.tolist(), *spread.tolist()]
    return found


if __name__ == "__main__":
    played = {"rules": dict(all_rules()), "layouts": dict(ways_to_lay_out())}
    json.dump({**played, "moments": moments()}, sys.stdout)
