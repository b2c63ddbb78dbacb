"""The walk of a kernel through its tasks and rounds, the same for every rule, family and K.

A task is sixteen replications of one member in a run of cells. The walk goes through the horizon
in blocks of rounds so short that draws, rewards and state stay in the nearest cache, so its memory
does not grow with the horizon. In a block the draws are made once for all cells, the rewards once
for all cells of a simulator, what `start` says once for all cells of a setting; then every cell
plays the block. The rule and the reward are compiled apart and called by their addresses, once a
block, which costs nothing next to the block.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from audition.engine.cpu_arithmetic import single
from audition.engine.cpu_draws import fill
from audition.engine.cpu_memory import call, load, part, pointer, put, spot


class Plan(NamedTuple):
    """Whole numbers that the walk goes by."""

    starts: int  # addresses of the compiled parts
    rewards: int
    rounds: int
    block: int  # rounds in a block
    arms: int
    state: int  # numbers of state that a cell keeps
    nows: int  # numbers that `start` gives
    abreast: int  # cells that play side by side
    paid: int  # the kind of the family's draws
    noise: int  # the kind of the learner's draws, 0 for none
    entries: int  # in an arm's table
    horizon: int
    replications: int  # without the padding to whole vectors
    marks: int  # checkpoints
    settings: int


class Job(NamedTuple):
    """What a kernel reads and writes."""

    replications: Any  # [lane] padded to whole vectors
    world: Any  # key of the rewards' draws
    own: Any  # key of the learner's draws
    settings: Any  # [setting, number] flat
    columns: Any  # [simulator, arm, column] flat
    entries: Any  # [simulator, arm, entry] flat
    centers: Any  # [simulator] taken off every reward while playing
    simulator: Any  # [cell]
    setting: Any  # [cell]
    target: Any  # [cell] where its results go
    marks: Any  # [checkpoint]
    pulls: Any  # [cell, checkpoint, arm, replication] flat
    totals: Any  # [cell, checkpoint, arm, replication] flat


class Room(NamedTuple):
    """Where a thread works: as much as its longest task needs."""

    who: Any  # [16 + 1] replications, and the member
    draws: Any  # [round, arm, lane]
    noise: Any  # [round, arm, lane]
    paid: Any  # [slot, round, arm, lane]
    nows: Any  # [setting, number, round]
    made: Any  # [setting] whether `nows` holds this block
    state: Any  # [cell, field, arm, lane]
    held: Any  # [slot] whose rewards it holds
    at: Any  # [abreast] where a cell's state begins
    base: Any  # [abreast] where its setting's numbers begin
    slot: Any  # [abreast] where its rewards begin


def room(plan: Plan, *, cells: int) -> Room:
    """A thread's room for tasks of at most so many cells."""
    block = plan.block * plan.arms * 16
    abreast = [np.zeros(plan.abreast, np.int64) for _ in range(4)]
    return Room(
        who=np.zeros(17, np.uint32),
        draws=_aligned(block),
        noise=_aligned(block if plan.noise else 16),
        paid=_aligned(block * plan.abreast),
        nows=_aligned(plan.settings * plan.nows * plan.block + 16),
        made=np.zeros(plan.settings, np.int64),
        state=_aligned(cells * plan.state),
        held=abreast[0],
        at=abreast[1],
        base=abreast[2],
        slot=abreast[3],
    )


