"""Every finding on a log made for it, none of them on a sound one, and the card in numbers."""

import json

import numpy as np
import pytest

from audition.audit import NOTE, REFUSE, WARN, audit
from audition.document import finite
from audition.log import Log

NAMES = ("a", "b", "c")
QUIET = {"no-clusters", "no-time"}  # said of every log without these columns


def made(rows=600, *, seed=1, arms=None, rewards=None, names=NAMES, **columns) -> Log:
    rng = np.random.default_rng(seed)
    chosen = rng.integers(len(names), size=rows) if arms is None else np.asarray(arms)
    paid = rng.normal(chosen * 0.3, 1.0) if rewards is None else np.asarray(rewards, dtype=float)
    return Log.from_arrays(chosen, paid, arm_names=names, **columns)


def found(log: Log) -> dict[str, str]:
    return {finding.code: finding.level for finding in audit(log).findings}


def ramp(rows=600):
    return np.arange(rows) / rows


def test_a_sound_log_is_not_warned_of():
    """A hundred sound logs with every column: at most three warnings, where the tests' levels
    would give 0.4 on average (more than three would come once in a thousand such hundreds)."""
    warned = []
    for seed in range(100):
        rng = np.random.default_rng(seed)
        log = made(
            seed=seed,
            clusters=np.arange(600) // 3,
            times=np.arange(600.0),
            propensities=np.full(600, 1 / 3),
            contexts=rng.normal(size=(600, 1)),
            context_names=("x",),
        )
        warned += [code for code, level in found(log).items() if level != NOTE]
    assert len(warned) <= 3, warned


RNG = np.random.default_rng(9)
ARMS = RNG.integers(3, size=600)
NORMAL = RNG.normal(size=600)


