"""Finds plug-ins: our own, those that installed packages declare, and single files a user allows.

A plug-in is a class in a file of its own: a family, a learner, an ensemble, a rule, an objective
or an executor. Ours are found by looking into the folder of their kind; a package declares its own
as entry points of the group `audition.<kind>` (`audition.learners`, ...); a file is run only when
the user names it. A plug-in that cannot be loaded is listed with its reason and stops nothing else.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from difflib import get_close_matches
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, Final, final, get_type_hints

from audition import allowed_code
from audition.errors import AuditionError, ConfigError, PluginError

KINDS: Final[Mapping[str, tuple[str, str]]] = {
    # kind: where the built-in ones live, and the class they derive from
    "families": ("audition.families", "audition.family:Family"),
    "learners": ("audition.learners", "audition.learner:Learner"),
    "ensembles": ("audition.ensembles", "audition.ensemble:Resampling"),
    "rules": ("audition.rules", "audition.rule:Rule"),
    "objectives": ("", "audition.objective:Objective"),
    "executors": ("audition.executors", "audition.executor:Executor"),
}

OBJECTIVE_MODULES: Final = ("audition.objective", "audition.episode_objective")


@final
@dataclass(frozen=True, slots=True)
class Plugin:
    """A class that was found, under the name that study files use."""

    kind: str
    name: str
    cls: type[Any]
    origin: str  # "built in", "package NAME VERSION" or "file PATH"
    digest: str  # of the source, for plug-ins that do not come with Audition; else empty

    @property
    def summary(self) -> str:
        """The first line of its docstring."""
        return (inspect.getdoc(self.cls) or "").partition("\n")[0]


@final
@dataclass(frozen=True, slots=True)
class Broken:
    """A plug-in that could not be loaded, and why."""

    kind: str
    origin: str
    reason: str


@final
@dataclass(frozen=True, slots=True)
class Registry:
    """Everything that was found, in one order on every machine."""

    plugins: tuple[Plugin, ...]
    broken: tuple[Broken, ...] = ()

    def of(self, kind: str) -> tuple[Plugin, ...]:
        """The plug-ins of one kind, by name."""
        return tuple(plugin for plugin in self.plugins if plugin.kind == kind)

    def find(self, kind: str, name: str) -> Plugin:
        """The plug-in of a kind and a name, or a word on what there is."""
        found = {plugin.name: plugin for plugin in self.of(kind)}
        if name in found:
            return found[name]
        close = get_close_matches(name, found, n=1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        broken = "; ".join(f"{b.origin}: {b.reason}" for b in self.broken if b.kind == kind)
        raise PluginError(
            f"no plug-in among the {kind} is called {name!r}; {hint}there are "
            f"{', '.join(sorted(found))}{'; not loaded: ' + broken if broken else ''}"
        )

    def make(self, kind: str, name: str, settings: Mapping[str, Any] | None = None) -> Any:
        """The plug-in with its settings, checked against the types that its class declares."""
        return build(self.find(kind, name), settings or {})


def discover(*, allow_code: Sequence[str | Path] = ()) -> Registry:
    """Every plug-in there is; files in `allow_code` are run, so name only files you trust.

    A file is run once, and again when it has changed.
    """
    files = (allowed_code.readable(Path(path)) for path in allow_code)
    return _discover(tuple(dict.fromkeys(files)))


def learner(name: str, settings: Mapping[str, Any], *, allow_code: Sequence[str] = ()) -> Any:
    """A learner by name, with its settings."""
    return discover(allow_code=allow_code).make("learners", name, settings)


def family(name: str, settings: Mapping[str, Any], *, allow_code: Sequence[str] = ()) -> Any:
    """A family by name, with its settings."""
    return discover(allow_code=allow_code).make("families", name, settings)


def ensemble(name: str, settings: Mapping[str, Any], *, allow_code: Sequence[str] = ()) -> Any:
    """A way to make an ensemble by name, with its settings."""
    return discover(allow_code=allow_code).make("ensembles", name, settings)


def rule(name: str, settings: Mapping[str, Any], *, allow_code: Sequence[str] = ()) -> Any:
    """A rule by name, with its settings."""
    return discover(allow_code=allow_code).make("rules", name, settings)


def objective(name: str, settings: Mapping[str, Any], *, allow_code: Sequence[str] = ()) -> Any:
    """An objective: the short names of `audition.objective`, or a plug-in with its settings."""
    from audition.objective import objective as by_name

    if not settings:
        try:
            return by_name(name)
        except ConfigError:
            pass
    return discover(allow_code=allow_code).make("objectives", name, settings)


def build(plugin: Plugin, settings: Mapping[str, Any]) -> Any:
    """An instance of a plug-in; unknown or ill-typed settings are errors that say what there is."""
    import msgspec

    _refuse_unknown(settings, plugin.cls, plugin.name)
    try:
        made = msgspec.convert(dict(settings), plugin.cls)
    except msgspec.ValidationError as error:
        raise ConfigError(f"settings of {plugin.name}: {error}") from error
    except AuditionError:
        raise
    except (TypeError, ValueError) as error:
        raise ConfigError(f"settings of {plugin.name}: {error}") from error
    return made


def _refuse_unknown(given: Mapping[str, Any], cls: type[Any], name: str) -> None:
    """Refuse a setting that there is not, in the class or in the tables of settings within it."""
    known = list(inspect.signature(cls).parameters)
    for key in given:
        if key not in known:
            close = get_close_matches(key, known, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise ConfigError(f"{name} has no setting {key!r}{hint} ({has})")
    for key, inner in (get_type_hints(cls) if is_dataclass(cls) else {}).items():
        table = given.get(key)
        if isinstance(table, Mapping) and isinstance(inner, type) and is_dataclass(inner):
            _refuse_unknown(table, inner, f"{name}: {key}")


@lru_cache(maxsize=8)
def _discover(files: tuple[tuple[str, str], ...]) -> Registry:
    found: list[Plugin] = []
    broken: list[Broken] = []
    for kind in KINDS:
        ours = _built_in(kind)
        theirs, failed = _installed(kind, taken={plugin.name: plugin for plugin in ours})
        found += [*ours, *theirs]
        broken += failed
    for path, digest in files:
        found += _allowed(path, digest)
    return Registry(_distinct(found), tuple(broken))


def _installed(kind: str, *, taken: dict[str, Plugin]) -> tuple[list[Plugin], list[Broken]]:
    """What installed packages declare; a name that is taken is a fault of the newcomer."""
    found: list[Plugin] = []
    broken: list[Broken] = []
    points = entry_points(group=f"audition.{kind}")
    for point in sorted(points, key=lambda point: (point.name, point.value)):
        loaded = _declared(kind, point)
        if isinstance(loaded, Broken):
            broken.append(loaded)
            continue
        other = taken.setdefault(loaded.name, loaded)
        if other is loaded:
            found.append(loaded)
        elif other.cls is not loaded.cls:
            clash = f"the name {loaded.name!r} is taken ({other.origin}); it must be renamed"
            broken.append(Broken(kind, loaded.origin, clash))
    return found, broken


def _built_in(kind: str) -> list[Plugin]:
    package = KINDS[kind][0]
    if package:
        try:
            folder = importlib.import_module(package)
        except ModuleNotFoundError:
            return []
        names = sorted(info.name for info in pkgutil.iter_modules(folder.__path__))
        modules = [importlib.import_module(f"{package}.{name}") for name in names]
    else:
        modules = [importlib.import_module(name) for name in OBJECTIVE_MODULES]
    return [
        Plugin(kind, name_of(cls), cls, "built in", "")
        for module in modules
        for cls in _classes(module, kind)
    ]


def _declared(kind: str, point: EntryPoint) -> Plugin | Broken:
    version = f" {point.dist.version}" if point.dist else ""
    origin = f"package {point.dist.name if point.dist else point.value}{version}"
    try:
        cls = point.load()
        if not (isinstance(cls, type) and issubclass(cls, _parent(kind))):
            return Broken(kind, origin, f"{point.value} is not a class of {KINDS[kind][1]}")
        if inspect.isabstract(cls):
            missing = ", ".join(sorted(getattr(cls, "__abstractmethods__", ())))
            return Broken(kind, origin, f"{point.value} leaves open what it must give: {missing}")
        return Plugin(kind, name_of(cls), cls, origin, _source_digest(cls))
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a stranger's import may raise anything
        return Broken(kind, origin, f"{type(error).__name__}: {error}")


def _allowed(path: str, digest: str) -> list[Plugin]:
    module = allowed_code.run(Path(path))
    plugins = [
        Plugin(kind, name_of(cls), cls, f"file {path}", digest)
        for kind in KINDS
        for cls in _classes(module, kind)
    ]
    if not plugins:
        bases = ", ".join(base.partition(":")[2] for _, base in KINDS.values())
        raise PluginError(
            f"{path} holds no plug-in; derive a class from one of {bases}, with no abstract method "
            "left open"
        )
    return plugins


def _classes(module: ModuleType, kind: str) -> Iterator[type[Any]]:
    """The finished classes of a kind that a module defines itself."""
    try:
        parent = _parent(kind)
    except ModuleNotFoundError:
        return
    for value in vars(module).values():
        if not (isinstance(value, type) and value.__module__ == module.__name__):
            continue
        if issubclass(value, parent) and not inspect.isabstract(value) and value is not parent:
            yield value


def _parent(kind: str) -> type[Any]:
    module, _, name = KINDS[kind][1].partition(":")
    parent: type[Any] = getattr(importlib.import_module(module), name)
    return parent


def name_of(cls: type[Any]) -> str:
    """The name of a plug-in's class; it must not depend on the settings."""
    try:
        return str(object.__new__(cls).name)
    except AttributeError:  # the name reads settings, as `last-K` does
        return _snake(cls.__name__)
    except Exception as error:
        raise PluginError(
            f"{cls.__qualname__} has no name to be found by: {type(error).__name__}: {error}"
        ) from error


def _snake(name: str) -> str:
    return "".join(f"-{c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(name))


def _distinct(found: Sequence[Plugin]) -> tuple[Plugin, ...]:
    seen: dict[tuple[str, str], Plugin] = {}
    for plugin in found:
        other = seen.setdefault((plugin.kind, plugin.name), plugin)
        if other is not plugin and other.cls is not plugin.cls:
            raise PluginError(
                f"two plug-ins among the {plugin.kind} are called {plugin.name!r}: {other.origin} "
                f"and {plugin.origin}; rename one of them"
            )
    return tuple(
        sorted(seen.values(), key=lambda plugin: (list(KINDS).index(plugin.kind), plugin.name))
    )


def _source_digest(cls: type[Any]) -> str:
    try:
        return allowed_code.digest(Path(inspect.getfile(cls)))
    except (OSError, TypeError):
        return ""
