"""How an experiment says what it found: rows of the paper's number, ours, and whether they agree.

An experiment is a folder: `settings.py` (its budgets as data), `run.py` (which measures),
`expected.json` (the paper's numbers and where they stand in it) and `results/<preset>.json`, which
`record` writes.
A row agrees when the two numbers differ by at most three standard errors, ours and the paper's put
together; a number that the paper prints with few digits is known to half its last digit only. Where
the paper states no error but spends the budget that we spend, its error is taken to be as ours.
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final, Literal, final

HERE: Final = Path(__file__).parent
PACKAGES: Final = ("audition", "numpy", "numba", "scipy", "mujoco", "gymnasium", "torch")
PRESETS: Final = ("quick", "full")


@final
@dataclass(frozen=True, slots=True)
class Finding:
    """One number that an experiment measured."""

    quantity: str
    ours: float
    standard_error: float | None = None  # None: exact, or not estimated
    remark: str = ""
    paper_error: float | None = None  # of the paper's number, where our spread tells it


@final
@dataclass(frozen=True, slots=True)
class Call:
    """How an experiment was called."""

    folder: Path
    preset: str
    engine: str
    started: float

    @property
    def results(self) -> Path:
        """Where its results and figures are written."""
        place = self.folder / "results"
        place.mkdir(exist_ok=True)
        return place

    def keep(self, name: str) -> Path:
        """A file that a stopped run goes on from; not kept in git."""
        place = self.folder / "kept"
        place.mkdir(exist_ok=True)
        return place / name

    def say(self, words: str) -> None:
        """A line of progress, with the time so far."""
        print(f"[{time.monotonic() - self.started:7.1f} s] {words}", file=sys.stderr, flush=True)


def call(file: str, description: str | None, arguments: Sequence[str] | None = None) -> Call:
    """The call that the command line describes: `run.py --preset quick|full --engine NAME`."""
    parser = argparse.ArgumentParser(description=(description or "").partition("\n")[0])
    parser.add_argument("--preset", choices=PRESETS, default="quick")
    parser.add_argument("--engine", choices=["auto", "plain", "cpu", "cuda"], default="auto")
    given = parser.parse_args(arguments)
    return Call(Path(file).resolve().parent, given.preset, given.engine, time.monotonic())


def record(
    made: Call,
    findings: Sequence[Finding],
    *,
    engine: str,
    more: Mapping[str, Any] | None = None,
    unmeasured: Literal["refused", "listed"] = "refused",
) -> Path:
    """Write the rows of one run beside what the paper says.

    At the full preset every number of the paper must be measured, unless the experiment fills its
    table over many runs: then the numbers still to come are listed by name.
    """
    expected = {known["quantity"]: known for known in _read(made.folder / "expected.json")}
    strange = sorted(set(expected) - {finding.quantity for finding in findings})
    if strange and made.preset == "full" and unmeasured == "refused":
        raise SystemExit(f"the paper's {', '.join(strange)} were not measured")
    plain = {
        "experiment": made.folder.name,
        "preset": made.preset,
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        "engine": engine,
        "seconds": round(time.monotonic() - made.started, 1),
        "versions": versions(),
        "rows": [row(finding, expected.get(finding.quantity)) for finding in findings],
        **({"not measured yet": strange} if strange and unmeasured == "listed" else {}),
        **(more or {}),
    }
    place = made.results / f"{made.preset}.json"
    place.write_text(json.dumps(plain, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    made.say(f"wrote {place.relative_to(HERE)}")
    return place


def row(finding: Finding, expected: Mapping[str, Any] | None) -> dict[str, Any]:
    """One line of the table: the paper's number, ours, how far apart, and the verdict."""
    paper = None if expected is None else expected.get("paper")
    plain = {
        "quantity": finding.quantity,
        "paper": paper,
        "ours": _rounded(finding.ours),
        "standard_error": None
        if finding.standard_error is None
        else _rounded(finding.standard_error),
        "z": None,
        "verdict": "not in the paper",
    }
    if isinstance(paper, int | float) and expected is not None:
        ours = finding.standard_error or 0.0
        theirs = ours if expected.get("error") == "as ours" else float(expected.get("error", 0.0))
        if finding.paper_error is not None:
            theirs = finding.paper_error
        error = math.hypot(ours, theirs)
        away = abs(finding.ours - paper)
        slack = float(expected.get("slack", 0.0))  # half the last digit that the paper prints
        plain["z"] = _rounded((finding.ours - paper) / error) if error > 0.0 else None
        agrees = away <= 3.0 * error + slack
        plain["verdict"] = "agrees" if agrees else str(expected.get("otherwise", "differs"))
    elif expected is not None:
        plain["verdict"] = str(expected.get("verdict", "see the remark"))
    remark = " ".join(part for part in (finding.remark, _where(expected)) if part)
    return {**plain, "remark": remark}


def machine() -> str:
    """What the run was made on, in words."""
    name = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        name = next(line.partition(":")[2].strip() for line in lines if "model name" in line)
        cores = sum(line.startswith("processor") for line in lines)
    except (OSError, StopIteration):
        return name
    return f"{name}, {cores} cores"


def versions() -> dict[str, str]:
    """The versions of what the numbers may depend on."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def experiments() -> list[Path]:
    """The folders that hold an experiment."""
    return sorted(path.parent for path in HERE.glob("*/run.py"))


def main_of(work: Callable[[Call], None], file: str, description: str | None) -> None:
    """Run an experiment from its own file."""
    work(call(file, description))


def _read(path: Path) -> list[dict[str, Any]]:
    if not path.is_file():
        return []
    loaded = json.loads(path.read_text(encoding="utf-8"))
    rows: list[dict[str, Any]] = loaded["rows"]
    return rows


def _where(expected: Mapping[str, Any] | None) -> str:
    return "" if expected is None else str(expected.get("where", ""))


def _rounded(value: float) -> float:
    return float(f"{value:.6g}")
