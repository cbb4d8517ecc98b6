"""AIRCRAFT above other units: moving past, fighting, and being the closest enemy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.core.event import Moved
from engine.core.facts import BoardFacts, ObjectiveFacts
from engine.core.game import Game, IllegalAnswer
from engine.core.request import Choose, Moves, Splits
from engine.core.ruleset import Step
from engine.w40k.phase import charge, fight, movement

Play = Callable[..., Game]
Make = Callable[..., Any]
JET = ("VEHICLE", "AIRCRAFT", "FLY")
WALKS, FLIES = ("INFANTRY",), ("INFANTRY", "FLY")
R32 = 32 / 25.4
MOVE = Step("players.movement", "movement", movement.movement, "players")
FIGHT = Step("rest", "fight", fight.remaining_combats, "players")
FIRST = {"next-unit": lambda game: (game.pending.options[0].id,)}


def moved(play: Play, stands: list[Any], kind: str, x: float, y: float, **more: Any) -> Game:
    """Return the battle after one model's move to a place, of a kind that it has to be offered."""
    answers = {**FIRST, "move": kind, "path": Moves(paths={0: ((x, y),)}), "desperate-escape": ()}
    return play(stands, MOVE, answers=answers, board=BoardFacts(), **more)


@pytest.mark.rule("CORE.AIR.3")
@pytest.mark.parametrize(
    ("keywords", "end", "legal"),
    [
        (JET, 14.0, True),
        (JET, 13.9, True),
        (JET, 10.0 + R32 + 1.0, False),
        (JET, 10.0 + R32 + 1.001, True),
        (JET, 10.0 - R32 - 1.0, False),
        (("VEHICLE", "FLY"), 14.0, False),
    ],
)
def test_others_move_through_aircraft_but_do_not_end_near_it(
    play: Play, marines: Make, foes: Make, keywords: tuple[str, ...], end: float, legal: bool
) -> None:
    """The jet stands at 10, straight in the way from 8.7 on, 0.04 inches from base to base."""
    stands = [
        marines(at=[(7.5, 20.0)], characteristics=(("M", 12),)),
        foes("jet", at=[(10.0, 20.0)], keywords=keywords),
    ]
    if legal:
        game = moved(play, stands, "normal-move", end, 20.0)
        assert game.state.position.table.xy[0].tolist() == [end, 20.0]
    else:
        with pytest.raises(IllegalAnswer, match=r"engagement range|too near|runs|comes"):
            moved(play, stands, "normal-move", end, 20.0)


@pytest.mark.rule("CORE.AIR.3")
def test_big_friends_pass_an_aircraft_of_their_own(play: Play, marines: Make) -> None:
    for keywords, legal in [(JET, True), (("VEHICLE",), False)]:
        stands = [
            marines(at=[(7.5, 20.0)], keywords=("VEHICLE",)),
            marines("jet", at=[(10.0, 20.0)], keywords=keywords, marks=(("selected:movement", True),)),
        ]
        if legal:
            moved(play, stands, "normal-move", 12.5, 20.0)
        else:
            with pytest.raises(IllegalAnswer):
                moved(play, stands, "normal-move", 12.5, 20.0)


@pytest.mark.rule("CORE.AIR.3", "CORE.MOVE.1")
def test_an_aircraft_overhead_holds_nobody(play: Play, marines: Make, foes: Make) -> None:
    """Within its range a unit may move on, as if it were in no combat; it may not end there."""
    offered: list[list[str]] = []

    def first(game: Game) -> str:
        assert isinstance(game.pending, Choose)
        offered.append([option.id for option in game.pending.options])
        return "normal-move" if "normal-move" in offered[-1] else "remain-stationary"

    for keywords in (JET, ("VEHICLE",)):
        stands = [marines(at=[(10.0, 20.0)]), foes("jet", at=[(12.0, 20.0)], keywords=keywords)]
        answers = {**FIRST, "move": first, "path": Moves(paths={0: ((8.0, 20.0),)})}
        play(stands, MOVE, answers=answers, board=BoardFacts())
    assert offered == [
        ["remain-stationary", "normal-move", "advance"],
        ["remain-stationary", "fall-back"],
    ]
    stands = [marines(at=[(10.0, 20.0)]), foes("jet", at=[(12.0, 20.0)], keywords=JET)]
    with pytest.raises(IllegalAnswer, match=r"engagement range|too near"):
        moved(play, stands, "normal-move", 10.2, 20.0)


