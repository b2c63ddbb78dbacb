"""Stable-Baselines3's PPO and one lane of the lock step, fed the same robot, weights and chance.

Both get equal first weights, the same action noise and the same minibatch orders. What
Stable-Baselines3 saw, judged and learned is recorded at every iteration.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv, VecNormalize

from audition.episode_shaping import PrivateReward
from audition.learners.sb3 import PAPER_PPO
from audition.lockstep.networks import Shape
from audition.lockstep.settings import Settings
from audition.lockstep.training import Training
from audition.mujoco_model.settings import MujocoSettings
from audition.mujoco_model.world import RobotWorld
from audition.seeds import Lanes

TRUTH = {"mass": 1.5, "friction": 0.7, "damping": 1.4}
PLACES = {
    "policy.1": "mlp_extractor.policy_net.0",
    "policy.2": "mlp_extractor.policy_net.2",
    "policy.3": "action_net",
    "value.1": "mlp_extractor.value_net.0",
    "value.2": "mlp_extractor.value_net.2",
    "value.3": "value_net",
}


@dataclass(frozen=True, slots=True, eq=False)
class Chance:
    """The action noise and the minibatch orders of so many iterations."""

    noise: NDArray[np.float32]  # [iteration, step, action]
    orders: NDArray[np.int64]  # [iteration, epoch, step]

    @staticmethod
    def drawn(settings: Settings, *, iterations: int, actions: int, seed: int) -> Chance:
        """Fresh noise and orders."""
        random = np.random.default_rng(seed)
        shape = (iterations, settings.rollout, actions)
        orders = [
            [random.permutation(settings.rollout) for _ in range(settings.epochs)]
            for _ in range(iterations)
        ]
        return Chance(random.standard_normal(shape, np.float32), np.array(orders))


def one_robot(model: str, **changes: Any) -> RobotWorld:
    """A world of one true robot."""
    settings = MujocoSettings(model=model, **changes)
    return RobotWorld(settings, [TRUTH], lanes=Lanes.of([3]), seed=5, steps=1, episodes=1)


def lockstep(world: RobotWorld, theta: tuple[float, ...], settings: Settings) -> Training:
    """One lane of the lock step before its first step."""
    randoms = [np.random.default_rng(11)]
    return Training(world.robots(), [theta], settings=settings, randoms=randoms)


def flat_weights(shape: Shape, policy: Any) -> NDArray[np.float32]:
    """The weights of a Stable-Baselines3 policy in the order of the lock step."""
    flat = np.zeros(shape.sizes.total, np.float32)
    state = policy.state_dict()
    for name, view in shape.layers(flat).items():
        view[:] = state[_theirs(name)].numpy().T
    return flat


def give_weights(shape: Shape, flat: NDArray[np.float32], policy: Any) -> None:
    """Write weights of the lock step into a Stable-Baselines3 policy."""
    state = policy.state_dict()
    for name, view in shape.layers(flat).items():
        state[_theirs(name)] = torch.tensor(np.ascontiguousarray(view.T))
    policy.load_state_dict(state)


def _theirs(name: str) -> str:
    if name == "log_deviation":
        return "log_std"
    layer, part = name.rsplit(".", 1)
    return f"{PLACES[layer]}.{'weight' if part == 'matrix' else 'bias'}"


class Recorder(BaseCallback):  # type: ignore[misc]
    """Keeps every rollout, the weights that it met, and the statistics after it."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.rollouts: list[dict[str, Any]] = []
        self.weights: list[NDArray[np.float32]] = []

    def _on_rollout_start(self) -> None:
        self.weights.append(flat_weights(self.shape, self.model.policy))

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        buffer, normal = self.model.rollout_buffer, self.model.get_env()
        names = ("observations", "actions", "rewards", "values", "advantages", "returns")
        kept = {name: getattr(buffer, name)[:, 0].copy() for name in (*names, "log_probs")}
        kept["mean"], kept["variance"] = normal.obs_rms.mean.copy(), normal.obs_rms.var.copy()
        kept["spread"] = float(normal.ret_rms.var)
        self.rollouts.append(kept)


def stable_baselines(
    world: RobotWorld,
    theta: tuple[float, ...],
    *,
    weights: NDArray[np.float32],
    settings: Settings,
    chance: Chance,
) -> Recorder:
    """Train Stable-Baselines3's PPO with the weights and the chance that it is given."""
    iterations = len(chance.noise)
    steps = iterations * settings.rollout
    shaped = PrivateReward(world.environment(0), theta, steps=steps)
    normal = VecNormalize(DummyVecEnv([lambda: shaped]), gamma=settings.discount)
    sizes = {"n_steps": settings.rollout, "batch_size": settings.minibatch}
    given = {**PAPER_PPO, **sizes, "n_epochs": settings.epochs}
    model = PPO("MlpPolicy", normal, device="cpu", **given)
    space: Any = world.environment(0).action_space
    shape = Shape(int(world.robots().body.noise.size), int(space.shape[0]), settings.width)
    give_weights(shape, weights, model.policy)
    recorder = Recorder(shape)
    noise = iter(chance.noise.reshape(steps, -1))
    orders = iter(chance.orders.reshape(-1, settings.rollout))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            torch.distributions.Normal,
            "rsample",
            lambda normal: normal.loc + normal.scale * torch.from_numpy(next(noise)),
        )
        patch.setattr(np.random, "permutation", lambda _: next(orders))
        model.learn(steps, callback=recorder)
    recorder.weights.append(flat_weights(shape, model.policy))
    return recorder
