"""Lists of text: what a line means by its shape, its place and its depth."""

from __future__ import annotations

import pytest

from datasheets.rosters.raw_list import RawEntry, RawRoster
from datasheets.rosters.text_line import counted, lines_of, price_of, split_list
from datasheets.rosters.text_list import read_text_list


def shown(entry: RawEntry) -> str:
    """Return an entry in short: "2x Name [1x Inner]"."""
    inner = ", ".join(map(shown, entry.inner))
    return f"{entry.count}x {entry.name}" + (f" [{inner}]" if inner else "")


def entries(raw: RawRoster, unit: int = 0) -> str:
    """Return what a unit's lines say, in short."""
    return "; ".join(map(shown, raw.units[unit].entries))


@pytest.mark.parametrize(
    ("text", "head", "points", "tail"),
    [
        ("Boss (95 Points)", "Boss", 95, ""),
        ("Boss (95 pts): Warlord, gun", "Boss", 95, "Warlord, gun"),
        ("Boss [95pts]:", "Boss", 95, ""),
        ("Boss [1 095pts, 3Cabal Points]", "Boss", 1095, ""),
        ("Boss (of all) (2,000 points)", "Boss (of all)", 2000, ""),
        ("Boss (2.000 Points)", "Boss", 2000, ""),
        ("Boss (1'995 pts)", "Boss", 1995, ""),
        ("Boss Squad485 Points", "Boss Squad", 485, ""),
        ("Boss : 95 pts", "Boss", 95, ""),
        ("Strike Force (2000 Point limit)", "Strike Force", 2000, ""),
    ],
)
def test_a_price_is_read_however_it_is_written(text: str, head: str, points: int, tail: str) -> None:
    found = price_of(text)
    assert found is not None
    assert (found.head, found.points, found.tail) == (head, points, tail)


@pytest.mark.parametrize(
    "text", ["Boss", "Boss (95)", "Boss (95 pts) and more", "12 points", "(ptsx)", "x" * 5000]
)
def test_other_texts_have_no_price(text: str) -> None:
    assert price_of(text) is None


def test_what_is_added_is_told_from_a_price() -> None:
    found = price_of("Old Sword (+15 pts)")
    assert found is not None
    assert found.is_added


@pytest.mark.parametrize(
    ("text", "count", "name"),
    [
        ("2x Gun", 2, "Gun"),
        ("2 x Gun", 2, "Gun"),
        ("12× Gun", 12, "Gun"),
        ("Gun", None, "Gun"),
        ("3 xenos", None, "3 xenos"),
    ],
)
def test_a_count_stands_before_an_x(text: str, count: int | None, name: str) -> None:
    assert counted(text) == (count, name)


def test_commas_in_brackets_separate_nothing() -> None:
    assert split_list("Gun, Set (sword, shield), [a, b] c") == ["Gun", "Set (sword, shield)", "[a, b] c"]


def test_signs_that_look_alike_are_made_alike() -> None:
    lines = lines_of("\u2022\u00a0T\u2019au\u202fgun\u200b \u2011 x\r\n\r\n\ttwo\x1b[31m")
    assert [(line.number, line.bullet, line.text) for line in lines] == [
        (1, "•", "T'au gun - x"),
        (3, "", "two[31m"),
    ]
    assert lines[1].column == 4


def test_each_with_counts_for_every_model() -> None:
    raw = read_text_list(
        "5x Squad (90 pts)\n• 4x Trooper\n    4 with Gun, 2x Knife\n      • Drone\n"
        "• 1x Boss\n    1 with Fist\n"
    )
    assert entries(raw) == "4x Trooper [4x Gun, 8x Knife, 4x Drone]; 1x Boss [1x Fist]"
    assert raw.units[0].models == 5


def test_a_list_behind_a_group_counts_for_every_model_of_it() -> None:
    raw = read_text_list("Squad [90 pts]:\n• 4x Trooper: Gun, 2x Knife\n• 1x Boss: Fist\n")
    assert entries(raw) == "4x Trooper [4x Gun, 8x Knife]; 1x Boss [1x Fist]"


def test_lines_below_a_group_are_totals() -> None:
    raw = read_text_list("Squad (90 Points)\n  • 4x Trooper\n     ◦ 3x Gun\n     ◦ 1x Big gun\n  • 1x Boss\n")
    assert entries(raw) == "4x Trooper [3x Gun, 1x Big gun]; 1x Boss"


