"""`audition worker`: play one share of a study, on any machine, into a file of its own."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from audition.cli import options

if TYPE_CHECKING:
    from audition.cli.conducting import Ready
    from audition.cli.narration import Narrator
    from audition.evaluation import Share


@click.command("worker", short_help="Play one share of a study, on any machine.")
@click.argument("study")
@click.option("--shard", required=True, metavar="I/N", help="Which share, such as 2/5.")
@options.running_options
@options.out
@options.quiet
@options.as_json
def command(
    study: str,
    shard: str,
    engine: str | None,
    workers: int | None,
    out: str | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Play the share I of N of STUDY (a study.toml, or a study's folder).

    The scores go into the file shards/I-of-N.sqlite of the study's folder, so that any number of
    workers can run at once and on machines that share nothing but a copy of the study. Run again,
    a worker goes on where it was stopped. `audition merge` brings the files together.
    """
    from audition.cli.conducting import ready
    from audition.cli.narration import narrator
    from audition.cli.stopping import terminable
    from audition.cli.words import answer
    from audition.evaluation import Share
    from audition.study_directory import located

    share = Share.of_text(shard)
    with terminable():
        directory, settings = located(study, out=out)
        if Path(study).is_file():
            directory.keep(settings)
        settings = options.run_as(settings, engine=engine, workers=workers)
        voice = narrator(quiet=quiet)
        place = directory.shard(share.number, of=share.of)
        rows = _play(place, share, ready(settings, voice=voice), voice)
        again = f"audition merge {shlex.quote(str(directory.path))}"
        voice.step(f"shard {share.number}/{share.of} is done: {place}")
        voice.step(f"when all {share.of} are, bring them together: {again}")
    if as_json:
        answer({"shard": share.number, "of": share.of, "file": str(place), "rows": rows})


def _play(place: Path, share: Share, made: Ready, voice: Narrator) -> int:
    """Play the share; returns how many rows its file holds."""
    from audition.cli.conducting import executor
    from audition.cli.stopping import stoppable
    from audition.cli.verdict import title
    from audition.conduct import conduct_share
    from audition.evaluation import Stop
    from audition.store import Store

    stop = Stop()
    with Store.open(place) as store, executor(made.prepared) as workers, stoppable(stop), voice:
        conduct_share(
            made.prepared,
            share,
            store=store,
            executor=workers,
            progress=lambda rule, now: voice.progress(title(rule), now),
            stop=stop,
        )
        return store.size
