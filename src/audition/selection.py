"""The choice, its rivals, how sure it is and why.

Standard errors come from resampling the units of the table (members, or blocks of replications of
a single simulator), the same units for every candidate, so that differences profit from the
common random numbers. A rival is a candidate that the choice cannot be told apart from: its
shortfall is inside a one-sided simultaneous bound over all candidates (max-t bootstrap), so the
truly best candidate is missed in at most the stated share of studies.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from audition.errors import ScoreError
from audition.rule import Rule
from audition.scores import Scores
from audition.seeds import stream

FloatArray = NDArray[np.float64]
RESAMPLES: Final = 500
LEVEL: Final = 0.95


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


@final
@dataclass(frozen=True, slots=True)
class Comparison:
    """The choices of two rules side by side, on common random numbers."""

    first: str
    second: str
    difference: float  # of the first rule's choice less the second's, on the second's scores
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


def choose(panels: Mapping[str, Panel], *, seed: int = 0) -> Selection:
    """Let every rule judge its scores, and compare each choice with Plug-In's."""
    verdicts = {name: judge(name, panel, seed=seed) for name, panel in panels.items()}
    first = next(iter(panels))
    comparisons = tuple(
        compare(verdicts[name], verdicts[first], panels[name].scores)
        for name in panels
        if name != first and panels[name].scores.members > 1
    )
    return Selection(verdicts, comparisons)


def judge(name: str, panel: Panel, *, seed: int = 0) -> Verdict:
    """One rule's worth of every candidate, with its errors and the bound on rivals."""
    scores = panel.scores
    eligible = scores.eligible
    if not eligible.any():
        raise ScoreError(
            f"no candidate finished all of its trials, so rule {name!r} has nothing to choose "
            "from; see the failures in the store, or drop the candidates that crash"
        )
    sound = scores.subset(eligible)
    worth = panel.rule.worth(sound.by_member)
    rng = stream(seed, "verdict", *name.encode())
    drawn = np.stack(
        [panel.rule.worth(table) for table in sound.resamples(rng, size=RESAMPLES)]
    )  # [resample, candidate]
    best = int(np.argmax(worth))
    shortfall = drawn[:, [best]] - drawn
    shortfall_error = shortfall.std(axis=0, ddof=1)
    return Verdict(
        rule=name,
        candidates=scores.candidates,
        worth=_spread(worth, eligible, -np.inf),
        standard_error=_spread(drawn.std(axis=0, ddof=1), eligible, np.nan),
        shortfall_error=_spread(shortfall_error, eligible, 0.0),
        bound=_bound(shortfall, worth[best] - worth, shortfall_error),
        failed=tuple(int(count) for count in scores.failed),
    )


def compare(first: Verdict, second: Verdict, scores: Scores) -> Comparison:
    """The paired difference of two choices over the units of one table."""
    units = scores.units
    ours = units[scores.candidates.index(first.choice)]
    theirs = units[scores.candidates.index(second.choice)]
    difference = ours - theirs
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


def _bound(drawn: FloatArray, shortfall: FloatArray, error: FloatArray) -> float:
    moving = error > 0.0
    if not moving.any():
        return 0.0
    studentised = (drawn[:, moving] - shortfall[moving]) / error[moving]
    return float(np.quantile(studentised.max(axis=1), LEVEL))


def _spread(values: FloatArray, eligible: NDArray[np.bool_], missing: float) -> FloatArray:
    full = np.full(eligible.shape, missing)
    full[eligible] = values
    return full
