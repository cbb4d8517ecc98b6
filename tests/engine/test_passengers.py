"""Full transports: the units that come aboard, and what becomes of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from datasheets.hold import may_ride, room
from datasheets.library import Library
from engine.audit.referee.reading import read
from engine.core import event as ev
from engine.core.facts import TransportFacts
from engine.core.game import Game
from engine.core.request import Place, Places, Steps
from engine.core.ruleset import Step
from engine.core.state import Unit
from engine.horde.language import LANGUAGE
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.horde.spawn_row import Row, rows_of
from engine.horde.steps import spawn
from engine.records.rulebook import Rulebook
from tests.engine.spawning import in_rows, row, spawned, table, unit

Play = Callable[..., Game]
Make = Callable[..., Any]
LIBRARY = Library()
RHINO = unit("chaos-rhino")
HOLD = TransportFacts(capacity=6, allows="Death Guard Infantry")
FULL = [
    (faction, bracket, entry.id)
    for faction in LIBRARY.hordes()
    for bracket, entries in LIBRARY.spawn_table(faction).brackets.items()
    for entry in entries
    if entry.transport_full
]


def riders(game: Game) -> list[Unit]:
    """Return the Horde's units that ride in a transport, in the order in which they came."""
    units = game.state.position.units.values()
    return [each for each in units if each.where == "embarked" and each.side == "horde"]


def faults(game: Game) -> list[str]:
    """Return what the referee finds wrong with the log."""
    return [str(each) for each in read(game.events, HORDE_1_1, game.rulebook, game.rulings).disagreements]


def full(play: Play, marines: Make, library: Library, **more: Any) -> Game:
    """Return a battle in whose first zone a row of the third bracket spawned."""
    given = {
        "factions": ("death-guard",),
        "dice": {"spawn-bracket": [7, 1]},
        "answers": {"spawn": in_rows},
        "round_number": 1,
        **more,
    }
    return play([marines()], Step("spawn", "start-of-round", spawn.spawn), library=library, **given)


def bringing(wanted: Row | str, zone: bool = True) -> Step:
    """Return a step that brings a row, or a faction's first full transport, somewhere."""

    def run(game: Game) -> Steps[bool]:
        place = next(z for z in game.state.position.zones.values() if z.kind == "spawn") if zone else None
        found = wanted
        if isinstance(found, str):
            rows = [each for bracket in (1, 2, 3, 4) for each in rows_of(game, wanted, bracket)]
            found = next(each for each in rows if each.entry.transport_full)
        yield from spawn._bring(game, place, found)
        return False

    return Step("bring", "start-of-round", run)


@pytest.mark.rule("R.A98", "SPAWN.4", "SPAWN.5")
@pytest.mark.parametrize(("faction", "bracket", "name"), FULL)
def test_every_full_transport_carries_units_that_may_ride_and_fit(
    play: Play, marines: Make, faction: str, bracket: int, name: str
) -> None:
    entries = LIBRARY.spawn_table(faction).brackets[bracket]
    wanted = Row(faction, bracket, next(each for each in entries if each.id == name))
    # Nobody gets out of a transport as it is set up.
    book = Rulebook.load(LIBRARY, LANGUAGE, (faction,), removed=("datasheet/drop-pod-assault",))
    game = play(
        [marines()],
        bringing(wanted),
        answers={"spawn": in_rows},
        factions=(faction,),
        round_number=1,
        rulebook=book,
    )
    aboard = riders(game)
    assert aboard
    transport = game.state.position.units[aboard[0].transport]
    assert transport.where == "table"
    taken = 0
    for rider in aboard:
        assert rider.transport == transport.id
        assert rider.facts.bracket < bracket
        assert rider.facts.weapons
        for part in rider.parts:
            sheet = LIBRARY.datasheet(part.datasheet)
            assert may_ride(transport.hold, sheet.has)
            taken += part.starting_models * room(transport.hold, sheet)
    assert transport.hold.capacity / 2 < taken <= transport.hold.capacity
    assert not faults(game)


