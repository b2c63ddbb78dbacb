"""The text of a CUDA kernel: how one thread plays one replication in several cells.

A thread carries the cells of a bundle: a few simulators of one member, each under the same few
settings. It draws once per round for all of them, pays once per simulator, and keeps the state of
every cell to itself: it reads nothing while it plays, but for what `start` says of the round,
which the threads of a block work out together for some rounds ahead and share.
"""

from collections.abc import Iterator
from types import ModuleType
from typing import Final

from audition.engine import cuda_any_arms, cuda_two_arms
from audition.engine.cuda_shape import Shape, place

AHEAD: Final = 32  # rounds that a block prepares at a time


def text(shape: Shape) -> str:
    """The source of the kernel `play`."""
    functions = *rounds_of(shape).functions(shape), *_keeping(shape)
    lines = [*functions, *_who(shape), *_state(shape), *_segments(shape), *_keep(shape)]
    return "\n".join(lines) + "\n"


def rounds_of(shape: Shape) -> ModuleType:
    """What writes the rounds of this many arms."""
    return cuda_two_arms if shape.arms == 2 else cuda_any_arms


def _who(shape: Shape) -> Iterator[str]:
    yield """
@kernel
def play(replications, members, simulator, setting, target, settings, columns, entries,
         centers, marks, worlds, own, pulls_of, totals_of):
    lanes = replications.size
    runs = (lanes + cuda.blockDim.x - 1) // cuda.blockDim.x
    bundle = cuda.blockIdx.x // runs
    lane = (cuda.blockIdx.x % runs) * cuda.blockDim.x + cuda.threadIdx.x
    replication = replications[min(lane, lanes - 1)]
    member = members[bundle]
    horizon = marks[marks.size - 1]"""
    for s in range(shape.simulators):
        yield f"    world{s} = simulator[bundle, {s}]"
        yield f"    center{s} = centers[world{s}]"


def _state(shape: Shape) -> Iterator[str]:
    yield from (f"    {line}" for line in rounds_of(shape).state(shape))
    if shape.steady:
        for i in range(shape.cells):
            yield f"    now{i} = {_start(shape, str(i), 'ONE')}"
    else:
        size = AHEAD * shape.cells * shape.nows
        yield f"    ahead = cuda.shared.array({size}, float32)"


def _start(shape: Shape, which: str, rounds: str) -> str:
    given = ", ".join(f"settings[setting[bundle, {which}], {i}]" for i in range(shape.settings))
    clock = f"Clock({rounds}, single(horizon), single({shape.arms}))"
    return f"start(Settings({given}), {clock})"


def _segments(shape: Shape) -> Iterator[str]:
    """Rounds up to the next checkpoint or to the end of what is prepared."""
    arms, turns = rounds_of(shape), shape.first_rounds
    yield f"""
    done = 0
    mark = 0
    while done < horizon:
        count = min({AHEAD}, marks[mark] - done)"""
    if turns:
        yield f"        if done < {turns}:"
        yield f"            count = min(count, {turns} - done)"
    if not shape.steady:
        yield from _prepare(shape)
    if turns:
        yield f"        if done < {turns}:"
        yield from _rounds(shape, arms.opening_round(shape), "            ")
        yield "        else:"
        yield from _rounds(shape, arms.round_of(shape), "            ")
    else:
        yield from _rounds(shape, arms.round_of(shape), "        ")


def _prepare(shape: Shape) -> Iterator[str]:
    start = _start(shape, f"at % {shape.cells}", f"single(done + at // {shape.cells} + 1)")
    yield f"""
        cuda.syncthreads()
        for at in range(cuda.threadIdx.x, count * {shape.cells}, cuda.blockDim.x):
            now = {start}"""
    for i in range(shape.nows):
        yield f"            ahead[at * {shape.nows} + {i}] = single(now[{i}])"
    yield "        cuda.syncthreads()"


def _rounds(shape: Shape, lines: Iterator[str], margin: str) -> Iterator[str]:
    yield f"{margin}for r in range(count):"
    if not shape.steady:
        yield f"{margin}    at = np.uint64(r * {shape.cells * shape.nows})"  # no look below zero
        for i in range(shape.cells):
            places = range(i * shape.nows, (i + 1) * shape.nows)
            parts = (f"ahead[at + np.uint64({place})]" for place in places)
            yield f"{margin}    now{i} = Now({', '.join(parts)})"
    for line in lines:
        yield f"{margin}    {line}"


def _keeping(shape: Shape) -> Iterator[str]:
    """What one cell leaves behind: counts, and totals with what was taken off every reward."""
    yield """
@piece
def keep(pulls, total, at, before, center, cell, mark, lane, pulls_of, totals_of):
    if cell >= 0:"""
    for arm in range(shape.arms):
        count = rounds_of(shape).count(arm)
        yield f"        pulls_of[cell, mark, {arm}, lane] = {count}"
        yield f"        totals_of[cell, mark, {arm}, lane] = total[at + {arm}] + center * ({count})"


def _keep(shape: Shape) -> Iterator[str]:
    before = "before" if shape.arms == 2 else "ZERO"
    yield """
        done += count
        if done == marks[mark]:
            if lane < lanes:"""
    for cell, simulator, _ in shape.slots:
        where = f"{place(cell * shape.arms)}, {before}, center{simulator}, target[bundle, {cell}]"
        yield f"                keep(pulls, total, {where}, mark, lane, pulls_of, totals_of)"
    yield "            mark += 1"
