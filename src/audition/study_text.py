"""Study files as people read them: every setting with its default and what it is for."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import date, time
from typing import Any, final

from audition.harmless import harmless
from audition.study import CandidateChoice, Study, to_plain

_BARE = re.compile(r"^[A-Za-z0-9_-]+$")


def commented(study: Study, *, candidates: Sequence[CandidateChoice], found: Sequence[str]) -> str:
    """A study file with comments; `found` says in plain lines what the log looks like."""
    page = _Page()
    page.say("A study: which online learner to deploy, judged in simulators fitted to a log.")
    page.say("`audition plan` says what it costs, `audition run` runs it, and runs on where it")
    page.say("was stopped. Every setting that is left out keeps the default shown here.")
    for line in found:
        page.say(line)
    page.gap()
    page.put("horizon", study.horizon, "rounds that the learner will be deployed for")
    page.put("replications", study.replications, "runs of each candidate in each simulator")
    page.put("seed", study.seed, "the same seed gives the same table, on any number of workers")
    page.put("learners", list(study.learners), "kinds to race over grids of their own")
    page.put("allow_code", list(study.allow_code), "files of your own plug-ins, run as they are")
    _log_table(page, study)
    _family_tables(page, study)
    _judging_tables(page, study)
    _running_table(page, study)
    page.table("candidates", "the learners that audition; `grid` runs through each list")
    page.lines.pop()
    for candidate in candidates:
        page.lines += ["", "[[candidates]]"]
        for key, value in to_plain(candidate).items():  # type: ignore[arg-type]
            page.put(key, value)
    return page.text


def toml(plain: Mapping[str, Any]) -> str:
    """A tree of plain tables as TOML, without comments."""
    page = _Page()
    simple = {k: v for k, v in plain.items() if not _is_table(v) and not _is_tables(v)}
    for key, value in simple.items():
        page.put(key, value)
    for key, value in plain.items():
        if _is_table(value):
            page.lines += ["", f"[{_key(key)}]"]
            for inner, entry in value.items():
                page.put(inner, entry)
        elif _is_tables(value):
            for entry in value:
                page.lines += ["", f"[[{_key(key)}]]"]
                for inner, item in entry.items():
                    page.put(inner, item)
    return page.text


def _log_table(page: _Page, study: Study) -> None:
    log = study.log
    page.table("log", "what was recorded: one row a decision")
    page.put("path", log.path, "CSV, JSON lines, NPZ or Parquet; seen from this file")
    page.put("arm", log.arm, "the column of the arm that was chosen")
    page.put("reward", log.reward, "the column of the reward it gave")
    page.put("propensity", log.propensity, "the probability with which the arm was chosen")
    page.put("cluster", log.cluster, "rows that belong together, such as a user: resampled whole")
    page.put("time", log.time, "when it happened: the audit looks for drift")
    page.put("context", list(log.context), "features; counted, not used by bandit learners")
    page.put("arms", list(log.arms), "the arms there are, when not all of them occur")
    page.put("drop_arms", list(log.drop_arms), "arms to leave out")
    page.put("decimal", log.decimal, 'a "," reads 3,14')


def _family_tables(page: _Page, study: Study) -> None:
    page.table("family", "the kind of simulator; auto: the best held-out likelihood")
    page.put("name", study.family.name)
    page.put("settings", dict(study.family.settings))
    page.put("files", dict(study.family.files), "settings that are paths, seen from this file")
    page.table("ensemble", "simulators that the log could have come from")
    page.put("name", study.ensemble.name, "auto, posterior, parametric, empirical or perturbed")
    page.put("size", study.ensemble.size)
    page.put("settings", dict(study.ensemble.settings))


def _judging_tables(page: _Page, study: Study) -> None:
    page.table("objectives", "the first one decides: auto, regret, reward, or last-K", many=True)
    for number, objective in enumerate(study.objectives):
        if number:
            page.lines += ["", "[[objectives]]"]
        page.put("name", objective.name)
        page.put("settings", dict(objective.settings))
    page.gap()
    page.say("Plug-In and Uncertainty-Aware always judge; others are shown beside them.")
    if not study.rules:
        for line in ("[[rules]]", 'name = "cvar"', "settings = { level = 0.2 }"):
            page.say(line)
    for rule in study.rules:
        page.lines.append("[[rules]]")
        page.put("name", rule.name)
        page.put("settings", dict(rule.settings))


def _running_table(page: _Page, study: Study) -> None:
    running = study.running
    page.table("running", "how it is run; none of it changes what is chosen")
    page.put("engine", running.engine, "auto, plain, cpu or cuda")
    page.put("executor", running.executor, "auto, in_process, processes or ray")
    page.put("workers", running.workers, "0: one for every core")
    page.put("deadline", running.deadline, "seconds a trial may take; 0: no limit")
    page.put("retries", running.retries, "times a crashed trial is tried again")


@final
class _Page:
    """Lines of TOML in the making."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    @property
    def text(self) -> str:
        return "\n".join(self.lines).strip() + "\n"

    def say(self, words: str) -> None:
        """A comment; a line end in a name from the log would end it, so it is spelt."""
        self.lines.append(f"# {harmless(words)}".replace("\n", "\\n"))

    def gap(self) -> None:
        self.lines.append("")

    def table(self, name: str, words: str, *, many: bool = False) -> None:
        self.lines += ["", f"# {words}", f"[[{name}]]" if many else f"[{name}]"]

    def put(self, key: str, value: Any, words: str = "") -> None:
        """One setting; what is not set stands as a comment, to be filled in."""
        remark = f"  # {words}" if words else ""
        if value is None or value in ([], {}):
            blank = {None: '""', "[]": "[]", "{}": "{}"}[value if value is None else str(value)]
            self.lines.append(f"# {_key(key)} = {blank}{remark}")
        else:
            self.lines.append(f"{_key(key)} = {_value(value)}{remark}")


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping)


def _is_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(_is_table(entry) for entry in value)


def _key(key: str) -> str:
    return key if _BARE.match(key) else _value(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_key(str(key))} = {_value(entry)}" for key, entry in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(_value(entry) for entry in value)}]"
    if isinstance(value, float):
        return {"inf": "inf", "-inf": "-inf", "nan": "nan"}.get(repr(value), repr(value))
    if isinstance(value, date | time):
        return value.isoformat()
    return repr(value)
