"""PPO for many independent learners in lock step: one robot each, one compiled update, one core.

A lane is one learner with its own robot, weights, running statistics and random streams; nothing
that a lane does depends on which lanes stand beside it. The steps of all lanes are taken together
(one batched physics call, compiled kernels over lanes), the updates lane by lane, so that one
learner's weights, gradients and Adam moments stay in cache. What is computed is Stable-Baselines3's
PPO with VecNormalize, setting for setting; `tests/lockstep` holds the two against each other.
"""
