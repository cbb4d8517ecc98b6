"""Findings in lists: unknown names, lines that are not understood, differing numbers."""

from __future__ import annotations

import pytest

from datasheets.errors import HordeError
from datasheets.library import Library
from datasheets.rosters.list_words import words
from datasheets.rosters.name_index import NameIndex, detachment_of, enhancement_of
from datasheets.rosters.printable import printable
from datasheets.rosters.reading import whole_roster
from datasheets.rosters.resolve import ReadRoster
from tests.datasheets.rosters.conftest import CAPTAIN, HEAD, Reading

SQUAD = """Intercessor Squad (80 Points)
  • 1x Intercessor Sergeant
     ◦ 1x Bolt pistol
  • 4x Intercessor
     ◦ 4x Bolt pistol
"""


def said(found: ReadRoster, subject: str) -> list[str]:
    """Return the sentences on one subject."""
    return [str(each) for each in found.of(subject)]


def unit(found: ReadRoster, name: str) -> tuple[int, dict[str, int]]:
    """Return the models and the wargear of a unit of the roster."""
    assert found.roster is not None
    row = next(each for each in found.roster.units if each.id == name)
    return row.models, row.wargear


@pytest.mark.parametrize(
    "name",
    [
        "INTERCESSOR SQUAD",
        "Intercessor  Squad",
        "Intercessor-Squad",
        "Intercéssor Squad",
        "Intercessor Squads",
        "Intercessor\u00a0Squad",
    ],
)
def test_a_name_is_compared_by_its_letters(with_units: Reading, name: str) -> None:
    found = with_units(SQUAD.replace("Intercessor Squad", name))
    assert unit(found, "intercessor-squad-1") == (5, {})
    assert not said(found, "unit")


def test_a_name_that_is_only_near_is_suggested_and_never_taken(with_units: Reading) -> None:
    found = with_units("Intercesor Sqad (80 Points)\n")
    assert found.roster is not None
    assert len(found.roster.units) == 1
    assert said(found, "unit")[0].startswith(
        "line 14: there is no unit 'Intercesor Sqad'; did you mean 'Intercessor Squad'"
    )


def test_a_name_in_another_language_is_refused_by_name(library: Library) -> None:
    text = f"{HEAD}{CAPTAIN}\nEscouade d’Intercessors (80 Points)\n\nZzyzx (80 Points)\n"
    with pytest.raises(HordeError) as fault:
        whole_roster(text.encode(), "liste.txt", library)
    first, second = str(fault.value).splitlines()
    assert first.startswith("liste.txt: line 14: there is no unit 'Escouade d'Intercessors'; did you mean '")
    assert "Intercessor Squad" in first
    assert second == "liste.txt: line 16: there is no unit 'Zzyzx'; write its English name."


def test_the_last_faction_that_is_known_is_taken(reading: Reading) -> None:
    text = HEAD.replace("Space Marines\n", "Space Marines\nDark Angels\n")
    found = reading(f"{text}Azrael (115 Points)\n  • Warlord\n\n{SQUAD}")
    assert found.roster is not None
    assert found.roster.faction == "dark-angels"
    assert [each.datasheet for each in found.roster.units] == [
        "dark-angels/azrael",
        "space-marines/intercessor-squad",
    ]


@pytest.mark.parametrize(
    ("name", "faction"),
    [
        ("Xenos - T'au Empire", "tau-empire"),
        ("Imperium - Adeptus Astartes - Space Wolves", "space-wolves"),
        ("Chaos - Chaos Daemons", "chaos-daemons"),
        ("Nécrons", "necrons"),
        ("Empire T’au", "tau-empire"),
        ("Démons du Chaos", "chaos-daemons"),
        ("ADEPTUS ASTARTES", "space-marines"),
        ("Nobody", ""),
    ],
)
def test_a_faction_has_several_names(library: Library, name: str, faction: str) -> None:
    assert NameIndex(library).faction(name) == faction


def test_every_former_name_and_faction_of_the_table_is_one_of_the_data(library: Library) -> None:
    index = NameIndex(library)
    assert words()["units"]
    assert all(index.datasheet(former, library.factions()) for former in words()["units"])
    assert set(words()["factions"]) <= set(library.factions())


