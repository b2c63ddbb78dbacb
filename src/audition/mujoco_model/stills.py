"""A few still pictures of one episode: the robot as lines in the upright plane that it moves in.

An episode is a function of (simulator, seed, actions), so it is played again from its actions, and
nothing has to be looked at while learners train. A limb is a geom: its two ends and its radius.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import mujoco
import numpy as np
from numpy.typing import NDArray

from audition.episode_world import Frames
from audition.mujoco_model.environment import make_environment

if TYPE_CHECKING:
    from audition.mujoco_model.settings import MujocoSettings

FloatArray = NDArray[np.float64]
PICTURES: Final = 8
PLACES: Final = 3  # decimals of a place, in metres
LONG: Final = {  # the axis that a geom is longest along, and the size that is its radius
    int(mujoco.mjtGeom.mjGEOM_CAPSULE): (2, 0),
    int(mujoco.mjtGeom.mjGEOM_CYLINDER): (2, 0),
}
ROUND: Final = (int(mujoco.mjtGeom.mjGEOM_SPHERE),)
BULKY: Final = (int(mujoco.mjtGeom.mjGEOM_BOX), int(mujoco.mjtGeom.mjGEOM_ELLIPSOID))


def stills(
    settings: MujocoSettings,
    parameters: Mapping[str, float],
    *,
    seed: int,
    actions: Sequence[FloatArray],
) -> Frames:
    """The robot at evenly spaced steps of the episode with this seed and these actions."""
    environment = make_environment(settings, parameters, seed=seed)
    environment.reset(seed=seed)
    wanted = set(np.linspace(0, len(actions), PICTURES).round().astype(int).tolist())
    core: Any = environment.unwrapped
    seen = [_limbs(core)] if 0 in wanted else []
    for step, action in enumerate(actions, start=1):
        environment.step(action)
        if step in wanted:
            seen.append(_limbs(core))
    environment.close()
    places = np.array(seen)  # [frame, limb, (x1, y1, z1, x2, y2, z2, radius)]
    if places.size == 0 or not np.isfinite(places).all():
        return ()
    across = int(np.argmax([np.ptp(places[..., [a, a + 3]]) for a in (0, 1)]))
    flat = places[..., [across, 2, across + 3, 5, 6]].round(PLACES)
    return tuple(tuple(tuple(limb) for limb in frame) for frame in flat.tolist())


def _limbs(core: Any) -> list[tuple[float, ...]]:
    """Every geom of a body that is not the world."""
    model, data = core.model, core.data
    found = []
    for geom in range(model.ngeom):
        kind, size = int(model.geom_type[geom]), model.geom_size[geom]
        if model.geom_bodyid[geom] == 0:
            continue
        if kind in LONG:
            axis, thick = LONG[kind]
            length, radius = float(size[1]), float(size[thick])
        elif kind in BULKY:
            axis = int(np.argmax(size))
            length, radius = float(size[axis]), float(np.sort(size)[1])
        else:
            axis, length = 0, 0.0
            radius = float(size[0]) if kind in ROUND else float(model.geom_rbound[geom]) / 2
        centre = data.geom_xpos[geom]
        reach = data.geom_xmat[geom].reshape(3, 3)[:, axis] * length
        found.append((*(centre - reach), *(centre + reach), radius))
    return found
