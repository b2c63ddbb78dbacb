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
import settings
import two_arms
from numpy.typing import NDArray
from picture import draw
from strategies import NAMES, PAPER, PLUG_IN

from claims import Call, Finding, main_of, record

FloatArray = NDArray[np.float64]
RESAMPLES = 200


def main(made: Call) -> None:
    """Race on two arms, on five, and on the paper's M*."""
    excess, engine = two_arms.race(made)
    findings = _summary("two arms", excess)
    five = five_arms.race(made)
    findings += _summary("five arms", five)
    findings += on_the_plane.race(made)
    races = {"two arms": excess, "five arms": five}
    draw({words: _ends(one) for words, one in races.items()}, made.results / f"{made.preset}.png")
    tables = {words: _breakdown(one) for words, one in races.items()}
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
    return [*found, *_beside_paper(words, excess, NAMES[int(flat.mean(axis=1).argmin())])]


def _beside_paper(words: str, excess: FloatArray, best: str) -> list[Finding]:
    """Ratios to the paper's UA: over all settings, and for every size of the log."""
    found = []
    for rival in dict.fromkeys((PLUG_IN, "posterior, mean", best)):
        for place in (None, *range(excess.shape[4])):
            part = excess if place is None else excess[:, :, :, :, [place]]
            groups = np.moveaxis(part, -1, 1).reshape(len(NAMES), part.shape[-1], -1)
            mean, tail, errors = _against_paper(groups, NAMES.index(rival))
            where = "" if place is None else f", T_off = {settings.LOGGED[place]}"
            said = f"{rival} over that of the paper's UA"
            found += [
                Finding(f"{words}{where}: mean excess of {said}", mean, errors[0]),
                Finding(f"{words}{where}: 95% quantile of {said}", tail, errors[1]),
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


def _ends(excess: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The mean and the 95 % quantile of every strategy's excess."""
    flat = excess.reshape(len(NAMES), -1)
    return flat.mean(axis=1), np.quantile(flat, 0.95, axis=1)


def _breakdown(excess: FloatArray) -> dict[str, dict[str, dict[str, list[float]]]]:
    """Mean and 95 % quantile of every strategy's excess by learner, horizon and size of the log."""
    axes = {"learner": 1, "horizon": 2, "logged": 4}
    return {
        name: {word: _by(excess[i], axis - 1) for word, axis in axes.items()}
        for i, name in enumerate(NAMES)
    }


def _by(values: FloatArray, axis: int) -> dict[str, list[float]]:
    rows = np.moveaxis(values, axis, 0).reshape(values.shape[axis], -1)
    return {
        "mean": [round(float(v), 5) for v in rows.mean(axis=1)],
        "95% quantile": [round(float(v), 5) for v in np.quantile(rows, 0.95, axis=1)],
    }


if __name__ == "__main__":
    main_of(main, __file__, __doc__)