@pytest.mark.rule("CORE.AIR.3", "CORE.MOVE.7")
def test_nobody_escapes_desperately_below_an_aircraft(play: Play, marines: Make, foes: Make) -> None:
    for keywords, rolled in [(JET, 0), (("VEHICLE",), 1)]:
        stands = [
            marines(at=[(10.0, 20.0)], characteristics=(("M", 12),)),
            foes("near", at=[(10.0, 21.5)]),
            foes("jet", at=[(13.0, 18.0)], keywords=keywords),
        ]
        game = moved(play, stands, "fall-back", 16.0, 16.0, dice={"desperate-escape": [6] * rolled})
        assert len([e for e in game.events if e.kind == "rolled"]) == rolled


@pytest.mark.rule("CORE.AIR.3", "CORE.CHG.5")
@pytest.mark.parametrize(("keywords", "targets"), [(WALKS, ["foot"]), (FLIES, ["foot", "jet"])])
def test_a_charge_ends_near_an_aircraft_only_if_it_is_the_target(
    play: Play, marines: Make, foes: Make, keywords: tuple[str, ...], targets: list[str]
) -> None:
    """The jet is beside the only straight way.

    A walking model gets past it. Walking and flying models both stay off it, unless it is a target.
    """
    stands = [
        marines(at=[(10.0, 10.0)], keywords=keywords),
        foes("foot", at=[(10.0, 16.0)]),
        foes("jet", at=[(13.0, 16.0)], keywords=JET),
    ]

    def charged(chosen: tuple[str, ...], x: float, y: float) -> Game:
        answers = {**FIRST, "charge": chosen, "path": Moves(paths={0: ((x, y),)})}
        return play(
            stands,
            Step("charge", "charge", charge.charge, "players"),
            answers=answers,
            board=BoardFacts(),
            dice={"charge": [6, 6]},
        )

    game = play(stands, board=BoardFacts())
    assert [u.id for u in charge.targets(game, game.state.position.units["marines"])] == targets
    touching = 16.0 - R32
    assert charged(("foot",), 10.0, touching).state.position.table.xy[0].tolist() == [10.0, touching]
    # Between the two, in contact with the one and in range of the other.
    between = (10.0 + R32, 16.0)
    with pytest.raises(IllegalAnswer, match=r"engagement range|too near"):
        charged(("foot",), *between)
    if "jet" in targets:
        charged(("foot", "jet"), *between)


@pytest.mark.rule("CORE.AIR.4")
@pytest.mark.parametrize(
    ("ours", "theirs", "strike"),
    [
        (WALKS, WALKS, True),
        (WALKS, JET, False),
        (FLIES, JET, True),
        (JET, WALKS, False),
        (JET, FLIES, True),
        (JET, JET, True),
    ],
)
def test_only_who_flies_fights_aircraft(
    play: Play, marines: Make, foes: Make, ours: tuple[str, ...], theirs: tuple[str, ...], strike: bool
) -> None:
    stands = [
        marines(at=[(10.0, 20.0)], keywords=ours),
        foes(at=[(10.0, 21.5)], keywords=theirs),
    ]
    game = play(stands, board=BoardFacts())
    ours_now, theirs_now = game.state.position.units["marines"], game.state.position.units["foes"]
    for unit, other in ((ours_now, theirs_now), (theirs_now, ours_now)):
        assert fight._may_fight(game, unit, first=False) is strike
        assert [line.targets for line in fight.lines(game, unit)] == ([(other.id,)] if strike else [])


