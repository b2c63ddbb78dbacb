"""The log that a study names: read, audited, and refused where it cannot support a choice."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, final

from audition import plugins
from audition.errors import LogError
from audition.study import LogSource, Study

if TYPE_CHECKING:
    from audition.audit import DataCard


@final
@dataclass(frozen=True, slots=True, eq=False)
class StudyLog:
    """A log with what the audit found in it; a log of trajectories has no card."""

    log: Any
    card: DataCard | None

    def refuse(self) -> None:
        """Raise what the audit refuses, all of it at once."""
        if self.card is not None:
            refuse(self.card)


def study_log(study: Study) -> StudyLog:
    """The log of a study, read as its family reads logs."""
    if reads(study) == "trajectories":
        return StudyLog(_trajectories(study.log), None)
    return bandit_log(study.log)


def bandit_log(source: LogSource) -> StudyLog:
    """The log in a file of one row a decision, audited."""
    from audition.audit import audit
    from audition.readers import read_log

    reading = read_log(source.path, columns=_columns(source))
    return StudyLog(reading.log, audit(reading))


def reads(study: Study) -> str:
    """The kind of log that the study's family reads; `auto` is among the bandit families."""
    if study.family.name == "auto":
        return "bandit"
    registry = plugins.discover(allow_code=study.allow_code)
    return str(registry.find("families", study.family.name).cls.reads)


def refuse(card: DataCard) -> None:
    """Raise what the audit refuses, all of it at once."""
    reasons = [finding.message for finding in card.findings if finding.level == "refuse"]
    if reasons:
        raise LogError("the log cannot support a choice: " + "; ".join(reasons))


def _columns(source: LogSource) -> Any:
    """The same column names, as the readers take them."""
    from audition.columns import ColumnMap

    return ColumnMap(**{item.name: getattr(source, item.name) for item in fields(ColumnMap)})


def _trajectories(source: LogSource) -> Any:
    from audition.trajectory_files import read_trajectories

    return read_trajectories(source.path)
