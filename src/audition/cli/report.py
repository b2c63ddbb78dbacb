"""`audition report`: write the report of a finished study again."""

from __future__ import annotations

import click

from audition.cli import options


@click.command("report", short_help="Write the report of a study again.")
@click.argument("directory", metavar="DIR")
@options.quiet
@options.as_json
def command(directory: str, quiet: bool, as_json: bool) -> None:
    """Judge the scores in DIR again and write its report and selection.json; nothing is played."""
    from audition.cli.conducting import ready, recall, tell, write_down
    from audition.cli.narration import narrator
    from audition.study_directory import StudyDirectory

    folder = StudyDirectory.existing(directory)
    voice = narrator(quiet=quiet)
    plain = write_down(folder, recall(folder, ready(folder.study(), voice=voice)))
    tell(folder, plain, voice=voice, as_json=as_json)
