"""A save or replay is refused where data that its battle uses has changed, by its name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from datasheets.errors import BadData, HordeError
from datasheets.library import Library
from engine.core.header import changed_data
from engine.core.replay import Replay, read_replay
from engine.core.save import load, save
from engine.core.verify import verify
from engine.systems import begin
from engine.w40k.battle import Battle
from tests.stand_in import StandIn, battle, overrides_file, stand_in

CHEAP = {"tyranids/lictor": {"points": [{"models": 1, "points": 5}]}}
DEAR = {"tyranids/lictor": {"points": [{"models": 1, "points": 500}]}}


@pytest.fixture
def data(tmp_path: Path) -> StandIn:
    """Return a copy of all data."""
    return stand_in(tmp_path)


@pytest.fixture
def aside(data: StandIn, tmp_path: Path) -> Path:
    """Return the save of a battle of Space Marines against Tyranids on the first question."""
    path = tmp_path / "a.save"
    save(battle(data.library()), path)
    return path


def refusal(data: StandIn, path: Path, overrides: Path | None = None) -> str:
    """Return the sentence with which a save is refused."""
    with pytest.raises(HordeError) as caught:
        load(path, data.library(overrides), begin)
    return str(caught.value)


def test_a_save_is_loaded_where_nothing_has_changed(data: StandIn, aside: Path) -> None:
    game = load(aside, data.library(), begin)
    assert game.pending is not None


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("datasheets/w40k-10/orks.json", '"M": 6', '"M": 7'),
        ("factions/orks.toml", "models = 10", "models = 11"),
        ("layouts/horde-tipping-point-1.json", '"height": 5', '"height": 6'),
        ("deployments/tipping-point.json", "60", "61"),
    ],
)
def test_a_save_outlives_a_change_of_what_it_does_not_use(
    data: StandIn, aside: Path, name: str, old: str, new: str
) -> None:
    data.change(name, old, new)
    assert load(aside, data.library(), begin).pending is not None


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("datasheets/w40k-10/tyranids.json", '"M": 8', '"M": 9'),
        ("datasheets/w40k-10/space-marines.json", '"M": 6', '"M": 7'),
        ("factions/tyranids.toml", "models = 3", "models = 4"),
        ("factions/horde-rules.toml", "round >= 4", "round >= 3"),
        ("factions/space-marines-rules.toml", "at_least = 2", "at_least = 1"),
        ("decks/misery.toml", "improve = 1", "improve = 2"),
        ("rules/stratagems.toml", "price = 1", "price = 2"),
    ],
)
def test_a_save_is_refused_by_the_name_of_a_changed_file(
    data: StandIn, aside: Path, name: str, old: str, new: str
) -> None:
    data.change(name, old, new)
    assert refusal(data, aside) == (
        f"{aside}: the save was made with other data ({name}): "
        "use the version of the program that made it, or put that file back."
    )


def test_a_save_is_refused_by_a_file_of_rules_that_its_factions_got_or_lost(
    data: StandIn, aside: Path
) -> None:
    rules = data.path("factions/space-marines-rules.toml")
    new = data.path("factions/tyranids-rules.toml")
    new.write_text(rules.read_text().replace("space-marines/", "tyranids/"))
    rules.unlink()
    told = refusal(data, aside)
    assert "(factions/space-marines-rules.toml, factions/tyranids-rules.toml)" in told
    assert "put those files back" in told


def test_a_save_whose_faction_is_gone_is_refused_by_its_files(data: StandIn, aside: Path) -> None:
    data.path("datasheets/w40k-10/tyranids.json").unlink()
    data.path("factions/tyranids.toml").unlink()
    assert "(datasheets/w40k-10/tyranids.json, factions/tyranids.toml)" in refusal(data, aside)


def replay_of(game: Battle) -> Replay:
    return Replay(game.header, tuple(game.lines))


def test_overrides_that_came_went_or_changed_refuse_a_save(data: StandIn, tmp_path: Path) -> None:
    cheap = overrides_file(tmp_path, CHEAP, "cheap.json")
    dear = overrides_file(tmp_path, DEAR, "dear.json")
    without, under = tmp_path / "without.save", tmp_path / "under.save"
    save(battle(data.library()), without)
    save(battle(data.library(cheap)), under)
    assert load(under, data.library(cheap), begin).pending is not None
    assert refusal(data, without, cheap) == (
        f"{without}: the save was made without overrides, and those of {cheap} change its datasheets: "
        "set HORDE_OVERRIDES to nothing."
    )
    assert refusal(data, under) == (
        f"{under}: the save was made with overrides of datasheets, and none are in force: "
        "name their file by HORDE_OVERRIDES."
    )
    assert refusal(data, under, dear) == (
        f"{under}: the save was made with other overrides than those of {dear}: "
        "name the file of those by HORDE_OVERRIDES."
    )


def test_the_same_overrides_from_another_file_are_the_same(data: StandIn, tmp_path: Path) -> None:
    save(battle(data.library(overrides_file(tmp_path, CHEAP, "one.json"))), tmp_path / "a.save")
    other = overrides_file(tmp_path, CHEAP | {"orks/warboss": {"legends": True}}, "other.json")
    assert load(tmp_path / "a.save", data.library(other), begin).pending is not None


def test_a_replay_is_verified_with_the_overrides_of_its_battle_only(data: StandIn, tmp_path: Path) -> None:
    cheap = overrides_file(tmp_path, CHEAP)
    replay = replay_of(battle(data.library(cheap)))
    assert changed_data(replay.header, data.library(cheap)) == ()
    with pytest.raises(HordeError, match="The replay was made with overrides of datasheets, and none are"):
        verify(replay, data.library(), begin)


def test_changed_files_are_told_before_changed_overrides(data: StandIn, tmp_path: Path) -> None:
    path = tmp_path / "a.save"
    save(battle(data.library(overrides_file(tmp_path, CHEAP))), path)
    data.change("factions/horde-rules.toml", "round >= 4", "round >= 3")
    assert "(factions/horde-rules.toml)" in refusal(data, path)


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("format", 0, "it has format 0, and this program reads 1 to "),
        ("library", "0123456789abcdef", "library: should be keys with values"),
        ("library", {"decks/misery.toml": 7}, "library"),
    ],
)
def test_a_header_that_says_no_format_or_data_is_refused(
    aside: Path, key: str, value: object, told: str
) -> None:
    first, *rest = aside.read_text().splitlines()
    header = json.loads(first)["header"]
    aside.write_text("\n".join([json.dumps({"header": header | {key: value}}), *rest]) + "\n")
    with pytest.raises(BadData, match=told):
        read_replay(aside)
    with pytest.raises(BadData, match=told):
        load(aside, Library(), begin)


def test_a_save_without_a_set_up_is_refused(aside: Path) -> None:
    first, *rest = aside.read_text().splitlines()
    header = json.loads(first)["header"]
    del header["setup"]
    aside.write_text("\n".join([json.dumps({"header": header}), *rest]) + "\n")
    with pytest.raises(HordeError, match="made with other data"):
        load(aside, Library(), begin)
