"""JSON lines, and arrays of objects."""

import gzip
import json

import pytest

from audition.errors import LogError
from audition.readers import ColumnMap, read_log

ROWS = [
    {"arm": "a", "reward": 1.5, "user": "u"},
    {"arm": "b", "reward": 2, "user": None},
    {"arm": "a", "reward": -3.0},
]
LINES = "".join(json.dumps(row) + "\n" for row in ROWS)


def read(tmp_path, text, name="log.jsonl", **columns):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_log(path, columns=ColumnMap(**columns))


def test_a_line_is_a_row_and_a_key_is_a_column(tmp_path):
    reading = read(tmp_path, LINES, cluster="user")
    assert reading.log.rewards.tolist() == [1.5, 2.0, -3.0]
    assert (reading.log.arm_names, reading.unclustered) == (("a", "b"), 2)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (LINES.rstrip("\n"), "log.jsonl"),
        (LINES.replace("\n", "\r\n\r\n"), "log.ndjson"),
        ("\ufeff" + LINES, "log.jsonl"),
        (LINES, "log.json"),
        (json.dumps(ROWS), "log.json"),
        (json.dumps(ROWS, indent=2), "log.json"),
        (gzip.compress(LINES.encode()), "log.jsonl.gz"),
    ],
)
def test_the_way_it_is_written_does_not_change_what_it_says(tmp_path, text, name):
    assert read(tmp_path, text, name).digest == read(tmp_path, LINES).digest


@pytest.mark.parametrize("cut", range(2, 40, 5))
def test_a_torn_last_line_is_left_out_and_counted(tmp_path, cut):
    whole = json.dumps({"arm": "b", "reward": 4.0, "user": {"id": 7}})
    reading = read(tmp_path, LINES + whole[:cut])
    assert (reading.log.rows, dict(reading.dropped)) == (3, {"torn last line": 1})


def test_an_unsound_line_in_the_middle_names_its_line(tmp_path):
    with pytest.raises(LogError, match="line 2: this is not sound JSON"):
        read(tmp_path, '{"arm": "a", "reward": 1}\n{"arm": "b", \n{"arm": "a", "reward": 1}\n')


def test_a_bad_value_names_its_line_past_empty_ones(tmp_path):
    with pytest.raises(LogError, match=r"line 4: .*'much'"):
        read(tmp_path, '\n{"arm": 1, "reward": 1}\n\n{"arm": 2, "reward": "much"}\n')


@pytest.mark.parametrize("text", ['["a", 1]\n["b", 2]\n', "[1, 2]", '"a"\n', "7\n"])
def test_a_row_that_is_no_object_is_refused(tmp_path, text):
    with pytest.raises(LogError, match=r"should be an object|not sound JSON"):
        read(tmp_path, text)


def test_an_array_that_was_cut_short_is_refused(tmp_path):
    with pytest.raises(LogError, match="not sound JSON"):
        read(tmp_path, json.dumps(ROWS)[:-5], "log.json")


def test_numbers_that_are_not_finite_are_counted(tmp_path):
    text = LINES + '{"arm": "a", "reward": NaN}\n{"arm": "a", "reward": -Infinity}\n'
    assert dict(read(tmp_path, text).dropped) == {"no reward": 1, "infinite reward": 1}


def test_a_string_may_hold_line_ends_of_other_kinds(tmp_path):
    line = json.dumps({"arm": "a\u2028b\x85", "reward": 1}, ensure_ascii=False)
    assert "a\u2028b" in read(tmp_path, f"{line}\n{LINES}").log.arm_names


def test_half_a_surrogate_pair_becomes_something_that_can_be_printed(tmp_path):
    log = read(tmp_path, '{"arm": "\\ud800", "reward": 1}\n' + LINES).log
    assert [name.encode() for name in log.arm_names] == [b"?", b"a", b"b"]


def test_numbers_and_booleans_name_arms_as_their_text(tmp_path):
    text = "".join(f'{{"arm": {arm}, "reward": 1}}\n' for arm in ("1", "1.0", '"1"', "true"))
    assert read(tmp_path, text).log.arm_names == ("1", "true")


def test_a_nested_label_is_refused(tmp_path):
    with pytest.raises(LogError, match="should hold labels"):
        read(tmp_path, '{"arm": {"id": 1}, "reward": 1}\n')


def test_a_column_that_first_occurs_late_is_found(tmp_path):
    text = '{"arm": "a", "reward": 1}\n' * 20_000 + '{"arm": "b", "reward": 1, "user": "u"}\n'
    assert read(tmp_path, text, cluster="user").unclustered == 20_000


def test_a_missing_column_is_met_with_those_that_are_there(tmp_path):
    with pytest.raises(LogError, match=r"the columns are: arm, reward, user.*could be the arm"):
        read(tmp_path, LINES * 2, arm="variant")