def test_a_unit_of_two_factions_is_that_of_the_army(reading: Reading) -> None:
    head = HEAD.replace("Space Marines", "Grey Knights")
    found = reading(f"{head}Rhino (75 Points)\n")
    assert found.roster is not None
    assert found.roster.units[0].datasheet == "grey-knights/rhino"


def test_lines_that_are_not_understood_are_listed_with_their_number(with_units: Reading) -> None:
    found = with_units(f"{SQUAD}  • 2x Frying pan\n\nVEHICLES\nsee you there\n")
    assert said(found, "wargear") == [
        "line 19: Intercessor Squad: 'Frying pan' is no wargear or model of it."
    ]
    assert said(found, "line") == ["line 22: 'see you there' is not understood."]


def test_wargear_that_is_nearly_one_s_own_is_suggested(with_units: Reading) -> None:
    found = with_units(f"{SQUAD}  • 1x Bolt rifel\n")
    assert said(found, "wargear") == [
        "line 19: Intercessor Squad: 'Bolt rifel' is no wargear or model of it; did you mean 'Bolt Rifle'?"
    ]


def test_more_wargear_than_is_allowed_is_found_and_lowered(with_units: Reading) -> None:
    found = with_units(f"{SQUAD}  • 5x Power fist\n  • 99x Plasma pistol\n")
    assert unit(found, "intercessor-squad-1") == (5, {"Power fist": 1, "Plasma pistol": 1})
    assert said(found, "wargear") == [
        f"line 14: Intercessor Squad: the list has {many}, and the datasheet allows 1 of them here."
        for many in ("99 'Plasma pistol'", "5 'Power fist'")
    ]


@pytest.mark.parametrize(
    "line",
    [
        "1x Power fist and plasma pistol",
        "1x Power fist & Plasma pistol",
        "1x Power fistPlasma pistol",
        "Gear set\n     ◦ 1x Power fist\n     ◦ 1x Plasma pistol",
        "1x Power fist, Plasma Pistol",
    ],
)
def test_names_that_a_program_joined_are_taken_apart(with_units: Reading, line: str) -> None:
    text = "Intercessor Squad (80 Points)\n  • 1x Intercessor Sergeant\n  • 4x Intercessors\n"
    found = with_units(
        f"{text}  • {line}\n".replace("  • Gear set", "  • 1x Wargear: Power fist, Plasma pistol")
    )
    assert unit(found, "intercessor-squad-1")[1] == {"Power fist": 1, "Plasma pistol": 1}


def test_names_of_profiles_below_a_model_are_not_counted_again(with_units: Reading) -> None:
    found = with_units(
        "5x Intercessor Squad (80 pts)\n• 1x Intercessor Sergeant\n    • Intercessor Sergeant\n"
        "• 4x Intercessor\n    • 4x Intercessor\n    • Intercessor, Invulnerable Save (4+): Intercessor\n"
    )
    assert unit(found, "intercessor-squad-1") == (5, {})
    assert not said(found, "wargear")
    assert not said(found, "models")


def test_models_that_do_not_fit_the_datasheet_are_found(with_units: Reading) -> None:
    found = with_units(
        "7x Intercessor Squad (80 pts)\n• 1x Intercessor Sergeant\n• 2x Intercessor\n\n"
        "Rhino (75 pts)\n• 3x Rhino\n"
    )
    assert said(found, "models") == [
        "line 14: Intercessor Squad: the list says 7 models, and its lines have 3.",
        "line 18: Rhino: the list has 3 models, and the datasheet has 1.",
    ]


@pytest.mark.parametrize(
    ("text", "models"),
    [
        ("Infernus Squad (180 Points)\n  • 10x Pyreblaster\n", 10),
        ("Infernus Squad (180 Points)\n", 10),
        ("Infernus Squad (90 Points)\n", 5),
    ],
)
def test_the_number_of_models_follows_from_wargear_or_points(
    with_units: Reading, text: str, models: int
) -> None:
    found = with_units(text)
    assert unit(found, "infernus-squad-1")[0] == models
    assert not said(found, "models")


