"""A stranger's learner, in one file: it is listed, checked, raced and kept apart from ours."""

import json

import pytest

LEARNER = '''"""Follow the leader."""
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from audition.errors import ConfigError
from audition.learner import ScalarLearner


class Settings(NamedTuple):
    bonus: float


class Now(NamedTuple):
    bonus: float


@dataclass(frozen=True, slots=True)
class Leader(ScalarLearner):
    """Pull the arm of largest mean, with a bonus that melts."""

    bonus: float = 1.0
    shift_equivariant: ClassVar[bool] = True
    Settings: ClassVar[Any] = Settings

    def __post_init__(self) -> None:
        if not 0.0 <= self.bonus < float("inf"):
            raise ConfigError(f"a bonus is zero or more, but is {self.bonus}")

    @property
    def name(self) -> str:
        return "leader"

    def settings(self) -> tuple[float, ...]:
        return (self.bonus,)

    @staticmethod
    def start(settings: Any, clock: Any) -> Any:
        return Now(settings.bonus)

    @staticmethod
    def choose(arm: Any, now: Any) -> Any:
        return arm.root * arm.root * (arm.total + now.bonus)
'''
COLUMNS = ("--arm", "variant", "--reward", "revenue", "--horizon", "60", "--size", "5")


@pytest.fixture
def leader(tmp_path):
    place = tmp_path / "leader.py"
    place.write_text(LEARNER)
    return place


def test_the_list_names_every_kind_and_says_where_a_strangers_comes_from(command, leader):
    said = command("plugins", "--allow-code", leader)
    assert said.code == 0, said.err
    for line in ("families:", "learners:", "ensembles:", "rules:", "objectives:", "executors:"):
        assert line in said.out.splitlines()
    assert "  leader(bonus=1.0): Pull the arm of largest mean" in said.out
    assert f"[file {leader}]" in said.out
    assert "leader" not in command("plugins").out


def test_the_list_for_programs_can_be_of_one_kind(command, leader):
    plain = json.loads(
        command("plugins", "--kind", "learners", "--allow-code", leader, "--json").out
    )
    found = {plugin["name"]: plugin for plugin in plain["plugins"]}
    assert {plugin["kind"] for plugin in plain["plugins"]} == {"learners"}
    assert found["leader"]["settings"] == ["bonus=1.0"]
    assert found["ucb"]["origin"] == "built in"
    assert plain["broken"] == []


def test_a_sound_learner_keeps_its_promises(command, leader):
    said = command("checks", leader)
    assert said.code == 0, said.out
    assert "leader (learners): all promises kept" in said.out
    plain = json.loads(command("checks", leader, "--json").out)
    assert plain["plugins"][0]["kept"] is True
    assert len(plain["plugins"][0]["promises"]) >= 14


def test_a_broken_learner_ends_with_exit_code_2_and_the_promise(command, leader):
    leader.write_text(LEARNER.replace("(arm.total + now.bonus)", "(arm.total + now.bonus / 0)"))
    said = command("checks", leader)
    assert said.code == 2
    assert "BROKEN  it plays every round" in said.out
    plain = json.loads(command("checks", leader, "--json").out)
    assert plain["plugins"][0]["kept"] is False


def test_a_built_in_plug_in_is_checked_by_its_name(command):
    assert "all promises kept" in command("checks", "borda").out
    said = command("checks", "broda")
    assert said.code == 2
    assert "did you mean 'borda'" in said.err


def test_a_strangers_learner_is_raced_beside_ours(command, log, leader):
    given = ("--learner", "leader", "--learner", "ucb", "--replications", "4", "--json")
    said = command("select", log, *COLUMNS, *given, "--allow-code", leader)
    assert said.code == 0, said.err
    plain = json.loads(said.out)
    raced = {candidate["learner"] for candidate in plain["candidates"]}
    assert raced == {"leader", "ucb"}


def test_without_permission_nothing_of_it_is_run(command, log, leader):
    leader.write_text("raise RuntimeError('I was run')")
    said = command("select", log, *COLUMNS, "--learner", "leader")
    assert said.code == 2
    assert "I was run" not in said.err
    assert "no plug-in among the learners is called 'leader'" in said.err


def test_a_learner_that_changed_is_played_again(command, log, leader):
    """Its source is in the keys of its trials: what is kept of the old one is not used."""
    given = (*COLUMNS, "--learner", "leader", "--learner", "ucb", "--replications", "4")
    first = command("select", log, *given, "--allow-code", leader, "--json")
    leader.write_text(LEARNER.replace("arm.root * arm.root * (", "-arm.root * arm.root * ("))
    second = command("select", log, *given, "--allow-code", leader, "--json")
    assert first.code == second.code == 0

    def worth(said, learner):
        return [c["rules"] for c in json.loads(said.out)["candidates"] if c["learner"] == learner]

    assert worth(first, "leader") != worth(second, "leader")
    assert worth(first, "ucb") == worth(second, "ucb")
    assert "kept from before" in second.err
