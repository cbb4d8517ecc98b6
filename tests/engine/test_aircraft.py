"""AIRCRAFT: how they come, fly and hover; who passes them, fights them, and whose closest enemy they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.event import Moved
from engine.facts import BoardFacts, ObjectiveFacts
from engine.game import Game, IllegalAnswer
from engine.request import Choose, Chosen, Moves, Places, Said, Splits
from engine.ruleset import Step, Steps
from engine.steps import charge, closing, deploy, fight, movement, objective, reserves, spawn

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
        assert game.state.table.xy[0].tolist() == [end, 20.0]
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
    """The jet is beside the only straight way; who walks gets past it, and both have to stay off it."""
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
    assert [u.id for u in charge.targets(game, game.state.units["marines"])] == targets
    touching = 16.0 - R32
    assert charged(("foot",), 10.0, touching).state.table.xy[0].tolist() == [10.0, touching]
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
    ours_now, theirs_now = game.state.units["marines"], game.state.units["foes"]
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
    assert [line.targets for line in fight.lines(game, game.state.units["marines"])] == [("foot",)]


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


# how AIRCRAFT move


def flown(
    play: Play, stand: Any, *legs: tuple[float, ...], others: tuple[Any, ...] = (), **more: Any
) -> Game:
    """Return the battle after a jet's flight along these legs; it stands facing along x."""
    answers = {**FIRST, "move": "normal-move", "path": Moves(paths={0: legs} if legs else {}, **more)}
    return play([stand, *others], MOVE, answers=answers, board=BoardFacts())


@pytest.mark.rule("CORE.AIR.2")
@pytest.mark.parametrize(
    ("legs", "fault"),
    [
        (((30.0, 20.0),), ""),
        (((29.99, 20.0),), "less than 20"),
        (((30.0, 20.0), (30.0, 20.0, 90.0, 0.0)), ""),
        (((30.0, 20.0), (30.0, 20.0, -90.0, 0.0)), ""),
        (((30.0, 20.0), (30.0, 20.0, 90.1, 0.0)), "more than 90"),
        (((30.0, 20.0), (30.0, 20.0, 180.0, 0.0)), "more than 90"),
        (((59.3, 20.0),), ""),
        (((30.0, 20.01),), "straight"),
        (((10.0, 40.0),), "straight"),
        (((59.5, 20.0),), "off the board"),
        (((20.0, 20.0), (40.0, 20.0)), "turns once at the end"),
        (((10.0, 20.0, 90.0, 0.0), (10.0, 40.0)), "turns once at the end"),
        (((30.0, 20.0), (30.0, 20.0, 45.0, 0.0), (30.0, 20.0, 90.0, 0.0)), "turns once at the end"),
    ],
)
def test_aircraft_fly_twenty_inches_straight_on_and_then_turn(
    play: Play, marines: Make, judged: Any, legs: tuple[tuple[float, ...], ...], fault: str
) -> None:
    """The referee agrees, but for what is over the edge at the end: that it tells as such."""
    jet = marines("jet", at=[(10.0, 20.0)], keywords=JET)
    end = legs[-1] if len(legs[-1]) == 4 else (*legs[-1], 0.0)
    event = Moved(unit="jet", kind_of_move="normal", poses={0: (*end[:2], 0.0, end[2])}, paths={0: legs})
    told = {each.check for each in judged([jet], event, board=BoardFacts()).disagreements}
    if not fault:
        game = flown(play, jet, *legs)
        assert tuple(game.state.table.xy[0]) == legs[-1][:2]
        assert game.state.table.facing[0] == end[2]
        assert not told
    else:
        with pytest.raises(IllegalAnswer, match=fault):
            flown(play, jet, *legs)
        assert told <= {"flight", "pivot", "board"}
        assert told


@pytest.mark.rule("CORE.AIR.2", "CORE.MOVE.9")
def test_aircraft_fly_over_everybody_and_end_near_nobody(play: Play, marines: Make, foes: Make) -> None:
    jet = marines("jet", at=[(10.0, 20.0)], keywords=JET)
    for x, legal in [(20.0, True), (29.0, False), (32.1, False), (33.0, True)]:
        below = (foes(at=[(x, 20.0)]),)
        if legal:
            flown(play, jet, (30.0, 20.0), others=below)
        else:
            with pytest.raises(IllegalAnswer, match=r"too near|on a model"):
                flown(play, jet, (30.0, 20.0), others=below)


@pytest.mark.rule("CORE.AIR.2")
def test_a_turn_beside_the_path_is_refused(play: Play, marines: Make) -> None:
    """A round base faces where its answer says, but not that of an aircraft."""
    jet = marines("jet", at=[(10.0, 20.0)], keywords=JET)
    with pytest.raises(IllegalAnswer, match="in the path of its flight alone"):
        flown(play, jet, (30.0, 20.0), facing={0: 180.0})


