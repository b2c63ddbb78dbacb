"""Many robots stepped in a single batched MuJoCo call, for learners and for evaluation.

Given the same seed and the same actions, a robot is bit for bit the Gymnasium environment that
`make_environment` gives: the same resets, the same sensor noise, the same features.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import mujoco
import numpy as np
from numpy.typing import NDArray

from audition.episode_world import Episodes
from audition.errors import FamilyError, LearnerError
from audition.mujoco_model.fields import scaled_model
from audition.mujoco_model.health import coordinate, health_box
from audition.mujoco_model.sensor import observation_scale
from audition.mujoco_model.settings import MujocoSettings
from audition.mujoco_model.source import bare_gymnasium, frame_skip, is_bare, skipped_positions
from audition.seeds import stream

Doubles = NDArray[np.float64]
Flags = NDArray[np.bool_]
Policy = Callable[[NDArray[np.int64], Doubles], Doubles]
"""(robot [row], observation [row, ...]) -> action [row, ...]."""
BLOCK = 256  # sensor readings drawn at a time
UNSTABLE = [
    int(mujoco.mjtWarning.mjWARN_BADQPOS),
    int(mujoco.mjtWarning.mjWARN_BADQVEL),
    int(mujoco.mjtWarning.mjWARN_BADQACC),
]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """What every lane's robot has in common."""

    frame_skip: int
    skipped: int
    seconds: float  # per control step
    forward: int  # the coordinate of qpos that moves forward
    start: tuple[Doubles, Doubles]  # qpos and qvel before the reset's noise
    reset_noise: float
    bare: bool
    velocity_limit: float
    low: Doubles  # [qpos and qvel] healthy while strictly above
    high: Doubles  # and strictly below
    box: tuple[Doubles, Doubles]  # the least and greatest actions
    noise: Doubles  # [observation] standard deviation of the sensor
    pay: tuple[float, float, float]  # the environment's own reward: forward, healthy, control


@final
@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """What one step of every lane gave: true facts and ends; the sensor is read separately."""

    velocity: Doubles  # [lane] forward, from the true positions
    effort: Doubles  # [lane] squared actuation, as the settings count it
    reward: Doubles  # [lane] the environment's own
    distance: Doubles  # [lane] as the settings count it
    ended: Flags  # [lane] left the healthy box, or unstable
    cut: Flags  # [lane] reached the time limit without ending


def body_of(settings: MujocoSettings) -> Body:
    """The facts that the lock step needs, or a clear word that this task is not for it."""
    model = scaled_model(settings, {})
    try:
        health = health_box(settings)
    except FamilyError as error:
        raise LearnerError(f"{error}. The 'sb3' learner runs any environment.") from error
    bare, skip = is_bare(settings), frame_skip(settings)
    if model.nq != model.nv or model.na:
        raise LearnerError(
            "the lock step needs hinge and slide joints and actuators without state; this model "
            f"has nq={model.nq}, nv={model.nv}, na={model.na}: use the 'sb3' learner"
        )
    data = mujoco.MjData(model)
    core: Any = None if bare else bare_gymnasium(settings.model)
    low, high = (bound.astype(np.float64) for bound in model.actuator_ctrlrange.T)
    return Body(
        frame_skip=skip,
        skipped=skipped_positions(settings),
        seconds=float(model.opt.timestep) * skip,
        forward=coordinate(settings.task.forward, model) if bare else 0,
        start=(data.qpos.copy(), data.qvel.copy()) if bare else (core.init_qpos, core.init_qvel),
        reset_noise=settings.task.reset_noise if bare else vars(core)["_reset_noise_scale"],
        bare=bare,
        velocity_limit=settings.task.velocity_clip if bare else 10.0,
        low=health.low,
        high=health.high,
        box=(low, high),
        noise=settings.sensor.relative * observation_scale(settings),
        pay=(0.0, 0.0, 0.0) if bare else _pay(vars(core)),
    )


def _pay(core: Mapping[str, float]) -> tuple[float, float, float]:
    """The weights of a Gymnasium walker's own reward."""
    return core["_forward_reward_weight"], core["_healthy_reward"], core["_ctrl_cost_weight"]