def _aligned(size: int) -> NDArray[np.float32]:
    """Numbers whose vectors of sixteen do not straddle the lines of a cache."""
    whole = np.zeros(size + 16, np.float32)
    skipped = -(whole.ctypes.data // 4) % 16
    return whole[skipped : skipped + size]


def keep(plan: Any, job: Any, room: Any, cell: Any, at: Any, mark: Any, lane: Any) -> None:
    """Write a cell's pulls and totals where its results go."""
    center = spot(job.centers, spot(job.simulator, cell))
    first = spot(job.target, cell) * plan.marks + mark
    many = min(16, plan.replications - lane)
    for arm in range(plan.arms):
        pulls = load(room.state, at + arm * 16)
        total = load(room.state, at + (plan.arms + arm) * 16) + center * pulls
        to = (first * plan.arms + arm) * plan.replications + lane
        for i in range(many):
            put(job.pulls, to + i, part(pulls, i))
            put(job.totals, to + i, part(total, i))


def reward(plan: Any, job: Any, room: Any, which: Any, slot: Any, count: Any) -> None:
    """The rewards of a simulator in a block."""
    paid, center = pointer(room.paid, slot), spot(job.centers, which)
    given = (job.columns, job.entries, room.draws, paid, center, which)
    call(plan.rewards, (*given, plan.entries, plan.arms, count))


def start(plan: Any, job: Any, room: Any, setting: Any, first: Any, count: Any) -> None:
    """What `start` says of a setting in a block."""
    clock = (single(plan.horizon), single(plan.arms))
    call(plan.starts, (job.settings, room.nows, *clock, setting, plan.block, first, count))


def block(plan: Any, job: Any, room: Any, cell0: Any, cell1: Any, done: Any, count: Any) -> None:
    """Play one block of rounds in the cells of a task; the draws are made."""
    for setting in range(plan.settings):
        put(room.made, setting, 0)
    for j in range(plan.abreast):
        put(room.held, j, -1)
    for cell in range(cell0, cell1, plan.abreast):
        for j in range(plan.abreast):
            mine = min(cell + j, cell1 - 1)
            which, setting = spot(job.simulator, mine), spot(job.setting, mine)
            s = which % plan.abreast
            slot = s * plan.block * plan.arms * 16
            put(room.at, j, (mine - cell0) * plan.state)
            put(room.base, j, setting * plan.nows * plan.block)
            put(room.slot, j, slot)
            if spot(room.held, s) != which:
                reward(plan, job, room, which, slot, count)
                put(room.held, s, which)
            if spot(room.made, setting) == 0:
                start(plan, job, room, setting, done + 1, count)
                put(room.made, setting, 1)
        given = (room.state, room.nows, room.paid, room.noise, room.at, room.base, room.slot)
        call(plan.rounds, (*given, done + 1, count))


def play(plan: Any, job: Any, room: Any, cell0: Any, cell1: Any, lane: Any) -> None:
    """Play one task from the first round to the last."""
    done, mark = 0, 0
    while done < plan.horizon:
        count = min(min(plan.block, plan.horizon - done), spot(job.marks, mark) - done)
        for own in range(1 if plan.noise == 0 else 2):
            kind, out, key = plan.paid, room.draws, job.world
            if own == 1:
                kind, out, key = plan.noise, room.noise, job.own
            fill(out, kind, done * plan.arms, (done + count) * plan.arms, room.who, key)
        block(plan, job, room, cell0, cell1, done, count)
        done += count
        if done == spot(job.marks, mark):
            for cell in range(cell0, cell1):
                keep(plan, job, room, cell, (cell - cell0) * plan.state, mark, lane)
            mark += 1


def walk(plan: Any, tasks: Any, given: Any, place: Any) -> None:
    """Play some tasks; `given` is a job and `place` a room, as addresses from here on."""
    job, room = addressed_job(given), addressed_room(place)
    for task in range(tasks.shape[0]):
        cell0, cell1, lane = tasks[task, 1], tasks[task, 2], tasks[task, 3]
        for i in range(16):
            put(room.who, i, spot(job.replications, lane + i))
        put(room.who, 16, np.uint32(tasks[task, 0]))
        for i in range((cell1 - cell0) * plan.state):
            put(room.state, i, single(0.0))
        play(plan, job, room, cell0, cell1, lane)


def addressed_job(job: Any) -> Any:
    """A job of pointers."""
    return Job(
        pointer(job.replications, 0),
        pointer(job.world, 0),
        pointer(job.own, 0),
        pointer(job.settings, 0),
        pointer(job.columns, 0),
        pointer(job.entries, 0),
        pointer(job.centers, 0),
        pointer(job.simulator, 0),
        pointer(job.setting, 0),
        pointer(job.target, 0),
        pointer(job.marks, 0),
        pointer(job.pulls, 0),
        pointer(job.totals, 0),
    )


def addressed_room(room: Any) -> Any:
    """A room of pointers."""
    return Room(
        pointer(room.who, 0),
        pointer(room.draws, 0),
        pointer(room.noise, 0),
        pointer(room.paid, 0),
        pointer(room.nows, 0),
        pointer(room.made, 0),
        pointer(room.state, 0),
        pointer(room.held, 0),
        pointer(room.at, 0),
        pointer(room.base, 0),
        pointer(room.slot, 0),
    )
