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
SHORT_THRESHOLDS: Final = {  # for policies trained for a few thousand steps, which only stumble
    HOPPER: {"near": 0.1, "far": 0.6, "most_effort": 0.3},
    WALKER: {"near": 0.1, "far": 1.0, "most_effort": 0.3},
}
FORWARD: Final = {  # theta_fwd, app:deeprl-grid
    HOPPER: (0.3, 1.0, 3.0, 10.0, 30.0),
    WALKER: (0.03, 0.1, 0.3, 1.0, 3.0, 10.0),
}
CONTROL: Final = (0.002, 0.01, 0.05, 0.25, 1.0)  # theta_ctrl
LATTICES: Final = {  # tab:deeprl-app-lattice: friction axis, damping axis, mass, by T_off
    HOPPER: {
        20: ((0.24, 0.72, 2.03), (0.42, 1.28, 1.77, 2.32, 3.77), 1.511),
        80: ((0.34, 0.71, 1.06), (0.79, 1.37, 1.63, 2.05, 2.31), 1.522),
        320: ((0.60, 0.74, 0.88), (1.25, 1.40, 1.52, 1.64, 1.78), 1.544),
    },
    WALKER: {
        20: ((0.10, 0.58, 2.03), (0.14, 1.03, 1.68, 2.34, 2.95), 1.504),
        80: ((0.44, 0.64, 1.34), (1.18, 1.43, 1.60, 1.84, 1.96), 1.508),
        320: ((0.42, 0.73, 0.95), (1.24, 1.49, 1.62, 1.68, 1.81), 1.514),
    },
}
COMPARED: Final = ((1.0, 1.0, 0.002), (1.0, 1.0, 0.25), (1.0, 3.0, 0.05))  # with the black box


@final
@dataclass(frozen=True, slots=True)
class Budget:
    """What a preset spends on training, identification and selection."""

    steps: int  # of one training run
    episodes: int  # that evaluate a run
    truth_seeds: dict[str, int]  # runs of a cell of the truth table
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
    truth_seeds={HOPPER: 30, WALKER: 32},
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
    steps=4096,
    episodes=10,
    truth_seeds={HOPPER: 4, WALKER: 4},
    calibration=(4, 10),
    compared_seeds=2,
    forward={HOPPER: (1.0, 3.0), WALKER: (1.0, 3.0)},
    control=(0.002, 0.25),
    logged=(6,),
    lattice=(2, 2),
    lattice_seeds=2,
    lattice_logs=4,
    replications=100,
)
BUDGETS: Final = {"quick": QUICK, "full": FULL}


def candidates(robot: str, budget: Budget) -> list[Theta]:
    """Theta: the product of the weights on moving forward and on actuation."""
    return [(1.0, f, c) for f in budget.forward[robot] for c in budget.control]
