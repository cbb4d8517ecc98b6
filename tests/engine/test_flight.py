"""How AIRCRAFT come into the battle, fly, leave the board and hover."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.core.event import Moved
from engine.core.facts import BoardFacts
from engine.core.game import Game, IllegalAnswer
from engine.core.request import Chosen, Moves, Places, Said, Steps
from engine.core.ruleset import Step
from engine.horde.steps import arrivals, spawn
from engine.w40k.activation import objective
from engine.w40k.phase import closing, deploy, movement, reserves

Play = Callable[..., Game]
Make = Callable[..., Any]
JET = ("VEHICLE", "AIRCRAFT", "FLY")
FLIES = ("INFANTRY", "FLY")
MOVE = Step("players.movement", "movement", movement.movement, "players")
FIRST = {"next-unit": lambda game: (game.pending.options[0].id,)}


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
        assert tuple(game.state.position.table.xy[0]) == legs[-1][:2]
        assert game.state.position.table.facing[0] == end[2]
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
    assert tuple(flown(play, jet, (30.0, 20.0)).state.position.table.xy[0]) == (30.0, 20.0)


@pytest.mark.rule("CORE.AIR.2", "CORE.RES.4")
@pytest.mark.parametrize("how", ["leave-board", "normal-move"])
def test_who_flies_off_the_board_is_back_in_the_next_round(play: Play, marines: Make, how: str) -> None:
    """It waits in Strategic Reserves, whether it wants to or finds no place to end.

    It may wait until the end of the battle.
    """
    jet = marines("jet", at=[(10.0, 20.0)], keywords=JET)
    answers = {**FIRST, "move": how, "path": Moves(), "reinforce": "jet"}
    answers["arrive"] = Places(poses={0: (30.0, 3.0, 0.0, 90.0)})
    arrive = Step("arrive", "movement", reserves.reinforcements, "players")
    late = Step("late", "end-of-round", closing.late_reserves)
    game = play([jet], MOVE, arrive, late, answers=answers, board=BoardFacts(), round_number=3)
    assert game.state.position.units["jet"].where == "reserves"
    back = marines("jet", at=[(10.0, 20.0)], keywords=JET, where="reserves", marks=(("flown-off", 3),))
    game = play([back], arrive, answers=answers, board=BoardFacts(), round_number=4)
    assert game.state.position.units["jet"].where == "table"
    game = play([back], late, board=BoardFacts(), round_number=5)
    assert game.state.position.units["jet"].where == "destroyed"


# how they come


HARPY = ("MONSTER", "AIRCRAFT", "FLY")


def begun(play: Play, *stands: Any, hovers: bool = False) -> tuple[list[str], Game]:
    """Return what is asked as the players set these units up, and the battle then.

    The players keep no unit back.
    """
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
    assert game.state.position.units["jet"].where == "reserves"


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
    assert game.state.position.units["squad"].where == kept


@pytest.mark.rule("CORE.AIR.1", "CORE.RES.2")
@pytest.mark.parametrize(("number", "comes"), [(1, False), (2, True)])
def test_aircraft_arrive_from_the_second_round_on_at_an_edge(
    play: Play, marines: Make, number: int, comes: bool
) -> None:
    jet = marines("jet", at=((0.0, 0.0),), keywords=JET, where="reserves")
    arrive = Step("arrive", "movement", reserves.reinforcements, "players")
    answers = {"reinforce": "jet", "arrive": Places(poses={0: (30.0, 3.0, 0.0, 90.0)})}
    game = play([jet], arrive, answers=answers, board=BoardFacts(), round_number=number)
    assert (game.state.position.units["jet"].where == "table") is comes
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
    land = Step("land", "movement", arrivals.horde_reinforcements, "horde")
    for y, legal in [(40.0, True), (3.0, False)]:
        answers = {"deep-strike": Places(poses={0: (45.0, y, 0.0, -90.0)})}

        def battle(answers: dict[str, Any] = answers) -> Game:
            return play([jet], land, answers=answers, board=board, round_number=number)

        if legal or not comes:
            assert (battle().state.position.units["jet"].where == "table") is comes
        else:
            with pytest.raises(IllegalAnswer, match="outside the area"):
                battle()


@pytest.mark.rule("CORE.AIR.1", "SPAWN.6")
def test_the_hordes_aircraft_spawn_into_reserves_and_find_no_place_in_a_zone(
    play: Play, foes: Make, board: BoardFacts
) -> None:
    jet = foes("jet", at=((0.0, 0.0),), keywords=JET).facts(0)

    def enter(game: Game) -> Steps[bool]:
        if "jet" not in game.state.position.units:
            yield from spawn.enter(game, game.state.position.zones["s1"], jet)
        return False

    land = Step("land", "movement", arrivals.horde_reinforcements, "horde")
    answers = {"deep-strike": Places()}
    game = play([], Step("spawn", "start-of-round", enter), land, answers=answers, board=board)
    assert game.state.position.units["jet"].where == "reserves"


# hovering


@pytest.mark.rule("CORE.ABL.HOVER")
def test_who_hovers_is_no_aircraft_in_this_battle(play: Play, marines: Make) -> None:
    printed = (("M", 30), ("OC", 2))
    harpy = marines("harpy", at=((0.0, 0.0),), keywords=HARPY, abilities=("hover",), characteristics=printed)
    asked, game = begun(play, harpy, hovers=True)
    assert asked == ["hover harpy", "deploy harpy", "place harpy"]
    unit = game.state.position.units["harpy"]
    assert unit.where == "table"
    assert not unit.has("AIRCRAFT")
    assert unit.has("FLY")
    assert movement.move_of(game, unit) == 20.0
    assert objective.control(game, unit, game.state.position.models[unit.rows[0]]) == 2


@pytest.mark.rule("CORE.ABL.HOVER", "CORE.AIR.1")
def test_who_does_not_hover_is_in_the_air(play: Play, marines: Make) -> None:
    harpy = marines("harpy", at=((0.0, 0.0),), keywords=HARPY, abilities=("hover",))
    asked, game = begun(play, harpy, hovers=False)
    assert asked == ["hover harpy"]
    assert game.state.position.units["harpy"].where == "reserves"
    assert game.state.position.units["harpy"].has("AIRCRAFT")


@pytest.mark.rule("CORE.ABL.HOVER", "SPAWN.6")
def test_the_hordes_aircraft_hover_if_they_can(play: Play, foes: Make, board: BoardFacts) -> None:
    harpy = foes("harpy", at=((0.0, 0.0),), keywords=HARPY, abilities=("hover",)).facts(0)

    def enter(game: Game) -> Steps[bool]:
        yield from spawn.enter(game, game.state.position.zones["s1"], harpy)
        return False

    answers = {"spawn": Places(poses={0: (15.0, 36.0, 0.0, 0.0)})}
    game = play([], Step("spawn", "start-of-round", enter), answers=answers, board=board)
    unit = game.state.position.units["harpy"]
    assert unit.where == "table"
    assert not unit.has("AIRCRAFT")
    assert movement.move_of(game, unit) == 20.0
