"""A result as a JSON document: what `selection.json` holds and what `--json` prints.

The document holds no clock time and no path of the machine, so the same study gives the same
bytes. Numbers that do not exist are null. `selection.schema.json`, which lies beside this file,
says what each part is.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from importlib.metadata import version
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from audition.learner import Candidate, settings_of
from audition.log import Log
from audition.study import PLUG_IN, UNCERTAINTY_AWARE, to_plain

if TYPE_CHECKING:
    from audition.result import Result
    from audition.selection import Verdict

FORMAT: Final = "audition-selection-1"


def document(result: Result) -> dict[str, Any]:
    """Everything the study found, as plain tables."""
    verdicts = result.selection.verdicts
    plain = {
        "format": FORMAT,
        "version": version("audition"),
        "seed": result.prepared.study.seed,
        "choices": {rule: _choice(result, verdict) for rule, verdict in verdicts.items()},
        "rivals": {rule: list(verdict.rivals) for rule, verdict in verdicts.items()},
        "candidates": [_candidate(result, candidate) for candidate in result.prepared.candidates],
        "comparisons": [_comparison(result, number) for number in _numbered(result)],
        "explanation": list(result.explanation.sentences),
        "drivers": [
            {"property": driver.property, "correlation": driver.correlation}
            for driver in result.explanation.drivers
        ],
        "warnings": list(result.warnings),
        "failures": [_failure(failure) for failure in result.failures],
        "log": log_document(result.prepared.log),
        "card": None if result.card is None else result.card.to_plain(),
        "family": {
            "name": result.prepared.family.name,
            "why": result.prepared.family_sentence,
            "fitted": result.prepared.ensembles[PLUG_IN].simulators[0].to_dict()["parameters"]
            if isinstance(result.prepared.log, Log) and result.prepared.family.name != "empirical"
            else None,
        },
        "ensemble": {
            "name": result.prepared.ensembles[UNCERTAINTY_AWARE].name,
            "size": result.prepared.ensembles[UNCERTAINTY_AWARE].size,
            "digest": result.prepared.ensembles[UNCERTAINTY_AWARE].digest,
        },
        "objective": result.objective,
        "horizon": result.prepared.study.horizon,
        "replications": result.prepared.replications,
        "engine": result.engine,
        "study": _study(result),
    }
    cleaned = finite(plain)
    assert isinstance(cleaned, dict)
    return cleaned


def text(plain: Mapping[str, Any]) -> str:
    """The document as it is written to files: sorted by nothing, indented, ASCII only."""
    return json.dumps(plain, indent=2, allow_nan=False) + "\n"


def schema() -> dict[str, Any]:
    """The JSON schema of the document."""
    loaded = json.loads((files("audition") / "selection.schema.json").read_text("utf-8"))
    assert isinstance(loaded, dict)
    return loaded


def finite(value: Any) -> Any:
    """The same tree with null for numbers that are not finite."""
    if isinstance(value, Mapping):
        return {str(key): finite(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [finite(entry) for entry in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value


def log_document(log: Any) -> dict[str, Any]:
    """What a log is, in a few numbers."""
    if isinstance(log, Log):
        return {
            "digest": log.digest,
            "rows": log.rows,
            "arms": list(log.arm_names),
            "counts": [int(count) for count in log.counts],
            "units": log.units,
        }
    return {
        "digest": log.digest,
        "rows": int(log.lengths.sum()),
        "arms": [],
        "counts": [],
        "units": len(log.lengths),
    }


def _choice(result: Result, verdict: Verdict) -> dict[str, Any]:
    candidate = next(c for c in result.prepared.candidates if c.name == verdict.choice)
    plain: dict[str, Any] = {
        **_named(candidate),
        "worth": float(verdict.worth[verdict.best]),
        "standard_error": float(verdict.standard_error[verdict.best]),
    }
    if result.objective == "regret" and result.prepared.rules[verdict.rule].name == "mean":
        plain["expected_regret"] = -plain["worth"]
    return plain


def _candidate(result: Result, candidate: Candidate) -> dict[str, Any]:
    at = result.prepared.candidates.index(candidate)
    verdicts = result.selection.verdicts
    return {
        **_named(candidate),
        "rules": {
            rule: {
                "worth": float(verdict.worth[at]),
                "standard_error": float(verdict.standard_error[at]),
            }
            for rule, verdict in verdicts.items()
        },
        "failed_trials": sum(verdicts[rule].failed[at] for rule in (PLUG_IN, UNCERTAINTY_AWARE)),
        "best_in": result.explanation.best_in[candidate.name],
        "objectives": {
            name: {rule: float(table.by_member[at].mean()) for rule, table in by_ensemble.items()}
            for name, by_ensemble in result.scores.items()
        },
    }


def _named(candidate: Candidate) -> dict[str, Any]:
    from audition.study import plain_value

    settings = {key: plain_value(v) for key, v in settings_of(candidate.learner).items()}
    return {"candidate": candidate.name, "learner": candidate.learner.name, "settings": settings}


def _numbered(result: Result) -> range:
    return range(len(result.selection.comparisons))


def _comparison(result: Result, number: int) -> dict[str, Any]:
    found = result.selection.comparisons[number]
    return {
        "first": found.first,
        "second": found.second,
        "difference": found.difference,
        "standard_error": found.standard_error,
        "t": found.t,
        "better": found.better,
    }


def _failure(failure: Any) -> dict[str, Any]:
    return {
        "candidate": failure.candidate,
        "member": int(failure.member),
        "reason": failure.reason,
    }


def _study(result: Result) -> dict[str, Any]:
    """The settings, without how and where it was run."""
    plain = to_plain(result.prepared.study)
    plain.pop("running", None)
    plain.pop("log", None)
    plain.pop("allow_code", None)
    return plain
