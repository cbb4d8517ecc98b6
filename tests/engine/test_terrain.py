"""What each kind of terrain does to models that cross it, and to targets on or behind it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.core.facts import BoardFacts, Ring, TerrainFacts
from engine.core.game import Game
from engine.core.request import Move, Moves
from engine.w40k.attack.cover import cover

Play = Callable[..., Game]
Make = Callable[..., Any]


def box(x: float, y: float, wide: float, deep: float) -> Ring:
    return ((x, y), (x + wide, y), (x + wide, y + deep), (x, y + deep))


def piece(kind: str, ring: Ring, height: float = 1.5) -> BoardFacts:
    """Return a board with one piece of terrain."""
    return BoardFacts(terrain=(TerrainFacts(id="piece", kind=kind, footprint=ring, height=height),))  # type: ignore[arg-type]


def is_covered(game: Game) -> bool:
    units = game.state.position.units
    return bool(cover(game, units["foes"], units["marines"]).all())


BEFORE = box(25.0, 9.5, 10.0, 1.0)
"""A low piece between a model at (30, 8) and its enemy at (30, 30).

Its far side is 2.5 inches from the model's centre.
"""


@pytest.mark.rule("CORE.TER.2", "CORE.TER.3", "CORE.TER.4")
@pytest.mark.parametrize("keyword", ["INFANTRY", "VEHICLE"])
@pytest.mark.parametrize("kind", ["barricade", "debris", "hill", "container", "wall", "crater"])
def test_who_is_partly_hidden_by_a_low_piece_is_sheltered(
    play: Play, marines: Make, foes: Make, kind: str, keyword: str
) -> None:
    """A barricade shelters INFANTRY alone, a crater nobody behind it."""
    game = play([marines(keywords=(keyword,)), foes()], board=piece(kind, BEFORE))
    sheltered = kind not in ("barricade", "crater") or (kind == "barricade" and keyword == "INFANTRY")
    assert is_covered(game) == sheltered


@pytest.mark.rule("CORE.TER.2")
@pytest.mark.parametrize(("y", "sheltered"), [(7.2, True), (6.9, False)])
def test_a_barricade_shelters_who_is_wholly_within_3_inches(
    play: Play, marines: Make, foes: Make, y: float, sheltered: bool
) -> None:
    """The base of 32 mm reaches 0.63 inches back from its centre; the barricade begins at 9.5."""
    game = play([marines(at=[(30.0, y)]), foes()], board=piece("barricade", BEFORE))
    assert is_covered(game) == sheltered


@pytest.mark.rule("CORE.TER.5", "CORE.TER.6")
@pytest.mark.parametrize("keyword", ["INFANTRY", "VEHICLE"])
@pytest.mark.parametrize(
    ("kind", "ring", "sheltered"),
    [
        ("woods", box(25.0, 5.0, 10.0, 6.0), True),
        ("ruin", box(25.0, 5.0, 10.0, 6.0), True),
        ("woods", box(29.0, 12.0, 2.0, 2.0), True),
        ("ruin", box(10.0, 12.0, 2.0, 2.0), False),
    ],
    ids=["in woods", "in a ruin", "behind woods", "beside a ruin"],
)
def test_woods_and_ruins_shelter_everybody_within_and_behind(
    play: Play, marines: Make, foes: Make, kind: str, ring: Ring, sheltered: bool, keyword: str
) -> None:
    game = play([marines(keywords=(keyword,)), foes()], board=piece(kind, ring, 5.0))
    assert is_covered(game) == sheltered


def faults_of_move(
    play: Play, marines: Make, board: BoardFacts, keyword: str, end: tuple[float, float]
) -> list[str]:
    """Return what is wrong with a straight move of 6 inches at most from (30, 8)."""
    from engine.w40k.legality.move_check import MoveCheck

    game = play([marines(keywords=(keyword,))], board=board)
    request = Move(
        seats=("p1",),
        rule="CORE.MOVE.5",
        decision="path",
        prompt="",
        unit="marines",
        kind="normal",
        limits={0: 6.0},
    )
    return MoveCheck(game, request, Moves(paths={0: (end,)})).faults()


AHEAD = box(28.0, 10.0, 4.0, 2.0)


@pytest.mark.rule("CORE.TER.1", "CORE.TER.2", "CORE.TER.3", "CORE.TER.5", "CORE.MOVE.8")
@pytest.mark.parametrize("keyword", ["INFANTRY", "VEHICLE"])
@pytest.mark.parametrize(
    ("kind", "height", "crossed", "stood_on"),
    [
        ("crater", 0.0, True, True),
        ("woods", 6.0, True, True),
        ("barricade", 1.5, True, False),
        ("debris", 1.5, True, False),
        ("debris", 2.5, False, False),
        ("wall", 4.0, False, False),
    ],
)
def test_what_is_crossed_and_what_carries(
    play: Play, marines: Make, kind: str, height: float, keyword: str, crossed: bool, stood_on: bool
) -> None:
    """Straight over it in 6 inches, which a climb of 5 would make too long, and onto it."""
    board = piece(kind, AHEAD, height)
    assert (not faults_of_move(play, marines, board, keyword, (30.0, 14.0))) == crossed
    assert (not faults_of_move(play, marines, board, keyword, (30.0, 11.0))) == stood_on


@pytest.mark.rule("CORE.TER.6")
@pytest.mark.parametrize(
    ("keyword", "passes"), [("INFANTRY", True), ("BEAST", True), ("BEASTS", True), ("VEHICLE", False)]
)
def test_who_walks_through_a_ruin(play: Play, marines: Make, keyword: str, passes: bool) -> None:
    board = piece("ruin", AHEAD, 6.0)
    assert (not faults_of_move(play, marines, board, keyword, (30.0, 14.0))) == passes


@pytest.mark.rule("CORE.COV.2")
def test_each_model_has_cover_for_itself(play: Play, marines: Make, foes: Make) -> None:
    """Two stand on open ground, one behind a wall's end that hides half of it."""
    at = [(28.0, 8.0), (29.4, 8.0), (30.8, 8.0)]
    board = piece("container", box(30.8, 10.0, 4.0, 1.0), 4.0)
    game = play([marines(at=at), foes(at=[(30.8, 30.0)])], board=board)
    units = game.state.position.units
    assert list(cover(game, units["foes"], units["marines"])) == [False, False, True]
