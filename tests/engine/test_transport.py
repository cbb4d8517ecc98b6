"""Transports: getting in and out, the passengers of a wreck, and fire from the deck."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin, tau
from typing import Any

import pytest
from msgspec.structs import replace

from engine.audit.referee.reading import read
from engine.core import event as ev
from engine.core.facts import SlotFacts, TransportFacts, WeaponFacts
from engine.core.game import Game, IllegalAnswer
from engine.core.request import Moves, Place, Places, Split, Splits, Steps
from engine.core.ruleset import Step
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.w40k.attack.damage import destroy_unit
from engine.w40k.phase import charge, movement, shooting

Play = Callable[..., Game]
Make = Callable[..., Any]
R = 16 / 25.4
HULL = 2.0
"""The radius of the transport's base: 4 inches across."""
MOVE = Step("move", "movement", movement.movement, "players")
SHOOT = Step("shoot", "shooting", shooting.shooting, "players")
CHARGE = Step("charge", "charge", charge.charge, "players")
BOX = TransportFacts(capacity=6, allows="Adeptus Astartes Infantry", excludes=("Jump Pack",))
BESIDE = {1: (30.0, 20.0 + HULL + R, 0.0, 0.0), 2: (31.5, 20.0 + HULL + R, 0.0, 0.0)}


def box(marines: Make, **more: Any) -> Any:
    """Return a transport in the middle of the board."""
    given = {
        "mm": 2 * HULL * 25.4,
        "keywords": ("VEHICLE", "TRANSPORT"),
        "transport": BOX,
        "at": ((30.0, 20.0),),
    }
    return marines("box", **{**given, **more})


def squad(marines: Make, **more: Any) -> Any:
    """Return a unit of two that rides in it."""
    return marines("squad", **{"at": ((0.0, 0.0), (0.0, 0.0)), "embarked_in": "box", **more})


def turns(**by: Any) -> Callable[[Game], Any]:
    """Return the answer of the unit that is asked."""
    return lambda game: by[game.pending.unit]  # type: ignore[union-attr]


def in_order(*units: str) -> Callable[[Game], Any]:
    """Return each of the units once they are offered, in this order, and then that it is done."""
    left = list(units)
    return lambda game: left.pop(0) if left else "done"


def marked(game: Game, key: str, unit: str = "squad") -> list[Any]:
    """Return the values that a mark of the unit was given, one after another."""
    found = [e for e in game.events if isinstance(e, ev.Marked) and e.on == f"unit:{unit}" and e.key == key]
    return [event.value for event in found]


def may_charge(found: list[bool]) -> Step:
    """Return a step of the players' turn that notes whether the unit may declare a charge."""

    def note(game: Game) -> Steps[bool]:
        found.append(bool(charge.targets(game, game.state.position.units["squad"])))
        return False
        yield

    return Step("note", "charge", note, "players")


def agrees(game: Game) -> bool:
    """Return whether the referee finds nothing wrong with the log."""
    return not read(game.events, HORDE_1_1, game.rulebook).disagreements


@pytest.mark.rule("CORE.TRN.2")
@pytest.mark.parametrize(("edge", "legal"), [(3.0, True), (3.0001, False)])
def test_they_get_out_wholly_within_three_inches(play: Play, marines: Make, edge: float, legal: bool) -> None:
    poses = {**BESIDE, 1: (30.0, 20.0 + HULL + edge - R, 0.0, 0.0)}

    def battle() -> Game:
        return play(
            [box(marines), squad(marines)],
            MOVE,
            answers={
                "next-unit": in_order("box"),
                "disembark": Places(poses=poses),
                "move": "remain-stationary",
            },
        )

    if legal:
        game = battle()
        assert game.state.position.units["squad"].where == "table"
        assert agrees(game)
    else:
        with pytest.raises(IllegalAnswer, match="wholly within 3"):
            battle()


@pytest.mark.rule("CORE.TRN.2", "CORE.ER.1")
def test_nobody_gets_out_within_engagement_range(play: Play, marines: Make, foes: Make) -> None:
    near = foes(at=((30.0, 20.0 + HULL + 2 * R + R + 1.0),))
    with pytest.raises(IllegalAnswer, match="too near"):
        play(
            [box(marines), squad(marines), near],
            MOVE,
            answers={
                "next-unit": in_order("box"),
                "disembark": Places(poses=BESIDE),
            },
        )


