"""Audition chooses which online learner to deploy, from a limited log.

    from audition import Log, select

    log = Log.from_dataframe(frame, arm="variant", reward="revenue")
    result = select(log, horizon=5000)
    result.choice

Names are loaded when they are first used, so that importing the package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from audition.api import select
    from audition.errors import AuditionError
    from audition.learner import Candidate
    from audition.log import Log
    from audition.result import Result
    from audition.study import Study
    from audition.surface import Surface
    from audition.trajectories import Trajectories

_HOMES = {
    "AuditionError": "audition.errors",
    "Candidate": "audition.learner",
    "Log": "audition.log",
    "Result": "audition.result",
    "Study": "audition.study",
    "Surface": "audition.surface",
    "Trajectories": "audition.trajectories",
    "select": "audition.api",
}

__all__ = [
    "AuditionError",
    "Candidate",
    "Log",
    "Result",
    "Study",
    "Surface",
    "Trajectories",
    "select",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'audition' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
