"""Plug-ins as bytes: a class by its name, and its settings as plain values, never pickle.

A plug-in can be sent to another process when its class can be imported there by name; a class
from a file that the user allowed is found by running that file again. The same plain values are
what the identity of a plug-in is made of, so that a trial's key is equal on every machine.
"""

import hashlib
import importlib
import inspect
import sys
import uuid
from collections.abc import Collection, Hashable, Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, cast, final

import msgspec
import numpy as np

from audition.errors import PluginError

OURS: Final = "audition."
ALLOWED: Final = "audition_allowed_"  # how modules of allowed files are called


@final
class Portable(msgspec.Struct, frozen=True):
    """A plug-in that can be made again anywhere."""

    module: str
    name: str
    settings: bytes
    file: str  # an allowed file that must be run first; empty when the class can be imported

    @staticmethod
    def of(plugin: Any) -> "Portable":
        """The description of a plug-in."""
        cls = type(plugin)
        if "<locals>" in cls.__qualname__:
            raise PluginError(
                f"{cls.__qualname__} is defined inside a function, so no worker can find it; "
                "define it at the top of a module or of a file for --allow-code"
            )
        file = inspect.getfile(cls) if cls.__module__.startswith(ALLOWED) else ""
        return Portable(cls.__module__, cls.__qualname__, encode(settings(plugin)), file)

    def make(self) -> Any:
        """The plug-in that was described."""
        if self.file and self.module not in sys.modules:
            from audition.plugins import discover

            discover(allow_code=(self.file,))
        found: Any = importlib.import_module(self.module)
        for part in self.name.split("."):
            found = getattr(found, part)
        return msgspec.convert(msgspec.msgpack.decode(self.settings), found)


def moves(plugin: Any) -> bool:
    """Whether another process can make this plug-in again."""
    cls = type(plugin)
    return cls.__module__ != "__main__" and "<locals>" not in cls.__qualname__


def settings(plugin: Any) -> dict[str, Any]:
    """A plug-in's settings by name: its dataclass fields."""
    if not is_dataclass(plugin):
        raise PluginError(
            f"{type(plugin).__qualname__} must be a dataclass, so that its settings can be kept "
            "with its scores; write @dataclass(frozen=True) above the class"
        )
    return {item.name: getattr(plugin, item.name) for item in fields(plugin)}


def encode(value: Any) -> bytes:
    """Plain values as bytes, equal for equal values."""
    try:
        return msgspec.msgpack.encode(value, enc_hook=_plain, order="deterministic")
    except (TypeError, msgspec.MsgspecError) as error:
        raise PluginError(
            f"the settings of a plug-in must be plain values (numbers, text, lists, tables of "
            f"them): {error}"
        ) from error


def identity(plugin: Any, *, without: Collection[str] = ()) -> bytes:
    """A hash of a plug-in's class, settings and, where it is not ours, source.

    Settings that are left out are hashed by their content elsewhere, as a model file is.
    """
    cls = type(plugin)
    ink = hashlib.sha256(f"{_home(cls)}:{cls.__qualname__}".encode())
    ink.update(_source(cast(Hashable, cls)).encode())
    kept = {name: value for name, value in settings(plugin).items() if name not in without}
    ink.update(encode(kept))
    return ink.digest()


def _home(cls: type[Any]) -> str:
    """The module, without what depends on where a user's file lies."""
    return ALLOWED if cls.__module__.startswith(ALLOWED) else cls.__module__


@lru_cache(maxsize=512)
def _source(cls: type[Any]) -> str:
    """A hash of the source; of nothing for our own, whose meaning has a version."""
    if cls.__module__.startswith(OURS):
        return ""
    try:
        if cls.__module__ == "__main__":
            return hashlib.sha256(inspect.getsource(cls).encode()).hexdigest()
        return hashlib.sha256(Path(inspect.getfile(cls)).read_bytes()).hexdigest()
    except (OSError, TypeError):
        return uuid.uuid4().hex  # nobody can tell what it was, so nothing of it is used again


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Path):
        return str(value)
    raise TypeError(f"{value!r} of {type(value).__qualname__} is not one")
