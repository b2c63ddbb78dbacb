"""What experiments share: when a number agrees with the paper, and the paper's data and bins."""

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

Module = Callable[..., ModuleType]
FOLDER = Path(__file__).parents[2] / "experiments"


@pytest.mark.parametrize(
    ("ours", "error", "expected", "verdict"),
    [
        (583.0, 2.0, {"paper": 577, "error": 2.0, "slack": 0.5}, "agrees"),
        (590.0, 2.0, {"paper": 577, "error": 2.0, "slack": 0.5}, "differs"),
        (590.0, 2.0, {"paper": 577, "error": 8.3}, "agrees"),
        (585.0, 2.0, {"paper": 577, "error": "as ours"}, "agrees"),
        (0.504, None, {"paper": 0.5, "slack": 0.005}, "agrees"),
        (0.506, None, {"paper": 0.5, "slack": 0.005}, "differs"),
    ],
)
def test_a_number_agrees_within_three_errors_and_the_paper_s_digits(
    module: Module, ours: float, error: float | None, expected: dict[str, object], verdict: str
) -> None:
    claims = module("claims")
    row = claims.row(claims.Finding("regret", ours, error), expected)
    assert row["verdict"] == verdict


def test_a_number_that_the_paper_lacks_is_said_to_be_so(module: Module) -> None:
    claims = module("claims")
    row = claims.row(claims.Finding("regret", 1.0, 0.1), None)
    assert (row["paper"], row["z"], row["verdict"]) == (None, None, "not in the paper")


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*/results/*.json")), ids=lambda p: str(p))
def test_results_say_what_made_them_and_hold_the_rows_of_the_table(path: Path) -> None:
    plain = json.loads(path.read_text(encoding="utf-8"))
    assert {"machine", "engine", "seconds", "versions", "rows"} <= set(plain)
    for row in plain["rows"]:
        keys = {"quantity", "paper", "ours", "standard_error", "z", "verdict"}
        assert keys <= set(row)
    quantities = [row["quantity"] for row in plain["rows"]]
    assert len(quantities) == len(set(quantities))


def test_the_page_counts_what_is_not_measured_yet(module: Module, tmp_path: Path) -> None:
    table = module("table")
    place = tmp_path / "robots" / "results" / "full.json"
    place.parent.mkdir(parents=True)
    (tmp_path / "robots" / "run.py").write_text('"""A claim."""', encoding="utf-8")
    row = {"quantity": "q", "paper": 1, "ours": 1, "standard_error": 1, "z": 0, "verdict": "agrees"}
    made = {"preset": "full", "engine": "cpu", "seconds": 1, "machine": "m", "date": "d"}

    def page(**more: object) -> str:
        place.write_text(json.dumps({**made, "rows": [row], **more}), encoding="utf-8")
        table.experiments = lambda: [tmp_path / "robots"]
        return str(table.page())

    some = page(**{"not measured yet": ["one", "two"]})
    assert "| [robots](#robots) | full | 1 | 0 | 0 | 2 | 0 | 1 |" in some
    assert "d.\n\n**2 of the paper's numbers are not measured yet**; no row below" in some
    assert "**" not in page()


def test_fits_of_fresh_logs_have_the_law_of_fits(module: Module) -> None:
    # Margins have mean 1 and variance 9 E(1/n + 1/(25 - n)); the variances of the noise are
    # chi-square. Four standard errors a test: a false alarm in 1 of 5,000 seeds for all three.
    plane = module("plane")
    found = plane.data_sets(40_000)
    assert abs(found[:, 0].mean() - 1.0) < 4.0 * found[:, 0].std() / 200.0
    squares = found[:, 1] ** 2 / 9.0
    assert abs(squares.mean() - 1.0) < 4.0 * squares.std() / 200.0
    assert abs(squares.var() - 2.0 / 23.0) < 4.0 * 2.0 / 23.0 * np.sqrt(2.6 / 40_000)


def test_a_fit_falls_in_the_bin_whose_centre_is_nearest(module: Module) -> None:
    plane = module("plane")
    points = np.random.default_rng(1).uniform([-2.5, 1.5], [4.5, 4.5], (500, 2))
    centers = plane.centers()[plane.bin_of(points)]
    assert (np.abs(points - centers) <= np.array(plane.BIN) / 2.0 + 1e-9).all()


def test_members_of_any_fit_are_its_parametric_bootstrap(module: Module) -> None:
    plane = module("plane")
    at = np.array([[1.0, 3.0]])
    made = plane.members_of(20_000)(at)[0]
    fresh = plane.members(at[0], 0, 20_000)
    for column in (0, 1):
        apart = made[:, column].mean() - fresh[:, column].mean()
        error = np.hypot(made[:, column].std(), fresh[:, column].std()) / np.sqrt(20_000)
        assert abs(apart) < 4.0 * error
    twice = plane.members_of(20_000)(2.0 * at)[0]
    assert np.allclose(twice, 2.0 * made)


def test_a_jackknife_of_a_mean_is_its_standard_error(module: Module) -> None:
    plane = module("plane")
    runs = np.random.default_rng(2).normal(size=(16, plane.GRID.size, 1))
    surface = plane.Surface({}, ("one",), plane.GRID, runs.mean(axis=0), np.zeros((1, 1, 1)), 16)
    measured = plane.Measured(surface, runs, "cpu")
    error = measured.jackknife(lambda s: s.means[:3, 0])
    assert np.allclose(error, runs[:, :3, 0].std(axis=0, ddof=1) / 4.0)


def test_pieces_come_back_in_their_order_from_processes(module: Module) -> None:
    cores = module("cores")
    pieces = list(range(7))
    assert list(cores.spread(abs, pieces, processes=2)) == pieces
    assert list(cores.spread(abs, pieces, processes=1)) == pieces
