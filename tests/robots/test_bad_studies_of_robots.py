"""A study of a robot that cannot be run says so in one sentence, before anything is trained."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from audition.cli import main

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "pendulum"


def arrays(folder: Path) -> dict[str, np.ndarray]:
    with np.load(folder / "runs.npz", allow_pickle=False) as file:
        return {name: file[name].copy() for name in file.files}


def rewritten(**changes: Callable[[dict[str, np.ndarray]], np.ndarray]) -> Callable[[Path], None]:
    """A change to the arrays of the log."""

    def change(folder: Path) -> None:
        found = arrays(folder)
        np.savez(
            folder / "runs.npz", **{**found, **{k: make(found) for k, make in changes.items()}}
        )

    return change


def edited(old: str, new: str, name: str = "study.toml") -> Callable[[Path], None]:
    """A change to a text file."""

    def change(folder: Path) -> None:
        text = (folder / name).read_text(encoding="utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new), encoding="utf-8")

    return change


def with_nan(found: dict[str, np.ndarray]) -> np.ndarray:
    found["states"][30, 1] = np.nan
    return found["states"]


def lengths_with_a_short_one(found: dict[str, np.ndarray]) -> np.ndarray:
    return np.append(found["lengths"][:-1], [24, 1])


FAULTS: dict[str, tuple[Callable[[Path], None], str]] = {
    "a NaN": (rewritten(states=with_nan), "states must be finite; 1 of 200 steps"),
    "a short episode": (rewritten(lengths=lengths_with_a_short_one), "at least 2 transitions"),
    "states of another robot": (
        rewritten(
            states=lambda found: np.hstack([found["states"]] * 2),
            next_states=lambda found: np.hstack([found["next_states"]] * 2),
        ),
        "the model has 2 state coordinates",
    ),
    "a log that is not there": (edited("runs.npz", "walks.npz"), "there is no file"),
    "a model that is not there": (edited("pendulum.xml", "robot.xml"), "cannot be read"),
    "a model with a fault": (edited("<worldbody>", "<world>", "pendulum.xml"), "cannot be read"),
    "a field that is not there": (edited("body_mass", "body_mas"), "did you mean 'body_mass'"),
    "a joint that is not there": (edited("[hinge]", "[knee]"), "no dof called 'knee'"),
    "a misspelt setting": (
        edited("evaluation_episodes", "evaluations"),
        "no setting 'evaluations'",
    ),
    "a candidate without a reward": (
        edited("weights = [0.0, 1.0, 1.0], ", ""),
        "gentle would train on nothing; give it `weights`",
    ),
    "an objective without a reward": (
        edited(
            'name = "success"\nsettings = { near = 0.0, far = 3.0, most_effort = 0.9 }',
            'name = "return"',
        ),
        "the objective 'return' would find all candidates alike",
    ),
    "no objective, and a model without a reward": (
        edited(
            '[[objectives]]\nname = "success"\n'
            "settings = { near = 0.0, far = 3.0, most_effort = 0.9 }",
            "",
        ),
        "the objective 'return' would find all candidates alike",
    ),
    "one simulator": (edited("size = 4", "size = 1"), "ensemble.size must be from 2"),
    "a bandit's family": (
        edited('name = "mujoco"', 'name = "gaussian"'),
        "no column is called 'arm'",
    ),
}

OF_THE_LOG = {
    "a NaN",
    "a short episode",
    "states of another robot",
    "a log that is not there",
    "a bandit's family",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_told_in_words_and_by_the_exit_code(
    fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 3 for a log, 2 for anything else; one line, no traceback."""
    for name in ("runs.npz", "pendulum.xml", "study.toml"):
        shutil.copy(EXAMPLE / name, tmp_path / name)
    change, words = FAULTS[fault]
    change(tmp_path)
    with pytest.raises(SystemExit) as left:
        main(["run", str(tmp_path / "study.toml"), "--quiet"])
    said = capsys.readouterr()
    assert left.value.code == (3 if fault in OF_THE_LOG else 2), said.err
    assert words in said.err
    assert "Traceback" not in said.err
