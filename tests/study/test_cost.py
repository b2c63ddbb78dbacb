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


SLOW = '''
import time
from dataclasses import dataclass

import numpy as np

from audition.learner import Learner

AWAKE = []


@dataclass(frozen=True)
class Slow(Learner):
    """Needs a second to wake up, once, and then a millisecond a round."""

    arm: int = 0

    @property
    def name(self):
        return "slow"

    def deploy(self, world, rng):
        if not AWAKE:
            time.sleep(1.0)
            AWAKE.append(True)
        for _ in range(world.horizon):
            time.sleep(0.001)
            world.pull(np.full(world.lanes, self.arm))
'''

STUDY = """horizon = 4000
replications = 1
allow_code = ["slow.py"]
[log]
path = "log.csv"
[ensemble]
size = 5
[running]
workers = 1
[[candidates]]
learner = "slow"
grid = { arm = [0, 1] }
"""


def test_what_a_slow_learner_needs_once_is_not_counted_for_every_trial(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    rows = [f"{'ab'[i % 2]},{(i * 7) % 11 + i % 2}" for i in range(80)]
    (tmp_path / "log.csv").write_text("\n".join(["arm,reward", *rows]) + "\n", encoding="utf-8")
    (tmp_path / "slow.py").write_text(SLOW, encoding="utf-8")
    (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")
    with pytest.raises(SystemExit) as left:
        main(["plan", "study.toml", "--json"])
    said = capsys.readouterr()
    assert left.value.code == 0, said.err
    told = json.loads(said.out)
    # trials of 4,000 rounds take at least 4 s; sleeping takes somewhat longer than asked
    assert 4.0 < told["seconds"] / told["trials"] < 12.0