@pytest.mark.rule("CORE.AIR.2")
def test_aircraft_make_normal_moves_only_whoever_is_near(play: Play, marines: Make, foes: Make) -> None:
    offered: list[list[str]] = []

    def first(game: Game) -> str:
        offered.append([option.id for option in game.pending.options])
        return offered[-1][0]

    for at in ([(40.0, 40.0)], [(10.0, 21.5)]):
        flyers = foes(at=at, keywords=FLIES)
        stands = [marines("jet", at=[(10.0, 20.0)], keywords=JET), flyers]
        answers = {"next-unit": first, "move": first, "path": Moves(paths={0: ((30.0, 20.0),)})}
        play(stands, MOVE, answers=answers, board=BoardFacts())
    # Nor may the phase be ended before an aircraft has moved.
    assert offered == [["jet"], ["normal-move", "leave-board"]] * 2


@pytest.mark.rule("CORE.AIR.2", "CORE.MOVE.6")
def test_no_number_makes_an_aircraft_stay(play: Play, marines: Make) -> None:
    """Not even a Move of 0: it flies on."""
    jet = marines("jet", at=[(10.0, 20.0)], keywords=JET, characteristics=(("M", 0),))
    assert tuple(flown(play, jet, (30.0, 20.0)).state.table.xy[0]) == (30.0, 20.0)


@pytest.mark.rule("CORE.AIR.2", "CORE.RES.4")
@pytest.mark.parametrize("how", ["leave-board", "normal-move"])
def test_who_flies_off_the_board_is_back_in_the_next_round(play: Play, marines: Make, how: str) -> None:
    """Whether it wants to, or finds no place to end: it waits in Strategic Reserves, as long as it likes."""
    jet = marines("jet", at=[(10.0, 20.0)], keywords=JET)
    answers = {**FIRST, "move": how, "path": Moves(), "reinforce": "jet"}
    answers["arrive"] = Places(poses={0: (30.0, 3.0, 0.0, 90.0)})
    arrive = Step("arrive", "movement", reserves.reinforcements, "players")
    late = Step("late", "end-of-round", closing.late_reserves)
    game = play([jet], MOVE, arrive, late, answers=answers, board=BoardFacts(), round_number=3)
    assert game.state.units["jet"].where == "reserves"
    back = marines("jet", at=[(10.0, 20.0)], keywords=JET, where="reserves", marks=(("flown-off", 3),))
    game = play([back], arrive, answers=answers, board=BoardFacts(), round_number=4)
    assert game.state.units["jet"].where == "table"
    game = play([back], late, board=BoardFacts(), round_number=5)
    assert game.state.units["jet"].where == "destroyed"


# how they come


HARPY = ("MONSTER", "AIRCRAFT", "FLY")


def begun(play: Play, *stands: Any, hovers: bool = False) -> tuple[list[str], Game]:
    """Return what is asked as the players set these up, who keep nobody back, and the battle then."""
    asked: list[str] = []

    def set_up(game: Game) -> Steps[bool]:
        game.mustered = tuple(stand.facts(row) for row, stand in enumerate(stands))
        return (yield from deploy.deploy(game))

    def said(answer: Any) -> Callable[[Game], Any]:
        def give(game: Game) -> Any:
            asked.append(f"{game.pending.decision} {game.pending.unit}")
            return answer(game) if callable(answer) else answer

        return give

    answers = {
        "hover": said(Said(yes=hovers)),
        "deploy": said(lambda game: Chosen(ids=(game.pending.options[-1].id,))),
        "place": said(
            lambda game: Places(poses={r: (5.0 + 6 * r, 5.0, 0.0, 0.0) for r in game.pending.rows})
        ),
    }
    return asked, play([], Step("deploy", "setup", set_up), answers=answers)


@pytest.mark.rule("CORE.AIR.1")
def test_aircraft_begin_in_reserves_unasked(play: Play, marines: Make) -> None:
    asked, game = begun(play, marines("jet", at=((0.0, 0.0),), keywords=JET, points=500))
    assert asked == []
    assert game.state.units["jet"].where == "reserves"


@pytest.mark.rule("CORE.AIR.1", "CORE.RES.1")
@pytest.mark.parametrize(("points", "kept"), [(100, "table"), (99, "reserves")])
def test_aircraft_to_come_count_among_the_reserves(play: Play, marines: Make, points: int, kept: str) -> None:
    """Of 300 points 150 may wait: 51 do in the air, so that 99 more may."""
    stands = [
        marines("squad", at=((0.0, 0.0),), points=points),
        marines("jet", at=((0.0, 0.0),), keywords=JET, points=51),
        marines("rest", at=((0.0, 0.0),), points=249 - points),
    ]
    _, game = begun(play, *stands)
    assert game.state.units["squad"].where == kept


