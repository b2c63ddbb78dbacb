"""A look at the log before anything is fitted to it: the data card.

Every finding says what it means for the choice, and whether Audition refuses, warns or goes on.
Tests keep their stated level on a sound log: independent units, one law of rewards throughout.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from audition.audit import arms, clusters, drift, propensities, rewards, rows
from audition.audit.card import LEVELS, NOTE, REFUSE, WARN, ArmCard, ClusterCard, DataCard, Finding
from audition.audit.subject import FloatArray, Subject, subject_of
from audition.family import support_of
from audition.log import Log
from audition.readers.rows import Reading

__all__ = ["NOTE", "REFUSE", "WARN", "ArmCard", "ClusterCard", "DataCard", "Finding", "audit"]

_CONCERNS: Final = (arms, rewards, rows, clusters, propensities, drift)


def audit(log: Log | Reading) -> DataCard:
    """The data card of a log, or of a log as it was read from a file."""
    subject = subject_of(log)
    found = [finding for concern in _CONCERNS for finding in concern.findings(subject)]
    values = subject.log
    return DataCard(
        origin=subject.origin,
        digest=values.digest,
        rows=values.rows,
        file_rows=subject.file_rows,
        dropped=tuple(subject.dropped.items()),
        reward_name=values.reward_name,
        arm_name=values.arm_name,
        support=support_of(values.rewards),
        arms=tuple(_arm(subject, index) for index in range(len(values.arm_names))),
        clusters=clusters.card(subject),
        times=_ends(values.times),
        propensities=_ends(values.propensities),
        context_names=values.context_names,
        findings=tuple(sorted(found, key=lambda finding: LEVELS.index(finding.level))),
    )


def _arm(subject: Subject, arm: int) -> ArmCard:
    log, count = subject.log, int(subject.counts[arm])
    mine = log.arms == arm
    rewards = log.rewards[mine]
    nothing = float("nan")
    return ArmCard(
        name=log.arm_names[arm],
        count=count,
        share=count / log.rows if log.rows else nothing,
        mean=float(log.means[arm]),
        standard_deviation=float(np.sqrt(subject.squares[arm] / (count - 1)))
        if count > 1
        else nothing,
        least=float(rewards.min()) if count else nothing,
        greatest=float(rewards.max()) if count else nothing,
        distinct=int(np.unique(rewards).size),
        unrewarded=int(subject.unrewarded[arm]),
        propensity=float(log.propensities[mine].mean())
        if count and log.propensities is not None
        else nothing,
        units=int(subject.units_by_arm[arm]),
    )


def _ends(values: FloatArray | None) -> tuple[float, float] | None:
    return None if values is None or not values.size else (float(values.min()), float(values.max()))
