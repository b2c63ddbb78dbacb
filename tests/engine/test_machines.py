"""The CPU engine where the processor has less than the one it was tuned on."""

from pathlib import Path

from fresh_process import said_by

PLAYED = """
import json
import numpy as np
from audition.engine import Work
from audition.engine.cpu import CpuEngine
from audition.engine.plain import PlainEngine
from audition.families.gaussian import Gaussian
from audition.learners.thompson import ThompsonSampling
from audition.simulator import Simulator

family = Gaussian()
tables = family.tables([Simulator("gaussian", {"mean": np.array([0.5, 0.0]), "sd": np.array(1.0)})])
work = Work((ThompsonSampling(1.0),), family, tables, np.zeros(1), np.arange(96), 50, (50,), 1)
engine = CpuEngine(threads=1)
apart = (engine.play(work).pulls != PlainEngine().play(work).pulls).any(axis=(0, 1, 2))
print(json.dumps([engine.version, float(apart.mean())]))
"""


def test_an_old_processor_plays_the_same_runs_under_another_version(tmp_path: Path) -> None:
    told = {
        "NUMBA_CPU_NAME": "generic",
        "NUMBA_CPU_FEATURES": "",
        "NUMBA_CACHE_DIR": str(tmp_path),
        "XDG_CACHE_HOME": str(tmp_path),
    }
    version, apart = said_by(PLAYED, told)
    assert version == "cpu-1"
    assert apart <= 0.02