@pytest.mark.rule("R.A98")
@pytest.mark.parametrize("seed", range(5))
def test_squads_of_more_than_half_the_room_come_first_and_others_fill_what_is_left(
    play: Play, marines: Make, tmp_path: Path, seed: int
) -> None:
    """Of twelve places seven go to the only squad above six, and five to the other."""
    small, large = row(1, unit("plague-marines", 5)), row(2, unit("plague-marines", 7))
    library = table(tmp_path, row(3, RHINO, transport_full=True), small, large)
    game = full(play, marines, library, seed=seed)
    assert spawned(game) == ["horde/chaos-rhino#1"]
    assert [(len(each.rows), each.facts.bracket) for each in riders(game)] == [(7, 2), (5, 1)]


@pytest.mark.rule("R.A98")
def test_a_lone_character_fills_no_room_that_is_left(play: Play, marines: Make, tmp_path: Path) -> None:
    squad, alone = row(2, unit("plague-marines", 10)), row(1, unit("tallyman"))
    library = table(tmp_path, row(3, RHINO, transport_full=True), squad, alone)
    assert [each.id for each in riders(full(play, marines, library))] == ["horde/plague-marines#1"]


@pytest.mark.rule("R.A98")
def test_who_rides_is_of_a_lower_bracket_unless_none_of_those_may(
    play: Play, marines: Make, tmp_path: Path
) -> None:
    squad, walker = unit("plague-marines", 10), unit("helbrute")
    library = table(tmp_path, row(3, RHINO, transport_full=True), row(3, squad), row(2, walker))
    dice = {"spawn-bracket": [7, 1], "spawn-unit": [1]}
    game = full(play, marines, library, dice=dice)
    assert [each.facts.bracket for each in riders(game)] == [3]
    (tmp_path / "other").mkdir()
    below = row(2, unit("poxwalkers", 10))
    library = table(tmp_path / "other", row(3, RHINO, transport_full=True), row(3, squad), below)
    game = full(play, marines, library, dice=dice)
    assert [each.id for each in riders(game)] == ["horde/poxwalkers#1"]


@pytest.mark.rule("R.A98", "SP.R6")
def test_leaders_ride_with_their_squad_and_one_without_room_does_not(
    play: Play, marines: Make, tmp_path: Path
) -> None:
    """With a leader it is eleven; no TERMINATOR may ride in a Rhino, so that only one may lead."""
    led = "death-guard/plague-marines"
    leaders = ["death-guard/lord-of-contagion", "death-guard/tallyman"]
    library = table(
        tmp_path,
        row(3, RHINO, transport_full=True),
        row(2, unit(led, 10), leader_choices=1, possible_leaders=leaders),
    )
    game = full(play, marines, library)
    (squad,) = riders(game)
    assert len(squad.rows) == 11
    assert squad.has("CHARACTER")
    assert game.state.marks.get(spawn.WARLORD) == squad.id


@pytest.mark.rule("R.A98", "SP.R6")
def test_a_hero_in_play_does_not_ride_and_with_nobody_left_no_full_transport_comes(
    play: Play, marines: Make, tmp_path: Path
) -> None:
    """Of two rolls the first brings the squad aboard; for the second nobody is left to ride."""
    library = table(
        tmp_path,
        row(3, RHINO, transport_full=True),
        row(1, unit("poxwalkers", 10), leaders=["death-guard/foul-blightspawn"]),
    )
    owned = {"chaos-rhino": 2, "poxwalkers": 10, "foul-blightspawn": 1}
    game = full(
        play,
        marines,
        library,
        collection={f"death-guard/{name}": count for name, count in owned.items()},
        dice={"spawn-bracket": [7, 7]},
    )
    assert spawned(game) == ["horde/chaos-rhino#1"]
    assert [each.id for each in riders(game)] == ["horde/poxwalkers#1"]
    assert [e.entry for e in game.events if isinstance(e, ev.SpawnRolled)] == ["row 0", ""]


