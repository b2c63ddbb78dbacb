"""Compiled code that lasts: kept between processes where there is a place to keep it.

The text of a function is written to a file named by the digest of all it is made of; Numba keeps
the machine code beside it. Where no such file can be written the code is made anew in every
process, which takes a second or two and changes nothing else.
"""

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy as np


def kept(
    text: str, names: Mapping[str, Any], *, maker: Callable[..., Any], about: str
) -> dict[str, Any]:
    """Run a text whose functions are compiled by `@kernel`; what it defined is given back.

    `maker(cache=...)` makes the decorator `kernel`; `about` says what the text's words mean.
    """
    parts = (text, about, _engine(), numba.__version__, np.__version__, sys.version)
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]
    path = _written(digest, text)
    if path is not None:
        with suppress(RuntimeError):  # Numba found no place for its machine code
            return _run(text, str(path), {**names, "kernel": maker(cache=True)})
    return _run(text, f"<kernel {digest}>", {**names, "kernel": maker(cache=False)})


def _run(text: str, name: str, scope: dict[str, Any]) -> dict[str, Any]:
    exec(compile(text, name, "exec"), scope)
    return scope


@cache
def _engine() -> str:
    """What this engine is made of: another version of it must not use what was kept."""
    ink = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("cpu_*.py")):
        ink.update(path.read_bytes())
    return ink.hexdigest()


def _written(digest: str, text: str) -> Path | None:
    """The file of a text, or None where none can be written."""
    root = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(root) / "audition" / "kernels"
    path = folder / f"kernel_{digest}.py"
    with suppress(OSError):
        if path.exists() and path.read_text() == text:
            return path
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.NamedTemporaryFile("w", dir=folder, delete=False) as file:
            file.write(text)
        Path(file.name).replace(path)
        return path
    return None
