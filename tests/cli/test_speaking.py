"""What people are told while a study runs and when it ends."""

import io
import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audition.cli import verdict
from audition.cli.leaving import EXIT_CODES, leave
from audition.cli.narration import Bar, Lines, Silent, finished, narrator, underway
from audition.cli.words import disk, duration, label, plural
from audition.errors import (
    AuditionError,
    ConfigError,
    Interrupted,
    LogError,
    PluginError,
    ScoreError,
    StoreError,
)
from audition.evaluation import Progress


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self):
        return True


def at_a_terminal(monkeypatch):
    """Put a terminal in the place of stderr."""
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    return stream


def test_a_short_step_is_told_in_one_line(capsys):
    voice = Lines()
    for done in (0, 50, 99, 100, 100):
        voice.progress("Plug-In", Progress(done, 100, 0, 3.0))
    assert capsys.readouterr().err == "Plug-In: 100 trials in 3 s\n"


def test_a_long_step_is_told_ever_more_rarely(capsys):
    voice = Lines()
    for second in range(36_000):
        voice.progress("Plug-In", Progress(second, 36_000, 0, float(second)))
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("Plug-In: 15 of 36,000 trials (0%), 10.0 h left")
    assert len(lines) < 70


def test_the_time_left_is_told_from_the_pace_of_this_call_alone():
    assert underway(Progress(600, 1000, 500, 10.0)) == "600 of 1,000 trials (60%), 40 s left"
    assert underway(Progress(500, 1000, 500, 10.0)) == "500 of 1,000 trials (50%)"
    assert (
        finished(Progress(9, 9, 4, 0.1)) == "9 trials in under a second, 4 of them kept from before"
    )


def test_who_listens_decides_how_it_is_told(monkeypatch):
    at_a_terminal(monkeypatch)
    assert isinstance(narrator(quiet=False), Bar)
    assert isinstance(narrator(quiet=True), Silent)
    monkeypatch.setattr("sys.stderr", io.StringIO())
    assert isinstance(narrator(quiet=False), Lines)


def test_a_bar_is_drawn_on_a_terminal_with_the_time_left(monkeypatch):
    terminal = at_a_terminal(monkeypatch)
    with Bar() as voice:
        voice.step("fitting")
        voice.progress("Plug-In", Progress(250, 1000, 0, 10.0))
        voice.progress("Plug-In", Progress(1000, 1000, 0, 40.0))
    said = terminal.getvalue()
    assert "fitting" in said
    assert "1,000 trials in 40 s" in said


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (None, 0),
        (ZeroDivisionError("x"), 1),
        (MemoryError(), 1),
        (ConfigError("x"), 2),
        (PluginError("x"), 2),
        (AuditionError("x"), 2),
        (LogError("x"), 3),
        (StoreError("x"), 4),
        (ScoreError("x"), 5),
        (Interrupted("x"), 130),
        (KeyboardInterrupt(), 130),
    ],
)
def test_every_end_has_its_exit_code_and_one_message(error, code, capsys, monkeypatch):
    monkeypatch.delenv("AUDITION_TRACEBACK", raising=False)

    def work():
        if error is not None:
            raise error

    assert leave(work, as_json=True) == code
    assert code in EXIT_CODES
    said = capsys.readouterr()
    if error is not None:
        assert said.err.startswith("audition: ")
        assert said.err.count("\n") == 1
        assert json.loads(said.out)["error"]["exit_code"] == code


def test_a_message_cannot_steer_the_terminal(capsys):
    leave(lambda: (_ for _ in ()).throw(LogError("arm \x1b[2J\u202e")), as_json=False)
    said = capsys.readouterr().err
    assert said == "audition: arm \\x1b[2J\\u202e\n"


@given(st.text())
def test_any_name_is_printed_on_one_line_of_visible_characters(name):
    said = label(name)
    assert "\n" not in said
    assert not [char for char in said if unicodedata.category(char).startswith("C")]


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.2, "under a second"), (61, "61 s"), (600, "10 min"), (7200, "2.0 h"), (3e5, "3.5 days")],
)
def test_times_are_told_as_people_say_them(seconds, said):
    assert duration(seconds) == said


