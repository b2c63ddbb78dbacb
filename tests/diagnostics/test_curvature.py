"""The curvature diagnostic against functions whose derivatives are known."""

import numpy as np
import pytest
from numpy.typing import NDArray

from audition.diagnostics import curvature, curvature_on_surface
from audition.errors import ScoreError
from audition.surface import Surface
from audition.surface_grid import Grid

FloatArray = NDArray[np.float64]

FITTED = np.array([1.0, 3.0])
GRADIENT = np.array([[0.5, -2.0], [0.0, 1.0]])
HESSIAN = np.array([[[2.0, 0.5], [0.5, -1.0]], [[-4.0, 0.0], [0.0, 0.25]]])
COVARIANCE = np.array([[0.09, 0.02], [0.02, 0.04]])


def quadratic(points: FloatArray) -> FloatArray:  # [candidate, point]
    """Two candidates' scores with the gradient and Hessian above."""
    steps = points - FITTED
    bent = 0.5 * np.einsum("pi,cij,pj->cp", steps, HESSIAN, steps)
    return np.asarray(GRADIENT @ steps.T + bent)


def members(size: int, seed: int = 1) -> FloatArray:
    """Simulators around the fitted one."""
    return np.random.default_rng(seed).multivariate_normal(FITTED, COVARIANCE, size)


def test_regression_finds_the_derivatives_of_a_quadratic() -> None:
    points = members(60)
    found = curvature(points, quadratic(points), fitted=FITTED, fitted_scores=[0.0, 0.0])
    assert np.allclose(found.gradient, GRADIENT)
    assert np.allclose(found.hessian, HESSIAN)
    assert np.allclose(found.predicted, 0.5 * np.einsum("cij,ji->c", HESSIAN, found.sigma))
    assert np.allclose(found.remainder, 0.0, atol=1e-9)
    assert np.allclose(found.bound, 0.0, atol=1e-9)


def test_the_expansion_does_not_depend_on_the_units_of_parameters() -> None:
    points, units = members(80), np.array([1e4, 1e-6])
    scores = quadratic(points) + 0.3 * (points[:, 0] - 1.0) ** 3
    plain = curvature(points, scores, fitted=FITTED, fitted_scores=[0.0, 0.0])
    other = curvature(points * units, scores, fitted=FITTED * units, fitted_scores=[0.0, 0.0])
    assert np.allclose(plain.predicted, other.predicted)
    assert np.allclose(plain.bound, other.bound)
    assert np.allclose(plain.hessian, other.hessian * np.outer(units, units))


def test_the_bound_of_a_cubic_in_one_parameter_is_its_third_derivative() -> None:
    steps = np.random.default_rng(2).normal(0.0, 0.5, 50)
    found = curvature(steps, 2.0 * steps**3, fitted=[0.0], fitted_scores=[0.0])
    assert found.bound[0] == pytest.approx(12.0 / 6.0 * (np.abs(steps) ** 3).mean())
    assert abs(found.remainder[0]) <= found.bound[0]


def test_few_members_give_no_bound_but_a_quadratic() -> None:
    points = members(12)
    found = curvature(points, quadratic(points), fitted=FITTED, fitted_scores=[0.0, 0.0])
    assert np.allclose(found.hessian, HESSIAN)
    assert np.isnan(found.bound).all()


def test_too_few_members_for_a_quadratic_are_refused() -> None:
    points = members(5)
    with pytest.raises(ScoreError, match="needs more members"):
        curvature(points, quadratic(points), fitted=FITTED, fitted_scores=[0.0, 0.0])


def test_shapes_that_do_not_fit_are_refused_with_what_came() -> None:
    with pytest.raises(ScoreError, match="their shapes are"):
        curvature(members(30), quadratic(members(20)), fitted=FITTED, fitted_scores=[0.0, 0.0])


