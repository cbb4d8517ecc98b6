"""Positions with a known verdict: which model sees which, fully or not, and why.

Each is asked as it stands, shifted, mirrored and turned by a quarter: the verdict must be the same (S.INV).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from msgspec.structs import replace

from geometry.measure.body import Bodies
from geometry.shape.base import Base, round_base
from geometry.sight.landscape import Landscape, Opacity, Piece
from geometry.sight.visibility import Sight, sight, visible

R32 = round_base(32).radius
Place = tuple[float, float]
Way = Callable[[Place], Place]
WAYS: dict[str, Way] = {
    "as it stands": lambda p: p,
    "shifted": lambda p: (p[0] + 0.37, p[1] - 0.21),
    "mirrored": lambda p: (60 - p[0], p[1]),
    "turned": lambda p: (44 - p[1], p[0]),
}


def body(
    at: Place,
    radius: float = R32,
    height: float = 2.5,
    z: float = 0.0,
    sees_over: bool = False,
    sees_out: bool = False,
) -> Bodies:
    return Bodies(
        np.array([at], dtype=float),
        np.array([z]),
        np.array([radius]),
        np.array([height]),
        np.array([sees_over]),
        np.array([sees_out]),
    )


def piece(
    x0: float, y0: float, x1: float, y1: float, opacity: Opacity, height: float = 9, id: str = ""
) -> Piece:
    return Piece(id or opacity, ((x0, y0), (x1, y0), (x1, y1), (x0, y1)), height, opacity)


def moved(bodies: Bodies, way: Way) -> Bodies:
    return replace(bodies, xy=np.array([way((x, y)) for x, y in bodies.xy.tolist()]))


@pytest.fixture(params=WAYS)
def look(request: pytest.FixtureRequest) -> Callable[..., Sight]:
    way = WAYS[request.param]

    def looked(observer: Bodies, target: Bodies, *pieces: Piece) -> Sight:
        stand = [replace(p, polygon=tuple(way(corner) for corner in p.polygon)) for p in pieces]
        landscape = Landscape(stand)
        here, there = moved(observer, way), moved(target, way)
        answer = sight(here, there, landscape)
        assert np.array_equal(visible(here, there, landscape), answer.visible)
        return answer

    return looked


Look = Callable[..., Sight]
RUIN = piece(28, 20, 32, 26, "boundless")
BIG = piece(28, 18, 34, 26, "boundless")


def verdict(answer: Sight) -> str:
    if not answer.visible[0, 0]:
        return "hidden"
    return "fully" if answer.fully[0, 0] else "partly"


@pytest.mark.rule("CORE.LOS.1", "CORE.LOS.2")
def test_s_l01_open_ground(look: Look) -> None:
    assert verdict(look(body((20, 22)), body((40, 22)))) == "fully"
    assert verdict(look(body((20, 22)), body((40, 22)), piece(28, 30, 32, 36, "solid"))) == "fully"


@pytest.mark.rule("CORE.LOS.4", "CORE.TER.6")
def test_s_l02_a_ruin_between(look: Look) -> None:
    h, p = body((20, 23)), body((40, 23))
    assert verdict(look(h, p, RUIN)) == verdict(look(p, h, RUIN)) == "hidden"
    low = replace(RUIN, height=0.5)
    assert verdict(look(h, p, low)) == "hidden"


@pytest.mark.rule("CORE.LOS.2")
def test_s_l03_beside_a_ruin(look: Look) -> None:
    assert verdict(look(body((20, 19.5)), body((40, 19.5)), RUIN)) == "fully"


@pytest.mark.rule("CORE.LOS.1", "CORE.LOS.2")
def test_s_l04_rims_pass_below_the_corner(look: Look) -> None:
    answer = look(body((20, 20.4)), body((40, 20.4)), RUIN)
    assert verdict(answer) == "partly"
    assert answer.obscured_by[0, 0].tolist() == [True]


@pytest.mark.rule("CORE.TER.6")
def test_s_l09_toe_in(look: Look) -> None:
    h, p = body((24, 22)), body((34.3, 22))
    assert verdict(look(h, p, BIG)) == "fully"
    assert verdict(look(p, h, BIG)) == "hidden"


@pytest.mark.rule("CORE.TER.6")
def test_s_l10_s_l11_wholly_within_sees_and_is_seen(look: Look) -> None:
    h, p = body((24, 22)), body((33.3, 22))
    assert verdict(look(h, p, BIG)) == verdict(look(p, h, BIG)) == "fully"
    assert verdict(look(body((29.5, 22)), body((32.5, 22)), BIG)) == "fully"


@pytest.mark.rule("CORE.TER.6")
def test_s_l13_out_of_one_ruin_but_not_through_another(look: Look) -> None:
    a, b = piece(17, 19, 23, 25, "boundless", id="a"), piece(32, 16, 36, 28, "boundless", id="b")
    h, p = body((20, 22)), body((44, 22))
    answer = look(h, p, a, b)
    assert verdict(answer) == "hidden"
    assert answer.witness(0, 0) == ("b",)
    assert verdict(look(h, p, a)) == "fully"


@pytest.mark.rule("CORE.TER.6")
def test_s_l15_seen_over_and_seeing_over(look: Look) -> None:
    h, p = body((20, 23)), body((40, 23))
    over = body((40, 23), sees_over=True)
    assert verdict(look(h, over, RUIN)) == verdict(look(over, h, RUIN)) == "fully"
    assert verdict(look(p, h, RUIN)) == "hidden"
    assert verdict(look(h, over, replace(RUIN, opacity="solid"))) == "hidden"


@pytest.mark.rule("CORE.TER.6")
def test_s_l16_towering_sees_out_when_merely_in(look: Look) -> None:
    oval = Base("oval", 170 / 25.4, 105 / 25.4).radius
    h = body((24, 22))
    assert verdict(look(body((35, 22), radius=oval, sees_out=True), h, BIG)) == "fully"
    away = body((40, 22), radius=oval, sees_out=True)
    assert verdict(look(away, h, BIG)) == verdict(look(h, away, BIG)) == "hidden"


@pytest.mark.rule("CORE.TER.5")
def test_s_l17_woods_hide_nothing_and_spoil_the_full_view(look: Look) -> None:
    woods = piece(28, 20, 32, 26, "veil")
    h = body((20, 23))
    for p in (body((40, 23)), body((30, 23))):
        answer = look(h, p, woods)
        assert verdict(answer) == "partly"
        assert answer.obscured_by[0, 0].tolist() == [True]
    for tall in (body((40, 23), sees_over=True), body((40, 23), sees_out=True)):
        assert verdict(look(h, tall, woods)) == verdict(look(tall, h, woods)) == "fully"
    assert verdict(look(h, body((27.8, 23)), woods)) == "fully"
    assert verdict(look(h, body((32.2, 23)), woods)) == "partly"


@pytest.mark.rule("CORE.LOS.2")
def test_s_l19_each_model_for_itself(look: Look) -> None:
    ruin = piece(28, 24, 32, 34, "boundless")
    for p in (body((40, 22)), body((30, 29))):
        assert verdict(look(body((20, 22)), p, ruin)) == "fully"


@pytest.mark.rule("CORE.LOS.1", "CORE.TER.4")
def test_s_l22_heights(look: Look) -> None:
    box = piece(28, 20, 32, 26, "solid", height=3)
    h, p = body((20, 23)), body((40, 23))
    assert verdict(look(h, p, box)) == "hidden"
    tall = body((40, 23), height=6)
    assert verdict(look(h, tall, box)) == verdict(look(tall, h, box)) == "partly"
    assert verdict(look(body((20, 23), z=6), p, box)) == "fully"
    assert verdict(look(h, p, replace(box, height=2.4))) == "partly"


def test_open_ground_features_do_nothing(look: Look) -> None:
    assert verdict(look(body((20, 23)), body((40, 23)), piece(28, 20, 32, 26, "open"))) == "fully"


@pytest.mark.rule("CORE.TER.2")
def test_a_low_wall_hides_only_what_stands_close_behind_it(look: Look) -> None:
    wall = piece(29, 10, 29.5, 34, "solid", height=1)
    h = body((20, 22))
    assert verdict(look(h, body((30.2, 22)), wall)) == "partly"
    assert verdict(look(h, body((40, 22)), wall)) == "fully"
    # The foot at x is hidden while the line up to the near rim, 2.5" high, crosses the back below 1".
    eye = 20 + R32
    edge = (29.5 - 0.4 * eye) / 0.6 + R32
    assert verdict(look(h, body((edge - 0.001, 22)), wall)) == "partly"
    assert verdict(look(h, body((edge + 0.001, 22)), wall)) == "fully"


def test_a_hill_hides_the_feet_on_it_only_from_below(look: Look) -> None:
    hill = piece(28, 18, 36, 26, "solid", height=3)
    on_top = body((29, 22), z=3)
    assert verdict(look(body((20, 22)), on_top, hill)) == "partly"
    assert verdict(look(body((20, 22), height=9), on_top, hill)) == "fully"
    assert verdict(look(body((34, 22), z=3), on_top, hill)) == "fully"
    assert verdict(look(body((20, 22)), body((44, 22)), hill)) == "hidden"


def test_from_a_hill_the_ground_close_below_is_hidden(look: Look) -> None:
    hill = piece(28, 18, 36, 26, "solid", height=3)
    h = body((34, 22), z=3)
    # The line from the near rim, 5.5" up, over the edge at 3" meets the ground 3/2.5 as far beyond it.
    edge = 36 + (36 - 34 - R32) * 3 / 2.5 + R32
    assert verdict(look(h, body((edge - 0.001, 22)), hill)) == "partly"
    assert verdict(look(h, body((edge + 0.001, 22)), hill)) == "fully"
    assert verdict(look(body((edge, 22)), h, hill)) == "partly"


def test_grazing_a_wall_and_touching_a_footprint_are_free(look: Look) -> None:
    walls = (piece(28, 20 + R32, 32, 30, "solid", id="up"), piece(28, 10, 32, 20 - R32, "solid", id="down"))
    assert verdict(look(body((20, 20)), body((40, 20)), *walls)) == "fully"
    slit = (piece(28, 20.00001, 32, 30, "solid", id="up"), piece(28, 10, 32, 20, "solid", id="down"))
    assert verdict(look(body((20, 20)), body((40, 20)), *slit)) == "partly"
    shut = (piece(28, 20, 32, 30, "solid", id="up"), piece(28, 10, 32, 20, "solid", id="down"))
    assert verdict(look(body((20, 20)), body((40, 20)), *shut)) == "hidden"
    beside = body((32 + R32, 23))
    assert verdict(look(body((20, 23)), beside, RUIN)) == "hidden"


def test_two_walls_together_hide_what_neither_does(look: Look) -> None:
    left, right = piece(30.6, 10, 30.7, 22, "solid", id="l"), piece(30.8, 22, 30.9, 34, "solid", id="r")
    h, p = body((24, 22)), body((38, 22))
    assert verdict(look(h, p, left)) == verdict(look(h, p, right)) == "fully"
    answer = look(h, p, left, right, piece(2, 2, 5, 5, "solid"))
    assert verdict(answer) == "partly"
    assert answer.obscured_by[0, 0].tolist() == [True, True, False]
    longer = piece(30.8, 21.9, 30.9, 34, "solid", id="r")
    shut = look(h, p, left, longer)
    assert verdict(shut) == "hidden"
    assert shut.witness(0, 0) == ("l", "r")


def test_a_hollow_piece_is_seen_through_its_hollow(look: Look) -> None:
    ell = Piece("ell", ((28, 20), (34, 20), (34, 21), (29, 21), (29, 28), (28, 28)), 9, "solid")
    corner, diagonal = body((31, 24)), body((36, 30))
    assert verdict(look(corner, diagonal, ell)) == "fully"
    assert verdict(look(body((24, 25)), corner, ell)) == "hidden"
    # Along the cut between its convex parts no line slips through.
    assert verdict(look(body((25.9, 17.9), radius=0.01), body((29.5, 21.5), radius=0.01), ell)) == "hidden"


def test_a_witness_is_a_clear_segment_from_base_to_base(look: Look) -> None:
    answer = look(body((20, 20.4)), body((40, 20.4)), RUIN)
    (start, end) = answer.witness(0, 0)
    assert isinstance(start, tuple)
    assert isinstance(end, tuple)
    assert np.hypot(end[0] - start[0], end[1] - start[1]) == pytest.approx(20, abs=2 * R32)


def test_no_pieces_and_no_bodies() -> None:
    nobody = body((0, 0)).take([])
    assert sight(nobody, body((1, 1)), Landscape([RUIN])).visible.shape == (0, 1)
    assert sight(body((1, 1)), nobody, Landscape([RUIN])).obscured_by.shape == (1, 0, 1)
    assert visible(body((1, 1)), body((9, 9)), Landscape([])).tolist() == [[True]]


@pytest.mark.parametrize("polygon", [((0, 0), (1, 1), (2, 2)), ((0, 0), (2, 2), (2, 0), (0, 2))])
def test_s_rob1_a_bad_footprint_is_named(polygon: tuple[Place, ...]) -> None:
    with pytest.raises(ValueError, match="shed"):
        Landscape([Piece("shed", polygon, 3, "solid")])


def test_a_closed_ring_hides_as_much_as_an_open_one() -> None:
    """A footprint may name its first corner again at its end, and another twice."""
    corners = ((28.0, 20.0), (32.0, 20.0), (32.0, 26.0), (28.0, 26.0))
    none, no = np.zeros(1), np.zeros(1, dtype=bool)
    eyes, seen = (Bodies(np.array([[x, 20.4]]), none, none + 0.63, none + 2.5, no, no) for x in (20.0, 40.0))
    for ring in (corners, (*corners[:2], *corners[1:], corners[0])):
        found = sight(eyes, seen, Landscape([Piece("r", ring, 5.0, "boundless")]))
        assert found.visible[0, 0]
        assert not found.fully[0, 0]
