"""What can be asked of a study that was played: its status, its report and its scores."""

import csv
import io
import json

import pyarrow.parquet
import pytest

from audition.cli.export import csv_bytes, json_bytes
from audition.store import ScoreRow

COLUMNS = ("--arm", "variant", "--reward", "revenue")


def test_status_says_that_it_is_finished_and_what_was_chosen(command, played):
    said = command("status", played / "shop.audition")
    assert said.code == 0
    assert "finished" in said.out
    assert "(100%)" in said.out
    plain = json.loads(command("status", played / "shop.audition", "--json").out)
    assert plain["finished"] is True
    assert all(part["done"] == part["total"] for part in plain["trials"].values())
    assert set(plain["choices"]) == {"plug_in", "uncertainty_aware", "cvar"}


def test_status_of_a_study_that_never_ran_says_how_to_run_it(command, played):
    folder = played / "shop.audition"
    for name in ("scores.sqlite", "selection.json", "report.html"):
        (folder / name).unlink()
    said = command("status", folder)
    assert said.code == 0
    assert f"audition run {folder}" in said.out
    assert command("export", folder).code == 4


@pytest.mark.parametrize("verb", ["status", "report", "export"])
def test_a_folder_without_a_study_is_refused_with_exit_code_4(command, tmp_path, verb):
    said = command(verb, tmp_path)
    assert said.code == 4
    assert "study.toml" in said.err


def test_the_report_is_written_again_as_it_was_and_nothing_is_played(command, played):
    folder = played / "shop.audition"
    before = {name: (folder / name).read_bytes() for name in ("selection.json", "report.html")}
    for name in before:
        (folder / name).unlink()
    said = command("report", folder, "--json")
    assert said.code == 0, said.err
    assert said.out.encode() == before["selection.json"]
    assert {name: (folder / name).read_bytes() for name in before} == before


def test_a_report_on_a_log_that_changed_since_is_refused(command, played):
    with (played / "shop.csv").open("a") as log:
        log.write('"red",9.5\n')
    said = command("report", played / "shop.audition")
    assert said.code == 4
    assert "changed" in said.err


def test_csv_json_and_parquet_hold_the_same_scores(command, played, tmp_path):
    folder = played / "shop.audition"
    rows = list(csv.DictReader(io.StringIO(command("export", folder).out)))
    records = json.loads(command("export", folder, "--to", "json").out)
    place = tmp_path / "scores.parquet"
    said = command("export", folder, "--to", "parquet", "--out", place, "--json")
    assert json.loads(said.out) == {"file": str(place), "format": "parquet", "rows": len(rows)}
    table = pyarrow.parquet.read_table(place).to_pylist()
    assert records == table
    assert [row["candidate"] for row in rows] == [row["candidate"] for row in table]
    assert [float(row["mean"]) for row in rows] == [row["mean"] for row in table]


def test_parquet_needs_a_file_to_go_to(command, played):
    said = command("export", played / "shop.audition", "--to", "parquet")
    assert said.code == 2
    assert "--out" in said.err


HOSTILE = ("=HYPERLINK(1)", "+1", "-1", "@x", "\t=1", "\x1b[2J", "a\nb", "\u202ex")


def row(candidate):
    return ScoreRow(
        key="k",
        candidate=candidate,
        ensemble="e",
        member=0,
        simulator="s",
        first_replication=0,
        replications=2,
        objective="regret",
        mean=-1.5,
        standard_deviation=None,
        sum_of_squares=0.0,
        valid=2,
        invalid=0,
        horizon=5,
        seed=0,
        engine="cpu",
    )


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_becomes_a_formula_or_steers_a_terminal(name):
    text = csv_bytes([row(name)]).decode()
    (cells,) = csv.DictReader(io.StringIO(text))
    assert not cells["candidate"].startswith(("=", "+", "-", "@", "\t", "\r"))
    assert text.count("\n") == 2
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert float(cells["mean"]) == -1.5
    assert json.loads(json_bytes([row(name)]))[0]["candidate"] == name
