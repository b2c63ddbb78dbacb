"""What a way to make ensembles promises: members that depend on log, seed and number alone."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from audition.checks import logs
from audition.checks.promise import Promise, answers_kindly, tried
from audition.checks.settings import fresh, instance, settings_promises, state
from audition.ensemble import Ensemble, Resampling
from audition.errors import PluginError
from audition.families.gaussian import Gaussian
from audition.simulator import Simulator

FEW: Final = 5
MORE: Final = 8


def resampling_promises(
    subject: Any, *, family: Any = None, log: Any = None
) -> tuple[Promise, ...]:
    """Every promise of a way to make ensembles, kept or broken."""
    resampling: Resampling = instance(subject)
    if not isinstance(resampling, Resampling):
        raise PluginError(
            f"a way to make ensembles derives from audition.ensemble.Resampling; {subject!r} does "
            "not"
        )
    fitting = Gaussian() if family is None else family
    tried_on = logs.example("real") if log is None else log
    return settings_promises(resampling) + tuple(
        tried(words, partial(test, resampling, fitting, tried_on)) for words, test in TESTS
    )


def _members(resampling: Resampling, family: Any, log: Any) -> str:
    ensemble: Any = resampling.make(family, log, size=FEW, seed=1)
    if not isinstance(ensemble, Ensemble):
        return f"make gave a {type(ensemble).__qualname__}, not an audition.ensemble.Ensemble"
    if ensemble.size not in (1, FEW):  # an ensemble of one, such as Plug-In, stays of one
        return f"{FEW} members were asked for, but {ensemble.size} came"
    if not all(isinstance(one, Simulator) for one in ensemble.simulators):
        return "its members are not all audition.simulator.Simulator"
    strange = {one.family for one in ensemble.simulators} - {family.name}
    return f"its members are of {', '.join(strange)}, not of {family.name}" if strange else ""


def _repeats(resampling: Resampling, family: Any, log: Any) -> str:
    digests = {_digests(fresh(resampling), family, log, seed=1, size=FEW) for _ in range(2)}
    return "" if len(digests) == 1 else "the same seed gave other members"


def _seeds(resampling: Resampling, family: Any, log: Any) -> str:
    if resampling.make(family, log, size=FEW, seed=1).size == 1:
        return ""
    if _digests(resampling, family, log, seed=1, size=FEW) == _digests(
        resampling, family, log, seed=2, size=FEW
    ):
        return "another seed gave the same members"
    return ""


def _apart(resampling: Resampling, family: Any, log: Any) -> str:
    ensemble = resampling.make(family, log, size=FEW, seed=1)
    different = len({one.digest for one in ensemble.simulators})
    return "" if different == ensemble.size else f"of {FEW} members only {different} differ"


def _prefix(resampling: Resampling, family: Any, log: Any) -> str:
    few = _digests(resampling, family, log, seed=1, size=FEW)
    more = _digests(resampling, family, log, seed=1, size=MORE)
    if more[: len(few)] != few:
        return (
            "member i changed when more members were asked for; draw each from "
            "audition.ensemble.member_stream(seed, name, i)"
        )
    return ""


def _keeps_nothing(resampling: Resampling, family: Any, log: Any) -> str:
    before = state(resampling)
    first = _digests(resampling, family, log, seed=1, size=FEW)
    resampling.make(family, logs.rare_arm(logs.example("real")), size=2, seed=3)
    if state(resampling) != before or _digests(resampling, family, log, seed=1, size=FEW) != first:
        return "making one ensemble changed the next one"
    return ""


def _rare(resampling: Resampling, family: Any, log: Any) -> str:
    return answers_kindly(lambda: resampling.make(family, logs.rare_arm(log), size=FEW, seed=1))


def _lost(resampling: Resampling, family: Any, log: Any) -> str:
    return answers_kindly(lambda: resampling.make(family, logs.without_arm(log), size=FEW, seed=1))


def _digests(
    resampling: Resampling, family: Any, log: Any, *, seed: int, size: int
) -> tuple[str, ...]:
    made = resampling.make(family, log, size=size, seed=seed)
    return tuple(one.digest for one in made.simulators)


TESTS: Final = (
    ("it makes as many members as were asked for, of the family it was given", _members),
    ("the same seed gives the same members", _repeats),
    ("another seed gives other members", _seeds),
    ("its members differ from each other", _apart),
    ("member i depends on the seed and on i alone", _prefix),
    ("it keeps nothing from one ensemble to the next", _keeps_nothing),
    ("a log with a single row of an arm is no crash", _rare),
    ("a log without rows of an arm is refused in words", _lost),
)
