"""Where the expansion is made, and how much is logged: the less, the farther the members step."""

from __future__ import annotations

from typing import Final

FITTED: Final = (0.975, 3.0)  # the cell of the surface nearest M*
LOGGED: Final = (25, 50, 100, 400)  # T_off
MEMBERS: Final = {"quick": 1000, "full": 8000}
REGRESSED: Final = 1000  # members that the regression is told; a study has a few hundred
