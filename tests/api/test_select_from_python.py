"""The whole way in a notebook: frames of any kind in, a verdict that shows itself out."""

import json
from dataclasses import dataclass
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import audition
from audition import AuditionError, Candidate, Log, select
from audition.document import schema
from audition.errors import ConfigError, Interrupted, LogError
from audition.families.gaussian import Gaussian
from audition.learner import Learner
from audition.learners.ucb import UCB
from audition.objective import Objective
from audition.report import report_html
from audition.rule import Rule
from audition.rules.cvar import CVaR

SMALL = {"horizon": 60, "size": 6, "replications": 4}
FEW = (UCB(0.5), UCB(2.0), UCB(8.0))


def frame() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    arms = rng.integers(3, size=90)
    return pd.DataFrame(
        {"variant": np.array(["red", "green", "blue"])[arms], "revenue": rng.normal(arms, 1.0)}
    )


COLUMNS = {"arm": "variant", "reward": "revenue"}


@pytest.fixture(scope="module")
def result():
    return select(frame(), **COLUMNS, candidates=FEW, rules=["cvar"], **SMALL)


@pytest.mark.parametrize(
    "given",
    [
        frame,
        lambda: pl.from_pandas(frame()),
        lambda: pa.Table.from_pandas(frame()),
        lambda: pa.Table.from_pandas(frame()).to_batches()[0],
        lambda: Log.from_dataframe(frame(), **COLUMNS),
    ],
    ids=["pandas", "polars", "arrow-table", "arrow-batch", "log"],
)
def test_any_frame_gives_the_same_result(given, result):
    other = select(given(), **COLUMNS, candidates=FEW, rules=["cvar"], **SMALL)
    assert other.to_plain() == result.to_plain()


def test_a_file_gives_the_same_result(tmp_path, result):
    frame().to_csv(tmp_path / "shop.csv", index=False)
    other = select(tmp_path / "shop.csv", **COLUMNS, candidates=FEW, rules=["cvar"], **SMALL)
    assert other.to_plain()["choices"] == result.to_plain()["choices"]


def test_the_document_is_json_that_keeps_its_schema(result):
    import jsonschema

    plain = json.loads(json.dumps(result.to_plain(), allow_nan=False))
    jsonschema.validate(plain, schema())
    assert set(plain) >= {"choices", "candidates", "rivals", "log", "warnings", "seed", "version"}
    assert set(plain["choices"]) == {"plug_in", "uncertainty_aware", "cvar"}
    assert plain["choices"]["uncertainty_aware"]["candidate"] == result.choice
    assert plain["log"]["counts"] == [
        int((frame().variant == n).sum()) for n in plain["log"]["arms"]
    ]
    assert len(plain["candidates"]) == 3
    assert {"worth", "standard_error"} <= set(plain["candidates"][0]["rules"]["plug_in"])


def test_the_table_comes_as_pandas_and_as_arrow(result):
    table = result.to_frame()
    assert table.candidate.iloc[0] == result.choice
    assert table.uncertainty_aware_worth.is_monotonic_decreasing
    assert {"plug_in_worth", "plug_in_standard_error", "rival", "failed"} <= set(table.columns)
    assert result.to_arrow().to_pandas().equals(table)


def test_a_plot_is_a_figure_with_a_mark_for_every_candidate(result):
    import matplotlib.figure

    figure = result.plot()
    assert isinstance(figure, matplotlib.figure.Figure)
    words = {text.get_text() for axes in figure.axes for text in axes.get_yticklabels()}
    assert sum("ucb" in word for word in words) == 3


class Tags(HTMLParser):
    """Every tag that was opened, and whether all were closed."""

    def __init__(self):
        super().__init__()
        self.opened: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        if tag not in ("br", "wbr", "meta", "line", "circle", "rect", "polygon", "polyline"):
            self.opened.append(tag)

    def handle_endtag(self, tag):
        if tag not in ("line", "circle", "rect", "polygon", "polyline"):
            assert self.opened.pop() == tag


def test_in_a_notebook_it_shows_the_choice_the_rivals_and_a_picture(result):
    page = result._repr_html_()
    tags = Tags()
    tags.feed(page)
    assert tags.opened == []
    assert {"svg", "table", "h3"} <= tags.seen
    assert "script" not in tags.seen
    assert f"Deploy <code>{result.choice}</code>" in page


def test_a_hostile_name_is_text_in_a_notebook():
    rows = frame().replace({"variant": {"red": "<script>alert(1)</script>"}})
    found = select(rows, **COLUMNS, candidates=[Candidate("<img src=x>", UCB(0.5)), *FEW], **SMALL)
    assert "<script>" not in found._repr_html_()
    assert "<img" not in found._repr_html_()


