"""`audition select`: from a log to a choice, told to people on stderr and to programs on stdout."""

import json
from html.parser import HTMLParser

import pytest
from jsonschema import Draft202012Validator

from audition.document import schema

COLUMNS = ("--arm", "variant", "--reward", "revenue")
SMALL = ("--horizon", "40", "--size", "4", "--replications", "2", "--learner", "ucb")


def test_a_new_log_with_columns_of_its_own_gives_a_verdict(played):
    said = (played / "said.txt").read_text()
    assert said.startswith("Deploy ")
    for words in ("Uncertainty-Aware", "Plug-In", "expected regret", " ± ", "told apart"):
        assert words in said


def test_the_verdict_is_what_the_document_says(played):
    plain = json.loads((played / "shop.audition" / "selection.json").read_text())
    said = (played / "said.txt").read_text()
    assert said.split("\n")[0] == f"Deploy {plain['choices']['uncertainty_aware']['candidate']}"
    assert plain["choices"]["plug_in"]["candidate"] in said
    assert set(plain["choices"]) == {"plug_in", "uncertainty_aware", "cvar"}


def test_the_report_is_one_page_that_names_the_choice(played):
    page = (played / "shop.audition" / "report.html").read_text()
    HTMLParser().feed(page)
    plain = json.loads((played / "shop.audition" / "selection.json").read_text())
    assert plain["choices"]["uncertainty_aware"]["candidate"] in page


def test_json_is_one_valid_document_on_stdout_and_words_go_to_stderr(command, log):
    said = command("select", log, *COLUMNS, *SMALL, "--json")
    assert said.code == 0, said.err
    plain = json.loads(said.out)
    Draft202012Validator(schema()).validate(plain)
    assert "Deploy " in said.err
    assert plain == json.loads((log.parent / "shop.audition" / "selection.json").read_text())


def test_quiet_says_the_verdict_and_nothing_else(command, log):
    said = command("select", log, *COLUMNS, *SMALL, "--quiet")
    assert said.err == ""
    assert said.out.startswith("Deploy ")


def test_steps_are_told_once_each_when_nobody_sits_at_a_terminal(command, log):
    said = command("select", log, *COLUMNS, *SMALL)
    lines = said.err.splitlines()
    assert len(lines) == len(set(lines)) < 12
    assert sum("trials in" in line for line in lines) == 2
    assert "\x1b" not in said.err + said.out


def test_the_folder_may_be_put_elsewhere(command, log, tmp_path):
    place = tmp_path / "elsewhere"
    assert command("select", log, *COLUMNS, *SMALL, "-q", "--out", place).code == 0
    assert (place / "report.html").is_file()
    assert not (tmp_path / "shop.audition").exists()


def test_the_same_command_again_plays_nothing_and_finds_the_same(command, log):
    first = command("select", log, *COLUMNS, *SMALL, "--json")
    again = command("select", log, *COLUMNS, *SMALL, "--json")
    assert again.out == first.out
    assert again.err.count("kept from before") == 2


def test_a_folder_of_other_files_is_refused_with_exit_code_4(command, log, tmp_path):
    said = command("select", log, *COLUMNS, *SMALL, "--out", tmp_path)
    assert said.code == 4
    assert "--out" in said.err


@pytest.mark.parametrize(
    ("wrong", "said_to_be"),
    [
        (("--learner", "ubc"), "did you mean 'ucb'"),
        (("--family", "gausian"), "did you mean 'gaussian'"),
        (("--ensemble", "posterio"), "did you mean 'posterior'"),
        (("--rule", "bordo"), "did you mean 'borda'"),
        (("--objective", "luck"), "objective"),
        (("--size", "1"), "ensemble.size"),
    ],
)
def test_a_wrong_word_is_a_setting_error_that_says_what_there_is(command, log, wrong, said_to_be):
    said = command("select", log, *COLUMNS, *SMALL, *wrong, "--json")
    assert said.code == 2
    assert said_to_be in said.err
    assert json.loads(said.out)["error"]["exit_code"] == 2


def test_hostile_names_come_out_harmless_everywhere(command, tmp_path, write_log):
    names = ("=HYPERLINK(1)", "\x1b[2Jgone", "</script><script>alert(1)</script>", "\u202edcba")
    log = write_log(tmp_path / "x.csv", names=names)
    said = command("select", log, *COLUMNS, *SMALL)
    assert said.code == 0, said.err
    page = (tmp_path / "x.audition" / "report.html").read_text()
    for text in (said.out, said.err, page):
        assert "\x1b" not in text
        assert "\u202e" not in text
    assert "<script" not in page


def test_no_colour_is_used_where_none_is_wanted(command, log, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in command("select", log, *COLUMNS, *SMALL, "-q").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in command("select", log, *COLUMNS, *SMALL, "-q").out
