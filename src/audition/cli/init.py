"""`audition init`: a commented study file for a log, to be read and changed."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from audition.cli import options

if TYPE_CHECKING:
    from audition.study import Study


@click.command("init", short_help="Write a commented study file for a log.")
@click.argument("log")
@options.draft_options
@click.option("--out", "-o", metavar="FILE", default="study.toml", show_default=True, help="Where.")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@options.as_json
def command(log: str, out: str, force: bool, as_json: bool, **given: Any) -> None:
    """Write a commented study file for LOG, with the candidates that fit its rewards.

    Everything that a study can be told stands in it with its default. Then: audition plan, and
    audition run.
    """
    from audition.cli.words import answer, say
    from audition.errors import StoreError
    from audition.study_directory import write

    place = Path(out)
    if place.exists() and not force:
        raise StoreError(f"{place} is there already; name another with --out, or give --force")
    text, candidates = _text(options.study(log, given), beside=place.parent)
    write(place, text)
    if as_json:
        answer({"file": str(place), "candidates": candidates})
    say(f"{place} holds a study with {candidates} candidates. Next: audition plan {place}")


def _text(study: Study, *, beside: Path) -> tuple[str, int]:
    """The study file, and how many candidates it names."""
    from audition.cli.conducting import log_said
    from audition.preparation import candidate_choices, prepare
    from audition.study_log import study_log
    from audition.study_text import commented

    found = study_log(study)
    found.refuse()
    # Two members are the fewest: the candidates depend on the log and the horizon alone.
    made = prepare(replace(study, ensemble=replace(study.ensemble, size=2)), found.log)
    lines = [f"The log: {log_said(found.log)}.", made.family_sentence]
    if found.card is not None:
        lines += [f.message for f in found.card.findings if f.level == "warn"]
    written = replace(
        study,
        learners=(),
        log=replace(study.log, path=os.path.relpath(study.log.path, beside)),
        family=replace(
            study.family,
            files={
                name: os.path.relpath(path, beside) for name, path in study.family.files.items()
            },
        ),
        allow_code=tuple(os.path.relpath(path, beside) for path in study.allow_code),
    )
    choices = candidate_choices(made.candidates)
    return commented(written, candidates=choices, found=lines), len(made.candidates)
