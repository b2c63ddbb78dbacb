"""Any estimator of one episode, corrected for the sensor's noise by adding more of it (SIMEX).

More noise in the log moves an estimate further from the truth. Fit noisier copies of the episode,
follow the trend over the noise multiplier omega, and read it off at omega = -1, where no noise
would be left (Cook and Stefanski 1994).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from audition.errors import LogError
from audition.identification.settings import SimexSettings
from audition.seeds import stream
from audition.trajectories import Episode

FloatArray = NDArray[np.float64]
Estimator = Callable[[Episode], FloatArray]
"""One episode -> its estimate [parameter]."""
_DEFAULT: Final = SimexSettings()
DEGREE: Final = 2  # of the trend over omega


@final
@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """One episode's estimate at every noise multiplier."""

    multipliers: FloatArray  # [omega]
    values: FloatArray  # [omega, parameter]

    @property
    def naive(self) -> FloatArray:  # [parameter]
        """The estimate from the log as it is."""
        naive: FloatArray = self.values[0]
        return naive

    @property
    def corrected(self) -> FloatArray:  # [parameter]
        """The quadratic trend at omega = -1, not clipped."""
        return np.asarray(extrapolation(self.multipliers) @ self.values)


def simex(
    estimator: Estimator,
    episode: Episode,
    *,
    noise: FloatArray,
    settings: SimexSettings = _DEFAULT,
) -> Curve:
    """The estimates of noisier and noisier copies of one episode.

    `noise` [coordinate] is the sd that the sensor already put into the log. The added noise is a
    function of the episode's content and the settings' seed, so an episode has one curve wherever
    and whenever it is computed.
    """
    if noise.shape != (episode.states.shape[1],):
        raise LogError(
            f"the sensor has {noise.size} coordinates and the episode {episode.states.shape[1]}"
        )
    rows = [estimator(episode)]
    for index, multiplier in enumerate(settings.multipliers[1:], start=1):
        fits = [
            estimator(_noisier(episode, np.sqrt(multiplier) * noise, settings, (index, draw)))
            for draw in range(settings.draws)
        ]
        rows.append(np.mean(fits, axis=0))
    return Curve(np.array(settings.multipliers), np.array(rows))


def extrapolation(multipliers: FloatArray) -> FloatArray:  # [omega]
    """The weights by which a curve's values add up to its quadratic's value at omega = -1."""
    powers = np.vander(np.asarray(multipliers, dtype=np.float64), DEGREE + 1)
    target = np.vander([-1.0], DEGREE + 1)[0]
    return np.asarray(target @ np.linalg.pinv(powers))


def _noisier(
    episode: Episode, sd: FloatArray, settings: SimexSettings, place: tuple[int, int]
) -> Episode:
    random = stream(settings.seed, f"simex/{episode.digest}", *place)
    if settings.readings == "one" and episode.continuous():
        added = sd * random.standard_normal((episode.steps + 1, sd.size))
        before, after = added[:-1], added[1:]
    else:
        before, after = sd * random.standard_normal((2, episode.steps, sd.size))
    return Episode(episode.states + before, episode.actions, episode.next_states + after)
