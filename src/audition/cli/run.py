"""`audition run`: run a study, or run it on where it was stopped."""

from __future__ import annotations

import click

from audition.cli import options


@click.command("run", short_help="Run a study, or run it on where it was stopped.")
@click.argument("study")
@options.running_options
@click.option("--retry-failed", is_flag=True, help="Play again what failed, whatever the reason.")
@options.out
@options.quiet
@options.as_json
def command(
    study: str,
    engine: str | None,
    workers: int | None,
    retry_failed: bool,
    out: str | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Run STUDY (a study.toml, or a study's folder), or run it on where it was stopped.

    What was played before is kept and not played again. Ctrl-C lets the trials in hand finish and
    keeps them (exit code 130); a second Ctrl-C leaves at once. SIGTERM does the same.

    A trial that failed is kept as a failure; with --retry-failed those that failed are forgotten
    and played again, which is for failures that were the machine's (no memory, a lost worker).
    """
    from audition.cli.conducting import forget_failed, see_through
    from audition.cli.narration import narrator
    from audition.cli.stopping import terminable
    from audition.study_directory import located

    with terminable():
        directory, settings = located(study, out=out)
        settings = options.run_as(settings, engine=engine, workers=workers)
        voice = narrator(quiet=quiet)
        if retry_failed:
            forget_failed(directory, voice=voice)
        see_through(directory, settings, voice=voice, as_json=as_json)