@pytest.mark.rule("CORE.AIR.1", "CORE.RES.2")
@pytest.mark.parametrize(("number", "comes"), [(1, False), (2, True)])
def test_aircraft_arrive_from_the_second_round_on_at_an_edge(
    play: Play, marines: Make, number: int, comes: bool
) -> None:
    jet = marines("jet", at=((0.0, 0.0),), keywords=JET, where="reserves")
    arrive = Step("arrive", "movement", reserves.reinforcements, "players")
    answers = {"reinforce": "jet", "arrive": Places(poses={0: (30.0, 3.0, 0.0, 90.0)})}
    game = play([jet], arrive, answers=answers, board=BoardFacts(), round_number=number)
    assert (game.state.units["jet"].where == "table") is comes
    answers["arrive"] = Places(poses={0: (30.0, 20.0, 0.0, 90.0)})
    if comes:
        with pytest.raises(IllegalAnswer, match="outside the area"):
            play([jet], arrive, answers=answers, board=BoardFacts(), round_number=number)


@pytest.mark.rule("CORE.AIR.1", "SPAWN.7")
@pytest.mark.parametrize(("number", "comes"), [(1, False), (2, True)])
def test_the_hordes_aircraft_wait_for_the_second_round_too(
    play: Play, foes: Make, board: BoardFacts, number: int, comes: bool
) -> None:
    """They come at an edge, in the second round not that of the Defender."""
    jet = foes("jet", at=((0.0, 0.0),), keywords=JET, where="reserves")
    land = Step("land", "movement", reserves.horde_reinforcements, "horde")
    for y, legal in [(40.0, True), (3.0, False)]:
        answers = {"deep-strike": Places(poses={0: (45.0, y, 0.0, -90.0)})}

        def battle(answers: dict[str, Any] = answers) -> Game:
            return play([jet], land, answers=answers, board=board, round_number=number)

        if legal or not comes:
            assert (battle().state.units["jet"].where == "table") is comes
        else:
            with pytest.raises(IllegalAnswer, match="outside the area"):
                battle()


@pytest.mark.rule("CORE.AIR.1", "SPAWN.6")
def test_the_hordes_aircraft_spawn_into_reserves_and_find_no_place_in_a_zone(
    play: Play, foes: Make, board: BoardFacts
) -> None:
    jet = foes("jet", at=((0.0, 0.0),), keywords=JET).facts(0)

    def enter(game: Game) -> Steps[bool]:
        if "jet" not in game.state.units:
            yield from spawn.enter(game, game.state.zones["s1"], jet)
        return False

    land = Step("land", "movement", reserves.horde_reinforcements, "horde")
    answers = {"deep-strike": Places()}
    game = play([], Step("spawn", "start-of-round", enter), land, answers=answers, board=board)
    assert game.state.units["jet"].where == "reserves"


# hovering


@pytest.mark.rule("CORE.ABL.HOVER")
def test_who_hovers_is_no_aircraft_in_this_battle(play: Play, marines: Make) -> None:
    printed = (("M", 30), ("OC", 2))
    harpy = marines("harpy", at=((0.0, 0.0),), keywords=HARPY, abilities=("hover",), characteristics=printed)
    asked, game = begun(play, harpy, hovers=True)
    assert asked == ["hover harpy", "deploy harpy", "place harpy"]
    unit = game.state.units["harpy"]
    assert unit.where == "table"
    assert not unit.has("AIRCRAFT")
    assert unit.has("FLY")
    assert movement.move_of(game, unit) == 20.0
    assert objective.control(game, unit, 2) == 2


@pytest.mark.rule("CORE.ABL.HOVER", "CORE.AIR.1")
def test_who_does_not_hover_is_in_the_air(play: Play, marines: Make) -> None:
    harpy = marines("harpy", at=((0.0, 0.0),), keywords=HARPY, abilities=("hover",))
    asked, game = begun(play, harpy, hovers=False)
    assert asked == ["hover harpy"]
    assert game.state.units["harpy"].where == "reserves"
    assert game.state.units["harpy"].has("AIRCRAFT")


@pytest.mark.rule("CORE.ABL.HOVER", "SPAWN.6")
def test_the_hordes_aircraft_hover_if_they_can(play: Play, foes: Make, board: BoardFacts) -> None:
    harpy = foes("harpy", at=((0.0, 0.0),), keywords=HARPY, abilities=("hover",)).facts(0)

    def enter(game: Game) -> Steps[bool]:
        yield from spawn.enter(game, game.state.zones["s1"], harpy)
        return False

    answers = {"spawn": Places(poses={0: (15.0, 36.0, 0.0, 0.0)})}
    game = play([], Step("spawn", "start-of-round", enter), answers=answers, board=board)
    unit = game.state.units["harpy"]
    assert unit.where == "table"
    assert not unit.has("AIRCRAFT")
    assert movement.move_of(game, unit) == 20.0
