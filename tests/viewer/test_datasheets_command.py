"""The cards of datasheets, their list, and what there is of each faction, as printed."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from datasheets.errors import HordeError, UnknownName
from datasheets.library import Library
from datasheets.lookup import every_datasheet
from datasheets.schema import BaseSize, Datasheet, Gear, Group, Mix, PointsRow, UnitSize
from viewer.commands import arguments, sheet_card, sheet_text, sheet_words

LIBRARY = Library()
SAMPLE = 48
"""The tests draw one card of this number."""


def told(*words: str) -> str:
    done = CliRunner().invoke(arguments.app, [*words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def sampled() -> list[str]:
    """Return the ids of a sample of all datasheets, chosen by the hash of their ids."""
    ids = (sheet.id for sheet in every_datasheet(LIBRARY))
    return [each for each in ids if int(sha256(each.encode()).hexdigest(), 16) % SAMPLE == 0]


def card(**changes: Any) -> str:
    """Return the card of a Lictor that is changed."""
    sheet = replace(LIBRARY.datasheet("tyranids/lictor"), **changes)
    return "\n".join(sheet_text.card_lines(sheet_card.gather(LIBRARY, sheet)))


@pytest.mark.parametrize("sheet_id", sampled())
def test_a_card_says_all_of_its_datasheet(sheet_id: str) -> None:
    sheet = LIBRARY.datasheet(sheet_id)
    text = told("datasheets", "show", sheet_id)
    plain = " ".join(text.split())
    assert text.startswith(f"{sheet.name} ({sheet.id})\n")
    assert ", Legends;" in text if sheet.legends else ", current;" in text
    parts = (sheet.profiles, sheet.models, sheet.weapons, sheet.abilities)
    for name in (each.name for part in parts for each in part):
        assert " ".join(name.split()) in plain
    for word in (*sheet.keywords, *sheet.faction_keywords):
        assert word in plain
    rows = json.loads(told("datasheets", "show", sheet_id, "--json"))
    assert rows["id"] == sheet.id
    assert [each["status"] for each in rows["abilities"]] == [each.status for each in sheet.abilities]


def test_a_weapon_names_its_carriers_and_who_has_it_by_default() -> None:
    lines = told("datasheets", "show", "orks/boyz").splitlines()
    klaw = next(i for i, line in enumerate(lines) if line.startswith("  Power klaw"))
    assert lines[klaw].split()[2:] == ["melee", "3", "4+", "9", "-2", "2"]
    assert lines[klaw + 1].strip() == "Boss Nob"
    slugga = next(i for i, line in enumerate(lines) if line.startswith("  Slugga"))
    assert lines[slugga + 1].strip() == "pistol; Boy w/ Slugga and choppa*, Boss Nob*"


def test_each_ability_says_its_status_with_the_clause_or_the_reason() -> None:
    text = told("datasheets", "show", "death-guard/poxwalkers")
    assert "feel no pain 5+ (core), acts: Feel No Pain X+ ignores lost wounds" in text
    assert "(CORE.ABL.FNP)" in text
    assert "Lightning Assault (datasheet), unmodelled: " in told("datasheets", "show", "captain-sicarius")
    assert "Oath of Moment (faction), acts" in told("datasheets", "show", "intercessor squad")


def test_a_card_says_the_bracket_the_hold_and_the_leaders() -> None:
    text = told("datasheets", "show", "death-guard/chaos-land-raider")
    assert "\n      damaged with 1 to 5 wounds left: -1 to hit\n" in text
    assert "Transport: 14 models of Death Guard Infantry; Terminator takes the room of 2\n" in text
    assert "Spawning tables: death-guard (brackets 3, 4)\n" in text
    assert 'hull 6.5" x 4.2" (estimate)' in text
    led = told("datasheets", "show", "death-guard/poxwalkers")
    assert "Led by: Malignant Plaguecaster, Noxious Blightbringer, Typhus\n" in led
    assert "Leads: " in told("datasheets", "show", "typhus")


def test_points_are_told_in_order_of_size() -> None:
    rows = (PointsRow(models=10, points=180), PointsRow(models=5, points=90))
    text = card(points=rows, unit_size=UnitSize(minimum=5, maximum=10))
    assert "5 to 10 models; 90 points for 5, 180 for 10\n" in text
    one = card(points=(PointsRow(models=1, points=7),), unit_size=UnitSize(minimum=1, maximum=1))
    assert "1 model; 7 points\n" in one


def test_prices_of_mixes_of_allies_and_of_more_models_are_told() -> None:
    rows = (
        PointsRow(models=3, points=85, kinds={"Guard": 3, "Wolf": 0}),
        PointsRow(models=6, points=110, kinds={"Guard": 3, "Wolf": 3}),
        PointsRow(models=6, points=120, allied=True),
    )
    text = card(points=rows, extra_points={"Buggy": 60})
    said = "85 points for 3 Guard, 110 for 3 Guard and 3 Wolf; in an army of others 120 points"
    assert f"; {said}; each Buggy 60 more M T Sv " in " ".join(text.split())


def test_only_the_sizes_of_a_mix_are_told() -> None:
    mixes = tuple(Mix(minimum=n, maximum=n, kinds={"Boy": (n - 1, n - 1), "Nob": (1, 1)}) for n in (10, 20))
    text = card(unit_size=UnitSize(minimum=10, maximum=20), mixes=mixes)
    assert "; 10 or 20 models; " in text
    assert "  As 10: 9 Boy, 1 Nob\n  As 20: 19 Boy, 1 Nob\n" in text


def test_what_a_kind_of_model_has_of_its_own_is_told_beside_it() -> None:
    (kind,) = LIBRARY.datasheet("tyranids/lictor").models
    special = replace(
        kind,
        name="Alpha",
        group="All / Few",
        keywords=("FLY",),
        core_abilities=("stealth",),
        invulnerable=5,
        invulnerable_against="ranged",
    )
    groups = (Group(name="All", minimum=1, maximum=3), Group(name="All / Few", maximum=1))
    text = card(models=(replace(kind, group="All"), special), groups=groups)
    line = next(line for line in text.splitlines() if line.startswith("  Alpha"))
    lines = text.splitlines()
    assert lines[lines.index(line) + 1].strip() == "invulnerable 5+ against shots, FLY, stealth"
    assert "  Lictor or Alpha: 1 to 3 together\n" in text
    assert "  Alpha: 0 to 1 together\n" in text


def test_gear_tells_what_it_changes() -> None:
    shield = Gear(item="Shield", invulnerable=4, set={"Sv": 2}, add={"W": 1, "M": -2}, whole_unit=True)
    wings = Gear(item="Wings", keywords=("FLY",), core_abilities=("deep strike",))
    text = card(gear=(shield, wings))
    assert "  Shield: Sv 2+, W +1, M -2, invulnerable 4+, for the whole unit\n" in text
    assert "  Wings: deep strike, FLY\n" in text


@pytest.mark.parametrize(
    ("base", "said"),
    [
        (BaseSize(shape="round", mm=(28.5,)), "28.5 mm"),
        (BaseSize(shape="oval", mm=(120, 92), flying=True), "120 x 92 mm flying"),
        (BaseSize(shape="hull", inches=(4.5, 3), estimated=True), 'hull 4.5" x 3" (estimate)'),
    ],
)
def test_a_base_is_told_in_its_own_unit(base: BaseSize, said: str) -> None:
    assert sheet_words.base(base) == said


def test_what_no_table_brings_and_nobody_carries_is_said() -> None:
    sheet = LIBRARY.datasheet("tyranids/lictor")
    bare = tuple(replace(kind, items=(), options=()) for kind in sheet.models)
    text = card(id="tyranids/nobody", models=bare)
    assert "Spawning tables: none" in text
    assert "no model" in text


def test_a_card_names_what_overrides_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = {"points": [{"models": 1, "points": 777}], "damaged": 3}
    told_anew = {"edition": "w40k-10", "source": "a new price list", "datasheets": {"tyranids/lictor": sheet}}
    path = tmp_path / "overrides.json"
    path.write_text(json.dumps(told_anew), encoding="utf-8")
    monkeypatch.setenv("HORDE_OVERRIDES", str(path))
    text = told("datasheets", "show", "lictor")
    assert "; 777 points\nOverrides in force change: damaged, points\n" in text
    assert "Overrides" not in told("datasheets", "show", "trygon")


def listed(*words: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(told("datasheets", "list", *words, "--json"))
    return found


def test_the_list_has_every_current_datasheet() -> None:
    rows = listed()
    assert len(rows) >= 1045
    assert not any(row["legends"] for row in rows)
    assert len({row["id"] for row in rows}) == len(rows)
    lines = told("datasheets", "list").splitlines()
    assert len(lines) == len(rows) + 1
    assert lines[-1].startswith(f"{len(rows)} current datasheets, of ")


def test_the_list_is_bounded_by_faction_and_keywords() -> None:
    text = told(
        "datasheets", "list", "--faction", "T'au Empire", "--keyword", "battleline", "--keyword", "tau empire"
    )
    assert text.splitlines()[-1] == "2 current datasheets, of 1 faction."
    assert text.startswith("Breacher Team  tau-empire  90 points  10 models\n")
    every = listed("--faction", "heresy-legends", "--legends")
    assert every
    assert all(row["legends"] for row in every)
    assert listed("--faction", "heresy-legends") == []


def test_a_wrong_faction_keyword_or_name_is_one_sentence() -> None:
    for words, said in (
        (("list", "--faction", "ork"), "There is no faction 'ork'; did you mean 'orks'?"),
        (("list", "--keyword", "batleline"), "There is no keyword 'batleline'; did you mean 'BATTLELINE'?"),
        (("show", "gretchen"), "There is no datasheet 'gretchen'; did you mean 'orks/gretchin'?"),
    ):
        with pytest.raises(UnknownName) as caught:
            told("datasheets", *words)
        assert str(caught.value) == said
    with pytest.raises(HordeError, match="say which by its id: 'chaos-space-marines/plague-marines'"):
        told("datasheets", "show", "plague marines")
    text = told("datasheets", "show", "plague marines", "--faction", "death guard")
    assert text.startswith("Plague Marines (death-guard/plague-marines)")


def test_factions_tell_what_there_is_of_each() -> None:
    rows = {row["id"]: row for row in json.loads(told("factions", "--json"))}
    assert set(rows) == set(LIBRARY.factions())
    assert sum(row["current"] for row in rows.values()) >= 1045
    marines = rows["space-marines"]
    assert {"space-marines-1000", "space-marines-2000"} <= set(marines["armies"])
    assert marines["army_rules"][0]["name"] == "Oath of Moment"
    assert marines["army_rules"][0]["status"] == "modelled"
    assert marines["horde_rule"]["id"] == "FACTION.space-marines"
    assert marines["spawn_entries"] == 85
    assert rows["heresy-legends"]["current"] == 0
    assert rows["heresy-legends"]["horde_rule"] is None
    counted = sum(marines["abilities"].values())
    assert counted == sum(len(each.abilities) for each in _current("space-marines"))


def test_factions_are_a_line_each() -> None:
    lines = told("factions").splitlines()
    assert len(lines) == len(LIBRARY.factions()) + 4
    assert lines[0].split() == [
        *("faction", "current", "Legends", "spawns", "armies"),
        *("modelled", "hooked", "unmodelled", "waiting", "no", "effect", "army", "rule", "Horde", "rule"),
    ]
    assert lines[-3].startswith("all")


def _current(faction: str) -> list[Datasheet]:
    return [sheet for sheet in LIBRARY.datasheets(faction) if not sheet.legends]
