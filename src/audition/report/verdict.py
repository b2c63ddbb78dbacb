"""The verdict in plain words: what to deploy, how sure that is, and what would change it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

import numpy as np

from audition.amounts import amount, percent, with_error
from audition.charts.advantage import advantage, thirds
from audition.charts.meaning import RULES, Shown, meaning, shown
from audition.log import Log
from audition.report.bends import bends
from audition.selection import unjudged_said
from audition.study import UNCERTAINTY_AWARE

if TYPE_CHECKING:
    from audition.result import Result

SMALL: Final = 0.1  # share of the choice's worth that is called little
MIDDLE: Final = (0.05, 0.95)  # the quantiles between which simulators are said to lie


@final
@dataclass(frozen=True, slots=True)
class Tile:
    """A figure that one reads before any sentence."""

    name: str
    figure: str
    words: str


@final
@dataclass(frozen=True, slots=True)
class Told:
    """The verdict, ready to be set."""

    choice: str
    setting: str  # for how long, from which log
    lead: str
    tiles: tuple[Tile, ...]
    sure: tuple[str, ...]
    why: tuple[str, ...]
    change: tuple[str, ...]


def verdict(result: Result) -> Told:
    """Everything the first screen says."""
    return Told(
        choice=result.choice,
        setting=_setting(result),
        lead=_lead(result),
        tiles=tuple(_tiles(result)),
        sure=tuple(_sure(result)),
        why=(*result.explanation.sentences, *bends(result)),
        change=tuple(_change(result)),
    )


def spread(result: Result, at: int) -> tuple[float, float]:
    """Between which numbers a candidate's score lies in nine simulators out of ten."""
    members = meaning(result).sign * result.table().by_member[at]
    low, high = np.quantile(members, MIDDLE)
    return float(low), float(high)


def rounds(result: Result) -> str:
    """The horizon in words."""
    unit = "rounds" if isinstance(result.prepared.log, Log) else "training steps"
    return f"{result.prepared.study.horizon:,} {unit}"


def _setting(result: Result) -> str:
    log = result.prepared.log
    if isinstance(log, Log):
        source = f"a log of {log.rows:,} rows and {len(log.arm_names)} arms"
    else:
        source = f"a log of {len(log.lengths):,} episodes"
    return f"for {rounds(result)}, judged from {source}"


def _lead(result: Result) -> str:
    said, seen = meaning(result), shown(result, UNCERTAINTY_AWARE)
    size = result.prepared.ensembles[UNCERTAINTY_AWARE].size
    value = with_error(float(seen.values[seen.best]), float(seen.errors[seen.best]))
    where = f"On average over {size} simulators that the log could have come from"
    unit = f" {said.unit}" if said.unit else ""
    if said.quantity == "regret":
        return (
            f"{where}, it loses {value}{unit} in {rounds(result)} against pulling the best arm "
            f"every time: {amount(_best(seen) / result.prepared.study.horizon, digits=2)} a round."
        )
    return f"{where}, its expected {said.quantity} is {value}{unit}."


def _best(seen: Shown) -> float:
    return float(seen.values[seen.best])


def _tiles(result: Result) -> Iterator[Tile]:
    said, seen = meaning(result), shown(result, UNCERTAINTY_AWARE)
    yield Tile(
        f"expected {said.quantity}",
        with_error(_best(seen), float(seen.errors[seen.best])),
        "± one Monte-Carlo standard error",
    )
    low, high = spread(result, seen.best)
    yield Tile(
        "across the simulators",
        f"{amount(low, digits=3)} to {amount(high, digits=3)}",
        "the middle 90%: what the log leaves open",
    )
    yield Tile(
        "best of all in",
        percent(result.explanation.best_in[result.choice]),
        "of the simulators",
    )
    count = len(result.verdict().rivals)
    yield Tile("rivals", f"{count} of {_others(result)}", "not told apart from it")


