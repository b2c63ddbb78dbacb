"""The data card in the report: what the log holds, and what the audit makes of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, final

from audition.amounts import amount, percent
from audition.log import Log

if TYPE_CHECKING:
    from audition.audit import ArmCard, DataCard
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
    range: str


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
    log, card = result.prepared.log, result.card
    if card is not None:
        return Card(
            " ".join(_summary(card)),
            card.reward_name,
            tuple(_arm(arm) for arm in card.arms),
            tuple(Remark(LEVELS[found.level], found.message) for found in card.findings),
        )
    if isinstance(log, Log):
        return Card(_counted(log.rows, log.arm_names), log.reward_name, (), ())
    return Card(_episodes(log), "", (), ())


def _summary(card: DataCard) -> Iterator[str]:
    yield _counted(card.rows, [arm.name for arm in card.arms])
    if card.dropped:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in card.dropped)
        yield f"The file held {card.file_rows:,} rows; not used: {reasons}."
    if card.clusters is not None:
        yield (
            f"The rows belong to {card.clusters.number:,} clusters of {card.clusters.smallest:,} "
            f"to {card.clusters.largest:,} rows, which are drawn again whole."
        )
    if card.propensities is not None:
        low, high = (amount(value, digits=2) for value in card.propensities)
        yield f"Logged propensities run from {low} to {high}."
    if card.context_names:
        yield f"{len(card.context_names)} context columns are not used by bandit learners."


def _counted(rows: int, arms: Any) -> str:
    return f"{rows:,} rows, {len(arms)} arms."


def _episodes(log: Any) -> str:
    return f"{len(log.lengths):,} episodes, {int(log.lengths.sum()):,} steps."


def _arm(arm: ArmCard) -> ArmRow:
    return ArmRow(
        name=arm.name,
        rows=f"{arm.count:,}",
        share=percent(arm.share),
        mean=amount(arm.mean),
        spread=amount(arm.standard_deviation, digits=3),
        range=f"{amount(arm.least, digits=3)} to {amount(arm.greatest, digits=3)}"
        if arm.count
        else "–",
    )
