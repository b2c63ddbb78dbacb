"""Lets the log choose its family, by cross-validated held-out likelihood, and says why.

Every family that can hold the rewards is fitted to four fifths of the log and scored on the rest,
in turn; what is held out is a unit (a row, or a declared cluster). Scores share one unit
(`audition.cells`). The best mean wins unless a simpler family is within one standard error of it,
by the paired difference over units; simpler is fewer fitted numbers, then the narrower support.

A held-out reward that a fit calls impossible would end the contest by one row. So every fit is
mixed with one pseudo-row spread evenly over the range of the logged rewards, for scoring only.

The empirical family takes part like any other, its rewards smoothed into a histogram for scoring
only. It has the most fitted numbers, so it is chosen where it beats every parametric family by
more than the noise: rewards of few distinct values, or a large log of a shape that none fits.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from audition import cells, plugins
from audition.errors import ConfigError, FamilyError
from audition.family import SUPPORTS, BanditFamily, require_support, support_of
from audition.log import Log
from audition.seeds import stream

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

MOST_UNITS: Final = 20_000  # cross-validated; families that these cannot tell apart are all alike


@final
@dataclass(frozen=True, slots=True)
class FamilyScore:
    """How well one family foretold rewards that it had not seen."""

    name: str
    log_likelihood: float  # mean per held-out row
    standard_error: float
    behind: float  # the best family's mean less this one's
    behind_error: float  # standard error of that difference, paired by unit
    numbers: int  # how many numbers its fit holds


@final
@dataclass(frozen=True, slots=True)
class FamilyChoice:
    """The family that the log chose, what it was compared with, and why in one sentence."""

    chosen: str
    family: Any
    scores: tuple[FamilyScore, ...]  # best first
    refused: tuple[tuple[str, str], ...]  # name and reason
    sentence: str


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Trained:
    """A family that every fold could be foretold with."""

    family: BanditFamily
    totals: FloatArray  # [unit] held-out log-likelihood
    numbers: int


def choose_family(
    log: Log, *, families: Sequence[BanditFamily] | None = None, folds: int = 5, seed: int = 0
) -> FamilyChoice:
    """The family that best foretells held-out rewards, or a simpler one that does as well."""
    if folds < 2:
        raise ConfigError(f"cross-validation needs at least 2 folds, but was given {folds}")
    splits = _splits(log, folds, seed)
    trained: list[_Trained] = []
    refused: list[tuple[str, str]] = []
    for family in bandit_families() if families is None else families:
        try:
            trained.append(_train(family, log, splits))
        except FamilyError as error:
            refused.append((family.name, str(error)))
    if not trained:
        reasons = "; ".join(f"{name}: {reason}" for name, reason in refused)
        raise FamilyError(f"no family can be fitted to this log ({reasons})")
    rows = max(sum(held.rows for _, held, _ in splits), 1)
    scores = _scores(trained, rows)
    chosen = _simplest(scores, {one.family.name: one.family for one in trained}, log)
    family = next(one.family for one in trained if one.family.name == chosen.name)
    sentence = _sentence(chosen, scores, refused, rows=rows if splits else 0)
    return FamilyChoice(chosen.name, family, scores, tuple(refused), sentence)


def bandit_families() -> list[BanditFamily]:
    """Every built-in family for bandit logs, with its default settings."""
    kinds = [one for one in plugins.discover().of("families") if issubclass(one.cls, BanditFamily)]
    return [plugins.build(one, {}) for one in kinds]


_Split = tuple[Log, Log, IntArray]  # what is fitted, what is held out, the unit of each such row


def _splits(log: Log, folds: int, seed: int) -> list[_Split]:
    """Folds of units; an arm that a fold would leave without rows is kept for fitting there."""
    rng = stream(seed, "family_choice")
    units = rng.permutation(log.units)[:MOST_UNITS]
    unit_of = np.arange(log.rows) if log.clusters is None else log.clusters
    fold_of = np.full(log.units, -1)
    fold_of[units] = np.arange(units.size) % folds
    row_fold = fold_of[unit_of]
    splits = []
    for fold in range(folds):
        held = row_fold == fold
        kept = (row_fold >= 0) & ~held
        lost = np.bincount(log.arms[kept], minlength=len(log.arm_names)) == 0
        kept |= lost[log.arms]
        held &= ~lost[log.arms]
        if held.any():
            splits.append((_rows(log, kept), _rows(log, held), unit_of[held]))
    return splits


def _rows(log: Log, chosen: NDArray[np.bool_]) -> Log:
    return Log.from_arrays(log.arms[chosen], log.rewards[chosen], arm_names=log.arm_names)


def _train(family: BanditFamily, log: Log, splits: list[_Split]) -> _Trained:
    require_support(family, log)
    if family.supports == "logged" and support_of(log.rewards) == "binary":
        raise FamilyError("coin flips follow no law but Bernoulli's, so it could add but noise")
    fitted = family.fit(log)
    numbers = sum(value.size for value in fitted.parameters.values())
    totals = np.zeros(log.units)
    for kept, held, units in splits:
        told = _mixed(family.log_likelihood(family.fit(kept), held), held, kept, log)
        totals += np.bincount(units, weights=told, minlength=log.units)
    seen = np.unique(np.concatenate([units for _, _, units in splits] or [np.arange(0)]))
    return _Trained(family, totals[seen], numbers)


def _mixed(told: FloatArray, held: Log, kept: Log, log: Log) -> FloatArray:
    """The likelihood with one pseudo-row spread over the range of the rewards."""
    reach = float(np.ptp(log.rewards)) + cells.width_of(held.rewards)
    share = 1.0 / (kept.rows + 1.0)
    spread = np.log(share) - np.log(max(reach, 1e-300))
    return np.asarray(np.logaddexp(np.log1p(-share) + told, spread))


def _scores(trained: list[_Trained], rows: int) -> tuple[FamilyScore, ...]:
    best = max(trained, key=lambda one: float(one.totals.sum()))
    scores = []
    for one in trained:
        behind = best.totals - one.totals
        scores.append(
            FamilyScore(
                name=one.family.name,
                log_likelihood=float(one.totals.sum()) / rows,
                standard_error=_error(one.totals) / rows,
                behind=float(behind.sum()) / rows,
                behind_error=_error(behind) / rows,
                numbers=one.numbers,
            )
        )
    return tuple(sorted(scores, key=lambda score: (score.behind, score.numbers, score.name)))


def _error(totals: FloatArray) -> float:
    """The standard error of a sum over independent units."""
    return float(np.std(totals, ddof=1) * np.sqrt(totals.size)) if totals.size > 1 else 0.0


def _simplest(
    scores: Sequence[FamilyScore], families: dict[str, BanditFamily], log: Log
) -> FamilyScore:
    narrowness = ("binary", "count", "unit", "real", "positive", "nonnegative")
    assert set(narrowness) == set(SUPPORTS)
    near = [score for score in scores if score.behind <= score.behind_error]
    return min(
        near,
        key=lambda score: (
            score.numbers,
            narrowness.index(families[score.name].support(log)),
            score.behind,
            score.name,
        ),
    )


def _sentence(
    chosen: FamilyScore,
    scores: Sequence[FamilyScore],
    refused: Sequence[tuple[str, str]],
    *,
    rows: int,
) -> str:
    aside = f" ({len(refused)} could not hold the rewards or be fitted)" if refused else ""
    if not rows:
        return (
            f"{chosen.name} was taken as the simplest family that can be fitted: the log has too "
            f"few rows to hold any out{aside}."
        )
    if len(scores) == 1:
        return f"{chosen.name} is the only family that can be fitted to these rewards{aside}."
    best = scores[0]
    if chosen.name == best.name:
        other = scores[1]
        gap = f"{other.behind:.3g} ± {other.behind_error:.2g}"
        return (
            f"{chosen.name} foretells held-out rewards best of {len(scores)} families: the next, "
            f"{other.name}, has {gap} less log-likelihood a row over {rows:,} rows{aside}."
        )
    return (
        f"{chosen.name} is the simplest family within one standard error of the best, {best.name}: "
        f"{chosen.behind:.3g} ± {chosen.behind_error:.2g} less held-out log-likelihood a row over "
        f"{rows:,} rows{aside}."
    )
