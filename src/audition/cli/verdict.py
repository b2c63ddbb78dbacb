"""The verdict in words: what each rule chooses, how sure that is, and why the rules differ.

It is told from the document that `selection.json` holds, so it can be told again at any time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from audition.amounts import amount, percent, with_error
from audition.cli.words import console, label, plural
from audition.study import PLUG_IN, UNCERTAINTY_AWARE

if TYPE_CHECKING:
    from rich.table import Table

MOST_ROWS: Final = 10  # of the table of candidates
MOST_RIVALS: Final = 5  # that are named one by one
TITLES: Final = {PLUG_IN: "Plug-In", UNCERTAINTY_AWARE: "Uncertainty-Aware"}


def show(plain: Mapping[str, Any], *, err: bool = False) -> None:
    """Print the verdict."""
    from rich.text import Text

    page = console(err=err)
    deploy = label(plain["choices"][UNCERTAINTY_AWARE]["candidate"])
    page.print(Text(f"Deploy {deploy}", style="bold"))
    page.print()
    page.print(_choices(plain))
    for sentence in sentences(plain):
        page.print(Text(sentence), soft_wrap=True)
    page.print()
    page.print(_table(plain))


def sentences(plain: Mapping[str, Any]) -> Iterator[str]:
    """What there is to say beside the tables, one sentence or two a line."""
    yield f"  {_unit(plain)}"
    yield ""
    yield from (label(sentence) for sentence in plain["explanation"])
    yield from _compared(plain)
    yield from _rivals(plain)
    for warning in plain["warnings"]:
        yield f"Warning: {label(warning)}"
    if plain["failures"]:
        first = plain["failures"][0]
        lost = plural(len(plain["failures"]), "trial")
        yield f"{lost} failed; the first: {label(first['candidate'])}: {label(first['reason'])}"


def title(rule: str) -> str:
    """A rule's name as people read it."""
    return TITLES.get(rule, label(rule))


def _choices(plain: Mapping[str, Any]) -> Table:
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 3))
    for rule in sorted(plain["choices"], key=lambda rule: rule != UNCERTAINTY_AWARE):
        chosen = plain["choices"][rule]
        grid.add_row(f"  {title(rule)}", Text(label(chosen["candidate"])), _worth_said(chosen))
    return grid


def _worth_said(chosen: Mapping[str, Any]) -> str:
    error = chosen["standard_error"]
    if chosen.get("expected_regret") is not None:
        return f"expected regret {_give_or_take(chosen['expected_regret'], error)}"
    return f"worth {_give_or_take(chosen['worth'], error)}"


def _unit(plain: Mapping[str, Any]) -> str:
    runs, size = plain["replications"], plain["ensemble"]["size"]
    unit = "rounds" if plain["log"]["arms"] else "training steps"
    return (
        f"{plain['objective'].capitalize()} over {plain['horizon']:,} {unit}; ± is one Monte-Carlo "
        f"standard error. Plug-In: {runs[PLUG_IN]:,} runs in the one fitted simulator; "
        f"Uncertainty-Aware: {runs[UNCERTAINTY_AWARE]:,} in each of {size:,} simulators."
    )


def _compared(plain: Mapping[str, Any]) -> Iterator[str]:
    for found in plain["comparisons"]:
        pair = {found["first"], found["second"]}
        if pair == {PLUG_IN, UNCERTAINTY_AWARE} and found["difference"] not in (0, None):
            yield (
                f"On the same random numbers {title(found['first'])}'s choice does better than "
                f"{title(found['second'])}'s by "
                f"{_give_or_take(found['difference'], found['standard_error'])} a deployment, on "
                f"average over the simulators."
            )


def _rivals(plain: Mapping[str, Any]) -> Iterator[str]:
    from audition.selection import unjudged_said

    unjudged = [
        row["candidate"]
        for row in plain["candidates"]
        if row["rules"][UNCERTAINTY_AWARE]["worth"] is None
    ]
    if plain["rivals"][UNCERTAINTY_AWARE]:
        yield _named([label(name) for name in plain["rivals"][UNCERTAINTY_AWARE]])
    elif not unjudged:
        yield "Every other candidate can be told apart from it: it does better than all of them."
    elif len(unjudged) < len(plain["candidates"]) - 1:
        yield "It does better than every other candidate that finished."
    else:
        yield "No other candidate finished."
    if unjudged:
        yield label(unjudged_said(unjudged))


def _named(rivals: list[str]) -> str:
    named = ", ".join(rivals[:MOST_RIVALS])
    more = f" and {len(rivals) - MOST_RIVALS} more" if len(rivals) > MOST_RIVALS else ""
    return f"Cannot be told apart from it: {named}{more}."


def _table(plain: Mapping[str, Any]) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    regret = plain["objective"] == "regret"
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("candidate", overflow="fold")
    for rule in (UNCERTAINTY_AWARE, PLUG_IN):
        table.add_column(f"{title(rule)}\n{plain['objective']}", justify="right")
    table.add_column("best in", justify="right")
    rows = sorted(plain["candidates"], key=_standing)
    for row in rows[:MOST_ROWS]:
        worths = [_cell(row["rules"][rule], regret) for rule in (UNCERTAINTY_AWARE, PLUG_IN)]
        table.add_row(Text(label(row["candidate"])), *worths, percent(row["best_in"]))
    if len(rows) > MOST_ROWS:
        table.caption = f"{len(rows) - MOST_ROWS} more are in the report and in selection.json"
    return table


def _standing(row: Mapping[str, Any]) -> float:
    worth = row["rules"][UNCERTAINTY_AWARE]["worth"]
    return float("inf") if worth is None else -worth


def _cell(judged: Mapping[str, Any], regret: bool) -> str:
    worth, error = judged["worth"], judged["standard_error"]
    if worth is None:
        return "failed"
    return _give_or_take(-worth if regret else worth, error)


def _give_or_take(value: float | None, error: float | None) -> str:
    """A number with its standard error, where it has one."""
    if value is None:
        return "-"
    return amount(value) if error is None else with_error(value, error)


__all__ = ["sentences", "show", "title"]
