"""The race's quick ensembles are the library's own; regret scales; ratios of a known curve.

Statistical tests compare means of 4,000 members each way and allow four standard errors: a false
alarm in one of 8,000 seeds for each of the eight comparisons.
"""

from collections.abc import Callable
from types import ModuleType

import numpy as np
import pytest

from audition.ensemble import Resampling
from audition.ensembles.empirical import EmpiricalBootstrap
from audition.ensembles.parametric import ParametricBootstrap
from audition.ensembles.perturbed import MeanPerturbation
from audition.ensembles.posterior import PosteriorDraws
from audition.families.gaussian import Gaussian
from audition.log import Log
from audition.surface_grid import Grid

Module = Callable[..., ModuleType]
SIZE = 4000


@pytest.mark.parametrize(
    "maker",
    [ParametricBootstrap("uniform"), EmpiricalBootstrap(), PosteriorDraws(), MeanPerturbation()],
    ids=lambda maker: maker.name,
)
def test_the_race_s_ensembles_have_the_law_of_the_library_s(
    module: Module, maker: Resampling
) -> None:
    strategies = module("strategies", of="race_of_rules")
    log = strategies.draw_log(1.0, 3.0, 25, np.random.default_rng(4))
    quick = strategies.ENSEMBLES[maker.name](log, SIZE, np.random.default_rng(5))
    own = Log.from_arrays(log.arms, log.rewards, arm_names=["a", "b"])
    made = maker.make(Gaussian(), own, size=SIZE, seed=6).simulators
    means = np.stack([one.parameters["mean"] for one in made])
    sds = np.array([float(one.parameters["sd"]) for one in made])
    for ours, theirs in ((quick[0], means[:, 0] - means[:, 1]), (quick[1], sds)):
        error = np.hypot(ours.std(), theirs.std()) / np.sqrt(SIZE)
        assert abs(ours.mean() - theirs.mean()) <= 4.0 * error + 1e-9
        assert ours.std() == pytest.approx(theirs.std(), rel=0.1, abs=1e-9)


def test_regret_of_a_bandit_is_sigma_times_that_of_the_unit_bandit(module: Module) -> None:
    unit = module("unit_bandits", of="race_of_rules")
    logs = {"margin": np.log([0.1, 1.0]), "theta": np.log([0.1, 10.0])}
    table = unit.UnitRegret(Grid.of(logs), np.array([[1.0], [2.0], [3.0], [4.0]]), "cpu")
    thetas = np.array([0.1, 1.0, 10.0])
    one = table.of(np.array([0.5]), np.array([1.0]), thetas)
    three = table.of(np.array([-1.5]), np.array([3.0]), 9.0 * thetas)
    assert np.allclose(three, 3.0 * one)


def test_the_ratio_of_a_parabola_is_that_of_its_two_distances(module: Module) -> None:
    curves = module("curves", of="asymmetry")
    # e(c) grows as (c - 1/2)^2, so half is 1/16 away and twice is 1/4 away.
    regret = 5.0 + (curves.ALL - 0.5) ** 2
    assert curves.ALL[curves.best_of(regret)] == pytest.approx(0.5)
    assert curves.ratio(regret) == pytest.approx(0.25, rel=0.02)
    steep = 5.0 + np.where(curves.ALL < 0.5, 9.0, 1.0) * (curves.ALL - 0.5) ** 2
    assert curves.ratio(steep) == pytest.approx(2.25, rel=0.02)
