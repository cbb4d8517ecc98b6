"""Rows of the spawning tables set up: a sample, awkward ones, and that the checks can fail."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
import spawn_entries
from series import play_all
from spawn_entries import faults_of, jobs, played, sampled, spawned

from datasheets.schema import SpawnEntry, SpawnUnit
from engine.core.facts import BoardFacts, ZoneFacts

SIZE = 40


def row(faction: str, name: str) -> tuple[int, SpawnEntry]:
    """Return the row of a faction's table with this name, and its bracket."""
    return next(each for each in spawn_entries.rows_of(faction) if each[1].name == name)


@pytest.mark.rule("SPAWN.4", "SPAWN.5", "SPAWN.6")
@pytest.mark.parametrize("job", sampled(jobs(), SIZE), ids=lambda job: str(job.entry))
def test_a_row_stands_armed_in_its_zone(job: spawn_entries.Job) -> None:
    found = played(job)
    assert found["told"] == []
    assert found["units"] >= 1
    assert found["no room"] == 0


def test_the_sample_is_the_same_whatever_the_order() -> None:
    everything = jobs()
    assert len({job.entry for job in everything}) == len(everything) > 1200
    assert sampled(everything, SIZE) == sampled(everything[::-1], SIZE)


@pytest.mark.rule("SPAWN.4")
def test_a_leader_that_is_a_squad_comes_whole() -> None:
    bracket, entry = row("chaos-space-marines", "Dark Apostle + Legionaries (5)")
    battle = spawned("chaos-space-marines", bracket, entry)
    (unit,) = spawn_entries.horde(battle)
    assert [part.starting_models for part in unit.facts.parts] == [5, 3]


@pytest.mark.rule("SPAWN.4")
@pytest.mark.parametrize(("squad", "models"), [("cadian", 3), ("catachan", 3), ("krieg", 4)])
def test_the_one_that_is_drawn_of_several_has_its_own_size(squad: str, models: int) -> None:
    bracket, entry = row("astra-militarum", "Heavy Weapons Squad")
    (wanted,) = entry.units
    drawn = tuple(each for each in wanted.datasheets if squad in each)
    one = SpawnEntry(id=entry.id, name=entry.name, units=(SpawnUnit(datasheets=drawn, models=wanted.models),))
    (unit,) = spawn_entries.horde(spawned("astra-militarum", bracket, one))
    assert len(unit.facts.models) == models


@pytest.mark.rule("SPAWN.4")
def test_a_matching_command_squad_matches() -> None:
    name = "Lord Solar Leontus + Command Squad + Cadian Shock Troops or another (20)"
    bracket, entry = row("astra-militarum", name)
    (unit,) = spawn_entries.horde(spawned("astra-militarum", bracket, entry))
    body, lord, squad = (part.datasheet for part in unit.facts.parts)
    assert lord == "astra-militarum/lord-solar-leontus"
    assert body in spawn_entries.library().datasheet(squad).leads


def asked(faction: str, leaders: int, models: int, *possible: str) -> SpawnEntry:
    """Return a row of Legionaries with these leaders and models."""
    return SpawnEntry(
        id=f"{faction}/1/made-up",
        name="made up",
        units=(SpawnUnit(datasheets=(f"{faction}/legionaries",), models=models),),
        leader_choices=leaders,
        possible_leaders=tuple(f"{faction}/{each}" for each in possible),
    )


def test_a_leader_who_does_not_come_is_told() -> None:
    battle = spawned("chaos-space-marines", 1, asked("chaos-space-marines", 1, 5, "chaos-lord"))
    two = asked("chaos-space-marines", 2, 5, "chaos-lord")
    assert list(faults_of(two, battle)) == ["Legionaries + Chaos Lord has 1 leaders, not 2"]


def test_a_transport_without_riders_is_told() -> None:
    bracket, entry = row("chaos-space-marines", "Chaos Rhino (full)")
    empty = msgspec.structs.replace(entry, transport_full=False)
    assert list(faults_of(entry, spawned("chaos-space-marines", bracket, empty))) == ["nobody rides in it"]
    assert list(faults_of(entry, spawned("chaos-space-marines", bracket, entry))) == []


def test_a_unit_that_does_not_come_is_told() -> None:
    entry = asked("chaos-space-marines", 0, 5)
    battle = spawned("chaos-space-marines", 1, entry)
    two = SpawnEntry(id=entry.id, name=entry.name, units=entry.units * 2)
    assert list(faults_of(entry, battle)) == []
    assert list(faults_of(two, battle)) == ["2 units were to come, 1 did"]


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the board one zone that has room for nobody."""
    zone = ZoneFacts(
        id="S1",
        kind="spawn",
        polygon=((0.0, 43.5), (0.5, 43.5), (0.5, 44.0), (0.0, 44.0)),
        front=(((0.0, 43.5), (0.5, 43.5)),),
    )
    monkeypatch.setattr(spawn_entries, "board", lambda: BoardFacts(zones=(zone,)))


@pytest.mark.usefixtures("narrow")
@pytest.mark.rule("R.A64")
def test_a_unit_for_which_there_is_no_room_is_told() -> None:
    entry = asked("chaos-space-marines", 0, 5)
    battle = spawned("chaos-space-marines", 1, entry)
    assert len(spawn_entries.left_out(battle)) == 5
    assert "of 5 models 0 stand" in list(faults_of(entry, battle))


def test_rows_that_are_done_are_not_done_again(tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    wanted = sampled(jobs(), 2)
    told: list[str] = []
    for _ in range(2):
        play_all(played, wanted, 1, out, lambda count, _: told.append(count))
    assert told == ["1 of 2", "2 of 2"]
    assert len(out.read_text().splitlines()) == 2
