"""SIMEX undoes the bias of noise in a model where the bias is known."""

from __future__ import annotations

import numpy as np
import pytest
from small_robots import logged, pendulum

from audition.errors import ConfigError
from audition.identification.settings import IdentificationSettings, SimexSettings
from audition.identification.simex import Curve, extrapolation, simex
from audition.mujoco_model.settings import SensorSettings
from audition.trajectories import Episode


def slope(episode: Episode) -> np.ndarray:
    """Regression through the origin, which noise in the states pulls towards zero."""
    x, y = episode.states[:, 0], episode.next_states[:, 0]
    return np.array([x @ y / (x @ x)])


def noisy_line(steps: int, noise: float, seed: int) -> Episode:
    random = np.random.default_rng(seed)
    x = random.normal(size=(steps, 1))
    return Episode(x + noise * random.normal(size=x.shape), np.zeros((steps, 1)), 2.0 * x)


def test_the_trend_of_a_parabola_is_followed_exactly() -> None:
    """Any quadratic in omega is read off at -1."""
    multipliers = np.array([0.0, 0.5, 1.0, 1.5, 2.0])
    values = 3.0 - 0.5 * multipliers + 0.25 * multipliers**2
    assert Curve(multipliers, values[:, None]).corrected == pytest.approx([3.75])
    assert extrapolation(multipliers).sum() == pytest.approx(1.0)


def test_attenuation_shrinks_to_what_a_quadratic_leaves() -> None:
    """slope(omega) = 2 / (1 + (1 + omega) s^2): the corrected value is its quadratic's at -1.

    20,000 points: the standard error is below 0.01; five of them are allowed (false alarm 1e-6).
    """
    noise = 0.5
    curve = simex(slope, noisy_line(20_000, noise, 1), noise=np.array([noise]))
    known = 2.0 / (1.0 + (1.0 + curve.multipliers) * noise**2)
    np.testing.assert_allclose(curve.values[:, 0], known, atol=0.05)
    expected = float(extrapolation(curve.multipliers) @ known)
    assert curve.corrected[0] == pytest.approx(expected, abs=0.1)
    assert abs(curve.corrected[0] - 2.0) < 0.35 * abs(curve.naive[0] - 2.0)


def test_a_curve_depends_on_the_episode_and_the_seed_alone() -> None:
    """The same again; another with another seed; the first point needs no draw."""
    episode = noisy_line(50, 0.3, 2)
    first, again = (simex(slope, episode, noise=np.array([0.3])) for _ in range(2))
    other = simex(slope, episode, noise=np.array([0.3]), settings=SimexSettings(seed=1))
    assert np.array_equal(first.values, again.values)
    assert first.values[0] == other.values[0]
    assert not np.array_equal(first.values, other.values)


def test_one_reading_of_a_state_stays_one_reading() -> None:
    """In a continuous episode the noisy next state is the state that the next step starts from."""
    path = np.random.default_rng(3).normal(size=(9, 2))
    episode = Episode(path[:-1], np.zeros((8, 1)), path[1:])
    seen: list[Episode] = []

    def estimator(copy: Episode) -> np.ndarray:
        seen.append(copy)
        return np.zeros(1)

    simex(estimator, episode, noise=np.ones(2))
    assert all(copy.continuous() for copy in seen)
    assert len(seen) == 1 + 4 * 2  # omega = 0 once, two draws for each of the others
    seen.clear()
    simex(estimator, episode, noise=np.ones(2), settings=SimexSettings(readings="two"))
    assert not any(copy.continuous() for copy in seen[1:])


def test_the_correction_takes_the_bias_out_of_a_robot_s_damping() -> None:
    """Over 12 episodes of a loud sensor it falls to less than half (tab:deeprl-app-fit)."""
    family = pendulum(sensor=SensorSettings(relative=0.15, steps=300))
    curves = family.identify(logged(family, episodes=12))
    truth = np.array([1.5, 1.8])
    naive, corrected = curves.naive_estimate() - truth, curves.estimate() - truth
    assert np.abs(corrected).sum() < 0.5 * np.abs(naive).sum()


@pytest.mark.parametrize(
    "given",
    [{"multipliers": (0.0, 1.0)}, {"multipliers": (0.5, 1.0, 2.0)}, {"draws": 0}],
)
def test_settings_without_a_parabola_are_refused(given: dict[str, object]) -> None:
    """Too few multipliers, none at zero, no draw."""
    with pytest.raises(ConfigError, match="SIMEX needs"):
        IdentificationSettings(simex=SimexSettings(**given))  # type: ignore[arg-type]
