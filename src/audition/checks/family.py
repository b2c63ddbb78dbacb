"""What a family promises: a fit that is a value, worlds that share their noise, honest means."""

from __future__ import annotations

import json
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from audition.checks import logs
from audition.checks.compiled import family_agrees
from audition.checks.promise import Promise, answers_kindly, tried
from audition.checks.settings import fresh, instance, settings_promises, state
from audition.errors import AuditionError, PluginError
from audition.family import BanditFamily, Family, HasPosterior, Opening
from audition.log import Log
from audition.seeds import Lanes, stream
from audition.simulator import Simulator
from audition.world import BanditWorld

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

HORIZON: Final = 12
LANES: Final = 5
MANY: Final = 4000  # rewards of one arm, in so many rounds of so many lanes
ABREAST: Final = 20
SURE: Final = 5.0  # standard errors; a true statement fails once in two million tries


def family_promises(subject: Any, *, log: Any = None) -> tuple[Promise, ...]:
    """Every promise of a family, kept or broken."""
    family: Family = instance(subject)
    if not isinstance(family, Family):
        raise PluginError(f"a family derives from audition.family.Family; {subject!r} does not")
    if log is None:
        log = _log_for(family)
    promises = settings_promises(family)
    promises += _tried(GENERAL, family, log)
    if isinstance(family, BanditFamily):
        promises += _tried(BANDIT, family, log)
    if isinstance(family, HasPosterior):
        promises += _tried(POSTERIOR, family, log)
    return promises


def _tried(tests: Any, family: Family, log: Any) -> tuple[Promise, ...]:
    return tuple(tried(words, partial(test, family, log)) for words, test in tests)


def _log_for(family: Family) -> Any:
    if family.reads != "bandit":
        raise PluginError(
            f"the {family.name} family reads {family.reads}; give the check a log of yours: "
            "check_family(family, log=log)"
        )
    return logs.example(family.supports if isinstance(family, BanditFamily) else "real")


def _fits(family: Family, log: Any) -> str:
    before = state(family)
    first: Any = fresh(family).fit(log)
    second = fresh(family).fit(log)
    if not isinstance(first, Simulator):
        return (
            f"fit gave a {type(first).__qualname__}; it must give an audition.simulator.Simulator"
        )
    if first.family != family.name:
        return f"fit names the family {first.family!r}, but it is called {family.name!r}"
    if first.digest != second.digest:
        return "two fits to one log differ; a fit must not be random"
    family.fit(log)
    return "" if state(family) == before else "fit changed the family; it must keep nothing"


def _written(family: Family, log: Any) -> str:
    simulator = family.fit(log)
    again = Simulator.from_dict(json.loads(json.dumps(simulator.to_dict())))
    return "" if again.digest == simulator.digest else "it came back from JSON as another one"


def _opens(family: Family, log: Any) -> str:
    world = _world(family, [family.fit(log)] * LANES)
    return "" if world.lanes == LANES else f"{LANES} simulators opened as {world.lanes} lanes"


def _refuses_lost_arm(family: Family, log: Any) -> str:
    return answers_kindly(lambda: family.fit(logs.without_arm(log)))


def _refuses_impossible(family: BanditFamily, log: Any) -> str:
    del log
    wrong = logs.impossible(family.supports)
    if wrong is None:
        return ""
    if said := answers_kindly(lambda: family.fit(wrong)):
        return said
    simulator = _or_none(family, wrong)
    if simulator is not None:
        bad = logs.IMPOSSIBLE[family.supports]
        return f"it gives {family.supports} rewards, but was fitted to a log with {bad:g} in it"
    return ""


def _or_none(family: Family, log: Any) -> Simulator | None:
    try:
        return family.fit(log)
    except AuditionError:
        return None


def _common_noise(family: BanditFamily, log: Any) -> str:
    simulators = [family.fit(log)] * LANES
    arms = len(log.arm_names)
    first = _rewards(family, simulators, _turns(arms, 1))
    if (first != _rewards(family, simulators, _turns(arms, 1))).any():
        return "the same pulls in the same world paid otherwise the second time"
    other = _turns(arms, 2)
    same = (other == _turns(arms, 1))[:, None] & np.ones(LANES, dtype=bool)
    if (first[same] != _rewards(family, simulators, other)[same]).any():
        return "an arm paid otherwise in a round because other arms were pulled before it"
    return ""


def _lanes(family: BanditFamily, log: Any) -> str:
    fitted = family.fit(log)
    together = _rewards(family, [fitted] * LANES, _turns(len(log.arm_names), 1))
    for lane in (0, LANES - 1):
        alone = _rewards(family, [fitted], _turns(len(log.arm_names), 1), lanes=[lane])
        if (alone[:, 0] != together[:, lane]).any():
            return f"lane {lane} on its own paid otherwise than beside the other lanes"
    if len(log.arm_names) > 1 and (together == together[:, :1]).all():
        return "every replication pays the same; use the draw that reward is given"
    return ""


