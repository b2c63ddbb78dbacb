"""The how-to page from a robot's recordings to a verdict, as it stands, with short trainings."""

from __future__ import annotations

import contextlib
import io
import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

from audition.cli import main

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "how-to" / "robots-from-trajectories.md").read_text(encoding="utf-8")
SHORT = {
    "horizon = 8192": "horizon = 256",
    "horizon=8192": "horizon=256",
    "evaluation_episodes = 20": "evaluation_episodes = 2",
    "evaluation_episodes=20": "evaluation_episodes=2",
    "n_steps = 256": "n_steps = 128",
    '"n_steps": 256': '"n_steps": 128',
    "size = 4": "size = 2",
    "size=4": "size=2",
}


def blocks(language: str) -> list[str]:
    """The fenced blocks of the page in one language."""
    return re.findall(rf"^```{language}[^\n]*\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def shortened(text: str) -> str:
    for told, tried in SHORT.items():
        text = text.replace(told, tried)
    return text


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the reader has: the example's files, with a study that takes seconds."""
    place = tmp_path_factory.mktemp("reader")
    shutil.copytree(ROOT / "examples" / "pendulum", place / "examples" / "pendulum")
    study = place / "examples" / "pendulum" / "study.toml"
    study.write_text(shortened(study.read_text(encoding="utf-8")), encoding="utf-8")
    return place


def run(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as left:
        main(words)
    said = capsys.readouterr()
    return int(left.value.code or 0), said.out, said.err


def test_the_study_on_the_page_is_the_example() -> None:
    """Word for word."""
    assert blocks("toml") == [(ROOT / "examples/pendulum/study.toml").read_text(encoding="utf-8")]


def test_the_command_gives_a_verdict_and_goes_on_where_it_was(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A choice between the two, a report with learning curves, and nothing is played twice."""
    monkeypatch.chdir(folder)
    line = blocks("bash")[-1]
    code, out, _ = run([*shlex.split(line)[1:], "--json"], capsys)
    found: dict[str, Any] = json.loads(out)
    assert code == 0
    assert {row["candidate"] for row in found["candidates"]} == {"eager", "gentle"}
    report = (folder / "examples/pendulum/study.audition/report.html").read_text(encoding="utf-8")
    assert "training steps" in report
    # From another folder the very same trials are found again: paths are no part of their keys.
    monkeypatch.chdir(folder / "examples")
    code, _, err = run(["run", "pendulum/study.toml"], capsys)
    assert code == 0
    assert err.count("kept from before") == 2, err


def test_the_python_on_the_page_identifies_and_selects(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The estimates printed on the page are those that come, to their last digit."""
    monkeypatch.chdir(folder)
    names: dict[str, Any] = {"__name__": "page"}
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        for program in blocks("python"):
            exec(compile(shortened(program), "page", "exec"), names)
    lines = told.getvalue().splitlines()
    assert lines[:2] == blocks("text")[0].splitlines()[:2]
    assert lines[-1].startswith("sb3(")
    assert names["curves"].units == 8
