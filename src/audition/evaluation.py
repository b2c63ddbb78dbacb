"""Fills the table candidate x member x block: recalls what is kept, plays the rest, keeps it.

The table is a function of what was ordered (and of the engine), never of how it was played: with
one worker or many, in any order, in shards, after any interruption, the same order gives the same
table bit for bit. A learner that breaks or hangs is a recorded failure, and the rest goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, final

from audition.course import ALL, Failure, LearningCurve, Means, Progress, Share, Stop
from audition.errors import EngineError, Interrupted
from audition.filling import Filling
from audition.parts import Order, parts
from audition.play_learners import Patience
from audition.scores import Scores

if TYPE_CHECKING:
    from audition.ensemble import Ensemble
    from audition.executor import Executor
    from audition.family import Family
    from audition.learner import Candidate
    from audition.objective import Objective
    from audition.store import Store

WEAKER: Final = {"cuda": "cpu", "cpu": "plain", "auto": "plain"}


@final
@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """The tables that were filled, one for every objective."""

    scores: Mapping[str, Scores]
    failures: tuple[Failure, ...]  # by candidate, member and replication
    notes: tuple[str, ...]  # one line each
    engine: str  # what played: names of engines, and "world" for learners deployed in worlds
    curves: Mapping[str, tuple[LearningCurve, ...]]  # by candidate; of worlds with episodes


def evaluate(
    candidates: Sequence[Candidate],
    ensemble: Ensemble,
    family: Family,
    *,
    objectives: Sequence[Objective],
    horizon: int,
    replications: int,
    seed: int,
    engine: str = "auto",
    store: Store | None = None,
    executor: Executor | None = None,
    deadline: float | None = None,
    retries: int = 1,
    share: Share = ALL,
    progress: Callable[[Progress], None] | None = None,
    stop: Stop | None = None,
) -> Evaluation:
    """Play every candidate in every member, but for what the store holds already.

    Without an executor, learners that no engine plays run in this process; with a `deadline`
    (seconds a run may take) they run in a process beside it, which can be ended. With a `share`
    only that share is played, and the table has holes. Raises `Interrupted` when `stop` is
    requested before all is played; what was played is in the store.
    """
    played, kept = tuple(candidates), tuple(objectives)
    order = Order(played, ensemble, family, kept, horizon, replications, seed, engine)
    means = Means(store, executor, Patience(deadline, retries), share, progress, stop or Stop())
    notes: tuple[str, ...] = ()
    while True:
        try:
            found = _filled(order, means)
        except EngineError as error:
            if order.engine not in WEAKER:
                raise
            weaker = WEAKER[order.engine]
            notes += (f"the {order.engine} engine failed: {error}; using {weaker}",)
            order = replace(order, engine=weaker)
        else:
            return replace(found, notes=notes + found.notes)


def _filled(order: Order, means: Means) -> Evaluation:
    filling = Filling.begin(order, parts(order), means)
    filling.play()
    if filling.missing:
        raise Interrupted(_stopped(filling.now(), means.store))
    return Evaluation(
        filling.scores(),
        filling.failed(),
        tuple(filling.notes),
        filling.engine,
        filling.learning_curves(),
    )


def _stopped(now: Progress, store: Store | None) -> str:
    kept = (
        "nothing is kept, for there is no store; give one to be able to go on later"
        if store is None
        else f"what was played is kept in {store.path}, and the same call goes on from there"
    )
    return f"stopped after {now.done:,} of {now.total:,} trials; {kept}"


__all__ = [
    "ALL",
    "Evaluation",
    "Failure",
    "LearningCurve",
    "Progress",
    "Share",
    "Stop",
    "evaluate",
]
