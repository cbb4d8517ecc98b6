"""A battle depends on the files that it uses, and on no other."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from ai.agents import agent
from datasheets.dependency import dependencies, differences, factions_of
from datasheets.files import digest
from datasheets.library import CORE_ABILITIES, Library
from engine.core.play import play
from engine.w40k.view import View
from tests.stand_in import StandIn, army, battle, overrides_file, stand_in

EVERY_BATTLES = {
    CORE_ABILITIES,
    "decks/misery.toml",
    "decks/resupply.toml",
    "decks/secondary.toml",
    "decks/secret.toml",
    "factions/horde-rules.toml",
    "rules/abilities.toml",
    "rules/core.toml",
    "rules/ability-templates.toml",
    "rules/horde.toml",
    "rules/stratagems.toml",
}


@pytest.fixture
def data(tmp_path: Path) -> StandIn:
    """Return a copy of all data."""
    return stand_in(tmp_path)


def used(library: Library, horde: str, *players: str) -> dict[str, str]:
    armies = [army(each) for each in players]
    return dependencies(library, (horde,), armies, "dawn-of-war", "horde-dawn-of-war-1")


def test_a_battle_uses_the_files_of_its_factions(library: Library) -> None:
    assert set(used(library, "tyranids", "space-marines")) == EVERY_BATTLES | {
        "datasheets/w40k-10/space-marines.json",
        "datasheets/w40k-10/tyranids.json",
        "deployments/dawn-of-war.json",
        "factions/space-marines/abilities.toml",
        "factions/space-marines-rules.toml",
        "factions/space-marines.toml",
        "factions/tyranids/abilities.toml",
        "factions/tyranids-rules.toml",
        "factions/tyranids.toml",
        "layouts/horde-dawn-of-war-1.json",
    }


def test_two_players_of_two_factions_use_the_files_of_both(library: Library) -> None:
    one, two = (set(used(library, "tyranids", each)) for each in ("space-marines", "orks"))
    assert "datasheets/w40k-10/orks.json" in two - one
    assert "datasheets/w40k-10/space-marines.json" in one - two
    assert set(used(library, "tyranids", "space-marines", "orks")) == one | two


def test_abilities_are_read_where_their_datasheets_may_be_fielded(library: Library) -> None:
    assert "factions/space-marines/abilities.toml" not in used(library, "tyranids", "orks")
    angels = replace(army("space-marines"), faction="blood-angels")
    given = (("tyranids",), [angels], "dawn-of-war", "horde-dawn-of-war-1")
    assert "factions/space-marines/abilities.toml" in dependencies(library, *given)
    # Their rules are read by the army of a chapter that fields none of their datasheets, their abilities not.
    alone = replace(angels, units=())
    files = dependencies(library, ("orks",), [alone], "dawn-of-war", "horde-dawn-of-war-1")
    assert "factions/space-marines-rules.toml" in files
    assert "factions/space-marines/abilities.toml" not in files


def test_a_battle_uses_the_datasheets_of_all_that_a_table_can_bring(data: StandIn) -> None:
    told = '[[spawn.entry]]\nbracket = 1\nid = "x"\nname = "X"\nleader_choices = 1\n'
    told += 'units = [{ datasheets = ["tyranids/lictor", "orks/boyz"], models = 1 }]\n'
    told += 'leaders = ["necrons/overlord"]\n'
    data.path("factions/tyranids.toml").write_text(
        '[spawn]\nfaction = "tyranids"\nname = "T"\n'
        '[spawn.leaders]\n"tyranids/lictor" = ["aeldari/farseer"]\n' + told
    )
    files = used(data.library(), "tyranids", "space-marines")
    for each in ("orks", "necrons", "aeldari"):
        assert f"datasheets/w40k-10/{each}.json" in files
        assert f"factions/{each}.toml" in files


def test_a_roster_brings_the_datasheets_of_whoever_it_fields(library: Library) -> None:
    guests = army("space-marines", extra="imperial-agents/inquisitor-coteaz")
    files = dependencies(library, ("tyranids",), [guests], "dawn-of-war", "horde-dawn-of-war-1")
    assert "datasheets/w40k-10/imperial-agents.json" in files


def test_a_chapter_brings_the_rules_of_whom_it_includes_and_of_whom_these_include(data: StandIn) -> None:
    data.change("factions/space-marines.toml", "[faction]", '[faction]\nincludes = ["orks"]')
    rule = data.path("factions/space-marines-rules.toml").read_text()
    data.path("factions/orks-rules.toml").write_text(rule.replace("space-marines/", "orks/"))
    library = data.library()
    angels = replace(army("space-marines"), faction="blood-angels")
    assert {"blood-angels", "space-marines", "orks"} <= set(factions_of(library, ("tyranids",), [angels]))
    files = dependencies(library, ("tyranids",), [angels], "dawn-of-war", "horde-dawn-of-war-1")
    assert {"factions/space-marines-rules.toml", "factions/orks-rules.toml"} <= set(files)


def test_factions_that_include_each_other_are_found_once(data: StandIn) -> None:
    for name, other in (("titans", "unaligned"), ("unaligned", "titans")):
        data.path(f"factions/{name}.toml").write_text(f'[faction]\nincludes = ["{other}", "{other}"]\n')
    assert data.library().kin(("titans",)) == ("titans", "unaligned")


@pytest.mark.parametrize("players", [("space-marines",), ("space-marines", "orks")])
def test_a_battle_reads_no_file_that_it_does_not_use(data: StandIn, players: tuple[str, ...]) -> None:
    library, seen = data.watched()
    game = battle(library, "death-guard", players)
    seats = {f"p{number}": agent("steady") for number in range(1, len(players) + 1)}
    play(game, {"horde": agent("horde"), **seats}, View)
    read = sorted(seen)
    header = game.header["library"]
    assert isinstance(header, dict)
    # Each once, and all: what a battle does not read is nothing that it uses.
    assert read == sorted(name.rpartition("/")[2] for name in header)


def test_factions_are_listed_without_reading_a_file(data: StandIn) -> None:
    library, seen = data.watched()
    assert len(library.factions()) == len(Library().factions())
    assert library.layout_ids("dawn-of-war") == ("horde-dawn-of-war-1", "horde-dawn-of-war-2")
    assert seen == []


def test_digests_of_packaged_files_are_trusted_and_those_of_others_computed(
    data: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("datasheets.files.committed", lambda: {"rules/horde.toml": "committed"})
    own = Library().files.digests(["rules/horde.toml", "rules/stratagems.toml", "rules/none.toml"])
    assert own["rules/horde.toml"] == "committed"
    # One that is not committed yet is computed.
    assert own["rules/stratagems.toml"] == digest(Library().files.read("rules/stratagems.toml"))
    assert "rules/none.toml" not in own
    other = data.library().files
    assert other.digests(["rules/horde.toml"]) == {"rules/horde.toml": digest(other.read("rules/horde.toml"))}


def test_overrides_count_where_they_are_of_a_faction_of_the_battle(data: StandIn, tmp_path: Path) -> None:
    points = {"points": [{"models": 1, "points": 3}]}
    path = overrides_file(tmp_path, {"orks/warboss": points})
    library = data.library(path)
    assert "overrides" not in used(library, "tyranids", "space-marines")
    told = used(library, "tyranids", "orks")
    assert told["overrides"] == digest({"orks/warboss": points})
    assert used(library, "orks", "space-marines")["overrides"] == told["overrides"]


def test_what_differs_is_named_whether_it_changed_came_or_went() -> None:
    before = {"a": "1", "b": "2", "c": "3"}
    assert differences(before, {"a": "1", "b": "0", "d": "4"}) == ("b", "c", "d")
    assert differences(before, dict(before)) == ()
