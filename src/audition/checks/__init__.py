"""Tests a plug-in against its contract, ours or a stranger's, and says in plain words what broke.

Each kind of plug-in makes promises; a check keeps a list of them and tries every one on the
plug-in itself, in small worlds of its own. Use it in the tests of your own project:

    from audition.checks import check_learner
    check_learner(OptimisticGreedy(theta=1.0))

`check_*` answers with the promises that were kept, or raises a `PluginError` that names every
promise that was broken. `promises` answers with all of them and raises nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from audition.checks.family import family_promises
from audition.checks.learner import learner_promises
from audition.checks.objective import objective_promises
from audition.checks.promise import Promise, insist
from audition.checks.resampling import resampling_promises
from audition.checks.rule import rule_promises
from audition.errors import PluginError

_PROMISES: Final[Mapping[str, Callable[[Any], tuple[Promise, ...]]]] = {
    "families": family_promises,
    "learners": learner_promises,
    "ensembles": resampling_promises,
    "rules": rule_promises,
    "objectives": objective_promises,
}


def check_learner(subject: Any) -> tuple[Promise, ...]:
    """A learner's promises, kept; a class is tried with its default settings or its own grid's."""
    return insist(subject, learner_promises(subject))


def check_family(subject: Any, *, log: Any = None) -> tuple[Promise, ...]:
    """A family's promises, kept; give it a log of yours if it fits only special ones."""
    return insist(subject, family_promises(subject, log=log))


def check_resampling(subject: Any, *, family: Any = None, log: Any = None) -> tuple[Promise, ...]:
    """The promises of a way to make ensembles, kept; by default with Gaussian simulators."""
    return insist(subject, resampling_promises(subject, family=family, log=log))


def check_rule(subject: Any) -> tuple[Promise, ...]:
    """A rule's promises, kept."""
    return insist(subject, rule_promises(subject))


def check_objective(subject: Any) -> tuple[Promise, ...]:
    """The promises of an objective for bandit worlds, kept."""
    return insist(subject, objective_promises(subject))


def promises(kind: str, subject: Any) -> tuple[Promise, ...]:
    """Every promise of a plug-in of a kind, kept or broken."""
    if kind not in _PROMISES:
        raise PluginError(
            f"there are checks for {', '.join(_PROMISES)}, but not for {kind}; test those in your "
            "own project"
        )
    return _PROMISES[kind](subject)


__all__ = [
    "Promise",
    "check_family",
    "check_learner",
    "check_objective",
    "check_resampling",
    "check_rule",
    "promises",
]
