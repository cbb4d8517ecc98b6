"""A player's army rule and detachment: owner, duration, and what is not simulated."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from ai.agents import agent
from datasheets.library import Library
from datasheets.schema import Ability
from engine.core import event as ev
from engine.core.facts import Side, WeaponFacts
from engine.core.game import Game
from engine.core.play import step
from engine.core.request import Choose, Chosen
from engine.horde.setup import Options
from engine.systems import new_game
from engine.w40k.muster import horde_part, muster
from engine.w40k.view import View
from tests.engine import offering
from tests.engine.offering import GUN, ours, theirs

OATH, DOCTRINES = "ARMY.10.oath-of-moment", "ARMY.10.combat-doctrines"
COMMAND = "players.command"
MARINES = ("INFANTRY", "ADEPTUS ASTARTES")


def battle(stands: list[Any], *steps: str, detachment: str = "Gladius Task Force", **more: Any) -> Game:
    """Return a battle of an army of Space Marines."""
    army = {"player_faction": "space-marines", "detachment": detachment}
    game: Game = offering.battle(stands, *steps, **{**army, **more})
    return game


def answered(game: Game, **chosen: str) -> dict[str, list[list[str]]]:
    """Play on; return what each rule of the army offered.

    `oath` and `doctrine` say what is chosen.
    """
    wanted = {OATH: chosen.get("oath", ""), DOCTRINES: chosen.get("doctrine", "")}
    agents = {"horde": agent("horde"), **{seat: agent("steady") for seat in game.state.players}}
    views = {seat: View(game, seat) for seat in agents}
    asked: dict[str, list[list[str]]] = {}
    while game.pending is not None:
        request = game.pending
        if isinstance(request, Choose) and request.rule in wanted:
            asked.setdefault(request.rule, []).append([option.id for option in request.options])
            pick = wanted[request.rule] or (request.options[0].id if request.minimum else "")
            game.submit(Chosen(ids=(pick,) if pick else ()), request.seats[0])
        elif isinstance(request, Choose) and request.decision == "stratagem":
            game.submit(Chosen(ids=()), request.seats[0])
        else:
            step(game, agents, views)
    return asked


def attack(game: Game, by: str = "ours", at: str = "theirs") -> dict[str, Any]:
    units = game.state.position.units
    return {"attacker": units[by], "target": units[at], "weapon": units[by].weapon(0), "melee": False}


@pytest.mark.rule("ARMY.10", "ARMY.10.oath-of-moment")
def test_the_oath_is_sworn_anew_in_every_command_phase() -> None:
    stands = [ours(keywords=MARINES, weapons=(GUN,)), theirs(), theirs("others", [(40.0, 30.0)])]
    game = battle(stands, COMMAND, "players.end-of-turn", COMMAND)
    answered(game, oath="others")
    oaths = [(e.key, e.value) for e in game.events if isinstance(e, ev.Marked) and e.cause == OATH]
    assert oaths == [("oath", "others"), ("oath", None), ("oath", "others")]
    query = game.query
    assert query.number("attack.reroll-hit", 0, **attack(game, at="others")).value == 2
    assert query.number("attack.reroll-hit", 0, **attack(game)).value == 0
    assert query.number("attack.wound-modifier", 0, **attack(game, at="others")).value == 1
    assert query.number("attack.wound-modifier", 0, **attack(game)).value == 0


@pytest.mark.rule("ARMY.10", "ARMY.10.oath-of-moment")
def test_an_enemy_in_reserves_may_be_sworn_against() -> None:
    stands = [ours(keywords=MARINES), theirs(), theirs("late", where="reserves")]
    asked = answered(battle(stands, COMMAND), oath="late")
    assert asked[OATH] == [["theirs", "late"]]


@pytest.mark.rule("ARMY.10", "ARMY.10.oath-of-moment")
@pytest.mark.parametrize(
    ("keywords", "detachment", "rolls", "wounds"),
    [
        (MARINES, "Gladius Task Force", 2, 1),
        (MARINES, "gladius task force ", 2, 1),
        (MARINES, "Vanguard Spearhead", 2, 1),
        (MARINES, "Librarius Conclave", 2, 0),
        ((*MARINES, "DARK ANGELS"), "Gladius Task Force", 2, 0),
        (("INFANTRY",), "Gladius Task Force", 0, 0),
    ],
)
def test_who_wounds_better_by_the_oath(
    keywords: tuple[str, ...], detachment: str, rolls: int, wounds: int
) -> None:
    """Only in the detachments of every Chapter, and not beside the Chapters that have their own."""
    game = battle([ours(keywords=keywords, weapons=(GUN,)), theirs()], COMMAND, detachment=detachment)
    answered(game, oath="theirs")
    assert game.query.number("attack.reroll-hit", 0, **attack(game)).value == rolls
    assert game.query.number("attack.wound-modifier", 0, **attack(game)).value == wounds


@pytest.mark.rule("ARMY.10", "ARMY.10.oath-of-moment")
def test_an_oath_is_its_own_player_s_only() -> None:
    stands = [
        ours("a", [(20.0, 10.0)], keywords=MARINES, weapons=(GUN,)),
        ours("b", [(40.0, 10.0)], keywords=MARINES, weapons=(GUN,), player="p2"),
        theirs("x", [(20.0, 30.0)]),
        theirs("y", [(40.0, 30.0)]),
    ]
    game = battle(stands, COMMAND, players=("p1", "p2"))
    foes = iter(("x", "y"))
    while game.pending is not None:
        request = game.pending
        assert isinstance(request, Choose)
        game.submit(Chosen(ids=(next(foes),) if request.rule == OATH else ()), request.seats[0])
    rolls = {
        (by, at): game.query.number("attack.reroll-hit", 0, **attack(game, by, at)).value
        for by in "ab"
        for at in "xy"
    }
    assert rolls == {("a", "x"): 2, ("a", "y"): 0, ("b", "x"): 0, ("b", "y"): 2}


@pytest.mark.rule("ARMY.10", "ARMY.10.combat-doctrines")
def test_each_doctrine_is_chosen_once_a_battle() -> None:
    game = battle(
        [ours(keywords=MARINES), theirs()],
        *[COMMAND, "players.end-of-turn"] * 3,
        COMMAND,
    )
    agents = {"horde": agent("horde"), "p1": agent("steady")}
    views = {seat: View(game, seat) for seat in agents}
    offered = []
    while game.pending is not None:
        request = game.pending
        if isinstance(request, Choose) and request.rule == DOCTRINES:
            offered.append([option.id for option in request.options])
            game.submit(Chosen(ids=(request.options[-1].id,)))
        else:
            step(game, agents, views)
    assert offered == [["devastator", "tactical", "assault"], ["devastator", "tactical"], ["devastator"]]


@pytest.mark.rule("ARMY.10", "ARMY.10.combat-doctrines")
def test_a_doctrine_ends_as_the_next_command_phase_begins() -> None:
    game = battle([ours(keywords=MARINES), theirs()], COMMAND, "players.movement", COMMAND)
    agents = {"horde": agent("horde"), "p1": agent("steady")}
    views = {seat: View(game, seat) for seat in agents}
    may = []
    answers = iter((("devastator",), ()))
    while game.pending is not None:
        request = game.pending
        if isinstance(request, Choose) and request.rule == DOCTRINES:
            game.submit(Chosen(ids=next(answers)))
            may.append(game.query.may("shoot-after-advance", unit=game.state.position.units["ours"]))
        else:
            step(game, agents, views)
    assert may == [True, False]


@pytest.mark.rule("ARMY.10", "ARMY.10.adaptive-strategy")
def test_a_doctrine_of_its_own_ends_as_the_next_command_phase_begins() -> None:
    stands = [ours(keywords=MARINES, marks=(("doctrine", "assault"),)), theirs()]
    game = battle(stands, COMMAND)
    assert game.query.may("charge-after-advance", unit=game.state.position.units["ours"])
    answered(game)
    assert "doctrine" not in game.state.position.units["ours"].marks


@pytest.mark.rule("ARMY.10")
def test_the_stratagems_of_a_detachment_are_offered_to_who_fields_it() -> None:
    stands = [ours(keywords=MARINES), theirs(weapons=(GUN,))]
    for detachment, offered in (("Gladius Task Force", 1), ("Vanguard Spearhead", 0)):
        game = battle(stands, "horde.shooting", detachment=detachment, dice={"hit": [1]})
        asked = offering.clauses(offering.answered(game, offering.never))
        assert asked.count("ARMY.10.armour-of-contempt") == offered


@pytest.mark.rule("ARMY.10")
@pytest.mark.parametrize(
    ("detachment", "told"),
    [
        ("Gladius Task Force", []),
        ("Anvil Siege Force", ["detachment Anvil Siege Force"]),
        ("Stormlance Task Force", ["detachment Stormlance Task Force"]),
    ],
)
def test_a_detachment_that_is_not_simulated_is_told_and_no_fault(detachment: str, told: list[str]) -> None:
    library = Library()
    army = structs.replace(library.army("space-marines-1000"), detachment=detachment)
    game = new_game(Options((army,), ("death-guard",), seed=1), library)
    named = [e.rule for e in game.events if isinstance(e, ev.Unmodelled) and e.cause == "ARMY.10"]
    assert named == told
    assert {OATH} <= {game.rulebook.rule(name).clause for name in game.state.players["p1"].facts.rules}


@pytest.mark.rule("ARMY.10")
def test_an_army_rule_that_is_not_simulated_is_told() -> None:
    stands = [ours(), theirs()]
    game = offering.battle(stands, "setup.armies", player_faction="tyranids", detachment="Invasion Fleet")
    named = [e.rule for e in game.events if isinstance(e, ev.Unmodelled)]
    assert named == ["army rule of Tyranids", "detachment Invasion Fleet"]


@pytest.mark.rule("ARMY.10", "PLAY.6")
def test_the_horde_has_no_army_rule() -> None:
    stands = [ours(keywords=MARINES), replace(theirs(), keywords=MARINES, weapons=(GUN,))]
    game = battle(stands, "horde.command", "horde.end-of-turn", COMMAND)
    asked = answered(game, oath="theirs", doctrine="devastator")
    assert len(asked[OATH]) == 1
    assert game.query.number("attack.reroll-hit", 0, **attack(game, "theirs", "ours")).value == 0
    assert not game.query.may("shoot-after-advance", unit=game.state.position.units["theirs"])


DEATH = "ARMY.10.only-in-death-does-duty-end"
STRONG = WeaponFacts(name="claw", attacks="1", skill=3, strength=8, ap=-6, damage="1")
FAST = WeaponFacts(name="tooth", attacks="1", skill=3, strength=8, ap=-6, damage="1")
WEAK = WeaponFacts(name="knife", attacks="1", skill=3, strength=4, damage="1")


def fallen(at: list[tuple[float, float]], dice: dict[str, list[int]], **more: Any) -> Game:
    """Return a fight in which two of the Horde's models strike first.

    The marines that they strike may strike back.
    """
    foes = theirs(
        at=[(29.3, 11.6), (30.7, 11.6)],
        weapons=(STRONG, FAST),
        weapons_of=((0,), (1,)),
        marks=(("charged", True),),
    )
    stands = [ours(at=at, keywords=MARINES, weapons=(WEAK,), **more), foes]
    game = battle(stands, "horde.fight.first", "horde.fight.remaining", dice=dice)
    offering.answered(game, offering.only(DEATH))
    return game


@pytest.mark.rule("ARMY.10", "ARMY.10.only-in-death-does-duty-end")
def test_at_those_who_have_fallen_nothing_more_is_rolled() -> None:
    """The claw kills the only model; the tooth strikes nobody; the fallen model strikes back."""
    dice = {"hit": [3, 3], "wound": [2, 4], "save": [1, 1]}
    game = fallen([(30.0, 10.2)], dice)
    assert [(e.unit, e.weapon) for e in game.events if isinstance(e, ev.Attacked)] == [
        ("theirs", "claw"),
        ("ours", "knife"),
    ]
    lost = [(e.unit, e.by, e.credit) for e in game.events if isinstance(e, ev.Destroyed)]
    assert lost == [("theirs", "ours", "p1"), ("ours", "theirs", "")]
    assert game.state.position.units["ours"].where == "destroyed"


@pytest.mark.rule("ARMY.10", "ARMY.10.only-in-death-does-duty-end")
def test_only_the_fallen_strike_before_their_unit_fights() -> None:
    """One of two falls and strikes; the other fights when its unit is picked, and once."""
    dice = {"hit": [3, 1, 1, 1], "wound": [2], "save": [1]}
    game = fallen([(29.3, 10.2), (30.7, 10.2)], dice)
    strikes = [[shot.model for shot in e.shots] for e in game.events if isinstance(e, ev.Targeted)]
    kept = next(e for e in game.events if isinstance(e, ev.Marked) and e.key.startswith("fallen:"))
    first = int(kept.key.removeprefix("fallen:"))
    assert strikes[1:] == [[first], [1 - first]]


@pytest.mark.rule("ARMY.10", "ARMY.10.only-in-death-does-duty-end")
def test_who_has_fallen_takes_no_further_wound() -> None:
    dice = {"hit": [3, 3, 1, 1], "wound": [2, 2], "save": [1, 1]}
    game = fallen([(29.3, 10.2), (30.7, 10.2)], dice)
    # Which model takes the second wound is not asked.
    assert [line.decision for line in game.answers].count("allocation") == 1
    assert sorted(e.model for e in game.events if isinstance(e, ev.Damaged)) == [0, 1]


def offered(game: Game, clause: str) -> int:
    """Return how often a Stratagem was offered, none being used."""
    return int(offering.clauses(offering.answered(game, offering.never)).count(clause))


@pytest.mark.rule("ARMY.10", "ARMY.10.squad-tactics")
@pytest.mark.parametrize(
    ("keywords", "gap", "times"),
    [
        (MARINES, 10.9, 1),
        (MARINES, 11.1, 0),
        (("MOUNTED", "ADEPTUS ASTARTES"), 10.9, 1),
        (("VEHICLE", "ADEPTUS ASTARTES"), 10.9, 0),
        (("INFANTRY",), 10.9, 0),
    ],
)
def test_who_may_move_as_an_enemy_has_moved(keywords: tuple[str, ...], gap: float, times: int) -> None:
    """The enemy comes 2 inches nearer: within 9 of the unit, or not."""
    at = [(30.0, 30.0 - gap - 32 / 25.4)]
    stands = [ours(at=at, keywords=keywords), theirs(characteristics=(("M", 1),))]
    game = battle(stands, "horde.movement", dice={"advance": [1]})
    assert offered(game, "ARMY.10.squad-tactics") == times


@pytest.mark.rule("ARMY.10", "ARMY.10.honour-the-chapter")
@pytest.mark.parametrize(("marks", "times"), [({}, 0), ({"charged": True}, 1), ({"doctrine": "assault"}, 1)])
def test_lance_is_offered_to_who_has_use_for_it(marks: dict[str, Any], times: int) -> None:
    blade = ours(at=[(30.0, 10.2)], keywords=MARINES, weapons=(WEAK,), marks=tuple(marks.items()))
    game = battle([blade, theirs(at=[(30.0, 11.6)])], "players.fight.remaining", dice={"hit": [1]})
    if marks.get("charged"):
        game = battle([blade, theirs(at=[(30.0, 11.6)])], "players.fight.first", dice={"hit": [1]})
    assert offered(game, "ARMY.10.honour-the-chapter") == times


@pytest.mark.rule("ARMY.10", "ARMY.10.only-in-death-does-duty-end")
@pytest.mark.parametrize(("marks", "times"), [((), 1), ((("fought", True),), 0)])
def test_only_who_has_not_fought_may_strike_as_it_falls(marks: tuple[Any, ...], times: int) -> None:
    foe = theirs(at=[(30.0, 11.6)], weapons=(STRONG,), marks=(("charged", True),))
    stands = [ours(at=[(30.0, 10.2)], keywords=MARINES, weapons=(WEAK,), marks=marks), foe]
    game = battle(stands, "horde.fight.first", dice={"hit": [1]})
    assert offered(game, "ARMY.10.only-in-death-does-duty-end") == times


@pytest.mark.rule("PLAY.6")
@pytest.mark.parametrize(("side", "missed"), [("players", ("Synapse", "Lash")), ("horde", ("Lash",))])
def test_the_horde_misses_no_army_rule(side: Side, missed: tuple[str, ...]) -> None:
    part = horde_part(Library(), "tyranids/lictor", 1)
    abilities = (Ability(name="Synapse", kind="faction"), Ability(name="Lash", kind="wargear"))
    part = structs.replace(part, sheet=structs.replace(part.sheet, abilities=abilities))
    facts = muster("lictor", (part,), side=side, player="p1", first_row=0)
    assert facts.parts[0].unmodelled == missed
