"""The race: the truths, how much is logged, for how long is deployed, and what is spent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np

MARGINS: Final = (0.375, 0.675, 0.975, 1.5, 2.025)
SIGMAS: Final = (2.0, 3.0, 4.0)
LOGGED: Final = (10, 25, 100)  # T_off, arms drawn uniformly
HORIZONS: Final = (500, 5000, 50_000)
# One candidate set for all truths, so that which is best must be learned from the log.
THETAS: Final = {
    "ucb": np.round(9.0 * np.arange(1, 12) * 0.1, 10),
    "ts": np.round(9.0 * np.arange(1, 16) * 0.1, 10),
}
UNIT_MARGINS: Final = np.geomspace(0.001, 12.0, 110)  # margin over sigma
UNIT_THETAS: Final = np.geomspace(0.005, 40.0, 84)  # theta over sigma^2
FIVE_ARMS: Final = (  # (means in units of the margin, margin, sigma)
    ((1.0, 0.0, 0.0, 0.0, 0.0), 0.975, 3.0),
    ((1.0, 0.75, 0.5, 0.25, 0.0), 2.025, 3.0),
    ((1.0, 0.9, 0.0, 0.0, 0.0), 1.5, 2.0),
    ((1.0, 0.5, 0.5, 0.0, 0.0), 1.5, 4.0),
    ((1.0, 0.0, 0.0, 0.0, 0.0), 2.025, 2.0),
)
SEED: Final = 3000


@final
@dataclass(frozen=True, slots=True)
class Budget:
    """How much is spent."""

    unit_replications: dict[int, int]  # by horizon, for the table of unit bandits
    data_sets: int  # for each truth and each T_off
    members: int
    five_data_sets: int
    five_members: dict[int, int]  # by horizon: the longest costs nearly all of the time
    five_replications: int
    deployed_replications: int  # of every candidate in a five-armed truth
    row_logs: int  # of M*, for the ensemble that needs the rows


BUDGETS: Final = {
    "quick": Budget({500: 64}, 6, 60, 2, {500: 12, 1000: 8}, 16, 512, 200),
    "full": Budget(
        {500: 16_384, 5000: 8192, 50_000: 1024},
        400,
        400,
        20,
        {500: 40, 5000: 40, 50_000: 20},
        16,
        16_384,
        10_000,
    ),
}
