"""Rules on tables small enough to judge by hand, and what every rule promises."""

import numpy as np
import pytest

from audition.checks import check_rule
from audition.errors import ConfigError
from audition.plugins import discover
from audition.rules.best_probability import BestProbability
from audition.rules.borda import Borda
from audition.rules.cvar import CVaR
from audition.rules.mean import Mean
from audition.rules.minimax_regret import MinimaxRegret
from audition.rules.quantile import Quantile
from audition.rules.worst import Worst

TABLE = np.array(  # [candidate, member]
    [
        [4.0, 4.0, 4.0, 4.0, 4.0],  # steady
        [9.0, 9.0, 9.0, 0.0, 0.0],  # mostly good
        [5.0, 3.0, 3.0, 6.0, 1.0],
    ]
)


@pytest.mark.parametrize(
    ("rule", "worth"),
    [
        (Mean(), [4.0, 5.4, 3.6]),
        (Worst(), [4.0, 0.0, 1.0]),
        (Quantile(0.5), [4.0, 9.0, 3.0]),
        (Quantile(0.25), [4.0, 0.0, 3.0]),
        (Quantile(0.0), [4.0, 0.0, 1.0]),
        (CVaR(0.2), [4.0, 0.0, 1.0]),
        (CVaR(0.3), [4.0, 0.0, (1.0 + 0.5 * 3.0) / 1.5]),
        (CVaR(1.0), [4.0, 5.4, 3.6]),
        (MinimaxRegret(), [-5.0, -6.0, -6.0]),
        (BestProbability(), [0.2, 0.6, 0.2]),
        (Borda(), [(1 + 2 + 2 + 2 + 3) / 5, (3 + 3 + 3 + 1 + 1) / 5, (2 + 1 + 1 + 3 + 2) / 5]),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_rule_weighs_the_members_as_it_says(rule, worth):
    assert rule.worth(TABLE) == pytest.approx(worth)


def test_tied_candidates_share_a_member_and_a_rank():
    tied = np.array([[1.0, 2.0], [1.0, 0.0]])
    assert BestProbability().worth(tied) == pytest.approx([0.75, 0.25])
    assert Borda().worth(tied) == pytest.approx([1.75, 1.25])


@pytest.mark.parametrize("plugin", discover().of("rules"), ids=lambda plugin: plugin.name)
def test_every_built_in_rule_keeps_its_promises(plugin):
    assert all(promise.kept for promise in check_rule(plugin.cls))


@pytest.mark.parametrize("level", [-0.1, 1.1, float("nan")])
@pytest.mark.parametrize("cls", [CVaR, Quantile])
def test_a_level_outside_nought_and_one_is_refused(cls, level):
    with pytest.raises(ConfigError, match="level"):
        cls(level)
