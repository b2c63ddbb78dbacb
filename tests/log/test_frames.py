"""Data frames of every make, and the values that only some of them can hold."""

import datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audition.errors import LogError
from audition.log import Log
from audition.readers import ColumnMap, read_frame

ARMS, REWARDS = ["b", "a", "b", "c"], [1.0, 2.5, -3.0, 0.0]
EXPECTED = Log.from_arrays(ARMS, REWARDS)

FRAMES = {
    "mapping": {"arm": ARMS, "reward": REWARDS},
    "record array": np.array(
        list(zip(ARMS, REWARDS, strict=True)), dtype=[("arm", "U1"), ("reward", "f8")]
    ),
    "pandas": pd.DataFrame({"arm": ARMS, "reward": REWARDS}),
    "pandas string": pd.DataFrame({"arm": pd.array(ARMS, dtype="string"), "reward": REWARDS}),
    "pandas categorical": pd.DataFrame({"arm": pd.Categorical(ARMS), "reward": REWARDS}),
    "pandas ordered categorical": pd.DataFrame(
        {"arm": pd.Categorical(ARMS, categories=["c", "b", "a", "z"]), "reward": REWARDS}
    ),
    "pandas nullable": pd.DataFrame({"arm": ARMS, "reward": pd.array(REWARDS, dtype="Float64")}),
    "pandas with an index": pd.DataFrame({"arm": ARMS, "reward": REWARDS}, index=[9, 9, 0, 1]),
    "polars": pl.DataFrame({"arm": ARMS, "reward": REWARDS}),
    "polars categorical": pl.DataFrame({"arm": pl.Series(ARMS, dtype=pl.Categorical)}).with_columns(
        reward=pl.Series(REWARDS)
    ),
    "polars enum": pl.DataFrame(
        {"arm": pl.Series(ARMS, dtype=pl.Enum(["c", "a", "b"])), "reward": REWARDS}
    ),
    "polars in chunks": pl.concat(
        [pl.DataFrame({"arm": [a], "reward": [r]}) for a, r in zip(ARMS, REWARDS, strict=True)],
        rechunk=False,
    ),
    "polars sliced": pl.DataFrame({"arm": ["x", *ARMS], "reward": [9.0, *REWARDS]})[1:],
    "arrow": pa.table({"arm": ARMS, "reward": REWARDS}),
    "arrow dictionary": pa.table({"arm": pa.array(ARMS).dictionary_encode(), "reward": REWARDS}),
    "arrow large string": pa.table({"arm": pa.array(ARMS, pa.large_string()), "reward": REWARDS}),
    "arrow string view": pa.table({"arm": pa.array(ARMS, pa.string_view()), "reward": REWARDS}),
    "arrow binary": pa.table({"arm": pa.array([a.encode() for a in ARMS]), "reward": REWARDS}),
    "arrow half": pa.table({"arm": ARMS, "reward": pa.array(np.array(REWARDS, "f2"))}),
    "arrow decimal": pa.table(
        {"arm": ARMS, "reward": pa.array([Decimal(str(r)) for r in REWARDS], pa.decimal128(9, 3))}
    ),
    "arrow batch": pa.record_batch({"arm": ARMS, "reward": REWARDS}),
    "arrow sliced": pa.table({"arm": ["x", *ARMS], "reward": [9.0, *REWARDS]}).slice(1),
}


@pytest.mark.parametrize("make", FRAMES)
def test_every_frame_gives_the_same_log(make):
    log = Log.from_dataframe(FRAMES[make], arm="arm", reward="reward")
    assert log.digest == EXPECTED.digest


MISSING = {
    "mapping": {"arm": ["a", None, "b"], "reward": [1.0, 2.0, None]},
    "masked arrays": {
        "arm": np.ma.array(["a", "x", "b"], mask=[False, True, False]),
        "reward": np.ma.array([1.0, 2.0, 9.0], mask=[False, False, True]),
    },
    "pandas": pd.DataFrame({"arm": ["a", None, "b"], "reward": [1.0, 2.0, np.nan]}),
    "pandas categorical": pd.DataFrame(
        {"arm": pd.Categorical(["a", None, "b"]), "reward": pd.array([1, 2, None], dtype="Int64")}
    ),
    "polars": pl.DataFrame({"arm": ["a", None, "b"], "reward": [1, 2, None]}),
    "arrow dictionary": pa.table(
        {"arm": pa.array(["a", None, "b"]).dictionary_encode(), "reward": [1.0, 2.0, None]}
    ),
    "arrow dictionary with a null word": pa.table(
        {
            "arm": pa.DictionaryArray.from_arrays([0, 1, 2], pa.array(["a", None, "b"])),
            "reward": [1.0, 2.0, None],
        }
    ),
    "arrow large string": pa.table(
        {"arm": pa.array(["a", None, "b"], pa.large_string()), "reward": [1.0, 2.0, None]}
    ),
    "arrow string view": pa.table(
        {"arm": pa.array(["a", None, "b"], pa.string_view()), "reward": [1.0, 2.0, None]}
    ),
}


