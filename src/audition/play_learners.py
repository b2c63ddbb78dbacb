"""Plays learners that are deployed in worlds: here, or by an executor, with retries and deadlines.

A piece that breaks, or takes too long, is played again cell by cell, so that a run that fails does
not take its company along; what fails by itself is given up with its reason. A piece whose worker
was lost is tried again. None of it depends on where or in which order pieces are played.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import final

import numpy as np

from audition.allocation import Cell
from audition.deployment import Answer, Deployment, pack, play, unpack_answer
from audition.errors import PluginError
from audition.executor import Executor, Task
from audition.family import BanditFamily
from audition.parts import Order, Part
from audition.tally import Blocks, Grown, Settled, Trouble, blocks, given_up, places
from audition.trial_key import addresses


@final
@dataclass(frozen=True, slots=True)
class Patience:
    """How long a run may take, and how often a lost one is tried again."""

    deadline: float | None  # seconds
    retries: int


@final
@dataclass(frozen=True, slots=True)
class Piece:
    """Cells of one candidate that are played side by side."""

    cells: tuple[Cell, ...]
    tried: int = 0

    def alone(self) -> "list[Piece]":
        """Every cell by itself."""
        return [Piece((cell,)) for cell in self.cells]


@final
@dataclass(frozen=True, slots=True)
class _Told:
    """What was heard of a piece."""

    piece: Piece
    answer: Answer | None
    lost: str = ""
    late: bool = False


@final
@dataclass(frozen=True, slots=True, eq=False)
class Learners:
    """The part of a study whose learners are deployed in worlds."""

    order: Order
    part: Part
    patience: Patience
    executor: Executor | None  # none: everything is played here
    stopped: Callable[[], bool]
    _waiting: deque[Piece] = field(init=False, default_factory=deque)

    def settle(self, pieces: Sequence[Piece]) -> Iterator[Settled]:
        """Play these pieces; after a stop those in hand are finished and no more are begun."""
        self._waiting.extend(pieces)
        while self._waiting and not self.stopped():
            for told in self._played():
                settled = self._heard(told)
                if settled is not None:
                    yield settled

    def _played(self) -> Iterator[_Told]:
        if self.executor is None:
            for piece in self._next():
                yield _Told(piece, play(self._deployment(piece)))
            return
        in_hand: dict[int, Piece] = {}

        def tasks() -> Iterator[Task]:
            for number, piece in enumerate(self._next()):
                in_hand[number] = piece
                yield Task(number, pack(self._deployment(piece)), self._limit(piece))

        for finished in self.executor.run(tasks()):
            piece = in_hand.pop(finished.number)
            if finished.late or finished.lost:
                yield _Told(piece, None, finished.lost, finished.late)
            else:
                yield _Told(piece, unpack_answer(finished.payload))

    def _next(self) -> Iterator[Piece]:
        while self._waiting and not self.stopped():
            yield self._waiting.popleft()

    def _limit(self, piece: Piece) -> float | None:
        """Lanes of a bandit world are stepped at once; runs of episodes share one core."""
        if self.patience.deadline is None:
            return None
        together = 1 if isinstance(self.order.family, BanditFamily) else len(piece.cells)
        return self.patience.deadline * together

    def _heard(self, told: _Told) -> Settled | None:
        """What came of a piece, or None when it is to be played again."""
        piece, answer = told.piece, told.answer
        if answer is not None and answer.fault:
            raise PluginError(answer.fault)
        if answer is not None and not answer.broke:
            return self._settled(piece, answer)
        if told.lost and piece.tried < self.patience.retries:
            self._waiting.append(replace(piece, tried=piece.tried + 1))
            return None
        if len(piece.cells) > 1:
            self._waiting.extend(piece.alone())
            return None
        return self._given_up(piece, told)

    def _given_up(self, piece: Piece, told: _Told) -> Settled:
        deadline = self.patience.deadline if told.late else None
        if told.late:
            reason = f"it took longer than the deadline of {deadline:g} s"
        elif told.lost:
            reason = f"{told.lost}, {piece.tried + 1} times"
        else:
            assert told.answer is not None
            reason = told.answer.broke
        return given_up(
            piece.cells,
            self.part.spans,
            reason,
            objectives=len(self.order.objectives),
            deadline=deadline,
        )

    def _settled(self, piece: Piece, answer: Answer) -> Settled:
        spans = [self.part.spans[cell.span] for cell in piece.cells]
        scores = np.array(answer.scores, dtype=np.float64)  # [objective, run]
        runs = [
            (number, replication)
            for number, span in enumerate(spans)
            for replication in span.numbers
        ]
        if scores.shape != (len(self.order.objectives), len(runs)):
            raise PluginError(
                f"an objective gives one score a lane, here {len(runs)}, but they came as "
                f"{scores.shape}"
            )
        ends = np.cumsum([span.count for span in spans])[:-1]
        summed = [blocks(part) for part in np.split(scores, ends, axis=1)]
        arrays = zip(*(one.arrays for one in summed), strict=True)
        return Settled(
            places(piece.cells),
            Blocks(*(np.stack(column, axis=1) for column in arrays)),
            tuple(
                Trouble(cell, replication, reason)
                for (cell, replication), reason in zip(runs, answer.reasons, strict=True)
                if reason
            ),
            tuple(
                Grown(cell, replication, curve.steps, curve.value, curve.frames)
                for (cell, replication), curve in zip(runs, answer.curves, strict=False)
            ),
        )

    def _deployment(self, piece: Piece) -> Deployment:
        order, cells = self.order, piece.cells
        where = addresses(order.ensemble)
        return Deployment(
            learner=self.part.candidates[cells[0].candidate].learner,
            family=order.family,
            simulators=tuple(order.ensemble.simulators[cell.member] for cell in cells),
            addresses=tuple(where[cell.member] for cell in cells),
            spans=tuple(self.part.spans[cell.span] for cell in cells),
            horizon=order.horizon,
            seed=order.seed,
            objectives=order.objectives,
        )
