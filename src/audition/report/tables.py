"""The tables of the report: the choice beside its rivals, every candidate, every further rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

import numpy as np

from audition.amounts import amount, decimals_of, percent, with_error
from audition.charts.meaning import RULES, shown
from audition.report.verdict import spread
from audition.study import PLUG_IN, UNCERTAINTY_AWARE

if TYPE_CHECKING:
    from audition.result import Result

MOST_RIVALS: Final = 10
FEWEST_ROWS: Final = 3  # of candidates beside the choice, rivals or not


@final
@dataclass(frozen=True, slots=True)
class RivalRow:
    """A candidate beside the choice."""

    name: str
    kind: str  # "choice", "rival" or "behind"
    value: str
    behind: str  # by how much it trails the choice, with its paired error
    spread: str
    best_in: str


@final
@dataclass(frozen=True, slots=True)
class CandidateRow:
    """A candidate under both averaging rules."""

    place: int
    name: str
    kinds: tuple[str, ...]  # "choice", "plug-in", "rival", "failed"
    aware: str
    plug_in: str
    best_in: str


@final
@dataclass(frozen=True, slots=True)
class RuleRow:
    """What a further rule chooses."""

    rule: str
    choice: str
    worth: str
    rivals: int


def rival_rows(result: Result) -> list[RivalRow]:
    """The choice, its rivals (or the candidates closest to it), and Plug-In's choice."""
    found = result.verdict()
    order = [found.candidates[at] for at in np.argsort(-found.worth, kind="stable")]
    beside = list(found.rivals[:MOST_RIVALS])
    for name in order[1:]:
        if len(beside) < FEWEST_ROWS and name not in beside:
            beside.append(name)
    plug_in = result.selection.choices[PLUG_IN]
    if plug_in != result.choice and plug_in not in beside:
        beside.append(plug_in)
    sound = [name for name in beside if np.isfinite(found.worth[found.candidates.index(name)])]
    return [_rival(result, name) for name in (result.choice, *sound)]


def candidate_rows(result: Result) -> list[CandidateRow]:
    """Every candidate, best first."""
    found = result.verdict()
    aware, plug_in = shown(result, UNCERTAINTY_AWARE), shown(result, PLUG_IN)
    decimals = [decimals_of(float(np.nanmedian(rule.errors))) for rule in (aware, plug_in)]
    rows = []
    for place, at in enumerate(np.argsort(-found.worth, kind="stable"), start=1):
        name = found.candidates[at]
        rows.append(
            CandidateRow(
                place=place,
                name=name,
                kinds=tuple(_kinds(result, int(at))),
                aware=with_error(aware.values[at], aware.errors[at], decimals=decimals[0]),
                plug_in=with_error(plug_in.values[at], plug_in.errors[at], decimals=decimals[1]),
                best_in=percent(result.explanation.best_in[name]),
            )
        )
    return rows


def rule_rows(result: Result) -> list[RuleRow]:
    """The choices of the rules that judge beside Plug-In and Uncertainty-Aware."""
    return [
        RuleRow(
            rule,
            verdict.choice,
            with_error(
                float(verdict.worth[verdict.best]), float(verdict.standard_error[verdict.best])
            ),
            len(verdict.rivals),
        )
        for rule, verdict in result.selection.verdicts.items()
        if rule not in RULES
    ]


def _rival(result: Result, name: str) -> RivalRow:
    found, seen = result.verdict(), shown(result, UNCERTAINTY_AWARE)
    at = found.candidates.index(name)
    low, high = spread(result, at)
    decimals = decimals_of(float(seen.errors[found.best]))
    kind = "choice" if at == found.best else "rival" if name in found.rivals else "behind"
    short = float(found.worth[found.best] - found.worth[at])
    return RivalRow(
        name=name,
        kind=kind,
        value=with_error(float(seen.values[at]), float(seen.errors[at]), decimals=decimals),
        behind=""
        if kind == "choice"
        else with_error(short, float(found.shortfall_error[at]), decimals=decimals),
        spread=f"{amount(low, digits=3)} to {amount(high, digits=3)}",
        best_in=percent(result.explanation.best_in[name]),
    )


def _kinds(result: Result, at: int) -> list[str]:
    found = result.verdict()
    name = found.candidates[at]
    kinds = []
    if at == found.best:
        kinds.append("choice")
    if name == result.selection.choices[PLUG_IN]:
        kinds.append("plug-in")
    if name in found.rivals:
        kinds.append("rival")
    if not np.isfinite(found.worth[at]):
        kinds.append("failed")
    return kinds
