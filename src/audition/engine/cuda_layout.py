"""Which cells one thread carries: simulators of one member, under the same few settings.

Cells of a member meet the same draws, so a thread that plays several of them draws but once; cells
of a simulator are paid the same rewards, so it pays but once. Where cells do not fill a thread
evenly some places are empty: they are played and not kept.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from audition.engine.moments import sharing
from audition.engine.work import Work

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]
EMPTY: Final = -1


class Chunk(NamedTuple):
    """Cells of one simulator that go into one thread."""

    group: int  # its simulator
    settings: tuple[int, ...]
    target: tuple[int, ...]  # the cells, or EMPTY


@final
@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Work as a kernel reads it."""

    members: NDArray[np.uint32]  # [bundle]
    simulator: NDArray[np.int32]  # [bundle, simulator of a thread]
    setting: NDArray[np.int32]  # [bundle, cell of a simulator]
    target: NDArray[np.int32]  # [bundle, cell of a thread]
    settings: FloatArray  # [setting, number]
    columns: FloatArray  # [simulator, arm, column]
    entries: FloatArray  # [simulator, arm, entry]
    centers: FloatArray  # [simulator] taken off every reward while playing

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """In the order in which a kernel takes them."""
        threads = self.members, self.simulator, self.setting, self.target
        return *threads, self.settings, self.columns, self.entries, self.centers

    @property
    def shape(self) -> tuple[int, int]:
        """Simulators of a thread, and cells of each of them."""
        return self.simulator.shape[1], self.setting.shape[1]


def layout(work: Work, *, room: int) -> Layout:
    """The cells of a piece of work, at most `room` to a thread."""
    groups = sharing(work.tables, work.members)
    heads = np.array([cells[0] for cells in groups])
    settings, setting = _settings(work)
    chunks = _chunks(groups, setting, room)
    bundles = _bundles(chunks, work.members[heads], room // len(chunks[0].settings))
    means = work.tables.means[heads]
    equivariant = work.learners[0].shift_equivariant
    centers = means.mean(axis=1) if equivariant else np.zeros(len(groups))
    return Layout(
        members=work.members[heads][[one[0].group for one in bundles]].astype(np.uint32),
        simulator=np.array([[chunk.group for chunk in one] for one in bundles], dtype=np.int32),
        setting=np.array([one[0].settings for one in bundles], dtype=np.int32),
        target=np.array([sum((c.target for c in one), ()) for one in bundles], dtype=np.int32),
        settings=settings,
        columns=work.tables.columns[heads].astype(np.float32),
        entries=work.tables.entries[heads].astype(np.float32),
        centers=centers.astype(np.float32),
    )


def _settings(work: Work) -> tuple[FloatArray, IntArray]:
    """Different settings, and which of them every cell has."""
    told = {id(learner): learner.settings() for learner in work.learners}
    known: dict[tuple[float, ...], int] = {}
    number = {name: known.setdefault(given, len(known)) for name, given in told.items()}
    setting = np.array([number[id(learner)] for learner in work.learners], dtype=np.int64)
    return np.array(list(known), dtype=np.float32), setting


def even(count: int, most: int) -> int:
    """The size of pieces, at most so large, that a count falls into as evenly as it can."""
    return -(-count // -(-count // max(most, 1)))


def _chunks(groups: Sequence[IntArray], setting: IntArray, room: int) -> list[Chunk]:
    """Every simulator's cells, cut into pieces of one size."""
    size = even(max(cells.size for cells in groups), room)
    chunks = []
    for number, cells in enumerate(groups):
        order = cells[np.argsort(setting[cells], kind="stable")].tolist()
        for at in range(0, len(order), size):
            part = order[at : at + size]
            spare = size - len(part)
            of_part = [int(setting[cell]) for cell in part]
            chunks.append(
                Chunk(
                    number,
                    tuple(of_part + of_part[-1:] * spare),
                    tuple(part + [EMPTY] * spare),
                )
            )
    return chunks


def _bundles(chunks: Sequence[Chunk], members: IntArray, most: int) -> list[list[Chunk]]:
    """Chunks of one member and equal settings, put together."""
    alike: dict[tuple[int, tuple[int, ...]], list[Chunk]] = {}
    for chunk in chunks:
        alike.setdefault((int(members[chunk.group]), chunk.settings), []).append(chunk)
    size = even(max(len(some) for some in alike.values()), most)
    bundles = []
    for some in alike.values():
        for at in range(0, len(some), size):
            part = some[at : at + size]
            spare = part[-1]._replace(target=(EMPTY,) * len(part[-1].target))
            bundles.append(part + [spare] * (size - len(part)))
    return bundles
