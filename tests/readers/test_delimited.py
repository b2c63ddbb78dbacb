"""CSV in all the ways that people and programs write it."""

import csv
import gzip
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audition.errors import LogError
from audition.readers import ColumnMap, read_log
from audition.readers.delimited import read as read_table

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


def test_a_packed_file_reads_like_the_plain_one(tmp_path):
    packed = read(tmp_path, gzip.compress(PLAIN.encode()), name="log.csv.gz")
    assert packed.digest == read(tmp_path, PLAIN).digest


def test_a_packed_file_that_was_cut_short_gives_the_rows_that_are_there(tmp_path):
    text = "arm,reward\n" + "".join(f"{'ab'[i % 2]},{i}\n" for i in range(5000))
    cut = gzip.compress(text.encode())[:-200]
    assert 1000 < read(tmp_path, cut, name="log.csv.gz").log.rows < 5000


def test_renamed_columns_are_found_by_the_names_given(tmp_path):
    text = "when;which;paid\n2024-01-02;x;1,5\n2024-01-03;y;2,5\n"
    log = read(tmp_path, text, arm="which", reward="paid", time="when", decimal=",").log
    assert log.rewards.tolist() == [1.5, 2.5]
    assert log.times[1] - log.times[0] == 86_400.0
    assert (log.arm_name, log.reward_name) == ("which", "paid")


def test_a_decimal_comma_that_was_not_announced_is_met_with_the_remedy(tmp_path):
    with pytest.raises(LogError, match=r"line 2: .*'1,5'.*decimal"):
        read(tmp_path, "arm;reward\na;1,5\nb;2\n")


def test_a_torn_last_line_is_left_out_and_counted(tmp_path):
    reading = read(tmp_path, PLAIN + "4,a")
    assert (reading.log.rows, reading.rows, dict(reading.dropped)) == (3, 4, {"torn last line": 1})


def test_a_last_number_cut_within_its_digits_cannot_be_told_from_a_short_one(tmp_path):
    assert read(tmp_path, PLAIN + "4,a,1").log.rows == 4


def test_a_last_field_that_is_no_number_and_has_no_line_end_is_torn(tmp_path):
    assert dict(read(tmp_path, PLAIN + "4,a,-").dropped) == {"torn last line": 1}


def test_a_short_line_in_the_middle_names_its_line(tmp_path):
    with pytest.raises(LogError, match="line 3: expected 3 fields, as the header has; got 2"):
        read(tmp_path, "time,arm,reward\n1,a,1\n2,b\n3,a,1\n")


def test_lines_are_counted_through_quoted_line_ends(tmp_path):
    with pytest.raises(LogError, match=r"line 5: .*'x'"):
        read(tmp_path, 'arm,reward\n"a\n\nb",1\na,x\nb,2\n')


def test_utf_16_is_met_with_the_remedy(tmp_path):
    with pytest.raises(LogError, match=r"UTF-16\. Save it as UTF-8"):
        read(tmp_path, PLAIN.encode("utf-16"))


def test_another_encoding_names_the_line_and_the_byte(tmp_path):
    with pytest.raises(LogError, match=r"line 3: .*byte 0xe9"):
        read(tmp_path, "arm,reward\na,1\n\xe9,2\nb,3\n".encode("latin-1"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "names its columns"),
        ("\n\n", "names its columns"),
        ("arm,reward\n", "only its header"),
        ("arm,reward\n,\n,\n", "no row of the log can be used|only its header"),
        ("arm,reward,arm\na,1,b\n", "2 columns are"),
        ('arm,reward\n"a,1\nb,2\n', "line 2: a quote is opened"),
        ("arm,reward\na,1\nb,much\nb,2\n", "line 3: .*'much'"),
        ("arm,reward\na,1_000\nb,2\n", "'1_000'"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path, text, said):
    with pytest.raises(LogError, match=said):
        read(tmp_path, text)


def test_a_missing_column_is_met_with_those_that_could_be_meant(tmp_path):
    text = "id,variant,revenue\n" + "".join(f"{i},{'xy'[i % 2]},{i}.5\n" for i in range(40))
    with pytest.raises(LogError, match=r"no column is called 'arm'.*could be the arm.*variant"):
        read(tmp_path, text)
    with pytest.raises(LogError, match=r"no column is called 'reward'.*revenue"):
        read(tmp_path, text, arm="variant")


def test_a_huge_field_is_read_or_refused_but_never_cut(tmp_path):
    with pytest.raises(LogError, match="line 2"):
        read(tmp_path, f"arm,reward\n{'a' * 200_000},1\nb,2\n")


def test_a_nul_byte_in_a_name_stays_in_the_name(tmp_path):
    assert read(tmp_path, "arm,reward\na\x00b,1\nc,2\n").log.arm_names == ("a\x00b", "c")


@pytest.mark.parametrize("value", ["", "NA", "n/a", "NaN", "null", "None", " "])
def test_a_missing_reward_drops_its_row_and_is_counted_for_its_arm(tmp_path, value):
    reading = read(tmp_path, f"arm,reward\na,1\nb,{value}\nb,2\n")
    assert dict(reading.dropped) == {"no reward": 1}
    assert reading.unrewarded == (0, 1)


def test_each_dropped_row_is_counted_once_under_its_first_reason(tmp_path):
    text = "arm,reward,p\na,1,.5\n,,\nb,inf,\nb,2,x\n".replace("x", "nan")
    reading = read(tmp_path, text + "b,3,.5\n", propensity="p")
    assert dict(reading.dropped) == {"no arm": 1, "infinite reward": 1, "no finite p": 1}
    assert reading.rows == reading.log.rows + 3


def test_rows_without_a_cluster_are_units_of_their_own(tmp_path):
    reading = read(tmp_path, "arm,reward,user\na,1,u\nb,2,u\na,3,\nb,4,\n", cluster="user")
    assert (reading.log.units, reading.unclustered) == (3, 2)


def test_an_arm_is_left_out_on_request(tmp_path):
    reading = read(tmp_path, "arm,reward\na,1\nb,2\nc,x\n".replace("x", "3"), drop_arms=("c",))
    assert reading.log.arm_names == ("a", "b")
    assert dict(reading.dropped) == {"arm left out on request": 1}


def test_an_arm_that_was_not_declared_is_refused(tmp_path):
    with pytest.raises(LogError, match="not declared: 'b'"):
        read(tmp_path, PLAIN, arms=("a", "c"))


def test_a_missing_file_and_a_strange_ending_are_told_plainly(tmp_path):
    with pytest.raises(LogError, match="there is no file"):
        read_log(tmp_path / "nowhere.csv")
    with pytest.raises(LogError, match=r"did you mean '\.csv'"):
        read_log(tmp_path / "log.cvs")


FIELD = st.text(alphabet='ab ,;\t|"\n\r\x00é', max_size=6)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(FIELD, FIELD), min_size=1, max_size=5), st.sampled_from(",;\t|"))
def test_what_a_csv_writer_writes_is_read_back(rows, mark):
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, delimiter=mark, quoting=csv.QUOTE_ALL)
    writer.writerows([("left column", "right column"), *rows])
    table = read_table(buffer.getvalue().encode(), ["left column", "right column"])
    read_back = zip(*(table.columns[name].tolist() for name in table.names), strict=True)
    assert list(read_back) == rows
