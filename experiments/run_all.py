"""Run every experiment at one preset, one after the other, and write the table of them all.

python experiments/run_all.py --preset quick
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time

from claims import HERE, PRESETS, experiments


def main() -> int:
    """Run them; the exit code is that of the first one that fails."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--preset", choices=PRESETS, default="quick")
    parser.add_argument("--engine", choices=["auto", "plain", "cpu", "cuda"], default="auto")
    parser.add_argument("--only", default="", help="run those whose name contains this")
    given = parser.parse_args()
    for folder in experiments():
        if given.only not in folder.name:
            continue
        started = time.monotonic()
        command = [sys.executable, str(folder / "run.py")]
        command += ["--preset", given.preset, "--engine", given.engine]
        code = subprocess.run(command, check=False).returncode
        print(f"{folder.name}: exit code {code}, {time.monotonic() - started:.1f} s", flush=True)
        if code:
            return code
    return subprocess.run([sys.executable, str(HERE / "table.py")], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
