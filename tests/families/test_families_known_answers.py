"""Families against their laws as SciPy has them, and the promises that all of them keep."""

import math

import numpy as np
import pytest
from scipy import stats

from audition.checks import check_family
from audition.errors import FamilyError
from audition.families.bernoulli import Bernoulli
from audition.families.empirical import Empirical
from audition.families.gamma import Gamma
from audition.families.gaussian import Gaussian
from audition.families.gaussian_per_arm import GaussianPerArm
from audition.families.log_normal import LogNormal
from audition.families.poisson import Poisson
from audition.families.zero_inflated_gamma import ZeroInflatedGamma
from audition.families.zero_inflated_log_normal import ZeroInflatedLogNormal
from audition.family import BanditFamily, Opening
from audition.log import Log
from audition.plugins import build, discover
from audition.seeds import Lanes, stream

FAMILIES = [
    build(plugin, {})
    for plugin in discover().of("families")
    if issubclass(plugin.cls, BanditFamily)
]
ARMS = np.repeat([0, 1], [120, 80])
MANY = 6000


def log(kind: str, *, seed: int = 5) -> Log:
    """Two arms of 120 and 80 rows; the second pays about twice as much."""
    rng = np.random.default_rng(seed)
    level = np.array([1.0, 2.0])[ARMS]
    drawn = {
        "real": lambda: rng.normal(level, level),
        "binary": lambda: (rng.random(200) < level / 4.0) * 1.0,
        "count": lambda: rng.poisson(level) * 1.0,
        "positive": lambda: rng.gamma(2.0, level / 2.0),
        "nonnegative": lambda: rng.gamma(2.0, level / 2.0) * (rng.random(200) < 0.6),
        "logged": lambda: rng.normal(level, 1.0),
    }
    return Log.from_arrays(ARMS, drawn[kind](), arm_names=("a", "b"))


