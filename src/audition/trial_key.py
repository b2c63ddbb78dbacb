"""The key of a trial: a hash of everything its score depends on.

Equal keys mean equal scores, so a study is resumed by looking its keys up. In the key are the
simulator (and through it the log), the family, the candidate with the source of a user's file, the
horizon, the replications and the member that address the randomness, the root seed, the engine
with its version, and the version of what Audition's own words mean. The versions of PyTorch,
Stable-Baselines3 and MuJoCo and the kind of the machine are not in it: where they differ, trainings
of robots have equal keys and scores that differ as two trainings do.
"""

import hashlib
from dataclasses import dataclass
from typing import Final, final

from audition.allocation import Span
from audition.ensemble import Ensemble
from audition.family import Family
from audition.learner import Learner
from audition.objective import Objective
from audition.portable import identity

SEMANTICS: Final = "1"  # raise it when our own learners, families or objectives change a score
WORLD: Final = "world-1"  # the version of worlds that learners play in by themselves
LONE_MEMBER: Final = 2**31 - 1
DIGITS: Final = 32  # 128 bits: a collision among 1e9 keys has probability below 2e-21


def addresses(ensemble: Ensemble) -> tuple[int, ...]:
    """Where each member's randomness lives.

    A single simulator has an address of its own: its replications are not those of member 0, so
    that the errors of Plug-In and of an ensemble are independent.
    """
    return (LONE_MEMBER,) if ensemble.size == 1 else tuple(range(ensemble.size))


@final
@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of one study's trials, from parts that are hashed once."""

    candidates: tuple[bytes, ...]
    members: tuple[bytes, ...]
    spans: tuple[bytes, ...]
    objectives: tuple[bytes, ...]

    @staticmethod
    def of(
        learners: tuple[Learner, ...],
        engines: tuple[str, ...],
        ensemble: Ensemble,
        spans: tuple[Span, ...],
        *,
        family: Family,
        objectives: tuple[Objective, ...],
        horizon: int,
        seed: int,
    ) -> "Keys":
        """The keys of all trials; `engines` are versions, one for every learner."""
        named = identity(family, without=family.fingerprinted)
        about = f"{SEMANTICS}/{horizon}/{seed}/{family.fingerprint}".encode() + named
        return Keys(
            candidates=tuple(
                hashlib.sha256(about + engine.encode() + identity(learner)).digest()
                for learner, engine in zip(learners, engines, strict=True)
            ),
            members=tuple(
                f"/{simulator.digest}/{address}".encode()
                for simulator, address in zip(ensemble.simulators, addresses(ensemble), strict=True)
            ),
            spans=tuple(f"/{span.first}+{span.count}".encode() for span in spans),
            objectives=tuple(b"/" + identity(objective) for objective in objectives),
        )

    def trial(self, candidate: int, member: int, span: int) -> str:
        """The key of one cell, whatever it is judged by."""
        return _hex(self.candidates[candidate] + self.members[member] + self.spans[span])

    def score(self, candidate: int, member: int, span: int, objective: int) -> str:
        """The key of one cell's score by one objective."""
        where = self.candidates[candidate] + self.members[member] + self.spans[span]
        return _hex(where + self.objectives[objective])


def _hex(ink: bytes) -> str:
    return hashlib.sha256(ink).hexdigest()[:DIGITS]