def _means(family: BanditFamily, log: Any) -> str:
    simulator = family.fit(log)
    for arm, mean in enumerate(family.means(simulator)):
        paid = _many(family, simulator, arm)
        error = SURE * float(paid.std()) / MANY**0.5
        if not abs(float(paid.mean()) - mean) <= error + 1e-9 * abs(mean):
            return (
                f"arm {arm} says its mean is {mean:.4g}, but {MANY} rewards gave {paid.mean():.4g}"
            )
    return ""


def _samples(family: BanditFamily, log: Any) -> str:
    from scipy.stats import ks_2samp

    simulator = family.fit(log)
    arms = np.repeat(np.arange(len(log.arm_names)), MANY)
    drawn = family.sample(simulator, arms, stream(3, "checks/sample"))
    if np.shape(drawn) != arms.shape:
        return f"{arms.size} arms were asked for, but {np.shape(drawn)} rewards came"
    for arm in range(len(log.arm_names)):
        apart = ks_2samp(drawn[arms == arm], _many(family, simulator, arm), method="asymp")
        if apart.pvalue < 1e-6:
            return f"arm {arm}: sample() and reward() do not follow one law"
    return ""


def _likelihood(family: BanditFamily, log: Any) -> str:
    simulator = family.fit(log)
    told = family.log_likelihood(simulator, log)
    if np.shape(told) != (log.rows,):
        return f"one number a row was expected, shape ({log.rows},), but {np.shape(told)} came"
    if np.isnan(told).any() or np.isposinf(told).any():
        return "it holds NaN or plus infinity; a reward that cannot be has minus infinity"
    held = Log.from_arrays(log.arms[::-1], log.rewards, arm_names=log.arm_names)
    other = family.fit(held)
    if not told.sum() >= family.log_likelihood(other, log).sum():
        return "a simulator fitted to shuffled arms explains the log better than the fit to it"
    return ""


def _compiles(family: BanditFamily, log: Any) -> str:
    return family_agrees(family, family.fit(log))


def _posterior(family: HasPosterior, log: Any) -> str:
    first, again = (
        family.posterior(log, size=4, rng=stream(5, "checks/posterior")) for _ in range(2)
    )
    if len(first) != 4:
        return f"4 draws were asked for, but {len(first)} came"
    if [one.digest for one in first] != [one.digest for one in again]:
        return (
            "equal generators gave other draws; draw from the rng that is given, and from it only"
        )
    fewer = family.posterior(log, size=2, rng=stream(5, "checks/posterior"))
    if [one.digest for one in fewer] != [one.digest for one in first[:2]]:
        return "its first draws changed when more were asked for; draw one after the other"
    return "" if len({one.digest for one in first}) == 4 else "its draws are all the same"


def _world(family: Family, simulators: list[Simulator], lanes: list[int] | None = None) -> Any:
    numbers = list(range(len(simulators))) if lanes is None else lanes
    return family.open(
        simulators, opening=Opening(lanes=Lanes.of(numbers), horizon=HORIZON, seed=9)
    )


def _turns(arms: int, step: int) -> IntArray:  # [round]
    """Arms in turn, or every other one in turn: both pull arm 0 first, and meet now and then."""
    return (np.arange(HORIZON) * step) % arms


def _rewards(
    family: BanditFamily,
    simulators: list[Simulator],
    turns: IntArray,
    *,
    lanes: list[int] | None = None,
) -> FloatArray:  # [round, lane]
    world = _world(family, simulators, lanes)
    return np.stack([world.pull(np.full(len(simulators), arm)) for arm in turns])


def _many(family: BanditFamily, simulator: Simulator, arm: int) -> FloatArray:
    opening = Opening(lanes=Lanes.of(range(ABREAST)), horizon=MANY // ABREAST, seed=21)
    world: BanditWorld = family.open([simulator] * ABREAST, opening=opening)
    chosen = np.full(ABREAST, arm)
    return np.concatenate([world.pull(chosen) for _ in range(MANY // ABREAST)])


GENERAL: Final = (
    ("its fit is one simulator of its name, the same every time", _fits),
    ("its simulators can be written down and read again", _written),
    ("it opens one lane a simulator", _opens),
)
BANDIT: Final = (
    ("a log without rows of an arm is refused in words", _refuses_lost_arm),
    ("a log with rewards that it cannot give is refused in words", _refuses_impossible),
    ("a reward depends on simulator, replication, round and arm alone", _common_noise),
    ("its lanes are independent of each other", _lanes),
    ("its rewards have the means that it tells", _means),
    ("its samples follow the law of its rewards", _samples),
    ("its likelihood prefers the fit", _likelihood),
    ("its reward is the same compiled and plain", _compiles),
)
POSTERIOR: Final = (("its posterior draws depend on the log and the generator alone", _posterior),)