def test_a_compact_line_may_mix_wargear_of_the_unit_and_of_its_models() -> None:
    raw = read_text_list("3x Squad (80 pts): Drone, 3 with Gun, Knife\n")
    assert entries(raw) == "1x Drone; 3x Gun; 3x Knife"


def test_without_depth_lines_stand_side_by_side() -> None:
    raw = read_text_list("Squad (90 points)\n- 5x Trooper\n- 4x Gun\n1x Big gun\n- 1x Boss\n")
    assert entries(raw) == "5x Trooper; 4x Gun; 1x Big gun; 1x Boss"


def test_the_second_bullet_of_a_page_without_indentation_tells_the_depth() -> None:
    raw = read_text_list("Squad90 Points\n• 5x Trooper\n◦ 4x Gun\n◦ 1x Big gun\n• 1x Boss\n◦ 1x Fist\n")
    assert entries(raw) == "5x Trooper [4x Gun, 1x Big gun]; 1x Boss [1x Fist]"


def test_enhancements_are_bound_by_the_name_of_the_unit_and_not_by_its_label() -> None:
    raw = read_text_list(
        "++++++\n+ FACTION KEYWORD: X\n+ WARLORD: Char2: Boss\n+ ENHANCEMENT: Old Sword (on Char1: Boss)\n"
        "& New Shield (on Char2: Chief)\n++++++\n"
        "Char1: 1x Chief (70 pts): Axe\nChar2: 1x Boss (95 pts): Gun\n"
    )
    chief, boss = raw.units
    assert [each.name for each in chief.enhancements] == ["New Shield"]
    assert [each.name for each in boss.enhancements] == ["Old Sword"]
    assert (chief.warlord, boss.warlord) == (False, True)
    assert (chief.label, boss.label) == ("Char1", "Char2")


@pytest.mark.parametrize(
    ("line", "name", "points"),
    [
        ("• Enhancement: Old Sword", "Old Sword", None),
        ("• Enhancements: Old Sword (+15 pts)", "Old Sword", 15),
        ("• E: Old Sword", "Old Sword", None),
        ("• Optimisation : Old Sword", "Old Sword", None),
        ("• Old Sword (+15 pts)", "Old Sword", 15),
        ("• Gun, Old Sword [15 pts]", "Old Sword", 15),
    ],
)
def test_an_enhancement_is_known_by_its_mark_or_its_price(line: str, name: str, points: int | None) -> None:
    raw = read_text_list(f"Boss (95 Points)\n  {line}\n  • Seigneur de guerre\n")
    assert [(each.name, each.points) for each in raw.units[0].enhancements] == [(name, points)]
    assert raw.units[0].warlord


@pytest.mark.parametrize(
    ("size", "limit"),
    [
        ("Strike Force (2\u202f000 Points)", 2000),
        ("Force de Frappe (2\u00a0000 points)", 2000),
        ("Incursion (1.000 Points)", 1000),
        ("Onslaught", 3000),
    ],
)
def test_the_size_of_the_battle_is_its_limit(size: str, limit: int) -> None:
    raw = read_text_list(f"A name (95 Points)\nOrks\n{size}\nCHARACTERS\nBoss (95 Points)\n")
    assert (raw.limit, raw.total, raw.name) == (limit, 95, "A name")
    assert [each.name for each in raw.units] == ["Boss"]


def test_a_first_price_is_a_unit_where_no_head_follows_it() -> None:
    raw = read_text_list("Boss (95pts): Gun\nSquad (60pts)\nSquad (35pts)\n")
    assert [each.name for each in raw.units] == ["Boss", "Squad", "Squad"]
    assert raw.total is None


def test_a_line_that_is_not_understood_keeps_its_number() -> None:
    raw = read_text_list(
        "BATTLELINE\nBoss (95 Points)\n• 1x Gun\nVEHICLES\nwhat is this\n\nTank (100 Points)\n"
    )
    assert [(each.line, each.text) for each in raw.unresolved] == [(5, "what is this")]
    assert entries(raw) == "1x Gun"


def test_a_list_may_say_whom_a_unit_leads_and_what_it_rides_in() -> None:
    raw = read_text_list(
        "Boss (95 Points)\n• Attached to: 1x Squad\n• Embarked in: Truck\n\nSquad (60 Points)\n"
    )
    assert (raw.units[0].attached_to, raw.units[0].embarked_in) == ("Squad", "Truck")
