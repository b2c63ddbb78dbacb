"""What a study found: the choice of every rule, the table behind it, and how it came to be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from audition.explanation import Explanation
from audition.preparation import Prepared
from audition.scores import Scores
from audition.selection import Selection, Verdict
from audition.study import PLUG_IN, UNCERTAINTY_AWARE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from audition.audit import DataCard
    from audition.evaluation import Failure


@final
@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """A finished study; shows itself in notebooks."""

    prepared: Prepared
    card: DataCard | None
    scores: Mapping[str, Mapping[str, Scores]]  # objective -> ensemble -> table
    selection: Selection  # by the first objective
    explanation: Explanation
    failures: tuple[Failure, ...]
    notes: tuple[str, ...]  # one line each: an engine that could not be used, and such
    engine: str
    curves: Mapping[str, Any]

    @property
    def objective(self) -> str:
        """The objective that decides."""
        return self.prepared.objectives[0].name

    @property
    def choice(self) -> str:
        """The candidate that Uncertainty-Aware chooses."""
        return self.selection.choices[UNCERTAINTY_AWARE]

    @property
    def warnings(self) -> tuple[str, ...]:
        """Everything a reader should know before trusting the choice."""
        said = [*self.prepared.warnings, *self.notes]
        if self.card is not None:
            said += [finding.message for finding in self.card.findings if finding.level == "warn"]
        lost = {failure.candidate for failure in self.failures}
        said += [f"{name} failed and cannot be chosen; see failures" for name in sorted(lost)]
        return tuple(dict.fromkeys(said))

    def verdict(self, rule: str = UNCERTAINTY_AWARE) -> Verdict:
        """What one rule says of every candidate."""
        return self.selection.verdicts[rule]

    def table(self, rule: str = UNCERTAINTY_AWARE) -> Scores:
        """The scores that a rule judged, by the first objective."""
        return self.scores[self.objective][PLUG_IN if rule == PLUG_IN else UNCERTAINTY_AWARE]

    def columns(self) -> dict[str, list[Any]]:
        """The table of candidates, best first, as plain columns."""
        order = np.argsort(-self.verdict().worth, kind="stable")
        names = [self.verdict().candidates[i] for i in order]
        columns: dict[str, list[Any]] = {"candidate": names}
        for rule, verdict in self.selection.verdicts.items():
            columns[f"{rule}_worth"] = _plain(verdict.worth[order])
            columns[f"{rule}_standard_error"] = _plain(verdict.standard_error[order])
        columns["rival"] = [name in self.verdict().rivals for name in names]
        columns["failed"] = [self.verdict().failed[i] for i in order]
        return columns

    def to_frame(self) -> Any:
        """The table of candidates as a pandas DataFrame."""
        import pandas

        return pandas.DataFrame(self.columns())

    def to_arrow(self) -> Any:
        """The table of candidates as an Arrow table."""
        import pyarrow

        return pyarrow.table(self.columns())

    def plot(self) -> Figure:
        """The worth of every candidate under both rules, as a matplotlib figure."""
        from audition.charts import worth_figure

        return worth_figure(self)

    def to_plain(self) -> dict[str, Any]:
        """The document that `selection.json` holds."""
        from audition.document import document

        return document(self)

    def _repr_html_(self) -> str:
        from audition.notebook import notebook_html

        return notebook_html(self)


def _plain(values: Sequence[float] | Any) -> list[float | None]:
    return [float(value) if np.isfinite(value) else None for value in values]
