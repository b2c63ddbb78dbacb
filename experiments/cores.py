"""Independent pieces of an experiment, spread over processes; each piece computes on one core."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Answer = TypeVar("Answer")


def alone() -> None:
    """Keep this process to one thread: small pieces lose more to threads than they gain."""
    import numba

    numba.set_num_threads(1)


def spread(
    work: Callable[[Item], Answer], items: Sequence[Item], *, processes: int
) -> Iterator[Answer]:
    """The answers in the items' order; with one process, here."""
    if min(processes, len(items)) <= 1:
        alone()
        yield from map(work, items)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context, initializer=alone) as pool:
        yield from pool.map(work, items)


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0))
