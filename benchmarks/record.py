"""What every record of a benchmark says: when, on what machine, with which versions."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any


def processor() -> str:
    """The processor in words."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.partition(":")[2].strip() for line in lines if "model name" in line)
    except (OSError, StopIteration):
        return platform.machine()


def write(
    place: Path,
    benchmark: str,
    rows: Sequence[Mapping[str, Any]],
    *,
    machine: str,
    packages: Iterable[str],
) -> None:
    """Keep what was found, with where and with what."""
    plain = {
        "benchmark": benchmark,
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine,
        "versions": {name: version(name) for name in packages},
        "rows": rows,
    }
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps(plain, indent=1) + "\n", encoding="utf-8")
