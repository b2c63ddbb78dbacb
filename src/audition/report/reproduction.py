"""How to get this very report again: settings, command, versions, digests, seed."""

from __future__ import annotations

import platform
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import PurePath
from typing import TYPE_CHECKING, Final, final

from audition.study import UNCERTAINTY_AWARE, Study, to_plain
from audition.study_text import toml

if TYPE_CHECKING:
    from audition.result import Result

PACKAGES: Final = ("audition", "numpy", "scipy", "numba")


@final
@dataclass(frozen=True, slots=True)
class Reproduction:
    """What somebody else needs."""

    study: str  # the text of study.toml
    command: str
    versions: tuple[tuple[str, str], ...]
    digests: tuple[tuple[str, str], ...]
    seed: int


def reproduction(result: Result) -> Reproduction:
    """The study without any path of the machine it ran on."""
    prepared = result.prepared
    return Reproduction(
        study=toml(to_plain(_portable(prepared.study))),
        command="audition run study.toml" if prepared.study.log.path else "",
        versions=(("python", platform.python_version()), *_versions()),
        digests=(
            ("log", str(prepared.log.digest)),
            ("ensemble", prepared.ensembles[UNCERTAINTY_AWARE].digest),
        ),
        seed=prepared.study.seed,
    )


def _portable(study: Study) -> Study:
    files = study.family.files
    return replace(
        study,
        log=replace(study.log, path=PurePath(study.log.path).name),
        family=replace(study.family, files={k: PurePath(v).name for k, v in files.items()}),
        allow_code=tuple(PurePath(path).name for path in study.allow_code),
    )


def _versions() -> list[tuple[str, str]]:
    found = []
    for package in PACKAGES:
        try:
            found.append((package, version(package)))
        except PackageNotFoundError:  # an engine's package that is not needed here
            continue
    return found
