"""Learners that no engine plays, as a stranger's file has them: greedy ones, sound or broken."""

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from audition.learner import Learner


@dataclass(frozen=True)
class Hoping(Learner):
    """Takes every mean for `hope` higher than it looks, once over its pulls; breaks on request."""

    hope: float = 1.0
    breaks: str = ""  # "raises", "misses", "hangs" or the path of a file whose first writer dies

    @property
    def name(self) -> str:
        return "hoping"

    def deploy(self, world: Any, rng: Any) -> None:
        del rng
        if self.breaks == "raises":
            raise RuntimeError("out of luck")
        if self.breaks == "misses":
            raise ModuleNotFoundError("No module named 'torch'")
        if self.breaks == "hangs":
            time.sleep(60)
        if self.breaks.endswith(".died") and not Path(self.breaks).exists():
            Path(self.breaks).touch()
            os._exit(9)
        pulls, totals = np.zeros((world.lanes, world.arms)), np.zeros((world.lanes, world.arms))
        lane = np.arange(world.lanes)
        for number in range(world.horizon):
            index = totals / np.maximum(pulls, 1.0) + self.hope / np.maximum(pulls, 1.0)
            arm = index.argmax(axis=1) if number >= world.arms else np.full(world.lanes, number)
            totals[lane, arm] += world.pull(arm)
            pulls[lane, arm] += 1.0
