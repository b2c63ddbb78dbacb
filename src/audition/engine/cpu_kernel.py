"""Makes the CPU kernel of a rule in a family, and keeps it between processes.

The text of a kernel is written to a file named by the digest of all it is made of; Numba keeps
the machine code beside it. Where no such file can be written the kernel is made anew in every
process, which takes a second or two and changes nothing else.
"""

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import numba
import numpy as np
from numba import njit

from audition import learner as contract
from audition.engine import cpu_arithmetic, cpu_draws, cpu_vector
from audition.engine.cpu_source import FIELDS, Shape, text
from audition.engine.fusing import Fused, Target, bind
from audition.errors import EngineError
from audition.family import BanditFamily
from audition.learner import Arm, Clock, ScalarLearner

TARGET: Final = Target(cpu_arithmetic.ARITHMETIC, cpu_arithmetic.piece)
ABREAST: Final = 4  # cells side by side: enough to hide latency, few enough for 32 registers


class Job(NamedTuple):
    """What a kernel reads and writes."""

    tasks: Any  # [task] (member, first cell, past the last cell, first lane)
    replications: Any  # [lane] padded to whole vectors
    world: Any  # key of the rewards' draws
    own: Any  # key of the learner's draws
    settings: Any  # [setting, number] flat
    count: int  # of settings
    columns: Any  # [simulator, arm, column] flat
    entries: Any  # [simulator, arm, entry]
    centers: Any  # [simulator] taken off every reward while playing
    simulator: Any  # [cell]
    setting: Any  # [cell]
    target: Any  # [cell] where its results go
    marks: Any  # [checkpoint]
    horizon: int
    pulls: Any  # [cell, checkpoint, arm, replication]
    totals: Any  # [cell, checkpoint, arm, replication]


class Kernel(NamedTuple):
    """A compiled kernel and what it was made for."""

    play: Callable[[Job, int, int], None]
    digest: str


def make(learner: ScalarLearner, family: BanditFamily, *, arms: int) -> Kernel:
    """The kernel of a rule in a family."""
    fused = bind(type(learner), family, target=TARGET)
    now = type(learner).start(
        type(learner).Settings(*learner.settings()), Clock(2.0, 10.0, float(arms))
    )
    if not isinstance(now, tuple) or not hasattr(type(now), "_fields"):
        raise EngineError(
            f"{learner.name}.start must return a named tuple to be compiled, but returned "
            f"{type(now).__name__}; write a NamedTuple class of what the round fixes"
        )
    source = text(_shape(learner, family, fused, arms, len(now)))
    parts = (source, fused.digest, numba.__version__, np.__version__, sys.version)
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]
    names = _names(fused, learner, family, type(now))
    path = _kept(digest, source)
    names["kernel"] = njit(error_model="numpy", nogil=True, cache=path is not None)
    try:
        exec(compile(source, str(path or f"<kernel {digest}>"), "exec"), names)
    except RuntimeError:  # Numba found no place for its machine code
        names["kernel"] = njit(error_model="numpy", nogil=True)
        exec(compile(source, f"<kernel {digest}>", "exec"), names)
    return Kernel(names["play"], digest)


def _shape(
    learner: ScalarLearner, family: BanditFamily, fused: Fused, arms: int, nows: int
) -> Shape:
    kept = {"pulls", "total"} | (fused.reads & {"root", "squares", "last"})
    if "memory" in learner.keeps or type(learner).update is not ScalarLearner.update:
        kept.add("memory")
    return Shape(
        arms=arms,
        keeps=tuple(field for field in FIELDS if field in kept),
        noise=learner.noise,
        paid=family.noise,
        opening=learner.opening,
        pooling=learner.pooling,
        settings=len(learner.settings()),
        columns=len(family.Columns._fields),
        nows=nows,
        abreast=ABREAST if arms == 2 else 1,
    )


def _names(fused: Fused, learner: ScalarLearner, family: BanditFamily, now: type) -> dict[str, Any]:
    """What the text of a kernel means by its words."""
    names: dict[str, Any] = {
        name: getattr(cpu_vector, name)
        for name in ("load", "store", "spot", "part", "numbers", "mask")
    }
    for name in ("where", "maximum", "inverse_root", "single", "piece"):
        names[name] = getattr(cpu_arithmetic, name)
    for name in ("start", "choose", "update", "pool", "reward"):
        names[name] = getattr(fused, name)
    names |= {"Arm": Arm, "Clock": contract.Clock, "Now": now, "Settings": learner.Settings}
    names |= {"Columns": family.Columns, "fill": cpu_draws.fill, "np": np}
    return names | {"ZERO": cpu_arithmetic.ZERO, "ONE": cpu_arithmetic.ONE, "__name__": __name__}


def _kept(digest: str, source: str) -> Path | None:
    """The file of a kernel's text, or None where none can be written."""
    root = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(root) / "audition" / "kernels"
    path = folder / f"kernel_{digest}.py"
    with suppress(OSError):
        if path.exists() and path.read_text() == source:
            return path
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.NamedTemporaryFile("w", dir=folder, delete=False) as file:
            file.write(source)
        Path(file.name).replace(path)
        return path
    return None
