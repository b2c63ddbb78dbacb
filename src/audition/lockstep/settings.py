"""Every setting of PPO with its value in the paper (`app:deeprl-learner`), nothing left unsaid."""

from dataclasses import dataclass
from math import inf
from typing import NamedTuple, final

from audition.errors import ConfigError


class Rates(NamedTuple):
    """The numbers that a compiled update reads."""

    minibatch: int
    discount: float
    trace: float
    learning_rate: float
    clip_range: float
    entropy_weight: float
    value_weight: float
    max_gradient: float
    adam_decay: float
    adam_square_decay: float
    adam_epsilon: float


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """PPO as Stable-Baselines3 runs it, with VecNormalize around the robot."""

    width: int = 64  # of both hidden layers of both tanh networks
    rollout: int = 1024  # steps between updates
    minibatch: int = 64
    epochs: int = 10
    discount: float = 0.99
    trace: float = 0.95  # the GAE parameter
    clip_range: float = 0.2  # of the probability ratio; the value loss is not clipped
    entropy_weight: float = 0.0
    value_weight: float = 0.5
    max_gradient: float = 0.5  # joint norm over policy and value weights
    learning_rate: float = 3e-4  # constant
    adam_decay: float = 0.9
    adam_square_decay: float = 0.999
    adam_epsilon: float = 1e-5
    log_deviation: float = 0.0  # initial log of the action's standard deviation
    observation_limit: float = 10.0  # normalised observations are clipped to it
    reward_limit: float = 10.0
    return_discount: float = 0.99  # of the returns whose spread scales the reward

    def __post_init__(self) -> None:
        """Refuse what no update could mean."""
        for name in ("width", "rollout", "minibatch", "epochs"):
            if getattr(self, name) < 1:
                raise ConfigError(f"ppo: {name} must be at least 1; got {getattr(self, name)}")
        if self.rollout % self.minibatch or self.minibatch < 2:
            raise ConfigError(
                "ppo: the rollout must hold whole minibatches of at least 2 steps; got rollout "
                f"{self.rollout} and minibatch {self.minibatch}"
            )
        for name in ("discount", "trace", "return_discount"):
            if not 0 <= getattr(self, name) <= 1:
                raise ConfigError(f"ppo: {name} must lie in [0, 1]; got {getattr(self, name)}")
        for name in ("adam_decay", "adam_square_decay"):  # at 1, Adam divides by zero
            if not 0 <= getattr(self, name) < 1:
                raise ConfigError(f"ppo: {name} must lie in [0, 1); got {getattr(self, name)}")
        for name in ("learning_rate", "clip_range", "max_gradient"):
            if not 0 <= getattr(self, name) < inf:
                raise ConfigError(
                    f"ppo: {name} must be 0 or more and finite; got {getattr(self, name)}"
                )

    @property
    def rates(self) -> Rates:
        """What the compiled update reads."""
        return Rates(**{name: getattr(self, name) for name in Rates._fields})

    def iterations(self, steps: int) -> int:
        """How many rollouts it takes to reach `steps`; the last one is played out."""
        return -(-steps // self.rollout)
