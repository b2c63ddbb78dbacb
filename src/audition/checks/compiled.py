"""Whether the two levels of a scalar plug-in agree: as it stands on NumPy, and compiled.

The plain engine counts in double precision and the compiled one in single, so a near tie may fall
the other way and the two runs then part for good. Over 60 rounds that happens in a handful of
replications at most; a rule or a reward that means something else when compiled differs in most.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from audition.engine import Work, choose
from audition.engine.plain import PlainEngine
from audition.errors import EngineError, PluginError
from audition.families.bernoulli import Bernoulli
from audition.families.gaussian import Gaussian
from audition.family import BanditFamily
from audition.learner import ScalarLearner
from audition.learners.explore_then_commit import ExploreThenCommit
from audition.simulator import Simulator

ROUNDS: Final = 60
REPLICATIONS: Final = 64
MOST_APART: Final = 0.1  # share of replications that rounding may send another way
CLOSE: Final = 1e-4  # of rewards in single precision, relative to their size


def learner_agrees(learner: ScalarLearner) -> str:
    """How the compiled rule differs from the plain one, if it does."""
    if learner.needs == "unit":
        family: BanditFamily = Bernoulli()
        simulator = Simulator(family.name, {"share": np.array([0.3, 0.5, 0.7])})
    else:
        family = Gaussian()
        parameters = {"mean": np.array([0.0, 0.6, 1.0]), "sd": np.array(1.0)}
        simulator = Simulator(family.name, parameters)
    plain, compiled = _both(learner, family, simulator)
    apart = float((plain.pulls != compiled.pulls).any(axis=(0, 1, 2)).mean())
    if apart > MOST_APART:
        return (
            f"{apart:.0%} of the runs pulled other arms; write the rule with audition.scalars only"
        )
    return ""


def family_agrees(family: BanditFamily, simulator: Simulator) -> str:
    """How the compiled reward differs from the plain one, if it does."""
    plain, compiled = _both(ExploreThenCommit(each=ROUNDS), family, simulator)
    size = max(float(np.abs(plain.totals).max()), 1.0)
    apart = np.abs(plain.totals - compiled.totals) > CLOSE * size
    share = float(apart.any(axis=(0, 1, 2)).mean())
    if share > MOST_APART:
        return f"{share:.0%} of the runs paid otherwise; write reward with audition.scalars only"
    return ""


def _both(learner: ScalarLearner, family: BanditFamily, simulator: Simulator) -> Any:
    tables = family.tables([simulator])
    work = Work(
        learners=(learner,),
        family=family,
        tables=tables,
        members=np.zeros(1, dtype=np.int64),
        replications=np.arange(REPLICATIONS, dtype=np.int64),
        horizon=ROUNDS,
        checkpoints=(ROUNDS,),
        seed=7,
    )
    chosen = choose("cpu", learner, family, arms=tables.means.shape[1])
    if chosen.engine.name != "cpu":
        raise PluginError(chosen.reason)
    try:
        return PlainEngine().play(work), chosen.engine.play(work)
    except EngineError as error:
        raise PluginError(f"it does not compile: {error}") from error
