"""Table tab:deeprl-app-fit: bias, spread and calibration of the identified physics.

Naive and SIMEX estimates of (mass, friction, damping) from logs of the random policy on M*, for
three log lengths and two robots. `quick` identifies a few episodes itself (about 30 s of one core);
`full` reads the pool of identified episodes that `fill.py` makes, as far as it has come.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import numpy as np
from fill import fill, pool
from picture import draw
from pool import FloatArray, Pool
from settings import BATCH, BUDGETS, ROBOTS, TRUTH, Budget

from audition.identification.calibration import Calibration, bootstrap, ratio
from audition.identification.settings import IdentificationSettings
from audition.identification.simex import extrapolation
from claims import Call, Finding, main_of, record

NAMES: Final = tuple(TRUTH)
FITS: Final = ("naive", "SIMEX")
SENSORS: Final = Path(__file__).resolve().with_name("sensors.json")


def main(made: Call) -> None:
    """Fill the pool, group its episodes into data sets, and write down what was found."""
    budget = BUDGETS[made.preset]
    pools = _read_pools() if made.preset == "full" else _quick_pools(made, budget)
    sensors = sensor_spread() if made.preset == "full" else {}
    findings = [
        Finding(f"{name}: sd over sensors of the naive bias of {parameter}", float(value))
        for name, values in sensors.items()
        for parameter, value in zip(NAMES, values, strict=True)
    ]
    shown: dict[tuple[str, int, str], FloatArray] = {}
    for name, kept in pools.items():
        for length in budget.lengths:
            values = kept.data_sets(length, episodes=budget.episodes)
            for fit in FITS:
                by_episode = corrected(values, fit)  # [data set, episode, parameter]
                if len(by_episode) < 2:
                    continue
                extra = sensors.get(name, 0.0) if fit == "naive" else 0.0
                shown[name, length, fit] = clipped(by_episode.mean(axis=1))
                head = f"{name}, {length} episodes, {fit}:"
                findings += rows(head, by_episode, members=budget.members, sensors=extra)
    draw(shown, made.results / f"{made.preset}.png")
    made_of = {name: len(kept.batches) * BATCH for name, kept in pools.items()}
    where = sorted({machine for kept in pools.values() for machine in kept.machines})
    more = {"episodes": made_of, "identified_on": where}
    record(made, findings, engine="MuJoCo", more=more)


def _quick_pools(made: Call, budget: Budget) -> dict[str, Pool]:
    pools = {name: pool(name, made.keep(f"quick-{name.lower()}.npz")) for name in ROBOTS}
    workers = os.cpu_count() or 1
    fill(pools, episodes=budget.episodes, workers=workers, until=float("inf"), say=made.say)
    return pools


def _read_pools() -> dict[str, Pool]:
    pools = {name: pool(name) for name in ROBOTS}
    if not all(kept.batches for kept in pools.values()):
        raise SystemExit("there are no identified episodes yet: run experiments/robots_fit/fill.py")
    return pools


def corrected(values: FloatArray, fit: str) -> FloatArray:  # [..., parameter]
    """The naive or the corrected estimates of curves [..., omega, parameter]."""
    if fit == "naive":
        return values[..., 0, :]
    weights = extrapolation(np.array(IdentificationSettings().simex.multipliers))
    return np.asarray(np.einsum("w,...wp->...p", weights, values))


def sensor_spread() -> dict[str, FloatArray]:  # robot -> [parameter]
    """The sd over sensors of the mean naive estimate, as `sensors.py` found it."""
    if not SENSORS.is_file():
        raise SystemExit("the spread over sensors is not known: run robots_fit/sensors.py first")
    found = json.loads(SENSORS.read_text(encoding="utf-8"))
    return {name: np.std(told["means"], axis=0, ddof=1) for name, told in found.items()}


def rows(
    head: str, by_episode: FloatArray, *, members: int, sensors: FloatArray | float
) -> list[Finding]:
    """Bias and sd of every parameter, and the bootstrap's sd over the true one for damping.

    The paper's sensor and ours are two draws: the error of a bias holds the spread over `sensors`.
    """
    found = calibration(by_episode, members=members)
    truth = np.array([TRUTH[parameter] for parameter in NAMES])
    count = len(by_episode)
    estimates = clipped(by_episode.mean(axis=1))
    bias = estimates.mean(axis=0) - truth
    spread, error = found.estimate_spread, spread_error(estimates)
    bias_error = np.hypot(spread / np.sqrt(count), sensors)
    remark = f"({count} data sets)"
    made = []
    for at, parameter in enumerate(NAMES):
        made += [
            Finding(f"{head} bias of {parameter}", float(bias[at]), float(bias_error[at]), remark),
            Finding(f"{head} sd of {parameter}", float(spread[at]), float(error[at]), remark),
        ]
    last = NAMES.index("damping")
    told = float(found.ratio[last]), float(found.standard_error[last])
    return [*made, Finding(f"{head} boot/true of damping", *told, remark)]


def calibration(by_episode: FloatArray, *, members: int) -> Calibration:
    """The members' sd over that of the estimate across data sets [data set, episode, parameter]."""
    spreads = [
        clipped(bootstrap(one, size=members, seed=number)).std(axis=0, ddof=1)
        for number, one in enumerate(by_episode)
    ]
    return ratio(NAMES, clipped(by_episode.mean(axis=1)), np.array(spreads))


def clipped(estimates: FloatArray) -> FloatArray:
    """Estimates inside the box of the fit."""
    box = IdentificationSettings().least_squares
    return np.asarray(np.clip(estimates, box.low, box.high))


def spread_error(estimates: FloatArray) -> FloatArray:  # [parameter]
    """The standard error of a standard deviation, from the fourth moment."""
    spread = estimates.std(axis=0, ddof=1)
    fourth = (((estimates - estimates.mean(axis=0)) / spread) ** 4).mean(axis=0)
    return np.asarray(spread * np.sqrt(np.maximum(fourth - 1.0, 0.0) / (4.0 * len(estimates))))


if __name__ == "__main__":
    main_of(main, __file__, __doc__)
