"""The curve of an episode on disk, under a key made of everything that the curve depends on.

A file is written whole or not at all; one that cannot be read is counted as absent and computed
again. Nothing is ever unpickled.
"""

from __future__ import annotations

import os
import zipfile
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, final

import numpy as np

from audition.errors import ConfigError
from audition.identification.curves import EpisodeCurve

_FIELDS = tuple(item.name for item in fields(EpisodeCurve))


@final
@dataclass(frozen=True, slots=True)
class CurveCache:
    """A folder with one small file per episode and way of identification."""

    folder: Path

    @staticmethod
    def at(path: str | Path) -> CurveCache:
        """A cache in a folder, which is made if it is not there."""
        folder = Path(path).expanduser()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(
                f"the cache folder {folder} cannot be made ({error.strerror}); name another one"
            ) from error
        return CurveCache(folder)

    def load(self, key: str) -> EpisodeCurve | None:
        """The curve kept under a key, or None."""
        try:
            with np.load(self._path(key), allow_pickle=False) as file:
                found = {name: file[name] for name in _FIELDS}
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return None
        return EpisodeCurve(
            multipliers=found["multipliers"],
            values=found["values"],
            information=found["information"],
            squares=float(found["squares"]),
            residuals=int(found["residuals"]),
            evaluations=int(found["evaluations"]),
        )

    def save(self, key: str, curve: EpisodeCurve) -> None:
        """Keep a curve; a reader never sees half a file."""
        path = self._path(key)
        path.parent.mkdir(exist_ok=True)
        passing = path.with_suffix(f".{os.getpid()}.part")
        arrays: dict[str, Any] = {name: np.asarray(getattr(curve, name)) for name in _FIELDS}
        with passing.open("wb") as file:
            np.savez(file, **arrays)
        passing.replace(path)

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.npz"
