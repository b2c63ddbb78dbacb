"""Signs that a log was recorded at another rate, or in other units, than the model's.

Identification would not notice: it would bend the multipliers until the model fits as well as it
can. So these are looked for in the log itself, before any fit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import mujoco
import numpy as np

from audition.mujoco_model.source import factory_model, frame_skip, is_bare, skipped_positions

if TYPE_CHECKING:
    from audition.mujoco_model.settings import MujocoSettings
    from audition.trajectories import Trajectories

SHORTEST: Final = 0.8  # of the control step; logs of Gymnasium's own robots say 0.99 to 1.15
LONGEST: Final = 1.25
STRAY: Final = 0.01  # share of logged actions outside the actuators' ranges that is no accident
ROUNDING: Final = 1e-6  # of an actuator's range, for logs in single precision


def mismatches(settings: MujocoSettings, log: Trajectories) -> tuple[str, ...]:
    """What the log shows that this model's clock and actuators would not."""
    model = factory_model(settings)
    return (*_clock(settings, model, log), *_reach(model, log))


def _clock(settings: MujocoSettings, model: mujoco.MjModel, log: Trajectories) -> tuple[str, ...]:
    """Positions must move by their velocities times the seconds of a control step."""
    skipped = skipped_positions(settings)
    positions = model.nq - skipped
    if model.nq != model.nv:
        return ()  # a quaternion does not move by its velocity
    moved = (log.next_states - log.states)[:, :positions]
    velocity = 0.5 * (log.next_states + log.states)[:, positions + skipped :]
    squares = float((velocity**2).sum())
    if squares == 0.0:
        return ()
    told = float((moved * velocity).sum()) / squares
    step = float(model.opt.timestep) * frame_skip(settings)
    if SHORTEST <= told / step <= LONGEST:
        return ()
    mend = "set task.frame_skip" if is_bare(settings) else "log every control step of the model"
    return (
        f"positions in the log move as if a step lasted {told:.3g} s, but the model's lasts "
        f"{step:.3g} s: {mend}, or check that a state is positions and then velocities",
    )


def _reach(model: mujoco.MjModel, log: Trajectories) -> tuple[str, ...]:
    """MuJoCo clips a control to its actuator's range without a word."""
    limited = model.actuator_ctrllimited.astype(bool)
    if not limited.any() or model.opt.disableflags & int(mujoco.mjtDisableBit.mjDSBL_CLAMPCTRL):
        return ()
    low, high = model.actuator_ctrlrange[limited].T
    slack = ROUNDING * (high - low)
    actions = log.actions[:, limited]
    share = float(np.mean(((actions < low - slack) | (actions > high + slack)).any(axis=1)))
    if share <= STRAY:
        return ()
    return (
        f"{share:.0%} of the logged actions lie outside the model's ctrlrange, where MuJoCo clips "
        "them: check their units",
    )
