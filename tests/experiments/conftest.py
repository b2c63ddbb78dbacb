"""Experiments are scripts beside the package; their modules are found where they lie."""

import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).parents[2] / "experiments"


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., ModuleType]]:
    """Import a module that experiments share, or one of a folder's own.

    Folders have modules of the same name (`settings`), so all are forgotten afterwards.
    """

    def load(name: str, *, of: str = "") -> ModuleType:
        monkeypatch.syspath_prepend(str(FOLDER))
        if of:
            monkeypatch.syspath_prepend(str(FOLDER / of))
        return import_module(name)

    yield load
    for name, known in list(sys.modules.items()):
        if str(getattr(known, "__file__", "") or "").startswith(str(FOLDER)):
            del sys.modules[name]
