"""Small studies that were played, for reports and pictures of them."""

import numpy as np

from audition import Log, select

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "</script><script>document.title='owned'</script>",
    '=HYPERLINK("http://evil.example","click")',
    "\x1b[2J\x1b]0;owned\x07\u202etxt.exe",
    "a name that goes on and on " * 8,
)


def log(names=("A", "B", "C", "D", "E"), *, rows=300, reward="revenue", arm="variant", scale=1.0):
    """Normal rewards with gaps that such a log cannot settle."""
    rng = np.random.default_rng(11)
    arms = np.concatenate([np.arange(len(names)), rng.integers(len(names), size=rows - len(names))])
    rewards = scale * rng.normal(0.4 * np.arange(len(names))[arms], 2.0)
    return Log.from_arrays(arms, rewards, arm_names=names, arm_name=arm, reward_name=reward)


def study(names=("A", "B", "C", "D", "E"), *, reward="revenue", scale=1.0, **settings):
    """All default candidates in few simulators for a short time."""
    given = {"horizon": 300, "size": 12, "replications": 4, **settings}
    return select(log(names, reward=reward, scale=scale), **given)
