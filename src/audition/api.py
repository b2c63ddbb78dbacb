"""The whole way from a log to a choice in one call, for notebooks and scripts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from audition.ensemble import Resampling
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
    from audition.evaluation import Progress
    from audition.result import Result
    from audition.study_log import StudyLog


def select(
    log: Any,
    *,
    horizon: int,
    arm: str = "arm",
    reward: str = "reward",
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

    `log` is a `Log` or `Trajectories`, or a data frame or a file whose columns `arm` and `reward`
    name (for more columns make a `Log`). Without `candidates`, every built-in learner that fits
    the rewards auditions, each over a grid of its exploration setting. `rules` are judged beside
    Plug-In and Uncertainty-Aware. With a `store` (a file), the same call goes on after a stop.
    """
    from audition.conduct import conduct
    from audition.store import Store

    study = Study(
        log=LogSource(path=""),
        horizon=horizon,
        replications=replications,
        seed=seed,
        family=FamilyChoice(name=_name(family)),
        ensemble=EnsembleChoice(name=_name(ensemble), size=size),
        objectives=tuple(ObjectiveChoice(name=_name(item)) for item in objectives),
        rules=tuple(RuleChoice(name=rule) for rule in rules if isinstance(rule, str)),
        running=Running(engine=engine),
    )
    found = logged(log, arm=arm, reward=reward)
    found.refuse()
    given = _objects(candidates, family, ensemble, rules, objectives)
    prepared = prepare(study, found.log, given=given)
    with nullcontext() if store is None else Store.open(store) as kept:
        return conduct(prepared, card=found.card, store=kept, progress=progress)


def named(candidate: Learner | Candidate) -> Candidate:
    """A learner under the name that its settings give it."""
    return candidate if isinstance(candidate, Candidate) else Candidate.of(candidate)


def logged(log: Any, *, arm: str, reward: str) -> StudyLog:
    """A log of any kind that `select` takes, audited."""
    from audition.audit import audit
    from audition.log import Log
    from audition.study_log import StudyLog, bandit_log
    from audition.trajectories import Trajectories

    if isinstance(log, Trajectories):
        return StudyLog(log, None)
    if isinstance(log, str | Path):
        return bandit_log(LogSource(path=str(log), arm=arm, reward=reward))
    given = log if isinstance(log, Log) else Log.from_dataframe(log, arm=arm, reward=reward)
    return StudyLog(given, audit(given))


def _name(given: str | Family | Resampling | Objective) -> str:
    return given if isinstance(given, str) else given.name


def _objects(
    candidates: Sequence[Learner | Candidate],
    family: str | Family,
    ensemble: str | Resampling,
    rules: Sequence[str | Rule],
    objectives: Sequence[str | Objective],
) -> Given:
    """What was given as an object; what was named comes from the plug-ins."""
    return Given(
        family=None if isinstance(family, str) else family,
        resampling=None if isinstance(ensemble, str) else ensemble,
        candidates=tuple(named(candidate) for candidate in candidates),
        rules=tuple(rule for rule in rules if isinstance(rule, Rule)),
        objectives=_all_objects(objectives),
    )


def _all_objects(objectives: Sequence[str | Objective]) -> tuple[Objective, ...]:
    """The objectives as objects, when any of them is one."""
    from audition.plugins import objective

    if all(isinstance(item, str) for item in objectives):
        return ()
    return tuple(objective(item, {}) if isinstance(item, str) else item for item in objectives)
