"""The mujoco family: fields by path, simulators, worlds, and what is refused in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_robots import PENDULUM, TRUTH, exact, logged, pendulum

from audition import plugins
from audition.ensembles.empirical import EmpiricalBootstrap
from audition.errors import AuditionError, ConfigError, FamilyError, LogError
from audition.families.mujoco import Mujoco
from audition.family import Opening
from audition.identification.confidence import confidence
from audition.log import Log
from audition.mujoco_model.environment import make_environment
from audition.mujoco_model.fields import scaled_model
from audition.mujoco_model.sensor import sensor_scale
from audition.mujoco_model.settings import Conventions, PlainTask, SensorSettings
from audition.mujoco_model.source import factory_model
from audition.mujoco_model.transitions import TransitionModel
from audition.seeds import Lanes


def test_the_papers_parameters_multiply_exactly_their_fields() -> None:
    """Body masses, sliding friction of every geom, damping of every degree of freedom."""
    hopper = Mujoco(model="Hopper-v5").robot
    factory, model = (
        factory_model(hopper),
        scaled_model(hopper, {"mass": 1.5, "friction": 0.7, "damping": 1.4}),
    )
    np.testing.assert_allclose(model.body_mass, 1.5 * factory.body_mass)
    np.testing.assert_allclose(model.geom_friction[:, 0], 0.7 * factory.geom_friction[:, 0])
    np.testing.assert_array_equal(model.geom_friction[:, 1:], factory.geom_friction[:, 1:])
    np.testing.assert_allclose(model.dof_damping, 1.4 * factory.dof_damping)
    np.testing.assert_array_equal(model.body_inertia, factory.body_inertia)


@pytest.mark.parametrize(
    ("path", "changed"),
    [
        ("body_mass[arm]", ("body_mass", 1)),
        ("dof_damping[0]", ("dof_damping", 0)),
        ("actuator_gear[0,0]", ("actuator_gear", (0, 0))),
        ("opt.gravity[2]", ("opt.gravity", 2)),
        ("geom_size[:,0]", ("geom_size", (0, 0))),
    ],
)
def test_any_field_can_be_named_by_its_path(path: str, changed: tuple[str, Any]) -> None:
    """By number, slice, or the object's name."""
    robot = pendulum(parameters={"it": path}).robot
    models = factory_model(robot), scaled_model(robot, {"it": 3.0})
    name, index = changed
    before, after = (
        getattr(m.opt if name.startswith("opt.") else m, name.removeprefix("opt."))[index]
        for m in models
    )
    assert after == pytest.approx(3.0 * before)
    assert before != 0.0


def test_inertia_follows_mass_where_the_convention_says_so() -> None:
    """`scaled` multiplies both."""
    robot = pendulum(conventions=Conventions(inertia="scaled")).robot
    factory, model = factory_model(robot), scaled_model(robot, {"mass": 2.0})
    np.testing.assert_allclose(model.body_inertia[1], 2.0 * factory.body_inertia[1])


BAD_PATHS = {
    "no such field": ("body_masss", "does not exist.*did you mean 'body_mass'"),
    "a single number": ("opt.viscosity", "is a single number, which cannot be multiplied yet"),
    "not numbers": ("nbody", "is not an array of numbers"),
    "no such body": ("body_mass[leg]", "no body called 'leg'"),
    "beyond the end": ("dof_damping[7]", "does not fit a field of shape"),
    "always zero": ("dof_armature", "every value .* is 0"),
    "not a path": ("body_mass; import os", "is not a field path"),
    "an index of words": ("opt.gravity[down]", "not a number or a slice"),
    "a way out": ("__class__", "does not exist"),
}


