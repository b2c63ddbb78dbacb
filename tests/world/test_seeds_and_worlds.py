"""Randomness that is addressed, and worlds that keep the score."""

import numpy as np
import pytest
from scipy import stats

from audition.errors import ConfigError, LearnerError
from audition.families.gaussian import Gaussian
from audition.family import Opening
from audition.objective import CumulativeReward, LastReward, Regret, objective
from audition.seeds import Draws, Lanes, philox, stream, uniform
from audition.simulator import Simulator


@pytest.mark.parametrize(
    ("counter", "key", "words"),
    [  # the known answers that come with Random123 (Salmon et al. 2011)
        ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        ((2**32 - 1,) * 4, (2**32 - 1,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            (0xA4093822, 0x299F31D0),
            (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
        ),
    ],
)
def test_philox_gives_its_known_answers(counter, key, words):
    found = philox(tuple(np.array([word], dtype=np.uint32) for word in counter), key)
    assert tuple(int(word[0]) for word in found) == words


def test_uniforms_never_reach_nought_or_one():
    ends = uniform(np.array([0, 2**32 - 1], dtype=np.uint32))
    assert 0.0 < ends[0] < 1e-6
    assert 1.0 - 1e-6 < ends[1] < 1.0
    assert np.float32(ends[1]) < 1.0


def draws(lanes, *, seed=1, purpose="world"):
    return Draws(seed, purpose, lanes)


def test_a_number_depends_on_its_address_alone():
    """Root seed, purpose, replication, member, round and column: nothing else."""
    many = draws(Lanes.of(range(10)))
    for lane in (0, 4, 9):
        alone = draws(Lanes.of([lane]))
        assert np.array_equal(alone.normals(7, 3)[0], many.normals(7, 3)[lane])
        assert np.array_equal(alone.uniforms(2, 5)[0], many.uniforms(2, 5)[lane])
    assert np.array_equal(many.normals(7, 3), many.normals(7, 3))


@pytest.mark.parametrize(
    "other",
    [
        draws(Lanes.of([3]), seed=2),
        draws(Lanes.of([3]), purpose="learner"),
        draws(Lanes.of([4])),
        draws(Lanes.of([3], member=1)),
    ],
    ids=["seed", "purpose", "replication", "member"],
)
def test_another_address_has_other_numbers(other):
    assert (draws(Lanes.of([3])).uniforms(5, 8) != other.uniforms(5, 8)).all()


def test_draws_follow_their_laws():
    many = draws(Lanes.of(range(50)))
    normals = np.concatenate([many.normals(number, 4).ravel() for number in range(1, 101)])
    uniforms = np.concatenate([many.uniforms(number, 4).ravel() for number in range(1, 101)])
    assert stats.kstest(normals, "norm").pvalue > 1e-5
    assert stats.kstest(uniforms, "uniform").pvalue > 1e-5
    assert abs(np.corrcoef(normals[:-1], normals[1:])[0, 1]) < 5.0 / np.sqrt(normals.size)


def test_streams_have_names():
    first = stream(1, "fit", 2).random(3)
    assert np.array_equal(first, stream(1, "fit", 2).random(3))
    for other in (stream(2, "fit", 2), stream(1, "fits", 2), stream(1, "fit", 3)):
        assert (first != other.random(3)).all()


MEANS = np.array([0.0, 1.0, 3.0])


def world(*, horizon=4, lanes=2, checkpoints=()):
    simulator = Simulator("gaussian", {"mean": MEANS, "sd": np.array(1.0)})
    opening = Opening(Lanes.of(range(lanes)), horizon, 5, checkpoints=checkpoints)
    return Gaussian().open([simulator] * lanes, opening=opening)


def test_an_arm_pays_the_same_in_a_round_whatever_was_pulled_before():
    one, other = world(), world()
    for number, (first, second) in enumerate(
        [((0, 1), (2, 2)), ((1, 1), (0, 0)), ((2, 0), (2, 0))]
    ):
        paid, also = one.pull(np.array(first)), other.pull(np.array(second))
        if number == 2:
            assert np.array_equal(paid, also)


def test_the_score_is_kept_round_by_round():
    played = world(checkpoints=(2,))
    paid = [played.pull(np.array(arms)) for arms in ((0, 2), (1, 2), (2, 2), (0, 2))]
    outcome = played.outcome()
    assert outcome.checkpoints == (2, 4)
    assert outcome.pulls[:, 0].tolist() == [[1, 1, 0], [0, 0, 2]]
    assert outcome.pulls[:, 1].tolist() == [[2, 1, 1], [0, 0, 4]]
    assert CumulativeReward().score(outcome) == pytest.approx(np.sum(paid, axis=0))
    assert LastReward(2).score(outcome) == pytest.approx(paid[2] + paid[3])
    assert LastReward(4).score(outcome) == pytest.approx(np.sum(paid, axis=0))
    assert Regret().score(outcome) == pytest.approx([-(3.0 + 2.0 + 0.0 + 3.0), 0.0])


@pytest.mark.parametrize(
    ("arms", "said"),
    [
        ([0], "one whole number per lane"),
        ([0.0, 1.0], "one whole number per lane"),
        ([0, 3], "arms are numbered 0 to 2"),
        ([-1, 0], "arms are numbered 0 to 2"),
    ],
)
def test_a_pull_that_cannot_be_is_refused(arms, said):
    with pytest.raises(LearnerError, match=said):
        world().pull(np.array(arms))


def test_a_world_is_played_to_its_end_and_not_beyond():
    played = world(horizon=1)
    with pytest.raises(LearnerError, match="stopped after 0"):
        played.outcome()
    played.pull(np.array([0, 1]))
    with pytest.raises(LearnerError, match="over after 1 rounds"):
        played.pull(np.array([0, 1]))


@pytest.mark.parametrize("name", ["last-0", "last-41"])
def test_a_last_stretch_lies_within_the_horizon(name):
    with pytest.raises(ConfigError, match="between 1 and the horizon 40"):
        objective(name).checkpoints(40)


@pytest.mark.parametrize("name", ["last-", "last-x", "profit", ""])
def test_an_objective_that_there_is_not_is_refused(name):
    with pytest.raises(ConfigError, match="'reward', 'regret' or 'last-K'"):
        objective(name)
