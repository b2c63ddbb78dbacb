"""Any Stable-Baselines3 algorithm as a candidate, in any world that is played in episodes.

The algorithm is a black box: it trains on the lane's environment for the world's steps, with its
observations and rewards normalised by running statistics if asked, and the deterministic policy
with those statistics frozen is handed to the world. A lane has its own random stream, and one
thread, so that a run gives the same numbers wherever it runs on one kind of machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, final

import numpy as np
from numpy.typing import NDArray

from audition.episode_world import EpisodeWorld
from audition.errors import ConfigError, LearnerError
from audition.learner import Learner
from audition.seeds import Draws

if TYPE_CHECKING:
    from audition.episode_shaping import PrivateReward

FloatArray = NDArray[np.float64]
Pairs = tuple[tuple[str, Any], ...]
"""A mapping that is frozen: names and values, sorted by name; a value may be such pairs too."""

BREAKDOWNS: Final = (
    # whatever a black box may raise while it trains; our own errors are not among them
    ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError, OSError,
    RuntimeError, TypeError, ValueError,
)  # fmt: skip

PAPER_PPO: Final[Mapping[str, Any]] = {
    # app:deeprl-learner; what it does not name is Stable-Baselines3's default, said aloud
    "n_steps": 1024,
    "batch_size": 64,
    "n_epochs": 10,
    "gamma": 0.99,
    "gae_lambda": 0.95,
    "clip_range": 0.2,
    "ent_coef": 0.0,
    "vf_coef": 0.5,
    "max_grad_norm": 0.5,
    "learning_rate": 3e-4,
    "normalize_advantage": True,
    "policy_kwargs": {"net_arch": [64, 64]},
}


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class StableBaselines3(Learner):
    """A Stable-Baselines3 algorithm by its class name, with its hyper-parameters.

    `settings` are the algorithm's own keyword arguments, as a mapping or as pairs, and plain
    values all of them. `weights`, one for each feature that the world reports, make the reward it
    trains on; none keep the environment's own.
    """

    algorithm: str = "PPO"
    policy: str = "MlpPolicy"
    settings: Mapping[str, Any] | Pairs = ()
    weights: tuple[float, ...] = ()
    normalise: Literal["both", "observations", "rewards", "nothing"] = "both"

    plays: ClassVar[str] = "episodes"

    def __post_init__(self) -> None:
        """Freeze the settings, and refuse those that the learner sets itself."""
        settings = frozen(self.settings)
        object.__setattr__(self, "settings", settings)
        for name, _ in settings:
            if name in {"env", "seed", "device", "policy", "verbose", "tensorboard_log"}:
                raise ConfigError(
                    f"sb3: {name!r} is set by the learner itself; leave it out of `settings`"
                )

    @staticmethod
    def paper_ppo(weights: tuple[float, ...]) -> StableBaselines3:
        """The paper's PPO (app:deeprl-learner) with these reward weights."""
        return StableBaselines3(algorithm="PPO", settings=PAPER_PPO, weights=weights)

    @property
    def name(self) -> str:
        """`sb3`."""
        return "sb3"

    @property
    def own_reward(self) -> bool:
        """With weights."""
        return bool(self.weights)

    def deploy(self, world: EpisodeWorld, rng: Draws) -> None:
        """Train in every lane, one after the other, and hand each policy to the world."""
        import torch

        _refuse_raw_actions(world)
        threads = torch.get_num_threads()
        torch.set_num_threads(1)
        try:
            for lane in range(world.lanes):
                self._train(world, lane, seed=int(rng.generator(lane).integers(2**31)))
        finally:
            torch.set_num_threads(threads)

    def _train(self, world: EpisodeWorld, lane: int, *, seed: int) -> None:
        from stable_baselines3.common.utils import set_random_seed

        from audition.episode_shaping import PrivateReward

        shaped = PrivateReward(world.environment(lane), self.weights, steps=world.steps)
        shaped.action_space.seed(seed)
        set_random_seed(seed)
        normal = self._normalised(shaped)
        model = self._model(normal)
        try:
            model.learn(world.steps)
        except BREAKDOWNS as error:
            _tell_curve(world, lane, shaped)
            world.fail(lane, f"{self.algorithm} broke down: {type(error).__name__}: {error}")
            return
        _tell_curve(world, lane, shaped)
        normal.close()
        if not _finite(model):
            world.fail(lane, f"{self.algorithm} diverged: its weights are not finite")
            return
        try:
            world.evaluate(lane, _policy(model, normal))
        except (LearnerError, *BREAKDOWNS) as error:
            world.fail(lane, f"{self.algorithm}'s policy broke down: {error}")

    def _normalised(self, environment: PrivateReward) -> Any:
        """The environment as Stable-Baselines3 steps it, its statistics running."""
        from stable_baselines3.common.vec_env import DummyVecEnv, VecNormalize

        gamma = float(dict(self.settings).get("gamma", 0.99))
        return VecNormalize(
            DummyVecEnv([lambda: environment]),
            norm_obs=self.normalise in {"both", "observations"},
            norm_reward=self.normalise in {"both", "rewards"},
            clip_obs=10.0,
            clip_reward=10.0,
            gamma=gamma,
            epsilon=1e-8,
        )

    def _model(self, environment: Any) -> Any:
        import stable_baselines3

        found = getattr(stable_baselines3, self.algorithm, None)
        if not isinstance(found, type):
            raise LearnerError(
                f"stable_baselines3 has no algorithm {self.algorithm!r}; name one of its classes, "
                "such as 'PPO', 'SAC', 'TD3' or 'A2C'"
            )
        settings = thawed(self.settings)
        try:
            return found(self.policy, environment, device="cpu", **settings)
        except (TypeError, ValueError, AssertionError) as error:
            words = f"{type(error).__name__}: {error}"
            raise LearnerError(
                f"sb3: {self.algorithm} cannot be made with these settings: {words}"
            ) from error


