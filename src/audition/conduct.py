"""Conducts a prepared study: every candidate learns in every simulator, then the rules judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from audition.evaluation import ALL, Evaluation, Share, evaluate
from audition.explanation import explain
from audition.family import BanditFamily
from audition.learner import ScalarLearner
from audition.preparation import Prepared
from audition.result import Result
from audition.selection import Panel, choose
from audition.study import PLUG_IN, UNCERTAINTY_AWARE

if TYPE_CHECKING:
    from audition.audit import DataCard
    from audition.evaluation import Progress, Stop
    from audition.executor import Executor
    from audition.store import Store


def conduct(
    prepared: Prepared,
    *,
    card: DataCard | None = None,
    store: Store | None = None,
    executor: Executor | None = None,
    progress: Callable[[str, Progress], None] | None = None,
    stop: Stop | None = None,
) -> Result:
    """Play what the store does not hold yet, judge, and explain."""
    evaluations = {
        rule: _play(prepared, rule, ALL, store, executor, progress, stop)
        for rule in (PLUG_IN, UNCERTAINTY_AWARE)
    }
    return judge(prepared, evaluations, card=card)


def conduct_share(
    prepared: Prepared,
    share: Share,
    *,
    store: Store,
    executor: Executor | None = None,
    progress: Callable[[str, Progress], None] | None = None,
    stop: Stop | None = None,
) -> None:
    """Play one share of a study into a store of its own; the shares are merged later."""
    for rule in (PLUG_IN, UNCERTAINTY_AWARE):
        _play(prepared, rule, share, store, executor, progress, stop)


def judge(
    prepared: Prepared, evaluations: Mapping[str, Evaluation], *, card: DataCard | None
) -> Result:
    """Let every rule judge the tables that were played."""
    scores = {
        objective.name: {
            rule: played.scores[objective.name] for rule, played in evaluations.items()
        }
        for objective in prepared.objectives
    }
    deciding = scores[prepared.objectives[0].name]
    panels = {
        name: Panel(rule, deciding[PLUG_IN if name == PLUG_IN else UNCERTAINTY_AWARE])
        for name, rule in prepared.rules.items()
    }
    failures = tuple(failure for played in evaluations.values() for failure in played.failures)
    selection = choose(panels, seed=prepared.study.seed, failures=failures)
    ensemble = prepared.ensembles[UNCERTAINTY_AWARE]
    aware = deciding[UNCERTAINTY_AWARE]
    return Result(
        prepared=prepared,
        card=card,
        scores=scores,
        selection=selection,
        explanation=explain(selection, aware, ensemble, family=prepared.family),
        failures=failures,
        notes=tuple(dict.fromkeys(note for p in evaluations.values() for note in p.notes)),
        engine=evaluations[UNCERTAINTY_AWARE].engine,
        curves=evaluations[UNCERTAINTY_AWARE].curves,
    )


def compiled(prepared: Prepared) -> bool:
    """Whether every candidate is a rule that an engine plays, so that no executor is needed."""
    return isinstance(prepared.family, BanditFamily) and all(
        isinstance(candidate.learner, ScalarLearner) for candidate in prepared.candidates
    )


def _play(
    prepared: Prepared,
    rule: str,
    share: Share,
    store: Store | None,
    executor: Executor | None,
    progress: Callable[[str, Progress], None] | None,
    stop: Stop | None,
) -> Evaluation:
    running = prepared.study.running

    def said(now: Any) -> None:
        if progress is not None:
            progress(rule, now)

    return evaluate(
        prepared.candidates,
        prepared.ensembles[rule],
        prepared.family,
        objectives=prepared.objectives,
        horizon=prepared.study.horizon,
        replications=prepared.replications[rule],
        seed=prepared.study.seed,
        engine=running.engine,
        store=store,
        executor=executor,
        deadline=running.deadline or None,
        retries=running.retries,
        share=share,
        progress=said,
        stop=stop,
    )
