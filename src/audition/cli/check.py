"""`audition check`: audit a log, before anything is made of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from audition.cli import options
from audition.cli.leaving import DONE, LOG

if TYPE_CHECKING:
    from audition.study_log import StudyLog

SIGNS: Final = {"refuse": "refused", "warn": "warning", "note": "note"}


@click.command("check", short_help="Audit a log: what it can and cannot support.")
@click.argument("log")
@options.log_options
@options.as_json
def command(log: str, as_json: bool, **given: Any) -> int:
    """Audit LOG: its rows, arms and rewards, and what each finding means for a choice.

    The exit code is 3 when the log cannot support a choice.
    """
    from audition.cli.words import answer
    from audition.study_log import bandit_log

    found = bandit_log(options.log_source(log, given))
    if as_json:
        answer(_plain(found))
    else:
        _show(log, found)
    return LOG if _refused(found) else DONE


def _plain(found: StudyLog) -> dict[str, Any]:
    from audition.document import finite, log_document

    card = None if found.card is None else found.card.to_plain()
    plain = {"log": log_document(found.log), "card": card, "refused": _refused(found)}
    return {str(key): finite(value) for key, value in plain.items()}


def _show(log: str, found: StudyLog) -> None:
    from audition.cli.conducting import log_said
    from audition.cli.words import label

    click.echo(f"{label(log)}: {log_said(found.log)}")
    findings = () if found.card is None else found.card.findings
    for level in SIGNS:
        for finding in findings:
            if finding.level == level:
                click.echo(f"{SIGNS[level]}: {label(finding.message)}")
    verdict = "cannot support a choice" if _refused(found) else "can support a choice"
    click.echo(f"The log {verdict}.")


def _refused(found: StudyLog) -> bool:
    findings = () if found.card is None else found.card.findings
    return any(finding.level == "refuse" for finding in findings)