def test_counts_and_sizes_are_told_as_people_say_them():
    assert [plural(1, "row"), plural(2000, "row")] == ["1 row", "2,000 rows"]
    assert [disk(12), disk(4096), disk(7e7), disk(3.2e9)] == ["12 B", "4 kB", "70 MB", "3.2 GB"]


def document(*, plug_in="a", rivals=("b",), failed=()):
    """A document of three candidates, with as much as a verdict tells."""
    worth = {"a": -10.0, "b": -11.0, "c": -30.0}
    rules = ("plug_in", "uncertainty_aware")

    def judged(name):
        lost = name in failed
        one = {"worth": None if lost else worth[name], "standard_error": None if lost else 0.5}
        return {"candidate": name, "rules": dict.fromkeys(rules, one), "best_in": 0.25}

    def chosen(name):
        return {
            "candidate": name,
            "worth": worth[name],
            "standard_error": 0.5,
            "expected_regret": -worth[name],
        }

    return {
        "choices": {"plug_in": chosen(plug_in), "uncertainty_aware": chosen("a")},
        "candidates": [judged(name) for name in ("c", "a", "b")],
        "rivals": {"plug_in": [], "uncertainty_aware": list(rivals)},
        "comparisons": [
            {
                "first": "uncertainty_aware",
                "second": "plug_in",
                "difference": 0.0 if plug_in == "a" else 1.0,
                "standard_error": 0.1,
            }
        ],
        "explanation": ["Because."],
        "warnings": ["the log is small"],
        "failures": [{"candidate": name, "reason": "broke"} for name in failed],
        "log": {"rows": 90, "arms": ["x", "y"]},
        "objective": "regret",
        "horizon": 5000,
        "replications": {"plug_in": 6400, "uncertainty_aware": 32},
        "ensemble": {"name": "posterior", "size": 200},
    }


def said_of(plain, capsys):
    verdict.show(plain)
    return capsys.readouterr().out


def test_the_verdict_begins_with_what_to_deploy_and_its_expected_regret(capsys):
    lines = said_of(document(), capsys).splitlines()
    assert lines[0] == "Deploy a"
    assert lines[2].split() == ["Uncertainty-Aware", "a", "expected", "regret", "10.0", "±", "0.5"]


def test_candidates_stand_best_first_and_failed_ones_last(capsys):
    rows = said_of(document(failed=("b",)), capsys).splitlines()
    table = [row.split() for row in rows if row.strip()][-3:]
    assert [row[0] for row in table] == ["a", "c", "b"]
    assert "failed" in table[-1]


def test_the_verdict_says_how_much_the_choices_differ_only_when_they_do(capsys):
    assert "better than Plug-In's by 1.00 ± 0.10" in said_of(document(plug_in="b"), capsys)
    assert "better than" not in said_of(document(), capsys).replace("better than all", "")


def test_rivals_are_named_or_said_not_to_be(capsys):
    assert "Cannot be told apart from it: b." in said_of(document(), capsys)
    many = said_of(document(rivals=[f"r{i}" for i in range(9)]), capsys)
    assert "r4 and 4 more" in many
    assert "Every other candidate" in said_of(document(rivals=()), capsys)


def test_a_choice_is_not_said_to_beat_candidates_that_failed(capsys):
    some = said_of(document(rivals=(), failed=("c",)), capsys)
    assert "It does better than every other candidate that finished." in some
    assert "Not judged, for a trial of theirs failed: c." in some
    assert "better than all of them" not in some
    beside = said_of(document(failed=("c",)), capsys)
    assert "Cannot be told apart from it: b.\nNot judged" in beside
    alone = said_of(document(rivals=(), failed=("b", "c")), capsys)
    assert "No other candidate finished." in alone
    assert "failed: c, b." in alone
    assert "Not judged" not in said_of(document(), capsys)


def test_warnings_and_failures_are_part_of_the_verdict(capsys):
    said = said_of(document(failed=("c",)), capsys)
    assert "Warning: the log is small" in said
    assert "1 trial failed; the first: c: broke" in said
