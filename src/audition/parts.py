"""What a study has to play: its candidates in parts that are played alike, cut into units.

Rules that an engine plays make one part, a group of the same class at a time, so that many cells
share their draws. All other learners make the second: they are deployed in worlds, by blocks of
replications in bandit worlds and trial by trial in worlds of episodes, where a run takes minutes.
How the table is cut depends on the study alone, never on what was played already.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, final

from audition.allocation import Group, Span, Unit, block_size, spans, units
from audition.engine.choosing import Choice, choose, reasons
from audition.engine.work import Engine
from audition.ensemble import Ensemble
from audition.family import BanditFamily, Family
from audition.learner import Candidate, ScalarLearner
from audition.objective import Objective
from audition.trial_key import WORLD, Keys

PACE: Final[Mapping[str, int]] = {
    # decisions in one unit, so that a unit takes about a second or less, and a stop no longer
    "plain": 2**23,
    "cpu": 2**27,
    "cuda": 2**36,
}
LARGEST_UNIT: Final = 2**21  # runs: what one unit plays must fit into memory
LANES: Final = 1024  # runs side by side of a learner that is deployed in bandit worlds


@final
@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """What is to be evaluated: everything that a score depends on."""

    candidates: tuple[Candidate, ...]
    ensemble: Ensemble
    family: Family
    objectives: tuple[Objective, ...]
    horizon: int
    replications: int
    seed: int
    engine: str

    @property
    def spans(self) -> tuple[Span, ...]:
        """The blocks of replications that the table is made of."""
        size = block_size(self.ensemble.size, self.replications)
        return spans(self.replications, size=size)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Candidates that are played alike."""

    positions: tuple[int, ...]  # of its candidates in the study
    candidates: tuple[Candidate, ...]
    engines: tuple[Engine | None, ...]  # [candidate] None: deployed in worlds
    spans: tuple[Span, ...]  # what is kept as one row
    units: tuple[Unit, ...]
    keys: Keys
    notes: tuple[str, ...] = ()

    @property
    def versions(self) -> tuple[str, ...]:
        """What plays every candidate, as its key has it."""
        return _versions(self.engines)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Candidates, members and spans."""
        return len(self.candidates), len(self.keys.members), len(self.spans)


def parts(order: Order) -> tuple[Part, ...]:
    """The parts of a study that have candidates."""
    played: list[int] = []
    deployed: list[int] = []
    for position, candidate in enumerate(order.candidates):
        fast = isinstance(order.family, BanditFamily) and isinstance(
            candidate.learner, ScalarLearner
        )
        (played if fast else deployed).append(position)
    made = []
    if played:
        made.append(_played(order, played))
    if deployed:
        made.append(_deployed(order, deployed))
    return tuple(made)


def _played(order: Order, positions: list[int]) -> Part:
    """The rules that engines play, one group for every class."""
    classes: dict[type, list[int]] = {}
    for number, position in enumerate(positions):
        classes.setdefault(type(order.candidates[position].learner), []).append(number)
    choices = {
        cls: _choice(order, order.candidates[positions[numbers[0]]])
        for cls, numbers in classes.items()
    }
    engines = [choices[type(order.candidates[position].learner)].engine for position in positions]
    blocks = order.spans
    groups = []
    for cls, numbers in classes.items():
        decisions = PACE.get(choices[cls].engine.name, PACE["cpu"]) // order.horizon
        runs = max(min(decisions, LARGEST_UNIT), 1)
        groups.append(_group(order, numbers, runs // (len(numbers) * blocks[0].count), len(blocks)))
    return _part(order, positions, engines, blocks, groups, reasons(choices.values()))


def _deployed(order: Order, positions: list[int]) -> Part:
    """The learners that are deployed in worlds, each by itself."""
    bandit = isinstance(order.family, BanditFamily)
    rows = order.spans if bandit else spans(order.replications, size=1)
    groups = []
    for number, position in enumerate(positions):
        together = order.candidates[position].learner.together
        cells = LANES // rows[0].count if bandit else together
        groups.append(_group(order, [number], cells, len(rows)))
    return _part(order, positions, [None] * len(positions), rows, groups, ())


def _choice(order: Order, candidate: Candidate) -> Choice:
    assert isinstance(candidate.learner, ScalarLearner)
    assert isinstance(order.family, BanditFamily)
    arms = order.family.means(order.ensemble.simulators[0]).size
    return choose(order.engine, candidate.learner, order.family, arms=arms)


def _group(order: Order, numbers: Sequence[int], cells: int, blocks: int) -> Group:
    """Units of about so many (member, span) cells for each of these candidates."""
    members = max(min(cells, order.ensemble.size), 1)
    return Group(tuple(numbers), members, max(min(cells // members, blocks), 1))


def _part(
    order: Order,
    positions: list[int],
    engines: Sequence[Engine | None],
    rows: tuple[Span, ...],
    groups: list[Group],
    notes: tuple[str, ...],
) -> Part:
    candidates = tuple(order.candidates[position] for position in positions)
    return Part(
        positions=tuple(positions),
        candidates=candidates,
        engines=tuple(engines),
        spans=rows,
        units=units(groups, members=order.ensemble.size, spans=len(rows)),
        keys=Keys.of(
            tuple(candidate.learner for candidate in candidates),
            _versions(engines),
            order.ensemble,
            rows,
            family=order.family,
            objectives=order.objectives,
            horizon=order.horizon,
            seed=order.seed,
        ),
        notes=notes,
    )


def _versions(engines: Sequence[Engine | None]) -> tuple[str, ...]:
    return tuple(WORLD if engine is None else engine.version for engine in engines)
