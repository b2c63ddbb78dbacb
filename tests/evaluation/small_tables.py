"""Small tables that were filled, and ways to say that two of them are the same to the bit."""

from typing import Any

import numpy as np

from audition.ensemble import Ensemble
from audition.evaluation import Evaluation, evaluate
from audition.families.gaussian import Gaussian
from audition.learner import Candidate
from audition.learners.epsilon_greedy import EpsilonGreedy
from audition.learners.thompson import ThompsonSampling
from audition.learners.ucb import UCB
from audition.objective import CumulativeReward, Regret
from audition.simulator import Simulator

RULES = (UCB(1.0), ThompsonSampling(0.5), EpsilonGreedy(0.1), UCB(4.0))


def simulator(means: tuple[float, ...] = (0.0, 0.5, 1.0), sd: float = 1.0) -> Simulator:
    return Simulator("gaussian", {"mean": np.array(means), "sd": np.array(sd)})


def ensemble(size: int = 5, *, arms: int = 3, seed: int = 4) -> Ensemble:
    rng = np.random.default_rng(seed)
    return Ensemble("drawn", tuple(simulator(tuple(rng.normal(size=arms))) for _ in range(size)))


def fill(
    learners: Any = RULES, where: Ensemble | None = None, *, horizon: int = 40, **changed: Any
) -> Evaluation:
    given: dict[str, Any] = {
        "objectives": (Regret(), CumulativeReward()),
        "replications": 8,
        "seed": 3,
        "engine": "plain",
    }
    candidates = [one if isinstance(one, Candidate) else Candidate.of(one) for one in learners]
    return evaluate(
        candidates, where or ensemble(), Gaussian(), horizon=horizon, **{**given, **changed}
    )


def same(one: Evaluation, other: Evaluation) -> bool:
    return all(
        np.array_equal(getattr(table, part), getattr(other.scores[name], part), equal_nan=True)
        for name, table in one.scores.items()
        for part in ("mean", "spread", "valid", "invalid")
    )
