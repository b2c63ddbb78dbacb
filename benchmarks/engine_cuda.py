"""The CUDA engine on the paper's two surfaces: decisions per second, against what the chip can do.

    python benchmarks/engine_cuda.py [--json] [--sweep] [--points 1960]

A surface is 40 x 49 simulators under 11 (UCB) or 15 (Thompson Sampling) candidates, T = 5000; its
grid points (all of them, unless told otherwise) are played in 2,000 replications, which is one of
the paper's sixteen runs. `kernel` is the time that the device takes, `moments` the whole call from
the host, with the means and covariances summed and brought back.

The limit: a chip does 16 special-function operations per multiprocessor and clock, and a decision
needs its two reciprocal roots there, and its share of the round's normal numbers. `--sweep` tries
other numbers of cells to a thread. Last, a sample of runs of five rules is compared with the CPU
engine's, replication by replication; single precision breaks near ties either way, and a run that
met one goes its own way from there.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

import numpy as np

from audition.engine.cpu import CpuEngine
from audition.engine.cuda import CudaEngine
from audition.engine.work import Work
from audition.families.bernoulli import Bernoulli
from audition.families.gaussian import Gaussian
from audition.family import BanditFamily, Tables
from audition.learner import ScalarLearner
from audition.learners.beta_thompson import BetaThompson
from audition.learners.epsilon_greedy import EpsilonGreedy
from audition.learners.kl_ucb import KLUCB
from audition.learners.thompson import ThompsonSampling
from audition.learners.ucb import UCB
from audition.simulator import Simulator

SHARES = {
    "ucb": [round(0.1 * number, 1) for number in range(1, 12)],
    "ts": [round(0.1 * number, 1) for number in range(1, 16)],
}
NORMALS = {"ucb": 2, "ts": 4}  # of a round
HORIZON, RUNS, CELLS = 5000, 2000, 40 * 49
SPECIAL = 16  # special-function operations per multiprocessor and clock, compute capability 5 to 12
ROOTS = 2  # of a decision, one an arm
SPECIAL_OF_NORMAL = 2  # a pair takes a logarithm, a root, a sine and a cosine


def rules(kind: str) -> tuple[ScalarLearner, ...]:
    """The paper's candidates."""
    made: Callable[[float], ScalarLearner] = UCB if kind == "ucb" else ThompsonSampling
    return tuple(made(share * 9.0) for share in SHARES[kind])


def surface(kind: str, points: int) -> Work:
    """Evenly spaced grid points of a surface."""
    grid = [(0.075 + 0.15 * i, 0.9 + 0.1 * j) for i in range(40) for j in range(49)]
    chosen = [grid[at] for at in np.linspace(0, CELLS - 1, points).astype(int)]
    simulators = [
        Simulator("gaussian", {"mean": np.array([margin, 0.0]), "sd": np.array(sd)})
        for margin, sd in chosen
    ]
    return work(rules(kind), Gaussian(), simulators, horizon=HORIZON, runs=RUNS)


def work(
    learners: tuple[ScalarLearner, ...],
    family: BanditFamily,
    simulators: list[Simulator],
    *,
    horizon: int,
    runs: int,
) -> Work:
    """Every rule in every simulator, all on the same draws."""
    tables, size = family.tables(simulators), len(learners)
    parts = (tables.columns, tables.entries, tables.means)
    return Work(
        learners=learners * len(simulators),
        family=family,
        tables=Tables(*(np.repeat(part, size, axis=0) for part in parts)),
        members=np.zeros(len(simulators) * size, dtype=np.int64),
        replications=np.arange(runs),
        horizon=horizon,
        checkpoints=(horizon,),
        seed=0,
    )


def seconds(act: Callable[[], Any], *, times: int = 3) -> float:
    """The median of a few timings, after one to warm up."""
    from numba import cuda

    act()
    taken = []
    for _ in range(times):
        cuda.synchronize()
        began = time.perf_counter()
        act()
        cuda.synchronize()
        taken.append(time.perf_counter() - began)
    return float(np.median(taken))


def speed(kind: str, points: int, rate: float, *, room: int | None) -> dict[str, Any]:
    """One way to play a surface, and how far it is from the limit."""
    job, engine = surface(kind, points), CudaEngine(room=room)
    began = time.perf_counter()
    engine.play(job.of_replications(np.arange(64)))
    first = time.perf_counter() - began
    per_second = job.cells * RUNS * HORIZON / seconds(engine.ready(job))
    simulators, cells = engine.shape(job)
    special = ROOTS + NORMALS[kind] * SPECIAL_OF_NORMAL / (simulators * cells)
    return {
        "rule": kind,
        "cells_of_a_thread": simulators * cells,
        "decisions_per_second": per_second,
        "special_operations_a_decision": special,
        "share_of_special_function_limit": per_second * special / rate,
        "first_call_seconds": first,
    }