def _sure(result: Result) -> Iterator[str]:
    yield _apart(result)
    if result.verdict().unjudged:
        yield unjudged_said(result.verdict().unjudged)
    yield from _best_in(result)
    low, high = spread(result, result.verdict().best)
    yield (
        f"From simulator to simulator its expected {meaning(result).quantity} runs from "
        f"{amount(low, digits=3)} to {amount(high, digits=3)} in nine cases out of ten. That is "
        "what a log of this size leaves open; more computing does not shrink it, more log does."
    )


def _apart(result: Result) -> str:
    """How many candidates the choice can be told apart from, and what is at stake."""
    found = result.verdict()
    others, count = _others(result), len(found.rivals)
    if not others:
        return "No other candidate finished."
    which = f"other {others} candidates" + (" that finished" if found.unjudged else "")
    if not count:
        return f"It does measurably better than every one of the {which}."
    those = f"{count} of the {which} cannot"
    if count == others:
        those = f"None of the {which} can" if others > 1 else "The other cannot"
    said = f"{those} be told apart from it with the runs that were made"
    trailing = max(_shortfall(result, name) for name in found.rivals)
    if trailing < SMALL * abs(float(found.worth[found.best])):
        return (
            f"{said}. The last of these trails by {amount(trailing, digits=2)}: little is at stake."
        )
    return (
        f"{said}, although the last of these trails by {amount(trailing, digits=2)}. More runs "
        "would narrow that down."
    )


def _others(result: Result) -> int:
    """How many candidates there are beside the choice, but for those that failed."""
    found = result.verdict()
    return len(found.candidates) - 1 - len(found.unjudged)


def _shortfall(result: Result, name: str) -> float:
    found = result.verdict()
    return float(found.worth[found.best] - found.worth[found.candidates.index(name)])


def _best_in(result: Result) -> Iterator[str]:
    shares = result.explanation.best_in
    top = max(shares, key=lambda name: shares[name])
    share = shares[result.choice]
    if share >= 0.5:
        yield f"It is the single best candidate in {percent(share)} of the simulators."
    elif top == result.choice:
        yield (
            f"No candidate is best in most simulators; it is best in {percent(share)} of them, "
            "more than any other."
        )
    else:
        yield (
            f"It is the single best in {percent(share)} of the simulators. {top} is best more "
            f"often ({percent(shares[top])}), but is worth less on average: where it is not best "
            "it does worse."
        )


def _change(result: Result) -> Iterator[str]:
    yield from _turning(result)
    differing = [
        (rule, choice)
        for rule, choice in result.selection.choices.items()
        if rule not in RULES and choice != result.choice
    ]
    for rule, choice in differing:
        yield f"If you care for {rule} more than for the average, deploy {choice}."
    if result.verdict().rivals:
        yield (
            "More runs (replications, or a larger ensemble) may put a rival in its place, and none "
            "of the others."
        )
    yield (
        f"Everything here is judged in simulators of the {result.prepared.family.name} family. If "
        "rewards drift, if users influence each other, or if the arms are about to change, the "
        "deployment comes from none of them."
    )


def _turning(result: Result) -> Iterator[str]:
    """Whether knowing more of the property that drives the advantage would change the choice."""
    found = advantage(result)
    if found is None or abs(found.correlation) < 0.2:
        return
    low, high, below, above = thirds(found)
    sides = (
        (below, f"small ({amount(low, digits=2)} or less)"),
        (above, f"large ({amount(high, digits=2)} or more)"),
    )
    if below * above < 0.0:
        ahead, behind = sorted(sides, key=lambda side: -side[0])
        yield (
            f"A longer log that showed the {found.driver} to be {behind[1]} would speak for "
            f"{found.opponent}: in that third of the simulators it does better by "
            f"{amount(-behind[0], digits=2)}. Where it is {ahead[1]}, {found.choice} does better "
            f"by {amount(ahead[0], digits=2)}."
        )
    else:
        winner, sign = (found.choice, 1.0) if above > 0.0 else (found.opponent, -1.0)
        loser = found.opponent if winner == found.choice else found.choice
        yield (
            f"{winner} does better than {loser} whether the {found.driver} is {sides[0][1]} or "
            f"{sides[1][1]}: by {amount(sign * below, digits=2)} and "
            f"{amount(sign * above, digits=2)}."
        )


__all__ = ["Told", "rounds", "spread", "verdict"]
