"""The paper's selection protocol on stored tables: known answers, and limits that must hold."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

EXPERIMENTS = Path(__file__).resolve().parents[2] / "experiments"


@pytest.fixture(autouse=True)
def beside_the_experiments(monkeypatch: pytest.MonkeyPatch) -> None:
    """The experiments are scripts beside the package, not a part of it."""
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)


def table(slopes: Any, *, seeds: int = 3, noise: float = 0.0) -> Any:
    """Scores that are linear in friction and damping, candidate by candidate."""
    from robots.lattice import Lattice
    from robots.protocol import Table

    lattice = Lattice((0.0, 1.0, 2.0), (0.0, 1.0, 2.0, 3.0, 4.0), 1.5)
    points = np.array(lattice.points)[:, 1:]
    scores = points @ np.asarray(slopes, float).T  # [point, candidate]
    drawn = np.random.default_rng(0).normal(size=(*scores.shape, seeds))
    truth = np.arange(len(slopes), dtype=float)
    return Table(lattice, scores[..., None] + noise * drawn, truth)


def test_between_the_knots_every_stored_seed_is_read_bilinearly() -> None:
    from robots.protocol import Fits

    stored = table([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    at = np.array([[[9.0, 0.3, 1.7]], [[9.0, 1.9, 3.2]]])
    read = Fits(at[:, 0], at).members
    np.testing.assert_allclose(
        stored.at(read)[:, 0, :, 0], [[0.3, 1.7, 2.0], [1.9, 3.2, 5.1]], atol=1e-12
    )


def test_parameters_beyond_the_lattice_are_clipped_to_it() -> None:
    stored = table([[1.0, 0.0], [0.0, 1.0]])
    outside = np.array([[1.5, -3.0, 9.0]])
    np.testing.assert_allclose(stored.at(outside)[0, :, 0], [0.0, 4.0], atol=1e-12)


def test_without_seed_noise_and_spread_all_rules_select_the_same() -> None:
    from robots.protocol import Fits, picks

    stored = table([[1.0, 0.0], [0.0, 1.0]])
    estimates = np.array([[1.5, 1.8, 0.2], [1.5, 0.1, 3.0]])
    found = picks(stored, Fits(estimates, np.repeat(estimates[:, None], 12, axis=1)))
    assert {name: chosen.tolist() for name, chosen in found.items()} == {
        name: [0, 1] for name in ("Plug-In", "UA", "10th percentile", "Borda")
    }


def test_ua_averages_over_members_where_the_plug_in_looks_at_one_simulator() -> None:
    """Candidate 1 is worth 1.2 in nine of ten members and nothing where friction is low."""
    from robots.protocol import Fits, Table, picks

    flat = table([[0.0, 0.0], [0.0, 0.0]])
    scores = flat.simulated.copy()
    scores[:, 0] = 1.0
    scores[:, 1] = 1.2
    scores[:5, 1] = 0.0  # at the lowest friction
    stored = Table(flat.lattice, scores, flat.truth)
    estimate = np.array([[1.5, 1.5, 2.0]])
    members = np.repeat(estimate[:, None], 10, axis=1)
    members[0, :3, 1] = 0.0
    found = picks(stored, Fits(estimate, members))
    assert found["Plug-In"].tolist() == [1]
    assert found["UA"].tolist() == [0]  # 0.7 x 1.2 < 1
    assert found["10th percentile"].tolist() == [0]
    assert found["Borda"].tolist() == [1]  # it wins in seven of ten


def test_data_sets_hold_an_episode_once_and_members_spread_around_the_estimate() -> None:
    from robots.protocol import fits

    pool = np.random.default_rng(1).normal([1.5, 0.7, 1.4], [0.1, 0.2, 0.3], size=(400, 3))
    found = fits(pool, logged=80, data_sets=60, members=12)
    spread = found.estimates.std(axis=0, ddof=1) * np.sqrt(80 / (1 - 80 / 400))
    np.testing.assert_allclose(spread, [0.1, 0.2, 0.3], rtol=0.4)  # 4 errors of an sd of 60
    within = found.members.std(axis=1, ddof=1).mean(axis=0) * np.sqrt(80)
    np.testing.assert_allclose(within, [0.1, 0.2, 0.3], rtol=0.15)
    whole = fits(pool[:80], logged=80, data_sets=2, members=1)
    np.testing.assert_allclose(whole.estimates, [pool[:80].mean(axis=0)] * 2)


def test_paired_t_moves_and_shortfall_have_their_textbook_values() -> None:
    from robots.protocol import moves, paired_t, shortfall_above

    assert paired_t(np.array([1.0, 2.0, 3.0]), np.zeros(3)) == pytest.approx(2 * np.sqrt(3))
    assert paired_t(np.ones(3), np.ones(3)) == 0.0
    ratios, truth = np.array([1.0, 2.0, 4.0]), np.array([0.5, 1.0, 0.2])
    plug, ua = np.array([2, 2, 0, 0, 1]), np.array([1, 2, 1, 1, 1])
    assert moves(ratios, 1, plug, ua) == (0.5, 1.0)
    assert shortfall_above(ratios, truth, 1, plug) == pytest.approx(1.6 / 2.6)


def test_the_lattice_stands_at_even_percentiles_of_the_estimates() -> None:
    from robots.lattice import lattice_of

    grid = np.arange(101.0)
    found = lattice_of(np.stack([np.full(101, 1.5), grid, 2 * grid], axis=1), knots=(3, 5))
    assert found.friction == (2.0, 50.0, 98.0)
    assert found.damping == (4.0, 52.0, 100.0, 148.0, 196.0)
    assert found.mass == 1.5


def test_the_papers_optimum_is_the_largest_of_its_truth_table() -> None:
    rows = json.loads((EXPERIMENTS / "robots_truth" / "expected.json").read_text())["rows"]
    for robot, best in (("Hopper", 0.991), ("Walker2d", 0.689)):
        ours = [row for row in rows if row["quantity"].startswith(robot)]
        top = max(ours, key=lambda row: row["paper"])
        assert (top["paper"], "(fwd 1, ctrl 0.25)" in top["quantity"]) == (best, True)


def test_while_the_surface_is_not_filled_the_row_with_forward_weight_one_stands_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(EXPERIMENTS / "robots_selection"))
    from cells import whole_or_row

    from robots.lattice import PAPER
    from robots.plans import surface, surface_row, truth
    from robots.settings import FULL, HOPPER

    key = (HOPPER, 20)
    true = dict.fromkeys((run for run in truth(FULL) if run.robot == HOPPER), 0.5)
    part, whole = (
        dict.fromkeys(plan(FULL, lattices={key: PAPER[key]}), 0.5)
        for plan in (surface_row, surface)
    )
    tables = [
        whole_or_row(HOPPER, PAPER[key], FULL, simulated=known, true=true).table.simulated
        for known in (part, whole)
    ]
    assert [table.shape for table in tables] == [(15, 5, 3), (15, 25, 9)]


def test_the_row_is_a_part_of_the_surface_so_that_no_run_is_done_twice() -> None:
    from robots.plans import surface, surface_row
    from robots.settings import FULL

    assert set(surface_row(FULL)) < set(surface(FULL))
