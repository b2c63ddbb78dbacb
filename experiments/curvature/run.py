"""Proposition regularized1: UA's objective is Plug-In's with a correction for curvature.

At one fit and four sizes of the log: what averaging over the ensemble adds to every candidate's
value, beside half the trace of Hessian times covariance, with the bound on what remains.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import settings
from picture import draw

import plane
from audition.diagnostics import Curvature, curvature, curvature_on_surface
from audition.seeds import stream
from audition.surface import Surface
from audition.surface_grid import Grid
from claims import Call, Finding, main_of, record
from plane import FloatArray, Measured


def main(made: Call) -> None:
    """Expand every candidate's value at the fit, by differences and by regression."""
    findings: list[Finding] = []
    found: dict[str, dict[int, Curvature]] = {}
    told = {}
    for kind in plane.NAMES:
        measured = plane.surface(kind, made)
        found[kind] = {}
        for rows in settings.LOGGED:
            members = ensemble(rows, settings.MEMBERS[made.preset])
            expansion = curvature_on_surface(
                value(measured.surface), fitted=settings.FITTED, parameters=members
            )
            findings += _rows(kind, rows, expansion, measured, members)
            found[kind][rows] = expansion
            told[f"{plane.NAMES[kind]}, T_off = {rows}"] = _direction(expansion, measured.surface)
        made.say(f"{plane.NAMES[kind]}: {len(settings.LOGGED)} sizes of the log")
    draw(found, made)
    record(made, findings, engine=measured.engine, more={"largest direction": told})


def ensemble(rows: int, size: int) -> FloatArray:  # [member, (margin, sd)] the margin has a sign
    """The parametric bootstrap of the fit, for a log of that many rows."""
    truth = np.array(settings.FITTED)
    return plane.fits(truth, size, stream(0, "curvature/members", rows), rows=rows)


def value(surface: Surface) -> Surface:
    """J_T on margins of both signs: smooth where the arms change places, unlike the regret."""
    margins, sds = surface.grid.values
    grid = Grid.of({"margin": np.concatenate([-margins[::-1], margins]), "sd": sds})
    scores = surface.means.reshape(margins.size, sds.size, -1)
    both = np.concatenate([scores[::-1], scores]).reshape(grid.size, -1)
    optimal = plane.HORIZON * np.maximum(grid.points[:, :1], 0.0)
    spread = surface.covariances.reshape(margins.size, sds.size, *surface.covariances.shape[1:])
    covariances = np.concatenate([spread[::-1], spread]).reshape(grid.size, *spread.shape[2:])
    return Surface(
        surface.header, surface.candidates, grid, optimal + both, covariances, surface.replications
    )


def _rows(
    kind: str, rows: int, expansion: Curvature, measured: Measured, members: FloatArray
) -> list[Finding]:
    name = f"{plane.NAMES[kind]}, T_off = {rows}"

    def statistic(surface: Surface) -> FloatArray:
        again = curvature_on_surface(value(surface), fitted=settings.FITTED, parameters=members)
        return np.array([*_line(again), _worst(again)])

    errors = measured.jackknife(statistic)
    slope, correlation = _line(expansion)
    inside = np.abs(expansion.remainder) <= expansion.bound
    plain = -measured.surface.regret_at(np.array(settings.FITTED))[0]
    shares = plane.SHARES[kind]
    picks = {
        "Plug-In": plain,
        "Plug-In with the correction": plain + expansion.drift + expansion.predicted,
        "UA": plain + expansion.actual,
    }
    return [
        Finding(f"{name}: slope of J_UA - J_plug on tr(H Sigma)/2", slope, errors[0]),
        Finding(f"{name}: correlation of the two over candidates", correlation, errors[1]),
        Finding(
            f"{name}: largest remainder over its bound",
            _worst(expansion),
            errors[2],
            "L estimated from the surface;",
        ),
        Finding(f"{name}: share of candidates within the bound", float(inside.mean())),
        Finding(
            f"{name}: slope of the regression's tr(H Sigma)/2 on that of differences",
            _agreement(expansion, measured.surface, members),
        ),
        *(
            Finding(f"{name}: theta/sigma^2 of {rule}", float(shares[int(worth.argmax())]))
            for rule, worth in picks.items()
        ),
    ]


def _line(expansion: Curvature) -> tuple[float, float]:
    """Slope and correlation over candidates, of their differences: a common part moves no choice"""
    step = expansion.actual - expansion.drift
    x, y = expansion.predicted - expansion.predicted.mean(), step - step.mean()
    return float(x @ y / (x @ x)), float(x @ y / np.sqrt((x @ x) * (y @ y)))


def _worst(expansion: Curvature) -> float:
    return float((np.abs(expansion.remainder) / expansion.bound).max())


def _agreement(expansion: Curvature, surface: Surface, members: FloatArray) -> float:
    """How the diagnostic that users have, by regression over members, compares."""
    table, some = value(surface), members[: settings.REGRESSED]
    told = curvature(
        some,
        table.at(some).T,
        fitted=settings.FITTED,
        fitted_scores=table.at(np.array(settings.FITTED))[0],
    )
    x = expansion.predicted - expansion.predicted.mean()
    return float(x @ (told.predicted - told.predicted.mean()) / (x @ x))


def _direction(expansion: Curvature, surface: Surface) -> dict[str, object]:
    """The direction of uncertainty that moves the choice most from Plug-In's to UA's."""
    plain = surface.at(np.array(settings.FITTED))[0]
    first = surface.candidates[int((plain + expansion.actual).argmax())]
    second = surface.candidates[int(plain.argmax())]
    if first == second:
        return {"UA and Plug-In": first}
    largest = expansion.directions(first, second)[0]
    return {
        "UA": first,
        "Plug-In": second,
        "adds to UA's choice": round(largest.contribution, 3),
        "move": {axis: round(step, 4) for axis, step in largest.move.items()},
    }


if __name__ == "__main__":
    main_of(main, __file__, __doc__)
