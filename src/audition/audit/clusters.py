"""Whether there are enough clusters, of like enough weight, to stand for what could have been."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from audition.audit.card import NOTE, REFUSE, WARN, ClusterCard, Finding
from audition.audit.subject import Subject

FEW: Final = 30  # the usual least number for errors that are robust to clusters
HEAVY: Final = 0.2  # share of the rows in one cluster


def card(subject: Subject) -> ClusterCard | None:
    """The sizes of the clusters, where there are any."""
    if subject.log.clusters is None or not subject.log.rows:
        return None
    sizes = np.bincount(subject.log.clusters).astype(np.float64)
    return ClusterCard(
        number=int(sizes.size),
        smallest=int(sizes.min()),
        median=float(np.median(sizes)),
        largest=int(sizes.max()),
        effective=float(sizes.sum() ** 2 / (sizes**2).sum()),
        unlabelled=subject.unlabelled,
    )


def findings(subject: Subject) -> Iterator[Finding]:
    """What the clusters allow."""
    found = card(subject)
    if found is None:
        if subject.log.rows:
            yield Finding(
                NOTE,
                "no-clusters",
                "no cluster column is named, so every row is held to be independent of the "
                "others. Where one user or day gives many rows, name it: the log says less than "
                "its rows suggest",
            )
        return
    yield from _number(found)
    if found.largest > HEAVY * subject.log.rows and found.number > 1:
        yield Finding(
            WARN,
            "cluster-heavy",
            f"the largest cluster holds {found.largest / subject.log.rows:.0%} of the rows; the "
            f"clusters weigh as much as {found.effective:.3g} equal ones, and the choice leans on "
            "whether that one is typical",
        )
    if found.unlabelled:
        share = found.unlabelled / subject.log.rows
        yield Finding(
            WARN if share > 0.01 else NOTE,
            "rows-without-cluster",
            f"{found.unlabelled:,} rows ({share:.2%}) have no cluster; each is taken as a unit of "
            "its own, which says too much if they belong together",
        )
    if found.largest == 1:
        yield Finding(
            NOTE,
            "clusters-of-one",
            "every cluster holds one row, so resampling clusters is resampling rows",
        )


def _number(found: ClusterCard) -> Iterator[Finding]:
    if found.number < 2:
        yield Finding(
            REFUSE,
            "one-cluster",
            "all rows belong to one cluster, and a log drawn again from one cluster is the same "
            "log: it cannot show what else could have been. Name a finer cluster, or none",
        )
    elif found.number < FEW:
        narrow = 1.0 - np.sqrt(1.0 - 1.0 / found.number)
        yield Finding(
            WARN,
            "few-clusters",
            f"there are {found.number} clusters. A bootstrap of so few makes errors look at "
            f"least {narrow:.0%} smaller than they are; a choice that depends on them is unsure",
        )
