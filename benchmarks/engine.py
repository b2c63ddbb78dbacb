"""The CPU engine against what a core can do, as ratios measured in one run on one machine.

    python benchmarks/engine.py [--json] [--turns 7] [--out benchmarks/results/engine.json]

The work is the paper's: two Gaussian arms, horizon 5,000, 40 settings in 8 simulators on common
random numbers. The floor is UCB by hand in C with AVX-512 (`engine_floor.c`), built by gcc here and
now; without gcc or AVX-512 it is left out and that is said. All take turns in one process, and a
rate is the median over the turns of decisions per second of CPU time (of wall time where cores
are counted). MABWiser and SMPyBandits play the same UCB in their own simulators where they are
installed; they are no dependencies.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from audition.engine import Work
from audition.engine.cpu import OFTEN, CpuEngine
from audition.families.gaussian import Gaussian
from audition.family import REWARD_PURPOSE
from audition.learners.thompson import ThompsonSampling
from audition.learners.ucb import UCB
from audition.seeds import key
from audition.simulator import Simulator
from engine_rivals import RIVALS
from record import processor

HORIZON, REPLICATIONS, SEED = 5000, 256, 2026
THETAS = tuple(float(x) for x in np.geomspace(0.3, 9.0, 40))
GAPS = np.repeat([0.5, 1.0, 1.5, 2.0], 2).astype(np.float32)
SDS = np.tile([2.0, 3.0], 4).astype(np.float32)
FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")
TARGETS = {  # the ratio to reach, by what is divided
    "ucb / floor": 0.45,
    "ucb / numpy": 100.0,
    "thompson / ucb": 0.85,
    "both cores / one": 1.8,
    "ten arms / floor": 0.06,
}
Play = Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Contestant:
    """Something that plays, and how many decisions that takes."""

    play: Play
    decisions: float
    clock: Callable[[], float] = time.process_time


def work(learners: tuple[Any, ...], *, arms: int = 2, replications: int = REPLICATIONS) -> Work:
    """Every learner in every simulator, all on the random numbers of one member."""
    family = Gaussian()
    rest = np.linspace(0.0, -1.0, arms - 1)
    simulators = [
        Simulator(family.name, {"mean": np.array([gap, *rest]), "sd": np.asarray(sd)})
        for gap, sd in zip(GAPS.tolist(), SDS.tolist(), strict=True)
        for _ in learners
    ]
    return Work(
        learners=learners * GAPS.size,
        family=family,
        tables=family.tables(simulators),
        members=np.zeros(len(simulators), dtype=np.int64),
        replications=np.arange(replications),
        horizon=HORIZON,
        checkpoints=(HORIZON,),
        seed=SEED,
    )


def engine(played: Work, *, threads: int = 1, often: float = OFTEN) -> Contestant:
    """This project's engine."""
    clock = time.process_time if threads == 1 else time.perf_counter
    decisions = float(played.cells) * played.replications.size * HORIZON
    player = CpuEngine(threads=threads, often=often)
    return Contestant(lambda: player.play(played), decisions, clock)


def floor(library: ctypes.CDLL) -> tuple[Contestant, np.ndarray]:
    """The floor, and where it leaves the pulls of the first arm."""
    pulls = np.empty((GAPS.size, len(THETAS), REPLICATIONS), np.float32)
    thetas, words = np.array(THETAS), np.array(key(SEED, REWARD_PURPOSE), dtype=np.uint32)
    given = [array.ctypes.data_as(ctypes.c_void_p) for array in (GAPS, SDS, thetas, words, pulls)]

    def play() -> None:
        sizes = (len(THETAS), HORIZON, REPLICATIONS)
        library.floor_play(given[0], given[1], GAPS.size, given[2], *sizes, given[3], given[4])

    return Contestant(play, float(pulls.size) * HORIZON), pulls


@contextmanager
def built() -> Iterator[tuple[ctypes.CDLL | None, str]]:
    """The floor's library, or a word on why there is none."""
    cpu = Path("/proc/cpuinfo")
    if shutil.which("gcc") is None:
        yield None, "skipped: there is no gcc"
    elif not cpu.exists() or "avx512f" not in cpu.read_text():
        yield None, "skipped: the processor has no AVX-512"
    else:
        with tempfile.TemporaryDirectory() as folder:
            library = Path(folder) / "floor.so"
            source = Path(__file__).with_name("engine_floor.c")
            subprocess.run(["gcc", *FLAGS, str(source), "-o", str(library), "-lm"], check=True)
            yield ctypes.CDLL(str(library)), "built by gcc " + " ".join(FLAGS[:2])


def numpy_ucb(lanes: int = 2000) -> Contestant:
    """UCB on NumPy lanes, as one would write it."""
    gap, sd, theta = 1.0, 3.0, 4.5

    def play() -> np.ndarray:
        rng, rows = np.random.default_rng(SEED), np.arange(lanes)
        pulls, totals = np.zeros((2, lanes)), np.zeros((2, lanes))
        for t in range(HORIZON):
            if t < 2:
                chosen = np.full(lanes, t)
            else:
                index = totals / pulls + np.sqrt(2.0 * theta * np.log(t + 1.0) / pulls)
                chosen = np.argmax(index, axis=0)
            rewards = rng.standard_normal(lanes) * sd + gap * (chosen == 0)
            pulls[chosen, rows] += 1.0
            totals[chosen, rows] += rewards
        return pulls

    return Contestant(play, float(lanes) * HORIZON)


