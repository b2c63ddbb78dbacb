"""A small study that was played once, and a way to run commands in this process."""

import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from audition.cli import main

SMALL = ("--horizon", "60", "--size", "6", "--replications", "4")
FEW = ("--learner", "ucb", "--learner", "epsilon_greedy")


@dataclass(frozen=True)
class Ran:
    """How a command ended, and what it said where."""

    code: int
    out: str
    err: str


def written(place: Path, *, names=("red", "green", "blue"), columns=("variant", "revenue")):
    """A log of 90 rows in which the last arm pays most."""
    rng = np.random.default_rng(3)
    arms = rng.integers(len(names), size=90)
    rewards = rng.normal(arms, 1.0)
    quoted = ['"' + name.replace('"', '""') + '"' for name in names]
    lines = [f"{quoted[arm]},{reward:.4f}" for arm, reward in zip(arms, rewards, strict=True)]
    place.write_text("\n".join([",".join(columns), *lines]) + "\n", encoding="utf-8")
    return place


@pytest.fixture
def command(capsys) -> Callable[..., Ran]:
    """Run a command as the console script does."""

    def run(*arguments: object) -> Ran:
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main([str(argument) for argument in arguments])
        said = capsys.readouterr()
        code = left.value.code
        return Ran(code if isinstance(code, int) else 1, said.out, said.err)

    return run


@pytest.fixture
def write_log() -> Callable[..., Path]:
    """Write a log with arms and columns of given names."""
    return written


@pytest.fixture
def log(tmp_path) -> Path:
    """A sound log with columns of its own names."""
    return written(tmp_path / "shop.csv")


@pytest.fixture(scope="session")
def _played(tmp_path_factory) -> Path:
    place = tmp_path_factory.mktemp("played")
    log = written(place / "shop.csv")
    given = ["--arm", "variant", "--reward", "revenue", *SMALL, *FEW, "--rule", "cvar", "--quiet"]
    keep = sys.stdout
    with pytest.raises(SystemExit) as left, (place / "said.txt").open("w") as sys.stdout:
        main(["select", str(log), *given])
    sys.stdout = keep
    assert left.value.code == 0
    return place


@pytest.fixture
def played(_played, tmp_path) -> Path:
    """A copy of a folder with a log, its finished study and what was said (said.txt)."""
    return Path(shutil.copytree(_played, tmp_path / "played"))
