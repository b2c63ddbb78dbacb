"""One deployment: a learner in one world, its runs side by side, played anywhere.

A deployment is a value. It can be played where it is, or packed into bytes, sent to another
process or machine, and played there: what comes back is the same. A learner that breaks is an
answer too: its runs have a reason instead of scores. A package that is missing is no answer of the
learner's: it is a fault of the study on this machine.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, final

import msgspec
import numpy as np
from numpy.typing import NDArray

from audition.allocation import Span
from audition.episode_world import EpisodeOutcome, Frames
from audition.errors import PluginError
from audition.family import Family, Opening
from audition.learner import LEARNER_PURPOSE, Learner
from audition.objective import Objective
from audition.portable import Portable
from audition.seeds import Draws, Lanes
from audition.simulator import Simulator

FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Deployment:
    """A learner, and for each of its cells a simulator, an address of randomness and a span."""

    learner: Learner
    family: Family
    simulators: tuple[Simulator, ...]  # [cell]
    addresses: tuple[int, ...]  # [cell]
    spans: tuple[Span, ...]  # [cell]
    horizon: int
    seed: int
    objectives: tuple[Objective, ...]

    @property
    def lanes(self) -> Lanes:
        """Where the randomness of every run lives, cell by cell."""
        counts = [span.count for span in self.spans]
        replications = np.concatenate([np.asarray(span.numbers) for span in self.spans])
        return Lanes(replications, np.repeat(np.asarray(self.addresses, dtype=np.int64), counts))

    def opening(self) -> Opening:
        """How its world is opened."""
        return Opening(
            self.lanes, self.horizon, self.seed, checkpoints(self.objectives, self.horizon)
        )


@final
class Curve(msgspec.Struct, frozen=True):
    """How a learner learned: what recent training episodes gave, and stills of what it does."""

    steps: tuple[int, ...]
    value: tuple[float, ...]
    frames: Frames = ()


@final
class Answer(msgspec.Struct, frozen=True):
    """What came of a deployment, run by run in the order of its lanes."""

    scores: tuple[tuple[float, ...], ...] = ()  # [objective][run]
    reasons: tuple[str, ...] = ()  # [run] why it has no score; empty where it has
    curves: tuple[Curve, ...] = ()  # [run]; none for worlds without episodes
    broke: str = ""  # why the learner broke, taking all of its runs along
    fault: str = ""  # what in the study itself is wrong, whatever the learner


def checkpoints(objectives: Sequence[Objective], horizon: int) -> tuple[int, ...]:
    """The rounds after which some objective needs to see the world; the last is the horizon."""
    marks = {mark for objective in objectives for mark in objective.checkpoints(horizon)}
    return tuple(sorted(marks | {horizon}))


def play(deployment: Deployment) -> Answer:
    """Deploy the learner and score what happened."""
    opening = deployment.opening()
    runs = [span.count for span in deployment.spans]
    lanes = [s for s, n in zip(deployment.simulators, runs, strict=True) for _ in range(n)]
    try:
        world: Any = deployment.family.open(lanes, opening=opening)
        draws = Draws(deployment.seed, LEARNER_PURPOSE, opening.lanes)
        deployment.learner.deploy(world, draws)
        outcome = world.outcome()
    except ImportError as error:  # of this machine, not of the learner
        learner = deployment.learner.name
        return Answer(
            fault=f"the learner {learner!r} cannot be deployed here: {said(error)}; install what "
            "it needs, and run the study on"
        )
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a learner may raise anything
        return Answer(broke=said(error))
    try:
        scores = tuple(
            tuple(scored(objective, outcome).tolist()) for objective in deployment.objectives
        )
    except PluginError as error:
        return Answer(fault=str(error))
    if not isinstance(outcome, EpisodeOutcome):
        return Answer(scores, ("",) * len(lanes))
    return Answer(
        scores,
        outcome.failures,
        tuple(
            Curve(tuple(int(p.steps) for p in lane), tuple(float(p.value) for p in lane), frames)
            for lane, frames in zip_longest(outcome.curves, outcome.rollouts, fillvalue=())
        ),
    )


def scored(objective: Objective, outcome: Any) -> FloatArray:  # [run]
    """The score of every run; an objective that cannot score is the study's fault."""
    try:
        return np.asarray(objective.score(outcome), dtype=np.float64)
    except Exception as error:
        raise PluginError(
            f"the objective {objective.name!r} cannot score this world: {said(error)}; "
            "choose one that fits the family"
        ) from error


def said(error: BaseException) -> str:
    """An error in one line."""
    words = " ".join(str(error).split())
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


class _PackedSimulator(msgspec.Struct, frozen=True):
    family: str
    parameters: dict[str, tuple[tuple[int, ...], bytes]]


class _Packed(msgspec.Struct, frozen=True):
    learner: Portable
    family: Portable
    simulators: tuple[_PackedSimulator, ...]
    addresses: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]
    horizon: int
    seed: int
    objectives: tuple[Portable, ...]


def pack(deployment: Deployment) -> bytes:
    """The deployment as bytes."""
    return msgspec.msgpack.encode(
        _Packed(
            Portable.of(deployment.learner),
            Portable.of(deployment.family),
            tuple(_packed(simulator) for simulator in deployment.simulators),
            deployment.addresses,
            tuple((span.first, span.count) for span in deployment.spans),
            deployment.horizon,
            deployment.seed,
            tuple(Portable.of(objective) for objective in deployment.objectives),
        )
    )


def play_packed(payload: bytes, *, begun: Callable[[], None] | None = None) -> bytes:
    """Play a packed deployment; the answer is bytes too.

    `begun` is called once its plug-ins are made: what a run may take is counted from there.
    """
    try:
        packed = msgspec.msgpack.decode(payload, type=_Packed)
        deployment = Deployment(
            packed.learner.make(),
            packed.family.make(),
            tuple(_unpacked(simulator) for simulator in packed.simulators),
            packed.addresses,
            tuple(Span(*span) for span in packed.spans),
            packed.horizon,
            packed.seed,
            tuple(objective.make() for objective in packed.objectives),
        )
    except Exception as error:  # noqa: BLE001 - a stranger's module may raise anything
        return msgspec.msgpack.encode(
            Answer(fault=f"a worker cannot make the plug-ins of this study: {said(error)}")
        )
    if begun is not None:
        begun()
    return msgspec.msgpack.encode(play(deployment))


def unpack_answer(payload: bytes) -> Answer:
    """The answer that `play_packed` gave."""
    return msgspec.msgpack.decode(payload, type=Answer)


def _packed(simulator: Simulator) -> _PackedSimulator:
    parameters = {
        name: (value.shape, np.ascontiguousarray(value, dtype="<f8").tobytes())
        for name, value in simulator.parameters.items()
    }
    return _PackedSimulator(simulator.family, parameters)


def _unpacked(packed: _PackedSimulator) -> Simulator:
    parameters = {
        name: np.frombuffer(raw, dtype="<f8").reshape(shape).astype(np.float64)
        for name, (shape, raw) in packed.parameters.items()
    }
    return Simulator(packed.family, parameters)