@dataclass(frozen=True)
class Broken(Learner):
    """Never gets to the end."""

    @property
    def name(self):
        return "broken"

    def deploy(self, world, rng):
        raise ValueError("out of order")


def test_report_and_notebook_say_who_was_not_judged_and_count_only_those_who_were():
    found = select(frame(), **COLUMNS, candidates=[UCB(0.5), Broken(), UCB(50.0)], **SMALL)
    assert found.verdict().unjudged == ("broken()",)
    for page in (report_html(found), found._repr_html_()):
        assert "Not judged, for a trial of theirs failed: broken()." in page
        assert "other 2 candidates" not in page
    assert " of 1<" in report_html(found)
    alone = select(frame(), **COLUMNS, candidates=[UCB(0.5), Broken()], **SMALL)
    for page in (report_html(alone), alone._repr_html_()):
        assert "No other candidate finished." in page


@dataclass(frozen=True)
class Median(Rule):
    """The middle member."""

    @property
    def name(self):
        return "median"

    def worth(self, values):
        return np.median(values, axis=1)


@dataclass(frozen=True)
class FirstHalf(Objective):
    """Rewards before half time."""

    @property
    def name(self):
        return "first_half"

    def checkpoints(self, horizon):
        return (horizon // 2,)

    def score(self, outcome):
        return outcome.totals[:, 0].sum(axis=-1)


def test_objects_are_taken_wherever_names_are():
    found = select(
        frame(), **COLUMNS, candidates=FEW, family=Gaussian(), ensemble="parametric",
        rules=[Median(), CVaR(0.5), "worst"], objectives=["regret", FirstHalf()], **SMALL,
    )  # fmt: skip
    assert list(found.selection.choices) == [
        "plug_in", "uncertainty_aware", "worst", "median", "cvar",
    ]  # fmt: skip
    assert set(found.scores) == {"regret", "first_half"}
    assert found.prepared.ensembles["uncertainty_aware"].name == "parametric"


def test_two_settings_of_one_rule_are_told_apart():
    found = select(frame(), **COLUMNS, candidates=FEW, rules=[CVaR(0.1), CVaR(0.5)], **SMALL)
    assert list(found.selection.choices)[2:] == ["cvar", "cvar-2"]


def test_a_store_lets_a_call_pick_up_where_it_stopped(tmp_path, result):
    def ends(rule, now):
        if rule == "uncertainty_aware":
            raise KeyboardInterrupt

    given = {**COLUMNS, "candidates": FEW, "rules": ["cvar"], **SMALL}
    with pytest.raises(KeyboardInterrupt):
        select(frame(), **given, store=tmp_path / "scores.sqlite", progress=ends)
    heard = []
    again = select(
        frame(), **given, store=tmp_path / "scores.sqlite", progress=lambda *now: heard.append(now)
    )
    assert again.to_plain() == result.to_plain()
    assert [now.kept > 0 for rule, now in heard if rule == "plug_in"] == [True, True]


@pytest.mark.parametrize(
    ("changed", "error", "said"),
    [
        ({"arm": "variante"}, LogError, "variant"),
        ({"horizon": 0}, ConfigError, "horizon"),
        ({"rules": ["cvr"]}, AuditionError, "did you mean 'cvar'"),
        ({"family": "gausian"}, AuditionError, "did you mean 'gaussian'"),
        ({"ensemble": "bootstrap"}, AuditionError, "no plug-in among the ensembles"),
        ({"candidates": [UCB(1.0)]}, ConfigError, "at least two candidates"),
        ({"candidates": [UCB(1.0), UCB(1.0)]}, ConfigError, "two candidates are called"),
        ({"objectives": ["regrets"]}, AuditionError, "regret"),
        ({"engine": "abacus"}, AuditionError, "engine"),
        ({"size": 0}, ConfigError, "size"),
        ({"replications": -1}, ConfigError, "replications"),
        ({"family": "bernoulli"}, AuditionError, "bernoulli"),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_what_cannot_be_done_is_said_in_words(changed, error, said):
    given = {**COLUMNS, "candidates": FEW, **SMALL, **changed}
    with pytest.raises(error, match=said):
        select(frame(), **given)


def test_the_public_names_are_a_pinned_list():
    assert sorted(audition.__all__) == [
        "AuditionError", "Candidate", "Log", "Result", "Study", "Surface", "Trajectories", "select",
    ]  # fmt: skip
    assert all(getattr(audition, name) is not None for name in audition.__all__)
    assert dir(audition) == sorted(audition.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        audition.nothing  # noqa: B018
    assert issubclass(Interrupted, AuditionError)
