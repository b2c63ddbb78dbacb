"""`audition calibrate`: thresholds of success from what a candidate achieves."""

from __future__ import annotations

import json
import shutil
import tomllib
from pathlib import Path

import numpy as np
import pytest

from audition.cli import main
from audition.episode_objective import SuccessScore, calibration
from audition.episode_world import EpisodeOutcome
from audition.errors import ConfigError

ROOT = Path(__file__).resolve().parents[2]
SHORT = {"horizon = 8192": "horizon = 128", "n_steps = 256": "n_steps = 64", "= 20": "= 2"}


def outcome(distances: list[list[float]], efforts: list[list[float]]) -> EpisodeOutcome:
    shape = np.array(distances, float)
    return EpisodeOutcome(
        lengths=np.ones_like(shape),
        returns=np.zeros_like(shape),
        distances=shape,
        efforts=np.array(efforts, float),
        features=np.zeros((*shape.shape, 0)),
        failures=("",) * len(shape),
        curves=((),) * len(shape),
    )


def test_thresholds_are_the_median_half_of_it_and_nine_tenths_of_the_mean_effort() -> None:
    seen = outcome([[1.0, 2.0], [6.0, np.nan]], [[1.0, 2.0], [3.0, np.nan]])
    assert calibration(seen) == {"near": 1.0, "far": 2.0, "most_effort": pytest.approx(1.8)}


def test_success_rises_from_near_to_far_and_is_nothing_beyond_the_most_effort() -> None:
    """eq:app-deeprl-score, worked out by hand."""
    score = SuccessScore(near=1.0, far=3.0, most_effort=2.0)
    seen = outcome([[0.5, 1.5, 3.0, 9.0, 9.0]], [[1.0, 2.0, 1.0, 1.0, 2.1]])
    np.testing.assert_allclose(score.episode_scores(seen), [[0.0, 0.25, 1.0, 1.0, 0.0]])


def test_policies_that_report_no_distance_set_no_threshold() -> None:
    with pytest.raises(ConfigError, match="report a distance"):
        calibration(outcome([[np.nan]], [[1.0]]))


def test_a_study_that_names_no_objective_yet_is_calibrated(study: str) -> None:
    """Though its model pays no return that it could be judged by."""
    text = Path(study).read_text(encoding="utf-8")
    start, end = text.index("[[objectives]]"), text.index("[[candidates]]")
    bare = Path(study).with_name("bare.toml")
    bare.write_text(text[:start] + text[end:], encoding="utf-8")
    assert calibrate(str(bare), "--candidate", "eager", "--seeds", "1") == 0


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> str:
    place = tmp_path_factory.mktemp("reader") / "pendulum"
    shutil.copytree(ROOT / "examples" / "pendulum", place)
    text = (place / "study.toml").read_text(encoding="utf-8")
    for told, tried in SHORT.items():
        text = text.replace(told, tried)
    (place / "study.toml").write_text(text, encoding="utf-8")
    return str(place / "study.toml")


def calibrate(study: str, *words: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(["calibrate", study, *words])
    return int(left.value.code or 0)


def test_the_command_prints_lines_for_the_study_file(
    study: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert calibrate(study, "--candidate", "eager", "--seeds", "2") == 0
    (objective,) = tomllib.loads(capsys.readouterr().out)["objectives"]
    assert objective["name"] == "success"
    assert objective["settings"]["near"] == pytest.approx(
        objective["settings"]["far"] / 2, rel=1e-3
    )
    assert calibrate(study, "--candidate", "eager", "--seeds", "2", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["candidate"], told["seeds"]) == ("eager", 2)
    assert told["far"] == pytest.approx(objective["settings"]["far"], rel=1e-3)


def test_a_candidate_that_the_study_does_not_have_is_refused(
    study: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert calibrate(study, "--candidate", "brave") != 0
    assert "there is no candidate 'brave'; the study has eager, gentle" in capsys.readouterr().err
