"""A log is audited and written into a study file before anything is played."""

import json
import tomllib

import pytest

from audition.study import read_file

COLUMNS = ("--arm", "variant", "--reward", "revenue")
HOSTILE = ("=HYPERLINK(1)", "\x1b[2Jgone", "</script>\n[log]", "\u202edcba")


def test_a_sound_log_can_support_a_choice(command, log):
    said = command("check", log, *COLUMNS)
    assert said.code == 0
    assert "90 rows, 3 arms" in said.out
    assert said.out.endswith("The log can support a choice.\n")


def test_a_log_with_one_arm_is_refused_with_exit_code_3(command, tmp_path, write_log):
    log = write_log(tmp_path / "one.csv", names=("only",))
    said = command("check", log, *COLUMNS, "--json")
    assert said.code == 3
    plain = json.loads(said.out)
    assert plain["refused"] is True
    assert "one-arm" in [finding["code"] for finding in plain["card"]["findings"]]
    assert command("select", log, *COLUMNS, "--horizon", 50).code == 3


def test_the_data_card_is_one_json_document_on_stdout(command, log):
    plain = json.loads(command("check", log, *COLUMNS, "--json").out)
    assert plain["log"]["rows"] == 90
    assert sum(plain["log"]["counts"]) == 90
    assert plain["refused"] is False


def test_a_wrong_column_is_met_with_those_that_could_be_meant(command, log):
    said = command("check", log, "--arm", "variant", "--reward", "revnue")
    assert said.code == 3
    assert "revenue" in said.err
    assert said.out == ""


def test_init_writes_a_study_that_can_be_read_and_names_candidates(command, log, tmp_path):
    place = tmp_path / "study.toml"
    said = command("init", log, *COLUMNS, "--horizon", 70, "--out", place)
    assert said.code == 0
    study = read_file(place)
    assert study.horizon == 70
    assert (study.log.path, study.log.arm) == ("shop.csv", "variant")
    assert {"ucb", "ts"} <= {choice.learner for choice in study.candidates}
    assert "rows" in place.read_text().split("horizon")[0]


def test_init_does_not_write_over_a_file_unless_told_to(command, log, tmp_path):
    place = tmp_path / "study.toml"
    place.write_text("mine")
    said = command("init", log, *COLUMNS, "--out", place)
    assert said.code == 4
    assert place.read_text() == "mine"
    assert command("init", log, *COLUMNS, "--out", place, "--force", "--json").code == 0
    assert tomllib.loads(place.read_text())["horizon"] == 5000


def test_hostile_names_reach_neither_the_terminal_nor_the_study_file(command, tmp_path, write_log):
    log = write_log(tmp_path / "x.csv", names=HOSTILE)
    place = tmp_path / "study.toml"
    for said in (command("check", log, *COLUMNS), command("init", log, *COLUMNS, "--out", place)):
        assert said.code == 0
        assert "\x1b" not in said.out + said.err
        assert "\u202e" not in said.out + said.err
    assert read_file(place).log.path == "x.csv"
    assert "\x1b" not in place.read_text()


@pytest.mark.parametrize("option", ["--user", "--cluster"])
def test_a_column_may_be_named_by_either_word(command, tmp_path, write_log, option):
    log = write_log(tmp_path / "x.csv", columns=("variant", "revenue"))
    said = command("check", log, *COLUMNS, option, "variant", "--json")
    assert json.loads(said.out)["log"]["units"] == 3
