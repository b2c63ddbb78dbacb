"""Everything that a study needs before its first trial, made from its settings and its log.

The family is chosen (or taken), the ensemble of one and the ensemble of many are fitted, the
candidates and the rules are built. All of it is a function of (settings, log) alone.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, final

import numpy as np

from audition import plugins
from audition.ensemble import Ensemble, Resampling, default_ensemble
from audition.ensembles.plug_in import PlugIn
from audition.episode_objective import MeanReturn
from audition.errors import ConfigError, FamilyError, LogError
from audition.family import BanditFamily, Family
from audition.family_choice import choose_family
from audition.learner import Candidate, Hints, settings_of
from audition.log import Log
from audition.objective import Objective
from audition.rule import Rule
from audition.rules.mean import Mean
from audition.study import PLUG_IN, UNCERTAINTY_AWARE, CandidateChoice, Study


@final
@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A study that is ready to be played."""

    study: Study
    log: Any
    family: Family
    family_sentence: str  # why this family, in plain words
    ensembles: Mapping[str, Ensemble]  # by the rule that made the ensemble its own
    candidates: tuple[Candidate, ...]
    objectives: tuple[Objective, ...]  # the first one decides
    rules: Mapping[str, Rule]  # by name; every one but Plug-In judges the ensemble of many

    @property
    def replications(self) -> dict[str, int]:
        """How often each simulator is played: both ensembles get the same number of trials."""
        each = self.study.replications
        return {PLUG_IN: each * self.ensembles[UNCERTAINTY_AWARE].size, UNCERTAINTY_AWARE: each}

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader should know about how the simulators were made."""
        return self.ensembles[UNCERTAINTY_AWARE].warnings


@final
@dataclass(frozen=True, slots=True)
class Given:
    """Objects that take the place of what the settings name: how a notebook says what it means."""

    family: Family | None = None
    resampling: Resampling | None = None
    candidates: tuple[Candidate, ...] = ()
    rules: tuple[Rule, ...] = ()
    objectives: tuple[Objective, ...] = ()


NOTHING: Final = Given()


def prepare(study: Study, log: Any, *, given: Given = NOTHING) -> Prepared:
    """Fit, build and check everything."""
    registry = plugins.discover(allow_code=study.allow_code)
    family, sentence = _family(study, log, given, registry)
    check_log(log, family)
    objectives = given.objectives or _objectives(study, family)
    resampling = given.resampling or _resampling(study, log, family, registry)
    ensemble = resampling.make(family, log, size=study.ensemble.size, seed=study.seed)
    ensembles = {PLUG_IN: PlugIn().make(family, log), UNCERTAINTY_AWARE: ensemble}
    named = given.candidates or _candidates(study, log, ensembles[PLUG_IN], family, registry)
    check_reward(family, named, objectives)
    return Prepared(
        study=study,
        log=log,
        family=family,
        family_sentence=sentence,
        ensembles=ensembles,
        candidates=_distinct(named),
        objectives=objectives,
        rules=_rules(study, given, registry),
    )


def hints(log: Log, simulator: Any, family: BanditFamily, *, horizon: int) -> Hints:
    """What default settings are scaled to: the fitted noise, the largest gap, the reward range."""
    centred = log.rewards - log.means[log.arms]
    spare = max(log.rows - len(log.arm_names), 1)
    means = family.means(simulator)
    return Hints(
        noise=float(np.sqrt((centred**2).sum() / spare)),
        gap=float(means.max() - means.min()),
        arms=len(log.arm_names),
        horizon=horizon,
        low=float(log.rewards.min()),
        high=float(log.rewards.max()),
        support=family.support(log),
    )


def candidate_choices(candidates: Sequence[Candidate]) -> tuple[CandidateChoice, ...]:
    """Candidates as settings, one table a kind of learner, with what varies as its grid."""
    kinds: dict[str, list[dict[str, Any]]] = {}
    for candidate in candidates:
        kinds.setdefault(candidate.learner.name, []).append(settings_of(candidate.learner))
    return tuple(choice for name, rows in kinds.items() for choice in _gridded(name, rows))


def _gridded(name: str, rows: list[dict[str, Any]]) -> list[CandidateChoice]:
    varying = [key for key in rows[0] if len({repr(row[key]) for row in rows}) > 1]
    fixed = {key: value for key, value in rows[0].items() if key not in varying}
    if len(varying) <= 1:
        grid = {key: tuple(row[key] for row in rows) for key in varying}
        return [CandidateChoice(learner=name, settings=fixed, grid=grid)]
    return [CandidateChoice(learner=name, settings=row) for row in rows]


def _family(study: Study, log: Any, given: Given, registry: plugins.Registry) -> tuple[Family, str]:
    chosen = study.family
    if given.family is not None:
        return given.family, f"The {given.family.name} family was given."
    if chosen.name != "auto":
        settings = {**chosen.settings, **chosen.files}
        family: Family = registry.make("families", chosen.name, settings)
        return family, f"The {family.name} family was asked for."
    if not isinstance(log, Log):
        raise ConfigError(
            "a log of trajectories needs its family named: [family] name = 'mujoco' with the model "
            "and its parameters"
        )
    choice = choose_family(log, seed=study.seed)
    return choice.family, choice.sentence


def _resampling(study: Study, log: Any, family: Family, registry: plugins.Registry) -> Any:
    name = study.ensemble.name
    if name == "auto":
        name = default_ensemble(family, log=log)
    return registry.make("ensembles", name, study.ensemble.settings)


def _candidates(
    study: Study, log: Any, fitted: Ensemble, family: Family, registry: plugins.Registry
) -> tuple[Candidate, ...]:
    if study.candidates:
        return tuple(
            candidate for choice in study.candidates for candidate in _expanded(choice, registry)
        )
    if not (isinstance(log, Log) and isinstance(family, BanditFamily)):
        raise ConfigError(
            f"there are no default candidates for the {family.name} family; name the learners to "
            "compare under [[candidates]]"
        )
    from audition.default_candidates import default_candidates

    known = hints(log, fitted.simulators[0], family, horizon=study.horizon)
    kinds = [registry.find("learners", name) for name in study.learners]
    wanted = kinds or [p for p in registry.of("learners") if not p.origin.startswith("package")]
    found = default_candidates([plugin.cls for plugin in wanted], known)
    raced = {candidate.learner.name for candidate in found}
    plain = [plugin for plugin in wanted if plugin.name not in raced]
    # A learner without a grid of its own takes part as it is, when it was asked for or allowed.
    asked = [plugin for plugin in plain if kinds or plugin.origin.startswith("file")]
    return (*found, *(Candidate.of(plugins.build(plugin, {})) for plugin in asked))


def _expanded(choice: CandidateChoice, registry: plugins.Registry) -> list[Candidate]:
    """One candidate for every combination of the grid's values."""
    made = []
    for values in itertools.product(*choice.grid.values()):
        settings = {**choice.settings, **dict(zip(choice.grid, values, strict=True))}
        learner = registry.make("learners", choice.learner, settings)
        candidate = Candidate.of(learner)
        if choice.name:
            suffix = ", ".join(
                f"{key}={value}" for key, value in zip(choice.grid, values, strict=True)
            )
            name = f"{choice.name}({suffix})" if suffix else choice.name
            candidate = replace(candidate, name=name)
        made.append(candidate)
    return made


