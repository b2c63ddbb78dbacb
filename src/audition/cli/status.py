"""`audition status`: how far a study has come. It reads what was written down, so it is instant."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import Any

import click

from audition.cli import options
from audition.study_directory import StudyDirectory


@click.command("status", short_help="Say how far a study has come.")
@click.argument("directory", metavar="DIR")
@options.as_json
def command(directory: str, as_json: bool) -> None:
    """Say how far the study in DIR has come, and what it chose when it is finished."""
    from audition.cli.words import answer

    plain = found(StudyDirectory.existing(directory))
    if as_json:
        answer(plain)
    else:
        _show(plain)


def found(directory: StudyDirectory) -> dict[str, Any]:
    """Trials done and wanted by ensemble, the room they take, and the choices."""
    parts, rows, taken = _trials(directory)
    done = bool(parts) and all(part["done"] >= part["total"] for part in parts.values())
    chosen = _chosen(directory)
    return {
        "directory": str(directory.path),
        "finished": done and chosen is not None,
        "trials": parts,
        "rows": rows,
        "bytes": taken,
        "choices": chosen,
    }


def _trials(directory: StudyDirectory) -> tuple[dict[str, dict[str, int]], int, int]:
    if not directory.trials.is_file():
        return {}, 0, 0
    with directory.store() as store:
        parts = {
            name: {"done": done, "total": total} for name, (done, total) in store.progress().items()
        }
        rows = store.size
    taken = sum(file.stat().st_size for file in directory.path.glob(f"{directory.trials.name}*"))
    return parts, rows, taken


def _chosen(directory: StudyDirectory) -> dict[str, str] | None:
    try:
        plain = json.loads(directory.selection.read_text("utf-8"))
        return {rule: str(choice["candidate"]) for rule, choice in plain["choices"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None  # not there yet, or not ours: nothing was chosen that we could tell


def _show(plain: Mapping[str, Any]) -> None:
    from audition.cli.words import disk, label, plural

    state = "finished" if plain["finished"] else "not finished"
    click.echo(f"{label(plain['directory'])}: {state}")
    for name, part in plain["trials"].items():
        share = part["done"] / max(part["total"], 1)
        click.echo(f"  {label(name)}: {part['done']:,} of {part['total']:,} trials ({share:.0%})")
    click.echo(f"  {plural(plain['rows'], 'row')} of scores, {disk(plain['bytes'])}")
    if plain["finished"]:
        for rule, candidate in plain["choices"].items():
            click.echo(f"  {label(rule)} chooses {label(candidate)}")
    else:
        click.echo(f"  run it on with: audition run {shlex.quote(plain['directory'])}")
