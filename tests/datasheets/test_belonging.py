"""Whose units an army has: its own, included ones, chapters, allies and their limits."""

from __future__ import annotations

import pytest

from datasheets.belonging import Realm, is_same
from datasheets.library import Library
from datasheets.roster import check_roster, load_roster


def faults(
    library: Library, faction: str, detachment: str, *units: str, points: int = 1000
) -> tuple[str, ...]:
    """Return what is wrong with an army, each unit told as "id sheet models key=value"."""
    text = f'name = "T"\nfaction = "{faction}"\ndetachment = "{detachment}"\npoints = {points}\n'
    for unit in units:
        name, sheet, models, *keys = unit.split()
        text += f'[[unit]]\nid = "{name}"\ndatasheet = "{sheet}"\nmodels = {models}\n'
        text += "".join(f"{key}\n" for key in keys)
    return check_roster(load_roster(text), library, points)


GLADIUS = "Gladius Task Force"
CAPTAIN = "boss space-marines/captain 1 warlord=true"
ORK = "boss orks/warboss 1 warlord=true"


@pytest.mark.rule("ARMY.4")
def test_every_faction_file_is_read_and_most_field_armies(library: Library) -> None:
    fielding = library.armies_of()
    assert set(library.hordes()) <= set(fielding)
    assert {"emperors-children", "imperial-agents", "deathwatch", "space-wolves"} <= set(fielding)
    assert not {"titans", "unaligned", "heresy-legends"} & set(fielding)
    for name in fielding:
        faction = library.faction(name)
        assert faction.id == name
        assert set(faction.includes) <= set(library.factions())
        assert all(set(rule.armies) <= set(fielding) for rule in faction.allies)
        known = {sheet for each in library.factions() for sheet in library.datasheet_ids(each)}
        named = [word for word in (*faction.apart, *faction.bars) if "/" in word]
        assert set(named).union(*(rule.sheets for rule in faction.allies)) <= known
        assert Realm(name, library).detachments


@pytest.mark.rule("ARMY.4")
def test_a_chapter_has_its_own_units_and_those_of_no_chapter(library: Library) -> None:
    angels = {sheet.id for sheet in Realm("blood-angels", library).own()}
    assert {"blood-angels/lemartes", "space-marines/intercessor-squad"} <= angels
    assert "space-marines/marneus-calgar-in-armour-of-heraclus" not in angels
    assert not [name for name in angels if name == "space-marines/kayvaan-shrike"]
    assert faults(library, "blood-angels", GLADIUS, CAPTAIN, "x blood-angels/lemartes 1") == ()


@pytest.mark.rule("ARMY.4")
def test_chapters_do_not_mix(library: Library) -> None:
    two = ("a space-marines/kayvaan-shrike 1 warlord=true", "b space-marines/lieutenant-titus 1")
    found = faults(library, "space-marines", GLADIUS, *two)
    assert found == (
        "The army mixes 2 keywords of which it may have one (RAVEN GUARD: 'a'; ULTRAMARINES: 'b'): keep one.",
    )
    found = faults(library, "dark-angels", GLADIUS, two[0])
    assert len(found) == 1
    assert "(DARK ANGELS: the army; RAVEN GUARD: 'a')" in found[0]


@pytest.mark.rule("ARMY.4", "ARMY.10")
def test_a_detachment_of_a_chapter_bars_the_units_of_another(library: Library) -> None:
    shrike = "a space-marines/kayvaan-shrike 1 warlord=true"
    assert faults(library, "space-marines", "Shadowmark Talon", shrike) == ()
    found = faults(library, "space-marines", "Blade of Ultramar", shrike)
    assert len(found) == 1
    assert "ULTRAMARINES: Blade of Ultramar; RAVEN GUARD: 'a'" in found[0]


@pytest.mark.rule("ARMY.4")
def test_another_chapter_s_datasheet_names_the_faction_to_say(library: Library) -> None:
    found = faults(library, "space-marines", GLADIUS, CAPTAIN, "x blood-angels/lemartes 1")
    assert any('say faction = "blood-angels"' in fault for fault in found)


@pytest.mark.rule("ARMY.4")
def test_what_a_chapter_does_not_have_is_barred(library: Library) -> None:
    found = faults(library, "black-templars", GLADIUS, CAPTAIN, "x space-marines/librarian 1")
    assert found == ("Unit 'x': an army of Black Templars may not have Librarian; take it out.",)
    assert any(
        "Scout Squad" in f
        for f in faults(library, "deathwatch", GLADIUS, CAPTAIN, "x space-marines/scout-squad 5")
    )


@pytest.mark.rule("ARMY.10")
@pytest.mark.parametrize(
    ("detachment", "told"),
    [
        ("War Hord", "did you mean 'War Horde'"),
        ("", "names no detachment; choose one, such as War Horde"),
        ("War Horde + Green Tide", "2 detachments (War Horde and Green Tide), and needs exactly one"),
        (GLADIUS, "There is no detachment of Orks 'Gladius Task Force'"),
    ],
)
def test_an_army_has_one_detachment_of_its_faction(library: Library, detachment: str, told: str) -> None:
    found = faults(library, "orks", detachment, ORK)
    assert len(found) == 1
    assert told in found[0]