@pytest.mark.rule("CORE.TRN.2")
@pytest.mark.parametrize("kind", ["normal-move", "advance", "remain-stationary"])
def test_who_gets_out_before_it_moves_acts_freely_but_has_moved(play: Play, marines: Make, kind: str) -> None:
    game = play(
        [box(marines), squad(marines)],
        MOVE,
        answers={
            "next-unit": in_order("box", "squad"),
            "disembark": Places(poses=BESIDE),
            "move": turns(box="remain-stationary", squad=kind),
            "path": Moves(),
            "embark": "stay-out",
        },
    )
    assert marked(game, "moved")[-1] == ("advance" if kind == "advance" else "normal")


@pytest.mark.rule("CORE.TRN.2", "CORE.CHG.1")
@pytest.mark.parametrize(
    ("kind", "asked", "charges"), [("normal-move", 2, False), ("advance", 1, None), ("fly", 1, True)]
)
def test_after_a_normal_move_they_get_out_but_neither_move_nor_charge(
    play: Play, marines: Make, foes: Make, kind: str, asked: int, charges: bool | None
) -> None:
    """Nobody gets out after an Advance; a unit that got out before the move may charge."""
    seen: list[str] = []
    able: list[bool] = []

    def out(game: Game) -> Places:
        seen.append(game.pending.prompt)  # type: ignore[union-attr]
        late = len(seen) == 2 or kind == "fly"
        return Places(poses=BESIDE) if late else Places()

    game = play(
        [box(marines), squad(marines), foes(at=((30.0, 32.0),))],
        MOVE,
        may_charge(able),
        answers={
            "next-unit": in_order("box", "done"),
            "disembark": out,
            "move": turns(box="advance" if kind == "advance" else "normal-move"),
            "path": Moves(),
            "embark": "stay-out",
        },
    )
    unit = game.state.position.units["squad"]
    assert len(seen) == asked
    assert (unit.where == "table") is (charges is not None)
    if charges is not None:
        assert able == [charges]
        assert bool(marked(game, "selected:movement")) is not charges


@pytest.mark.rule("CORE.TRN.1")
@pytest.mark.parametrize(
    ("far", "words", "count", "boards"),
    [
        (3.0, (), 2, True),
        (3.0001, (), 2, False),
        (3.0, ("JUMP PACK",), 2, False),
        (3.0, ("TERMINATOR",), 4, False),
        (3.0, ("TERMINATOR",), 3, True),
    ],
)
def test_a_unit_embarks_where_all_of_it_is_near_and_has_room(
    play: Play, marines: Make, far: float, words: tuple[str, ...], count: int, boards: bool
) -> None:
    hold = TransportFacts(
        capacity=6,
        allows="Adeptus Astartes Infantry",
        excludes=("Jump Pack",),
        slots=(SlotFacts(keyword="Terminator", models=2),),
    )
    first = (30.0, 20.0 - HULL - R - far)
    turns = (0.6 * i - pi / 2 for i in range(1, count))
    away = HULL + R + 1.2
    at = (first, *((30.0 + away * cos(turn), 20.0 + away * sin(turn)) for turn in turns))
    offered: list[str] = []

    def aboard(game: Game) -> str:
        offered.extend(option.id for option in game.pending.options)  # type: ignore[union-attr]
        return "box"

    walkers = marines("squad", at, keywords=("INFANTRY", "ADEPTUS ASTARTES", *words))
    game = play(
        [box(marines, transport=hold), walkers],
        MOVE,
        answers={"next-unit": in_order("squad"), "move": "normal-move", "path": Moves(), "embark": aboard},
    )
    assert (game.state.position.units["squad"].where == "embarked") is boards
    assert offered == (["stay-out", "box"] if boards else [])


@pytest.mark.rule("CORE.TRN.1")
def test_who_got_out_does_not_get_in_again_in_the_same_phase(play: Play, marines: Make) -> None:
    game = play(
        [box(marines), squad(marines)],
        MOVE,
        answers={
            "next-unit": in_order("box", "squad"),
            "disembark": Places(poses=BESIDE),
            "move": turns(box="remain-stationary", squad="normal-move"),
            "path": Moves(),
        },
    )
    assert game.state.position.units["squad"].where == "table"


def wreck(game: Game) -> Steps[bool]:
    """Destroy the transport."""
    unit = game.state.position.units["box"]
    if unit.where == "destroyed":
        return False
    yield from destroy_unit(game, unit, cause="TEST")
    return True


WRECK = Step("wreck", "shooting", wreck, "horde")


@pytest.mark.rule("CORE.TRN.3")
def test_they_get_out_of_a_wreck_hurt_on_ones_shocked_and_unable_to_charge(
    play: Play, marines: Make, foes: Make
) -> None:
    sturdy = squad(marines, characteristics=(("W", 2),))
    able: list[bool] = []
    game = play(
        [box(marines), sturdy, foes(at=((30.0, 32.0),))],
        replace(WRECK, turn="players"),
        may_charge(able),
        answers={"disembark": Places(poses=BESIDE)},
        dice={"wreck": [1, 2]},
    )
    unit = game.state.position.units["squad"]
    assert [game.state.position.models[row].wounds for row in unit.rows] == [1, 2]
    assert "battle-shocked" in unit.marks
    assert marked(game, "moved") == ["normal"]
    assert able == [False]
    assert agrees(game)


