"""Plays units of bandit rules on an engine, and scores all of a unit's cells at once.

A rule that breaks in a unit is found by playing the unit again in smaller pieces, candidate by
candidate and then member by member, so that what breaks is a recorded failure and the rest stands.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from audition.allocation import Cell, Unit
from audition.deployment import checkpoints, said, scored
from audition.engine.work import Engine, Played, Work
from audition.errors import EngineError
from audition.family import BanditFamily, Tables
from audition.learner import ScalarLearner
from audition.parts import Order, Part
from audition.tally import Blocks, Settled, by_span, given_up, places
from audition.trial_key import addresses
from audition.world import Outcome

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """The part of a study that engines play, with its simulators as tables."""

    order: Order
    part: Part
    tables: Tables  # [member, ...]
    members: IntArray  # [member] the addresses of their randomness

    @staticmethod
    def of(order: Order, part: Part) -> "Rules":
        """The simulators are turned into tables once."""
        assert isinstance(order.family, BanditFamily)
        return Rules(
            order,
            part,
            order.family.tables(order.ensemble.simulators),
            np.asarray(addresses(order.ensemble), dtype=np.int64),
        )

    def settle(self, unit: Unit, pairs: Sequence[tuple[int, int]]) -> Iterator[Settled]:
        """Play these (candidate, member) pairs in the unit's spans."""
        engine = self.part.engines[unit.candidates[0]]
        assert engine is not None
        try:
            played = engine.play(self._work(unit, pairs))
        except EngineError:
            raise
        except Exception as error:  # noqa: BLE001 - a user's rule may raise anything
            smaller = _smaller(pairs)
            if len(smaller) == 1:
                yield self._given_up(unit, pairs, said(error), engine)
                return
            for piece in smaller:
                yield from self.settle(unit, piece)
        else:
            yield self._settled(unit, pairs, played)

    def _work(self, unit: Unit, pairs: Sequence[tuple[int, int]]) -> Work:
        order = self.order
        assert isinstance(order.family, BanditFamily)
        candidate, member = np.array(pairs, dtype=np.int64).T
        first, last = self.part.spans[unit.spans[0]], self.part.spans[unit.spans[-1]]
        learners = []
        for number in candidate:
            learner = self.part.candidates[number].learner
            assert isinstance(learner, ScalarLearner)
            learners.append(learner)
        return Work(
            learners=tuple(learners),
            family=order.family,
            tables=Tables(
                self.tables.columns[member], self.tables.entries[member], self.tables.means[member]
            ),
            members=self.members[member],
            replications=np.arange(first.first, last.first + last.count),
            horizon=order.horizon,
            checkpoints=checkpoints(order.objectives, order.horizon),
            seed=order.seed,
        )

    def _settled(self, unit: Unit, pairs: Sequence[tuple[int, int]], played: Played) -> Settled:
        outcome = _outcome(played)
        cells, runs = played.pulls.shape[0], played.pulls.shape[3]
        spans = [self.part.spans[number] for number in unit.spans]
        scores = np.stack(
            [scored(objective, outcome).reshape(cells, runs) for objective in self.order.objectives]
        )
        summed = by_span(scores, spans)  # [objective, pair, span]
        flat = len(self.order.objectives), cells * len(spans)
        return Settled(
            places(_cells(unit, pairs)),
            Blocks(*(array.reshape(flat) for array in summed.arrays)),
        )

    def _given_up(
        self, unit: Unit, pairs: Sequence[tuple[int, int]], reason: str, engine: Engine
    ) -> Settled:
        return given_up(
            _cells(unit, pairs),
            self.part.spans,
            f"the rule broke on the {engine.name} engine: {reason}",
            objectives=len(self.order.objectives),
        )


def _cells(unit: Unit, pairs: Sequence[tuple[int, int]]) -> list[Cell]:
    return [Cell(candidate, member, span) for candidate, member in pairs for span in unit.spans]


def _smaller(pairs: Sequence[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """By candidate, or else by member."""
    candidates = list(dict.fromkeys(candidate for candidate, _ in pairs))
    if len(candidates) > 1:
        return [[pair for pair in pairs if pair[0] == candidate] for candidate in candidates]
    return [[pair] for pair in pairs]


def _outcome(played: Played) -> Outcome:
    """All cells as one world, with every replication of every cell a lane."""
    cells, marks, arms, runs = played.pulls.shape
    pulls, totals = (
        np.moveaxis(counted, -1, 1).astype(np.float64).reshape(cells * runs, marks, arms)
        for counted in (played.pulls, played.totals)
    )
    return Outcome(played.checkpoints, pulls, totals, np.repeat(played.means, runs, axis=0))
