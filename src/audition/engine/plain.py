"""The plain engine: rules and rewards as they stand, on NumPy lanes in double precision."""

from collections.abc import Sequence
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from audition.engine.moments import FloatArray, spreads_of
from audition.engine.work import Engine, Played, Work
from audition.family import REWARD_PURPOSE, BanditFamily, Tables
from audition.learner import LEARNER_PURPOSE, ScalarLearner
from audition.seeds import Draws
from audition.world import BanditWorld

SingleArray = NDArray[np.float32]
IntArray = NDArray[np.int64]

WIDTH: Final = 2**15  # lanes side by side: enough to hide NumPy's overhead, few enough for memory


@final
class PlainEngine(Engine):
    """The reference that the compiled engines are tested against."""

    @property
    def name(self) -> str:
        """`plain`."""
        return "plain"

    @property
    def version(self) -> str:
        """The first."""
        return "plain-1"

    def prepare(self, learner: ScalarLearner, family: BanditFamily, *, arms: int) -> None:
        """Any rule runs as it stands."""

    def play(self, work: Work) -> Played:
        """Play cells of equal settings side by side."""
        shape = (work.cells, len(work.checkpoints), work.arms, work.replications.size)
        pulls, totals = np.empty(shape, np.float32), np.empty(shape, np.float32)
        for chosen in _side_by_side(work):
            pulls[chosen], totals[chosen] = _play(work, chosen)
        return Played(work.checkpoints, pulls, totals, work.tables.means)

    def spreads(
        self, work: Work, places: Sequence[IntArray]
    ) -> tuple[FloatArray, list[FloatArray]]:
        """Of the regrets that were played."""
        return spreads_of(self.play(work).regrets(), places)


def _side_by_side(work: Work) -> list[IntArray]:
    together = max(WIDTH // work.replications.size, 1)
    alike: dict[ScalarLearner, list[int]] = {}
    for cell, learner in enumerate(work.learners):
        alike.setdefault(learner, []).append(cell)
    return [
        np.array(cells[at : at + together])
        for cells in alike.values()
        for at in range(0, len(cells), together)
    ]


def _play(work: Work, chosen: IntArray) -> tuple[SingleArray, SingleArray]:
    lanes = work.lanes(chosen)
    row = np.repeat(chosen, work.replications.size)
    tables = Tables(*(part[row] for part in _parts(work.tables)))
    world = BanditWorld(
        work.family.arm_table(tables),
        draws=Draws(work.seed, REWARD_PURPOSE, lanes),
        horizon=work.horizon,
        checkpoints=work.checkpoints,
    )
    work.learners[chosen[0]].deploy(world, Draws(work.seed, LEARNER_PURPOSE, lanes))
    outcome = world.outcome()
    shape = (chosen.size, work.replications.size, len(work.checkpoints), work.arms)
    pulls, totals = (
        np.moveaxis(counted.reshape(shape), 1, -1).astype(np.float32)
        for counted in (outcome.pulls, outcome.totals)
    )
    return pulls, totals


def _parts(tables: Tables) -> tuple[NDArray[np.float64], ...]:
    return tables.columns, tables.entries, tables.means
