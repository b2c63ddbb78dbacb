"""`audition merge`: bring the scores that workers played into the study that they belong to."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from audition.cli import options
from audition.cli.words import answer, plural, say
from audition.errors import StoreError

if TYPE_CHECKING:
    from audition.study_directory import StudyDirectory


@click.command("merge", short_help="Bring the scores of shards together.")
@click.argument("directory", metavar="DIR")
@click.argument("files", nargs=-1, metavar="[FILES]...")
@options.as_json
def command(directory: str, files: tuple[str, ...], as_json: bool) -> None:
    """Add the scores in FILES (or in all files of DIR/shards) to the study in DIR.

    Merging a file twice, or a file that is not finished, does no harm. `audition run DIR` then
    plays what is still missing and judges.
    """
    from audition.study_directory import StudyDirectory

    study = StudyDirectory.existing(directory)
    sources = [Path(file) for file in files] or study.shards()
    if not sources:
        raise StoreError(
            f"{directory} has no shards to merge; name their files, or play one first: "
            f"audition worker {shlex.quote(directory)} --shard 1/2"
        )
    added = _merged(study, sources)
    if as_json:
        merged = [{"file": str(place), "new_rows": count} for place, count in added]
        answer({"directory": directory, "merged": merged})
        return
    for place, count in added:
        say(f"{place}: {plural(count, 'new row')}")
    say(f"see the study through: audition run {shlex.quote(directory)}")


def _merged(study: StudyDirectory, sources: list[Path]) -> list[tuple[Path, int]]:
    """How many rows of every file were new."""
    from audition.store import Store

    absent = [str(place) for place in sources if not place.is_file()]
    if absent:
        raise StoreError(f"no such file: {', '.join(absent)}; nothing was merged")
    added = []
    with study.store() as store:
        for place in sources:
            with Store.open(place) as shard:
                added.append((place, store.merge(shard)))
    return added
