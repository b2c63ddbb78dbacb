"""The data card in the report: what the log holds, and what the audit makes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

from audition.amounts import amount, percent
from audition.log import Log

if TYPE_CHECKING:
    from audition.result import Result

LEVELS: Final = {"refuse": "refused", "warn": "warning", "note": "note"}


@final
@dataclass(frozen=True, slots=True)
class ArmRow:
    """An arm as it was logged."""

    name: str
    rows: str
    share: str
    mean: str
    spread: str


@final
@dataclass(frozen=True, slots=True)
class Remark:
    """A finding of the audit."""

    level: str
    message: str


@final
@dataclass(frozen=True, slots=True)
class Card:
    """What the report says of the log."""

    summary: str
    reward: str
    arms: tuple[ArmRow, ...]
    remarks: tuple[Remark, ...]


def data_card(result: Result) -> Card:
    """The log in a summary, a table of its arms and the findings, the gravest first."""
    log = result.prepared.log
    found = () if result.card is None else result.card.findings
    remarks = sorted(
        (Remark(LEVELS[finding.level], finding.message) for finding in found),
        key=lambda remark: list(LEVELS.values()).index(remark.level),
    )
    if not isinstance(log, Log):
        summary = f"{len(log.lengths):,} episodes, {int(log.lengths.sum()):,} steps"
        return Card(summary, "", (), tuple(remarks))
    return Card(_summary(log), log.reward_name, tuple(_arms(log)), tuple(remarks))


def _summary(log: Log) -> str:
    units = "" if log.clusters is None else f", {log.units:,} clusters (drawn again whole)"
    return f"{log.rows:,} rows, {len(log.arm_names)} arms{units}"


def _arms(log: Log) -> list[ArmRow]:
    rows = []
    for arm, name in enumerate(log.arm_names):
        rewards = log.rewards[log.arms == arm]
        rows.append(
            ArmRow(
                name,
                f"{rewards.size:,}",
                percent(rewards.size / max(log.rows, 1)),
                amount(float(rewards.mean())) if rewards.size else "–",
                amount(float(rewards.std(ddof=1)), digits=3) if rewards.size > 1 else "–",
            )
        )
    return rows
