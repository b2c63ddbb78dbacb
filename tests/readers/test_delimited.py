"""CSV in all the ways that people and programs write it."""

import numpy as np
import pytest

from audition.errors import LogError
from audition.readers import ColumnMap, read_log

PLAIN = "time,arm,reward\n1,a,1.5\n2,b,2.5\n3,a,-3\n"


def read(tmp_path, text, name="log.csv", **columns):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_log(path, columns=ColumnMap(**columns))


def test_a_plain_file_gives_its_rows_in_order(tmp_path):
    reading = read(tmp_path, PLAIN, time="time")
    assert reading.log.arm_names == ("a", "b")
    assert reading.log.rewards.tolist() == [1.5, 2.5, -3.0]
    assert reading.log.times.tolist() == [1.0, 2.0, 3.0]
    assert (reading.rows, dict(reading.dropped)) == (3, {})


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + PLAIN,
        PLAIN.replace("\n", "\r\n"),
        PLAIN.replace("\n", "\r"),
        PLAIN.replace(",", ";"),
        PLAIN.replace(",", "\t"),
        PLAIN.replace("\n", "\n\n"),
        "\n" + PLAIN,
        PLAIN.rstrip("\n"),
        PLAIN.replace("arm", '"arm"').replace("a,", '"a",'),
    ],
)
def test_the_way_it_is_written_does_not_change_what_it_says(tmp_path, text):
    assert read(tmp_path, text, time="time").digest == read(tmp_path, PLAIN, time="time").digest


def test_a_quoted_arm_may_hold_line_ends_and_separators(tmp_path):
    reading = read(tmp_path, 'arm,reward\n"a\nb, ""c""",1\nd,2\n')
    assert reading.log.arm_names == ('a\nb, "c"', "d")
