"""What the autopilot makes of its army rule, its Doctrines and its detachment's Stratagems."""

from __future__ import annotations

from typing import Any

import pytest

from ai.agents import agent
from datasheets.library import Library
from engine.core import event as ev
from engine.core.facts import HORDE, PLAYERS, WeaponFacts
from engine.core.game import Game
from engine.core.play import play
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.scenario.situation import Stand, situation
from engine.w40k.view import View

LIBRARY = Library()
GUN = WeaponFacts(name="gun", range=24.0, attacks="4", skill=3, strength=5, ap=-1, damage="2")
AXE = WeaponFacts(name="axe", attacks="6", skill=3, strength=8, ap=-3, damage="3")
MARINES = ("INFANTRY", "ADEPTUS ASTARTES")


def played(stands: list[Stand], *steps: str, **more: Any) -> Game:
    """Return what agents make of a situation of an army of Space Marines."""
    found = [HORDE_1_1.steps[HORDE_1_1.place(name)] for name in steps]
    army = {"player_faction": "space-marines", "detachment": "Gladius Task Force", "library": LIBRARY}
    game = situation(stands, found, HORDE_1_1, **army, **more)
    play(game, {"horde": agent("horde"), "p1": agent("steady")}, View)
    return game


def marked(game: Game, key: str) -> list[object]:
    return [e.value for e in game.events if isinstance(e, ev.Marked) and e.key == key and e.value is not None]


def used(game: Game) -> list[str]:
    return [
        e.choice[0]
        for e in game.events
        if isinstance(e, ev.Decided) and e.decision == "stratagem" and e.choice
    ]


def ours(at: tuple[float, float], **more: Any) -> Stand:
    return Stand("ours", PLAYERS, [at], keywords=MARINES, weapons=(GUN,), **more)


def theirs(name: str, at: tuple[float, float], **more: Any) -> Stand:
    return Stand(name, HORDE, [at], **more)


@pytest.mark.rule("ARMY.10.oath-of-moment")
def test_it_swears_against_what_it_can_reach_and_does_not_kill_anyway() -> None:
    tough = {"characteristics": (("T", 8), ("W", 12)), "points": 200}
    stands = [
        ours((30.0, 10.0)),
        theirs("weak", (28.0, 25.0), points=20),
        theirs("tough", (32.0, 25.0), **tough),
        theirs("far", (58.0, 43.0), **tough),
    ]
    assert marked(played(stands, "players.command"), "oath") == ["tough"]


@pytest.mark.rule("ARMY.10.combat-doctrines")
def test_it_gets_out_of_a_fight_that_it_loses_under_the_tactical_doctrine() -> None:
    """And shoots at once, at the enemy that it has left or another."""
    stands = [
        ours((30.0, 10.0), characteristics=(("W", 3),), points=150),
        theirs("brute", (30.0, 11.5), weapons=(AXE,), characteristics=(("W", 6),), points=150),
    ]
    steps = ("players.command", "players.movement", "players.shooting")
    game = played(stands, *steps)
    assert marked(game, "doctrine") == ["tactical"]
    assert "fall-back" in marked(game, "moved")
    assert any(isinstance(e, ev.Targeted) and e.unit == "ours" for e in game.events)


@pytest.mark.rule("ARMY.10.combat-doctrines")
def test_it_keeps_a_doctrine_that_would_win_nothing() -> None:
    stands = [ours((30.0, 2.0)), theirs("far", (30.0, 43.0))]
    assert marked(played(stands, "players.command", round_number=1), "doctrine") == []


@pytest.mark.rule("ARMY.10.armour-of-contempt")
@pytest.mark.parametrize(("points", "wanted"), [(600, True), (20, False)])
def test_it_pays_for_armour_where_enough_is_at_stake(points: int, wanted: bool) -> None:
    cannon = WeaponFacts(name="cannon", range=36.0, attacks="6", skill=3, strength=9, ap=-2, damage="2")
    stands = [
        Stand(
            "ours",
            PLAYERS,
            [(30.0, 10.0)],
            keywords=("VEHICLE", "ADEPTUS ASTARTES"),
            points=points,
            characteristics=(("T", 9), ("W", 10)),
        ),
        theirs("gunner", (30.0, 30.0), weapons=(cannon,)),
    ]
    game = played(stands, "horde.shooting", cp=1)
    assert ("gladius/armour-of-contempt" in used(game)) == wanted


@pytest.mark.rule("ARMY.10.squad-tactics")
@pytest.mark.parametrize(("weapons", "wanted"), [((AXE,), True), ((), False)])
def test_it_moves_away_from_who_would_charge_it(weapons: tuple[WeaponFacts, ...], wanted: bool) -> None:
    brute = theirs("brute", (30.0, 26.0), weapons=weapons, characteristics=(("W", 6), ("T", 10)), points=300)
    stands = [ours((30.0, 10.0), points=300), brute]
    game = played(stands, "horde.movement", cp=1)
    assert ("gladius/squad-tactics" in used(game)) == wanted
