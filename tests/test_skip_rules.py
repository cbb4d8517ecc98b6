"""The scripts that count questions and weigh what the rules of asking cost."""

from __future__ import annotations

import pytest
import questions
import skip_rules
import typer


@pytest.mark.parametrize(
    ("ones", "others", "chance", "found"),
    [
        (0, 0, (1, 1), False),
        (0, 5, (2, 32), False),
        (0, 6, (2, 64), True),
        (6, 0, (2, 64), True),
        (1, 7, (18, 256), False),
        (1, 8, (20, 512), True),
        (3, 3, (64, 64), False),
    ],
)
def test_the_sign_test_is_exact(ones: int, others: int, chance: tuple[int, int], found: bool) -> None:
    assert skip_rules.chance(ones, others) == chance
    assert skip_rules.finds_a_side(ones, others) == found


def row(won: bool, digest: str) -> dict[str, object]:
    return {"won": won, "cp": 2, "lost": 9, "digest": digest, "settled": 70, "stops": 30}


def test_seeds_that_one_alone_wins_are_counted() -> None:
    pairs = [
        (row(True, "a"), row(False, "b")),
        (row(True, "c"), row(True, "c")),
        (row(False, "d"), row(True, "e")),
    ]
    assert skip_rules.only_one(pairs) == (1, 1)
    told = skip_rules.told_of(pairs)
    assert told[0] == "3 seeds; 1 battles are the same in every event"
    assert told[-1].endswith("no side is found")


def test_each_seed_is_played_both_ways_and_found_again_by_its_rules() -> None:
    keys = [job.key for job in skip_rules.jobs(2, 5, 1000, "stratagem=never")]
    assert keys == ["1000/5/asked", "1000/5/stratagem=never", "1000/6/asked", "1000/6/stratagem=never"]


def test_seeds_are_a_list_of_spans() -> None:
    assert questions.seeds_of("1-3,9") == [1, 2, 3, 9]
    with pytest.raises(typer.BadParameter):
        questions.seeds_of("one")


def test_a_battle_of_the_default_rules_has_few_stops_and_is_the_autopilot_s_own() -> None:
    by_rules = skip_rules.played(skip_rules.Job(4, 1000, ""))
    asked = skip_rules.played(skip_rules.Job(4, 1000, skip_rules.ASKED))
    assert "error" not in by_rules, by_rules
    assert by_rules["digest"] == asked["digest"]
    assert 10 < by_rules["stops"] <= questions.MOST_STOPS
    assert by_rules["settled"] > by_rules["stops"]