def test_members_that_never_move_have_no_direction() -> None:
    with pytest.raises(ScoreError, match="no direction"):
        curvature(np.ones((9, 2)), np.zeros((1, 9)), fitted=[1.0, 1.0], fitted_scores=[0.0])


def test_a_parameter_that_never_moves_has_no_part() -> None:
    points = members(60)
    points[:, 1] = FITTED[1]
    found = curvature(points, quadratic(points), fitted=FITTED, fitted_scores=[0.0, 0.0])
    assert found.scales.shape == (2, 1)
    assert np.allclose(found.predicted, 0.5 * HESSIAN[:, 0, 0] * found.sigma[0, 0])


def test_directions_sum_to_the_difference_and_the_largest_comes_first() -> None:
    points = members(60)
    found = curvature(
        points,
        quadratic(points),
        fitted=FITTED,
        fitted_scores=[0.0, 0.0],
        names=["margin", "sd"],
        candidates=["bold", "shy"],
    )
    parts = [one.contribution for one in found.directions("bold", "shy")]
    assert sum(parts) == pytest.approx(found.predicted[0] - found.predicted[1])
    assert abs(parts[0]) >= abs(parts[1])
    # bold less shy bends by 6 along the margin and by 1.25 along the sd, whose variance is smaller
    first = found.directions("bold", "shy")[0].move
    assert abs(first["margin"]) / 0.3 > abs(first["sd"]) / 0.2


def test_the_error_of_a_noisy_prediction_covers_the_truth() -> None:
    # 200 predictions from noisy scores; a right error leaves 95 % within two of it. The count
    # within is binomial with a standard deviation of 3, and 178 is four of them below: a false
    # alarm comes less than once in ten thousand seeds.
    rng, hits = np.random.default_rng(3), 0
    for seed in range(200):
        points = members(60, seed)
        noisy = quadratic(points) + rng.normal(0.0, 0.05, (2, 60))
        found = curvature(points, noisy, fitted=FITTED, fitted_scores=[0.0, 0.0])
        truth = 0.5 * np.einsum("cij,ji->c", HESSIAN, found.sigma)
        hits += abs(found.predicted[0] - truth[0]) <= 2.0 * found.predicted_error[0]
    assert hits >= 178


def table(score: FloatArray) -> Surface:
    """A surface of two candidates without noise, on a fine grid."""
    return Surface({}, ("bold", "shy"), GRID, score, np.zeros((GRID.size, 2, 2)), 1)


GRID = Grid.of({"margin": np.linspace(-1.0, 3.0, 81), "sd": np.linspace(1.0, 5.0, 81)})


def test_differences_on_a_surface_find_the_derivatives_of_a_quadratic() -> None:
    points = members(4000)
    found = curvature_on_surface(
        table(quadratic(GRID.points).T), fitted=FITTED, parameters=points, step=[0.1, 0.1]
    )
    assert np.allclose(found.gradient, GRADIENT)
    assert np.allclose(found.hessian, HESSIAN)
    assert np.allclose(found.bound, 0.0, atol=1e-8)
    # linear pieces of width h overstate the mean of a quadratic by h^2 / 12 of its bends at most
    slack = 0.05**2 / 8.0 * np.abs(HESSIAN).sum(axis=(1, 2))
    assert (np.abs(found.remainder) <= slack).all()


def test_the_bound_holds_on_a_surface_of_constant_third_derivative() -> None:
    points = members(4000)
    steps = GRID.points - FITTED
    scores = quadratic(GRID.points) + 0.4 * steps[:, 0] ** 3
    found = curvature_on_surface(table(scores.T), fitted=FITTED, parameters=points)
    assert (found.bound > 0.0).all()
    assert (np.abs(found.remainder) <= found.bound).all()


def test_differences_that_leave_the_surface_are_refused() -> None:
    surface = table(quadratic(GRID.points).T)
    with pytest.raises(ScoreError, match="leave the surface"):
        curvature_on_surface(surface, fitted=[2.9, 3.0], parameters=members(50))
