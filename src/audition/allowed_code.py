"""Runs the Python files that a user allows; a file that nobody named is never run."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from audition.errors import PluginError


def readable(path: Path) -> tuple[str, str]:
    """Where an allowed file lies, and a hash of what it holds now."""
    try:
        return str(path.resolve()), digest(path)
    except OSError as error:
        raise PluginError(
            f"allowed code must be a Python file that can be read; {path} is not: "
            f"{error.strerror or error}"
        ) from error


def run(path: Path) -> ModuleType:
    """The module that a file makes, under a name of its own."""
    name = f"audition_allowed_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise PluginError(f"allowed code must be a Python file (.py); {path} is not one")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise PluginError(
            f"{path} could not be run: {type(error).__name__}: {error}; run it with python to see "
            "where"
        ) from error
    return module


def digest(path: Path) -> str:
    """A hash of what a file holds."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
