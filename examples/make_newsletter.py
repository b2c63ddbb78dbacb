"""Make examples/newsletter.csv: a synthetic log of five newsletters, 1,000 rows, always the same.

Nobody was written to: users, times and revenues are drawn from the distributions below. The
revenue of a row is Gaussian around the mean of its variant, in cents of profit, so it may be
negative. The logging policy favoured variant A, the incumbent; its probabilities are in the log.
"""

from __future__ import annotations

import csv
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np

ROWS, USERS, SEED = 1000, 620, 20261
MEANS = {"A": 20.0, "B": 23.0, "C": 17.5, "D": 24.5, "E": 22.0}
PROPENSITIES = (0.40, 0.15, 0.15, 0.15, 0.15)
USER_DEVIATION, ROW_DEVIATION = 2.0, 11.0
START, MEAN_GAP_SECONDS = datetime(2025, 3, 3, 8), 600.0


def rows() -> list[dict[str, str]]:
    """The rows of the log, in the order of time."""
    rng = np.random.default_rng(SEED)
    names = list(MEANS)
    users = rng.integers(USERS, size=ROWS)
    tastes = rng.normal(0.0, USER_DEVIATION, size=USERS)
    arms = rng.choice(len(names), size=ROWS, p=PROPENSITIES)
    seconds = np.cumsum(rng.exponential(MEAN_GAP_SECONDS, size=ROWS))
    noise = rng.normal(0.0, ROW_DEVIATION, size=ROWS)
    return [
        {
            "time": (START + timedelta(seconds=int(second))).isoformat(),
            "user": f"u{user:03d}",
            "variant": names[arm],
            "revenue": f"{MEANS[names[arm]] + tastes[user] + deviation:.2f}",
            "propensity": f"{PROPENSITIES[arm]:.2f}",
        }
        for second, user, arm, deviation in zip(seconds, users, arms, noise, strict=True)
    ]


NEWSLETTER = Path(__file__).with_name("newsletter.csv")


def main(path: Path = NEWSLETTER) -> None:
    """Write the file."""
    table = rows()
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(table[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)


if __name__ == "__main__":
    main()
