"""Why the rules choose as they do: where the members disagree, and what the difference turns on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, final

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from audition.ensemble import Ensemble
from audition.family import BanditFamily, Family
from audition.scores import Scores
from audition.selection import Selection
from audition.study import PLUG_IN, UNCERTAINTY_AWARE

FloatArray = NDArray[np.float64]
LARGEST_PARAMETERS: Final = 64  # a simulator of more numbers than this is not told number by number
NOT_TOLD: Final = ("mean", "means", "rows", "entries")  # told as gaps, or sizes of tables
WORTH_TELLING: Final = 0.2  # smaller rank correlations are not called a reason


@final
@dataclass(frozen=True, slots=True)
class Driver:
    """A property of the members that goes with how much better one choice does than the other."""

    property: str
    correlation: float  # Spearman's, over members


@final
@dataclass(frozen=True, slots=True, eq=False)
class Explanation:
    """What sets the two rules' choices apart, in sentences and in numbers."""

    sentences: tuple[str, ...]
    drivers: tuple[Driver, ...]  # strongest first; empty when the rules agree
    best_in: Mapping[str, float]  # candidate -> share of members in which it does best
    difference: FloatArray  # [member] Uncertainty-Aware's choice less Plug-In's; empty if the same


def explain(
    selection: Selection, scores: Scores, ensemble: Ensemble, *, family: Family
) -> Explanation:
    """Compare Plug-In's choice with Uncertainty-Aware's, member by member."""
    plug_in, aware = selection.choices[PLUG_IN], selection.choices[UNCERTAINTY_AWARE]
    best_in = _best_in(scores)
    if plug_in == aware:
        return Explanation(_agreeing(aware, best_in), (), best_in, np.zeros(0))
    values = scores.by_member
    difference = (
        values[scores.candidates.index(aware)] - values[scores.candidates.index(plug_in)]
    )  # [member]
    drivers = _drivers(difference, member_properties(ensemble, family=family))
    sentences = _differing(selection, difference, drivers)
    return Explanation(sentences, drivers, best_in, difference)


def member_properties(ensemble: Ensemble, *, family: Family) -> dict[str, FloatArray]:
    """Numbers that describe the members, each [member], by a name that people understand."""
    found: dict[str, FloatArray] = {}
    if isinstance(family, BanditFamily):
        means = np.sort(np.stack([family.means(s) for s in ensemble.simulators]), axis=1)
        found["gap between the two best arms"] = means[:, -1] - means[:, -2]
        if means.shape[1] > 2:
            found["gap between the best and the worst arm"] = means[:, -1] - means[:, 0]
    for name, value in ensemble.simulators[0].parameters.items():
        shapes = {simulator.parameters[name].shape for simulator in ensemble.simulators}
        if len(shapes) > 1 or value.size > LARGEST_PARAMETERS or name in NOT_TOLD:
            continue
        table = np.stack([s.parameters[name].ravel() for s in ensemble.simulators])
        if table.shape[1] == 1:
            found[name.replace("_", " ")] = table[:, 0]
        elif isinstance(family, BanditFamily) and value.ndim == 1:
            found[f"mean {name.replace('_', ' ')} over arms"] = table.mean(axis=1)
    return {name: values for name, values in found.items() if np.ptp(values) > 0.0}


def _best_in(scores: Scores) -> dict[str, float]:
    """The share of members that each candidate is best in; ties share."""
    values = np.where(scores.eligible[:, None], scores.by_member, -np.inf)
    top = values == values.max(axis=0, keepdims=True)
    shares = (top / top.sum(axis=0, keepdims=True)).mean(axis=1)
    return {name: float(share) for name, share in zip(scores.candidates, shares, strict=True)}


def _drivers(difference: FloatArray, properties: Mapping[str, FloatArray]) -> tuple[Driver, ...]:
    if difference.size < 3 or np.ptp(difference) == 0.0:
        return ()
    ranks = rankdata(difference)
    found = [
        Driver(name, float(np.corrcoef(ranks, rankdata(values))[0, 1]))
        for name, values in properties.items()
    ]
    return tuple(sorted(found, key=lambda driver: -abs(driver.correlation)))


def _agreeing(choice: str, best_in: Mapping[str, float]) -> tuple[str, ...]:
    share = best_in[choice]
    sentence = (
        f"Both rules choose {choice}. It is the single best candidate in {share:.0%} of the "
        "simulators that the log could have come from"
    )
    other = max((name for name in best_in if name != choice), key=lambda name: best_in[name])
    if best_in[other] > share:
        return (f"{sentence}; {other} is best in {best_in[other]:.0%}, but loses more elsewhere.",)
    return (f"{sentence}; the next is {other} with {best_in[other]:.0%}.",)


def _differing(
    selection: Selection, difference: FloatArray, drivers: tuple[Driver, ...]
) -> tuple[str, ...]:
    plug_in, aware = selection.choices[PLUG_IN], selection.choices[UNCERTAINTY_AWARE]
    wins, losses = difference[difference > 0.0], -difference[difference < 0.0]
    said = [
        f"Plug-In chooses {plug_in}, the best in the one simulator fitted to the log; "
        f"Uncertainty-Aware chooses {aware}, the best on average over "
        f"{difference.size} simulators that the log could have come from."
    ]
    if wins.size and losses.size:
        said.append(
            f"{aware} does better in {wins.size / difference.size:.0%} of them, by "
            f"{wins.mean():.4g} on average, and worse in the others, by {losses.mean():.4g}."
        )
    elif wins.size:
        said.append(f"{aware} does better in all of them that differ, by {wins.mean():.4g}.")
    if drivers and abs(drivers[0].correlation) >= WORTH_TELLING:
        way = "larger" if drivers[0].correlation > 0.0 else "smaller"
        said.append(
            f"Its advantage grows where the {drivers[0].property} is {way} "
            f"(rank correlation {drivers[0].correlation:+.2f} over the simulators)."
        )
    return tuple(said)
