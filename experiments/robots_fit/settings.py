"""What the fit table is made of: robots, the truth, log lengths and budgets, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

ROBOTS: Final = {"Hopper": "Hopper-v5", "Walker2d": "Walker2d-v5"}
TRUTH: Final = {"mass": 1.5, "friction": 0.7, "damping": 1.4}  # lambda* of app:deeprl-plant
SEED: Final = 2  # of the logged episodes
BATCH: Final = 6  # episodes in one piece of work, about three seconds


@final
@dataclass(frozen=True, slots=True)
class Budget:
    """How many episodes are identified, and how they are grouped into data sets.

    The data sets of one length share no episode; those of different lengths are made of the same
    episodes, so a pool of 24 x 320 episodes gives 24 data sets of 320, 96 of 80 and 384 of 20.
    """

    episodes: int
    lengths: tuple[int, ...]  # T_off
    members: int  # of the bootstrap, for the last column


BUDGETS: Final = {
    "quick": Budget(episodes=24, lengths=(6,), members=50),
    "full": Budget(episodes=24 * 320, lengths=(20, 80, 320), members=100),
}
