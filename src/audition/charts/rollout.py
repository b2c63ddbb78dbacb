"""What a trained robot does: one evaluation episode of the choice as a few stills, left to right.

Two rows: the choice of Uncertainty-Aware and, where it is another, that of Plug-In, each in the
same simulator. Earlier stills are paler.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from audition.charts import svg
from audition.study import PLUG_IN, UNCERTAINTY_AWARE

if TYPE_CHECKING:
    from audition.evaluation import LearningCurve
    from audition.result import Result

HEIGHT: Final = 120.0  # of a row's drawing
PITCH: Final = HEIGHT + 44.0
PALEST: Final = 0.25
THINNEST: Final = 1.5


def rolled(result: Result) -> dict[str, LearningCurve]:
    """The chosen candidates' first drawn trials, by name: Uncertainty-Aware's choice first."""
    found: dict[str, LearningCurve] = {}
    for rule in (UNCERTAINTY_AWARE, PLUG_IN):
        name = result.selection.choices[rule]
        drawn = [trial for trial in result.curves.get(name, ()) if trial.frames]
        if drawn:
            found.setdefault(name, drawn[0])
    return found


def rollout_picture(result: Result, *, width: float, key: str) -> str:
    """The rows."""
    trials = rolled(result)
    parts: list[str] = []
    for row, (name, trial) in enumerate(trials.items()):
        css = "aware" if name == result.choice else "plug-in"
        parts += _row(name, trial, top=row * PITCH, width=width, css=css)
    return svg.picture(
        parts,
        size=(width, len(trials) * PITCH),
        key=key,
        title="What the trained learner does",
        description="; ".join(_told(name, trial) for name, trial in trials.items()) + ".",
    )


def _row(name: str, trial: LearningCurve, *, top: float, width: float, css: str) -> list[str]:
    frames = trial.frames
    ends = [(x, z, r) for f in frames for x1, z1, x2, z2, r in f for x, z in ((x1, z1), (x2, z2))]
    left = min(x - r for x, _, r in ends)
    right = max(x + r for x, _, r in ends)
    floor = min(z - r for _, z, r in ends)
    roof = max(z + r for _, z, r in ends)
    scale = min((width - 8.0) / max(right - left, 1e-6), HEIGHT / max(roof - floor, 1e-6))
    ground = top + 22.0 + HEIGHT
    title = svg.fitted(f"{name}, simulator {trial.member + 1}", width)
    parts = [svg.text(0, top + 14, title, css="label")]
    for number, frame in enumerate(frames):
        ink = PALEST + (1.0 - PALEST) * (number + 1) / len(frames)
        for x1, z1, x2, z2, radius in frame:
            ends_drawn = (
                4.0 + (x1 - left) * scale,
                ground - (z1 - floor) * scale,
                4.0 + (x2 - left) * scale,
                ground - (z2 - floor) * scale,
            )
            thick = max(2.0 * radius * scale, THINNEST)
            parts.append(svg.limb(*ends_drawn, css=f"limb {css}", thick=thick, ink=ink))
    parts.append(svg.line(0, ground, width, ground, css="axis"))
    travelled = f"{right - left:.3g} m from end to end"
    parts.append(svg.text(width, ground + 14, travelled, css="tick", anchor="end"))
    return parts


def _told(name: str, trial: LearningCurve) -> str:
    first, last = trial.frames[0], trial.frames[-1]
    moved = sum(limb[0] for limb in last) / len(last) - sum(limb[0] for limb in first) / len(first)
    return f"{name} moves {moved:.3g} m in one evaluation episode, in {len(trial.frames)} stills"
