"""Plug-ins are found: ours, those of installed packages, and single files that a user allows."""

import sys
import textwrap
from importlib import invalidate_caches
from pathlib import Path

import pytest

from audition import plugins
from audition.errors import ConfigError, PluginError
from audition.plugins import KINDS, discover

LEARNER = '''
"""A learner of a stranger."""
from dataclasses import dataclass

import numpy as np

from audition.errors import ConfigError
from audition.learner import Learner


@dataclass(frozen=True)
class Stubborn(Learner):
    """Pulls one arm and never another."""

    favourite: int = 0

    def __post_init__(self):
        if self.favourite < 0:
            raise ConfigError(f"an arm is numbered from 0, but favourite is {self.favourite}")

    @property
    def name(self):
        return "stubborn"

    def deploy(self, world, rng):
        for _ in range(world.horizon):
            world.pull(np.full(world.lanes, self.favourite % world.arms))
'''
RULE = '''
from dataclasses import dataclass
from audition.rule import Rule

@dataclass(frozen=True)
class Median(Rule):
    """The middle one."""
    @property
    def name(self):
        return "median"
    def worth(self, values):
        import numpy as np
        return np.median(values, axis=1)
'''


@pytest.fixture(autouse=True)
def _forget():
    """What is installed changes within these tests."""
    plugins._discover.cache_clear()
    yield
    plugins._discover.cache_clear()


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Install a package of one module that declares entry points."""

    def install(name: str, text: str, points: dict[str, str]) -> None:
        (tmp_path / f"{name}.py").write_text(textwrap.dedent(text))
        about = tmp_path / f"{name}-1.2.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n")
        lines = [f"[audition.{kind}]\nany = {name}:{cls}\n" for kind, cls in points.items()]
        (about / "entry_points.txt").write_text("\n".join(lines))
        monkeypatch.syspath_prepend(str(tmp_path))
        invalidate_caches()
        plugins._discover.cache_clear()

    yield install
    for path in tmp_path.glob("*.py"):
        sys.modules.pop(path.stem, None)


def written(place: Path, text: str) -> str:
    place.write_text(text)
    return str(place)


def test_every_kind_has_built_in_plug_ins_with_a_summary_each():
    registry = discover()
    assert registry.broken == ()
    for kind in KINDS:
        assert registry.of(kind)
    assert all(plugin.summary.endswith(".") for plugin in registry.plugins)
    names = {plugin.name for plugin in registry.of("learners")}
    assert names >= {
        "ucb", "ts", "epsilon_greedy", "epsilon_decay", "explore_then_commit", "boltzmann",
        "ucb_tuned", "ucb_v", "kl_ucb", "beta_ts", "moss", "successive_elimination", "exp3",
    }  # fmt: skip
    assert {plugin.name for plugin in registry.of("rules")} == {
        "mean", "quantile", "borda", "cvar", "worst", "minimax_regret", "best_probability",
    }  # fmt: skip


def test_a_plug_in_of_an_installed_package_is_found_with_its_origin(installed):
    installed("their_learners", LEARNER, {"learners": "Stubborn"})
    found = discover().find("learners", "stubborn")
    assert found.origin == "package their_learners 1.2"
    assert found.digest
    assert discover().make("learners", "stubborn", {"favourite": 2}).favourite == 2


@pytest.mark.parametrize(
    ("text", "kind", "cls", "said"),
    [
        ("import not_there", "learners", "Stubborn", "ModuleNotFoundError"),
        ("raise SystemExit(3)", "rules", "Median", "SystemExit"),
        ("Stubborn = 3", "learners", "Stubborn", "is not a class of audition.learner:Learner"),
        (LEARNER, "rules", "Stubborn", "is not a class of audition.rule:Rule"),
        (
            "from audition.learner import Learner\nclass Half(Learner):\n    name = 'half'",
            "learners",
            "Half",
            "leaves open what it must give: deploy",
        ),
        (LEARNER.replace('"stubborn"', '"ucb"'), "learners", "Stubborn", "'ucb' is taken"),
    ],
    ids=["no-module", "exits", "no-class", "wrong-kind", "abstract", "taken"],
)
def test_a_plug_in_that_cannot_be_loaded_is_listed_and_stops_nothing(
    installed, text, kind, cls, said
):
    installed("their_trouble", text, {kind: cls})
    registry = discover()
    (broken,) = registry.broken
    assert said in broken.reason
    assert broken.origin == "package their_trouble 1.2"
    assert registry.find("learners", "ucb").origin == "built in"
    with pytest.raises(PluginError, match="not loaded: package their_trouble"):
        registry.find(kind, "no such name")


def test_an_allowed_file_is_run_and_no_other(tmp_path):
    path = written(tmp_path / "mine.py", LEARNER + RULE)
    written(tmp_path / "other.py", "raise RuntimeError('nobody allowed me')")
    registry = discover(allow_code=[path])
    assert registry.find("learners", "stubborn").origin == f"file {path}"
    assert registry.find("rules", "median").summary == "The middle one."
    with pytest.raises(PluginError, match="no plug-in among the learners is called 'stubborn'"):
        discover().find("learners", "stubborn")


def test_a_file_that_changed_is_run_again(tmp_path):
    path = written(tmp_path / "mine.py", LEARNER)
    before = discover(allow_code=[path]).find("learners", "stubborn")
    written(tmp_path / "mine.py", LEARNER.replace("favourite: int = 0", "favourite: int = 1"))
    after = discover(allow_code=[path]).find("learners", "stubborn")
    assert before.digest != after.digest
    assert after.cls().favourite == 1


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("gone.py", None, "must be a Python file that can be read"),
        ("mine.py", "x = 1", "holds no plug-in; derive a class from one of Family, Learner"),
        ("mine.py", "x = (", "could not be run: SyntaxError"),
        ("mine.py", "1 / 0", "could not be run: ZeroDivisionError"),
        ("mine.py", "raise SystemExit", "could not be run: SystemExit"),
        ("mine.txt", LEARNER, r"must be a Python file \(.py\)"),
        ("mine.py", LEARNER.replace('"stubborn"', '"ucb"'), "two plug-ins.*are called 'ucb'"),
    ],
    ids=["gone", "empty", "syntax", "breaks", "exits", "no-python", "taken"],
)
def test_a_file_that_is_no_plug_in_is_refused_in_words(tmp_path, name, text, said):
    place = tmp_path / name
    if text is not None:
        place.write_text(text)
    with pytest.raises(PluginError, match=said):
        discover(allow_code=[place])


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"favorite": 1}, "no setting 'favorite'; did you mean 'favourite'"),
        ({"favourite": "first"}, "settings of stubborn"),
        ({"favourite": -1}, "numbered from 0"),
    ],
)
def test_settings_are_checked_against_what_the_class_declares(tmp_path, settings, said):
    registry = discover(allow_code=[written(tmp_path / "mine.py", LEARNER)])
    with pytest.raises(ConfigError, match=said):
        registry.make("learners", "stubborn", settings)


def test_a_misspelt_name_is_met_with_the_nearest_one():
    with pytest.raises(PluginError, match="did you mean 'gaussian'"):
        discover().find("families", "gausian")
