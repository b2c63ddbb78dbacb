"""Whatever was logged: a result that can be shown and written down, or an error of ours."""

import json
import warnings

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audition import AuditionError, Log, select
from audition.ensembles.empirical import EmpiricalBootstrap
from audition.learners.epsilon_greedy import EpsilonGreedy
from audition.learners.ucb import UCB
from audition.report import report_html

REWARDS = (
    st.sampled_from([0.0, 1.0])
    | st.integers(0, 5).map(float)
    | st.floats(-10.0, 10.0)
    | st.floats(1e-6, 1e6)
    | st.floats(allow_nan=True, allow_infinity=True)
)


@st.composite
def logs(draw):
    """Two to four arms and up to thirty rows, often of one kind of reward, at times of any."""
    names = draw(st.lists(st.text(min_size=1, max_size=8), min_size=2, max_size=4, unique=True))
    rows = draw(st.integers(1, 30))
    arms = draw(st.lists(st.integers(0, len(names) - 1), min_size=rows, max_size=rows))
    kind = draw(st.sampled_from(REWARDS.branches))
    rewards = draw(st.lists(kind, min_size=rows, max_size=rows))
    clusters = draw(st.none() | st.lists(st.integers(0, 5), min_size=rows, max_size=rows))
    return names, arms, rewards, clusters


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(logs(), st.integers(1, 12), st.sampled_from(["auto", EmpiricalBootstrap()]))
def test_any_log_gives_a_result_or_an_audition_error(given, horizon, ensemble):
    names, arms, rewards, clusters = given
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            log = Log.from_arrays(arms, rewards, arm_names=names, clusters=clusters)
            found = select(
                log, horizon=horizon, size=3, replications=2, engine="plain", ensemble=ensemble,
                candidates=[UCB(0.5), UCB(2.0), EpsilonGreedy(0.1)],
            )  # fmt: skip
        except AuditionError as error:
            assert len(str(error).split()) > 4
            return
        plain = json.loads(json.dumps(found.to_plain(), allow_nan=False))
        assert found.choice in {candidate["candidate"] for candidate in plain["candidates"]}
        assert np.isfinite(plain["choices"]["uncertainty_aware"]["worth"])
        page = report_html(found)
    assert page.count("<svg") == page.count("</svg>") >= 4
