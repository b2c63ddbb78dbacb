"""`audition worker` and `audition merge`: a study played in pieces is the study."""

import json

import pytest

STUDY = """horizon = 40
replications = 8
learners = ["ucb", "epsilon_greedy"]
[log]
path = "shop.csv"
arm = "variant"
reward = "revenue"
[ensemble]
size = 6
"""


@pytest.fixture
def study(log):
    place = log.parent / "study.toml"
    place.write_text(STUDY)
    return place


def test_shards_in_any_order_come_to_the_same_bytes(command, study, tmp_path):
    for number in (2, 3, 1):
        said = command("worker", study, "--shard", f"{number}/3", "--json")
        assert said.code == 0, said.err
        assert json.loads(said.out)["shard"] == number
    folder = tmp_path / "study.audition"
    merged = command("merge", folder, "--json")
    assert merged.code == 0, merged.err
    assert len(json.loads(merged.out)["merged"]) == 3
    in_pieces = command("export", folder).out
    seen = command("run", folder)
    assert seen.code == 0, seen.err
    assert "all kept from before" in seen.err
    whole = tmp_path / "whole"
    assert command("run", study, "--out", whole).code == 0
    assert command("export", whole).out == in_pieces
    one, other = ((place / "selection.json").read_bytes() for place in (folder, whole))
    assert one == other


def test_a_missing_shard_is_played_by_the_next_run(command, study, tmp_path):
    folder = tmp_path / "study.audition"
    assert command("worker", study, "--shard", "1/2").code == 0
    assert command("merge", folder).code == 0
    assert command("report", folder).code == 4
    assert command("run", folder).code == 0
    assert command("report", folder).code == 0


@pytest.mark.parametrize("shard", ["4/3", "0/3", "1", "a/b", "1/0", "-1/3"])
def test_a_shard_that_there_is_not_is_refused(command, study, shard):
    said = command("worker", study, "--shard", shard)
    assert said.code == 2
    assert "a shard is i/n" in said.err


def test_nothing_to_merge_is_said(command, study, tmp_path):
    said = command("merge", tmp_path / "study.audition")
    assert said.code == 4
