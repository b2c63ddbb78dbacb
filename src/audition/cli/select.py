"""`audition select`: from a log to a choice, in one go."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from audition.cli import options


@click.command("select", short_help="Choose a learner from a log, in one go.")
@click.argument("log")
@options.study_options
@options.out
@options.quiet
@options.as_json
def command(log: str, out: str | None, quiet: bool, as_json: bool, **given: Any) -> None:
    """Choose a learner from LOG (CSV, JSON lines, NPZ or Parquet), in one go.

    Reads and audits the log, fits simulators that it could have come from, lets every candidate
    learn in all of them and says which one to deploy. The report and selection.json lie in
    NAME.audition beside the log; run the same command again after an interruption.
    """
    from audition.cli.conducting import see_through
    from audition.cli.narration import narrator
    from audition.cli.stopping import terminable
    from audition.study_directory import StudyDirectory

    directory = StudyDirectory(Path(out)) if out else StudyDirectory.beside(log)
    with terminable():
        study = options.study(log, given)
        see_through(directory, study, voice=narrator(quiet=quiet), as_json=as_json)