def test_a_number_of_models_that_nothing_says_is_found(with_units: Reading) -> None:
    found = with_units("Infernus Squad (95 Points)\n")
    assert unit(found, "infernus-squad-1")[0] == 5
    assert said(found, "models") == [
        "line 14: Infernus Squad: the list does not say how many models it has; 5 are taken."
    ]


def test_several_equal_units_in_one_line_are_several_units(with_units: Reading) -> None:
    found = with_units("2x Rhino (150 pts)\n")
    assert found.roster is not None
    assert [each.id for each in found.roster.units] == ["captain-1", "rhino-1", "rhino-2"]
    assert found.points == 80 + 150


def test_points_are_compared_with_the_data_and_with_their_sum(with_units: Reading) -> None:
    found = with_units(SQUAD.replace("80 Points", "85 Points"))
    assert (found.stated, found.total, found.points) == (500, 165, 160)
    assert said(found, "points") == [
        "the list says 500 points, and its units add up to 165.",
        "its units cost 165 points by the list, and 160 by the data.",
        "line 14: Intercessor Squad: the list says 85 points, the data 80.",
    ]


def test_an_enhancement_is_priced_apart(reading: Reading) -> None:
    text = CAPTAIN.replace("80 Points", "90 Points") + "  • Enhancement: artificer armour\n"
    found = reading(HEAD.replace("500", "90") + text)
    assert found.roster is not None
    assert found.roster.units[0].enhancement == "Artificer Armour"
    assert found.points == 80
    assert not found.findings


def test_the_number_of_units_is_compared(reading: Reading) -> None:
    found = reading(
        "+++++\n+ FACTION KEYWORD: Orks\n+ DETACHMENT: War Horde\n+ NUMBER OF UNITS: 3\n+++++\n"
        "1x Trukk (70 pts)\n"
    )
    assert said(found, "number") == ["the list says 3 units, and 1 are found."]


def test_two_detachments_are_a_breach_and_no_edition(reading: Reading) -> None:
    found = reading(HEAD.replace("Gladius Task Force", "Gladius Task Force\nVanguard Spearhead") + CAPTAIN)
    assert found.roster is not None
    assert found.roster.detachment == "Gladius Task Force"
    assert said(found, "breach") == [
        "the list has 2 detachments ('Gladius Task Force', 'Vanguard Spearhead'); keep one."
    ]


def test_an_unknown_detachment_is_kept_and_found(reading: Reading) -> None:
    found = reading(HEAD.replace("Gladius Task Force", "Gladius Tusk Farce") + CAPTAIN)
    assert found.roster is not None
    assert found.roster.detachment == "Gladius Tusk Farce"
    assert said(found, "line") == ["line 4: the detachment 'Gladius Tusk Farce' is not known."]


def test_detachments_and_enhancements_are_known_by_name() -> None:
    assert detachment_of("War Horde (Get Stuck In)") == "War Horde"
    assert detachment_of("Nothing of the kind") == ""
    assert enhancement_of("Fear made manifest") == ("Fear Made Manifest (Aura)", 30)
    assert enhancement_of("Nothing of the kind") is None


def test_units_are_attached_and_embarked_where_the_list_says_so(with_units: Reading) -> None:
    found = with_units(
        "Lieutenant (65 Points)\n• Attached to: Intercessor Squad\n• Embarked in: Land Raider\n\n"
        f"{SQUAD}  • Embarked in: Rhino\n\nRhino (75 Points)\n"
    )
    assert found.roster is not None
    rows = {each.id: each for each in found.roster.units}
    assert rows["lieutenant-1"].attached_to == "intercessor-squad-1"
    assert rows["intercessor-squad-1"].embarked_in == "rhino-1"
    assert said(found, "line") == ["there is no unit 'Land Raider' in the list for lieutenant-1."]


def test_names_are_fit_to_be_printed(with_units: Reading) -> None:
    found = with_units(f"Squad\x1b[2J\u202e{'x' * 300} (80 Points)\n")
    sentence = said(found, "unit")[0]
    assert sentence.isprintable()
    assert len(sentence) < 250
    assert printable("a\x1b[0m\nb\u202ec") == "a [0m b c"
