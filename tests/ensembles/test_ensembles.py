"""Members that a log could have come from: their spread, what they resample, what they refuse."""

import math

import numpy as np
import pytest
from scipy import stats

from audition.checks import check_resampling
from audition.ensemble import TRIES, default_ensemble, resample
from audition.ensembles.empirical import EmpiricalBootstrap
from audition.ensembles.parametric import ParametricBootstrap
from audition.ensembles.perturbed import MeanPerturbation
from audition.ensembles.plug_in import PlugIn
from audition.ensembles.posterior import PosteriorDraws
from audition.errors import ConfigError, FamilyError, LogError
from audition.families.bernoulli import Bernoulli
from audition.families.empirical import Empirical
from audition.families.gaussian import Gaussian
from audition.log import Log
from audition.plugins import discover
from audition.seeds import stream

SPREADING = (EmpiricalBootstrap(), ParametricBootstrap(), MeanPerturbation(), PosteriorDraws())


def log(rows: int, *, clusters=None, seed: int = 3) -> Log:
    rng = np.random.default_rng(seed)
    arms = np.arange(rows) % 2
    return Log.from_arrays(arms, rng.normal(arms, 2.0), arm_names=("a", "b"), clusters=clusters)


def means(ensemble) -> np.ndarray:  # [member, arm]
    return np.stack([one.parameters["mean"] for one in ensemble.simulators])


@pytest.mark.parametrize("plugin", discover().of("ensembles"), ids=lambda plugin: plugin.name)
def test_every_built_in_ensemble_keeps_its_promises(plugin):
    assert all(promise.kept for promise in check_resampling(plugin.cls))


@pytest.mark.parametrize("resampling", SPREADING, ids=lambda one: one.name)
def test_the_spread_of_means_is_the_error_of_a_mean_and_shrinks_as_one_over_the_root(resampling):
    """sd / sqrt(n) for logs of 64 and of 4,096 rows. An estimate from 400 members is off by
    1/sqrt(800) = 3.5 %, so five of them are 18 %; a small log adds Student's 2 % to some."""
    for rows in (64, 4096):
        given = log(rows)
        made = resampling.make(Gaussian(), given, size=400, seed=2)
        expected = float(Gaussian().fit(given).parameters["sd"]) / math.sqrt(rows / 2)
        spread = means(made).std(axis=0, ddof=1)
        own = np.array([given.rewards[given.arms == arm].std() for arm in (0, 1)])
        expected = own / math.sqrt(rows / 2) if resampling.name == "empirical" else expected
        assert spread == pytest.approx(np.broadcast_to(expected, 2), rel=0.22)
        centre = means(made).mean(axis=0) - given.means
        assert (np.abs(centre) < 5.0 * expected / math.sqrt(400)).all()


def test_mean_perturbation_is_the_papers_equation():
    """eq:perturbed-bandit: each mean moved by sd / sqrt(count) times a standard normal; the
    standard deviation stays."""
    given = log(300)
    fitted = Gaussian().fit(given)
    made = MeanPerturbation().make(Gaussian(), given, size=500, seed=1)
    assert {float(one.parameters["sd"]) for one in made.simulators} == {
        float(fitted.parameters["sd"])
    }
    error = float(fitted.parameters["sd"]) / np.sqrt(given.counts)
    z = (means(made) - fitted.parameters["mean"]) / error
    assert stats.kstest(z.ravel(), "norm").pvalue > 1e-5
    assert abs(np.corrcoef(z.T)[0, 1]) < 5.0 / math.sqrt(500)


def test_mean_perturbation_needs_means_and_deviations():
    given = Log.from_arrays([0, 1] * 9, [0.0, 1.0] * 9, arm_names=("a", "b"))
    with pytest.raises(FamilyError, match="use the empirical or parametric bootstrap"):
        MeanPerturbation().make(Bernoulli(), given, size=3, seed=1)


def test_the_empirical_bootstrap_draws_clusters_whole():
    """Ten clusters whose rows are alike: the mean varies as a mean of ten numbers."""
    rng = np.random.default_rng(4)
    clusters = np.repeat(np.arange(10), 40)
    level = rng.normal(size=10)
    arms = np.tile([0, 1], 200)
    rewards = level[clusters] + rng.normal(0.0, 0.01, 400)
    together = Log.from_arrays(arms, rewards, arm_names=("a", "b"), clusters=clusters)
    apart = Log.from_arrays(arms, rewards, arm_names=("a", "b"))
    wide, narrow = (
        means(EmpiricalBootstrap().make(Gaussian(), one, size=300, seed=5)).std(axis=0)[0]
        for one in (together, apart)
    )
    assert wide == pytest.approx(level.std() / math.sqrt(10), rel=0.25)
    assert narrow == pytest.approx(level.std() / math.sqrt(200), rel=0.25)


def test_a_resample_has_as_many_units_and_no_row_without_its_cluster():
    clusters = np.repeat(np.arange(8), [1, 2, 3, 4, 5, 6, 7, 8])
    given = log(36, clusters=clusters)
    drawn = resample(given, stream(1, "test"))
    sizes = sorted(np.bincount(drawn.clusters).tolist())
    assert len(sizes) == 8
    assert set(sizes) <= set(range(1, 9))
    known = set(zip(given.arms.tolist(), given.rewards.tolist(), strict=True))
    assert set(zip(drawn.arms.tolist(), drawn.rewards.tolist(), strict=True)) <= known


