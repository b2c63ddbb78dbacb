"""The same two-arm UCB in other packages' own simulators, where they are installed.

MABWiser's Simulator runs a learner over a recorded log, one row a batch; SMPyBandits plays its
policy against its arms. Both are given what they need to run with today's packages and no more:
SMPyBandits asks SciPy for a function by a name that SciPy has since dropped.
"""

from __future__ import annotations

import contextlib
import io
import logging
import time
import warnings
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import numpy as np

Told = tuple[float | None, str]
"""Decisions per second, if it could be measured, and a word on what was."""

ROWS = 2000  # of MABWiser's log; it slows down as the log grows


def mabwiser(*, horizon: int, theta: float, gap: float, sd: float) -> Told:
    """UCB1 online over a log of uniformly random pulls; an eighth of it trains."""
    try:
        from mabwiser.mab import MAB, LearningPolicy
        from mabwiser.simulator import Simulator
    except ImportError as error:
        return None, f"skipped: {error}"
    rng = np.random.default_rng(1)
    arms = rng.integers(0, 2, ROWS)
    rewards = gap * (arms == 0) + sd * rng.standard_normal(ROWS)
    bandit = ("ucb", MAB([0, 1], LearningPolicy.UCB1(alpha=theta**0.5)))
    shares = {"test_size": 0.875, "batch_size": 1, "is_ordered": True, "is_quick": True}
    with _quietly():
        simulator = Simulator([bandit], arms, rewards, **shares)
        logging.disable(logging.CRITICAL)
        began = time.process_time()
        simulator.run()
        seconds = time.process_time() - began
        logging.disable(logging.NOTSET)
    word = f"{version('mabwiser')}, Simulator with batches of one over {ROWS:,} rows"
    return 0.875 * ROWS / seconds, word


def smpybandits(*, horizon: int, theta: float, gap: float, sd: float) -> Told:
    """UCB(alpha) against Gaussian arms, one run of the whole horizon."""
    try:
        import scipy.special

        if not hasattr(scipy.special, "btdtri"):
            scipy.special.btdtri = scipy.special.betaincinv
        from SMPyBandits.Arms import Gaussian
        from SMPyBandits.Environment import MAB
        from SMPyBandits.Environment.Evaluator import delayed_play
        from SMPyBandits.Policies import UCBalpha
    except ImportError as error:
        return None, f"skipped: {error}"
    arms = [(mean, sd, -100.0, 100.0) for mean in (gap, 0.0)]
    with _quietly():
        environment = MAB({"arm_type": Gaussian, "params": arms})
        policy = UCBalpha(2, alpha=theta)
        began = time.process_time()
        delayed_play(environment, policy, horizon)
        seconds = time.process_time() - began
    return horizon / seconds, f"{version('SMPyBandits')}, one run as its Evaluator plays it"


@contextlib.contextmanager
def _quietly() -> Any:
    with (
        warnings.catch_warnings(),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        warnings.simplefilter("ignore")
        yield


RIVALS: dict[str, Callable[..., Told]] = {"MABWiser": mabwiser, "SMPyBandits": smpybandits}
