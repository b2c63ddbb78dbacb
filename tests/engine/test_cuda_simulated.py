"""The CUDA engine's kernels, run as plain Python by Numba's simulator, against the plain engine.

A rule in single precision may break a near tie the other way, which sends one run apart for good;
over so few rounds that happens hardly ever, and a kernel that is wrong differs in most runs. Here
every run pulls the same arms, so the tests allow none.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from audition.engine import choose
from audition.families.gaussian import Gaussian
from audition.learner import ScalarLearner
from audition.learners.ucb import UCB
from audition.plugins import discover

HERE = Path(__file__).parent
CLOSE = 2e-6  # of sums of 32 rewards in single precision, relative to their size
RULES = [
    plugin.name
    for plugin in discover().of("learners")
    if issubclass(plugin.cls, ScalarLearner) and plugin.origin == "built in"
]


@pytest.fixture(scope="module")
def played():
    """What a process with the simulator switched on has to say."""
    done = subprocess.run(
        [sys.executable, HERE / "play_on_simulated_cuda.py"],
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("arms", [2, 3])
@pytest.mark.parametrize("rule", RULES)
def test_every_rule_plays_as_on_the_plain_engine(played, rule, arms):
    found = played["rules"][f"{rule} with {arms} arms"]
    assert found["apart"] == 0.0
    assert found["totals"] < CLOSE


def test_nothing_depends_on_how_cells_are_put_into_threads(played):
    for way, found in played["layouts"].items():
        assert found["apart"] == 0.0, way
        assert found["totals"] < CLOSE, way


def test_means_and_covariances_summed_on_the_device_are_those_of_the_plain_engine(played):
    plain, cuda = (np.array(played["moments"][name]) for name in ("plain", "cuda"))
    np.testing.assert_allclose(cuda, plain, rtol=1e-9)


def test_without_a_gpu_the_cpu_plays_and_one_line_says_why():
    choice = choose("cuda", UCB(1.0), Gaussian(), arms=2)
    if choice.engine.name != "cuda":
        assert choice.engine.name == "cpu"
        assert "CUDA" in choice.reason
        assert "\n" not in choice.reason
    else:
        assert choice.reason == ""
