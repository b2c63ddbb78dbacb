"""The robots of the paper as data: the truth, the thresholds, the candidates, and what is spent.

Everything is from `app:deeprl`. A weight vector is (survival, forward, control), its first entry 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, final

Theta = tuple[float, float, float]

HOPPER, WALKER = "Hopper-v5", "Walker2d-v5"
ROBOTS: Final = (HOPPER, WALKER)
NAMES: Final = {HOPPER: "Hopper", WALKER: "Walker2d"}
TRUTH: Final = {"mass": 1.5, "friction": 0.7, "damping": 1.4}  # lambda*, app:deeprl-plant
SENSOR: Final = 0.05  # sigma_rel
HORIZON: Final = 250
ROOT_SEED: Final = 20  # a run's randomness is this and its own seed
DEFAULT_WEIGHTS: Final = (1.0, 1.0, 0.002)  # those that the thresholds are calibrated at
THRESHOLDS: Final = {  # tab:deeprl-app-thresholds: x_lo, x_hi, c_max
    HOPPER: {"near": 1.523, "far": 3.047, "most_effort": 1.548},
    WALKER: {"near": 1.669, "far": 3.337, "most_effort": 3.346},
}
FORWARD: Final = {  # theta_fwd, app:deeprl-grid
    HOPPER: (0.3, 1.0, 3.0, 10.0, 30.0),
    WALKER: (0.03, 0.1, 0.3, 1.0, 3.0, 10.0),
}
CONTROL: Final = (0.002, 0.01, 0.05, 0.25, 1.0)  # theta_ctrl
COMPARED: Final = ((1.0, 1.0, 0.002), (1.0, 1.0, 0.25), (1.0, 3.0, 0.05))  # with the black box


@final
@dataclass(frozen=True, slots=True)
class Budget:
    """What a preset spends on training, identification and selection."""

    steps: int  # of one training run
    episodes: int  # that evaluate a run
    truth_seeds: int  # runs of a cell of the truth table
    calibration: tuple[int, int]  # seeds and episodes of the thresholds
    compared_seeds: int  # runs of each learner where the two are compared
    forward: dict[str, tuple[float, ...]]
    control: tuple[float, ...]
    logged: tuple[int, ...]  # T_off
    lattice: tuple[int, int]  # knots of friction and of damping
    lattice_seeds: int  # runs of a cell of the lattice
    lattice_logs: int  # logs whose estimates place the lattice
    members: int  # n, and K: runs for each rule and candidate
    replications: int  # paired data sets


FULL: Final = Budget(
    steps=300_000,
    episodes=50,
    truth_seeds=30,
    calibration=(6, 100),
    compared_seeds=16,
    forward=FORWARD,
    control=CONTROL,
    logged=(20, 80, 320),
    lattice=(3, 5),
    lattice_seeds=9,
    lattice_logs=24,
    members=12,
    replications=300,
)
QUICK: Final = replace(
    # the whole chain in minutes: the training is far too short to learn to walk well
    FULL,
    steps=8192,
    episodes=10,
    truth_seeds=4,
    calibration=(2, 10),
    compared_seeds=2,
    forward={HOPPER: (1.0, 3.0), WALKER: (1.0, 3.0)},
    control=(0.002, 0.25),
    logged=(20,),
    lattice=(2, 2),
    lattice_seeds=2,
    lattice_logs=3,
    replications=40,
)
BUDGETS: Final = {"quick": QUICK, "full": FULL}


def candidates(robot: str, budget: Budget) -> list[Theta]:
    """Theta: the product of the weights on moving forward and on actuation."""
    return [(1.0, f, c) for f in budget.forward[robot] for c in budget.control]
