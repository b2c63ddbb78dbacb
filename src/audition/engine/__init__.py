"""Plays bandit rules in many simulators at once: plainly, on CPU lanes, or on a GPU."""

from audition.engine.choosing import Choice, choose
from audition.engine.moments import Moments
from audition.engine.work import Engine, Played, Work

__all__ = ["Choice", "Engine", "Moments", "Played", "Work", "choose"]
