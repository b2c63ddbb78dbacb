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
from audition.engine.cpu_memory import call, pointer, put, spot


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


def block(plan: Any, job: Any, room: Any, cell0: Any, cell1: Any, done: Any, count: Any) -> None:
    """Play one block of rounds in the cells of a task; the draws are made."""
    horizon, arms = single(plan.horizon), single(plan.arms)
    for setting in range(plan.settings):
        put(room.made, setting, 0)
    for j in range(plan.abreast):
        put(room.held, j, -1)
    for cell in range(cell0, cell1, plan.abreast):
        for j in range(plan.abreast):
            mine = cell + j if cell + j < cell1 else cell1 - 1
            which, setting = spot(job.simulator, mine), spot(job.setting, mine)
            s = which % plan.abreast
            slot = s * plan.block * plan.arms * 16
            put(room.at, j, (mine - cell0) * plan.state)
            put(room.base, j, setting * plan.nows * plan.block)
            put(room.slot, j, slot)
            if spot(room.held, s) != which:
                given = (job.columns, job.entries, room.draws, pointer(room.paid, slot))
                sizes = (which, plan.entries, plan.arms, count)
                call(plan.rewards, (*given, spot(job.centers, which), *sizes))
                put(room.held, s, which)
            if spot(room.made, setting) == 0:
                clock = (horizon, arms, setting, plan.block, done + 1, count)
                call(plan.starts, (job.settings, room.nows, *clock))
                put(room.made, setting, 1)
        place = (room.state, room.nows, room.paid, room.noise, room.at, room.base, room.slot)
        call(plan.rounds, (*place, done + 1, count))


def keep(plan: Any, job: Any, room: Any, cell: Any, at: Any, mark: Any, lane: Any) -> None:
    """Write a cell's pulls and totals where its results go."""
    center = spot(job.centers, spot(job.simulator, cell))
    first = spot(job.target, cell) * plan.marks + mark
    for arm in range(plan.arms):
        pulls = at + arm * 16
        totals = at + (plan.arms + arm) * 16
        to = (first * plan.arms + arm) * plan.replications + lane
        for i in range(16):
            if lane + i < plan.replications:
                many = spot(room.state, pulls + i)
                put(job.pulls, to + i, many)
                put(job.totals, to + i, spot(room.state, totals + i) + center * many)


def play(plan: Any, job: Any, room: Any, cell0: Any, cell1: Any, lane: Any) -> None:
    """Play one task from the first round to the last."""
    done, mark = 0, 0
    while done < plan.horizon:
        count = spot(job.marks, mark) - done
        count = count if count < plan.block else plan.block
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
    job = Job(
        pointer(given.replications, 0),
        pointer(given.world, 0),
        pointer(given.own, 0),
        pointer(given.settings, 0),
        pointer(given.columns, 0),
        pointer(given.entries, 0),
        pointer(given.centers, 0),
        pointer(given.simulator, 0),
        pointer(given.setting, 0),
        pointer(given.target, 0),
        pointer(given.marks, 0),
        pointer(given.pulls, 0),
        pointer(given.totals, 0),
    )
    room = Room(
        pointer(place.who, 0),
        pointer(place.draws, 0),
        pointer(place.noise, 0),
        pointer(place.paid, 0),
        pointer(place.nows, 0),
        pointer(place.made, 0),
        pointer(place.state, 0),
        pointer(place.held, 0),
        pointer(place.at, 0),
        pointer(place.base, 0),
        pointer(place.slot, 0),
    )
    for task in range(tasks.shape[0]):
        member, cell0 = tasks[task, 0], tasks[task, 1]
        cell1, lane = tasks[task, 2], tasks[task, 3]
        for i in range(16):
            put(room.who, i, spot(job.replications, lane + i))
        put(room.who, 16, np.uint32(member))
        for i in range((cell1 - cell0) * plan.state):
            put(room.state, i, single(0.0))
        play(plan, job, room, cell0, cell1, lane)
