"""A fair race of rules and ensembles: which way to select leaves the least regret to pay.

Fifteen two-armed and five five-armed truths, three sizes of the log, three horizons, UCB and
Thompson Sampling, one candidate set for all: a rule that ignores the log cannot win.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import five_arms
import numpy as np
import on_the_plane
import two_arms
from numpy.typing import NDArray
from picture import draw
from strategies import NAMES, PAPER, PLUG_IN

from claims import Call, Finding, main_of, record

FloatArray = NDArray[np.float64]
GOAL_MEAN, GOAL_TAIL = 0.10, 0.25  # below the paper's UA: mean excess, and its 95 % quantile
RESAMPLES = 200


def main(made: Call) -> None:
    """Race on two arms, on five, and on the paper's M*."""
    excess, _, engine = two_arms.race(made)
    findings = _summary("two arms", excess)
    five = five_arms.race(made)
    findings += _summary("five arms", five)
    findings += on_the_plane.race(made)
    draw({"two arms": excess, "five arms": five}, made)
    tables = {"two arms": _breakdown(excess), "five arms": _breakdown(five)}
    record(made, findings, engine=engine, more={"by setting": tables})


def _summary(words: str, excess: FloatArray) -> list[Finding]:
    """Mean, spread and tail of the excess of every strategy; the best beside the paper's UA."""
    flat = excess.reshape(len(NAMES), -1)
    groups = np.moveaxis(excess, -1, 1).reshape(len(NAMES), excess.shape[-1], -1)  # by data set
    found = []
    for name, values, grouped in zip(NAMES, flat, groups, strict=True):
        error = float(grouped.mean(axis=1).std(ddof=1) / np.sqrt(grouped.shape[0]))
        found += [
            Finding(f"{words}: mean excess regret, {name}", float(values.mean()), error),
            Finding(f"{words}: variance of the excess, {name}", float(values.var())),
            Finding(
                f"{words}: 95% quantile of the excess, {name}", float(np.quantile(values, 0.95))
            ),
            Finding(
                f"{words}: 99% quantile of the excess, {name}", float(np.quantile(values, 0.99))
            ),
        ]
    best = NAMES[int(flat.mean(axis=1).argmin())]
    for rival in dict.fromkeys((PLUG_IN, "posterior, mean", best)):
        mean, tail, errors = _against_paper(groups, NAMES.index(rival))
        found += [
            Finding(
                f"{words}: mean excess of {rival} over that of the paper's UA", mean, errors[0]
            ),
            Finding(
                f"{words}: 95% quantile of {rival} over that of the paper's UA", tail, errors[1]
            ),
        ]
    return found


def _against_paper(groups: FloatArray, at: int) -> tuple[float, float, FloatArray]:
    """Ratios of mean and of tail to the paper's UA, with errors from resampled data sets."""
    ours, paper = groups[at], groups[NAMES.index(PAPER)]  # each [data set, setting]

    def ratios(rows: NDArray[np.int64]) -> FloatArray:
        return np.array(
            [
                ours[rows].mean() / paper[rows].mean(),
                np.quantile(ours[rows], 0.95) / np.quantile(paper[rows], 0.95),
            ]
        )

    rng = np.random.default_rng(0)
    size = ours.shape[0]
    drawn = np.stack([ratios(rng.integers(size, size=size)) for _ in range(RESAMPLES)])
    mean, tail = ratios(np.arange(size))
    return float(mean), float(tail), drawn.std(axis=0, ddof=1)


def _breakdown(excess: FloatArray) -> dict[str, dict[str, list[float]]]:
    """The mean excess of every strategy by learner, horizon, and size of the log."""
    axes = {"learner": 1, "horizon": 2, "logged": 4}
    return {
        name: {
            word: [
                round(float(v), 5)
                for v in np.moveaxis(excess[i], axis - 1, 0).reshape(excess.shape[axis], -1).mean(1)
            ]
            for word, axis in axes.items()
        }
        for i, name in enumerate(NAMES)
    }


if __name__ == "__main__":
    main_of(main, __file__, __doc__)
