"""Per-episode least squares against known answers and an independent reading of the paper."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize
from small_robots import TRUTH, exact, logged, pendulum

from audition.errors import FamilyError, LogError
from audition.identification.least_squares import evenly_spaced, least_squares, next_state_spread
from audition.identification.settings import LeastSquaresSettings
from audition.mujoco_model.transitions import TransitionModel
from audition.trajectories import Episode


def linear(parameters: np.ndarray, states: np.ndarray, actions: np.ndarray) -> np.ndarray:
    """x' = a x + b u: a model whose best multipliers ordinary least squares knows."""
    return parameters[:, :1, None] * states + parameters[:, 1:2, None] * actions


def linear_episode(steps: int = 60, noise: float = 0.1) -> Episode:
    random = np.random.default_rng(5)
    states, actions = random.normal(size=(2, steps, 1))
    return Episode(
        states, actions, 0.8 * states + 1.7 * actions + noise * random.normal(size=(steps, 1))
    )


def test_a_linear_model_gets_the_answer_of_ordinary_least_squares() -> None:
    """To eight digits of the normal equations' solution."""
    episode = linear_episode()
    fit = least_squares(linear, episode, parameters=2)
    design = np.hstack([episode.states, episode.actions])
    known = np.linalg.lstsq(design, episode.next_states[:, 0], rcond=None)[0]
    np.testing.assert_allclose(fit.values, known, atol=1e-8)
    tau = episode.next_states.std()
    np.testing.assert_allclose(fit.information, design.T @ design / tau**2, rtol=1e-6)


def test_an_exact_log_gives_the_truth_back() -> None:
    """MuJoCo is deterministic: without a sensor's noise one episode pins the multipliers down."""
    family = exact()
    curves = family.identify(logged(family, episodes=2))
    np.testing.assert_allclose(curves.naive, [list(TRUTH.values())] * 2, rtol=1e-5)


def test_the_fit_is_the_papers_in_a_second_implementation() -> None:
    """SciPy with its own finite differences, one step at a time (app:deeprl-sysid)."""
    import mujoco

    family = pendulum()
    episode = logged(family, episodes=1).episode(0)
    spec = mujoco.MjModel.from_xml_string(family.model)
    tau = episode.next_states.std(axis=0)

    def residuals(values: np.ndarray) -> np.ndarray:
        model = mujoco.MjModel.from_xml_string(family.model)
        model.body_mass[:] = spec.body_mass * values[0]
        model.dof_damping[:] = spec.dof_damping * values[1]
        found = []
        for state, action in zip(episode.states, episode.actions, strict=True):
            data = mujoco.MjData(model)
            data.qpos[:], data.qvel[:], data.ctrl[:] = state[:1], state[1:], action
            for _ in range(family.task.frame_skip):
                mujoco.mj_step(model, data)
            found.append(np.concatenate([data.qpos, data.qvel]))
        return ((np.array(found) - episode.next_states) / tau).ravel()

    twin = optimize.least_squares(residuals, np.ones(2), bounds=(0.1, 10.0), diff_step=1e-3)
    ours = least_squares(
        TransitionModel(family.robot), episode, parameters=2, settings=LeastSquaresSettings()
    )
    np.testing.assert_allclose(ours.values, twin.x, rtol=1e-6)
    assert ours.squares == pytest.approx(2 * twin.cost, rel=1e-9)


def test_transitions_are_evenly_spaced_from_the_first_to_the_last() -> None:
    """At most 80 of them, none twice."""
    assert evenly_spaced(5, 80).tolist() == [0, 1, 2, 3, 4]
    chosen = evenly_spaced(250, 80)
    assert (chosen[0], chosen[-1], np.unique(chosen).size) == (0, 249, 80)
    assert set(np.diff(chosen).tolist()) <= {3, 4}


def test_a_coordinate_that_never_moves_has_no_say() -> None:
    """Its spread is taken to be infinite, so its residuals are zero."""
    still = Episode(
        np.zeros((4, 2)), np.zeros((4, 1)), np.tile([1.0, 0.0], (4, 1)) * [[1], [2], [3], [4]]
    )
    assert next_state_spread(still).tolist() == [pytest.approx(1.25**0.5), np.inf]


def test_a_coordinate_that_stands_at_a_tenth_has_no_say() -> None:
    """The standard deviation of 25 times 0.1 is 1e-17, which must not decide the fit."""
    held = np.column_stack([np.arange(25.0), np.full(25, 0.1)])
    assert held.std(axis=0)[1] > 0
    still = Episode(np.zeros((25, 2)), np.zeros((25, 1)), held)
    assert next_state_spread(still)[1] == np.inf


def test_an_episode_of_one_transition_is_refused_by_its_number() -> None:
    """One transition has no spread; the message says which episode to drop."""
    family = pendulum()
    log = logged(family, episodes=3)
    one = log.episode(1)
    short = type(log).from_episodes(
        [log.episode(0), Episode(one.states[:1], one.actions[:1], one.next_states[:1])]
    )
    with pytest.raises(LogError, match=r"episode 1: an episode needs at least 2 transitions"):
        family.identify(short)


def test_a_model_that_goes_unstable_is_refused_in_words() -> None:
    """At the first fit: the states cannot be this model's."""

    def explodes(parameters: np.ndarray, states: np.ndarray, actions: np.ndarray) -> np.ndarray:
        return np.full((len(parameters), *states.shape), np.nan)

    with pytest.raises(FamilyError, match="goes unstable in the first fit"):
        least_squares(explodes, linear_episode(), parameters=2)


def test_a_log_of_another_robot_is_refused_with_both_sizes() -> None:
    """The message says what the model has and what the log has."""
    family = pendulum()
    other = linear_episode()
    with pytest.raises(LogError, match=r"2 state coordinates .* the log has states of 1"):
        family.identify(type(logged(family, episodes=1)).from_episodes([other]))
