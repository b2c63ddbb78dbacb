"""What a quantity of the robots' experiments is called, the same in every table."""

from __future__ import annotations

from typing import Final

from robots.settings import NAMES

LEARNERS: Final = {"lockstep": "lock step", "sb3": "Stable-Baselines3"}


def label(preset: str, words: str) -> str:
    """A quantity's name; short training is said so, and so is compared with nothing."""
    return words if preset == "full" else f"short training: {words}"


def cell(robot: str, theta: tuple[float, ...]) -> str:
    """A cell of the truth table: `Hopper (fwd 1, ctrl 0.25)`."""
    return f"{NAMES[robot]} (fwd {theta[1]:g}, ctrl {theta[2]:g})"