def rewards(family: BanditFamily, simulator, arm: int) -> np.ndarray:
    """What one arm pays in many rounds of a few lanes."""
    opening = Opening(lanes=Lanes.of(range(20)), horizon=MANY // 20, seed=12)
    world = family.open([simulator] * 20, opening=opening)
    return np.concatenate([world.pull(np.full(20, arm)) for _ in range(MANY // 20)])


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_every_built_in_family_keeps_its_promises(family):
    assert all(promise.kept for promise in check_family(family))


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_a_fit_has_the_means_of_the_log(family):
    """For all but log-normal laws the fitted mean is the sample mean, exactly."""
    given = log(family.supports)
    told = family.means(family.fit(given))
    if "log_normal" in family.name:
        assert told == pytest.approx(given.means, rel=0.25)
    else:
        assert told == pytest.approx(given.means, rel=1e-9)


def test_a_gaussian_fit_pools_its_variance_with_a_degree_less_an_arm():
    given = log("real")
    first, second = given.rewards[:120], given.rewards[120:]
    squares = first.var() * 120 + second.var() * 80
    assert Gaussian().fit(given).parameters["sd"] == pytest.approx(math.sqrt(squares / 198))
    own = GaussianPerArm().fit(given).parameters["sd"]
    assert own == pytest.approx([first.std(ddof=1), second.std(ddof=1)])


@pytest.mark.parametrize(
    ("family", "kind", "law"),
    [
        (Gaussian(), "real", lambda p, a: stats.norm(p["mean"][a], p["sd"])),
        (GaussianPerArm(), "real", lambda p, a: stats.norm(p["mean"][a], p["sd"][a])),
        (
            Gamma(),
            "positive",
            lambda p, a: stats.gamma(p["shape"], scale=p["mean"][a] / p["shape"]),
        ),
        (
            LogNormal(),
            "positive",
            lambda p, a: stats.lognorm(p["log_sd"], scale=np.exp(p["log_mean"][a])),
        ),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_rewards_and_likelihood_follow_the_law(family, kind, law):
    given = log(kind)
    simulator = family.fit(given)
    parameters = dict(simulator.parameters)
    for arm in (0, 1):
        assert stats.kstest(rewards(family, simulator, arm), law(parameters, arm).cdf).pvalue > 1e-5
    expected = [
        law(parameters, arm).logpdf(reward)
        for arm, reward in zip(given.arms, given.rewards, strict=True)
    ]
    assert family.log_likelihood(simulator, given) == pytest.approx(np.array(expected), abs=1e-5)


@pytest.mark.parametrize(
    ("family", "kind", "law"),
    [
        (Bernoulli(), "binary", lambda p, a: stats.bernoulli(p["share"][a])),
        (Poisson(), "count", lambda p, a: stats.poisson(p["mean"][a])),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_whole_rewards_have_their_probabilities(family, kind, law):
    """Frequencies within five standard errors of the law's, for each number and arm."""
    given = log(kind)
    simulator = family.fit(given)
    parameters = dict(simulator.parameters)
    for arm in (0, 1):
        paid = rewards(family, simulator, arm)
        for number in range(5):
            chance = law(parameters, arm).pmf(number)
            error = math.sqrt(chance * (1.0 - chance) / MANY)
            assert abs((paid == number).mean() - chance) <= 5.0 * error
    expected = [
        law(parameters, arm).logpmf(reward)
        for arm, reward in zip(given.arms, given.rewards, strict=True)
    ]
    assert family.log_likelihood(simulator, given) == pytest.approx(np.array(expected))


@pytest.mark.parametrize("family", [ZeroInflatedGamma(), ZeroInflatedLogNormal()])
def test_zeros_come_as_often_as_they_were_logged(family):
    given = log("nonnegative")
    simulator = family.fit(given)
    for arm in (0, 1):
        share = (given.rewards[given.arms == arm] == 0.0).mean()
        found = (rewards(family, simulator, arm) == 0.0).mean()
        assert abs(found - share) <= 5.0 * math.sqrt(share * (1 - share) / MANY)


def test_the_empirical_family_pays_logged_rewards_as_often_as_they_were_logged():
    given = Log.from_arrays([0] * 4 + [1] * 2, [1, 1, 1, 5, 2, 3], arm_names=("a", "b"))
    paid = rewards(Empirical(), Empirical().fit(given), 0)
    assert set(np.unique(paid)) == {1.0, 5.0}
    assert abs((paid == 5.0).mean() - 0.25) < 5.0 * math.sqrt(0.25 * 0.75 / MANY)


def test_posteriors_are_conjugate_where_a_book_has_them():
    """Shares of beta draws and spreads of Gaussian ones against their laws."""
    coins, normals = log("binary"), log("real")
    ones = [coins.rewards[coins.arms == arm].sum() for arm in (0, 1)]
    drawn = Bernoulli().posterior(coins, size=800, rng=stream(1, "test"))
    for arm, (count, rows) in enumerate(zip(ones, (120, 80), strict=True)):
        shares = [float(one.parameters["share"][arm]) for one in drawn]
        law = stats.beta(count + 0.5, rows - count + 0.5)
        assert stats.kstest(shares, law.cdf).pvalue > 1e-5
    fitted = Gaussian().fit(normals).parameters
    drawn = Gaussian().posterior(normals, size=800, rng=stream(2, "test"))
    variances = [float(one.parameters["sd"]) ** 2 for one in drawn]
    law = stats.invgamma(99.0, scale=99.0 * float(fitted["sd"]) ** 2)
    assert stats.kstest(variances, law.cdf).pvalue > 1e-5
    students = [
        (float(one.parameters["mean"][1]) - fitted["mean"][1]) / (fitted["sd"] / math.sqrt(80))
        for one in drawn
    ]
    assert stats.kstest(students, stats.t(198).cdf).pvalue > 1e-5


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
@pytest.mark.parametrize("constant", [0.0, 1.0])
def test_constant_rewards_are_fitted_or_refused_in_words(family, constant):
    given = Log.from_arrays([0, 0, 0, 1, 1, 1], [constant] * 6, arm_names=("a", "b"))
    try:
        simulator = family.fit(given)
    except FamilyError as error:
        assert family.name in str(error)
    else:
        assert np.isfinite(rewards(family, simulator, 0)).all()


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_ten_arms_are_as_good_as_two(family):
    ten = log(family.supports)
    given = Log.from_arrays(np.arange(200) % 10, ten.rewards, arm_names=tuple("abcdefghij"))
    simulator = family.fit(given)
    assert family.means(simulator).shape == (10,)
    assert np.isfinite(rewards(family, simulator, 9)).all()
