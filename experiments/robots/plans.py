"""Which runs an experiment wants, the most wanted first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from robots.lattice import PAPER, Lattices
from robots.runs import Learner, Run, on_truth
from robots.settings import COMPARED, DEFAULT_WEIGHTS, ROBOTS, Budget, Theta, candidates

BOTH: Final[tuple[Learner, ...]] = ("lockstep", "sb3")
ROW_SEEDS: Final = 8  # of the row theta_fwd = 1, both learners side by side
ROW_LATTICE_SEEDS: Final = 3  # of that row at a point of the lattice


def equivalence(budget: Budget, learners: Sequence[Learner] = BOTH) -> list[Run]:
    """Both learners on M* at three weight vectors of each robot."""
    return [
        on_truth(robot, theta, seed, learner, budget)
        for learner in learners
        for seed in range(budget.compared_seeds)
        for robot in ROBOTS
        for theta in COMPARED
    ]


def truth_row(budget: Budget, learners: Sequence[Learner] = BOTH) -> list[Run]:
    """The row theta_fwd = 1 of both truth tables."""
    return [
        on_truth(robot, (1.0, 1.0, control), seed, learner, budget)
        for learner in learners
        for seed in range(ROW_SEEDS)
        for robot in ROBOTS
        if seed < budget.truth_seeds[robot]
        for control in budget.control
    ]


def truth(budget: Budget, learners: Sequence[Learner] = ("lockstep",)) -> list[Run]:
    """Every candidate on M*."""
    return [
        on_truth(robot, theta, seed, learner, budget)
        for learner in learners
        for seed in range(max(budget.truth_seeds.values()))
        for robot in ROBOTS
        if seed < budget.truth_seeds[robot]
        for theta in candidates(robot, budget)
    ]


def thresholds(budget: Budget, learners: Sequence[Learner] = ("lockstep",)) -> list[Run]:
    """The default weights on M*, with more evaluation episodes than elsewhere."""
    seeds, episodes = budget.calibration
    return [
        replace(on_truth(robot, DEFAULT_WEIGHTS, seed, learner, budget), episodes=episodes)
        for learner in learners
        for seed in range(seeds)
        for robot in ROBOTS
    ]


def surface(
    budget: Budget, learners: Sequence[Learner] = ("lockstep",), lattices: Lattices = PAPER
) -> list[Run]:
    """Every candidate at every point of the lattices, the paper's if none are named."""
    return [
        Run(robot, point, theta, seed, learner, budget.steps, budget.episodes)
        for learner in learners
        for seed in range(budget.lattice_seeds)
        for (robot, _), lattice in lattices.items()
        for point in lattice.points
        for theta in candidates(robot, budget)
    ]


def surface_row(
    budget: Budget, learners: Sequence[Learner] = ("lockstep",), lattices: Lattices = PAPER
) -> list[Run]:
    """The row theta_fwd = 1 of the surface with its first seeds: the shortest logs first."""
    by_logged = sorted(lattices.items(), key=lambda item: item[0][1])
    return [
        Run(robot, point, theta, seed, learner, budget.steps, budget.episodes)
        for learner in learners
        for (robot, _), lattice in by_logged
        for seed in range(min(ROW_LATTICE_SEEDS, budget.lattice_seeds))
        for point in lattice.points
        for theta in row(robot, budget)
    ]


def row(robot: str, budget: Budget) -> list[Theta]:
    """The candidates whose weight on moving forward is 1."""
    return [theta for theta in candidates(robot, budget) if theta[1] == 1.0]


def blocks_of(runs: Sequence[Run], *, lanes: int) -> list[list[Run]]:
    """Runs as they are trained: the black box one by one, the lock step many side by side.

    A block keeps the place of its first run in the order of wishes.
    """
    open_blocks: dict[tuple[object, ...], list[Run]] = {}
    blocks: list[list[Run]] = []
    for run in dict.fromkeys(runs):
        kind = (run.learner, run.robot, run.steps, run.episodes)
        block = open_blocks.get(kind)
        if run.learner == "sb3" or block is None or len(block) == lanes:
            block = open_blocks[kind] = []
            blocks.append(block)
        block.append(run)
    return blocks


PLANS: Final = {
    "equivalence": equivalence,
    "truth-row": truth_row,
    "truth": truth,
    "thresholds": thresholds,
    "surface-row": surface_row,
    "surface": surface,
}
