"""Which engine plays, and the one line that says why it is another than was asked for."""

from typing import Any

import numpy as np
import pytest

from audition.engine import choose
from audition.engine.choosing import reasons
from audition.ensembles.plug_in import PlugIn
from audition.errors import ConfigError, EngineError
from audition.evaluation import evaluate
from audition.families.gaussian import Gaussian
from audition.learner import Candidate
from audition.learners.thompson import ThompsonSampling
from audition.learners.ucb import UCB
from audition.log import Log
from audition.objective import Regret


@pytest.fixture
def no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise EngineError("no CUDA device was found")

    monkeypatch.setattr("audition.engine.cuda._require_device", refuse)


@pytest.mark.parametrize(("asked", "plays"), [("auto", "cpu"), ("cpu", "cpu"), ("plain", "plain")])
def test_an_engine_plays_what_it_is_asked_for(asked: str, plays: str) -> None:
    choice = choose(asked, UCB(1.0), Gaussian(), arms=2)
    assert (choice.engine.name, choice.reason) == (plays, "")


def test_an_absent_gpu_falls_back_with_one_line_for_all_rules(no_gpu: None) -> None:
    choices = [
        choose("cuda", rule, Gaussian(), arms=2) for rule in (UCB(1.0), ThompsonSampling(1.0))
    ]
    assert [choice.engine.name for choice in choices] == ["cpu", "cpu"]
    assert reasons(choices) == (
        "the cuda engine cannot play ucb, ts: no CUDA device was found; using cpu",
    )


def test_a_rule_that_does_not_compile_is_played_plainly() -> None:
    class UsesNumPy(UCB):
        @staticmethod
        def choose(arm: Any, now: Any) -> Any:
            return np.sqrt(arm.total) + now.width

    choice = choose("auto", UsesNumPy(1.0), Gaussian(), arms=2)
    assert choice.engine.name == "plain"
    assert choice.reason.startswith("the cpu engine cannot play ucb: ")
    assert "audition.scalars" in choice.reason
    assert "\n" not in choice.reason


def test_an_engine_that_fails_while_it_plays_hands_over(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Any, work: Any) -> Any:
        raise EngineError("it ran out of memory")

    monkeypatch.setattr("audition.engine.cpu.CpuEngine.play", fail)
    log = Log.from_arrays(np.array([0, 1] * 20), np.arange(40) % 7 + 0.5)
    found = evaluate(
        [Candidate.of(UCB(1.0))],
        PlugIn().make(Gaussian(), log),
        Gaussian(),
        objectives=[Regret()],
        horizon=20,
        replications=4,
        seed=1,
        engine="cpu",
    )
    assert found.engine == "plain"
    assert found.notes == ("the cpu engine failed: it ran out of memory; using plain",)


def test_an_unknown_engine_is_refused() -> None:
    with pytest.raises(ConfigError, match="an engine is one of auto, plain, cpu, cuda"):
        choose("warp", UCB(1.0), Gaussian(), arms=2)
