"""The Horde that a command asks for: shares and a collection, kept by the battle's header."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from datasheets.errors import BadData, HordeError
from datasheets.library import Library
from datasheets.share import Transfer
from engine.core.format import FORMAT
from engine.core.header import check_header
from engine.horde.setup import Options
from engine.systems import begin, header_of, new_game
from viewer.commands.options import battle_options, horde_of
from viewer.commands.quick import battle_words

LIBRARY = Library()


def asked(*faction: str, collection: str = "", **more: Any) -> Options:
    """Return the options of a battle against these factions."""
    words: dict[str, Any] = {
        "points": "1000",
        "players": "1",
        "army": [],
        "handicap": "0",
        "transfer": [],
        "game_master": False,
        "deployment": "",
        "layout": "",
        "rounds": "5",
        "seed": "3",
        "ruleset": "horde-1.1",
        "ruling": [],
        **more,
    }
    return battle_options(LIBRARY, faction=list(faction), collection=collection, **words)


@pytest.mark.rule("ARMY.6")
@pytest.mark.parametrize(
    ("said", "factions", "shares"),
    [
        (["orks"], ("orks",), ()),
        (["orks", "tyranids"], ("orks", "tyranids"), ()),
        (["orks=2", "tyranids=1"], ("orks", "tyranids"), (("orks", 2), ("tyranids", 1))),
        (["tyranids", "orks=3"], ("tyranids", "orks"), (("tyranids", 1), ("orks", 3))),
    ],
)
def test_a_faction_may_have_a_share(said: list[str], factions: Any, shares: Any) -> None:
    options = asked(*said)
    assert (options.factions, options.shares) == (factions, shares)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("orks=0", "0 is no share of orks; give a whole number from 1 on."),
        ("orks=-2", "-2 is no share of orks; give a whole number from 1 on."),
        ("orks=half", "'half' is no share of orks; give a whole number."),
        ("orcs=2", "There is no faction with a spawning table 'orcs'; did you mean 'orks'?"),
    ],
)
def test_a_share_that_is_none_is_refused(said: str, told: str) -> None:
    with pytest.raises(HordeError) as fault:
        asked(said)
    assert str(fault.value) == told


@pytest.mark.rule("ARMY.6", "SP.R6")
def test_the_header_keeps_shares_and_collection_so_that_no_file_is_needed(tmp_path: Path) -> None:
    path = tmp_path / "owned.toml"
    path.write_text('"tyranids/carnifexes" = 2\n"orks/boyz" = 20\n')
    header = header_of(asked("orks=2", "tyranids", collection=str(path)), LIBRARY)
    path.unlink()
    told = json.decode(json.encode({"format": FORMAT, **header}))
    check_header(told, "x.replay")
    game = begin(told, LIBRARY, "x.replay")
    assert game.state.shares == {"orks": 2, "tyranids": 1}
    assert game.state.collection == {"orks/boyz": 20, "tyranids/carnifexes": 2}
    assert horde_of(told["setup"]) == "orks (2) and tyranids (1)"


def test_a_battle_without_limits_has_none_in_its_header() -> None:
    setup = header_of(asked("orks", "tyranids"), LIBRARY)["setup"]
    assert not {"shares", "collection"} & set(setup)
    assert horde_of(setup) == "orks and tyranids"


def test_a_header_with_a_share_of_nothing_is_refused_by_its_key() -> None:
    header = {"format": FORMAT, **header_of(asked("orks=2", "tyranids"), LIBRARY)}
    header["setup"]["shares"]["orks"] = 0
    with pytest.raises(BadData, match="shares"):
        check_header(header, "x.replay")


@pytest.mark.rule("SP.R6")
def test_a_collection_of_which_nothing_spawns_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "owned.toml"
    path.write_text('"orks/boyz" = 0\n"tyranids/carnifexes" = 2\n')
    with pytest.raises(HordeError, match="no model that spawns for orks"):
        new_game(asked("orks", collection=str(path)), LIBRARY)


@pytest.mark.rule("R.A97")
@pytest.mark.parametrize("scheme", ["v1_2d6", "d12_matched", "d12_labels", "d12_even", "d12_strict2"])
def test_a_battle_may_ask_for_any_table_of_spawn_rolls(scheme: str) -> None:
    game = new_game(asked("orks", ruling=[f"spawn.scheme={scheme}"]), LIBRARY)
    assert game.ruling("spawn.scheme") == scheme


def test_the_quick_way_knows_a_collection_too() -> None:
    words = battle_words(["battle", "--faction", "orks=2", "--collection", "owned.toml"])
    assert words is not None
    assert (words.faction, words.collection) == (["orks=2"], "owned.toml")


@pytest.mark.rule("ARMY.2")
def test_several_players_get_the_shipped_armies_of_their_share() -> None:
    assert [army.name for army in asked("orks", players="3").armies] == ["Space Marines, 335 points"] * 3


@pytest.mark.rule("ARMY.3")
def test_a_transfer_is_told_by_seats_and_points() -> None:
    assert asked("orks", players="3", transfer=["p1:p3:15"]).transfers == (Transfer(1, 3, 15),)


@pytest.mark.rule("ARMY.3")
@pytest.mark.parametrize("said", ["p1:p3", "1:3:15", "p1:p3:-5", "p1:p3:\u0661", "p1:p3:9999999999"])
def test_what_is_no_transfer_is_refused(said: str) -> None:
    with pytest.raises(HordeError, match="p1:p2:15"):
        asked("orks", players="3", transfer=[said])
