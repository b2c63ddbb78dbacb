"""What `audition plan` says beforehand, against what the study then takes."""

import json

import pytest

from audition.cli import main


def test_the_room_that_is_planned_is_the_room_that_is_taken(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = [f"{'ab'[i % 2]},{(i * 7) % 11 + i % 2}" for i in range(80)]
    (tmp_path / "log.csv").write_text("\n".join(["arm,reward", *rows]) + "\n", encoding="utf-8")
    small = ["--horizon", "20", "--learner", "ucb", "--learner", "ts", "--engine", "plain"]
    planned = 0
    for words in (
        ["init", "log.csv", *small, "--size", "120"],
        ["plan", "study.toml", "--json"],
        ["run", "study.toml", "--quiet"],
    ):
        with pytest.raises(SystemExit) as left:
            main(words)
        said = capsys.readouterr().out
        assert left.value.code == 0
        planned = json.loads(said)["bytes"] if words[0] == "plan" else planned
    taken = (tmp_path / "study.audition" / "scores.sqlite").stat().st_size
    assert 0.5 < planned / taken < 2.0
