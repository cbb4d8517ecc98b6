"""A round that is played at the window by mouse and keys alone, and its counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pygame
import pytest
from one_person import Deed
from person import LEAST_SHARE, misses, seated, told

SEED = 1


@pytest.fixture(scope="module")
def round_one() -> Iterator[tuple[Any, dict[str, Any]]]:
    """Return a person after a battle of one round, and what it tells of it."""
    person = seated(SEED, "1000", "1", (1280, 720))
    person.play()
    yield person, told(SEED, person)
    person.seat.stop()
    pygame.quit()


def test_a_round_is_played_to_its_end_by_few_actions(round_one: tuple[Any, dict[str, Any]]) -> None:
    person, row = round_one
    assert person.seat.ended
    assert row["rounds"] == 1
    assert 3 <= row["questions"] <= 16
    assert row["actions"] <= 80, "a fifth of those of a battle"
    assert row["rests"] == 0
    assert not misses(row)


def test_its_units_move_and_shoot_by_its_own_mouse(round_one: tuple[Any, dict[str, Any]]) -> None:
    person, row = round_one
    assert row["deeds"] >= 6
    assert row["share"] >= LEAST_SHARE
    assert {deed.kind for deed in person.deeds} >= {"move", "shot"}
    assert all(isinstance(deed, Deed) and deed.round == 1 for deed in person.deeds)


def test_what_is_asked_and_settled_is_told_by_kind(round_one: tuple[Any, dict[str, Any]]) -> None:
    _, row = round_one
    assert row["questions_by_kind"]["secret"] == row["questions_by_kind"]["set-up"] == 1
    assert sum(row["questions_by_kind"].values()) == row["questions"]
    assert sum(row["unasked_by_kind"].values()) == row["unasked"] > 0
    assert row["drawn_ms_median"] <= row["drawn_ms_worst"]
    assert sum(row["actions_by_kind"].values()) == row["actions"]


def test_limits_that_are_missed_are_named() -> None:
    row = {"questions": 61, "actions": 401, "share": 0.79, "rests": 6}
    assert misses(row) == [
        "61 questions, 60 at most",
        "401 actions, 400 at most",
        "79% of deeds by its own mouse, 80% at least",
        "6 times the rest of a phase, 5 at most",
    ]
