"""`audition plugins`: what there is to choose from, and what could not be loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from audition.cli import options

if TYPE_CHECKING:
    from audition.plugins import Plugin, Registry

KINDS = ("families", "learners", "ensembles", "rules", "objectives", "executors")


@click.command("plugins", short_help="List the plug-ins there are.")
@click.option("--kind", type=click.Choice(KINDS), help="Only this kind.")
@click.option("--allow-code", multiple=True, help="A Python file of yours to load plug-ins from.")
@options.as_json
def command(kind: str | None, allow_code: tuple[str, ...], as_json: bool) -> None:
    """List the families, learners, ensembles, rules, objectives and executors there are.

    Each with its settings, and with where it comes from if it did not come with Audition. A
    package whose plug-in cannot be loaded is listed with the reason.
    """
    from audition.cli.words import answer
    from audition.plugins import discover

    registry = discover(allow_code=allow_code)
    kinds = KINDS if kind is None else (kind,)
    if as_json:
        answer(_plain(registry, kinds))
    else:
        _show(registry, kinds)


def _plain(registry: Registry, kinds: tuple[str, ...]) -> dict[str, Any]:
    from dataclasses import asdict

    found = [
        {
            "kind": plugin.kind,
            "name": plugin.name,
            "origin": plugin.origin,
            "summary": plugin.summary,
            "settings": list(_settings(plugin)),
        }
        for kind in kinds
        for plugin in registry.of(kind)
    ]
    broken = [asdict(one) for one in registry.broken if one.kind in kinds]
    return {"plugins": found, "broken": broken}


def _show(registry: Registry, kinds: tuple[str, ...]) -> None:
    from audition.cli.words import label

    for kind in kinds:
        found = registry.of(kind)
        if found:
            click.echo(f"{kind}:")
        for plugin in found:
            settings = ", ".join(_settings(plugin))
            origin = "" if plugin.origin == "built in" else f" [{plugin.origin}]"
            click.echo(f"  {label(f'{plugin.name}({settings}): {plugin.summary}{origin}')}")
    for broken in registry.broken:
        if broken.kind in kinds:
            said = f"not loaded, among the {broken.kind}: {broken.origin}: {broken.reason}"
            click.echo(label(said), err=True)


def _settings(plugin: Plugin) -> tuple[str, ...]:
    """The settings as they are written, with their defaults."""
    import inspect

    return tuple(
        name
        if setting.default is inspect.Parameter.empty
        else f"{name}={_default(setting.default)}"
        for name, setting in inspect.signature(plugin.cls).parameters.items()
    )


def _default(value: Any) -> str:
    """A default as it is written; one that is made anew for each plug-in has none to show."""
    return "..." if type(value).__name__ == "_HAS_DEFAULT_FACTORY_CLASS" else repr(value)
