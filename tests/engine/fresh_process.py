"""Runs a program in a process of its own, where nothing is compiled or imported yet."""

import json
import os
import subprocess
import sys
from typing import Any


def said_by(program: str, environment: dict[str, str]) -> Any:
    """What a program printed as JSON."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)
