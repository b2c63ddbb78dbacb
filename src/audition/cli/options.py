"""Options that several commands share, and the study that they describe."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from typing import Any, Final

import click

from audition.study import (
    EnsembleChoice,
    FamilyChoice,
    LogSource,
    ObjectiveChoice,
    RuleChoice,
    Running,
    Study,
)

Command = Callable[..., Any]

as_json: Final = click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
quiet: Final = click.option("--quiet", "-q", is_flag=True, help="Say nothing on the way.")
out: Final = click.option(
    "--out", "-o", metavar="DIR", help="The study's folder, instead of NAME.audition."
)

_LOG = (
    click.option("--arm", "--action", default="arm", show_default=True, help="Column of the arm."),
    click.option("--reward", default="reward", show_default=True, help="Column of the reward."),
    click.option("--propensity", help="Column of the probability that the arm was chosen with."),
    click.option("--cluster", "--user", help="Column of what belongs together, such as a user."),
    click.option("--time", "--timestamp", help="Column of when it happened (for drift)."),
    click.option("--context", multiple=True, help="Column of a feature; may be repeated."),
    click.option("--drop-arm", multiple=True, help="An arm to leave out; may be repeated."),
    click.option("--decimal", default=".", show_default=True, help="The decimal mark."),
)

_HORIZON = click.option(
    "--horizon", "--rounds", type=int, required=True, help="Rounds to deploy the learner for."
)

_STUDY = (
    click.option("--family", default="auto", show_default=True, help="Kind of simulator."),
    click.option("--ensemble", default="auto", show_default=True, help="How members are made."),
    click.option("--size", type=int, default=200, show_default=True, help="Members."),
    click.option("--replications", type=int, default=32, show_default=True, help="Per member."),
    click.option("--objective", multiple=True, help="The first decides; may be repeated."),
    click.option("--rule", multiple=True, help="One more rule to judge by; may be repeated."),
    click.option("--learner", multiple=True, help="Only this kind of learner; may be repeated."),
    click.option("--seed", type=int, default=0, show_default=True, help="Root of all randomness."),
)

_HORIZON_LATER = click.option(
    "--horizon", "--rounds", type=int, default=5000, show_default=True, help="Rounds to deploy for."
)

_RUNNING = (
    click.option(
        "--engine",
        type=click.Choice(["auto", "plain", "cpu", "cuda"]),
        default="auto",
        show_default=True,
        help="What plays the bandit rules.",
    ),
    click.option("--workers", type=int, default=0, show_default="one a core", help="Processes."),
    click.option("--allow-code", multiple=True, help="A Python file to load plug-ins from."),
)

_RUNNING_AGAIN = (
    click.option(
        "--engine",
        type=click.Choice(["auto", "plain", "cpu", "cuda"]),
        help="What plays the bandit rules, instead of what the study says.",
    ),
    click.option("--workers", type=int, help="Processes, instead of what the study says."),
)


def log_options(command: Command) -> Command:
    """The options that say which column is which."""
    return _with(command, _LOG)


def study_options(command: Command) -> Command:
    """The options of a whole study."""
    return _with(command, (*_LOG, _HORIZON, *_STUDY, *_RUNNING))


def draft_options(command: Command) -> Command:
    """The options of a study that is only written down yet: its horizon may come later."""
    return _with(command, (*_LOG, _HORIZON_LATER, *_STUDY, *_RUNNING))


def running_options(command: Command) -> Command:
    """The options of how a study is run, which change no settings of it."""
    return _with(command, _RUNNING_AGAIN)


def log_source(path: str, given: dict[str, Any]) -> LogSource:
    """Where the log is, from the options."""
    return LogSource(
        path=path,
        arm=given["arm"],
        reward=given["reward"],
        propensity=given["propensity"],
        cluster=given["cluster"],
        time=given["time"],
        context=tuple(given["context"]),
        drop_arms=tuple(given["drop_arm"]),
        decimal=given["decimal"],
    )


def study(path: str, given: dict[str, Any]) -> Study:
    """The study that the options describe."""
    named = tuple(ObjectiveChoice(name=name) for name in given["objective"])
    return Study(
        log=log_source(path, given),
        horizon=given["horizon"],
        replications=given["replications"],
        seed=given["seed"],
        family=FamilyChoice(name=given["family"]),
        ensemble=EnsembleChoice(name=given["ensemble"], size=given["size"]),
        objectives=named or (ObjectiveChoice(),),
        rules=tuple(RuleChoice(name=name) for name in given["rule"]),
        learners=tuple(given["learner"]),
        running=Running(engine=given["engine"], workers=given["workers"]),
        allow_code=tuple(given["allow_code"]),
    )


def run_as(study: Study, *, engine: str | None, workers: int | None) -> Study:
    """The study, run in another way where one was asked for."""
    running = study.running
    running = running if engine is None else replace(running, engine=engine)
    running = running if workers is None else replace(running, workers=workers)
    return replace(study, running=running)


def _with(command: Command, options: tuple[Callable[[Command], Command], ...]) -> Command:
    return reduce(lambda made, option: option(made), reversed(options), command)
