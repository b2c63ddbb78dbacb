"""The time of one `audition select`, on a machine where nothing is compiled yet and after it.

    python benchmarks/select_time.py [--json] [--out benchmarks/results/select_time.json]

The log has 1,000 rows and 5 arms; the horizon is 5,000, the ensemble 200, the candidates are the
default ones. Interpreter, imports, compilation, playing, report: everything counts. The first run
finds empty caches; the second what the first kept.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

LOG = Path(__file__).parent.parent / "examples" / "newsletter.csv"
ASKED = ("--arm", "variant", "--reward", "revenue", "--horizon", "5000")
MOST = 20.0  # seconds that the first run may take on two cores


def timed(folder: Path, name: str) -> dict[str, float]:
    """Wall and CPU seconds of one run whose caches lie in the folder."""
    places = {"XDG_CACHE_HOME": str(folder), "NUMBA_CACHE_DIR": str(folder / "numba")}
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [
            sys.executable,
            "-m",
            "audition",
            "select",
            str(LOG),
            *ASKED,
            "--quiet",
            "--out",
            str(folder / name),
        ],
        env={**os.environ, **places},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"wall_seconds": round(wall, 2), "cpu_seconds": round(spent, 2)}


def measure() -> dict[str, Any]:
    """Both runs, and what they chose from."""
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        first, second = timed(folder, "first"), timed(folder, "second")
        chosen = json.loads((folder / "first" / "selection.json").read_text())
    return {
        "measured": datetime.now(UTC).isoformat(timespec="seconds"),
        "cores": len(os.sched_getaffinity(0)),
        "load_before": round(load, 1),  # a busy machine takes longer by the wall
        "versions": {name: version(name) for name in ("audition", "numpy", "numba")},
        "candidates": len(chosen["candidates"]),
        "members": chosen["ensemble"]["size"],
        "nothing_compiled": first,
        "compiled_before": second,
        "most_seconds": MOST,
        "reached": first["wall_seconds"] <= MOST,
    }


def main() -> None:
    """Measure and tell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--out", type=Path, help="write the JSON here")
    given = parser.parse_args()
    told = measure()
    text = json.dumps(told, indent=2) + "\n"
    if given.out:
        given.out.write_text(text)
    lines = [f"{told['candidates']} candidates in {told['members']} members"]
    for name in ("nothing_compiled", "compiled_before"):
        seconds = told[name]
        lines.append(
            f"{name.replace('_', ' ')}: {seconds['wall_seconds']} s, {seconds['cpu_seconds']} s CPU"
        )
    sys.stdout.write(text if given.json else "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