def rates(contestants: dict[str, Contestant], turns: int) -> dict[str, float]:
    """Decisions per second: medians over turns, after one that is not counted."""
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for turn in range(turns + 1):
        for name, contestant in contestants.items():
            began = contestant.clock()
            contestant.play()
            if turn:
                seconds[name].append(contestant.clock() - began)
    return {name: each.decisions / median(seconds[name]) for name, each in contestants.items()}


def few_arms(name: str, arms: int) -> dict[str, Contestant]:
    """UCB as it plays from the first round on, and as it does once it has been played often."""
    job = work(tuple(map(UCB, THETAS[::2])), arms=arms)
    return {f"{name} at first": engine(job, often=np.inf), name: engine(job, often=0.0)}


def measure(turns: int) -> dict[str, Any]:
    """Everything that is told."""
    ucb = work(tuple(UCB(theta) for theta in THETAS))
    much = work(ucb.learners[: len(THETAS)], replications=4 * REPLICATIONS)
    contestants = {
        "ucb": engine(ucb),
        "thompson": engine(work(tuple(ThompsonSampling(theta) for theta in THETAS))),
        **few_arms("three arms", 3),
        **few_arms("five arms", 5),
        "ten arms": engine(work(tuple(map(UCB, THETAS[::4])), arms=10)),
        "both cores": engine(much, threads=2),
        "one core": replace(engine(much), clock=time.perf_counter),
        "numpy": numpy_ucb(),
    }
    with built() as (library, word):
        if library is not None:
            contestants["floor"], pulls = floor(library)
        found = rates(contestants, turns)
        apart = None if library is None else differs(ucb, pulls)
    rivals, told = {}, {}
    for name, rival in RIVALS.items():
        rivals[name], told[name] = rival(horizon=HORIZON, theta=4.5, gap=1.0, sd=3.0)
    found |= {name: rate for name, rate in rivals.items() if rate}
    return {
        **described(turns),
        "floor": word,
        "pulls_apart_from_the_floor": apart,
        "rivals": told,
        "rates": found,
        "ratios": ratios(found),
    }


def differs(ucb: Work, pulls: np.ndarray) -> float:
    """How far the engine's mean pulls lie from the floor's, at most, as a share of the horizon."""
    ours = CpuEngine(threads=1).play(ucb).pulls[:, 0, 0].reshape(pulls.shape)
    return float(np.abs(ours.mean(axis=2) - pulls.mean(axis=2)).max() / HORIZON)


def ratios(found: dict[str, float]) -> list[dict[str, Any]]:
    """Every ratio with its target, where it has one."""
    pairs = [("ucb", "floor"), ("ucb", "numpy"), ("thompson", "ucb"), ("both cores", "one core")]
    pairs += [(f"{count} arms", "floor") for count in ("three", "five", "ten")]
    pairs += [(f"{count} arms", f"{count} arms at first") for count in ("three", "five")]
    pairs += [("ucb", name) for name in RIVALS]
    rows = []
    for one, other in pairs:
        if one in found and other in found:
            name = f"{one} / {other}".replace("one core", "one")
            ratio, target = found[one] / found[other], TARGETS.get(name)
            rows.append(
                {"ratio": name, "value": round(ratio, 3), "target": target}
                | ({} if target is None else {"reached": ratio >= target})
            )
    return rows


def described(turns: int) -> dict[str, Any]:
    """Machine, versions and the work."""
    return {
        "measured": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": {"processor": processor(), "cores": os.cpu_count()},
        "versions": {name: version(name) for name in ("audition", "numpy", "numba", "llvmlite")},
        "work": {
            "horizon": HORIZON,
            "replications": REPLICATIONS,
            "settings": len(THETAS),
            "simulators": int(GAPS.size),
            "turns": turns,
        },
    }


def shown(told: dict[str, Any]) -> Iterator[str]:
    """The same for people."""
    yield f"floor: {told['floor']}"
    yield f"pulls apart from the floor's: {told['pulls_apart_from_the_floor']}"
    for name, rate in told["rates"].items():
        yield f"{name:12} {rate:12.3g} decisions/s"
    for row in told["ratios"]:
        end = "" if row["target"] is None else f"   (target {row['target']:g})"
        yield f"{row['ratio']:22} {row['value']:10.3f}{end}"
    for name, word in told["rivals"].items():
        yield f"{name}: {word}"


def main() -> None:
    """Measure and tell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--out", type=Path, help="write the JSON here")
    parser.add_argument("--rivals", help="a folder that rivals were installed into")
    given = parser.parse_args()
    if given.rivals:
        sys.path.append(given.rivals)  # last, so that everything else is what it would have been
    told = measure(given.turns)
    text = json.dumps(told, indent=2) + "\n"
    if given.out:
        given.out.write_text(text)
    sys.stdout.write(text if given.json else "\n".join(shown(told)) + "\n")


if __name__ == "__main__":
    main()
