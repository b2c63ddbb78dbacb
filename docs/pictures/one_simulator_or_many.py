"""Draw what the page "One simulator or many" shows, and measure what it says.

    python docs/pictures/one_simulator_or_many.py      # about a minute on two cores

Writes one-simulator-or-many.png and one-simulator-or-many.json beside the page. The truth is a
bandit of five arms, made up here; logs are drawn from it, and both rules choose from every log. How
much each choice then loses is measured in the truth, which no rule has seen.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from matplotlib.figure import Figure

from audition.ensemble import Ensemble
from audition.evaluation import evaluate
from audition.families.gaussian import Gaussian
from audition.learner import Candidate
from audition.learners.ucb import UCB
from audition.log import Log
from audition.objective import Regret
from audition.seeds import stream
from audition.simulator import Simulator

HERE: Final = Path(__file__).resolve().parents[1] / "explanation"
MEANS: Final = (0.0, 0.25, -0.25, 0.4, 0.2)
TRUTH: Final = Simulator("gaussian", {"mean": np.array(MEANS), "sd": np.asarray(1.0)})
ROWS: Final = 30  # of each arm in a log
HORIZON: Final = 2000
SHARES: Final = np.geomspace(0.02, 2.0, 20)  # exploration, as theta over the variance 1
LINES: Final = 60  # members that are drawn
TOP: Final = 260.0  # regret up to which is drawn
TICKS: Final = (0.02, 0.05, 0.1, 0.2, 0.5, 1, 2)
PLUG_IN, AWARE, INK, FAINT = "#b4500b", "#0b5cad", "#555555", "#9aa7b3"


@dataclass(frozen=True, slots=True)
class Played:
    """What the candidates lose, by log and by simulator."""

    fitted: np.ndarray  # [candidate, log] in the one simulator fitted to the log
    members: np.ndarray  # [candidate, log, member]
    truth: np.ndarray  # [candidate]

    @property
    def plug_in(self) -> np.ndarray:  # [log]
        """The candidate of least regret in the fitted simulator."""
        return self.fitted.argmin(axis=0)

    @property
    def aware(self) -> np.ndarray:  # [log]
        """The candidate of least regret on average over the members."""
        return self.members.mean(axis=2).argmin(axis=0)


def logs(count: int) -> list[Log]:
    """Logs that the truth leaves behind, both arms tried equally often."""
    arms = np.repeat(np.arange(len(MEANS)), ROWS)
    family = Gaussian()
    return [
        Log.from_arrays(
            arms, family.sample(TRUTH, arms, stream(2026, "picture/log", i)), arm_names="ABCDE"
        )
        for i in range(count)
    ]


def played(found: list[Log], *, members: int, runs: int) -> Played:
    """Every candidate in every simulator of every log, and in the truth."""
    family = Gaussian()
    fits = [family.fit(log) for log in found]
    drawn = [
        simulator
        for i, log in enumerate(found)
        for simulator in family.posterior(log, size=members, rng=stream(7, "picture/posterior", i))
    ]
    shape = (SHARES.size, len(found), members)
    return Played(
        fitted=regrets(fits, runs=runs * members),
        members=regrets(drawn, runs=runs).reshape(shape),
        truth=regrets([TRUTH, TRUTH], runs=2**13)[:, 0],
    )


def regrets(simulators: list[Simulator], *, runs: int) -> np.ndarray:  # [candidate, simulator]
    """The regret that each candidate comes to in each simulator, on average over runs."""
    table = evaluate(
        [Candidate.of(UCB(float(share))) for share in SHARES],
        Ensemble("picture", tuple(simulators)),
        Gaussian(),
        objectives=[Regret()],
        horizon=HORIZON,
        replications=runs,
        seed=11,
    )
    return -table.scores["regret"].by_member


def findings(all_of: Played) -> dict[str, float]:
    """What the page says in figures."""
    lost = {name: all_of.truth[getattr(all_of, name)] for name in ("plug_in", "aware")}
    best = float(all_of.truth.min())
    said = {"logs": float(lost["aware"].size), "best_possible": best}
    for name, losses in lost.items():
        said[f"{name}_mean"] = float(losses.mean())
        said[f"{name}_error"] = float(losses.std(ddof=1) / losses.size**0.5)
        said[f"{name}_worst_tenth"] = float(np.sort(losses)[-max(losses.size // 10, 1) :].mean())
    more = all_of.aware - all_of.plug_in
    said["aware_explores_more"] = float((more > 0).mean())
    said["aware_explores_less"] = float((more < 0).mean())
    return {name: round(value, 4) for name, value in said.items()}


def draw(one: Played, place: Path) -> None:
    """Two panels on one scale, from one log: the one simulator, and the many."""
    figure = Figure(figsize=(9.2, 4.1), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    fitted, many = one.fitted[:, 0], one.members[:, 0]
    chosen, aware = int(one.plug_in[0]), int(one.aware[0])
    left.plot(SHARES, fitted, color=PLUG_IN, lw=2.2)
    _mark(left, chosen, fitted[chosen], PLUG_IN, "Plug-In's choice", above=False)
    left.set_title("One simulator, fitted to the log", fontsize=11, loc="left")
    right.plot(SHARES, many[:, :LINES], color=FAINT, lw=0.6, alpha=0.55)
    mean = many.mean(axis=1)
    right.plot(SHARES, mean, color=AWARE, lw=2.4)
    _mark(right, aware, mean[aware], AWARE, "Uncertainty-Aware's choice", above=False)
    _mark(right, chosen, mean[chosen], PLUG_IN, "Plug-In's choice", above=True)
    right.set_title("Many simulators that the log could have come from", fontsize=11, loc="left")
    for axes in (left, right):
        axes.set(xscale="log", ylim=(0, TOP))
        axes.set_xlabel("exploration of UCB (theta, the noise being 1)", color=INK)
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(colors=INK)
        axes.set_xticks(TICKS, [f"{tick:g}" for tick in TICKS])
        axes.minorticks_off()
    left.set_ylabel(f"expected regret over {HORIZON:,} rounds", color=INK)
    figure.savefig(place.with_suffix(".png"), dpi=110)


def _mark(axes: Any, at: int, value: float, colour: str, words: str, *, above: bool) -> None:
    axes.plot(SHARES[at], value, "o", color=colour, ms=8)
    axes.annotate(
        words,
        (SHARES[at], value),
        xytext=(6, 12) if above else (0, -18),
        textcoords="offset points",
        ha="left" if above else "center",
        color=colour,
        fontsize=9,
        fontweight="bold",
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.0},
    )


def main() -> None:
    """Measure, draw, and write the figures down."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--logs", type=int, default=200)
    parser.add_argument("--members", type=int, default=60)
    parser.add_argument("--runs", type=int, default=16, help="of a candidate in each member")
    parser.add_argument("--out", type=Path, default=HERE)
    given = parser.parse_args()
    found = logs(given.logs)
    all_of = played(found, members=given.members, runs=given.runs)
    # drawn is a log that misleads Plug-In as one in ten does; the page says so
    shown = found[int(np.argsort(all_of.truth[all_of.plug_in])[-max(given.logs // 10, 1)])]
    one = played([shown], members=given.members, runs=16 * given.runs)
    draw(one, given.out / "one-simulator-or-many")
    drawn = {
        "drawn_plug_in": round(float(one.truth[one.plug_in[0]]), 4),
        "drawn_aware": round(float(one.truth[one.aware[0]]), 4),
    }
    text = json.dumps({**findings(all_of), **drawn}, indent=1)
    (given.out / "one-simulator-or-many.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