@pytest.mark.parametrize("kind", BAD_PATHS)
def test_a_path_that_leads_nowhere_is_refused_with_a_hint(kind: str) -> None:
    """The parameter's name and what is wrong with its field."""
    path, words = BAD_PATHS[kind]
    family = pendulum(parameters={"it": path})
    with pytest.raises(FamilyError, match=rf"(?s){words}"):
        family.identify(logged(exact(), episodes=1))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"model": "Hoper-v5"}, "not a Gymnasium environment id"),
        ({"model": "CartPole-v1"}, "not a MujocoEnv"),
        ({"model": "nowhere.xml"}, "cannot be read"),
        ({"model": "<mujoco><nonsense/></mujoco>"}, "cannot be read"),
        (
            {
                "model": PENDULUM.replace("motor", "intvelocity").replace(
                    "gear", "actrange='-1 1' gear"
                )
            },
            ".",
        ),
    ],
)
def test_a_model_that_cannot_be_used_is_refused_in_words(
    changes: dict[str, Any], words: str
) -> None:
    """Misspelt ids, environments without MuJoCo, files that are not there, MJCF with faults."""
    with pytest.raises(FamilyError, match=words):
        TransitionModel(pendulum(**changes).robot)


def test_settings_that_mean_nothing_are_refused_early() -> None:
    """Before any model is made."""
    for changes in ({"horizon": 0}, {"evaluation_episodes": 0}, {"parameters": {}}):
        with pytest.raises(ConfigError):
            pendulum(**changes)


def test_a_family_from_a_study_file_is_the_family() -> None:
    """Plain tables, as TOML gives them, with nested settings and their types checked."""
    plain = {
        "model": PENDULUM,
        "parameters": {"mass": "body_mass", "damping": "dof_damping[hinge]"},
        "horizon": 15,
        "features": ["1", "-squared_actuation"],
        "sensor": {"steps": 300},
        "identification": {"least_squares": {"transitions": 15}},
    }
    assert plugins.family("mujoco", plain) == pendulum()
    with pytest.raises(ConfigError, match="steps"):
        plugins.family("mujoco", {**plain, "sensor": {"steps": "many"}})
    deep = {"identification": {"simex": {"draw": 3}}}
    with pytest.raises(ConfigError, match=r"no setting 'draw'; did you mean 'draws'\?"):
        plugins.family("mujoco", {**plain, **deep})


def test_a_bandit_log_is_not_for_robots() -> None:
    """Said by the family that was asked."""
    with pytest.raises(FamilyError, match="reads logs of trajectories"):
        pendulum().fit(Log.from_arrays(["a", "b"], [0.0, 1.0]))  # type: ignore[arg-type]


def test_the_fit_is_one_simulator_near_the_truth() -> None:
    """Within four standard errors from six episodes of a quiet sensor, the same every time."""
    quiet = SensorSettings(relative=0.01, steps=300)
    family = pendulum(sensor=quiet)
    log = logged(family, episodes=6)
    fitted = family.fit(log)
    assert fitted.digest == pendulum(sensor=quiet).fit(log).digest
    errors = confidence(family.identify(log)).standard_error
    for (name, value), error in zip(TRUTH.items(), errors, strict=True):
        assert error < 0.2 * value
        assert float(fitted.parameters[name]) == pytest.approx(value, abs=4 * error)


def test_members_are_the_estimates_of_drawn_episodes() -> None:
    """Each is a mean of its episodes' corrected estimates; the first do not depend on size."""
    family = pendulum()
    log = logged(family, episodes=5)
    many = EmpiricalBootstrap().make(family, log, size=6, seed=4)
    few = EmpiricalBootstrap().make(family, log, size=3, seed=4)
    assert [s.digest for s in few.simulators] == [s.digest for s in many.simulators[:3]]
    assert len({s.digest for s in many.simulators}) == 6
    low, high = (end(family.identify(log).corrected, axis=0) for end in (np.min, np.max))
    for member in many.simulators:
        values = np.array([float(member.parameters[name]) for name in TRUTH])
        assert ((values > low - 1e-4) & (values < high + 1e-4)).all()


def test_an_ensemble_of_one_episode_is_refused() -> None:
    """All its members would be the same."""
    family = pendulum()
    with pytest.raises(LogError, match="one episode only"):
        EmpiricalBootstrap().make(family, logged(family, episodes=1), size=3, seed=0)


