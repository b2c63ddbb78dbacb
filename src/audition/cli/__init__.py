"""The command line: each command is a file that is loaded when it is called, so help is instant."""

from __future__ import annotations

import importlib
import io
import sys
from collections.abc import Sequence
from typing import Any, Final, final

import click

from audition.cli.leaving import codes_in_words, leave

COMMANDS: Final = {
    # name: what it does, as the list of commands says it
    "select": "Choose a learner from a log, in one go.",
    "init": "Write a commented study file for a log.",
    "calibrate": "Find thresholds of success for a study of robots.",
    "plan": "Say what a study will cost, before any work.",
    "run": "Run a study, or run it on where it was stopped.",
    "status": "Say how far a study has come.",
    "report": "Write the report of a study again.",
    "export": "Write a study's scores as CSV, Parquet or JSON.",
    "check": "Audit a log: what it can and cannot support.",
    "plugins": "List the learners, families, ensembles, rules and executors there are.",
    "checks": "Test plug-ins of your own against their contract.",
    "worker": "Play one shard of a study, on any machine.",
    "merge": "Bring the scores of shards together.",
}


@final
class Commands(click.Group):
    """Commands by name, imported one at a time."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order of work, not of the alphabet."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"audition.cli.{cmd_name}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is meant, or an error with the nearest name there is."""
        from difflib import get_close_matches

        if args and args[0] not in COMMANDS:
            close = get_close_matches(args[0], COMMANDS, n=1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            ctx.fail(f"There is no command {args[0]!r}.{hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, from the table above: nothing is imported for it."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


HELP: Final = f"""Choose which online learner to deploy, from a limited log.

Start with: audition select LOG.csv --arm COLUMN --reward COLUMN --horizon ROUNDS

Answers go to stdout, what is said to people goes to stderr; with --json the answer is one JSON
document. A study that was stopped is run on by running it again.

Exit codes: {codes_in_words()}.
"""


@click.command(cls=Commands, help=HELP, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="audition", prog_name="audition")
def audition() -> None:
    """All commands."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and leave with the exit code that says how it went."""
    given = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal may lack the letters of a name
            stream.reconfigure(errors="backslashreplace")
    options: dict[str, Any] = {"standalone_mode": False, "prog_name": "audition"}
    sys.exit(leave(lambda: audition.main(given, **options), as_json="--json" in given))
