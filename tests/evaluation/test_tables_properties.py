"""What holds of every table that is filled, whoever is in it and however it was played."""

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from small_tables import RULES, ensemble, fill, same, simulator

from audition.ensemble import Ensemble
from audition.errors import Interrupted, PluginError
from audition.evaluation import Share, Stop
from audition.executors.in_process import InProcess
from audition.executors.processes import Processes
from audition.learner import Candidate
from audition.learners.ucb import UCB
from audition.objective import Objective, Regret
from audition.plugins import discover
from audition.rules.mean import Mean
from audition.selection import Panel, choose
from audition.store import Store

STRANGER = str(Path(__file__).with_name("stranger.py"))


def hoping(**settings):
    """A stranger's learner, from a file that was allowed."""
    return discover(allow_code=[STRANGER]).make("learners", "hoping", settings)


@pytest.mark.parametrize("engine", ["plain", "cpu"])
def test_plug_in_is_an_ensemble_of_one(engine):
    """The mean over one member is that member's score, and the Plug-In choice its best."""
    one = fill(where=Ensemble("plug_in", (simulator(),)), engine=engine).scores["regret"]
    panel = Panel(Mean(), one)
    chosen = choose({"plug_in": panel, "uncertainty_aware": panel})
    first, second = chosen.verdicts.values()
    assert first.choice == second.choice == one.candidates[int(one.by_member[:, 0].argmax())]
    assert np.array_equal(first.worth, one.by_member[:, 0])
    assert np.array_equal(first.worth, second.worth)


@pytest.mark.parametrize("engine", ["plain", "cpu"])
def test_a_score_depends_on_its_own_candidate_and_member_alone(engine):
    """Candidates in another order, in other company, or by themselves: the same bits."""
    whole = fill(engine=engine).scores["regret"]
    turned = fill(RULES[::-1], engine=engine).scores["regret"]
    alone = fill(RULES[1:2], engine=engine).scores["regret"]
    assert np.array_equal(whole.mean, turned.mean[::-1])
    assert np.array_equal(whole.mean[1:2], alone.mean)
    few = fill(where=ensemble(3), engine=engine).scores["regret"]
    assert np.array_equal(whole.mean[:, :3], few.mean)


def test_the_order_of_candidates_changes_only_ties():
    table = fill().scores["regret"]
    turned = table.subset(np.ones(len(RULES), dtype=bool))
    order = np.array([2, 0, 3, 1])
    turned = type(table)(
        "regret",
        tuple(table.candidates[i] for i in order),
        *(part[order] for part in (table.mean, table.spread, table.valid, table.invalid)),
    )
    one, other = (choose({"r": Panel(Mean(), scores)}).verdicts["r"] for scores in (table, turned))
    assert one.choice == other.choice
    assert set(one.rivals) == set(other.rivals)
    assert np.array_equal(one.worth[order], other.worth)
    twins = fill((Candidate("one", UCB(1.0)), Candidate("two", UCB(1.0)))).scores["regret"]
    tied = choose({"r": Panel(Mean(), twins)}).verdicts["r"]
    assert tied.choice == "one"
    assert tied.rivals == ("two",)


@pytest.mark.parametrize("engine", ["plain", "cpu"])
def test_more_replications_leave_the_first_ones_as_they_are(engine):
    """A replication's randomness is its own: 32 of them are the first block of 64."""
    few, many = (fill(replications=count, engine=engine).scores["regret"] for count in (32, 64))
    assert np.array_equal(few.mean[..., 0], many.mean[..., 0])
    assert not np.array_equal(many.mean[..., 0], many.mean[..., 1])


def test_a_shift_of_all_rewards_changes_no_regret():
    """In every member all means go up by 64; shift-equivariant rules then pull the same arms."""
    low = ensemble()
    high = Ensemble(
        "drawn",
        tuple(
            simulator(tuple(one.parameters["mean"] + 64.0), float(one.parameters["sd"]))
            for one in low.simulators
        ),
    )
    one, other = fill(where=low), fill(where=high)
    regrets = [played.scores["regret"].by_member for played in (one, other)]
    assert np.allclose(regrets[0], regrets[1], rtol=0, atol=1e-9)
    paid = [played.scores["reward"].by_member for played in (one, other)]
    assert np.allclose(paid[0] + 64.0 * 40, paid[1])


def test_candidates_meet_common_random_numbers():
    """Two rules that pull the same arms are paid the same, to the bit."""
    never = fill((Candidate("a", UCB(1e-12)), Candidate("b", UCB(2e-12)))).scores["reward"]
    assert np.array_equal(never.mean[0], never.mean[1])


