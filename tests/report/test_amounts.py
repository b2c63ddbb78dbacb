"""Numbers as people read them."""

import math

import pytest

from audition.amounts import amount, percent, with_error


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.0, "0"),
        (0.081234, "0.08123"),
        (81.2345, "81.23"),
        (12345.6, "12,346"),
        (-3.0, "−3.000"),
        (2.5291e11, "2.529e+11"),
        (3.1e-7, "3.100e−07"),
        (math.nan, "–"),
    ],
)
def test_a_number_has_the_digits_that_count(value, said):
    assert amount(value) == said


@pytest.mark.parametrize(
    ("value", "error", "said"),
    [
        (87.31, 2.12, "87.3 ± 2.1"),
        (105.13, 4.4, "105 ± 4"),
        (-0.5, 0.033, "−0.50 ± 0.03"),
        (1234567.0, 4321.0, "1,234,567 ± 4,321"),
        (5.0, 0.0, "5.000"),
        (2.5291e11, 1.2e10, "(2.53 ± 0.12)e11"),
        (3.1e-7, 1.2e-8, "(3.10 ± 0.12)e−7"),
        (5.0, 1e-12, "5.000"),
        (-0.0004, 0.04, "0.00 ± 0.04"),
        (math.nan, 1.0, "–"),
        (4.0, math.inf, "4.000"),
    ],
)
def test_a_number_is_rounded_where_its_error_begins(value, error, said):
    assert with_error(value, error) == said


def test_a_column_has_one_number_of_decimals():
    assert with_error(87.31, 2.12, decimals=0) == "87 ± 2"


@pytest.mark.parametrize(
    ("share", "said"),
    [(0.0, "0%"), (0.001, "<1%"), (0.5, "50%"), (0.999, ">99%"), (1.0, "100%"), (math.nan, "–")],
)
def test_what_is_neither_nothing_nor_everything_is_not_written_as_either(share, said):
    assert percent(share) == said


def test_an_exact_zero_in_a_column_of_tiny_errors_is_zero():
    assert with_error(0.0, 0.0, decimals=9) == "0"
