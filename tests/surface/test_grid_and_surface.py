"""Surfaces: interpolation, errors, files, and the same answer as fresh trials."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from audition.engine.cpu import CpuEngine
from audition.engine.plain import PlainEngine
from audition.engine.work import Engine
from audition.errors import ConfigError, EngineError, StoreError
from audition.families.gaussian import Gaussian
from audition.learner import Candidate
from audition.learners.ucb import UCB
from audition.rules.mean import Mean
from audition.selection import Panel, judge
from audition.simulator import Simulator
from audition.surface import Surface
from audition.surface_choice import best_in_fit, best_on_average
from audition.surface_file import Partial, keep, load, save
from audition.surface_grid import Grid
from audition.surface_measure import Plan, measure

FloatArray = NDArray[np.float64]
GRID = Grid.of({"margin": [0.5, 1.0, 2.0], "sd": [1.0, 3.0]})


def bandit(point: FloatArray) -> Simulator:
    """The two-armed bandit of a grid point."""
    return Simulator("gaussian", {"mean": np.array([point[0], 0.0]), "sd": np.array(point[1])})


def plan(seed: int = 1, replications: int = 64) -> Plan:
    """Three levels of exploration over six bandits."""
    return Plan(
        candidates=tuple(Candidate(f"{theta}", UCB(theta)) for theta in (0.5, 2.0, 8.0)),
        grid=GRID,
        family=Gaussian(),
        simulator=bandit,
        horizon=200,
        replications=replications,
        seed=seed,
    )


@pytest.fixture(scope="module")
def surface() -> Surface:
    """One small surface, measured once."""
    return measure(plan(), engine=CpuEngine())


# -- interpolation -------------------------------------------------------------------------------


@given(
    weights=st.lists(st.floats(-5, 5), min_size=4, max_size=4),
    point=st.tuples(st.floats(0.5, 2.0), st.floats(1.0, 3.0)),
)
@settings(max_examples=60, deadline=None)
def test_a_bilinear_function_is_read_exactly(
    weights: list[float], point: tuple[float, float]
) -> None:
    def value(at: FloatArray) -> FloatArray:
        x, y = at[..., 0], at[..., 1]
        return np.asarray(weights[0] + weights[1] * x + weights[2] * y + weights[3] * x * y)

    read = GRID.read(value(GRID.points)[:, None], [point])[0, 0]
    assert read == pytest.approx(float(value(np.array(point))), abs=1e-9)


@given(point=st.tuples(st.floats(-9.0, 9.0), st.floats(-9.0, 9.0)))
@settings(max_examples=60, deadline=None)
def test_a_point_outside_is_moved_to_the_nearest_point_of_the_grid(
    point: tuple[float, float],
) -> None:
    table = np.random.default_rng(4).normal(size=(GRID.size, 2))
    clipped = np.clip(point, [0.5, 1.0], [2.0, 3.0])
    assert np.array_equal(GRID.read(table, [point]), GRID.read(table, [clipped]))
    assert bool(GRID.outside([point])[0]) == bool(np.any(clipped != np.array(point)))


def test_the_mean_over_sets_is_the_mean_of_what_is_read() -> None:
    rng = np.random.default_rng(5)
    table, points = rng.normal(size=(GRID.size, 3)), rng.uniform(-1.0, 4.0, (7, 50, 2))
    one_by_one = np.stack([GRID.read(table, members).mean(axis=0) for members in points])
    assert np.allclose(GRID.mean(table, points), one_by_one)


@pytest.mark.parametrize("axes", [1, 3])
def test_the_mean_over_sets_is_so_on_any_number_of_axes(axes: int) -> None:
    rng = np.random.default_rng(8)
    grid = Grid.of({f"axis {k}": np.sort(rng.uniform(0.0, 3.0, 4 + k)) for k in range(axes)})
    table, points = rng.normal(size=(grid.size, 2)), rng.uniform(-1.0, 4.0, (5, 40, axes))
    one_by_one = np.stack([grid.read(table, members).mean(axis=0) for members in points])
    assert np.allclose(grid.mean(table, points), one_by_one)


def test_an_axis_of_one_value_is_held() -> None:
    line = Grid.of({"margin": [1.0, 2.0], "sd": [3.0]})
    assert line.read(np.array([[10.0], [20.0]]), [[1.5, 99.0]])[0, 0] == pytest.approx(15.0)


@pytest.mark.parametrize("values", [[2.0, 1.0], [1.0, 1.0], [], [1.0, float("nan")]])
def test_an_axis_must_rise_and_be_finite(values: list[float]) -> None:
    with pytest.raises(ConfigError, match="margin"):
        Grid.of({"margin": values, "sd": [1.0]})


def test_points_of_the_wrong_width_are_refused(surface: Surface) -> None:
    with pytest.raises(ConfigError, match="margin, sd"):
        surface.at([1.0, 2.0, 3.0])


# -- measuring -----------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", [CpuEngine(), PlainEngine()], ids=["cpu", "plain"])
def test_grid_points_hold_what_fresh_trials_give(engine: Engine) -> None:
    measured = measure(plan(), engine=engine)
    regrets = engine.play(plan().work(np.arange(GRID.size))).regrets()
    regrets = regrets.reshape(GRID.size, 3, -1)  # [grid point, candidate, replication]
    assert np.allclose(measured.means, -regrets.mean(axis=2))
    assert np.allclose(measured.covariances[4], np.cov(regrets[4]))


def test_engines_measure_the_same_surface_but_for_rounding(surface: Surface) -> None:
    # The same draws meet the same rules; single and double precision differ in a few near ties.
    other = measure(plan(), engine=PlainEngine())
    assert (np.abs(surface.means - other.means) <= 0.5 * other.standard_errors + 1e-6).all()


def test_scores_are_judged_as_those_of_fresh_trials_are(surface: Surface) -> None:
    scores = surface.scores(GRID.points[[0, 3, 5]])
    assert np.allclose(scores.by_member, surface.means[[0, 3, 5]].T)
    verdict = judge("mean", Panel(Mean(), scores))
    best = surface.means[[0, 3, 5]].mean(axis=0).argmax()
    assert verdict.choice == surface.candidates[best]
    assert scores.spread[1, 2, 0] == pytest.approx(surface.covariances[5, 1, 1] * 63)


def test_the_error_of_a_difference_counts_what_the_candidates_share(surface: Surface) -> None:
    shared = surface.standard_error_of([1.0, -1.0, 0.0])
    alone = np.hypot(surface.standard_errors[:, 0], surface.standard_errors[:, 1])
    covariance = surface.covariances[:, 0, 1] / surface.replications
    assert np.allclose(shared**2, alone**2 - 2.0 * covariance)


def test_some_candidates_of_a_surface_are_a_surface(surface: Surface) -> None:
    part = surface.of(["8.0", "0.5"])
    assert np.array_equal(part.at([0.7, 2.0]), surface.at([0.7, 2.0])[:, [2, 0]])
    assert np.array_equal(part.covariances, surface.covariances[:, [2, 0]][:, :, [2, 0]])


def test_a_learner_without_a_scalar_rule_cannot_fill_a_surface() -> None:
    with pytest.raises(EngineError, match="scalar"):
        _ = Plan((), GRID, Gaussian(), bandit, 10, 4, 0).learners


# -- files ---------------------------------------------------------------------------------------


def test_a_saved_surface_comes_back_whole_and_without_pickle(
    surface: Surface, tmp_path: Path
) -> None:
    save(surface, tmp_path / "one.npz")
    back = load(tmp_path / "one.npz")
    assert np.array_equal(back.means, surface.means)
    assert np.array_equal(back.covariances, surface.covariances)
    assert (back.candidates, back.replications) == (surface.candidates, surface.replications)
    assert back.header == surface.header
    with np.load(tmp_path / "one.npz", allow_pickle=False) as file:
        assert all(file[name].dtype != object for name in file.files)


def test_a_stopped_surface_goes_on_where_it_was(surface: Surface, tmp_path: Path) -> None:
    path = tmp_path / "half.npz"
    measured = np.arange(GRID.size) < 3
    half = Surface(
        surface.header,
        surface.candidates,
        GRID,
        np.where(measured[:, None], surface.means, 0.0),
        np.where(measured[:, None, None], surface.covariances, 0.0),
        64,
    )
    keep(Partial(half, measured), path)
    with pytest.raises(StoreError, match="3 of 6"):
        load(path)
    told: list[tuple[int, int]] = []
    done = measure(plan(), engine=CpuEngine(), path=path, progress=lambda a, b: told.append((a, b)))
    assert np.array_equal(done.means, surface.means)
    assert told[-1] == (6, 6)
    assert np.array_equal(load(path).means, surface.means)


def test_a_file_of_another_plan_is_not_mixed_in(tmp_path: Path) -> None:
    path = tmp_path / "one.npz"
    measure(plan(), engine=CpuEngine(), path=path)
    with pytest.raises(StoreError, match="seed"):
        measure(plan(seed=2), engine=CpuEngine(), path=path)


def test_a_strange_file_is_told_by_name(tmp_path: Path) -> None:
    path = tmp_path / "strange.npz"
    path.write_bytes(b"not a zip")
    with pytest.raises(StoreError, match=r"strange\.npz"):
        load(path)


# -- choosing for many fits ----------------------------------------------------------------------


def members_of(fits: FloatArray) -> FloatArray:
    """Two hundred members a fit, the same draws for all of them."""
    draws = np.random.default_rng(6).standard_normal((200, 2))
    margin = np.abs(fits[:, None, 0] + 0.4 * fits[:, None, 1] * draws[:, 0])
    sd = fits[:, None, 1] * np.exp(0.15 * draws[:, 1])
    return np.stack([margin, sd], axis=-1)


def fits_of(size: int) -> FloatArray:
    """Fits all over the grid and beyond."""
    return np.random.default_rng(7).uniform([-0.5, 0.8], [2.5, 3.4], (size, 2))


def test_reading_off_a_table_of_averages_changes_no_choice(surface: Surface) -> None:
    fits = fits_of(3000)
    full = best_on_average(surface, fits, members=members_of)
    read = best_on_average(surface, fits, members=members_of, spacing=[0.05, 0.05])
    assert len(set(full.tolist())) > 1
    assert np.array_equal(full, read)


def test_averages_over_one_member_are_the_fit_itself(surface: Surface) -> None:
    fits = fits_of(500)
    alone = best_on_average(surface, fits, members=lambda points: points[:, None, :])
    assert np.array_equal(alone, best_in_fit(surface, fits))


def test_a_spacing_must_be_positive_on_every_axis(surface: Surface) -> None:
    with pytest.raises(ConfigError, match="spacing"):
        best_on_average(surface, fits_of(5), members=members_of, spacing=[0.1, 0.0])


def test_no_fits_have_no_choices(surface: Surface) -> None:
    none = best_on_average(surface, np.zeros((0, 2)), members=members_of, spacing=[0.1, 0.1])
    assert none.size == 0