@pytest.mark.parametrize("engine", ["plain", "cpu"])
def test_a_study_that_was_stopped_and_run_on_gives_the_same_bits(engine, tmp_path):
    learners = (*RULES, hoping(), hoping(hope=3.0))
    whole = fill(learners, engine=engine)
    for halts in (1, 2, 4):
        stop = Stop()
        heard = []

        def progress(now, *, stop=stop, heard=heard, halts=halts):
            heard.append(now.done)
            if len(heard) > halts:
                stop.request()

        with Store.open(tmp_path / f"{halts}.sqlite") as store:
            with pytest.raises(Interrupted, match="goes on from there"):
                fill(learners, engine=engine, store=store, progress=progress, stop=stop)
            assert store.size > 0
            done = []
            again = fill(learners, engine=engine, store=store, progress=done.append)
        assert done[0].kept > 0
        assert same(whole, again)


def test_one_worker_or_two_or_none_give_the_same_bits():
    learners = (hoping(), hoping(hope=3.0), *RULES[:1])
    here = fill(learners)
    assert same(here, fill(learners, executor=InProcess()))
    for workers in (1, 2):
        with Processes(workers=workers) as executor:
            assert same(here, fill(learners, executor=executor))


def test_shards_that_are_merged_give_the_same_bits_and_the_same_rows(tmp_path):
    learners = (*RULES, hoping())
    with Store.open(tmp_path / "whole.sqlite") as store:
        whole = fill(learners, store=store)
        rows = list(store.rows())
    with Store.open(tmp_path / "merged.sqlite") as merged:
        for number in (3, 1, 2):
            with Store.open(tmp_path / f"{number}.sqlite") as part:
                fill(learners, store=part, share=Share(number, 3))
                merged.merge(part)
        stop = Stop()
        stop.request()  # nothing may be left to play
        assert same(whole, fill(learners, store=merged, stop=stop))
        assert list(merged.rows()) == rows


def test_a_trial_that_breaks_is_counted_named_and_never_wins():
    played = fill((hoping(breaks="raises"), *RULES))
    table = played.scores["regret"]
    assert table.failed.tolist() == [5 * 8, 0, 0, 0, 0]
    assert not table.eligible[0]
    assert {failure.candidate for failure in played.failures} == {"hoping(hope=1, breaks=raises)"}
    assert "out of luck" in played.failures[0].reason
    judged = choose({"r": Panel(Mean(), table)}).verdicts["r"]
    assert judged.choice != table.candidates[0]
    assert judged.worth[0] == -np.inf
    assert table.candidates[0] not in judged.rivals


def test_a_package_that_is_missing_ends_the_study_and_is_no_failure_of_the_learner(tmp_path):
    with Store.open(tmp_path / "scores.sqlite") as store:
        with pytest.raises(PluginError, match=r"'hoping' cannot be deployed here.*'torch'"):
            fill((hoping(breaks="misses"), *RULES), store=store)
        assert not any(row.invalid for row in store.rows())


def test_a_worker_that_dies_is_replaced_and_its_trial_tried_again(tmp_path):
    learners = (hoping(breaks=str(tmp_path / "first.died")), hoping(hope=2.0))
    with Processes(workers=1) as executor:
        played = fill(learners, executor=executor)
    assert (tmp_path / "first.died").exists()
    assert not played.failures
    assert np.isfinite(played.scores["regret"].mean).all()


def test_a_run_that_hangs_is_ended_at_its_deadline_and_not_tried_in_vain_again(tmp_path):
    learners = (hoping(breaks="hangs"), hoping(hope=2.0))
    given = {"where": ensemble(1), "replications": 1}
    with Store.open(tmp_path / "scores.sqlite") as store:
        played = fill(learners, deadline=1.0, store=store, **given)
        assert {failure.candidate for failure in played.failures} == {
            "hoping(hope=1, breaks=hangs)"
        }
        assert "took longer than the deadline of 1 s" in played.failures[0].reason
        assert played.scores["regret"].eligible.tolist() == [False, True]
        kept = store.size
        again = fill(learners, deadline=1.0, store=store, **given)
        assert same(played, again)
        assert store.size == kept


@dataclass(frozen=True)
class Unsound(Objective):
    """Regret, but what the candidate of least regret did is no number now and then."""

    value: float = math.nan

    @property
    def name(self):
        return "unsound"

    def checkpoints(self, horizon):
        return (horizon,)

    def score(self, outcome):
        scores = Regret().score(outcome)
        return np.where(scores > -3.0, self.value, scores)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_scores_that_are_not_finite_are_kept_as_invalid_and_never_win(value, tmp_path):
    with Store.open(tmp_path / "scores.sqlite") as store:
        played = fill(objectives=(Unsound(value),), store=store)
        rows = list(store.rows())
    table = played.scores["unsound"]
    assert 0 < sum(row.invalid for row in rows) == table.failed.sum()
    assert all(row.valid + row.invalid == row.replications for row in rows)
    assert all(row.mean is None or math.isfinite(row.mean) for row in rows)
    lost = table.failed > 0
    assert lost.any()
    assert not lost.all()
    judged = choose({"r": Panel(Mean(), table)}).verdicts["r"]
    assert not lost[judged.best]
    assert (judged.worth[lost] == -np.inf).all()
    assert "not finite" in played.failures[0].reason
