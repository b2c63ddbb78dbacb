"""Between the tables of a study and its store: what is known, and how it is written down."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from audition.parts import Order, Part
from audition.store import Batch, CurveRow, FailureRow, Store
from audition.tally import Blocks, Grown, IntArray, Settled, Tally, Trouble


def recall(store: Store, part: Part, tally: Tally, *, deadline: float | None) -> Settled:
    """Fill a table with what the store holds.

    A cell is known when all of its objectives are. A trial that was given up because its time was
    over is forgotten when it would be given more now.
    """
    cells = np.argwhere(np.ones(part.shape, dtype=np.bool_))
    objectives = len(part.keys.objectives)
    keys = [
        part.keys.score(candidate, member, span, objective)
        for candidate, member, span in cells.tolist()
        for objective in range(objectives)
    ]
    found = store.found(keys)
    rows = [found.get(key) for key in keys]
    held = np.array([row is not None for row in rows], dtype=np.bool_)
    here = np.asarray(held.reshape(-1, objectives).all(axis=1))
    table = np.array([_numbers(row) for row in rows], dtype=np.float64)
    mean, spread, valid, invalid = table.reshape(-1, objectives, 4).transpose(2, 1, 0)
    troubles = _troubles(store, part, cells, here & (invalid > 0).any(axis=0))
    for trouble in troubles:
        here[trouble.cell] &= not _worth_another(trouble, deadline)
    number = np.cumsum(here) - 1  # of a cell among those that are known
    counted = valid[:, here].astype(np.int64), invalid[:, here].astype(np.int64)
    settled = Settled(
        cells[here],
        Blocks(np.ascontiguousarray(mean[:, here]), spread[:, here], *counted),
        tuple(_moved(one, number) for one in troubles if here[one.cell]),
        tuple(_curves(store, part, cells[here])),
    )
    tally.take(settled)
    return settled


def batch(order: Order, part: Part, settled: Settled) -> Batch:
    """Settled cells as rows of the store."""
    ensemble = order.ensemble
    cells = settled.cells.tolist()
    trials = [part.keys.trial(*cell) for cell in cells]
    failed = {trouble.cell for trouble in settled.troubles}

    def labels(cell: int) -> tuple[str, str, int]:
        candidate, member, _ = cells[cell]
        return part.candidates[candidate].name, ensemble.name, member

    return Batch(
        scores=list(_rows(order, part, settled)),
        failures=[
            FailureRow(
                trials[one.cell], one.replication, *labels(one.cell), one.reason, one.deadline
            )
            for one in settled.troubles
        ],
        curves=[
            CurveRow(
                trials[one.cell],
                one.replication,
                *labels(one.cell),
                one.steps,
                one.value,
                one.frames,
            )
            for one in settled.curves
            if one.steps or one.frames
        ],
        mended=[trial for number, trial in enumerate(trials) if number not in failed],
    )


def _rows(order: Order, part: Part, settled: Settled) -> Iterator[tuple[Any, ...]]:
    """The columns of `ScoreRow`, in order; written out, for there are many rows."""
    digests = [simulator.digest[:12] for simulator in order.ensemble.simulators]
    versions = part.versions
    cells = settled.cells.tolist()
    for number, objective in enumerate(order.objectives):
        columns = (array[number].tolist() for array in settled.blocks.arrays)
        for cell, mean, spread, valid, invalid in zip(cells, *columns, strict=True):
            candidate, member, span = cell
            yield (
                part.keys.score(candidate, member, span, number),
                part.candidates[candidate].name,
                order.ensemble.name,
                member,
                digests[member],
                part.spans[span].first,
                part.spans[span].count,
                objective.name,
                mean if valid else None,
                math.sqrt(spread / (valid - 1)) if valid > 1 else None,
                spread,
                valid,
                invalid,
                order.horizon,
                order.seed,
                versions[candidate],
            )


def _numbers(row: tuple[float | None, float, int, int] | None) -> tuple[float, ...]:
    if row is None:
        return math.nan, 0.0, 0, 0
    mean, *rest = row
    return math.nan if mean is None else mean, *rest


def _troubles(store: Store, part: Part, cells: IntArray, marked: Any) -> list[Trouble]:
    """What the store says of the cells that are marked."""
    numbers = {part.keys.trial(*cells[cell].tolist()): int(cell) for cell in np.flatnonzero(marked)}
    return [
        Trouble(numbers[row.trial], row.replication, row.reason, row.deadline)
        for row in store.failures(list(numbers))
    ]


def _curves(store: Store, part: Part, cells: IntArray) -> Iterator[Grown]:
    """Learning curves; rules that engines play have none."""
    if part.engines[0] is not None:
        return
    numbers = {part.keys.trial(*cell): number for number, cell in enumerate(cells.tolist())}
    for row in store.curves(list(numbers)):
        yield Grown(numbers[row.trial], row.replication, row.steps, row.value, row.frames)


def _worth_another(trouble: Trouble, deadline: float | None) -> bool:
    """Whether a trial whose time was over would be given more time now."""
    if trouble.deadline is None:
        return False
    return deadline is None or deadline > trouble.deadline


def _moved(trouble: Trouble, number: IntArray) -> Trouble:
    return Trouble(int(number[trouble.cell]), trouble.replication, trouble.reason, trouble.deadline)
