"""What a trained policy is worth: any function of its evaluation episodes.

`EpisodeScore` gives every episode a number and takes the mean over episodes; the paper's success
score is one instance, the environment's own return another. To add one, write `episode_scores`.
"""

from abc import abstractmethod
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from audition.episode_world import EpisodeOutcome
from audition.errors import ConfigError
from audition.objective import Objective

FloatArray = NDArray[np.float64]


class EpisodeScore(Objective):
    """The mean over evaluation episodes of a score of one episode."""

    @abstractmethod
    def episode_scores(self, outcome: EpisodeOutcome) -> FloatArray:  # [lane, episode]
        """The score of every episode; NaN where it has none."""

    def checkpoints(self, horizon: int) -> tuple[int, ...]:
        """The policy at the end of its training is all it needs."""
        return (horizon,)

    def score(self, outcome: EpisodeOutcome) -> FloatArray:
        """The mean over episodes, NaN for a lane that failed."""
        return np.asarray(self.episode_scores(outcome).mean(axis=1))


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class SuccessScore(EpisodeScore):
    """Far enough without too much effort (eq:app-deeprl-score).

    Zero where the mean squared actuation exceeds `most_effort` (c_max); otherwise rising from 0 at
    distance `near` (x_lo) to 1 at distance `far` (x_hi).
    """

    near: float
    far: float
    most_effort: float

    def __post_init__(self) -> None:
        """Refuse thresholds that no episode could be scored by."""
        if not (np.isfinite(self.near) and np.isfinite(self.far) and self.near < self.far):
            raise ConfigError(
                f"a success score rises from near to far, which must be finite with near < far; "
                f"got near={self.near} and far={self.far}"
            )
        if not self.most_effort > 0:
            raise ConfigError(f"most_effort must be positive; got {self.most_effort}")

    @staticmethod
    def calibrated(outcome: EpisodeOutcome) -> "SuccessScore":
        """A score by the thresholds that policies at the default weights set."""
        return SuccessScore(**calibration(outcome))

    @property
    def name(self) -> str:
        """`success`."""
        return "success"

    def episode_scores(self, outcome: EpisodeOutcome) -> FloatArray:  # [lane, episode]
        """1(effort <= c_max) times the distance's place between near and far."""
        progress = np.clip((outcome.distances - self.near) / (self.far - self.near), 0.0, 1.0)
        within = np.where(np.isnan(outcome.efforts), np.nan, outcome.efforts <= self.most_effort)
        return np.asarray(within * progress)


@final
@dataclass(frozen=True, slots=True)
class MeanReturn(EpisodeScore):
    """The environment's own return, undiscounted."""

    @property
    def name(self) -> str:
        """`return`."""
        return "return"

    def episode_scores(self, outcome: EpisodeOutcome) -> FloatArray:  # [lane, episode]
        """The sum of the environment's rewards."""
        return outcome.returns


def calibration(outcome: EpisodeOutcome) -> dict[str, float]:
    """The thresholds that policies at the default weights set (app:deeprl-reward).

    far is the median distance over all lanes and episodes, near half of it, and most_effort 0.9
    times the mean effort. Lanes that failed are left out.
    """
    distances = outcome.distances[np.isfinite(outcome.distances)]
    efforts = outcome.efforts[np.isfinite(outcome.efforts)]
    if not distances.size or not efforts.size:
        raise ConfigError(
            "calibrating a success score needs evaluation episodes that report a distance and an "
            "effort; this outcome has none"
        )
    far = float(np.median(distances))
    return {"near": far / 2, "far": far, "most_effort": 0.9 * float(efforts.mean())}
