"""Theorem thm:main: what the two rules select as T grows, and the event on which UA's gain is vast.

One fit of the event A: the arm that looks better has a variance below the true one, the other a
variance above it. Plug-In reads the variance of the better arm only; the perturbed ensemble
(eq:perturbed-bandit) also holds members in which the other arm is the better one.
"""

from __future__ import annotations

import matplotlib
import numpy as np
import settings
from playing import FloatArray, bandit, play
from scipy.stats import chi2

from audition.seeds import stream
from audition.simulator import Simulator
from claims import Call, Finding
from plane import NAMES

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import NullFormatter


def limits(kind: str, made: Call) -> list[Finding]:
    """The selected exploration at every horizon, and what it costs in M*."""
    budget = settings.BUDGETS[made.preset]
    fitted = bandit([0.0, -settings.FITTED_MARGIN], settings.FITTED_VARIANCES)
    truth = bandit([0.0, -settings.MARGIN], [settings.SIGMA**2] * 2)
    each = budget.replications // 4
    plug, horizons = _curve(kind, [fitted], made, replications=each)
    aware, _ = _curve(kind, _members(budget.members), made, replications=budget.member_replications)
    deployed, _ = _curve(kind, [truth], made, replications=each)
    chosen = [curve.argmin(axis=0) for curve in (plug, aware)]  # [horizon]
    at = np.arange(horizons.size)
    regrets = [deployed[places, at] for places in chosen]
    growth = np.log(regrets[0]) / np.log(regrets[1])
    thetas = np.array(settings.THETAS)
    _draw(kind, horizons, [thetas[places] for places in chosen], growth, made)
    name, ends = NAMES[kind], (0, horizons.size - 1)
    found = []
    for end in ends:
        when = f"at T = {horizons[end]:,.0f}"
        found += [
            Finding(f"{name}: theta of Plug-In {when}", float(thetas[chosen[0][end]])),
            Finding(f"{name}: theta of UA {when}", float(thetas[chosen[1][end]])),
            Finding(f"{name}: log regret of Plug-In over that of UA {when}", float(growth[end])),
        ]
    return found


def event(made: Call) -> list[Finding]:
    """The probability of A, exactly and by counting data sets, as the log grows."""
    found = []
    for size in settings.LOG_SIZES:
        pulls = size // 2
        below = float(chi2.cdf(pulls - 1, pulls - 1))
        found.append(Finding(f"P(A) at T_off = {size}, exactly q(1 - q)", below * (1.0 - below)))
    size, draws = 25, settings.BUDGETS[made.preset].data_sets
    rng = stream(settings.SEED, "theory/event")
    pulls = size // 2
    means = rng.normal([settings.MARGIN, 0.0], settings.SIGMA / np.sqrt(pulls), (draws, 2))
    variances = rng.chisquare(pulls - 1, (draws, 2)) / (pulls - 1) * settings.SIGMA**2
    best = means.argmax(axis=1)
    rows = np.arange(draws)
    hit = (variances[rows, best] < settings.SIGMA**2) & (
        variances[rows, 1 - best] > settings.SIGMA**2
    )
    share = float(hit.mean())
    error = float(np.sqrt(share * (1.0 - share) / draws))
    return [*found, Finding(f"P(A) at T_off = {size}, counted", share, error)]


def _members(size: int) -> list[Simulator]:
    """The perturbed ensemble of the fit."""
    rng = stream(settings.SEED, "theory/members")
    errors = np.sqrt(np.array(settings.FITTED_VARIANCES) / settings.PULLS_LOGGED)
    moved = np.array([0.0, -settings.FITTED_MARGIN]) + errors * rng.standard_normal((size, 2))
    # Moving both means alike changes no regret; the better arm is put at zero.
    return [bandit(means - means.max(), settings.FITTED_VARIANCES) for means in moved]


def _curve(
    kind: str, simulators: list[Simulator], made: Call, *, replications: int
) -> tuple[FloatArray, FloatArray]:
    """Mean regret [theta, horizon] over the simulators, and the horizons."""
    cells = [
        (theta, simulator, member)
        for member, simulator in enumerate(simulators)
        for theta in settings.THETAS
    ]
    growth = play(kind, cells, made, replications=replications)
    means = growth.means.reshape(len(simulators), len(settings.THETAS), -1)
    return means.mean(axis=0), growth.horizons


def _draw(
    kind: str, horizons: FloatArray, chosen: list[FloatArray], growth: FloatArray, made: Call
) -> None:
    figure, axes = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained")
    for label, thetas, colour in zip(
        ("Plug-In", "UA"), chosen, ("#c44e52", "#2b6ca3"), strict=True
    ):
        axes[0].plot(horizons, thetas, "o-", ms=3, label=label, color=colour)
    for variance in settings.FITTED_VARIANCES:
        axes[0].axhline(variance, ls=":", color="0.4")
    axes[0].axhline(settings.SIGMA**2, lw=0.8, color="0.2")
    axes[0].set(xscale="log", xlabel="horizon T", ylabel="selected theta")
    axes[0].set_title("dotted: the fitted variances; line: the true one")
    axes[0].legend(frameon=False)
    axes[1].plot(horizons, growth, "o-", ms=3, color="0.25")
    axes[1].axhline(1.0, lw=0.8, color="0.2")
    axes[1].set(
        xscale="log", xlabel="horizon T", title="log regret of Plug-In over that of UA, in M*"
    )
    for axis in axes:
        axis.xaxis.set_minor_formatter(NullFormatter())
        axis.grid(alpha=0.25)
    figure.suptitle(f"{NAMES[kind]}: one fit of the event A")
    figure.savefig(made.results / f"{made.preset}-limits-{kind}.png", dpi=120)
    plt.close(figure)
