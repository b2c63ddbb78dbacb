"""A learner's private reward: weights on the features that a world reports, and its own curve.

The world keeps the score; what a learner is taught by is its own matter. `PrivateReward` wraps a
training environment, pays `weights . info["features"]` in place of the environment's reward, and
remembers what recent training episodes paid, for the learning curve. It passes no `info` on: the
facts in it are the true state's, which a learner must not see (and vectorised environments copy
all of it at every step).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any, Final, final

import gymnasium
import numpy as np

from audition.episode_world import CurvePoint
from audition.errors import LearnerError

RECENT: Final = 20  # training episodes that a point of the curve averages over
POINTS: Final = 60  # points of a learning curve, about


@final
class PrivateReward(gymnasium.Wrapper[Any, Any, Any, Any]):  # type: ignore[misc]
    """A training environment with the learner's own reward; no weights keep the environment's."""

    def __init__(
        self, environment: gymnasium.Env[Any, Any], weights: Sequence[float], *, steps: int
    ) -> None:
        """Reward weights, one for each feature; `steps` is how long the training will last."""
        super().__init__(environment)
        self._weights = np.asarray(weights, dtype=np.float64)
        self._recent: deque[float] = deque(maxlen=RECENT)
        self._every = max(steps // POINTS, 1)
        self._steps = 0
        self._total = 0.0
        self.curve: list[CurvePoint] = []

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode, with nothing paid yet."""
        self._total = 0.0
        observation, info = self.env.reset(seed=seed, options=options)
        return observation, info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Step, and pay what the weights say."""
        observation, reward, ended, cut, info = self.env.step(action)
        paid = float(reward) if not self._weights.size else self._pay(info)
        self._steps += 1
        self._total += paid
        if ended or cut:
            self._recent.append(self._total)
        if self._steps % self._every == 0 and self._recent:
            self.curve.append(CurvePoint(self._steps, float(np.mean(self._recent))))
        return observation, paid, bool(ended), bool(cut), {}

    def _pay(self, info: dict[str, Any]) -> float:
        features = np.asarray(info.get("features", ()), dtype=np.float64)
        if features.shape != self._weights.shape:
            raise LearnerError(
                f"{self._weights.size} reward weights need as many features in the step's info, "
                f"but this environment reports {features.size}; give one weight for each feature, "
                "or none to train on the environment's own reward"
            )
        return float(self._weights @ features)
