"""Expressions of `that` which test nothing, never end or fill the memory are refused."""

from __future__ import annotations

import pytest

from engine.records.expression import BadExpression
from engine.scenario.word import noting

NOTHING_TESTED = (
    "coherent",
    "destroyed",
    "distance",
    "not coherent",
    "coherent and engaged('h')",
    "'false'",
    "'h'",
    "''",
    "[1]",
    "[]",
    "('h',)",
    "True",
    "1",
    "0.5",
    "1 < 2",
    "'a' == 'a'",
    "not 'a'",
    "1 == 1 or 2 == 3",
    "abs(-1) == 1",
    "distance('h', 'm')",
    "path_length('h', [1, 2])",
    "position('h')",
    "model('h', 0)",
    "zone('defender')",
    "engaged('h') or 'a'",
    "engaged('h') == 'a'",
    "distance('h', 'm') and engaged('h')",
    "position('h')[0]",
)
NEVER_ENDING = (
    "'a' * 99999999999 == models('h')",
    "models('h') == 'a' * 99999999999",
    "[1] * 9999999999 == position('h')",
    "(1, 2) * 9999999999 == position('h')",
    "'%3000000000d' % 1 == 'a' or engaged('h')",
    "9 ** 9 ** 9 ** 9 == models('h')",
    "((((9 ** 3) ** 3) ** 3) ** 3) ** 3 == models('h')",
    "2 ** 99999999 > models('h')",
    "models('h') ** models('h') > 3",
    "1e400 > models('h')",
    "99999999999999999999 > models('h')",
    "max('a' * 99999999, 'b') == 'a' or engaged('h')",
    "models('h') < 3" + " + 1" * 2000,
    "(" * 2000 + "models('h')" + ")" * 2000 + " == 1",
    "-" * 1000 + "models('h') == 1",
    "[[1]][0][0] == models('h')",
    "{1} == models('h')",
    "lambda: engaged('h')",
    "[x for x in 'aaaa'] == engaged('h')",
    "engaged('h').real",
    "engaged(**{'thing': 'h'})",
    "__import__('os') == models('h')",
    "b'a' == models('h')",
    "1j == models('h')",
    "... == models('h')",
    "None == models('h')",
    "f\"{engaged('h')}\" == 'True'",
    "(y := 3) == models('h')",
    "models('h') << 99999999 == 1",
    "~models('h') == 1",
    "models('h') @ 3 == 1",
    "engaged('h') + engaged('h') == 2",
    "'h' in 'house' and engaged('h')",
    "position('h')['a'] == 1",
    "position('h')[0:99999] == [1]",
)
GOOD = (
    "engaged('h')",
    "not engaged('h') and coherent('h')",
    "touching('h', 'm')",
    "models('h') == 3",
    "distance('h', 'm') < 9.05",
    "abs(position('a', 0)[0] - 40) < 0.01",
    "((position('h')[0] - 33) ** 2 + 36) ** 0.5 == 10",
    "can_charge('h', ['m', 'n'], 7)",
    "wholly_within('h', zone('defender'))",
    "destroyed(model('h', 0))",
    "max(distance('h', 'm'), 2) <= 3",
    "position('h')[2] in [0, 3]",
    "(models('h') if engaged('h') else 2) == 2",
    "engaged('h') == True",
)


@pytest.mark.parametrize("text", NOTHING_TESTED)
def test_what_tests_nothing_is_refused(text: str) -> None:
    with pytest.raises(BadExpression):
        noting(text)


@pytest.mark.parametrize("text", NEVER_ENDING)
def test_what_may_never_end_is_refused(text: str) -> None:
    with pytest.raises(BadExpression) as refused:
        noting(text)
    assert len(str(refused.value)) < 500


@pytest.mark.parametrize("text", GOOD)
def test_conditions_about_the_battle_are_read(text: str) -> None:
    assert noting(text).text == text
