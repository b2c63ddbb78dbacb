"""Intervals that cover, conditioning, parameters that cannot be told, and calibrated ensembles."""

from __future__ import annotations

import numpy as np
import pytest
from small_robots import logged, pendulum

from audition.errors import ConfigError, LogError
from audition.identification.cache import CurveCache
from audition.identification.calibration import across_logs, bootstrap, double_bootstrap
from audition.identification.confidence import confidence
from audition.identification.curves import Curves, EpisodeCurve
from audition.identification.identify import identify

OMEGAS = np.array([0.0, 0.5, 1.0, 1.5, 2.0])


def curves(values: np.ndarray, information: np.ndarray | None = None) -> Curves:
    """Flat curves with these estimates [episode, parameter]."""
    told = np.eye(values.shape[1]) if information is None else information
    episodes = [EpisodeCurve(OMEGAS, np.tile(row, (5, 1)), told, 1.0, 100, 10) for row in values]
    names = tuple("abc"[: values.shape[1]])
    return Curves(names, tuple(episodes), low=0.1, high=10.0)


def drawn(seed: int, episodes: int = 20) -> Curves:
    random = np.random.default_rng(seed)
    return curves(random.normal([2.0, 3.0], [0.5, 1.0], size=(episodes, 2)))


def test_intervals_cover_as_often_as_they_say() -> None:
    """400 logs at 90 %: within four standard errors of it (false alarm 6e-5)."""
    inside = np.zeros(2)
    for seed in range(400):
        told = confidence(drawn(seed, episodes=8), level=0.9)
        inside += (told.low <= [2.0, 3.0]) & (told.high >= [2.0, 3.0])
    assert np.abs(inside / 400 - 0.9).max() < 4 * np.sqrt(0.9 * 0.1 / 400)


def test_one_episode_has_no_interval() -> None:
    """The box is all that is known."""
    told = confidence(drawn(0, episodes=1))
    assert (told.low.tolist(), told.high.tolist()) == ([0.1, 0.1], [10.0, 10.0])
    assert np.isnan(told.standard_error).all()
    assert len([s for s in told.unidentified if "hardly tells" in s]) == 2


def test_a_silent_parameter_is_named() -> None:
    """No information at all in the second."""
    told = confidence(curves(np.full((4, 2), 2.0), np.diag([3.0, 0.0])))
    assert [s for s in told.unidentified if "cannot tell 'b'" in s]
    assert told.conditioning == np.inf


def test_parameters_that_only_act_together_are_named_together() -> None:
    """Their sum is known, their difference is not."""
    together = np.array([[1.0, 1.0], [1.0, 1.0]]) + 1e-9 * np.eye(2)
    told = confidence(curves(np.full((4, 2), 1.0), together))
    assert [s for s in told.unidentified if "'a' from 'b'" in s]


def test_a_level_that_is_none_is_refused() -> None:
    """Between 0 and 1."""
    with pytest.raises(ConfigError, match="between 0 and 1"):
        confidence(drawn(0), level=1.0)


def test_bootstrap_members_spread_as_the_mean_of_episodes_does() -> None:
    """The textbook sd of a mean, to 10 % with 2,000 members (six standard errors)."""
    values = drawn(1, episodes=40).corrected
    members = bootstrap(values, size=2000, seed=5)
    expected = values.std(axis=0) / np.sqrt(len(values))
    np.testing.assert_allclose(members.std(axis=0), expected, rtol=0.1)


def test_a_calibrated_ensemble_has_ratio_one() -> None:
    """Independent logs of 20 episodes: within four standard errors of one, but for sqrt(19/20)."""
    found = across_logs([drawn(seed) for seed in range(150)], members=40, seed=0)
    assert np.abs(found.ratio - np.sqrt(19 / 20)).max() < 4 * found.standard_error.max()


def test_the_double_bootstrap_sees_what_few_episodes_do() -> None:
    """The ratio is about sqrt(1 - 1/n): near one for many episodes, clearly below for three."""
    many = double_bootstrap(drawn(2, episodes=40), members=40, resamples=400)
    few = double_bootstrap(drawn(2, episodes=3), members=40, resamples=400)
    np.testing.assert_allclose(many.ratio, np.sqrt(39 / 40), atol=4 * many.standard_error.max())
    assert (few.ratio < 0.95).all()
    assert many.narrow() == ()
    assert len(few.narrow()) == 2
    assert "differ in 'a' by" in few.narrow()[0]
    with pytest.raises(ConfigError, match="at least 2 episodes"):
        double_bootstrap(drawn(2, episodes=1))


def test_curves_that_do_not_fit_together_are_refused() -> None:
    """None at all, or of two sizes."""
    with pytest.raises(LogError, match="at least one episode"):
        Curves(("a",), (), 0.1, 10.0)
    with pytest.raises(LogError, match="2 parameters"):
        Curves(("a", "b"), drawn(0).episodes[:1] + curves(np.ones((1, 3))).episodes, 0.1, 10.0)


def test_estimates_over_a_set_are_clipped_means_of_its_episodes() -> None:
    """With repetition, as resampling has it."""
    found = curves(np.array([[1.0, -5.0], [3.0, -7.0]]))
    np.testing.assert_allclose(found.estimate([0, 1, 1]), [7 / 3, 0.1])
    np.testing.assert_allclose(found.naive_estimate([0, 0]), [1.0, -5.0])


def test_jobs_and_caches_change_nothing(tmp_path, monkeypatch) -> None:
    """One thread or two, from the disk or anew; a cached episode is never fitted again."""
    import audition.identification.identify as module

    family = pendulum()
    log = logged(family, episodes=4)
    settings = family.identification

    def fresh(jobs: int, cache: CurveCache | None = None) -> np.ndarray:
        monkeypatch.setattr(module, "_MEMORY", module._Memory())
        return identify(family.robot, log, settings=settings, jobs=jobs, cache=cache).values

    cache = CurveCache.at(tmp_path / "curves")
    first = fresh(1, cache)
    assert np.array_equal(first, fresh(2))

    def never(*_: object, **__: object) -> None:
        raise AssertionError("a kept episode was fitted again")

    monkeypatch.setattr(module, "episode_curve", never)
    assert np.array_equal(first, fresh(1, cache))
    kept = sorted((tmp_path / "curves").rglob("*.npz"))
    assert len(kept) == 4
    kept[0].write_bytes(b"torn")
    monkeypatch.undo()
    assert np.array_equal(first, fresh(1, CurveCache.at(tmp_path / "curves")))


def test_an_interval_is_wide_by_its_ratio() -> None:
    """Two episodes whose interval is about 0.3 to 4.1, a factor of 13 in a box of 100."""
    told = confidence(curves(np.array([[2.08], [2.38]])), level=0.95)
    assert (told.low[0], told.high[0]) == (
        pytest.approx(0.32, abs=0.01),
        pytest.approx(4.14, abs=0.01),
    )
    assert [s for s in told.unidentified if "hardly tells 'a'" in s]
    narrow = confidence(curves(np.array([[2.1], [2.3]])), level=0.9)
    assert narrow.unidentified == ()


def test_estimates_pressed_against_the_box_are_told() -> None:
    """Beyond an end, or as near to it as a trust region comes; one episode in five is none."""
    pressed = np.array([[0.1000001, 2.0], [-0.3, 2.1], [0.2, 1.9], [0.21, 2.0], [0.19, 12.0]])
    (said,) = [s for s in confidence(curves(pressed)).unidentified if "at an end" in s]
    assert said.startswith("40% of the episodes put 'a' at an end of the box [0.1, 10]: check")
