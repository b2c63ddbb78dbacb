"""The choice, its rivals, how sure it is and why.

Standard errors come from resampling the units of the table (members, or blocks of replications of
a single simulator), the same units for every candidate, so that differences profit from the
common random numbers. A rival is a candidate that the choice cannot be told apart from: its
shortfall is inside a one-sided simultaneous bound over all candidates (max-t bootstrap, with
Student's correction for few units), so that the truly best candidate is missed in about one study
in twenty at most.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, final

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, stdtrit

from audition.course import Failure
from audition.errors import ScoreError
from audition.rule import Rule
from audition.scores import Scores
from audition.seeds import stream

FloatArray = NDArray[np.float64]
RESAMPLES: Final = 500
LEVEL: Final = 0.95
LARGEST: Final = 8.0  # a bound in standard errors beyond which all is certain
MOST_REASONS: Final = 3  # that are told when nobody finished
MOST_UNJUDGED: Final = 5  # that are named one by one


@final
@dataclass(frozen=True, slots=True)
class Panel:
    """A rule and the scores it judges: Plug-In is the mean over the ensemble of one."""

    rule: Rule
    scores: Scores


@final
@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """What one rule says of every candidate."""

    rule: str
    candidates: tuple[str, ...]
    worth: FloatArray  # [candidate]; -inf for a candidate with a failed trial
    standard_error: FloatArray  # [candidate]
    shortfall_error: FloatArray  # [candidate] standard error of worth(choice) - worth(candidate)
    bound: float  # how many such errors a shortfall must exceed to count
    failed: tuple[int, ...]  # [candidate] trials without a score

    @property
    def choice(self) -> str:
        """The candidate of largest worth; the first one on a tie."""
        return self.candidates[self.best]

    @property
    def best(self) -> int:
        """The position of the choice."""
        return int(np.argmax(self.worth))

    @property
    def rivals(self) -> tuple[str, ...]:
        """The candidates that cannot be told apart from the choice, best first."""
        shortfall = self.worth[self.best] - self.worth
        close = shortfall <= self.bound * self.shortfall_error
        order = np.argsort(-self.worth, kind="stable")
        return tuple(self.candidates[i] for i in order if close[i] and i != self.best)

    @property
    def unjudged(self) -> tuple[str, ...]:
        """The candidates that a failed trial leaves without a worth."""
        sound = np.isfinite(self.worth)
        return tuple(name for name, kept in zip(self.candidates, sound, strict=True) if not kept)


@final
@dataclass(frozen=True, slots=True)
class Comparison:
    """The choices of two rules side by side, on common random numbers."""

    first: str
    second: str
    difference: float  # worth of the first rule's choice less the second's, on average
    standard_error: float
    t: float
    better: float  # share of units in which the first rule's choice does better


@final
@dataclass(frozen=True, slots=True, eq=False)
class Selection:
    """Every rule's verdict, and what sets the choices apart."""

    verdicts: Mapping[str, Verdict]
    comparisons: tuple[Comparison, ...]

    @property
    def choices(self) -> dict[str, str]:
        """Rule name to the name of the candidate it chooses."""
        return {name: verdict.choice for name, verdict in self.verdicts.items()}


def choose(
    panels: Mapping[str, Panel], *, seed: int = 0, failures: Sequence[Failure] = ()
) -> Selection:
    """Let every rule judge its scores, and compare the choices of every two rules.

    Two choices are compared in the larger ensemble of their rules, the later rule's against the
    earlier one's; those against the first rule come first. The failures are told when there is
    nothing to choose from.
    """
    verdicts = {
        name: judge(name, panel, seed=seed, failures=failures) for name, panel in panels.items()
    }
    comparisons = []
    for earlier, later in combinations(panels, 2):
        tables = (panels[later].scores, panels[earlier].scores)
        widest = max(tables, key=lambda scores: scores.members)
        if widest.units.shape[1] > 1:
            comparisons.append(compare(verdicts[later], verdicts[earlier], widest))
    return Selection(verdicts, tuple(comparisons))


