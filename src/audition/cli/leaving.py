"""How a command ends: what is said, where, and with which exit code."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any, Final

import click

from audition.errors import (
    AuditionError,
    Interrupted,
    LogError,
    ScoreError,
    StoreError,
)

DONE, INTERNAL, USAGE, LOG, STORE, NOTHING_FINISHED, STOPPED = 0, 1, 2, 3, 4, 5, 130

EXIT_CODES: Final[Mapping[int, str]] = {
    DONE: "done",
    INTERNAL: "a fault of Audition's own",
    USAGE: "a wrong command, setting or plug-in",
    LOG: "the log cannot be read or cannot support a choice",
    STORE: "the study's folder cannot be used",
    NOTHING_FINISHED: "no candidate finished",
    STOPPED: "stopped by the user, and resumable",
}


def codes_in_words() -> str:
    """All exit codes in one sentence, as the help says them."""
    return "; ".join(f"{code} {words}" for code, words in EXIT_CODES.items())


def leave(work: Callable[[], Any], *, as_json: bool) -> int:
    """Do the work; errors become one message (and one JSON object) and an exit code."""
    try:
        code = work()
        sys.stdout.flush()
        return code if isinstance(code, int) else DONE
    except click.exceptions.Exit as ended:
        return int(ended.exit_code)
    except click.ClickException as error:
        return _said(error, error.format_message(), USAGE, as_json=as_json)
    except (KeyboardInterrupt, click.Abort):
        return _said(None, "stopped", STOPPED, as_json=as_json)
    except AuditionError as error:
        return _said(error, str(error), exit_code(error), as_json=as_json)
    except BrokenPipeError:  # whoever read our output has enough of it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except MemoryError as error:
        return _said(error, "out of memory; give a smaller study", INTERNAL, as_json=as_json)
    except Exception as error:
        if os.environ.get("AUDITION_TRACEBACK"):
            raise
        fault = f"a fault of Audition's own: {type(error).__name__}: {error}"
        hint = "set AUDITION_TRACEBACK=1 to see where, and please report it"
        return _said(error, f"{fault} ({hint})", INTERNAL, as_json=as_json)


def exit_code(error: AuditionError) -> int:
    """The exit code of a branch of the error tree."""
    if isinstance(error, Interrupted):
        return STOPPED
    if isinstance(error, LogError):
        return LOG
    if isinstance(error, StoreError):
        return STORE
    if isinstance(error, ScoreError):
        return NOTHING_FINISHED
    return USAGE


def _said(error: Exception | None, message: str, code: int, *, as_json: bool) -> int:
    from audition.harmless import harmless

    if isinstance(error, click.UsageError) and error.ctx is not None:
        click.echo(error.ctx.get_usage(), err=True)
    click.echo(f"audition: {harmless(message)}", err=True)
    if as_json:
        kind = type(error).__name__ if error is not None else "Interrupted"
        click.echo(json.dumps({"error": {"kind": kind, "message": message, "exit_code": code}}))
    return code
