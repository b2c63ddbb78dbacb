"""Training runs of the robots' experiments are stored one by one, and none is done twice."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

EXPERIMENTS = Path(__file__).resolve().parents[2] / "experiments"


@pytest.fixture(autouse=True)
def beside_the_experiments(monkeypatch: pytest.MonkeyPatch) -> None:
    """The experiments are scripts beside the package, not a part of it."""
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)


def test_the_equivalence_asks_for_sixteen_seeds_of_both_learners_at_six_cells() -> None:
    from robots.plans import PLANS
    from robots.settings import FULL

    runs = PLANS["equivalence"](FULL)
    cells = {(run.robot, run.theta) for run in runs}
    assert len(cells) == 6
    assert len(runs) == len(set(runs)) == 6 * 16 * 2


def test_a_cut_leaves_the_black_boxs_seeds_even_over_the_cells() -> None:
    from robots.plans import PLANS, blocks_of
    from robots.settings import FULL

    blocks = blocks_of(PLANS["equivalence"](FULL, ("sb3",)), lanes=16)
    seeds = [block[0].seed for block in blocks]
    assert seeds == sorted(seeds)
    assert {len(block) for block in blocks} == {1}


def test_blocks_hold_every_run_once_and_share_robot_and_length() -> None:
    from robots.plans import PLANS, blocks_of
    from robots.settings import FULL

    runs = PLANS["equivalence"](FULL) + PLANS["truth-row"](FULL)
    blocks = blocks_of(runs, lanes=16)
    flat = [run for block in blocks for run in block]
    assert sorted(flat) == sorted(set(runs))
    for block in blocks:
        assert len(block) <= 16
        assert len({(run.learner, run.robot, run.steps, run.episodes) for run in block}) == 1


def test_a_kept_row_is_found_again_and_a_torn_one_is_not(tmp_path: Path) -> None:
    from robots.plans import PLANS
    from robots.runs import gather, keep, stored
    from robots.settings import QUICK

    first, second, third = PLANS["truth-row"](QUICK)[:3]
    for run in (second, first):
        keep(tmp_path / "runs", row_of(run))
    assert set(stored(tmp_path / "runs")) == {first, second}
    together = tmp_path / "table" / "all.jsonl"
    gather(stored(tmp_path / "runs").values(), together)
    with together.open("a") as out:
        out.write('{"robot": "Hopper-v5", "poi')
    assert set(stored(together.parent)) == {first, second}
    assert third not in stored(together.parent)


def row_of(run: object) -> dict[str, object]:
    """The least that a row says."""
    from dataclasses import asdict

    return asdict(run)  # type: ignore[call-overload, no-any-return]
