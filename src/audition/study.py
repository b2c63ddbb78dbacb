"""A study as plain data: which log, which simulators, which candidates, for how long.

A study file is TOML with one table for each of these. `read` turns its text into settings and
refuses what it does not know, with the nearest name there is; `audition.study_text` writes it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, final, get_args, get_type_hints

from audition.errors import ConfigError

PLUG_IN: Final = "plug_in"
UNCERTAINTY_AWARE: Final = "uncertainty_aware"
LARGEST: Final = 2**31 - 1  # rounds, replications and members are addressed by 32-bit words


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class LogSource:
    """Where the log is, and which of its columns mean what."""

    path: str
    arm: str = "arm"
    reward: str = "reward"
    propensity: str | None = None
    cluster: str | None = None
    time: str | None = None
    context: tuple[str, ...] = ()
    arms: tuple[str, ...] = ()  # declared arms, in the order wanted; empty: those that occur
    drop_arms: tuple[str, ...] = ()
    decimal: str = "."


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyChoice:
    """The kind of simulators; `auto` lets the log choose by held-out likelihood.

    `files` are settings that are paths, as seen from the study file.
    """

    name: str = "auto"
    settings: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class EnsembleChoice:
    """How many simulators the Uncertainty-Aware rule averages over, and how they are made."""

    name: str = "auto"
    size: int = 200
    settings: Mapping[str, Any] = field(default_factory=dict)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateChoice:
    """A learner with its settings; each list in `grid` is run through, value by value."""

    learner: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    grid: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    name: str = ""  # empty: after the learner and its settings


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class RuleChoice:
    """One more rule to judge by, beside Plug-In and Uncertainty-Aware."""

    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectiveChoice:
    """What a run is worth. The first objective decides; the others are kept beside it."""

    name: str = "auto"  # regret for bandits, the environment's own return for episodes
    settings: Mapping[str, Any] = field(default_factory=dict)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """How the trials are run; none of it changes a score, but for the engine's rounding."""

    engine: str = "auto"
    executor: str = "auto"
    workers: int = 0  # 0: one for every core
    deadline: float = 0.0  # seconds a trial may take before it counts as failed; 0: no limit
    retries: int = 1


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """Everything that a choice depends on."""

    log: LogSource
    horizon: int = 5000
    replications: int = 32  # runs of every candidate in every member of the ensemble
    seed: int = 0
    family: FamilyChoice = field(default_factory=FamilyChoice)
    ensemble: EnsembleChoice = field(default_factory=EnsembleChoice)
    objectives: tuple[ObjectiveChoice, ...] = (ObjectiveChoice(),)
    rules: tuple[RuleChoice, ...] = ()
    learners: tuple[
        str, ...
    ] = ()  # kinds that audition over grids of their own; none: all that fit
    candidates: tuple[CandidateChoice, ...] = ()  # none: `learners`, each over its own grid
    running: Running = field(default_factory=Running)
    allow_code: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse numbers that no study could mean."""
        for name, value, least in (
            ("horizon", self.horizon, 1),
            ("replications", self.replications, 1),
            ("ensemble.size", self.ensemble.size, 2),
            ("running.workers", self.running.workers, 0),
            ("running.retries", self.running.retries, 0),
        ):
            if not least <= value <= LARGEST:
                raise ConfigError(f"{name} must be from {least} to {LARGEST:,}; got {value}")
        if not self.running.deadline >= 0.0:
            raise ConfigError(f"running.deadline must be 0 or more; got {self.running.deadline}")
        if not 0 <= self.seed < 2**63:
            raise ConfigError(f"seed must be from 0 to 2**63 - 1; got {self.seed}")
        if not self.objectives:
            raise ConfigError("a study needs at least one objective, such as 'regret'")


def read(text: str, *, origin: str = "the study file") -> Study:
    """The study that a TOML text describes."""
    try:
        plain = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"{origin} is not TOML: {error}") from error
    return from_plain(plain, origin=origin)


def read_file(path: str | Path) -> Study:
    """The study in a TOML file; its log's path is taken from where the file lies."""
    place = Path(path)
    try:
        text = place.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:  # not there, not UTF-8, or a path with a NUL
        raise ConfigError(f"the study file {place} cannot be read: {error}") from error
    return read(text, origin=str(place))


def from_plain(plain: Mapping[str, Any], *, origin: str = "the study") -> Study:
    """The study in a tree of plain tables."""
    import msgspec

    _check_keys(plain, Study, "")
    try:
        return msgspec.convert(plain, Study)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{origin}: {error}") from error


def to_plain(study: Study) -> dict[str, Any]:
    """The study as a tree of plain tables, without what is at its default."""
    plain = plain_value(study)
    assert isinstance(plain, dict)
    return plain


def plain_value(value: Any) -> Any:
    """A setting as TOML and JSON hold it: tables, lists, strings and numbers."""
    if is_dataclass(value) and not isinstance(value, type):
        table = {}
        for item in fields(value):
            given = getattr(value, item.name)
            if given is not None and not _is_default(value, item.name, given):
                table[item.name] = plain_value(given)
        return table
    if isinstance(value, Mapping):
        return {str(key): plain_value(entry) for key, entry in value.items()}
    if isinstance(value, tuple | list):
        return [plain_value(entry) for entry in value]
    return value


def _is_default(owner: Any, name: str, given: Any) -> bool:
    from dataclasses import MISSING

    item = next(item for item in fields(owner) if item.name == name)
    if item.default is not MISSING:
        return bool(item.default == given)
    return item.default_factory is not MISSING and bool(item.default_factory() == given)


def _check_keys(plain: Any, cls: type[Any], place: str) -> None:
    """Refuse a key that the settings do not have, naming the nearest one that they do."""
    if not isinstance(plain, Mapping):
        return  # of the wrong type: the conversion says so
    hints = get_type_hints(cls)
    for key, value in plain.items():
        if key not in hints:
            close = get_close_matches(str(key), hints, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise ConfigError(
                f"unknown key {place + str(key)!r}{hint} (there are {', '.join(sorted(hints))})"
            )
        inner = _settings_class(hints[key])
        if inner is None:
            continue
        if isinstance(value, list):
            for number, entry in enumerate(value):
                _check_keys(entry, inner, f"{place}{key}[{number}].")
        else:
            _check_keys(value, inner, f"{place}{key}.")


def _settings_class(hint: Any) -> type[Any] | None:
    for part in (hint, *get_args(hint)):
        if isinstance(part, type) and is_dataclass(part):
            return part
    return None
