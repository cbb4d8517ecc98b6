"""Setting up before the battle: which units may begin where."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import shapely
from msgspec import structs

from engine.core.facts import TransportFacts, ZoneFacts
from engine.core.game import Game, IllegalAnswer
from engine.core.request import Places, Steps
from engine.core.ruleset import Step
from engine.w40k.phase import deploy

Play = Callable[..., Game]
Make = Callable[..., Any]


@pytest.mark.rule("CORE.RES.6", "SETUP.5", "R.A86")
@pytest.mark.parametrize(
    ("abilities", "y", "legal"),
    [
        ((), 9.0, True),
        ((), 12.0, False),
        (("infiltrators",), 12.0, True),
        (("infiltrators",), 25.0 - 16 / 25.4 - 0.0001, True),
        (("infiltrators",), 25.0 - 16 / 25.4, False),
    ],
)
def test_infiltrators_begin_more_than_nine_inches_from_the_hordes_zone(
    play: Play, marines: Make, abilities: tuple[str, ...], y: float, legal: bool
) -> None:
    """The Defender's zone ends at y = 10, and the Horde's begins at y = 34.

    The 9 inches before it end at y = 25.
    """
    facts = marines("scouts", at=((0.0, 0.0),), abilities=abilities).facts(0)

    def set_up(game: Game) -> Steps[bool]:
        game.mustered = (facts,)
        return (yield from deploy.deploy(game))

    def battle() -> Game:
        poses = {0: (30.0, y, 0.0, 0.0)}
        return play(
            [],
            Step("deploy", "setup", set_up),
            answers={"deploy": "battlefield", "place": Places(poses=poses)},
        )

    if legal:
        assert battle().state.position.units["scouts"].where == "table"
    else:
        with pytest.raises(IllegalAnswer, match="outside the area"):
            battle()


@pytest.mark.rule("CORE.RES.6")
def test_nothing_round_a_corner_of_the_hordes_zone_is_nearer_than_nine_inches(play: Play, board: Any) -> None:
    """The zone's corner at (20, 30) stands out.

    Along its bisector the border may be up to 0.001 inches farther off.
    """
    polygon = ((20.0, 44.0), (20.0, 30.0), (60.0, 30.0), (60.0, 44.0))
    zone = ZoneFacts(id="horde", kind="horde", polygon=polygon)
    game = play([], board=structs.replace(board, zones=(zone,)))
    corners = [corner for area in deploy.infiltration(game) for corner in area]
    areas = shapely.union_all([shapely.Polygon(area) for area in deploy.infiltration(game)])
    assert shapely.distance(areas, shapely.Polygon(polygon)) > 9.0
    assert min(math.dist(corner, (20.0, 30.0)) for corner in corners) < 9.001


def begins(play: Play, *stands: Any, keep: Callable[[str], bool] = lambda unit: True) -> dict[str, str]:
    """Return where each unit begins.

    A player keeps a unit in reserves wherever that is offered and `keep` wants it.
    """
    facts = tuple(
        structs.replace(stand.facts(row), embarked_in=stand.embarked_in) for row, stand in enumerate(stands)
    )

    def set_up(game: Game) -> Steps[bool]:
        game.mustered = facts
        return (yield from deploy.deploy(game))

    def where(game: Game) -> str:
        offered = [option.id for option in game.pending.options]
        return "reserves" if "reserves" in offered and keep(game.pending.unit) else "battlefield"

    def place(game: Game) -> Places:
        return Places(poses={row: (5.0 + 6.0 * row, 5.0, 0.0, 0.0) for row in game.pending.rows})

    game = play([], Step("deploy", "setup", set_up), answers={"deploy": where, "place": place})
    return {unit.id: unit.where for unit in game.state.position.units.values()}


@pytest.mark.rule("CORE.RES.1", "SETUP.5")
@pytest.mark.parametrize(
    ("points", "kept"),
    [
        ((100, 100), ["a"]),
        ((101, 100), ["b"]),
        ((60, 40, 100), ["a", "b"]),
        ((50, 30, 20, 100), ["a", "b", "c"]),
        ((50, 60, 90), ["a"]),
        ((300, 100), ["b"]),
    ],
)
def test_half_of_a_players_points_may_wait_in_reserves(
    play: Play, marines: Make, points: tuple[int, ...], kept: list[str]
) -> None:
    """Exactly half is allowed; what would go beyond begins on the battlefield."""
    stands = [marines("abcd"[i], at=((0.0, 0.0),), points=each) for i, each in enumerate(points)]
    found = begins(play, *stands)
    assert [unit for unit, where in found.items() if where == "reserves"] == kept


@pytest.mark.rule("CORE.RES.1")
def test_each_player_has_a_share_of_their_own(play: Play, marines: Make) -> None:
    stands = [marines("a", at=((0.0, 0.0),)), marines("b", at=((0.0, 0.0),), player="p2")]
    found = begins(play, *stands, marines("c", at=((0.0, 0.0),), points=100))
    assert found == {"a": "reserves", "b": "table", "c": "table"}


@pytest.mark.rule("CORE.RES.1")
def test_fortifications_are_not_kept_in_reserves(play: Play, marines: Make) -> None:
    stands = [
        marines("wall", at=((0.0, 0.0),), points=10, keywords=("FORTIFICATION",)),
        marines("rest", at=((0.0, 0.0),), points=90),
    ]
    assert begins(play, *stands, keep=lambda unit: unit == "wall") == {"wall": "table", "rest": "table"}


@pytest.mark.rule("CORE.RES.1")
def test_passengers_count_with_their_transport(play: Play, marines: Make) -> None:
    """30 points with 20 aboard are half of 100, with 21 aboard more than half of 101."""
    hold = TransportFacts(capacity=6)
    for riders, where in [(20, "reserves"), (21, "table")]:
        stands = [
            marines("hull", at=((0.0, 0.0),), points=30, keywords=("TRANSPORT",), transport=hold),
            marines("crew", at=((0.0, 0.0),), points=riders, embarked_in="hull"),
            marines("rest", at=((0.0, 0.0),), points=50),
        ]
        found = begins(play, *stands, keep=lambda unit: unit == "hull")
        assert found == {"hull": where, "crew": "embarked", "rest": "table"}


@pytest.mark.rule("DATASHEET.talonstrike-doctrines", "SETUP.5")
@pytest.mark.parametrize(("round_", "is_marked"), [(0, False), (1, True)])
def test_what_a_set_up_brings_for_a_turn_comes_in_no_turn_before_the_battle(
    play: Play, marines: Make, round_: int, is_marked: bool
) -> None:
    facts = marines("talons", at=((0.0, 0.0),), rules=("datasheet/talonstrike-doctrines",)).facts(0)

    def set_up(game: Game) -> Steps[bool]:
        game.mustered = (facts,)
        return (yield from deploy.deploy(game))

    answers = {"deploy": "battlefield", "place": Places(poses={0: (30.0, 5.0, 0.0, 0.0)})}
    game = play([], Step("deploy", "setup", set_up), answers=answers, round_number=round_)
    assert ("set-up" in game.state.position.units["talons"].marks) is is_marked
