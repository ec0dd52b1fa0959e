"""Numbers with points, commas and thousands."""

import pytest

from bolt_core.common.errors import DataError
from bolt_core.logs.cells import is_missing, looks_like_value, numbers_of


def numbers(*cells, commas=True):
    found = numbers_of(cells, range(2, len(cells) + 2), quoted_commas=commas)
    return None if found is None else found.values.tolist()


@pytest.mark.parametrize(
    ("cells", "commas", "values"),
    [
        (("1.5", "-2e3", "+.5"), True, [1.5, -2000.0, 0.5]),
        (("3,5", "1.234,25"), False, [3.5, 1234.25]),
        (("1,234.5", "2,000"), True, [1234.5, 2000.0]),
        (("1,234", "2,500"), True, [1234.0, 2500.0]),  # in quotes: thousands
        (("1,234", "2,500"), False, [1.234, 2.5]),  # between semicolons: decimals
        (("1 234,5", "7"), False, [1234.5, 7.0]),
        (("12'000", "7"), True, [12_000.0, 7.0]),
    ],
)
def test_signs(cells, commas, values):
    assert numbers(*cells, commas=commas) == values


def test_underscores_formulas_and_words_are_texts():
    found = numbers_of(("1_000", "=1+1", "2", "3", "4", "5"), range(6), quoted_commas=True)
    assert found.wrong == (0, 1)
    assert numbers("a", "b", "1") is None
    assert numbers("", "", "") is None


def test_two_decimal_signs_in_one_column_are_refused():
    with pytest.raises(DataError, match="line 3"):
        numbers("3,5", "4.5", commas=False)


def test_missing_and_values():
    assert all(is_missing(cell) for cell in ("", "NaN", "N/A", "null", "#DIV/0!", "-Inf"))
    assert not is_missing("0")
    assert all(map(looks_like_value, ("1", "1,5", "2026-01-01", "31.12.25 10:00")))
    assert not any(map(looks_like_value, ("feed", "=A1", "", "1.5 bar")))