def test_the_name_of_a_detachment_may_be_spelt_in_other_ways() -> None:
    assert is_same("Alien Hunters (Ordo Xenos)", "Ordo Xenos Alien Hunters")
    assert is_same("Forgefather’s seekers", "Forgefather's Seekers")
    assert not is_same("War Horde", "Green Tide")


@pytest.mark.rule("ARMY.4")
def test_a_faction_without_armies_and_an_unknown_one_are_refused(library: Library) -> None:
    assert any("fields no army" in f for f in faults(library, "titans", "", "t titans/warhound-titan 1"))
    assert any("There is no faction 'ork'" in f for f in faults(library, "ork", "War Horde", ORK))


@pytest.mark.rule("ARMY.4")
def test_agents_join_an_imperial_army_up_to_their_limits(library: Library) -> None:
    agent = "a imperial-agents/vindicare-assassin 1"
    more = "b imperial-agents/callidus-assassin 1"
    assert faults(library, "space-marines", GLADIUS, CAPTAIN, agent) == ()
    found = faults(library, "space-marines", GLADIUS, CAPTAIN, agent, more)
    assert found == (
        "The army has 2 allied units of Imperial Agents with CHARACTER ('a', 'b'), and may have 1.",
    )
    assert faults(library, "space-marines", GLADIUS, CAPTAIN, agent, more, points=2000) == ()
    found = faults(library, "orks", "War Horde", ORK, agent)
    assert found == (
        "Unit 'a': Vindicare Assassin is not a datasheet of orks, but of imperial-agents; take it out.",
    )


@pytest.mark.rule("ARMY.4")
def test_an_allied_transport_carries_somebody(library: Library) -> None:
    rhino, agents = "car imperial-agents/imperial-rhino 1", "a imperial-agents/inquisitorial-agents 6"
    empty = faults(library, "space-marines", GLADIUS, CAPTAIN, rhino, agents)
    assert empty == ("Unit 'car': an allied transport must begin with a unit aboard; embark one in it.",)
    assert faults(library, "space-marines", GLADIUS, CAPTAIN, rhino, agents + " embarked_in='car'") == ()


@pytest.mark.rule("ARMY.4")
def test_knights_ally_as_one_giant_or_three_smaller(library: Library) -> None:
    small = [f"w{n} chaos-knights/war-dog-brigand 1" for n in range(2)]
    other = "x chaos-knights/war-dog-karnivore 1"
    giant = "g chaos-knights/knight-rampager 1"
    lord = "boss death-guard/lord-of-contagion 1 warlord=true"
    vectorium = ("death-guard", "Virulent Vectorium")
    assert faults(library, *vectorium, lord, *small, other, points=2000) == ()
    assert faults(library, *vectorium, lord, giant, points=2000) == ()
    found = faults(library, *vectorium, lord, giant, other, points=2000)
    assert len(found) == 1
    assert "4 allied units of Chaos Knights with TITANIC or WAR DOG, TITANIC counted as 3" in found[0]


@pytest.mark.rule("ARMY.4")
def test_allies_are_limited_in_points_and_are_no_warlord(library: Library) -> None:
    lord = "boss chaos-space-marines/chaos-lord 1"
    letters = "b chaos-daemons/bloodletters 10"
    thirster = "t chaos-daemons/bloodthirster 1 warlord=true"
    found = faults(library, "chaos-space-marines", "Pactbound Zealots", lord, letters, thirster)
    assert any("Allies of Chaos Daemons ('b', 't')" in f and "more than 250" in f for f in found)
    assert any("'t': an ally cannot be the Warlord" in f for f in found)
    alone = faults(
        library, "chaos-space-marines", "Pactbound Zealots", f"{lord} warlord=true", thirster.split(" war")[0]
    )
    assert any("1 with KHORNE are no BATTLELINE units, more than the 0 that are" in f for f in alone)


@pytest.mark.rule("ARMY.4", "ARMY.10")
def test_some_allies_come_under_one_detachment_alone(library: Library) -> None:
    lord, beasts = "boss death-guard/lord-of-contagion 1 warlord=true", "b death-guard/plaguebearers 10"
    assert faults(library, "death-guard", "Tallyband Summoners", lord, beasts) == ()
    found = faults(library, "death-guard", "Virulent Vectorium", lord, beasts)
    assert found == ("Unit 'b': an army of Death Guard may not have Plaguebearers; take it out.",)


def test_every_breach_is_named_at_once(library: Library) -> None:
    found = faults(
        library,
        "space-marines",
        "Gladius Task Force and Stormlance Task Force",
        "a space-marines/kayvaan-shrike 1 warlord=true",
        "b space-marines/lieutenant-titus 1 warlord=true",
        "c space-marines/captain 1 attached_to='nobody'",
        "d space-marines/hellblaster-squad 4 wargear={'Lascannon'=1,'Shoota'=1}",
        "e orks/boyz 10 enhancement='Follow'",
        points=200,
    )
    told = ("2 detachments", "mixes 2", "2 Warlords", "no unit 'nobody'", "'Lascannon'", "'Shoota'")
    for each in (
        *told,
        "models: a unit has 5 to 10",
        "not a datasheet of space-marines",
        "'Follow'",
        "its share",
    ):
        assert sum(each in fault for fault in found) == 1, (each, found)
