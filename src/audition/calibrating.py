"""The thresholds of success, from policies that one of the study's candidates learns.

The formulas of `app:deeprl-reward`, on any study of episodes: the candidate is trained with a few
seeds, and its evaluation episodes say what success is. The paper trains on the true robot and plays
100 episodes a seed; here both happen in the simulator that was fitted to the log, with the family's
`evaluation_episodes`. Nothing is kept of a calibration that is stopped.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from audition.deployment import checkpoints
from audition.episode_objective import calibration
from audition.episode_world import EpisodeWorld
from audition.errors import ConfigError, LearnerError
from audition.family import Opening
from audition.learner import LEARNER_PURPOSE
from audition.seeds import Draws, Lanes
from audition.study import PLUG_IN

if TYPE_CHECKING:
    from audition.preparation import Prepared


@final
@dataclass(frozen=True, slots=True)
class Calibrated:
    """Thresholds, and what they were told from."""

    candidate: str
    trained: int  # seeds that gave a policy
    failed: tuple[str, ...]  # why the others gave none
    thresholds: dict[str, float]  # near, far and most_effort of the objective `success`


def calibrated(prepared: Prepared, *, candidate: str, seeds: int) -> Calibrated:
    """Train one candidate with so many seeds in the fitted simulator, and read the thresholds."""
    chosen = {one.name: one for one in prepared.candidates}.get(candidate)
    if chosen is None:
        raise ConfigError(
            f"there is no candidate {candidate!r}; the study has "
            f"{', '.join(one.name for one in prepared.candidates)}"
        )
    if seeds < 1:
        raise ConfigError(f"a calibration trains with at least 1 seed; got {seeds}")
    study, simulator = prepared.study, prepared.ensembles[PLUG_IN].simulators[0]
    lanes = Lanes.of(range(seeds))
    marks = checkpoints(prepared.objectives, study.horizon)
    opening = Opening(lanes, study.horizon, study.seed, marks)
    world = prepared.family.open([simulator] * seeds, opening=opening)
    if not isinstance(world, EpisodeWorld):
        raise ConfigError(
            f"thresholds of success are for studies of episodes; the {prepared.family.name} family "
            "opens a bandit, whose objectives need none"
        )
    chosen.learner.deploy(world, Draws(study.seed, LEARNER_PURPOSE, lanes))
    outcome = world.outcome()
    failed = tuple(reason for reason in outcome.failures if reason)
    if len(failed) == seeds:
        raise LearnerError(f"no seed of {candidate!r} gave a policy: {failed[0]}")
    return Calibrated(candidate, seeds - len(failed), failed, calibration(outcome))
