"""Candidates for somebody who named none: every learner that fits the rewards, over its grid.

A learner proposes its own settings (`Learner.grid`), scaled to the noise of the log. Learners made
for rewards in [0, 1] stay out unless the rewards are known to lie there.
"""

from collections.abc import Iterable
from typing import Final

from audition.learner import Candidate, Hints, Learner

UNIT: Final = ("unit", "binary")  # supports whose rewards lie in [0, 1]


def default_candidates(
    learner_classes: Iterable[type[Learner]], hints: Hints
) -> tuple[Candidate, ...]:
    """All settings worth trying of all learners that fit, in order of name, each only once."""
    found: dict[str, Candidate] = {}
    for cls in sorted(learner_classes, key=lambda cls: (cls.__module__, cls.__qualname__)):
        if cls.needs == "unit" and hints.support not in UNIT:
            continue
        for learner in cls.grid(hints):
            candidate = Candidate.of(learner)
            found.setdefault(candidate.name, candidate)
    return tuple(found.values())


__all__ = ["default_candidates"]