class Robots:
    """The robots of all lanes: physics, health, sensor and resets, no learning."""

    def __init__(
        self,
        settings: MujocoSettings,
        parameters: Sequence[Mapping[str, float]],
        *,
        seeds: Sequence[int],
    ) -> None:
        """One robot per entry of `parameters`; a lane's seed starts its resets and its sensor."""
        from mujoco.batch import Batch

        self.settings = settings
        self.body = body_of(settings)
        models = [scaled_model(settings, values) for values in parameters]
        self._batch = Batch(models[0], len(models), 1)
        self._batch.set_models(models)
        self.lanes = len(models)
        self.positions: Doubles = self._batch.bind("qpos")  # [lane, nq]
        self.velocities: Doubles = self._batch.bind("qvel")  # [lane, nv]
        self._controls: Doubles = self._batch.bind("ctrl")  # [lane, nu]
        self._resets = [np.random.default_rng(seed) for seed in seeds]
        self._sensors = [stream(seed, "sensor") for seed in seeds]
        self._readings = np.empty((self.lanes, BLOCK, self.body.noise.size))
        self._read = np.full(self.lanes, BLOCK)  # readings used up, by lane
        self._origin = np.zeros(self.lanes)
        self._ages = np.zeros(self.lanes, np.int64)  # steps into the episode

    def reset(self, lanes: NDArray[np.int64]) -> None:
        """Start new episodes in the given lanes."""
        self._batch.reset(lanes, stage=int(mujoco.mjtStage.mjSTAGE_NONE))
        self._batch.warning[lanes] = 0
        body, noise = self.body, self.body.reset_noise
        for lane in lanes:
            random = self._resets[lane]
            shift = random.uniform(-noise, noise, body.start[0].size)
            self.positions[lane] = body.start[0] + shift
            self.velocities[lane] = body.start[1] + random.uniform(-noise, noise, shift.size)
        self._batch.forward(lanes)
        travelled = self.settings.conventions.distance == "travelled"
        self._origin[lanes] = self.positions[lanes, body.forward] if travelled else 0.0
        self._ages[lanes] = 0

    def step(self, actions: Doubles, lanes: NDArray[np.int64] | None = None) -> Steps:
        """Hold actions [lane, action] for one control step, in all lanes or in those named."""
        body = self.body
        clipped = np.clip(actions, *body.box)
        before = self.positions[:, body.forward].copy()
        self._controls[:] = clipped
        self._batch.step(lanes, nstep=body.frame_skip)
        after = self.positions[:, body.forward]
        felt = clipped if self.settings.conventions.actuation == "clipped" else actions
        bent = np.einsum("ij,ij->i", clipped, clipped)
        healthy = self._healthy()
        unstable = self._batch.warning[:, UNSTABLE, 1].any(axis=1)  # [.., number]
        ended = ~healthy | unstable
        self._ages += 1
        velocity = (after - before) / body.seconds
        forward, upright, control = body.pay
        return Steps(
            velocity=velocity,
            effort=bent if felt is clipped else np.einsum("ij,ij->i", felt, felt),
            reward=forward * velocity + upright * healthy - control * bent,
            distance=after - self._origin,
            ended=ended,
            cut=(self._ages >= self.settings.horizon) & ~ended,
        )

    def sense(self, lanes: NDArray[np.int64], *, edge: Flags) -> Doubles:
        """What the sensors of the given lanes say now  # [given lane, observation].

        `edge` marks the lanes at the first or last state of an episode, which a sensor with the
        'exact' boundary shows without noise.
        """
        body = self.body
        limit = body.velocity_limit
        seen = np.concatenate(
            [
                self.positions[lanes, body.skipped :],
                np.clip(self.velocities[lanes], -limit, limit),
            ],
            axis=1,
        )
        noisy: slice | Flags = slice(None)
        if self.settings.conventions.boundary == "exact" and edge.any():
            noisy = ~edge
            lanes = lanes[noisy]
        spent = lanes[self._read[lanes] == BLOCK]
        for lane in spent:
            self._readings[lane] = self._sensors[lane].standard_normal(self._readings.shape[1:])
        self._read[spent] = 0
        seen[noisy] += body.noise * self._readings[lanes, self._read[lanes]]
        self._read[lanes] += 1
        return seen

    def features(self, moved: Steps) -> Doubles:  # [lane, feature]
        """The feature vector of a step."""
        facts = {
            "1": np.ones(self.lanes),
            "x_velocity": moved.velocity,
            "squared_actuation": moved.effort,
            "distance": moved.distance,
            "reward": moved.reward,
        }
        columns = []
        for feature in self.settings.features:
            name = feature.removeprefix("-")
            if name not in facts:
                raise LearnerError(
                    f"robots stepped together know the features {', '.join(facts)}, but not "
                    f"{name!r}; use the 'sb3' learner, which reads any number in the step's info"
                )
            columns.append(-facts[name] if feature.startswith("-") else facts[name])
        return np.stack(columns, axis=1)

    def _healthy(self) -> Flags:
        body, size = self.body, self.positions.shape[1]
        inside = (self.positions > body.low[:size]) & (self.positions < body.high[:size])
        moving = (self.velocities > body.low[size:]) & (self.velocities < body.high[size:])
        return np.asarray(inside.all(axis=1) & moving.all(axis=1))


def play(robots: Robots, policy: Policy) -> Episodes:
    """One episode of every robot, each robot one row: what the policy did in it."""
    count = robots.lanes
    everyone = np.arange(count)
    lengths, returns, distances, efforts = (np.zeros(count) for _ in range(4))
    features = np.zeros((count, len(robots.settings.features)))
    robots.reset(everyone)
    seen = robots.sense(everyone, edge=np.ones(count, np.bool_))
    playing = everyone
    while playing.size:
        actions = np.zeros((count, robots.body.box[0].size))
        actions[playing] = policy(playing, seen)
        moved = robots.step(actions, playing)
        lengths[playing] += 1
        returns[playing] += moved.reward[playing]
        efforts[playing] += moved.effort[playing]
        distances[playing] = moved.distance[playing]
        features[playing] += robots.features(moved)[playing]
        over = (moved.ended | moved.cut)[playing]
        seen = robots.sense(playing, edge=over)[~over]
        playing = playing[~over]
    return Episodes(lengths, returns, distances, efforts / lengths, features)
