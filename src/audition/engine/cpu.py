"""The CPU engine: compiled rules on sixteen lanes at a time, on all cores.

A lane's numbers depend on its own address and cell alone, so the results are the same bits with
any number of threads and however cells and replications are put together.
"""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from audition.engine.cpu_kernel import Kernel, make
from audition.engine.cpu_vector import WIDTH, host_has
from audition.engine.cpu_walk import Job
from audition.engine.moments import FloatArray, sharing, spreads_of
from audition.engine.work import Engine, Played, Work
from audition.errors import EngineError
from audition.family import REWARD_PURPOSE, BanditFamily
from audition.learner import LEARNER_PURPOSE, ScalarLearner
from audition.seeds import key

IntArray = NDArray[np.int64]
SHARES: Final = 8  # pieces of work a thread, so that none waits long for the last
OFTEN: Final = 4e9  # decisions, a few seconds, after which a slower compilation pays
_kernels: dict[tuple[Any, ...], Kernel] = {}
_decisions: Counter[tuple[Any, ...]] = Counter()  # that every kernel has been asked for


@final
class CpuEngine(Engine):
    """Plays rules that Numba can compile."""

    def __init__(self, *, threads: int | None = None, often: float = OFTEN) -> None:
        self._threads = threads or len(os.sched_getaffinity(0))
        self._often = often

    @property
    def name(self) -> str:
        """`cpu`."""
        return "cpu"

    @property
    def version(self) -> str:
        """The first, and which of the machine's operations decide the last bits."""
        return "-".join(["cpu", "1", *(word for word in ("avx512f", "fma") if host_has(word))])

    def prepare(self, learner: ScalarLearner, family: BanditFamily, *, arms: int) -> None:
        """Compile the rule, or load it from the cache; says why where it cannot be."""
        _kernel(learner, family, arms)

    def play(self, work: Work) -> Played:
        """Play every cell in every replication."""
        shape = (work.cells, len(work.checkpoints), work.arms, work.replications.size)
        pulls, totals = np.empty(shape, np.float32), np.empty(shape, np.float32)
        kernel = _kernel_for(work, often=self._often)
        tasks, job = job_of(work, pulls, totals)
        plan = kernel.plan._replace(
            entries=work.tables.entries.shape[2],
            horizon=work.horizon,
            replications=work.replications.size,
            marks=len(work.checkpoints),
            settings=int(job.setting.max()) + 1,
        )
        pieces = list(_pieces(len(tasks), self._threads * SHARES))
        if self._threads == 1 or len(pieces) == 1:
            for begin, end in pieces:
                kernel.play(plan, tasks[begin:end], job)
        else:
            with ThreadPoolExecutor(self._threads) as pool:
                list(pool.map(lambda piece: kernel.play(plan, tasks[slice(*piece)], job), pieces))
        return Played(work.checkpoints, pulls, totals, work.tables.means)

    def spreads(
        self, work: Work, places: Sequence[IntArray]
    ) -> tuple[FloatArray, list[FloatArray]]:
        """Of the regrets that were played."""
        return spreads_of(self.play(work).regrets(), places)


def _kernel_for(work: Work, *, often: float) -> Kernel:
    """The kernel of some work: the wide one, where there is one, once its like is played often."""
    learner, family, arms = work.learners[0], work.family, work.arms
    named = (type(learner), type(family), arms)
    _decisions[named] += work.cells * work.replications.size * work.horizon
    kernel = _kernel(learner, family, arms)
    if kernel.widens and _decisions[named] > often:
        return _kernel(learner, family, arms, wide=True)
    return kernel


def _kernel(
    learner: ScalarLearner, family: BanditFamily, arms: int, *, wide: bool = False
) -> Kernel:
    from numba.core.errors import NumbaError

    named = (type(learner), type(family), arms, wide)
    if named not in _kernels:
        try:
            _kernels[named] = make(learner, family, arms=arms, wide=wide)
        except NumbaError as error:
            raise EngineError(f"Numba cannot compile it ({_told(error)})") from error
    return _kernels[named]


def _told(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return "; ".join(lines[:3])


def job_of(work: Work, pulls: Any, totals: Any) -> tuple[IntArray, Job]:
    """Tasks and what they read: cells by member, and by simulator within a member."""
    groups = sharing(work.tables, work.members)
    groups.sort(key=lambda cells: (int(work.members[cells[0]]), int(cells[0])))
    order = np.concatenate(groups)
    heads = np.array([cells[0] for cells in groups])
    settings, setting = np.unique(
        np.array([learner.settings() for learner in work.learners], dtype=np.float32),
        axis=0,
        return_inverse=True,
    )
    means = work.tables.means[heads]
    equivariant = work.learners[0].shift_equivariant
    centers = means.mean(axis=1) if equivariant else np.zeros(len(groups))
    padded = -work.replications.size % WIDTH
    tasks = _tasks(work.members[order], work.replications.size)
    return tasks, Job(
        replications=np.pad(work.replications, (0, padded), mode="edge").astype(np.uint32),
        world=np.array(key(work.seed, REWARD_PURPOSE), dtype=np.uint32),
        own=np.array(key(work.seed, LEARNER_PURPOSE), dtype=np.uint32),
        settings=np.ascontiguousarray(settings).ravel(),
        columns=work.tables.columns[heads].astype(np.float32).ravel(),
        entries=work.tables.entries[heads].astype(np.float32).ravel(),
        centers=centers.astype(np.float32),
        simulator=np.repeat(np.arange(len(groups)), [cells.size for cells in groups]),
        setting=setting.ravel().astype(np.int64)[order],
        target=order,
        marks=np.array(work.checkpoints, dtype=np.int64),
        pulls=pulls.reshape(-1),
        totals=totals.reshape(-1),
    )


def _tasks(members: IntArray, replications: int) -> IntArray:
    """(member, first cell, past the last cell, first lane) for every task."""
    firsts = np.flatnonzero(np.diff(members, prepend=members[0] - 1))
    lasts = np.append(firsts[1:], members.size)
    lanes = np.arange(0, replications, WIDTH)
    runs = np.stack([members[firsts], firsts, lasts], axis=1)
    tasks = np.column_stack([np.repeat(runs, lanes.size, axis=0), np.tile(lanes, len(runs))])
    return np.ascontiguousarray(tasks, dtype=np.int64)


def _pieces(tasks: int, count: int) -> Iterator[tuple[int, int]]:
    edges = np.linspace(0, tasks, min(count, tasks) + 1).astype(int)
    yield from zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)
