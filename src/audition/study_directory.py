"""A study's folder: its settings, its trials, and what came of them. Nothing in it is a pickle."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, final

from audition.errors import StoreError
from audition.study import Study, read_file, to_plain
from audition.study_text import toml

if TYPE_CHECKING:
    from audition.store import Store

SETTINGS: Final = "study.toml"
TRIALS: Final = "scores.sqlite"
OURS: Final = (
    SETTINGS,
    TRIALS,
    f"{TRIALS}-wal",
    f"{TRIALS}-shm",
    "selection.json",
    "report.html",
    "shards",
)


@final
@dataclass(frozen=True, slots=True)
class StudyDirectory:
    """Where a study lies, and the names of the files in it."""

    path: Path

    @staticmethod
    def beside(file: str | Path) -> StudyDirectory:
        """The folder that belongs to a log or a study file: `NAME.audition` beside it."""
        place = Path(file)
        return StudyDirectory(place.parent / f"{place.name.split('.')[0]}.audition")

    @staticmethod
    def existing(path: str | Path) -> StudyDirectory:
        """A folder that already holds a study."""
        directory = StudyDirectory(Path(path))
        if not directory.settings.is_file():
            raise StoreError(
                f"{path} is not a study's folder: it holds no study.toml; give the folder that "
                "`audition run` or `audition select` wrote, such as NAME.audition"
            )
        return directory

    @property
    def settings(self) -> Path:
        """The study's settings."""
        return self.path / SETTINGS

    @property
    def trials(self) -> Path:
        """The scores, in SQLite."""
        return self.path / TRIALS

    @property
    def selection(self) -> Path:
        """What was found, for programs."""
        return self.path / "selection.json"

    @property
    def report(self) -> Path:
        """What was found, for people."""
        return self.path / "report.html"

    def shard(self, number: int, *, of: int) -> Path:
        """Where a worker keeps its share of the trials; its folder is made."""
        self._claim()
        place = self.path / "shards" / f"{number}-of-{of}.sqlite"
        try:
            place.parent.mkdir(exist_ok=True)
        except OSError as error:
            raise StoreError(f"the folder {place.parent} cannot be made: {error}") from error
        return place

    def shards(self) -> list[Path]:
        """The files that workers wrote here."""
        return sorted((self.path / "shards").glob("*-of-*.sqlite"))

    def keep(self, study: Study) -> None:
        """Write down the settings; the log and the allowed code are named as seen from here."""
        self._claim()
        moved = _moved(study, lambda path: os.path.relpath(path, self.path))
        settings = toml(to_plain(moved))
        if self.settings.is_file() and self.settings.read_text("utf-8") != settings:
            for stale in (self.selection, self.report):  # they speak of another study
                stale.unlink(missing_ok=True)
        write(self.settings, settings)

    def study(self) -> Study:
        """The settings, with paths as seen from the current folder."""
        return resolved(read_file(self.settings), origin=self.path)

    def store(self) -> Store:
        """The trials, opened for reading and writing."""
        from audition.store import Store

        self._claim()
        return Store.open(self.trials)

    def _claim(self) -> None:
        """Make the folder; refuse one that holds files which are not a study's."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            strange = not self.settings.is_file() or not self.trials.is_file()
            if strange and any(entry.name not in OURS for entry in self.path.iterdir()):
                raise StoreError(
                    f"the folder {self.path} holds other files; a study needs a new or an empty "
                    "folder, or its own from before: give another one with --out"
                )
        except OSError as error:
            raise StoreError(f"the study's folder {self.path} cannot be made: {error}") from error


def located(path: str | Path, *, out: str | None = None) -> tuple[StudyDirectory, Study]:
    """The folder and the settings of a study, from its settings file or from its folder."""
    place = Path(path)
    if place.is_dir():
        directory = StudyDirectory.existing(place)
        return directory, directory.study()
    study = resolved(read_file(place), origin=place.parent)
    inside = place.name == SETTINGS and (place.parent / TRIALS).is_file()
    own = StudyDirectory(place.parent) if inside else StudyDirectory.beside(place)
    return (StudyDirectory(Path(out)) if out else own), study


def resolved(study: Study, *, origin: Path) -> Study:
    """A study whose paths, given as seen from its file's folder, are seen from the current one."""
    return _moved(study, lambda path: str(origin / path))


def _moved(study: Study, move: Callable[[str], str]) -> Study:
    """A study with every path in it moved."""
    files = {name: move(path) for name, path in study.family.files.items()}
    return replace(
        study,
        log=replace(study.log, path=move(study.log.path)),
        family=replace(study.family, files=files),
        allow_code=tuple(move(path) for path in study.allow_code),
    )


def write(path: Path, text: str) -> None:
    """Write a whole file or nothing: a reader never sees half of it."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    except (OSError, UnicodeError) as error:  # a path may hold what is no text
        draft.unlink(missing_ok=True)
        raise StoreError(f"{path} cannot be written: {error}") from error