@pytest.mark.rule("CORE.AIR.4")
def test_of_two_enemies_only_the_one_on_the_ground_is_struck(play: Play, marines: Make, foes: Make) -> None:
    stands = [
        marines(at=[(10.0, 20.0)]),
        foes("jet", at=[(10.0, 21.5)], keywords=JET),
        foes("foot", at=[(10.0, 18.5)]),
    ]
    game = play(stands, board=BoardFacts())
    assert [line.targets for line in fight.lines(game, game.state.position.units["marines"])] == [("foot",)]


@pytest.mark.rule("CORE.AIR.2", "CORE.FGT.4")
def test_aircraft_neither_pile_in_nor_consolidate(play: Play, marines: Make, foes: Make) -> None:
    """Both may strike, but only the flyers are asked for moves."""
    asked: list[str] = []

    def none(game: Game) -> Moves:
        asked.append(game.pending.unit)
        return Moves()

    stands = [
        marines(at=[(10.0, 20.0)], keywords=FLIES, weapons=()),
        foes("jet", at=[(10.0, 21.5)], keywords=JET, weapons=()),
    ]
    play(stands, FIGHT, answers={**FIRST, "pile-in": none, "consolidate": none}, board=BoardFacts())
    assert asked == ["marines", "marines"]


@pytest.mark.rule("CORE.AIR.5", "CORE.FGT.4")
@pytest.mark.parametrize(
    ("keywords", "to", "legal"),
    [
        (WALKS, (10.0, 21.5), True),
        (FLIES, (10.0, 21.5), False),
        (FLIES, (10.0, 18.95), True),
    ],
)
def test_aircraft_are_the_closest_enemy_of_flyers_only(
    play: Play, marines: Make, foes: Make, keywords: tuple[str, ...], to: tuple[float, float], legal: bool
) -> None:
    """The jet is 1.05 inches from it on one side, the others 1.5 inches on the other."""
    stands = [
        marines(at=[(10.0, 20.0)], keywords=keywords, marks=(("charged", True),), weapons=()),
        foes("jet", at=[(10.0, 20.0 - R32 - 1.05)], keywords=JET),
        foes("foot", at=[(10.0, 20.0 + R32 + 1.5)]),
    ]
    answers = {**FIRST, "pile-in": Moves(paths={0: (to,)}), "consolidate": Moves(), "fight": Splits()}

    def pile_in() -> Game:
        return play(stands, FIGHT, answers=answers, board=BoardFacts())

    if legal:
        assert [e.unit for e in pile_in().events if isinstance(e, Moved)] == ["marines"]
    else:
        with pytest.raises(IllegalAnswer, match="closer"):
            pile_in()


@pytest.mark.rule("CORE.AIR.5", "CORE.FGT.7")
def test_who_is_below_aircraft_alone_may_consolidate_onto_a_marker(
    play: Play, marines: Make, foes: Make
) -> None:
    board = BoardFacts(objectives=(ObjectiveFacts(id="m", at=(10.0, 26.0)),))
    for keywords, legal in [(WALKS, True), (FLIES, False)]:
        stands = [
            marines(at=[(10.0, 20.0)], keywords=keywords, marks=(("charged", True),), weapons=()),
            foes("jet", at=[(10.0, 18.0)], keywords=JET),
        ]
        up = Moves(paths={0: ((10.0, 22.5),)})
        answers = {**FIRST, "pile-in": Moves(), "consolidate": up, "fight": Splits()}

        def consolidate(stands: list[Any] = stands, answers: dict[str, Any] = answers) -> Game:
            return play(stands, FIGHT, answers=answers, board=board)

        if legal:
            assert [e.kind_of_move for e in consolidate().events if isinstance(e, Moved)] == ["consolidate"]
        else:
            with pytest.raises(IllegalAnswer, match="toward the closest enemy"):
                consolidate()