@pytest.mark.rule("CORE.TRN.3", "CORE.ABL.DD")
def test_those_inside_do_not_suffer_when_their_transport_explodes(play: Play, marines: Make) -> None:
    from engine.w40k.attack.damage import destroy_model

    def explode(game: Game) -> Steps[bool]:
        unit = game.state.position.units["box"]
        if unit.where == "destroyed":
            return False
        yield from destroy_model(game, unit, game.state.position.models[0], cause="TEST")
        return True

    game = play(
        [box(marines, abilities=("deadly demise 3",)), squad(marines)],
        Step("explode", "shooting", explode, "horde"),
        answers={"disembark": Places(poses=BESIDE)},
        dice={"deadly-demise": [6], "wreck": [6, 6]},
    )
    kinds = [event.kind for event in game.events]
    assert kinds.index("disembarked") > kinds.index("rolled")
    assert not [event for event in game.events if isinstance(event, ev.Damaged)]
    assert len(game.state.position.units["squad"].rows) == 2


def crowd(foes: Make, radius: float, count: int) -> Any:
    """Return enemies in a ring about the transport."""
    spots = tuple(
        (30.0 + radius * cos(tau * i / count), 20.0 + radius * sin(tau * i / count)) for i in range(count)
    )
    return foes(at=spots)


@pytest.mark.rule("CORE.TRN.4")
def test_where_they_do_not_fit_they_get_out_farther_off_and_suffer_on_three(
    play: Play, marines: Make, foes: Make
) -> None:
    """Enemies stand all round the transport, 0.2 inches away.

    No base has room within 3 inches of the transport and more than 1 inch from them.
    """
    asked: list[Place] = []

    def out(game: Game) -> Places:
        asked.append(game.pending)  # type: ignore[arg-type]
        return Places(poses={1: (30.0, 20.0, 0.0, 0.0)})

    # Once the wreck is gone there is room in its middle, so one of the two fits there; the other is lost.
    game = play(
        [box(marines), squad(marines, characteristics=(("W", 3),)), crowd(foes, HULL + R + 0.2, 12)],
        WRECK,
        answers={"disembark": out},
        dice={"wreck": [3]},
    )
    unit = game.state.position.units["squad"]
    assert [request.kind for request in asked] == ["emergency"]
    assert unit.rows == (1,)
    assert game.state.position.models[1].wounds == 2
    assert [e.cause for e in game.events if isinstance(e, ev.Destroyed) and e.unit == "squad"] == [
        "CORE.TRN.4"
    ]
    assert agrees(game)


FAR = {1: (30.0, 20.0 + HULL + 4.0, 0.0, 0.0), 2: (31.5, 20.0 + HULL + 4.0, 0.0, 0.0)}
"""Places of two wholly within 6 inches of the wreck, not within 3."""


@pytest.mark.rule("CORE.TRN.3")
def test_nobody_gets_out_farther_off_where_all_fit_near_the_wreck(play: Play, marines: Make) -> None:
    one = (30.0, 20.0 + HULL + 2.3, 0.0, 0.0)
    for poses in (FAR, {1: one, 2: (30.0, 20.0 + HULL + 3.9, 0.0, 0.0)}, {1: one}):
        with pytest.raises(IllegalAnswer, match="could be set up"):
            play([box(marines), squad(marines)], WRECK, answers={"disembark": Places(poses=poses)})


@pytest.mark.rule("CORE.TRN.3", "CORE.TRN.4")
def test_where_one_finds_no_spot_near_the_wreck_all_may_get_out_farther_off(
    play: Play, marines: Make, foes: Make
) -> None:
    """The enemies leave room near the wreck for only one of the two models.

    So both may get out beyond the enemies; each loses a wound on a roll of 1 to 3.
    """
    game = play(
        [box(marines), squad(marines, characteristics=(("W", 3),)), crowd(foes, HULL + R + 0.2, 12)],
        WRECK,
        answers={"disembark": Places(poses=FAR)},
        dice={"wreck": [3, 4]},
    )
    assert game.state.position.units["squad"].rows == (1, 2)
    assert [game.state.position.models[row].wounds for row in (1, 2)] == [2, 3]


