"""Experiments are scripts beside the package; their modules are found where they lie."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).parents[2] / "experiments"


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> Callable[..., ModuleType]:
    """Import a module that experiments share, or one of a folder's own."""

    def load(name: str, *, of: str = "") -> ModuleType:
        monkeypatch.syspath_prepend(str(FOLDER))
        if of:
            monkeypatch.syspath_prepend(str(FOLDER / of))
        return import_module(name)

    return load