def frozen(settings: Mapping[str, Any] | Pairs) -> Pairs:
    """A mapping (or pairs) as sorted pairs, its inner mappings and lists frozen too."""
    return tuple(
        sorted((str(name), _freeze(name, value)) for name, value in dict(settings).items())
    )


def thawed(settings: Mapping[str, Any] | Pairs) -> dict[str, Any]:
    """The frozen pairs as the dictionary that an algorithm takes.

    Frozen, and from another process, a tuple is a list and an empty mapping an empty list, so the
    name says which is meant: `train_freq` is a tuple, and what ends in `_kwargs` a mapping.
    """
    return {name: _thaw(name, value) for name, value in dict(settings).items()}


def _freeze(name: str, value: Any) -> Any:
    if isinstance(value, Mapping):
        return frozen(value)
    if isinstance(value, list | tuple):
        return tuple(_freeze(name, entry) for entry in value)
    if isinstance(value, np.generic):
        return value.item()
    if value is not None and not isinstance(value, bool | int | float | str):
        raise ConfigError(
            f"sb3: {name!r} is {value!r}, but only plain values can be given (numbers, text, lists "
            "and tables of them); for a class, a function or an object, write a learner of your own"
        )
    return value


def _thaw(name: str, value: Any) -> Any:
    if not isinstance(value, tuple):
        return value
    if name.endswith("_kwargs") or _named(value):
        return thawed(value)
    entries = [_thaw(name, entry) for entry in value]
    return tuple(entries) if name == "train_freq" else entries


def _named(value: tuple[Any, ...]) -> bool:
    """Whether this is a mapping that was frozen."""
    pairs = (isinstance(e, tuple) and len(e) == 2 and isinstance(e[0], str) for e in value)
    return bool(value) and all(pairs)


def _refuse_raw_actions(world: EpisodeWorld) -> None:
    from audition.mujoco_model.world import RobotWorld

    if isinstance(world, RobotWorld) and world.settings.conventions.actuation == "raw":
        raise LearnerError(
            "Stable-Baselines3 clips actions before the model sees them, so the 'sb3' learner "
            'cannot keep conventions.actuation = "raw"; set it to "clipped", or use the \'ppo\' '
            "learner"
        )


def _policy(model: Any, normal: Any) -> Callable[[FloatArray], FloatArray]:
    def act(observation: FloatArray) -> FloatArray:
        action, _ = model.predict(normal.normalize_obs(observation), deterministic=True)
        return np.asarray(action)

    return act


def _finite(model: Any) -> bool:
    import torch

    return all(bool(torch.isfinite(weights).all()) for weights in model.policy.parameters())


def _tell_curve(world: EpisodeWorld, lane: int, shaped: PrivateReward) -> None:
    for point in shaped.curve:
        world.mark(lane, steps=point.steps, value=point.value)
