"""The data card: what a log holds, arm by arm, and what that means for a choice made from it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final, final

REFUSE: Final = "refuse"  # Audition stops: no choice can be made from this log
WARN: Final = "warn"  # Audition goes on, and says so beside the choice
NOTE: Final = "note"  # Audition goes on; worth knowing
LEVELS: Final = (REFUSE, WARN, NOTE)


@final
@dataclass(frozen=True, slots=True)
class Finding:
    """One thing about a log, and what it means for the choice."""

    level: str  # one of LEVELS
    code: str  # a word that stays the same when the message is reworded
    message: str


@final
@dataclass(frozen=True, slots=True)
class ArmCard:
    """One arm's rows in numbers; NaN where there is nothing to compute it from."""

    name: str
    count: int
    share: float
    mean: float
    standard_deviation: float  # with one degree of freedom taken by the mean
    least: float
    greatest: float
    distinct: int  # different rewards
    unrewarded: int  # rows of the file that name the arm and have no finite reward
    propensity: float  # mean logged propensity of the rows that chose it
    units: int  # clusters in which it occurs; rows where there are no clusters


@final
@dataclass(frozen=True, slots=True)
class ClusterCard:
    """How the rows spread over the declared clusters."""

    number: int
    smallest: int
    median: float
    largest: int
    effective: float  # equal clusters that would weigh the same: (sum n)^2 / sum n^2
    unlabelled: int  # rows without a cluster, each a unit of its own


@final
@dataclass(frozen=True, slots=True)
class DataCard:
    """A log as one looks at it before trusting it."""

    origin: str
    digest: str
    rows: int  # that count
    file_rows: int  # that the file held
    dropped: tuple[tuple[str, int], ...]  # reason, rows
    reward_name: str
    arm_name: str
    support: str  # the narrowest kind of reward that all are, one of audition.family.SUPPORTS
    arms: tuple[ArmCard, ...]
    clusters: ClusterCard | None
    times: tuple[float, float] | None  # first and last
    propensities: tuple[float, float] | None  # smallest and largest
    context_names: tuple[str, ...]
    findings: tuple[Finding, ...]  # the gravest first

    @property
    def refused(self) -> bool:
        """Whether no choice can be made from the log."""
        return any(finding.level == REFUSE for finding in self.findings)

    def to_plain(self) -> dict[str, Any]:
        """The card as plain tables, without the name of the file; NaN is for the writer to null."""
        plain = asdict(self)
        del plain["origin"]
        plain["dropped"] = dict(self.dropped)
        return plain