@pytest.mark.parametrize("make", MISSING)
def test_missing_values_are_dropped_and_counted(make):
    reading = read_frame(MISSING[make])
    assert (reading.log.rewards.tolist(), dict(reading.dropped)) == (
        [1.0],
        {"no arm": 1, "no reward": 1},
    )
    assert reading.unrewarded == (0, 1)


@pytest.mark.parametrize("make", MISSING)
def test_a_log_from_a_frame_refuses_missing_values(make):
    with pytest.raises(LogError, match="missing"):
        Log.from_dataframe(MISSING[make], arm="arm", reward="reward")


DAYS = [datetime.datetime(2024, 1, day, 12, tzinfo=datetime.UTC) for day in (1, 2, 3, 4)]


@pytest.mark.parametrize(
    "times",
    [
        pl.Series(DAYS, dtype=pl.Datetime("ns", "UTC")),
        pl.Series(DAYS, dtype=pl.Datetime("ms", "UTC")),
        pl.Series([day.isoformat() for day in DAYS]),
        pl.Series([day.timestamp() for day in DAYS]),
    ],
)
def test_times_of_every_kind_are_seconds(times):
    frame = pl.DataFrame({"arm": ARMS, "reward": REWARDS}).with_columns(when=times)
    log = Log.from_dataframe(frame, arm="arm", reward="reward", time="when")
    assert log.times.tolist() == [day.timestamp() for day in DAYS]


def test_pandas_times_are_seconds_whatever_their_unit():
    frame = pd.DataFrame({"arm": ARMS, "reward": REWARDS, "when": pd.to_datetime(DAYS)})
    log = Log.from_dataframe(frame, arm="arm", reward="reward", time="when")
    assert log.times.tolist() == [day.timestamp() for day in DAYS]


def test_the_other_columns_are_taken_by_name():
    frame = pl.DataFrame(
        {"r": REWARDS, "a": ARMS, "p": [0.5] * 4, "u": [7, 7, 8, 8], "x": [1, 2, 3, 4]}
    )
    log = Log.from_dataframe(
        frame, arm="a", reward="r", propensity="p", cluster="u", context=["x"], arms=["c", "b", "a"]
    )
    assert (log.arm_names, log.units, log.context_names) == (("c", "b", "a"), 2, ("x",))
    assert log.contexts.tolist() == [[1.0], [2.0], [3.0], [4.0]]


@pytest.mark.parametrize("frame", [None, 3, [1, 2], np.zeros(3), "log.csv"])
def test_what_is_no_frame_is_refused(frame):
    with pytest.raises(LogError, match="a frame should be"):
        Log.from_dataframe(frame, arm="arm", reward="reward")


@pytest.mark.parametrize("make", ["mapping", "pandas", "polars", "arrow"])
def test_an_unknown_column_is_met_with_the_near_one(make):
    with pytest.raises(LogError, match="did you mean 'reward'"):
        Log.from_dataframe(FRAMES[make], arm="arm", reward="rewards")


def test_two_pandas_columns_of_one_name_are_refused():
    frame = pd.DataFrame([["a", 1.0, 2.0]], columns=["arm", "reward", "reward"])
    with pytest.raises(LogError, match="2 columns are"):
        Log.from_dataframe(frame, arm="arm", reward="reward")


def test_columns_of_different_lengths_are_refused():
    with pytest.raises(LogError, match="one value per row"):
        Log.from_dataframe({"arm": ARMS, "reward": REWARDS[:3]}, arm="arm", reward="reward")
    with pytest.raises(LogError, match="of one length"):
        read_frame({"arm": ARMS, "reward": REWARDS[:3]})


TABLE = st.lists(
    st.tuples(st.none() | st.text(max_size=20), st.none() | st.floats() | st.integers(-9, 9)),
    min_size=1,
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(TABLE, st.integers(0, 3))
def test_arrow_and_plain_lists_say_the_same(rows, skipped):
    skipped = min(skipped, len(rows) - 1)
    arms = [arm for arm, _ in rows]
    rewards = [None if reward is None else float(reward) for _, reward in rows]
    arrow = {
        kind: pa.table({"arm": pa.array(arms, kind), "reward": pa.array(rewards, pa.float64())})
        for kind in (pa.string(), pa.large_string(), pa.string_view())
    }
    frames = [{"arm": arms[skipped:], "reward": rewards[skipped:]}]
    frames += [table.slice(skipped) for table in arrow.values()]
    frames += [pl.from_arrow(arrow[pa.string()]).slice(skipped)]
    assert len({_said(frame) for frame in frames}) == 1


def _said(frame):
    try:
        reading = read_frame(frame, columns=ColumnMap())
    except LogError as error:
        return str(error)
    return (reading.digest, reading.rows, tuple(reading.dropped.items()), reading.unrewarded)