def moments(kind: str, points: int) -> dict[str, Any]:
    """The whole call that a surface is measured by."""
    job, engine = surface(kind, points), CudaEngine()
    taken = seconds(lambda: engine.moments(job), times=1)
    per_second = job.cells * RUNS * HORIZON / taken
    whole = CELLS * len(SHARES[kind]) * 16 * RUNS * HORIZON
    return {
        "rule": kind,
        "decisions_per_second": per_second,
        "seconds_of_the_full_surface": whole / per_second,
    }


def agreement() -> Iterator[dict[str, Any]]:
    """Five rules on both engines, with two arms and with five."""
    unit = (KLUCB(0.4), KLUCB(1.0)), (BetaThompson(0.4), BetaThompson(1.0))
    real = (
        (UCB(0.9), UCB(2.7)),
        (ThompsonSampling(2.7), ThompsonSampling(9.0)),
        (EpsilonGreedy(0.03), EpsilonGreedy(0.1)),
    )
    for learners in (*real, *unit):
        for arms in (2, 5):
            if learners in real:
                mean = np.linspace(1.0, 0.0, arms)
                given = {"mean": mean, "sd": np.array(3.0)}
                family: BanditFamily = Gaussian()
            else:
                given, family = {"share": np.linspace(0.6, 0.4, arms)}, Bernoulli()
            simulators = [Simulator(family.name, given)]
            yield compared(work(learners, family, simulators, horizon=1000, runs=4000), arms)


def compared(job: Work, arms: int) -> dict[str, Any]:
    """How a piece of work differs between the engines."""
    cpu, cuda = CpuEngine().play(job), CudaEngine().play(job)
    same = (cpu.pulls == cuda.pulls).all(axis=(1, 2))
    early = np.abs(cpu.totals - cuda.totals).max(axis=(1, 2))[same]
    apart = cuda.regrets() - cpu.regrets()  # [cell, replication], paired by their draws
    error = apart.std(axis=1, ddof=1) / np.sqrt(job.replications.size)
    moved = np.abs(apart.mean(axis=1)) / np.maximum(error, 1e-12)
    return {
        "rule": job.learners[0].name,
        "arms": arms,
        "same_pulls": float(same.mean()),
        "largest_difference_of_totals_then": float(early.max(initial=0.0)),
        "mean_regret": cpu.regrets().mean(axis=1).tolist(),
        "mean_difference_in_standard_errors": float(moved.max()),
    }


def chip() -> dict[str, Any]:
    """What the limit is computed from."""
    from numba import cuda

    device = cuda.get_current_device()
    query = ["nvidia-smi", "--query-gpu=clocks.max.sm", "--format=csv,noheader,nounits", "-i", "0"]
    told = subprocess.run(query, capture_output=True, text=True, check=True).stdout
    multiprocessors, clock = int(device.MULTIPROCESSOR_COUNT), float(told.split()[0]) * 1e6
    name = device.name.decode() if isinstance(device.name, bytes) else str(device.name)
    return {
        "measured": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": {name: version(name) for name in ("numpy", "numba", "numba-cuda")},
        "name": name,
        "multiprocessors": multiprocessors,
        "clock_hz": clock,
        "special_operations_per_second": multiprocessors * SPECIAL * clock,
    }


def ways(sweep: bool) -> Iterator[tuple[str, int | None]]:
    """Rules, and how many cells a thread may carry."""
    for kind, sizes in (("ucb", (6, 11, 22, 33)), ("ts", (8, 15, 30, 45))):
        for size in sizes if sweep else (None,):
            yield kind, size


def rows(points: int, *, sweep: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    """Everything that is measured, by section."""
    device = chip()
    yield "device", device
    rate = device["special_operations_per_second"]
    for kind, room in ways(sweep):
        yield "kernel", speed(kind, points, rate, room=room)
    for kind in SHARES:
        yield "moments", moments(kind, points)
    for row in agreement():
        yield "agreement", row


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--sweep", action="store_true")
    parser.add_argument("--points", type=int, default=CELLS)
    asked = parser.parse_args()
    found: dict[str, list[dict[str, Any]]] = {}
    for section, row in rows(asked.points, sweep=asked.sweep):
        found.setdefault(section, []).append(row)
        if not asked.json:
            told = ", ".join(f"{name} {_short(value)}" for name, value in row.items())
            print(f"{section}: {told}", flush=True)
    if asked.json:
        print(json.dumps(found, indent=2))


def _short(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(_short(one) for one in value)
    return f"{value:.4g}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    main()
