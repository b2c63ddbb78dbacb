"""What every plug-in promises of its settings and its name, whatever its kind."""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from typing import Any, Final

import msgspec

from audition import plugins, portable
from audition.checks.promise import Promise, answers_kindly, tried
from audition.errors import AuditionError, PluginError

PLAIN: Final = (bool, int, float, str, bytes, type(None))


def instance(subject: Any, *, named: Any = None) -> Any:
    """The plug-in to try: as given, or made from its class with default settings."""
    if not isinstance(subject, type):
        return subject
    try:
        return subject()
    except AuditionError:
        raise
    except Exception as error:
        if named is not None:
            return named
        raise PluginError(
            f"{subject.__qualname__} cannot be made without settings ({error}); give the check an "
            f"instance, such as {subject.__qualname__}(...)"
        ) from error


def settings_promises(plugin: Any, *, fixed_name: bool = True) -> tuple[Promise, ...]:
    """The promises about settings and name that all kinds share."""
    return (
        tried("its settings are frozen", lambda: _frozen(plugin)),
        tried("its settings are plain values that can be written down", lambda: _plain(plugin)),
        tried("settings that were written down make the same plug-in", lambda: _again(plugin)),
        tried("it refuses a setting that is not a number", lambda: _refuses_nan(plugin)),
        tried("it has a name, whatever its settings", lambda: _named(plugin, fixed=fixed_name)),
    )


def state(plugin: Any) -> str:
    """Everything that stands on a plug-in and on its class, spelt out."""
    own = dict(vars(plugin)) if hasattr(plugin, "__dict__") else {}
    if is_dataclass(plugin):
        own |= {item.name: getattr(plugin, item.name) for item in fields(plugin)}
    kept = {
        name: value
        for name, value in vars(type(plugin)).items()
        if not callable(value) and not name.startswith("__")
    }
    return repr((sorted(own.items()), sorted((name, repr(value)) for name, value in kept.items())))


def fresh(plugin: Any) -> Any:
    """An equal plug-in that shares nothing with the first."""
    return copy.deepcopy(plugin)


def _frozen(plugin: Any) -> str:
    parameters = getattr(type(plugin), "__dataclass_params__", None)
    if parameters is None or not parameters.frozen:
        return "write @dataclass(frozen=True, slots=True) above the class"
    return ""


def _plain(plugin: Any) -> str:
    odd = [name for name, value in portable.settings(plugin).items() if not _is_plain(value)]
    if odd:
        return (
            f"{', '.join(odd)}: settings are numbers, text, tuples of them or frozen dataclasses, "
            "so that a study can keep them with its scores"
        )
    portable.encode(portable.settings(plugin))
    return ""


def _is_plain(value: Any) -> bool:
    if isinstance(value, tuple | frozenset):
        return all(_is_plain(part) for part in value)
    if isinstance(value, Mapping):
        return all(_is_plain(part) for pair in value.items() for part in pair)
    if is_dataclass(value) and not isinstance(value, type):
        return all(_is_plain(getattr(value, item.name)) for item in fields(value))
    return isinstance(value, PLAIN)


def _again(plugin: Any) -> str:
    written = portable.encode(portable.settings(plugin))
    made = msgspec.convert(msgspec.msgpack.decode(written), type(plugin))
    if portable.encode(portable.settings(made)) != written:
        return f"{plugin!r} came back as {made!r}"
    return ""


def _refuses_nan(plugin: Any) -> str:
    for name, value in portable.settings(plugin).items():
        if not isinstance(value, float):
            continue
        if said := answers_kindly(lambda name=name: replace(plugin, **{name: math.nan})):  # type: ignore[misc]
            return f"{name}=nan: {said}; raise audition.errors.ConfigError in __post_init__"
        if _taken(plugin, name):
            return f"{name}=nan was taken; raise audition.errors.ConfigError in __post_init__"
    return ""


def _taken(plugin: Any, name: str) -> bool:
    try:
        replace(plugin, **{name: math.nan})
    except AuditionError:
        return False
    return True


def _named(plugin: Any, *, fixed: bool) -> str:
    name = plugin.name
    if not isinstance(name, str) or not name.strip() or len(name.split()) != 1:
        return f"a name is one word, but it is {name!r}"
    found = plugins.name_of(type(plugin))
    if fixed and found != name:
        return (
            f"the class is found as {found!r}, but with these settings it says {name!r}; the name "
            "must not read the settings"
        )
    other = _otherwise(plugin) if fixed else plugin
    if other.name != name:
        return (
            f"with other settings it says {other.name!r} instead of {name!r}; the name must not "
            "read the settings"
        )
    return ""


def _otherwise(plugin: Any) -> Any:
    """The plug-in with every number in its settings changed, as far as it takes that."""
    for key, value in portable.settings(plugin).items():
        if isinstance(value, int | float) and not isinstance(value, bool):
            with suppress(Exception):  # a stranger's class may refuse in any way
                plugin = replace(plugin, **{key: value + 1})
    return plugin
