"""Study files: what they mean, and that any text gives a study or an AuditionError."""

import string
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audition.errors import AuditionError, ConfigError
from audition.study import (
    CandidateChoice,
    EnsembleChoice,
    LogSource,
    ObjectiveChoice,
    Study,
    read,
    read_file,
    to_plain,
)
from audition.study_text import commented, toml

SMALLEST = '[log]\npath = "log.csv"\n'


def test_a_study_needs_no_more_than_a_log():
    study = read(SMALLEST)
    assert study == Study(log=LogSource(path="log.csv"))
    assert study.ensemble.size == 200


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('horizn = 10\n[log]\npath = "x"', "'horizn'; did you mean 'horizon'"),
        ('[log]\npath = "x"\nrewrad = "y"', "'log.rewrad'; did you mean 'reward'"),
        (SMALLEST + "[ensemble]\nsise = 3", "'ensemble.sise'; did you mean 'size'"),
        (SMALLEST + "[[candidates]]\nlerner = 'ucb'", "'candidates[0].lerner'; did you mean"),
        ("horizon = 10", "log"),
        (SMALLEST.replace('"log.csv"', "3"), "log.path"),
        ("horizon = 0\n" + SMALLEST, "horizon must be from 1"),
        ("horizon = 1e3\n" + SMALLEST, "horizon"),
        ("seed = -1\n" + SMALLEST, "seed must be from 0"),
        ("objectives = []\n" + SMALLEST, "at least one objective"),
        (SMALLEST + "[ensemble]\nsize = 1", "ensemble.size must be from 2"),
        ("horizon = 99999999999999999999\n" + SMALLEST, "horizon must be from 1"),
        ("= = =", "is not TOML"),
        ("x = " + "[" * 20_000, "is not TOML"),
    ],
)
def test_what_is_not_a_study_is_refused_with_what_to_change(text, said):
    with pytest.raises(ConfigError) as told:
        read(text)
    assert said in str(told.value)


def test_a_file_that_is_not_text_is_refused(tmp_path):
    place = tmp_path / "study.toml"
    place.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="cannot be read"):
        read_file(place)
    with pytest.raises(ConfigError, match="cannot be read"):
        read_file(tmp_path / "missing.toml")


def test_a_byte_order_mark_does_no_harm(tmp_path):
    place = tmp_path / "study.toml"
    place.write_bytes(b"\xef\xbb\xbf" + SMALLEST.encode())
    assert read_file(place).log.path == "log.csv"


KEYS = ["horizon", "log", "path", "arm", "seed", "ensemble", "size", "candidates", "grid", "x"]
plain_values = st.recursive(
    st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
    | st.datetimes().map(lambda moment: moment.replace(tzinfo=None))
    | st.dates()
    | st.times(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)
    ),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=200) | st.text(string.printable, max_size=200))
def test_any_text_gives_a_study_or_an_audition_error(text):
    for candidate in (text, SMALLEST + text):
        with suppress(AuditionError):
            assert isinstance(read(candidate), Study)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.sampled_from(KEYS), plain_values, max_size=5))
def test_any_toml_gives_a_study_that_can_be_written_or_an_audition_error(plain):
    try:
        study = read(toml({**plain, "log": {"path": "log.csv"}}))
    except AuditionError:
        return
    assert repr(read(toml(to_plain(study)))) == repr(study)  # repr: NaN settings are no equals


names = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
setting_values = st.integers(-(2**62), 2**62) | st.floats(allow_nan=False) | names | st.booleans()
setting_tables = st.dictionaries(names, setting_values, max_size=3)
studies = st.builds(
    Study,
    log=st.builds(
        LogSource,
        path=names,
        arm=names,
        cluster=st.none() | names,
        drop_arms=st.lists(names, max_size=2).map(tuple),
    ),
    horizon=st.integers(1, 2**31 - 1),
    seed=st.integers(0, 2**63 - 1),
    ensemble=st.builds(EnsembleChoice, name=names, size=st.integers(2, 500)),
    objectives=st.lists(
        st.builds(ObjectiveChoice, name=names, settings=setting_tables), min_size=1, max_size=2
    ).map(tuple),
)
choices = st.builds(
    CandidateChoice,
    learner=names,
    settings=setting_tables,
    grid=st.dictionaries(names, st.lists(setting_values, max_size=3).map(tuple), max_size=2),
    name=names,
)


@settings(max_examples=100, deadline=None)
@given(studies)
def test_a_study_that_is_written_is_read_back_as_it_was(study):
    again = read(toml(to_plain(study)))
    assert to_plain(again) == to_plain(study)


@settings(max_examples=100, deadline=None)
@given(studies, st.lists(choices, max_size=3), st.lists(st.text(max_size=40), max_size=3))
def test_comments_hold_whatever_the_log_holds_and_say_the_same_study(study, candidates, found):
    again = read(commented(study, candidates=candidates, found=found))
    assert to_plain(again).pop("candidates", []) == [to_plain(choice) for choice in candidates]
    assert again.log == study.log
    assert again.objectives == study.objectives
    assert (again.horizon, again.seed, again.ensemble) == (
        study.horizon,
        study.seed,
        study.ensemble,
    )
