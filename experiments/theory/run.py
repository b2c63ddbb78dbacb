"""The theorems seen at work: regret exponents, limits of the selected exploration, the event A.

All of them are limits in the horizon; the rows say between which horizons they were measured, and
the figures show how far there is still to go.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from exponents import exponents
from limits import event, limits
from playing import engine_for

from claims import Call, Finding, main_of, record
from plane import NAMES


def main(made: Call) -> None:
    """Measure the three parts for both learners."""
    findings: list[Finding] = []
    for kind in NAMES:
        findings += exponents(kind, made)
        made.say(f"{NAMES[kind]}: regret exponents")
        findings += limits(kind, made)
        made.say(f"{NAMES[kind]}: limits of the selected exploration")
    findings += event(made)
    record(made, findings, engine=engine_for("ucb", made).version)


if __name__ == "__main__":
    main_of(main, __file__, __doc__)
