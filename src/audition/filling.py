"""One call of `evaluate` as it goes: the tables, what the store knows of them, and what is left."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, Final, final

import numpy as np

from audition.allocation import Cell, Unit
from audition.course import Failure, LearningCurve, Means, Progress
from audition.executor import Executor
from audition.parts import Order, Part
from audition.play_learners import Learners, Piece
from audition.play_rules import Rules
from audition.portable import moves
from audition.recall import batch, recall
from audition.scores import Scores
from audition.tally import Blocks, Grown, Settled, Tally

Run = tuple[int, int, int]  # candidate, member, replication
OFTEN: Final = 0.5  # seconds between two notes of progress in the store


@final
@dataclass(slots=True, eq=False)
class Filling:
    """Tables that fill; the only state there is while a study is played."""

    order: Order
    parts: tuple[Part, ...]
    means: Means
    tallies: tuple[Tally, ...]
    began: float
    total: int = 0  # trials of this call's share
    kept: int = 0
    done: int = 0
    failures: dict[Run, str] = field(default_factory=dict)
    curves: dict[Run, Grown] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    noted: float = 0.0

    @staticmethod
    def begin(order: Order, parts: tuple[Part, ...], means: Means) -> Filling:
        """Empty tables, filled with what the store holds."""
        objectives = len(order.objectives)
        tallies = tuple(Tally.empty(objectives, *part.shape) for part in parts)
        filling = Filling(order, parts, means, tallies, began=time.monotonic())
        filling.notes += [note for part in parts for note in part.notes]
        if means.store is not None:
            for part, tally in zip(parts, tallies, strict=True):
                filling._note(
                    part, recall(means.store, part, tally, deadline=means.patience.deadline)
                )
        for part, tally in zip(parts, tallies, strict=True):
            wanted, known = _trials(part, tally, filling._mine(part))
            filling.total += wanted
            filling.kept += known
        filling.done = filling.kept
        return filling

    @property
    def missing(self) -> bool:
        """Whether this call left something of its share unplayed."""
        return any(self._left(part, tally) for part, tally in self._pairs())

    def now(self) -> Progress:
        """How far it is."""
        return Progress(self.done, self.total, self.kept, time.monotonic() - self.began)

    def play(self) -> None:
        """Play what is left, and keep it as it comes."""
        self._tell(at_once=True)
        for part, tally in self._pairs():
            left = self._left(part, tally)
            if not left or self.means.stop.requested:
                continue
            playing = self._rules if part.engines[0] is not None else self._learners
            for settled in playing(part, tally, left):
                self._keep(part, tally, settled)
                self._tell(at_once=False)
        self._tell(at_once=True)

    @property
    def engine(self) -> str:
        """What plays: the names of engines, and "world" for learners deployed in worlds."""
        engines = [engine for part in self.parts for engine in part.engines]
        names = ("world" if engine is None else engine.name for engine in engines)
        return ", ".join(dict.fromkeys(names))

    def scores(self) -> dict[str, Scores]:
        """The tables by objective."""
        order = self.order
        names = tuple(candidate.name for candidate in order.candidates)
        tables = self._tables()
        return {
            objective.name: Scores(objective.name, names, *(a[number] for a in tables.arrays))
            for number, objective in enumerate(order.objectives)
        }

    def failed(self) -> tuple[Failure, ...]:
        """Every trial (or block) without a score, by candidate, member and replication."""
        for part, tally in self._pairs():
            for cell, reason in self._unexplained(part, tally):
                where = part.positions[cell.candidate], cell.member, part.spans[cell.span].first
                self.failures.setdefault(where, reason)
        return tuple(
            Failure(self.order.candidates[candidate].name, member, replication, reason)
            for (candidate, member, replication), reason in sorted(self.failures.items())
        )

    def learning_curves(self) -> dict[str, tuple[LearningCurve, ...]]:
        """How learners learned, by candidate, in order of member and replication."""
        curves: dict[str, list[LearningCurve]] = {}
        for (candidate, member, replication), grown in sorted(self.curves.items()):
            name = self.order.candidates[candidate].name
            curve = LearningCurve(member, replication, grown.steps, grown.value, grown.frames)
            curves.setdefault(name, []).append(curve)
        return {name: tuple(found) for name, found in curves.items()}

    def _pairs(self) -> Iterator[tuple[Part, Tally]]:
        return zip(self.parts, self.tallies, strict=True)

    def _left(self, part: Part, tally: Tally) -> list[Unit]:
        """The units of this share in which something is not known."""
        return [unit for unit in self._mine(part) if not tally.known[_box(unit)].all()]

    def _mine(self, part: Part) -> tuple[Unit, ...]:
        """The units of this share."""
        share = self.means.share
        return part.units[share.number - 1 :: share.of]

    def _rules(self, part: Part, tally: Tally, left: list[Unit]) -> Iterator[Settled]:
        rules = Rules.of(self.order, part)
        for unit in left:
            if self.means.stop.requested:
                return
            known = tally.known[_box(unit)].all(axis=2)  # [candidate, member]
            pairs = [
                (unit.candidates[row], unit.members[column])
                for row, column in np.argwhere(~known).tolist()
            ]
            yield from rules.settle(unit, pairs)

    def _learners(self, part: Part, tally: Tally, left: list[Unit]) -> Iterator[Settled]:
        pieces = [
            Piece(tuple(cell for cell in unit.cells() if not tally.known[_place(cell)]))
            for unit in left
        ]
        with ExitStack() as stack:
            executor = self._executor(stack)
            for where in (executor, None):
                chosen = [piece for piece in pieces if (self._at(part, piece, executor) is where)]
                if chosen:
                    playing = Learners(self.order, part, self.means.patience, where, self._stopped)
                    yield from playing.settle(chosen)
                if executor is None:
                    return

    def _executor(self, stack: ExitStack) -> Executor | None:
        given, deadline = self.means.executor, self.means.patience.deadline
        if given is None and deadline is not None:
            from audition.executors.processes import Processes

            return stack.enter_context(Processes(workers=1))
        if given is not None and deadline is not None and not given.keeps_limits:
            self.notes.append(f"the {given.name} executor cannot end a run, so no deadline is kept")
        return given

    def _at(self, part: Part, piece: Piece, executor: Executor | None) -> Executor | None:
        """Where a piece is played: here, when its plug-ins cannot be made in another process."""
        candidate = part.candidates[piece.cells[0].candidate]
        if executor is None:
            return None
        if all(map(moves, (candidate.learner, self.order.family, *self.order.objectives))):
            return executor
        note = (
            f"{candidate.name} is played in this process and without a deadline, because a plug-in "
            "that it needs is defined where no worker finds it; put it into a module or a file"
        )
        if note not in self.notes:
            self.notes.append(note)
        return None

    def _stopped(self) -> bool:
        return self.means.stop.requested

    def _tell(self, *, at_once: bool) -> None:
        now = self.now()
        if self.means.store is not None and (at_once or now.seconds > self.noted + OFTEN):
            self.noted = now.seconds
            name = self.order.ensemble.name
            self.means.store.note_progress(name, done=now.done, total=now.total)
        if self.means.progress is not None:
            self.means.progress(now)

    def _keep(self, part: Part, tally: Tally, settled: Settled) -> None:
        """Write cells into the table and, as one batch, into the store."""
        tally.take(settled)
        self._note(part, settled)
        spans = settled.cells[:, 2].tolist()
        self.done += sum(part.spans[span].count for span in spans)
        if self.means.store is not None:
            self.means.store.keep(batch(self.order, part, settled))

    def _note(self, part: Part, settled: Settled) -> None:
        """Remember why runs failed and how learners learned."""

        def run(cell: int, replication: int) -> Run:
            candidate, member, _ = settled.cells[cell].tolist()
            return part.positions[candidate], member, replication

        for trouble in settled.troubles:
            self.failures[run(trouble.cell, trouble.replication)] = trouble.reason
        for grown in settled.curves:
            if grown.steps or grown.frames:
                self.curves[run(grown.cell, grown.replication)] = grown

    def _tables(self) -> Blocks:  # [objective, candidate, member, block]
        order = self.order
        shape = len(order.objectives), len(order.candidates), order.ensemble.size, len(order.spans)
        tables = Blocks.empty(*shape)
        for part, tally in self._pairs():
            regrouped = tally.regrouped(order.spans, trials=part.spans)
            tables.write((slice(None), list(part.positions)), regrouped)
        return tables

    def _unexplained(self, part: Part, tally: Tally) -> Iterator[tuple[Cell, str]]:
        """Cells with scores that are not finite, though their learner did not fail."""
        invalid = tally.scores.invalid  # [objective, candidate, member, span]
        for candidate, member, span in np.argwhere(invalid.any(axis=0)).tolist():
            counts = invalid[:, candidate, member, span]
            objective = int(np.argmax(counts > 0))
            name, count = self.order.objectives[objective].name, part.spans[span].count
            yield (
                Cell(candidate, member, span),
                f"{counts[objective]} of {count} scores by {name!r} were not finite",
            )


def _box(unit: Unit) -> Any:
    """A unit's place in a table [candidate, member, span]."""
    return np.ix_(list(unit.candidates), list(unit.members), list(unit.spans))


def _trials(part: Part, tally: Tally, units: Sequence[Unit]) -> tuple[int, int]:
    """Trials in some units, and how many of them are known."""
    counts = np.array([span.count for span in part.spans])
    wanted = known = 0
    for unit in units:
        box = tally.known[_box(unit)] * counts[list(unit.spans)]
        wanted += int(counts[list(unit.spans)].sum()) * len(unit.candidates) * len(unit.members)
        known += int(box.sum())
    return wanted, known


def _place(cell: Cell) -> tuple[int, int, int]:
    return cell.candidate, cell.member, cell.span