def judge(name: str, panel: Panel, *, seed: int = 0, failures: Sequence[Failure] = ()) -> Verdict:
    """One rule's worth of every candidate, with its errors and the bound on rivals."""
    scores = panel.scores
    eligible = scores.eligible
    if not eligible.any():
        raise ScoreError(
            f"no candidate finished all of its trials, so rule {name!r} has nothing to choose "
            f"from; mend or drop the candidates that crash{_reasons(failures)}"
        )
    sound = scores.subset(eligible)
    worth = panel.rule.worth(sound.by_member)
    rng = stream(seed, "verdict", *name.encode())
    drawn = np.stack(
        [panel.rule.worth(table) for table in sound.resamples(rng, size=RESAMPLES)]
    )  # [resample, candidate]
    best = int(np.argmax(worth))
    shortfall = drawn[:, [best]] - drawn
    units = sound.units.shape[1]
    shortfall_error = _error(shortfall, units)
    return Verdict(
        rule=name,
        candidates=scores.candidates,
        worth=_spread(worth, eligible, -np.inf),
        standard_error=_spread(_error(drawn, units), eligible, np.nan),
        shortfall_error=_spread(shortfall_error, eligible, 0.0),
        bound=_bound(shortfall, worth[best] - worth, shortfall_error, units=units),
        failed=tuple(int(count) for count in scores.failed),
    )


def compare(first: Verdict, second: Verdict, scores: Scores) -> Comparison:
    """The paired difference of two rules' choices over the units of one table.

    Units in which either choice failed are left out.
    """
    units = scores.units
    ours = units[scores.candidates.index(first.choice)]
    theirs = units[scores.candidates.index(second.choice)]
    difference = (ours - theirs)[np.isfinite(ours) & np.isfinite(theirs)]
    if not difference.size:
        missing = float("nan")
        return Comparison(first.rule, second.rule, missing, missing, missing, missing)
    error = float(difference.std(ddof=1) / np.sqrt(difference.size)) if difference.size > 1 else 0.0
    mean = float(difference.mean())
    return Comparison(
        first=first.rule,
        second=second.rule,
        difference=mean,
        standard_error=error,
        t=mean / error if error > 0.0 else 0.0,
        better=float((difference > 0.0).mean()),
    )


def unjudged_said(names: Sequence[str]) -> str:
    """Which candidates are no part of the comparison, and why; the same words everywhere."""
    more = len(names) - MOST_UNJUDGED
    named = ", ".join(names[:MOST_UNJUDGED]) + (f" and {more} more" if more > 0 else "")
    return f"Not judged, for a trial of theirs failed: {named}."


def _reasons(failures: Sequence[Failure]) -> str:
    """Different reasons, each with the first candidate that gave it."""
    first: dict[str, str] = {}
    for failure in failures:
        first.setdefault(failure.reason, failure.said)
    told = list(first.values())[:MOST_REASONS]
    more = [f"{len(first) - len(told)} more"] if len(first) > len(told) else []
    return ": " + "; ".join([*told, *more]) if told else ""


def _error(drawn: FloatArray, units: int) -> FloatArray:
    """Standard errors from resamples [resample, candidate]; these are too alike by (n - 1) / n.

    A single unit says nothing of its error, which is then without bound: all are rivals.
    """
    if units < 2:
        return np.full(drawn.shape[1], np.inf)
    return np.asarray(drawn.std(axis=0, ddof=1) * np.sqrt(units / (units - 1)))


def _bound(drawn: FloatArray, shortfall: FloatArray, error: FloatArray, *, units: int) -> float:
    moving = error > 0.0
    if units < 2 or not moving.any():
        return 1.0
    studentised = (drawn[:, moving] - shortfall[moving]) / error[moving]
    normal = float(np.quantile(studentised.max(axis=1), LEVEL))
    # the error itself is estimated from so many units: the same tail under Student's law
    return float(stdtrit(units - 1, ndtr(min(normal, LARGEST))))


def _spread(values: FloatArray, eligible: NDArray[np.bool_], missing: float) -> FloatArray:
    full = np.full(eligible.shape, missing)
    full[eligible] = values
    return full
