"""Models that stand up again: where, as whose unit, and what they have done already."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from datasheets.rule import When
from engine.core import event as ev
from engine.core.facts import BoardFacts, TerrainFacts
from engine.core.game import Game
from engine.core.marks import BESTOWED, ENHANCED, WARLORD
from engine.scenario.situation import Stand
from engine.w40k.activation.unit_choice import mark, note
from engine.w40k.attack import standing_up
from engine.w40k.attack.damage import destroy_model, destroy_unit
from engine.w40k.attack.returning import lost
from engine.w40k.words.circumstance import is_warlord
from tests.engine.abilities import battle, foes, marines, rule, unit

RISES = When(
    moment="destroyed",
    condition="is_own(model) and on_table(bearer)",
    once="battle",
    do=("stand_up(model, 2, '3')",),
)
IDLE = When(moment="turn-began", condition="False", do=("recover(bearer)",))
CARRIED = (("W", 6),)
TOWER = TerrainFacts(
    id="tower",
    kind="ruin",
    footprint=((20.0, 20.0), (40.0, 20.0), (40.0, 40.0), (20.0, 40.0)),
    height=5.0,
    walls=(),
    floors=(4.0,),
)


def game_of(*stands: Stand, roll: int = 2, **more: Any) -> Game:
    """Return a battle in which some units stand up, and a roll for each."""
    dice = {"stand-up": [roll] * 4, **more.pop("dice", {})}
    return battle([rule("rises", when=(RISES,)), rule("idle", when=(IDLE,))], stands, dice=dice, **more)


def fell(game: Game, name: str, *places: int, by: str = "", credit: str = "") -> None:
    """Destroy models of a unit, all or those of these numbers, and end the phase."""
    which = unit(game, name)
    rows = [model.row for model in which.facts.models]
    for place in places or range(len(rows)):
        model = game.state.position.models[rows[place]]
        for _ in destroy_model(game, which, model, by=by, credit=credit, cause="TEST"):
            raise AssertionError("nobody is asked")
    rise(game)


def rise(game: Game) -> None:
    for _ in standing_up.let_stand_up(game):
        raise AssertionError("nobody is asked")


def risen(game: Game) -> list[ev.Returned]:
    return [event for event in game.events if isinstance(event, ev.Returned)]


def lone(**more: Any) -> Stand:
    return foes("lord", at=[(30.0, 30.0)], rules=("test/rises",), characteristics=CARRIED, **more)


def led(**more: Any) -> Stand:
    at = [(30.0, 30.0), (31.5, 30.0), (33.0, 30.0)]
    more = {"leaders": 1, "leader_rules": ("test/rises",), "characteristics": CARRIED, **more}
    return foes("guard", at=at, **more)


@pytest.mark.rule("R.A117")
def test_a_model_counts_as_destroyed_until_it_stands_up_and_counts_again() -> None:
    game = game_of(lone(), marines())
    player = game.state.players["p1"]
    fell(game, "lord", by="marines", credit="p1")
    assert player.sp == 1
    assert [(event.unit, event.wounds) for event in risen(game)] == [("lord", 3)]
    assert unit(game, "lord").where == "table"
    assert unit(game, "lord").has("DEATH GUARD")
    fell(game, "lord", by="marines", credit="p1")
    assert player.sp == 2
    assert len(risen(game)) == 1
    assert unit(game, "lord").where == "destroyed"


@pytest.mark.rule("R.A117")
def test_on_a_lower_roll_a_model_stays_destroyed() -> None:
    game = game_of(lone(), marines(), roll=1)
    fell(game, "lord")
    assert not risen(game)
    assert unit(game, "lord").where == "destroyed"


@pytest.mark.rule("R.A117")
@pytest.mark.parametrize(("x", "stays"), [(36.0, True), (31.5, False)])
def test_a_model_stands_up_where_it_fell_or_as_near_as_it_can(x: float, stays: bool) -> None:
    game = game_of(lone(), marines(at=[(x, 30.0)]))
    fell(game, "lord")
    where = game.state.position.table.xy[unit(game, "lord").rows[0]].tolist()
    assert (where == [30.0, 30.0]) is stays
    gap = game.field.gap(unit(game, "lord"), unit(game, "marines"))
    assert stays or 1.0 < gap < 1.01


@pytest.mark.rule("R.A117")
def test_a_model_for_which_there_is_no_free_spot_stays_destroyed() -> None:
    small = BoardFacts(size=(3.0, 3.0))
    stands = [
        foes("lord", at=[(0.7, 0.7)], rules=("test/rises",)),
        marines(at=[(1.9, 1.9)]),
    ]
    game = game_of(*stands, board=small)
    fell(game, "lord")
    assert not risen(game)


@pytest.mark.rule("R.A117")
def test_a_model_stands_up_on_the_floor_from_which_it_fell() -> None:
    game = game_of(lone(), marines(), board=BoardFacts(terrain=(TOWER,)))
    row = unit(game, "lord").rows[0]
    game.log(ev.Placed(unit="lord", poses={row: (30.0, 30.0, 4.0, 90.0)}))
    fell(game, "lord")
    assert [event.pose for event in risen(game)] == [(30.0, 30.0, 4.0, 90.0)]


@pytest.mark.rule("R.A117")
def test_what_a_destroyed_unit_was_under_ends_and_what_it_used_up_stays_so() -> None:
    game = game_of(lone(), marines())
    lord = unit(game, "lord")
    for key, until in (
        ("battle-shocked", "battle"),
        (f"{BESTOWED}test/idle", "turn"),
        ("once:any:0", "battle"),
    ):
        lord.marks.values[key] = (True, until)
    fell(game, "lord")
    assert "battle-shocked" not in lord.marks
    assert f"{BESTOWED}test/idle" not in lord.marks
    assert "once:any:0" in lord.marks


@pytest.mark.rule("R.A117")
def test_a_leader_whose_bodyguard_lives_stands_up_as_a_unit_of_its_own() -> None:
    game = game_of(led(bracket=3), marines())
    guard = unit(game, "guard")
    old = guard.facts.models[2].row
    for key, value, until in (
        ("moved", "advance", "turn"),
        ("once:any:0", True, "battle"),
        ("battle-shocked", True, "battle"),
        ("zone", "s1", "battle"),
        (f"one-shot:{old}:0", 1, "battle"),
        (f"one-shot:{old - 1}:0", 1, "battle"),
        (f"{ENHANCED}{old}", "test/idle", "battle"),
    ):
        mark(game, guard, key, value, until)
    note(game, WARLORD, "guard", "battle")
    fell(game, "guard", 2)
    [event] = risen(game)
    lord = unit(game, event.unit)
    new = lord.rows[0]
    assert lord is not guard
    assert (lord.side, lord.player, lord.facts.bracket, len(lord.parts)) == ("horde", "horde", 0, 1)
    assert game.state.position.models[new].wounds == 3
    assert not guard.is_attached
    assert dict.fromkeys(lord.marks.values) == dict.fromkeys(
        ("moved", "once:any:0", f"one-shot:{new}:0", f"{ENHANCED}{new}", "once:test/rises:0", "stood-up")
    )
    assert is_warlord(game, lord)
    assert not is_warlord(game, guard)
    assert lost(game, guard, leaders=True) == []


@pytest.mark.rule("R.A117")
def test_a_leader_that_stood_up_as_a_unit_of_its_own_does_not_do_so_twice() -> None:
    game = game_of(led(), marines())
    fell(game, "guard", 2)
    [event] = risen(game)
    fell(game, event.unit)
    assert len(risen(game)) == 1


@pytest.mark.rule("R.A117")
def test_a_leader_that_falls_with_its_bodyguard_stands_up_in_its_unit() -> None:
    game = game_of(led(), marines())
    fell(game, "guard", 0, 1, 2)
    assert [(event.unit, event.model) for event in risen(game)] == [("guard", 2)]
    assert unit(game, "guard").rows == (2,)
    assert [part.name for part in unit(game, "guard").parts] == [unit(game, "guard").facts.parts[1].name]


@pytest.mark.rule("R.A117")
def test_a_model_whose_unit_lives_stands_up_in_coherency_with_it() -> None:
    at = [(30.0, 30.0), (31.5, 30.0)]
    game = game_of(foes("pair", at=at, rules=("test/rises",), characteristics=CARRIED), marines())
    fell(game, "pair", 0)
    assert [event.unit for event in risen(game)] == ["pair"]
    assert len(unit(game, "pair").rows) == 2
    assert game.field.gap(unit(game, "pair"), unit(game, "marines")) > 1


@pytest.mark.rule("R.A117")
def test_who_waits_to_stand_up_is_not_out() -> None:
    last = marines("last", rules=("test/rises",), characteristics=CARRIED)
    game = game_of(last, foes())
    for _ in destroy_unit(game, unit(game, "last"), cause="TEST"):
        raise AssertionError("nobody is asked")
    rise(game)
    assert game.state.players_alive() == ["p1"]


@pytest.mark.rule("R.A117")
def test_wounds_may_be_rolled_and_are_no_more_than_a_model_has() -> None:
    for text, rolled, left in (("D6", {"wounds": [5]}, 5), ("all", {}, 6), ("9", {}, 6)):
        clause = structs.replace(RISES, do=(f"stand_up(model, 2, '{text}')",))
        dice = {"stand-up": [2], **rolled}
        game = battle([rule("rises", when=(clause,))], [lone(), marines()], dice=dice)
        fell(game, "lord")
        assert [event.wounds for event in risen(game)] == [left]
