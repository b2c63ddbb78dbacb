"""What the numbers of a result mean to a reader: a regret to keep small, or a score to make large.

Rules speak of worth, and larger is better. People speak of regret, and smaller is better. Here the
worth of the deciding objective is turned into what is shown, once for every chart and table.

The reach of a candidate is how far its number could be off *against the choice's*: the errors of
differences, on common random numbers, widened so that all candidates hold at once. A candidate
whose reach touches the choice's number is a rival.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

import numpy as np
from numpy.typing import NDArray

from audition.learner import Candidate, describe, settings_of, short
from audition.log import Log
from audition.study import PLUG_IN, UNCERTAINTY_AWARE

if TYPE_CHECKING:
    from audition.result import Result

FloatArray = NDArray[np.float64]
RULES: Final = {PLUG_IN: "Plug-In", UNCERTAINTY_AWARE: "Uncertainty-Aware"}


@final
@dataclass(frozen=True, slots=True)
class Meaning:
    """How the deciding objective is shown."""

    quantity: str  # "regret", as in "expected regret"
    unit: str  # what it is counted in; empty where nobody said
    sign: float  # shown = sign * worth

    @property
    def smaller_is_better(self) -> bool:
        """Whether the reader wants little of it."""
        return self.sign < 0.0

    @property
    def better(self) -> str:
        """Which way is better, in a word."""
        return "less" if self.smaller_is_better else "more"

    @property
    def title(self) -> str:
        """The quantity with its unit."""
        return f"expected {self.quantity}" + (f" ({self.unit})" if self.unit else "")


@final
@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """One rule's numbers of every candidate, as a reader sees them."""

    values: FloatArray  # [candidate]; NaN for a candidate that failed
    errors: FloatArray  # [candidate] Monte-Carlo standard error
    reach: FloatArray  # [candidate] simultaneous 95 % bound on its difference from the choice
    best: int


def meaning(result: Result) -> Meaning:
    """How this result's deciding objective is shown."""
    name = result.objective
    log = result.prepared.log
    unit = log.reward_name if isinstance(log, Log) else ""
    if name == "regret":
        return Meaning("regret", unit, -1.0)
    if name == "reward":
        return Meaning("total reward", unit, 1.0)
    if name.startswith("last-"):
        return Meaning(f"reward of the last {name[5:]} rounds", unit, 1.0)
    return Meaning(name.replace("_", " "), "", 1.0)


def shown(result: Result, rule: str) -> Shown:
    """One of the two averaging rules' numbers, as a reader sees them."""
    verdict = result.verdict(rule)
    sound = np.isfinite(verdict.worth)
    return Shown(
        values=np.where(sound, meaning(result).sign * verdict.worth, np.nan),
        errors=verdict.standard_error,
        reach=np.where(sound, verdict.bound * verdict.shortfall_error, np.nan),
        best=verdict.best,
    )


def plainly_named(candidate: Candidate) -> bool:
    """Whether a candidate is called after its learner and settings, and by nobody's own name."""
    return candidate.name == describe(candidate.learner)


def setting_values(candidate: Candidate) -> str:
    """The values of a candidate's settings, under a heading that says which they are."""
    return ", ".join(short(value) for value in settings_of(candidate.learner).values())


def setting_names(candidate: Candidate) -> str:
    """What a candidate's settings are called."""
    return ", ".join(settings_of(candidate.learner))


def by_learner(result: Result) -> list[list[int]]:
    """Positions of candidates by learner: the learner of the best first, its best first."""
    order = np.argsort(-result.verdict().worth, kind="stable")
    groups: dict[str, list[int]] = {}
    for at in order:
        groups.setdefault(result.prepared.candidates[at].learner.name, []).append(int(at))
    return list(groups.values())
