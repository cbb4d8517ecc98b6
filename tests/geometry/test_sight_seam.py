"""Pieces that touch: no line slips between them, and what merely grazes them stays free."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from geometry.measure.body import Bodies
from geometry.sight.landscape import Landscape, Opacity, Piece
from geometry.sight.visibility import closers, visible

Place = tuple[float, float]
Way = Callable[[Place], Place]


def turned(degrees: float) -> Way:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return lambda p: (
        float(30 + c * (p[0] - 30) - s * (p[1] - 22)),
        float(22 + s * (p[0] - 30) + c * (p[1] - 22)),
    )


WAYS: dict[str, Way] = {
    "as it stands": lambda p: p,
    "shifted": lambda p: (p[0] + 0.37, p[1] - 0.21),
    "mirrored": lambda p: (60 - p[0], p[1]),
    "turned": lambda p: (44 - p[1], p[0]),
    "turned a little": turned(17.3),
}


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> Way:
    return WAYS[request.param]


def body(way: Way, at: Place, height: float = 2.5, radius: float = 0.63, over: bool = False) -> Bodies:
    no = np.zeros(1, dtype=bool)
    return Bodies(np.array([way(at)]), np.zeros(1), np.array([radius]), np.array([height]), no | over, no)


def box(x0: float, y0: float, x1: float, y1: float) -> tuple[Place, ...]:
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))


def land(
    way: Way, *shapes: tuple[Place, ...], kinds: tuple[Opacity, ...] = (), heights: tuple[float, ...] = ()
) -> Landscape:
    kinds = kinds or ("solid",) * len(shapes)
    heights = heights or (6.0,) * len(shapes)
    rows = zip(shapes, kinds, heights, strict=True)
    return Landscape(
        [Piece(f"p{k}", tuple(map(way, ring)), tall, kind) for k, (ring, kind, tall) in enumerate(rows)]
    )


def seen(here: Bodies, there: Bodies, table: Landscape) -> bool:
    one, other = bool(visible(here, there, table)[0, 0]), bool(visible(there, here, table)[0, 0])
    assert one == other
    return one


ROW = (box(10, 20, 32, 24), box(32, 20, 50, 24))
MIXED: list[tuple[Opacity, Opacity]] = [
    ("solid", "solid"),
    ("solid", "boundless"),
    ("boundless", "solid"),
    ("boundless", "boundless"),
]


@pytest.mark.parametrize("kinds", MIXED)
def test_no_line_runs_along_the_edge_that_two_pieces_share(way: Way, kinds: tuple[Opacity, Opacity]) -> None:
    here, there = body(way, (32.3, 16)), body(way, (31.8, 28))
    table = land(way, *ROW, kinds=kinds)
    assert not seen(here, there, table)
    assert closers(here, there, table) == ("p0", "p1")


def test_a_gap_of_a_hundredth_of_an_inch_lets_a_line_pass(way: Way) -> None:
    gap = (box(10, 20, 32, 24), box(32.01, 20, 50, 24))
    assert seen(body(way, (32.3, 16)), body(way, (31.8, 28)), land(way, *gap))


def test_grazing_the_flush_front_of_two_pieces_is_free(way: Way) -> None:
    here, there = body(way, (20, 19.37)), body(way, (44, 19.37))
    assert seen(here, there, land(way, *ROW))
    top = body(way, (8, 19.4), radius=0.6), body(way, (52, 19.4), radius=0.6)
    assert seen(*top, land(way, *ROW, box(0, 0, 60, 18.9)))


def test_no_line_slips_between_corners_that_touch(way: Way) -> None:
    steps = box(10, 10, 30, 22), box(30, 22, 50, 34)
    here, there = body(way, (34, 18)), body(way, (26, 26))
    assert not seen(here, there, land(way, *steps))
    # Along the other diagonal both are in the way in any case; beside the corner nothing is.
    apart = box(10, 10, 30, 22), box(30.02, 22.02, 50, 34)
    assert seen(here, there, land(way, *apart))


def test_a_corner_on_an_edge_lets_nothing_pass(way: Way) -> None:
    wedge: tuple[Place, ...] = ((30, 24), (36, 34), (24, 34))
    table = land(way, box(10, 20, 50, 24), wedge)
    assert not seen(body(way, (22, 24.5)), body(way, (38, 24.5)), table)
    assert seen(body(way, (22, 19.3)), body(way, (38, 19.3)), table)


def test_three_corners_in_a_point_leave_no_hole(way: Way) -> None:
    wedges = []
    for k in range(3):
        turn = [turned(120 * k + side)((36, 22)) for side in (-20, 20)]
        wedges.append(((30.0, 22.0), turn[0], turn[1]))
    table = land(way, *wedges)
    for k in range(3):
        here, there = (turned(120 * k + side)((33, 22)) for side in (90, 270))
        assert not seen(body(way, here), body(way, there), table)
        # Of two of them one alone is on either side, or both are on the same.
        two = [land(way, *(wedge for m, wedge in enumerate(wedges) if m != gone)) for gone in range(3)]
        assert sum(seen(body(way, here), body(way, there), pieces) for pieces in two) == 1


def test_wedges_that_grow_from_one_point_to_one_side_are_grazed(way: Way) -> None:
    left: tuple[Place, ...] = ((30, 22), (26, 30), (22, 27))
    right: tuple[Place, ...] = ((30, 22), (38, 27), (34, 30))
    table = land(way, left, right)
    assert seen(body(way, (20, 21.37)), body(way, (40, 21.37)), table)
    shelf = land(way, left, right, box(0, 10, 60, 21.999))
    assert seen(body(way, (18, 22.6), radius=0.6), body(way, (42, 22.6), radius=0.6), shelf)
    assert not seen(body(way, (30, 18)), body(way, (30, 29), radius=0.4), table)


def test_a_seam_is_as_high_as_the_lower_of_the_two(way: Way) -> None:
    here, there = body(way, (32.3, 16)), body(way, (31.8, 28))
    assert not seen(here, there, land(way, *ROW, heights=(6.0, 2.5)))
    assert seen(here, there, land(way, *ROW, heights=(6.0, 2.0)))
    tall = body(way, (32.3, 16), height=4.0), body(way, (31.8, 28), height=4.0)
    corners = box(10, 10, 30, 22), box(30, 22, 50, 34)
    slip = body(way, (34, 18), height=4.0), body(way, (26, 26), height=4.0)
    assert seen(*tall, land(way, *ROW, heights=(6.0, 3.0)))
    assert seen(*slip, land(way, *corners, heights=(6.0, 3.0)))
    assert not seen(*slip, land(way, *corners, heights=(6.0, 4.0)))


def test_a_ruin_that_is_excepted_closes_no_seam(way: Way) -> None:
    corners = box(10, 10, 30, 22), box(30, 22, 50, 34)
    table = land(way, *corners, kinds=("boundless", "solid"))
    assert not seen(body(way, (34, 18)), body(way, (26, 26)), table)
    assert seen(body(way, (34, 18), over=True), body(way, (26, 26)), table)
    within = body(way, (29, 21), radius=0.5)
    assert visible(body(way, (34, 18)), within, table)[0, 0]


def test_walls_of_two_ruins_that_meet_leave_no_gap(way: Way) -> None:
    def ruin(id: str, x0: float, x1: float, wall: tuple[Place, ...]) -> Piece:
        ring = tuple(map(way, box(x0, 20, x1, 24)))
        return Piece(id, ring, 6.0, "open", walls=(tuple(map(way, wall)),))

    one = ruin("a", 10, 32, ((10, 22), (32, 22)))
    end, off = ruin("b", 32, 50, ((32, 22), (50, 22))), ruin("b", 32, 50, ((32.01, 22), (50, 22)))
    here, there = body(way, (32, 16)), body(way, (32, 28))
    assert not seen(here, there, Landscape([one, end]))
    assert closers(here, there, Landscape([one, end])) == ("a", "b")
    assert seen(here, there, Landscape([one, off]))
    block = Piece("c", tuple(map(way, box(32, 20, 50, 24))), 6.0, "solid")
    assert not seen(here, there, Landscape([one, block]))


def test_bodies_that_stand_on_both_pieces_do_not_look_along_their_edge(way: Way) -> None:
    # The line between the rims is a short stretch of the edge, far from its middle.
    here, there = body(way, (32, 20.7), radius=0.5), body(way, (32, 21.9), radius=0.5)
    assert not seen(here, there, land(way, *ROW))
    assert seen(here, there, land(way, box(10, 20, 32, 24), box(32.01, 20, 50, 24)))
