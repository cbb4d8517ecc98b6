"""What changed is found through links and modifiers; only what is certain is compared."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from datasheets.schema import PointsRow, Profile, UnitSize
from tests.datasheets.catalogue.conftest import Folder
from tests.datasheets.catalogue.writing import (
    blade,
    catalogue,
    counted,
    entries,
    entry,
    gun,
    imported,
    inside,
    limited,
    link,
    modified,
    profiles,
    squad,
    told,
    unit_profile,
    within,
)

RIFLE = entry("upgrade", "Rifle", profiles(gun("Rifle")))
KNIFE = entry("upgrade", "Knife", profiles(blade("Knife")))
TEN = modified("p", "160", counted("greaterThan", 5))


def guards(*more: str, toughness: int = 4, limits: str = "5-10", **others: str) -> str:
    """Return the model of a squad with its profile and links to its shared weapons."""
    return entry(
        "model",
        "Guard",
        profiles(unit_profile("Guard", toughness, **others)),
        link("rifle"),
        link("knife"),
        *more,
        limits=limits,
    )


def unit(*inner: str, name: str = "Ash Guard", points: int = 80, change: str = TEN) -> str:
    """Return a unit of guards that costs 80 points, and 160 where it has more than five models."""
    return entry("unit", name, change, entries(*(inner or (guards(),))), points=points)


def ash(*shared: str, own: tuple[str, ...] = ("ash guard",)) -> str:
    return catalogue("ash", *shared, own=own)


def lines(folder: Folder, *shared: str) -> list[str]:
    """Return how one catalogue of these shared entries differs from our squad."""
    return told(folder(ash=ash(*shared)), squad())


def left_out(home: Path) -> list[str]:
    """Return what could not be compared of our squad."""
    return [line for each in imported(home, squad()).compared for line in each.left_out]


def test_equal_facts_are_no_change(folder: Folder) -> None:
    home = folder(ash=ash(unit(), RIFLE, KNIFE))
    found = imported(home, squad())
    assert [each.sheet.id for each in found.compared] == ["ash/ash-guard"]
    assert found.changed == ()
    assert left_out(home) == []


def test_a_weapon_of_a_linked_catalogue_is_found(folder: Folder) -> None:
    armoury = catalogue("armoury", entry("upgrade", "Rifle", profiles(gun("Rifle", strength=5))), KNIFE)
    own = catalogue("ash", unit(), links=("armoury",), own=("ash guard",))
    assert told(folder(armoury=armoury, ash=own), squad()) == ["Rifle, strength: 4 -> 5"]


def test_a_profile_behind_an_information_link_is_found(folder: Folder) -> None:
    shared = gun("Rifle", AP="-3")
    hung = entry(
        "upgrade",
        "Rifle",
        inside("infoLinks", '<infoLink id="i" type="profile" targetId="Ranged Weapons-Rifle"/>'),
    )
    text = ash(unit(), hung, KNIFE).replace(
        "</catalogue>", f"<sharedProfiles>{shared}</sharedProfiles></catalogue>"
    )
    assert told(folder(ash=text), squad()) == ["Rifle, ap: -1 -> -3"]


def test_characteristics_that_changed_are_told_one_by_one(folder: Folder) -> None:
    assert lines(folder, unit(guards(toughness=5, SV="2+", OC="2")), RIFLE, KNIFE) == [
        "Guard, T: 4 -> 5",
        "Guard, Sv: 3 -> 2",
        "Guard, OC: 1 -> 2",
    ]


def test_points_of_the_larger_unit_come_from_a_modifier(folder: Folder) -> None:
    dearer = modified("p", "175", counted("greaterThan", 5))
    found = imported(folder(ash=ash(unit(change=dearer), RIFLE, KNIFE)), squad()).changed[0]
    assert found.fields == {"points": (PointsRow(models=5, points=80), PointsRow(models=10, points=175))}


def test_an_increment_and_a_group_as_what_is_counted(folder: Folder) -> None:
    group = (
        '<selectionEntryGroup id="g" name="Guards">'
        + entries(guards(limits="5-9"))
        + limited("5-9")
        + "</selectionEntryGroup>"
    )
    leader = entry("model", "Leader", profiles(unit_profile("Guard")), limits="1-1")
    squads = entry(
        "unit",
        "Ash Guard",
        modified("p", "95", counted("atLeast", 6, of="g"), kind="increment"),
        entries(leader),
        inside("selectionEntryGroups", group),
        points=80,
    )
    sheet = replace(
        squad(),
        unit_size=UnitSize(minimum=6, maximum=10),
        points=(PointsRow(models=6, points=80), PointsRow(models=10, points=160)),
    )
    assert told(folder(ash=ash(squads, RIFLE, KNIFE)), sheet) == ["points: 6: 80, 10: 160 -> 6: 80, 10: 175"]


def test_a_bracket_that_is_new_brings_its_own_row(folder: Folder) -> None:
    second = modified("p", "130", counted("atLeast", 6)).removesuffix("</modifiers>")
    third = modified("p", "190", counted("atLeast", 8)).removeprefix("<modifiers>")
    assert lines(folder, unit(change=second + third), RIFLE, KNIFE) == [
        "points: 5: 80, 10: 160 -> 5: 80, 7: 130, 10: 190"
    ]


def test_each_model_has_its_own_price(folder: Folder) -> None:
    model = guards().replace(
        "</selectionEntry>", '<costs><cost name="pts" typeId="p" value="17"/></costs></selectionEntry>'
    )
    sheet = replace(squad(), points=(PointsRow(models=5, points=85), PointsRow(models=6, points=102)))
    home = folder(ash=ash(entry("unit", "Ash Guard", entries(model)), RIFLE, KNIFE))
    rows = imported(home, sheet).changed[0].fields["points"]
    assert [(row.models, row.points) for row in rows] == [(n, 17 * n) for n in range(5, 11)]


def test_points_that_depend_on_an_item_are_left_out(folder: Folder) -> None:
    item = modified("p", "200", counted("atLeast", 1, of="rifle"))
    home = folder(ash=ash(unit(change=item), RIFLE, KNIFE))
    assert left_out(home) == ["points: they depend on more than the number of models"]
    assert imported(home, squad()).changed == ()


def test_a_price_in_an_army_of_others_is_not_ours(folder: Folder) -> None:
    others = within("ash").replace("instanceOf", "notInstanceOf").replace("ancestor", "primary-catalogue")
    own = f'<modifier type="increment" field="p" value="30"><conditions>{others}</conditions></modifier>'
    assert lines(folder, unit(change=TEN.replace("</modifiers>", f"{own}</modifiers>")), RIFLE, KNIFE) == []


def test_a_catalogue_without_points_says_nothing_of_them(folder: Folder) -> None:
    home = folder(ash=ash(unit(points=0, change=""), RIFLE, KNIFE))
    assert left_out(home) == ["points: the catalogue has none"]


def test_a_size_that_changed(folder: Folder) -> None:
    assert lines(folder, unit(guards(limits="5-6")), RIFLE, KNIFE) == [
        "unit size: 5-10 -> 5-6",
    ]


def test_a_size_that_a_choice_changes_is_left_out(folder: Folder) -> None:
    model = guards(modified("x-max", "12", counted("atLeast", 1, of="knife")))
    assert left_out(folder(ash=ash(unit(model), RIFLE, KNIFE)))[0].startswith("unit size")


def test_a_weapon_with_two_profiles(folder: Folder) -> None:
    torch = entry(
        "upgrade",
        "Torch",
        profiles(gun("➤ Torch - low", strength=4), gun("➤ Torch - high", strength=9, keywords="Hazardous")),
    )
    rifle = squad().weapons[0]
    low = replace(rifle, name="Torch - low", item="Torch")
    high = replace(rifle, name="Torch - high", item="Torch", strength=8, keywords=("hazardous",))
    sheet = replace(squad(), weapons=(low, high))
    home = folder(ash=ash(unit(guards(link("torch"))), RIFLE, KNIFE, torch))
    assert told(home, sheet) == ["Torch - high, strength: 8 -> 9"]


def test_two_weapons_of_one_name_are_told_apart_by_their_numbers(folder: Folder) -> None:
    better = entry("upgrade", "Better Knife", profiles(blade("Knife", attacks="6")))
    knife = squad().weapons[1]
    leaders = replace(knife, name="Knife (Leader)", attacks="5")
    home = folder(ash=ash(unit(guards(link("better knife"))), RIFLE, KNIFE, better))
    assert told(home, replace(squad(), weapons=(knife, leaders))) == ["Knife (Leader), attacks: 5 -> 6"]


def test_a_weapon_of_which_there_are_more_is_left_out(folder: Folder) -> None:
    one, two = (entry("upgrade", f"Knife {n}", profiles(blade("Knife", attacks=n))) for n in ("7", "8"))
    home = folder(ash=ash(unit(guards(link("knife 7"), link("knife 8"))), RIFLE, one, two))
    assert "weapon Knife: the catalogue has 2 profiles of this name" in left_out(home)


@pytest.mark.parametrize(("place", "skill"), [("ash guard", "2"), ("another", "3")])
def test_a_shared_weapon_is_better_in_one_unit(folder: Folder, place: str, skill: str) -> None:
    change = modified("R-BS", "2+", within(place))
    rifle = entry("upgrade", "Rifle", profiles(gun("Rifle", more=change)))
    assert lines(folder, unit(), rifle, KNIFE) == (["Rifle, skill: 3 -> 2"] if skill == "2" else [])


def test_a_modifier_of_something_chosen_is_not_the_printed_number(folder: Folder) -> None:
    change = modified("R-S", "9", counted("atLeast", 1, of="knife"))
    assert lines(folder, unit(), entry("upgrade", "Rifle", profiles(gun("Rifle", more=change))), KNIFE) == []


def test_keywords_are_compared_in_any_order_and_spelling(folder: Folder) -> None:
    sheet = replace(
        squad(),
        weapons=(replace(squad().weapons[0], keywords=("anti-infantry 4+", "rapid fire 1")),),
    )
    same = entry("upgrade", "Rifle", profiles(gun("Rifle", keywords="Rapid Fire 1, Anti-Infantry 4+")))
    assert told(folder(ash=ash(unit(), same, KNIFE)), sheet) == []
    other = same.replace("Rapid Fire 1", "Assault")
    assert told(folder(ash=ash(unit(), other, KNIFE)), sheet) == [
        "Rifle, keywords: anti-infantry 4+, rapid fire 1 -> anti-infantry 4+, assault"
    ]


def test_a_sentence_is_no_keyword(folder: Folder) -> None:
    prose = "each time the bearer of this weapon is glad it shoots twice as often as before"
    assert (
        lines(folder, unit(), entry("upgrade", "Rifle", profiles(gun("Rifle", keywords=prose))), KNIFE) == []
    )


@pytest.mark.parametrize("said", ["as the bearer", "", "2D6+D3", "-"])
def test_a_number_that_cannot_be_read_is_not_compared(folder: Folder, said: str) -> None:
    assert (
        lines(folder, unit(), entry("upgrade", "Rifle", profiles(gun("Rifle", A=said, D=said))), KNIFE) == []
    )


def save(said: str) -> str:
    """Return an ability that is an invulnerable save by its name."""
    told = inside("characteristics", f'<characteristic name="Description" typeId="d">{said}</characteristic>')
    return f'<profile id="s" name="Invulnerable Save" typeName="Abilities">{told}</profile>'


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("This model has a 4+ save of this kind.", ["Guard, invulnerable: 5 -> 4"]),
        ("4+", ["Guard, invulnerable: 5 -> 4"]),
        ("5+", []),
        ("4+, or 6+ where it matters", []),
        ("4+ while it is alone", []),
        ("4+ against ranged attacks", []),
    ],
)
def test_an_invulnerable_save(folder: Folder, said: str, found: list[str]) -> None:
    sheet = replace(squad(), profiles=(replace(squad().profiles[0], invulnerable=5),))
    home = folder(ash=ash(unit(guards(profiles(save(said)))), RIFLE, KNIFE))
    assert told(home, sheet) == found


def test_the_value_of_a_core_ability(folder: Folder) -> None:
    rule = '<sharedRules><rule id="r" name="Scouts"/></sharedRules>'
    hung = inside(
        "infoLinks",
        '<infoLink id="i" type="rule" targetId="r">'
        + modified("name", "7&quot;", kind="append")
        + "</infoLink>",
    )
    text = ash(unit(guards(hung)), RIFLE, KNIFE).replace("</catalogue>", f"{rule}</catalogue>")
    sheet = replace(squad(), core_abilities=("deep strike", "scouts 6"))
    found = imported(folder(ash=text), sheet).changed[0]
    assert found.fields["core_abilities"] == ("deep strike", "scouts 7")
    assert [str(each) for each in found.differences] == ["core ability: scouts 6 -> scouts 7"]


def test_accents_case_and_punctuation_do_not_matter_in_names(folder: Folder) -> None:
    home = folder(ash=catalogue("ash", unit(name="ÂSH-Guard"), RIFLE, KNIFE, own=("âsh-guard",)))
    assert [each.sheet.id for each in imported(home, squad()).compared] == ["ash/ash-guard"]


def test_a_renamed_unit_is_listed_on_both_sides(folder: Folder) -> None:
    home = folder(ash=catalogue("ash", unit(name="Cinder Guard"), RIFLE, KNIFE, own=("cinder guard",)))
    found = imported(home, squad())
    assert [sheet.id for sheet in found.unmatched] == ["ash/ash-guard"]
    assert [facts.name for facts in found.new_sheets] == ["Cinder Guard"]
    assert found.changed == ()


def test_a_unit_that_became_legends(folder: Folder) -> None:
    home = folder(
        ash=ash(
            unit(name="Ash Guard [Legends]"),
            unit(name="Old"),
            RIFLE,
            KNIFE,
            own=("ash guard [legends]", "old"),
        )
    )
    assert told(home, squad(), squad("Old")) == ["legends: no -> yes"]


def test_one_name_in_two_factions_is_matched_by_what_else_their_catalogues_have(folder: Folder) -> None:
    ours = [squad(), squad("Pit"), squad(faction="elm"), squad("Oak", faction="elm")]
    home = folder(
        first=catalogue(
            "first", unit(guards(toughness=5)), unit(name="Oak"), RIFLE, KNIFE, own=("ash guard", "oak")
        ),
        second=catalogue("second", unit(guards(toughness=6)), unit(name="Pit"), own=("ash guard", "pit")),
    )
    changed = imported(home, *ours).changed
    assert {each.sheet.id: each.differences[0].new for each in changed} == {
        "ash/ash-guard": 6,
        "elm/ash-guard": 5,
    }


def test_one_catalogue_is_no_other_faction_s(folder: Folder) -> None:
    ours = [squad(), squad("Pit"), squad(faction="elm"), squad("Oak", faction="elm")]
    home = folder(first=catalogue("first", unit(), unit(name="Oak"), RIFLE, KNIFE, own=("ash guard", "oak")))
    assert [sheet.id for sheet in imported(home, *ours).unmatched] == ["ash/ash-guard", "ash/pit"]


def test_a_unit_that_nothing_offers_is_no_datasheet(folder: Folder) -> None:
    home = folder(ash=ash(unit(guards(toughness=9)), RIFLE, KNIFE, own=()))
    assert [sheet.id for sheet in imported(home, squad()).unmatched] == ["ash/ash-guard"]


def test_links_in_a_circle_come_to_an_end(folder: Folder) -> None:
    rifle = entry("upgrade", "Rifle", profiles(gun("Rifle")), link("knife"))
    knife = entry("upgrade", "Knife", profiles(blade("Knife")), link("rifle"))
    assert lines(folder, unit(), rifle, knife) == []


def test_a_dash_is_no_characteristic(folder: Folder) -> None:
    sheet = replace(
        squad(),
        profiles=(
            Profile(name="Guard", characteristics={"M": 0, "T": 4, "Sv": 3, "W": 2, "Ld": 6, "OC": 1}),
        ),
    )
    assert told(folder(ash=ash(unit(guards(M="-")), RIFLE, KNIFE)), sheet) == []
