"""The whole way from a log to a choice in one call, for notebooks and scripts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from audition.ensemble import Resampling
from audition.errors import LogError
from audition.family import Family
from audition.learner import Candidate, Learner
from audition.objective import Objective
from audition.preparation import Given, prepare
from audition.rule import Rule
from audition.study import (
    EnsembleChoice,
    FamilyChoice,
    LogSource,
    ObjectiveChoice,
    RuleChoice,
    Running,
    Study,
)

if TYPE_CHECKING:
    from audition.audit import DataCard
    from audition.evaluation import Progress
    from audition.result import Result


def select(
    log: Any,
    *,
    horizon: int,
    candidates: Sequence[Learner | Candidate] = (),
    family: str | Family = "auto",
    ensemble: str | Resampling = "auto",
    size: int = 200,
    replications: int = 32,
    rules: Sequence[str | Rule] = (),
    objectives: Sequence[str | Objective] = ("auto",),
    seed: int = 0,
    engine: str = "auto",
    store: str | Path | None = None,
    progress: Callable[[str, Progress], None] | None = None,
) -> Result:
    """Which candidate to deploy for `horizon` rounds, given the log.

    Without `candidates`, every built-in learner that fits the rewards auditions, each over a grid
    of its exploration setting. `rules` are judged beside Plug-In and Uncertainty-Aware. With a
    `store` (a file), an interrupted call picks up where it stopped.
    """
    from audition.conduct import conduct
    from audition.store import Store

    study = Study(
        log=LogSource(path=""),
        horizon=horizon,
        replications=replications,
        seed=seed,
        family=FamilyChoice(name=family if isinstance(family, str) else family.name),
        ensemble=EnsembleChoice(
            name=ensemble if isinstance(ensemble, str) else ensemble.name, size=size
        ),
        objectives=tuple(
            ObjectiveChoice(name=item if isinstance(item, str) else item.name)
            for item in objectives
        ),
        rules=tuple(RuleChoice(name=rule) for rule in rules if isinstance(rule, str)),
        running=Running(engine=engine),
    )
    given = Given(
        family=None if isinstance(family, str) else family,
        resampling=None if isinstance(ensemble, str) else ensemble,
        candidates=tuple(named(candidate) for candidate in candidates),
        rules=tuple(rule for rule in rules if isinstance(rule, Rule)),
        objectives=_all_objects(objectives),
    )
    card = audited(log)
    prepared = prepare(study, log, given=given)
    if store is None:
        return conduct(prepared, card=card, progress=progress)
    with Store.open(store) as kept:
        return conduct(prepared, card=card, store=kept, progress=progress)


def named(candidate: Learner | Candidate) -> Candidate:
    """A learner under the name that its settings give it."""
    return candidate if isinstance(candidate, Candidate) else Candidate.of(candidate)


def audited(log: Any) -> DataCard | None:
    """The log's data card; refuses a log that cannot support a choice."""
    from audition.log import Log

    if not isinstance(log, Log):
        return None
    from audition.audit import audit

    card = audit(log)
    refuse(card)
    return card


def refuse(card: DataCard) -> None:
    """Raise what the audit refuses, all of it at once."""
    reasons = [finding.message for finding in card.findings if finding.level == "refuse"]
    if reasons:
        raise LogError("the log cannot support a choice: " + "; ".join(reasons))


def _all_objects(objectives: Sequence[str | Objective]) -> tuple[Objective, ...]:
    """The objectives as objects, when any of them is one."""
    from audition.plugins import objective

    if all(isinstance(item, str) for item in objectives):
        return ()
    return tuple(objective(item, {}) if isinstance(item, str) else item for item in objectives)
