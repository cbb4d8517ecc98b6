"""The words of conditions: each has its own, with numbers where the log has them."""

from __future__ import annotations

from ai.reasons import condition
from engine.core.request import Candidate
from viewer.story.condition_words import COUNTS, WORDS, failed_words


def test_every_condition_has_words() -> None:
    known = {value for name, value in vars(condition).items() if name.isupper()}
    assert known == set(WORDS)
    assert known >= COUNTS


def test_numbers_are_told_as_inches_or_counted() -> None:
    far = Candidate(id="a", failed=condition.BEYOND_CHARGE, needed=12.0)
    assert failed_words(far) == "farther than 12″"
    few = Candidate(id="advance", failed=condition.NOT_ALL_ASSAULT, measured=2, needed=5)
    assert failed_words(few) == "Assault weapons with 2 of 5 armed models"


def test_a_record_without_numbers_or_of_another_time_is_told_plainly() -> None:
    assert failed_words(Candidate(id="a", failed=condition.BEYOND_CHARGE)) == "beyond charge range"
    assert failed_words(Candidate(id="a", failed="behind-it")) == "behind it"
    assert failed_words(Candidate(id="a")) == ""
