"""What a study will cost: its trials counted, its time and its room measured on a little of it.

The little is the very work of the study, made small: all candidates in a few of the simulators,
doubled until it takes long enough to be timed. Trials that no engine plays may take minutes each;
of those one candidate of each kind is played over a short horizon, again over the same, which no
longer has to import and compile, and then over longer ones until the time is seen to grow: what
grows is taken to grow with the horizon, the rest to stay. What was measured is thrown away.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Final, final

from audition.conduct import compiled
from audition.ensemble import Ensemble
from audition.evaluation import Evaluation, Failure, evaluate
from audition.learner import Candidate, settings_of
from audition.preparation import Prepared
from audition.store import Store
from audition.study import PLUG_IN, UNCERTAINTY_AWARE

LONG_ENOUGH: Final = 0.5  # seconds that are timed well enough
FEWEST: Final = 8  # simulators to begin with; a single one is kept in smaller blocks than many are
SHORTEST: Final = 1024  # the part of the horizon that a slow learner is first timed over
GROWN: Final = 2.0  # times the shortest trial's, where a longer one's time tells how it grows
PATIENCE: Final = 20.0  # seconds after which a slow learner is not timed over a longer part


@final
@dataclass(frozen=True, slots=True)
class Cost:
    """A study in numbers, before it is run."""

    trials: int  # of both rules' ensembles
    starting: float  # seconds until the first trial: compiling, importing
    seconds: float | None  # for the trials; None where none of them could be timed
    bytes: int
    note: str  # how the time was measured


def cost(prepared: Prepared) -> Cost:
    """Count the trials, and time some."""
    trials = {rule: len(prepared.candidates) * n for rule, n in _runs(prepared).items()}
    with tempfile.TemporaryDirectory() as folder:
        trial = _Trial(prepared, Path(folder))
        paces = trial.fast() if compiled(prepared) else trial.slow()
        room = trial.bytes_per_trial()
    return Cost(
        trials=sum(trials.values()),
        starting=trial.starting,
        seconds=None if paces is None else sum(trials[rule] / paces[rule] for rule in trials),
        bytes=round(room * sum(trials.values())),
        note=trial.note,
    )


def _runs(prepared: Prepared) -> dict[str, int]:
    """Runs of every candidate by rule."""
    return {
        rule: prepared.replications[rule] * ensemble.size
        for rule, ensemble in prepared.ensembles.items()
    }


def _kind(candidate: Candidate) -> tuple[str, ...]:
    """What is timed once: a learner and those of its settings that are words, not amounts.

    A word may name another algorithm, which takes another time; most amounts change little.
    """
    words = (value for value in settings_of(candidate.learner).values() if isinstance(value, str))
    return (candidate.learner.name, *words)


@final
class _Trial:
    """Small evaluations of a study, timed."""

    def __init__(self, prepared: Prepared, folder: Path) -> None:
        self._prepared = prepared
        self._folder = folder
        self._stores = 0
        self._kept = (0, 0)  # bytes, trials
        self.starting = 0.0
        self.note = ""

    def fast(self) -> dict[str, float]:
        """Trials a second, by rule, where an engine plays them."""
        whole = self._prepared.ensembles[UNCERTAINTY_AWARE].size
        size = min(FEWEST, whole)
        first, _ = self._both(size)
        paces: dict[str, float] = {}
        while True:
            took, paces = self._both(size)
            if took >= LONG_ENOUGH or size >= whole:
                break
            size = min(size * 2, whole)
        self.starting = max(first - took / size, 0.0)
        self.note = f"timed on {size} of {whole} simulators"
        return paces

    def slow(self) -> dict[str, float] | None:
        """Trials a second, by rule, for learners that play by themselves; None if they fail."""
        prepared = self._prepared
        kinds = Counter(_kind(candidate) for candidate in prepared.candidates)
        total = 0.0
        for kind, count in kinds.items():
            took = self._one_trial(next(c for c in prepared.candidates if _kind(c) == kind))
            if isinstance(took, Failure):
                self.note = f"the time is not known, for one failed when it was tried: {took.said}"
                return None
            total += took * count
        workers = prepared.study.running.workers or len(os.sched_getaffinity(0))
        pace = len(prepared.candidates) * workers / total
        self.note = f"timed on one short trial of each kind of learner, for {workers} at a time"
        return dict.fromkeys((PLUG_IN, UNCERTAINTY_AWARE), pace)

    def bytes_per_trial(self) -> float:
        """Of the largest evaluation that was kept."""
        taken, trials = self._kept
        return taken / max(trials, 1)

    def _both(self, size: int) -> tuple[float, dict[str, float]]:
        """Play as many runs of both ensembles as `size` simulators have; seconds and paces."""
        prepared = self._prepared
        each = prepared.replications[UNCERTAINTY_AWARE]
        many = prepared.ensembles[UNCERTAINTY_AWARE]
        parts = {
            PLUG_IN: (prepared.ensembles[PLUG_IN], each * size),
            UNCERTAINTY_AWARE: (replace(many, simulators=many.simulators[:size]), each),
        }
        whole, paces = 0.0, {}
        for rule, (ensemble, runs) in parts.items():
            took, _ = self._timed(prepared.candidates, ensemble, runs, prepared.study.horizon)
            paces[rule] = len(prepared.candidates) * each * size / max(took, 1e-6)
            whole += took
        return whole, paces

    def _one_trial(self, candidate: Candidate) -> float | Failure:
        """Seconds of one trial over the whole horizon, from some over a part of it."""
        horizon = self._prepared.study.horizon
        part = short = max(horizon // SHORTEST, 1)
        first = self._alone(candidate, part)
        again = self._alone(candidate, part)
        if isinstance(first, Failure) or isinstance(again, Failure):
            return first if isinstance(first, Failure) else again
        self.starting += max(first - again, 0.0)
        took = spent = again
        while part < horizon and took < max(GROWN * again, LONG_ENOUGH) and spent < PATIENCE:
            part = min(part * 2, horizon)
            found = self._alone(candidate, part)
            if isinstance(found, Failure):
                return found
            took, spent = found, spent + found
        grows = max(took - again, 0.0) / (part - short) if part > short else took / part
        return took + grows * (horizon - part)

    def _alone(self, candidate: Candidate, horizon: int) -> float | Failure:
        """Seconds of one trial in the fitted simulator, or how it failed."""
        fitted = self._prepared.ensembles[PLUG_IN]
        took, found = self._timed((candidate,), fitted, 1, horizon)
        return found.failures[0] if found.failures else took

    def _timed(
        self, candidates: Sequence[Candidate], ensemble: Ensemble, runs: int, horizon: int
    ) -> tuple[float, Evaluation]:
        """Play a little, kept in a file of its own whose size is noted."""
        self._stores += 1
        place = self._folder / f"{self._stores}.sqlite"
        started = perf_counter()
        with Store.open(place) as store:
            empty = place.stat().st_size
            found = self._play(candidates, ensemble, runs, horizon, store)
        took = perf_counter() - started
        self._kept = (max(place.stat().st_size - empty, 0), len(candidates) * ensemble.size * runs)
        return took, found

    def _play(
        self,
        candidates: Sequence[Candidate],
        ensemble: Ensemble,
        runs: int,
        horizon: int,
        store: Store,
    ) -> Evaluation:
        study = self._prepared.study
        return evaluate(
            tuple(candidates),
            ensemble,
            self._prepared.family,
            objectives=self._prepared.objectives,
            horizon=horizon,
            replications=runs,
            seed=study.seed,
            engine=study.running.engine,
            store=store,
        )


__all__ = ["Cost", "cost"]
