"""Whether the bootstrap's spread is the true one: 1 for a calibrated ensemble of members.

With many logs of one system the ratio can be measured, as in the last column of
`tab:deeprl-app-fit`. With one log, the double bootstrap plays the same game inside it: resamples
take the place of fresh logs, and resamples of resamples that of members.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from audition.errors import ConfigError
from audition.identification.curves import Curves
from audition.seeds import stream

FloatArray = NDArray[np.float64]
NARROW: Final = 0.85  # of the true spread; 4 episodes give sqrt(3/4) = 0.87 by themselves


@final
@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """The members' spread over the estimate's, by parameter."""

    names: tuple[str, ...]
    ratio: FloatArray  # [parameter] mean of the members' sd over the sd of the estimate
    standard_error: FloatArray  # [parameter] of the ratio
    member_spread: FloatArray  # [parameter]
    estimate_spread: FloatArray  # [parameter]

    def narrow(self) -> tuple[str, ...]:
        """One sentence for each parameter in which the members are surely too alike."""
        surely = self.ratio + 2.0 * self.standard_error < NARROW
        return tuple(
            f"the simulators differ in {name!r} by {share:.0%} of what they should: the log has "
            "too few episodes for a bootstrap; log more of them"
            for name, share, told in zip(self.names, self.ratio, surely, strict=True)
            if told
        )


def bootstrap(
    values: FloatArray, *, size: int, seed: int, purpose: str = "ensemble/episodes"
) -> FloatArray:  # [member, parameter]
    """Means of `values` [episode, parameter] over resampled episodes; member i is (seed, i)'s."""
    count = len(values)
    units = [stream(seed, purpose, member).integers(count, size=count) for member in range(size)]
    return np.asarray(values[np.array(units)].mean(axis=1))


def across_logs(logs: list[Curves], *, members: int, seed: int) -> Calibration:
    """The ratio over independent logs of one system (boot/true of `tab:deeprl-app-fit`)."""
    if len(logs) < 2:
        raise ConfigError(f"a spread across logs needs at least 2 of them; got {len(logs)}")
    first = logs[0]
    estimates = np.array([log.estimate() for log in logs])  # [log, parameter]
    boots = [
        np.clip(bootstrap(log.corrected, size=members, seed=seed + number), log.low, log.high)
        for number, log in enumerate(logs)
    ]
    return ratio(first.names, estimates, np.array([boot.std(axis=0, ddof=1) for boot in boots]))


def double_bootstrap(
    curves: Curves, *, members: int = 12, resamples: int = 200, seed: int = 0
) -> Calibration:
    """The ratio inside one log, for users who have but one.

    It shows what the number of episodes and the box do to the members; a bias that every episode
    shares it cannot see.
    """
    if curves.units < 2:
        raise ConfigError("a double bootstrap needs a log of at least 2 episodes; this one has 1")
    count = curves.units
    rng = stream(seed, "calibration/double bootstrap")
    outer = rng.integers(count, size=(resamples, count))
    inner = rng.integers(count, size=(resamples, members, count))
    units = np.take_along_axis(outer[:, None, :], inner, axis=2)  # [resample, member, episode]
    spreads = curves.estimate(units).std(axis=1, ddof=1)
    return ratio(curves.names, curves.estimate(outer), spreads)


def ratio(names: tuple[str, ...], estimates: FloatArray, spreads: FloatArray) -> Calibration:
    """Mean member spread [log, parameter] over the sd of the estimates [log, parameter].

    Its error is that of a ratio of independent parts, the sd of an sd from the fourth moment.
    """
    count = len(estimates)
    true = estimates.std(axis=0, ddof=1)
    mean = spreads.mean(axis=0)
    safe = np.where(true > 0, true, np.nan)
    kurtosis = np.nanmean(((estimates - estimates.mean(axis=0)) / safe) ** 4, axis=0)
    true_share = np.sqrt(np.maximum(kurtosis - 1.0, 0.0) / (4.0 * count))
    mean_share = spreads.std(axis=0, ddof=1) / np.sqrt(count) / np.where(mean > 0, mean, np.nan)
    found = mean / safe
    return Calibration(names, found, found * np.hypot(true_share, mean_share), mean, true)