def _distinct(candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    if len(candidates) < 2:
        raise ConfigError(
            f"a choice needs at least two candidates; there {'is' if candidates else 'are'} "
            f"{len(candidates)}"
        )
    seen: set[str] = set()
    for candidate in candidates:
        if candidate.name in seen:
            raise ConfigError(
                f"two candidates are called {candidate.name!r}; give one of them another name"
            )
        seen.add(candidate.name)
    return candidates


def _objectives(study: Study, family: Family) -> tuple[Objective, ...]:
    default = "regret" if family.reads == "bandit" else "return"
    made = []
    for choice in study.objectives:
        name = default if choice.name == "auto" else choice.name
        made.append(plugins.objective(name, choice.settings, allow_code=study.allow_code))
    for objective in made:
        objective.checkpoints(study.horizon)  # refuses a horizon that it cannot score
    if len({objective.name for objective in made}) < len(made):
        raise ConfigError("an objective is named twice under [[objectives]]; name each one once")
    return tuple(made)


def _rules(study: Study, given: Given, registry: plugins.Registry) -> dict[str, Rule]:
    more = [registry.make("rules", choice.name, choice.settings) for choice in study.rules]
    rules: dict[str, Rule] = {PLUG_IN: Mean(), UNCERTAINTY_AWARE: Mean()}
    for rule in (*more, *given.rules):
        rules[_free(rule.name, rules)] = rule
    return rules


def _free(name: str, taken: Mapping[str, Any]) -> str:
    numbered = (f"{name}-{number}" for number in itertools.count(2))
    return next(one for one in itertools.chain((name,), numbered) if one not in taken)


def check_log(log: Any, family: Family) -> None:
    """Refuse a log that is not of the kind that the family reads."""
    kind = "bandit" if isinstance(log, Log) else "trajectories"
    if family.reads != kind:
        raise FamilyError(
            f"the {family.name} family reads {family.reads} logs, but this log holds {kind}"
        )
    if isinstance(log, Log) and len(log.arm_names) < 2:
        raise LogError(f"a choice needs at least two arms; the log has {len(log.arm_names)}")


def check_reward(
    family: Family, candidates: Sequence[Candidate], objectives: Sequence[Objective]
) -> None:
    """Refuse to train on, or to judge by, a reward that the family's worlds do not pay."""
    if not family.unpaid:
        return
    for candidate in candidates:
        if not candidate.learner.own_reward:
            raise ConfigError(
                f"{family.unpaid}, so {candidate.name} would train on nothing; give it `weights`, "
                "one for each of the family's features"
            )
    if any(isinstance(objective, MeanReturn) for objective in objectives):
        raise ConfigError(
            f"{family.unpaid}, so the objective 'return' would find all candidates alike; name "
            "another one under [[objectives]], such as 'success'"
        )


__all__ = [
    "Given",
    "Prepared",
    "candidate_choices",
    "check_log",
    "check_reward",
    "hints",
    "prepare",
]