@pytest.mark.rule("CORE.TRN.4")
def test_who_rides_in_a_transport_destroyed_in_reserves_dies_with_it(play: Play, marines: Make) -> None:
    game = play([box(marines, where="reserves"), squad(marines)], WRECK)
    assert game.state.position.units["squad"].where == "destroyed"


@pytest.mark.rule("CORE.TRN.6")
def test_who_rides_is_nowhere_on_the_battlefield(play: Play, marines: Make, foes: Make) -> None:
    game = play([box(marines), squad(marines), foes(at=((30.0, 30.0),))])
    enemy = game.state.position.units["foes"]
    assert [unit.id for unit in game.field.enemies(enemy)] == ["box"]
    assert {target for line in shooting.lines(game, enemy) for target in line.targets} == {"box"}


LONG = WeaponFacts(name="long gun", range=24.0, attacks="1", skill=3, strength=9, ap=-3, damage="3")
SHORT = WeaponFacts(name="short gun", range=6.0, attacks="1", skill=3)
NOTHING: tuple[WeaponFacts, ...] = ()


def fire_all(game: Game) -> Splits:
    """Fire every line that is offered, one of a group."""
    request = game.pending
    assert isinstance(request, Split)
    groups = {line.group: line for line in request.lines}
    shots = tuple(ev.Shot(model=li.model, weapon=li.weapon, target=li.targets[0]) for li in groups.values())
    return Splits(shots=shots)


@pytest.mark.rule("CORE.TRN.5")
@pytest.mark.parametrize(("deck", "asked"), [(1, True), (2, False), (6, False)])
def test_as_many_fire_from_the_deck_as_it_holds(
    play: Play, marines: Make, foes: Make, deck: int, asked: bool
) -> None:
    chosen: list[int] = []

    def crew(game: Game) -> tuple[str, ...]:
        chosen.append(game.pending.maximum)  # type: ignore[union-attr]
        return ("2",)

    game = play(
        [
            box(marines, abilities=(f"firing deck {deck}",), weapons=NOTHING),
            squad(marines, weapons=(LONG, SHORT)),
            foes(at=((30.0, 35.0),), characteristics=(("W", 9),)),
        ],
        SHOOT,
        answers={"next-unit": in_order("box"), "firing-deck": crew, "shoot": fire_all},
        dice={"hit": [4, 4], "wound": [4, 4], "save": [1, 1]},
    )
    fired = [event for event in game.events if isinstance(event, ev.Attacked)]
    assert chosen == ([1] if asked else [])
    assert [(event.unit, event.weapon, event.attacks) for event in fired] == [
        ("box", "long gun", min(deck, 2))
    ]
    assert marked(game, "shot") == [True]


@pytest.mark.rule("CORE.TRN.5")
def test_each_fires_one_weapon_from_the_deck(play: Play, marines: Make, foes: Make) -> None:
    game = play(
        [
            box(marines, abilities=("firing deck 6",), weapons=NOTHING),
            squad(marines, weapons=(LONG, LONG, SHORT)),
            foes(at=((30.0, 25.0),)),
        ],
    )
    lines = shooting.lines(game, game.state.position.units["box"])
    assert len({line.group for line in lines}) == 2
    assert len({line.weapon for line in lines}) == len(lines) == 6
    assert {game.state.position.units["box"].weapon(line.weapon).name for line in lines} == {
        "long gun",
        "short gun",
    }


@pytest.mark.rule("CORE.TRN.5")
def test_without_a_deck_nobody_fires_from_inside(play: Play, marines: Make, foes: Make) -> None:
    game = play([box(marines, weapons=NOTHING), squad(marines), foes(at=((30.0, 25.0),))])
    assert shooting.lines(game, game.state.position.units["box"]) == ()


@pytest.mark.rule("CORE.TRN.5")
def test_two_on_the_deck_may_fire_different_weapons(play: Play, marines: Make, foes: Make) -> None:
    def fire(game: Game) -> Splits:
        request = game.pending
        assert isinstance(request, Split)
        by_group: dict[str, list[Any]] = {}
        for line in request.lines:
            by_group.setdefault(line.group, []).append(line)
        first, second = by_group.values()
        lines = (first[0], second[1])
        shots = tuple(ev.Shot(model=li.model, weapon=li.weapon, target=li.targets[0]) for li in lines)
        return Splits(shots=shots)

    game = play(
        [
            box(marines, abilities=("firing deck 6",), weapons=NOTHING),
            squad(marines, weapons=(LONG, SHORT)),
            foes(at=((30.0, 25.0),), characteristics=(("W", 9),)),
        ],
        SHOOT,
        answers={"next-unit": in_order("box"), "shoot": fire},
    )
    fired = [event.weapon for event in game.events if isinstance(event, ev.Attacked)]
    assert fired == ["long gun", "short gun"]
