"""`audition plan`: what a study will cost, before any of it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from audition.cli import options

if TYPE_CHECKING:
    from audition.cost import Cost
    from audition.preparation import Prepared


@click.command("plan", short_help="Say what a study will cost, before any work.")
@click.argument("study")
@options.running_options
@options.as_json
def command(study: str, engine: str | None, workers: int | None, as_json: bool) -> None:
    """Count the trials of STUDY (a study.toml, or a study's folder) and say how long they take.

    The time is measured on a little of the same work, which takes a few seconds; nothing is
    written.
    """
    from audition.cli.conducting import contest_said, ready
    from audition.cli.narration import Silent
    from audition.cli.words import answer, disk, duration, label, plural
    from audition.cost import cost
    from audition.study_directory import located

    directory, settings = located(study)
    settings = options.run_as(settings, engine=engine, workers=workers)
    made = ready(settings, voice=Silent())
    found = cost(made.prepared)
    if as_json:
        answer(_plain(made.prepared, found))
        return
    time = "not known" if found.seconds is None else duration(found.starting + found.seconds)
    for warning in dict.fromkeys(made.prepared.warnings):
        click.echo(f"Warning: {label(warning)}")
    click.echo(contest_said(made.prepared))
    click.echo(f"Trials: {plural(found.trials, 'trial')}, half of them for Plug-In")
    click.echo(f"Time:   {time} ({label(found.note)})")
    click.echo(f"Disk:   {disk(found.bytes)} in {label(directory.path)}")


def _plain(prepared: Prepared, found: Cost) -> dict[str, Any]:
    from audition.study import UNCERTAINTY_AWARE

    ensemble = prepared.ensembles[UNCERTAINTY_AWARE]
    return {
        "candidates": len(prepared.candidates),
        "ensemble": {"name": ensemble.name, "size": ensemble.size},
        "replications": prepared.replications,
        "horizon": prepared.study.horizon,
        "warnings": list(dict.fromkeys(prepared.warnings)),
        "trials": found.trials,
        "seconds": None if found.seconds is None else found.starting + found.seconds,
        "starting_seconds": found.starting,
        "bytes": found.bytes,
        "measured": found.note,
    }
