"""What is played to see the theorems at work: environments, horizons, budgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

MARGIN, SIGMA = 1.0, 1.0  # M*
LEVELS: Final = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0)  # theta / sigma^2, on both sides of the critical 1
THETAS: Final = tuple(round(0.2 * step, 10) for step in range(1, 14))  # Theta = [0.2, 2.6]
FITTED_VARIANCES: Final = (
    0.6,
    1.6,
)  # of the better and the worse fitted arm: an event A of thm:main
FITTED_MARGIN: Final = 1.0
PULLS_LOGGED: Final = 12  # of each arm, T_{1,off} in eq:perturbed-bandit
LOG_SIZES: Final = (4, 10, 25, 100, 1000, 10_000)  # T_off, for the probability of A
SEED: Final = 2000


@final
@dataclass(frozen=True, slots=True)
class Budget:
    """How much is spent."""

    doublings: tuple[int, int]  # horizons are 2 to these powers and between
    replications: int  # of each level in M*
    members: int  # of the perturbed ensemble
    member_replications: int
    data_sets: int  # simulated for the probability of A


BUDGETS: Final = {
    "quick": Budget((8, 12), 2000, 20, 50, 20_000),
    "full": Budget((10, 20), 40_000, 150, 64, 1_000_000),
}
