"""`audition checks`: put plug-ins to the test, one line a promise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from audition.cli import options

if TYPE_CHECKING:
    from audition.checks import Promise
    from audition.plugins import Plugin


@click.command("checks", short_help="Test plug-ins against their contract.")
@click.argument("plugins", nargs=-1, required=True, metavar="FILE_OR_NAME...")
@click.option("--allow-code", multiple=True, help="A Python file of yours to load plug-ins from.")
@options.as_json
def command(plugins: tuple[str, ...], allow_code: tuple[str, ...], as_json: bool) -> int:
    """Test plug-ins, in Python files of yours or by name, against their contract.

    A file is run, so name only files that you trust. The exit code is 2 when a promise is broken.
    """
    from audition.cli.leaving import DONE, USAGE
    from audition.cli.words import answer

    tested = [(plugin, _promises(plugin)) for plugin in _found(plugins, allow_code)]
    if as_json:
        answer({"plugins": [_plain(plugin, promises) for plugin, promises in tested]})
    else:
        for plugin, promises in tested:
            _show(plugin, promises)
    kept = all(promise.kept for _, promises in tested for promise in promises)
    return DONE if kept else USAGE


def _found(given: tuple[str, ...], allow_code: tuple[str, ...]) -> list[Plugin]:
    """Every plug-in of the files, and those of the names whatever their kind."""
    from pathlib import Path

    from audition.plugins import discover

    files = [one for one in given if one.endswith(".py")]
    registry = discover(allow_code=(*allow_code, *files))
    found = []
    for one in given:
        origin = f"file {Path(one).resolve()}"
        named = [plugin for plugin in registry.plugins if one in (plugin.name, plugin.cls.__name__)]
        inside = [plugin for plugin in registry.plugins if plugin.origin == origin]
        found += inside if one in files else named or [_unknown(one, registry)]
    return list(dict.fromkeys(found))


def _unknown(name: str, registry: Any) -> Plugin:
    """No plug-in has this name; an error says which is near."""
    from difflib import get_close_matches

    from audition.errors import PluginError

    names = sorted({plugin.name for plugin in registry.plugins})
    close = get_close_matches(name, names, n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(names)}"
    raise PluginError(f"no plug-in is called {name!r}, and it is not a Python file (.py); {hint}")


def _promises(plugin: Plugin) -> tuple[Promise, ...]:
    """The promises of one plug-in; one that cannot even be tried has broken the first of all."""
    from audition.checks import Promise, promises
    from audition.errors import AuditionError

    try:
        return promises(plugin.kind, plugin.cls)
    except AuditionError as error:
        return (Promise("it can be tried", str(error)),)


def _plain(plugin: Plugin, promises: tuple[Promise, ...]) -> dict[str, Any]:
    lines = [{"promise": p.words, "kept": p.kept, "broken": p.broken} for p in promises]
    return {
        "kind": plugin.kind,
        "name": plugin.name,
        "kept": all(promise.kept for promise in promises),
        "promises": lines,
    }


def _show(plugin: Plugin, promises: tuple[Promise, ...]) -> None:
    from audition.cli.words import label

    broken = sum(not promise.kept for promise in promises)
    verdict = f"{broken} of {len(promises)} promises broken" if broken else "all promises kept"
    click.echo(label(f"{plugin.name} ({plugin.kind}): {verdict}"))
    for promise in promises:
        said = f"BROKEN  {promise.words}: {promise.broken}" if promise.broken else promise.words
        click.echo(f"  {label(said if promise.broken else f'kept    {said}')}")