def test_a_draw_that_loses_an_arm_is_drawn_again_and_said():
    """An arm with one row of forty is lost by a resample with probability 0.36."""
    arms = np.array([0] * 39 + [1])
    given = Log.from_arrays(arms, np.random.default_rng(1).normal(size=40), arm_names=("a", "b"))
    made = EmpiricalBootstrap().make(Gaussian(), given, size=200, seed=6)
    lost = (39 / 40) ** 40
    expected = 200 * lost / (1.0 - lost)
    assert abs(made.redrawn - expected) < 5.0 * math.sqrt(200 * lost) / (1.0 - lost)
    assert made.stratified == 0
    assert "drawn again" in made.warnings[0]
    assert all(np.isfinite(means(made)).ravel())


def test_where_no_resample_keeps_every_arm_the_arms_are_drawn_one_by_one():
    arms = np.array([0] * 30 + list(range(1, 30)))
    names = tuple(f"arm {number}" for number in range(30))
    given = Log.from_arrays(arms, np.random.default_rng(1).normal(size=59), arm_names=names)
    made = EmpiricalBootstrap().make(Gaussian(), given, size=2, seed=6)
    assert made.stratified == 2
    assert f"{TRIES} resamples in a row lost an arm" in made.warnings[0]


@pytest.mark.parametrize("plugin", discover().of("ensembles"), ids=lambda plugin: plugin.name)
def test_an_arm_that_was_never_pulled_is_refused_with_what_to_do(plugin):
    given = Log.from_arrays([0] * 9, np.arange(9.0), arm_names=("a", "b"))
    with pytest.raises((LogError, FamilyError), match="b"):
        plugin.cls().make(Gaussian(), given, size=3, seed=1)


@pytest.mark.parametrize(
    ("behavior", "shares"),
    [("observed", (0.75, 0.25)), ("uniform", (0.5, 0.5)), ((0.1, 0.9), (0.1, 0.9))],
)
def test_the_parametric_bootstrap_draws_arms_by_the_behaviour_it_is_told(behavior, shares):
    """The mean of an arm varies as that of the rows it is given: sd^2 E[1/count]."""
    arms = np.array([0] * 300 + [1] * 100)
    given = Log.from_arrays(arms, np.random.default_rng(2).normal(size=400), arm_names=("a", "b"))
    made = ParametricBootstrap(behavior).make(Gaussian(), given, size=400, seed=7)
    sd = float(Gaussian().fit(given).parameters["sd"])
    expected = [sd / math.sqrt(400 * share) for share in shares]
    assert means(made).std(axis=0, ddof=1) == pytest.approx(expected, rel=0.2)


def test_the_parametric_bootstrap_can_hold_the_counts():
    """No resample can lose the arm of one row, which a multinomial draw does 36 times in 100."""
    arms = np.array([0] * 39 + [1])
    given = Log.from_arrays(arms, np.random.default_rng(1).normal(size=40), arm_names=("a", "b"))
    assert ParametricBootstrap("counts").make(Gaussian(), given, size=50, seed=1).redrawn == 0
    assert ParametricBootstrap().make(Gaussian(), given, size=50, seed=1).redrawn > 0


@pytest.mark.parametrize(
    "behavior", ["sometimes", (0.5,), (-0.1, 1.1), (), (0.0, 0.0), (math.nan, 1.0), (math.inf, 1.0)]
)
def test_a_behaviour_that_is_none_is_refused(behavior):
    with pytest.raises(ConfigError, match="behaviour of a parametric bootstrap"):
        ParametricBootstrap(behavior).make(Gaussian(), log(20), size=2, seed=1)


def test_plug_in_is_the_ensemble_of_one_whatever_is_asked_for():
    made = PlugIn().make(Gaussian(), log(20), size=50, seed=9)
    assert made.size == 1
    assert made.simulators[0].digest == Gaussian().fit(log(20)).digest


def test_clusters_and_the_family_decide_the_default():
    assert default_ensemble(Gaussian(), log=log(20)) == "posterior"
    assert default_ensemble(Gaussian(), log=log(20, clusters=np.arange(20) // 2)) == "empirical"


def test_an_ensemble_that_holds_rows_independent_says_so_of_a_log_with_clusters():
    given = log(40, clusters=np.arange(40) // 4)
    for resampling in (ParametricBootstrap(), MeanPerturbation(), PosteriorDraws()):
        made = resampling.make(Gaussian(), given, size=3, seed=1)
        assert "declares 10 clusters" in made.warnings[0]
    assert EmpiricalBootstrap().make(Gaussian(), given, size=3, seed=1).warnings == ()


def test_the_bayesian_bootstrap_spreads_like_the_bootstrap():
    given = log(400)
    made = PosteriorDraws().make(Empirical(), given, size=300, seed=4)
    told = np.stack([Empirical().means(one) for one in made.simulators])
    own = np.array([given.rewards[given.arms == arm].std() for arm in (0, 1)])
    assert told.std(axis=0) == pytest.approx(own / math.sqrt(200), rel=0.22)
