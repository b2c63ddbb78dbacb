"""Record runs.npz: what a real pendulum, heavier and stiffer than its drawing, might have logged.

python examples/pendulum/record.py
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from audition.families.mujoco import Mujoco
from audition.mujoco_model.collect import collect

HERE = Path(__file__).parent
TRUTH = {"mass": 1.4, "damping": 1.8}  # what a user would not know


def main() -> None:
    """Eight runs of two seconds with random torques, read by a noisy sensor."""
    robot = Mujoco(
        model=str(HERE / "pendulum.xml"),
        parameters={"mass": "body_mass", "damping": "dof_damping[hinge]"},
        horizon=25,
    ).robot
    log = collect(robot, TRUTH, episodes=8, seed=1)
    np.savez(
        HERE / "runs.npz",
        states=log.states,
        actions=log.actions,
        next_states=log.next_states,
        lengths=log.lengths,
    )


if __name__ == "__main__":
    main()