@pytest.mark.rule("R.A98")
def test_a_transport_that_is_not_full_comes_empty(play: Play, marines: Make, tmp_path: Path) -> None:
    library = table(tmp_path, row(3, RHINO), row(2, unit("plague-marines", 10)))
    game = full(play, marines, library)
    assert spawned(game) == ["horde/chaos-rhino#1"]
    assert not riders(game)


@pytest.mark.rule("SPAWN.7", "R.A98")
def test_a_transport_in_reserves_has_its_passengers_aboard(play: Play, marines: Make) -> None:
    entries = LIBRARY.spawn_table("space-marines").brackets[3]
    pod = next(each for each in entries if each.units[0].datasheets == ("space-marines/drop-pod",))
    game = play(
        [marines()], bringing(Row("space-marines", 3, pod)), factions=("space-marines",), round_number=2
    )
    (waits,) = [each for each in game.state.position.units.values() if each.where == "reserves"]
    assert {each.transport for each in riders(game)} == {waits.id}
    assert not faults(game)


@pytest.mark.rule("MISERY.13", "R.A98")
def test_what_lands_behind_the_players_has_its_passengers_aboard(play: Play, marines: Make) -> None:
    game = play([marines()], bringing("death-guard", zone=False), factions=("death-guard",))
    (waits,) = [each for each in game.state.position.units.values() if each.where == "reserves"]
    assert spawn.PINCER in waits.marks
    assert {each.transport for each in riders(game)} == {waits.id}


@pytest.mark.rule("R.A64", "R.A98")
def test_who_rides_in_a_transport_without_room_to_stand_is_lost_with_it(play: Play, marines: Make) -> None:
    game = play(
        [marines()],
        bringing("death-guard"),
        answers={"spawn": Places(poses={})},
        factions=("death-guard",),
        round_number=1,
    )
    units = [each for each in game.state.position.units.values() if each.side == "horde"]
    assert len(units) > 1
    assert {each.where for each in units} == {"destroyed"}
    assert game.state.players["p1"].sp == 0


def beside_the_wreck(north: float) -> Callable[[Game], Places]:
    """Return an answer that sets a squad up this far north of a wreck at (5, 35.5)."""

    def answer(game: Game) -> Places:
        request = game.pending
        assert isinstance(request, Place)
        return Places(poses={r: (3.7 + 1.3 * i, 35.5 + north, 0.0, 0.0) for i, r in enumerate(request.rows)})

    return answer


@pytest.mark.rule("SPAWN.2", "R.A99")
@pytest.mark.parametrize(("north", "bonus", "left"), [(2.2, 6 + 4, 0), (-2.2, 6, 3)])
def test_who_gets_out_of_a_transport_in_a_zone_is_destroyed_if_within_it(
    play: Play, marines: Make, foes: Make, north: float, bonus: int, left: int
) -> None:
    """The wreck's bracket counts, and that of a squad which then stands in the zone."""
    box = foes("box", at=((5.0, 35.5),), bracket=3, keywords=("VEHICLE",), transport=HOLD)
    squad = foes("squad", at=((0.0, 0.0),) * 3, bracket=2, embarked_in="box")
    game = play(
        [marines(), box, squad],
        Step("spawn", "start-of-round", spawn.spawn),
        answers={"disembark": beside_the_wreck(north)},
        dice={"spawn-bracket": [1, 1], "wreck": [6, 6, 6]},
        factions=("death-guard",),
    )
    rolled = next(e for e in game.events if isinstance(e, ev.SpawnRolled))
    assert rolled.total - 1 == bonus
    assert sum(len(each.rows) for each in game.state.position.on_table("horde")) == left
    assert not faults(game)