def test_a_parameter_that_the_log_cannot_tell_is_named_with_the_ensemble() -> None:
    """Nothing touches the rod, so friction changes nothing."""
    family = pendulum(parameters={"damping": "dof_damping", "grip": "geom_friction[:,0]"})
    made = EmpiricalBootstrap().make(family, logged(pendulum(), episodes=3), size=2, seed=0)
    assert any("cannot tell 'grip'" in warning for warning in made.warnings)


def test_a_world_holds_one_robot_a_lane_with_its_own_multipliers() -> None:
    """And lasts as many training steps as the study's horizon."""
    family = pendulum()
    log = logged(family, episodes=4)
    members = EmpiricalBootstrap().make(family, log, size=2, seed=0).simulators
    world = family.open(members, opening=Opening(lanes=Lanes.of([0, 1]), horizon=77, seed=1))
    assert (world.lanes, world.steps, world.episodes) == (2, 77, 50)
    for lane, member in enumerate(members):
        model = world.environment(lane).unwrapped.model
        heavier = float(model.body_mass[1]) / factory_model(family.robot).body_mass[1]
        assert heavier == pytest.approx(float(member.parameters["mass"]))


def test_the_same_model_under_another_path_has_the_same_fingerprint(tmp_path: Path) -> None:
    """And an edited one another."""
    places = [tmp_path / name for name in ("a.xml", "b.xml", "c.xml")]
    for place, text in zip(
        places, (PENDULUM, PENDULUM, PENDULUM.replace("0.4", "0.5")), strict=True
    ):
        place.write_text(text, encoding="utf-8")
    first, second, edited = (pendulum(model=str(place)).fingerprint for place in places)
    assert first == second != edited


def test_a_model_file_that_is_edited_is_compiled_and_its_sensor_measured_anew(
    tmp_path: Path,
) -> None:
    """Under the same path in the same process, as in a notebook."""
    file = tmp_path / "robot.xml"
    file.write_text(PENDULUM)
    robot = pendulum(model=str(file)).robot
    mass, scale = factory_model(robot).body_mass[1], sensor_scale(robot)
    file.write_text(PENDULUM.replace('mass="0.4"', 'mass="0.85"'))
    assert (mass, factory_model(robot).body_mass[1]) == (0.4, 0.85)
    assert not np.allclose(sensor_scale(robot), scale)


def test_a_model_is_named_by_a_path_object_too(tmp_path: Path) -> None:
    """It is the same family as by the text of the path."""
    file = tmp_path / "robot.xml"
    file.write_text(PENDULUM)
    assert pendulum(model=file) == pendulum(model=str(file))


def test_a_model_that_goes_unstable_ends_its_episode() -> None:
    """A step far too long for a stiff joint: the episode is over and says so, nothing crashes."""
    stiff = PENDULUM.replace('damping="0.1"', 'damping="0.1" stiffness="1e9"')
    family = pendulum(model=stiff.replace('timestep="0.02"', 'timestep="0.5"'))
    environment = make_environment(family.robot, {}, seed=0)
    environment.reset()
    ended, steps = False, 0
    while not ended and steps < 15:
        _, _, ended, _, info = environment.step(np.ones(1))
        steps += 1
    assert ended and info["unstable"]
    with pytest.raises(AuditionError):
        family.identify(logged(exact(), episodes=1))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"frame_skip": 0}, "frame_skip must be at least 1"),
        ({"reset_noise": -0.1}, "reset_noise must be 0 or more"),
        ({"reset_noise": float("inf")}, "reset_noise must be 0 or more and finite"),
        ({"velocity_clip": 0.0}, "velocity_clip must be above 0"),
        ({"healthy": (("hinge", 0.2, -0.2),)}, "'hinge' needs a low end below its high end"),
        ({"healthy": (("hinge", float("nan"), 1.0),)}, "'hinge' needs a low end"),
    ],
)
def test_a_task_that_cannot_be_is_refused(given: dict[str, Any], words: str) -> None:
    """Before any episode is played."""
    with pytest.raises(ConfigError, match=words):
        PlainTask(**given)
