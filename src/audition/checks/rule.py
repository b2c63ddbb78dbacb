"""What a rule promises: one worth a candidate, whatever the order of candidates and members."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from audition.checks.promise import Promise, tried
from audition.checks.settings import instance, settings_promises
from audition.errors import PluginError
from audition.rule import Rule
from audition.seeds import stream

FloatArray = NDArray[np.float64]

CANDIDATES: Final = 6
MEMBERS: Final = 9


def rule_promises(subject: Any) -> tuple[Promise, ...]:
    """Every promise of a rule, kept or broken."""
    rule: Rule = instance(subject)
    if not isinstance(rule, Rule):
        raise PluginError(f"a rule derives from audition.rule.Rule; {subject!r} does not")
    values = stream(17, "checks/rule").normal(-50.0, 10.0, (CANDIDATES, MEMBERS))
    return settings_promises(rule) + tuple(
        tried(words, partial(test, rule, values)) for words, test in TESTS
    )


def _worths(rule: Rule, values: FloatArray) -> str:
    for some in (values, values[:1], values[:, :1], np.zeros_like(values)):
        worth = np.asarray(rule.worth(some.copy()))
        if worth.shape != (some.shape[0],):
            return f"{some.shape[0]} candidates have worths of shape {worth.shape}"
        if not np.isfinite(worth).all():
            return "finite scores gave a worth that is not finite"
    return ""


def _repeats(rule: Rule, values: FloatArray) -> str:
    return _differ(rule.worth(values.copy()), rule.worth(values.copy()), "the second time")


def _leaves_alone(rule: Rule, values: FloatArray) -> str:
    given = values.copy()
    rule.worth(given)
    return "" if (given == values).all() else "it wrote into the scores that it was given"


def _candidate_order(rule: Rule, values: FloatArray) -> str:
    turned = np.asarray(rule.worth(values[::-1].copy()))[::-1]
    return _differ(rule.worth(values.copy()), turned, "with the candidates in another order")


def _member_order(rule: Rule, values: FloatArray) -> str:
    turned = rule.worth(values[:, ::-1].copy())
    return _differ(rule.worth(values.copy()), turned, "with the members in another order")


def _dominance(rule: Rule, values: FloatArray) -> str:
    better = values.copy()
    better[0] = values[1] + 1.0
    worth = rule.worth(better)
    if worth[0] < worth[1]:
        return "a candidate that does better in every member is worth less"
    return ""


def _plug_in(rule: Rule, values: FloatArray) -> str:
    one = values[:, :1].copy()
    if int(np.argmax(rule.worth(one))) != int(np.argmax(one[:, 0])):
        return "with a single member, the candidate that does best in it did not win"
    return ""


def _differ(first: Any, second: Any, when: str) -> str:
    same = np.allclose(np.asarray(first), np.asarray(second), rtol=1e-9, atol=1e-9)
    return "" if same else f"the same candidates are worth something else {when}"


TESTS: Final = (
    ("it gives every candidate one finite worth", _worths),
    ("the same scores give the same worths", _repeats),
    ("it leaves the scores as they are", _leaves_alone),
    ("the order of the candidates does not matter", _candidate_order),
    ("the order of the members does not matter", _member_order),
    ("doing better everywhere is never worth less", _dominance),
    ("in an ensemble of one the best candidate wins", _plug_in),
)
