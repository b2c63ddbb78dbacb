"""`audition run`: what is stopped, in whatever way, is run on and comes to the same."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

SLOW = '''"""A learner that takes its time when the environment says so."""
import os
import time
from dataclasses import dataclass

import numpy as np

from audition.learner import Learner


@dataclass(frozen=True)
class Slow(Learner):
    """Pulls one arm, slowly."""

    favourite: int = 0

    @property
    def name(self):
        return "slow"

    def deploy(self, world, rng):
        time.sleep(float(os.environ.get("SLOW_SECONDS", "0")))
        for _ in range(world.horizon):
            world.pull(np.full(world.lanes, self.favourite))
'''

STUDY = """horizon = 20
replications = 4
allow_code = ["slow.py"]
[log]
path = "shop.csv"
arm = "variant"
reward = "revenue"
[ensemble]
size = 6
[running]
executor = "in_process"
[[candidates]]
learner = "slow"
grid = { favourite = [0, 1, 2] }
"""


@pytest.fixture
def study(log) -> Path:
    """A study of trials that take a while where SLOW_SECONDS says so."""
    (log.parent / "slow.py").write_text(SLOW)
    place = log.parent / "study.toml"
    place.write_text(STUDY)
    return place


def started(study: Path) -> subprocess.Popen:
    """`audition run` in a process of its own, once it has kept some trials but not all."""
    process = subprocess.Popen(
        [sys.executable, "-m", "audition", "run", str(study)],
        env={**os.environ, "SLOW_SECONDS": "0.1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    scores = study.with_suffix(".audition") / "scores.sqlite"
    until = time.monotonic() + 60
    while rows(scores) < 3:
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < until
        time.sleep(0.02)
    return process


def rows(scores: Path) -> int:
    """Rows of scores that another process would find."""
    if not scores.is_file():
        return 0
    with closing(sqlite3.connect(f"file:{scores}?mode=ro", uri=True, timeout=10)) as database:
        try:
            return database.execute("SELECT count(*) FROM scores").fetchone()[0]
        except sqlite3.OperationalError:
            return 0


def exported(command, folder: Path) -> str:
    """The scores of a finished study."""
    said = command("export", folder)
    assert said.code == 0, said.err
    return said.out


def test_a_study_that_was_killed_and_run_again_exports_the_same_bytes(command, study, tmp_path):
    process = started(study)
    process.kill()
    process.communicate()
    kept = rows(tmp_path / "study.audition" / "scores.sqlite")
    whole = tmp_path / "whole"
    assert command("run", study, "--out", whole).code == 0
    complete = exported(command, whole)
    assert 3 <= kept < complete.count("\n") - 1
    said = command("run", study)
    assert said.code == 0, said.err
    assert "kept from before" in said.err
    assert exported(command, tmp_path / "study.audition") == complete
    one, other = (
        (place / "selection.json").read_bytes() for place in (whole, tmp_path / "study.audition")
    )
    assert one == other


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_study_in_good_order_and_it_is_run_on(command, study, tmp_path, number):
    process = started(study)
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    folder = tmp_path / "study.audition"
    assert f"audition run {folder}" in said
    kept = rows(folder / "scores.sqlite")
    assert command("report", folder).code == 4
    again = command("run", folder, "--json")
    assert again.code == 0, again.err
    assert rows(folder / "scores.sqlite") > kept
    assert json.loads(again.out)["choices"]["uncertainty_aware"]["candidate"].startswith("slow")


def test_a_second_signal_leaves_at_once(study):
    process = started(study)
    process.send_signal(signal.SIGINT)
    time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130


def test_a_study_without_its_log_is_refused_and_its_settings_stay(command, study, log):
    log.unlink()
    said = command("run", study)
    assert said.code == 3
    assert study.read_text() == STUDY


def test_a_study_file_with_an_unknown_key_is_refused_with_the_nearest_one(command, study):
    study.write_text(STUDY.replace("replications", "repetitions"))
    said = command("run", study)
    assert said.code == 2
    assert "'repetitions'; did you mean 'replications'" in said.err


def test_a_learner_that_always_breaks_ends_with_exit_code_5(command, study):
    text = study.with_name("slow.py")
    text.write_text(SLOW.replace("np.full(world.lanes, self.favourite)", "1 / 0"))
    said = command("run", study, "--json")
    assert said.code == 5, said.err
    assert json.loads(said.out)["error"]["kind"] == "ScoreError"
    assert "slow(favourite=0): " in said.err
    assert "ZeroDivisionError" in said.err
    assert "in the store" not in said.err


def test_the_plan_says_why_a_learner_could_not_be_timed(command, study):
    text = study.with_name("slow.py")
    text.write_text(SLOW.replace("np.full(world.lanes, self.favourite)", "1 / 0"))
    said = command("plan", study)
    assert said.code == 0, said.err
    (line,) = [line for line in said.out.splitlines() if line.startswith("Time:")]
    assert "not known" in line
    assert "slow(favourite=0): " in line
    assert "ZeroDivisionError" in line


def test_a_learner_that_breaks_cannot_be_chosen_and_is_named(command, study):
    text = study.with_name("slow.py")
    text.write_text(SLOW.replace("self.favourite)", "1 // self.favourite)"))
    said = command("run", study, "--json")
    assert said.code == 0, said.err
    plain = json.loads(said.out)
    assert {failure["candidate"] for failure in plain["failures"]} == {"slow(favourite=0)"}
    assert plain["choices"]["uncertainty_aware"]["candidate"] != "slow(favourite=0)"


def test_the_plan_times_every_algorithm_that_one_learner_can_be(command, study):
    """The second algorithm breaks, which nobody hears of unless it is tried."""
    text = SLOW.replace("favourite: int = 0", 'favourite: int = 0\n    algorithm: str = "PPO"')
    broken = 'time.sleep(0.0)\n        assert self.algorithm == "PPO", "SAC broke"'
    study.with_name("slow.py").write_text(
        text.replace('time.sleep(float(os.environ.get("SLOW_SECONDS", "0")))', broken)
    )
    study.write_text(STUDY.replace("favourite = [0, 1, 2]", 'algorithm = ["PPO", "SAC"]'))
    said = command("plan", study)
    assert said.code == 0, said.err
    assert "SAC broke" in said.out


def test_what_the_fit_warns_of_is_said_before_the_trials_and_in_the_plan(command, study, log):
    rare = [f"{'red' if at % 2 else 'green'},{at % 7}" for at in range(30)]
    log.write_text("\n".join(["variant,revenue", *rare, "blue,3"]) + "\n")
    study.write_text(STUDY.replace("[ensemble]", '[ensemble]\nname = "empirical"'))
    planned = command("plan", study).out
    assert planned.count("drawn again") == 1
    (warning,) = json.loads(command("plan", study, "--json").out)["warnings"]
    assert f"Warning: {warning}" in planned
    steps = command("run", study).err.splitlines()
    assert steps.count(f"warning: {warning}") == 1
    first = next(at for at, step in enumerate(steps) if step.startswith("Plug-In"))
    assert steps.index(f"warning: {warning}") < first


def test_what_failed_is_played_again_when_asked_and_only_then(command, study, tmp_path):
    cured = tmp_path / "cured"
    study.with_name("slow.py").write_text(
        SLOW.replace(
            "        for _ in",
            f"        if not self.favourite and not os.path.exists({str(cured)!r}):\n"
            "            raise MemoryError\n"
            "        for _ in",
        )
    )
    folder = tmp_path / "study.audition"
    first = command("run", study, "--json")
    assert json.loads(first.out)["failures"]
    assert f"audition run {folder} --retry-failed" in first.err
    cured.touch()
    assert json.loads(command("run", study, "--json").out)["failures"]
    again = command("run", folder, "--retry-failed", "--json")
    assert again.code == 0, again.err
    assert json.loads(again.out)["failures"] == []
    assert "kept from before" in again.err
    whole = tmp_path / "whole"
    assert command("run", study, "--out", whole).code == 0
    assert exported(command, folder) == exported(command, whole)


def test_the_plan_counts_the_trials_and_writes_nothing(command, study, tmp_path):
    before = sorted(tmp_path.iterdir())
    said = command("plan", study, "--json")
    assert said.code == 0, said.err
    plain = json.loads(said.out)
    assert plain["trials"] == 2 * 3 * 6 * 4
    assert plain["seconds"] > 0
    assert plain["bytes"] > 0
    assert sorted(tmp_path.iterdir()) == before
    assert "Trials: 144 trials" in command("plan", study).out
