"""The CUDA engine: one thread a replication, several cells a thread.

It meets the draws that the other engines meet, so that what they play can be compared replication
by replication. A GPU that is absent or fails says so in one line, as an EngineError.
"""

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Final, NamedTuple, final

import numpy as np

from audition.engine.moments import FloatArray, IntArray
from audition.engine.work import Engine, Played, Work
from audition.errors import EngineError
from audition.family import REWARD_PURPOSE, BanditFamily, Tables
from audition.learner import LEARNER_PURPOSE, ScalarLearner
from audition.seeds import key

THREADS: Final = (128, 96, 160, 64, 192, 224, 256)  # of a block, the first preferred
MOST_BLOCKS: Final = 2**31 - 1
_rules: dict[tuple[Any, ...], Any] = {}


class Launched(NamedTuple):
    """What was played, still on the device."""

    pulls: Any  # [cell, checkpoint, arm, replication]
    totals: Any  # [cell, checkpoint, arm, replication]


@final
class CudaEngine(Engine):
    """Plays rules that Numba can compile, on the first GPU."""

    slice_bytes: ClassVar[int] = 2**31

    def __init__(self, *, room: int | None = None) -> None:
        """`room` is how many cells a thread carries at most, when not the rule's own number."""
        self._room = room

    @property
    def name(self) -> str:
        """`cuda`."""
        return "cuda"

    @property
    def version(self) -> str:
        """The first."""
        return "cuda-1"

    def prepare(self, learner: ScalarLearner, family: BanditFamily, *, arms: int) -> None:
        """Play one round on the device, to see that there is one and that the rule compiles."""
        with _told():
            _require_device()
            _rule(learner, family, arms)
            self.launch(_one_round(learner, family, arms))

    def play(self, work: Work) -> Played:
        """Play every cell in every replication."""
        with _told():
            launched = self.launch(work)
            pulls, totals = launched.pulls.copy_to_host(), launched.totals.copy_to_host()
        return Played(work.checkpoints, pulls, totals, work.tables.means)

    def spreads(
        self, work: Work, places: Sequence[IntArray]
    ) -> tuple[FloatArray, list[FloatArray]]:
        """Mean regrets and their sums of products, worked out on the device."""
        from audition.engine.cuda_moments import spreads

        with _told():
            pulls = self.launch(work).pulls
            gaps = work.tables.means.max(axis=1, keepdims=True) - work.tables.means
            return spreads(pulls, gaps, places)

    def shape(self, work: Work) -> tuple[int, int]:
        """Simulators that a thread of this work carries, and cells of each of them."""
        from audition.engine.cuda_layout import layout

        rule = _rule(work.learners[0], work.family, work.arms)
        return layout(work, room=self._room or rule.room).shape

    def launch(self, work: Work) -> Launched:
        """Play, and leave what was played on the device."""
        return self.ready(work)()

    def ready(self, work: Work) -> Callable[[], Launched]:
        """Bring the work to the device; the call of what comes back plays it."""
        from numba import cuda

        from audition.engine.cuda_arithmetic import schedule
        from audition.engine.cuda_layout import layout

        rule = _rule(work.learners[0], work.family, work.arms)
        job = layout(work, room=self._room or rule.room)
        lanes = work.replications.size
        threads = _threads(lanes)
        blocks = job.members.size * -(-lanes // threads)
        if blocks > MOST_BLOCKS:
            raise EngineError(f"this is {blocks} blocks of work, and a launch has {MOST_BLOCKS}")
        simulators, cells = job.shape
        kernel = rule.kernel(simulators=simulators, cells=cells)[blocks, threads]
        parts = work.replications.astype(np.uint32), *job.arrays
        marks = np.array(work.checkpoints, dtype=np.int64)
        given = [cuda.to_device(part) for part in (*parts, marks)]
        keys = [schedule(key(work.seed, name)) for name in (REWARD_PURPOSE, LEARNER_PURPOSE)]
        shape = (work.cells, len(work.checkpoints), work.arms, lanes)
        launched = Launched(*(cuda.device_array(shape, np.float32) for _ in range(2)))

        def play() -> Launched:
            kernel(*given, *keys, *launched)
            return launched

        return play


def _threads(lanes: int) -> int:
    """Threads of a block, so that few of the last block's are idle."""
    if lanes <= min(THREADS):
        return lanes
    return min(THREADS, key=lambda threads: -(-lanes // threads) * threads)


def _rule(learner: ScalarLearner, family: BanditFamily, arms: int) -> Any:
    from audition.engine.cuda_kernel import Rule

    named = (type(learner), type(family), arms)
    if named not in _rules:
        _rules[named] = Rule(learner, family, arms)
    return _rules[named]


def _require_device() -> None:
    from numba import cuda

    if not cuda.is_available():
        raise EngineError("no CUDA device that Numba can use was found; is `audition[gpu]` in?")


def _one_round(learner: ScalarLearner, family: BanditFamily, arms: int) -> Work:
    columns = np.ones((1, arms, len(family.Columns._fields)))
    return Work(
        learners=(learner,),
        family=family,
        tables=Tables(columns, np.zeros((1, arms, 1)), np.zeros((1, arms))),
        members=np.zeros(1, dtype=np.int64),
        replications=np.zeros(1, dtype=np.int64),
        horizon=1,
        checkpoints=(1,),
        seed=0,
    )


@contextmanager
def _told() -> Iterator[None]:
    """Whatever the compiler or the driver says, in one line."""
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=r"(?s).*Grid size")  # small work is small
            yield
    except EngineError:
        raise
    except Exception as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        what = "; ".join(lines[:3]) or "no more is known"
        raise EngineError(f"CUDA failed ({type(error).__name__}: {what})") from error