@pytest.mark.parametrize(
    ("log", "code", "level"),
    [
        (made(arms=[0] * 40, rewards=NORMAL[:40], names=("a",)), "one-arm", REFUSE),
        (made(arms=[0, 1] * 20, rewards=NORMAL[:40]), "arm-never-pulled", REFUSE),
        (made(arms=[0, 1, 2], rewards=[1.0, 2, 3]), "few-rows", REFUSE),
        (made(12, arms=[0, 1, 2] * 4), "few-rows", WARN),
        (made(arms=[0, 1] * 50 + [2], rewards=NORMAL[:101]), "arm-pulled-once", WARN),
        (made(arms=[0, 1] * 50 + [2] * 3, rewards=NORMAL[:103]), "arm-rare", WARN),
        (made(arms=[0] * 590 + [1] * 5 + [2] * 5, rewards=NORMAL), "one-arm-dominates", NOTE),
        (made(names=("a", "A ", "c")), "arms-alike", WARN),
        (made(rewards=np.full(600, 3.0), arms=ARMS), "rewards-constant", REFUSE),
        (made(rewards=ARMS * 1.0, arms=ARMS), "rewards-without-noise", WARN),
        (made(rewards=np.where(ARMS == 1, 2.0, NORMAL), arms=ARMS), "arm-constant", WARN),
        (made(rewards=np.append(NORMAL[:-1], 1e20), arms=ARMS), "reward-huge", REFUSE),
        (made(rewards=np.append(NORMAL[:-1], 400.0), arms=ARMS), "outlier", WARN),
        (made(rewards=NORMAL**7, arms=ARMS), "heavy-tails", NOTE),
        (made(rewards=np.tile(NORMAL[:300], 2), arms=np.tile(ARMS[:300], 2)), "rows-twice", WARN),
        (made(rewards=np.tile(NORMAL[:200], 3), arms=np.tile(ARMS[:200], 3)), "rows-twice", WARN),
        (
            made(
                rewards=np.append(NORMAL[:500], NORMAL[:100]),
                arms=np.append(ARMS[:500], ARMS[:100]),
            ),
            "rows-twice",
            WARN,
        ),
        (made(clusters=np.zeros(600)), "one-cluster", REFUSE),
        (made(clusters=np.arange(600) // 60), "few-clusters", WARN),
        (made(clusters=np.maximum(np.arange(600) - 300, 0)), "cluster-heavy", WARN),
        (made(clusters=np.arange(600)), "clusters-of-one", NOTE),
        (made(propensities=np.append(np.full(599, 0.5), 1.5)), "propensity-outside", REFUSE),
        (made(propensities=np.append(np.full(599, 0.3), 1e-5)), "propensity-tiny", NOTE),
        (made(propensities=np.ones(600)), "propensity-one", WARN),
        (made(propensities=np.full(600, 0.9)), "propensities-belied", WARN),
        (made(rewards=NORMAL + 3 * ramp(), arms=ARMS, times=ramp()), "reward-drift", WARN),
        (made(rewards=NORMAL, arms=np.sort(ARMS), times=ramp()), "share-drift", WARN),
        (made(times=np.zeros(600)), "one-time", NOTE),
        (made(), "no-time", NOTE),
        (made(), "no-clusters", NOTE),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_finding_is_made_where_there_is_something_to_find(log, code, level):
    assert found(log).get(code) == level


@pytest.mark.parametrize(("code", "refused"), [("one-cluster", True), ("few-clusters", False)])
def test_a_card_is_refused_where_a_finding_is(code, refused):
    clusters = np.zeros(600) if refused else np.arange(600) // 60
    card = audit(made(clusters=clusters))
    assert card.refused is refused
    assert card.findings[0].level == (REFUSE if refused else WARN)
    assert code in {finding.code for finding in card.findings}


def test_every_message_says_what_it_means_in_a_sentence_of_its_own():
    messages = [finding.message for finding in audit(made(12, arms=[0, 1, 2] * 4)).findings]
    assert all(len(message.split()) >= 8 for message in messages)


def test_the_card_counts_arms_clusters_and_times():
    log = made(
        arms=[0, 0, 1, 1, 1, 2], rewards=[1.0, 3, 5, 5, 8, 2],
        clusters=["u", "u", "v", "w", "w", "w"], times=[3.0, 1, 2, 5, 4, 6],
        propensities=[0.2, 0.2, 0.5, 0.5, 0.5, 0.3],
    )  # fmt: skip
    card = audit(log)
    first, second, third = card.arms
    assert (first.count, first.mean, first.standard_deviation) == (2, 2.0, pytest.approx(2**0.5))
    assert (second.share, second.least, second.greatest, second.distinct) == (0.5, 5.0, 8.0, 2)
    assert (second.units, third.units) == (2, 1)
    assert np.isnan(third.standard_deviation)
    assert card.clusters is not None
    assert (card.clusters.number, card.clusters.smallest, card.clusters.largest) == (3, 1, 3)
    assert card.clusters.effective == pytest.approx(36 / (4 + 1 + 9))
    assert card.times == (1.0, 6.0)
    assert card.propensities == (0.2, 0.5)
    plain = json.loads(json.dumps(finite(card.to_plain()), allow_nan=False))
    assert plain["arms"][2]["standard_deviation"] is None
    assert "origin" not in plain


def test_clusters_make_a_trend_no_news_where_they_explain_it():
    """Forty users of fifteen rows each, in order: their levels wander, but not with time."""
    rng = np.random.default_rng(3)
    level = np.repeat(rng.normal(0.0, 2.0, 40), 15)
    arms = rng.integers(3, size=600)
    paid = rng.normal(level, 0.3)
    alone = found(made(arms=arms, rewards=paid, times=np.arange(600.0)))
    users = np.repeat(np.arange(40), 15)
    together = found(made(arms=arms, rewards=paid, times=np.arange(600.0), clusters=users))
    assert "reward-drift" not in together
    assert set(together) <= set(alone) | {"rows-twice"}
