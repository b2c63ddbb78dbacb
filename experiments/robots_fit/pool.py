"""Identified episodes of one robot, kept in one small file that grows batch by batch."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, final

import numpy as np
from numpy.typing import NDArray
from settings import BATCH

FloatArray = NDArray[np.float64]
_FORMAT: Final = "robots-fit-pool-1"


@final
@dataclass(slots=True)
class Pool:
    """The curves [omega, parameter] of episodes 0, 1, 2, ... as far as they are known."""

    path: Path
    about: str  # everything that a curve depends on
    batches: dict[int, FloatArray] = field(default_factory=dict)  # [episode, omega, parameter]
    machines: list[str] = field(default_factory=list)  # that did some of it

    @staticmethod
    def at(path: Path, about: str) -> Pool:
        """What the file holds; one that was made with other settings is refused."""
        pool = Pool(path, about)
        if not path.is_file():
            return pool
        with np.load(path, allow_pickle=False) as file:
            if str(file["about"]) != about:
                raise SystemExit(f"{path.name} was made with other settings; move it away")
            pool.machines = file["machines"].tolist()
            values = file["values"].astype(np.float64)
            for place, number in enumerate(file["batches"].tolist()):
                pool.batches[number] = values[place]
        return pool

    def missing(self, episodes: int) -> list[int]:
        """The batches that the first so many episodes still need."""
        return [number for number in range(-(-episodes // BATCH)) if number not in self.batches]

    def save(self) -> None:
        """Write the file whole, or not at all."""
        numbers = sorted(self.batches)
        passing = self.path.with_suffix(f".{os.getpid()}.part")
        with passing.open("wb") as file:
            np.savez_compressed(
                file,
                about=np.array(self.about),
                format=np.array(_FORMAT),
                machines=np.array(self.machines, dtype=np.str_),
                batches=np.array(numbers, dtype=np.int64),
                values=np.array([self.batches[number] for number in numbers], dtype=np.float32),
            )
        passing.replace(self.path)

    def data_sets(self, length: int, *, episodes: int) -> FloatArray:
        """[data set, episode, omega, parameter] of the episodes that are known, in order."""
        numbers = [number for number in sorted(self.batches) if number * BATCH < episodes]
        if not numbers:
            return np.zeros((0, length, 1, 1))
        known = np.concatenate([self.batches[number] for number in numbers])[:episodes]
        count = len(known) // length
        return known[: count * length].reshape(count, length, *known.shape[1:])
