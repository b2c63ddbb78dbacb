"""Plays a study in its folder and tells how it goes: what `select`, `run` and `report` share."""

from __future__ import annotations

import os
import shlex
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from audition.cli import verdict
from audition.cli.narration import Narrator, Silent
from audition.cli.stopping import stoppable
from audition.cli.words import answer, label, plural
from audition.errors import Interrupted, StoreError
from audition.study import UNCERTAINTY_AWARE, Study
from audition.study_directory import StudyDirectory, write

if TYPE_CHECKING:
    from audition.audit import DataCard
    from audition.preparation import Prepared
    from audition.result import Result


@final
@dataclass(frozen=True, slots=True, eq=False)
class Ready:
    """A study with its log read, audited and everything built: trials can begin."""

    prepared: Prepared
    card: DataCard | None


def see_through(directory: StudyDirectory, study: Study, *, voice: Narrator, as_json: bool) -> None:
    """The whole way: from the settings to the verdict, with everything in the study's folder."""
    directory.keep(study)
    made = ready(study, voice=voice)
    plain = write_down(directory, play(directory, made, voice=voice))
    tell(directory, plain, voice=voice, as_json=as_json)


def forget_failed(directory: StudyDirectory, *, voice: Narrator) -> None:
    """Drop what failed before from the folder, so that it is played again."""
    if directory.trials.is_file():
        with directory.store() as store:
            count = store.forget_failed()
        voice.step(f"{plural(count, 'failure')} will be played again")


def tell(
    directory: StudyDirectory, plain: dict[str, Any], *, voice: Narrator, as_json: bool
) -> None:
    """Give the verdict: for people, and with --json for programs too."""
    if as_json:
        answer(plain)
    if not (as_json and isinstance(voice, Silent)):
        verdict.show(plain, err=as_json)
    if plain["failures"]:
        again = f"audition run {shlex.quote(str(directory.path))} --retry-failed"
        voice.step(f"If failures were the machine's (no memory, a lost worker), run: {again}")
    voice.step(f"The report is {directory.report}; the same for programs is {directory.selection}.")


def ready(study: Study, *, voice: Narrator) -> Ready:
    """Read and audit the log, fit the simulators, build the candidates."""
    from audition.preparation import prepare
    from audition.study_log import study_log

    found = study_log(study)
    voice.step(f"{label(os.path.normpath(study.log.path))}: {log_said(found.log)}")
    if found.card is not None:
        for finding in found.card.findings:
            if finding.level == "warn":
                voice.step(f"warning: {label(finding.message)}")
    found.refuse()
    prepared = prepare(study, found.log)
    voice.step(label(prepared.family_sentence))
    for warning in dict.fromkeys(prepared.warnings):
        voice.step(f"warning: {label(warning)}")
    voice.step(contest_said(prepared))
    return Ready(prepared, found.card)


def play(directory: StudyDirectory, made: Ready, *, voice: Narrator) -> Result:
    """Play what the folder does not hold yet, and judge."""
    from audition.conduct import conduct
    from audition.evaluation import Stop

    stop = Stop()
    with directory.store() as store, executor(made.prepared) as workers, stoppable(stop), voice:
        try:
            return conduct(
                made.prepared,
                card=made.card,
                store=store,
                executor=workers,
                progress=lambda rule, now: voice.progress(verdict.title(rule), now),
                stop=stop,
            )
        except Interrupted as error:
            again = f"audition run {shlex.quote(str(directory.path))}"
            raise Interrupted(f"{error}. Run it on with: {again}") from error


def recall(directory: StudyDirectory, made: Ready) -> Result:
    """Judge a study that was played to its end; nothing is played."""
    from audition.conduct import conduct
    from audition.evaluation import Stop

    stop = Stop()
    stop.request()
    with directory.store() as store:
        try:
            return conduct(made.prepared, card=made.card, store=store, stop=stop)
        except Interrupted as error:
            raise StoreError(
                f"the study in {directory.path} is not finished (or its log has changed since); "
                f"finish it first: audition run {shlex.quote(str(directory.path))}"
            ) from error


def write_down(directory: StudyDirectory, result: Result) -> dict[str, Any]:
    """Write what was found into the folder; the document is given back."""
    from audition.document import text
    from audition.report import report_html

    plain = result.to_plain()
    write(directory.selection, text(plain))
    write(directory.report, report_html(result))
    return plain


def log_said(log: Any) -> str:
    """A log in one line."""
    from audition.log import Log

    if not isinstance(log, Log):
        return f"{plural(log.units, 'episode')}, {plural(int(log.lengths.sum()), 'step')}"
    counts = ", ".join(
        f"{label(name)} {count:,}" for name, count in zip(log.arm_names, log.counts, strict=True)
    )
    clusters = "" if log.clusters is None else f", {plural(log.units, 'cluster')}"
    return f"{plural(log.rows, 'row')}{clusters}, {plural(len(log.arm_names), 'arm')} ({counts})"


def contest_said(prepared: Prepared) -> str:
    """Who auditions where, in one line."""
    ensemble = prepared.ensembles[UNCERTAINTY_AWARE]
    runs = prepared.replications[UNCERTAINTY_AWARE]
    unit = "round" if prepared.family.reads == "bandit" else "training step"
    return (
        f"{plural(len(prepared.candidates), 'candidate')} in {plural(ensemble.size, 'simulator')} "
        f"({label(ensemble.name)}), {plural(runs, 'run')} each of "
        f"{plural(prepared.study.horizon, unit)}"
    )


def executor(prepared: Prepared) -> AbstractContextManager[Any]:
    """What runs trials that no engine plays; engines need none."""
    from audition.conduct import compiled

    if compiled(prepared):
        return nullcontext()
    from audition import plugins

    running = prepared.study.running
    name = "processes" if running.executor == "auto" else running.executor
    registry = plugins.discover(allow_code=prepared.study.allow_code)
    made: AbstractContextManager[Any] = registry.make(
        "executors", name, {"workers": running.workers} if running.workers else {}
    )
    return made
