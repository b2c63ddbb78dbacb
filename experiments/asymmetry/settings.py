"""The sixteen environments, the levels of exploration, and what is spent (app:plane-robust)."""

from __future__ import annotations

from typing import Final

import numpy as np

HORIZON: Final = 5000
MARGINS: Final = (0.25, 0.5, 1.0, 2.0)  # eq:robust-envs
SIGMAS: Final = (1.0, 2.0, 3.0, 5.0)
LEVELS: Final = np.round(np.arange(1, 41) * 0.05, 10)  # c of eq:robust-grid
# Half and twice the best level may leave the paper's grid; these are measured besides.
BEYOND: Final = np.round(np.concatenate([[0.0125, 0.025, 0.0375], np.arange(21, 41) * 0.1]), 10)
REPLICATIONS: Final = {"quick": 400, "full": 40_000}
SEED: Final = 1000  # apart from the seeds of the surfaces
