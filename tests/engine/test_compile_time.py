"""What the first use of a rule costs, on a machine where nothing is kept yet.

CPU seconds of a fresh process with an empty cache. The promise is three seconds a learner; a busy
machine may take twice its usual CPU time, which the bound of the very first play leaves room for.
"""

from pathlib import Path

import pytest
from fresh_process import said_by

PLAYED = """
import json, time
import numpy as np
from audition.engine import Work
from audition.engine.cpu import CpuEngine
from audition.families.bernoulli import Bernoulli
from audition.learners.beta_thompson import BetaThompson
from audition.learners.kl_ucb import KLUCB
from audition.learners.ucb import UCB
from audition.simulator import Simulator

family, found = Bernoulli(), {}
tables = family.tables([Simulator("bernoulli", {"share": np.array([0.4, 0.6])})])
for learner in (UCB(0.2), KLUCB(), BetaThompson()):
    began = time.process_time()
    work = Work((learner,), family, tables, np.zeros(1), np.arange(16), 40, (40,), 1)
    CpuEngine(threads=1).play(work)
    found[learner.name] = time.process_time() - began
print(json.dumps(found))
"""


def played(cache: Path) -> dict[str, float]:
    places = {"XDG_CACHE_HOME": str(cache), "NUMBA_CACHE_DIR": str(cache / "numba")}
    seconds: dict[str, float] = said_by(PLAYED, places)
    return seconds


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, float], dict[str, float]]:
    cache = tmp_path_factory.mktemp("cache")
    return played(cache), played(cache)


def test_a_rule_compiles_in_three_seconds(twice: tuple[dict[str, float], ...]) -> None:
    first, _ = twice
    assert max(first["kl_ucb"], first["beta_ts"]) < 3.0  # the two heaviest


def test_the_first_play_of_all_compiles_the_walk_too(twice: tuple[dict[str, float], ...]) -> None:
    first, _ = twice
    assert first["ucb"] < 6.0


def test_the_next_process_finds_the_code_kept(twice: tuple[dict[str, float], ...]) -> None:
    first, second = twice
    assert sum(second.values()) < 0.5 * sum(first.values())
