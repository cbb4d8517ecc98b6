"""The shortest ways of one base to many spots."""

from __future__ import annotations

import numpy as np
import pytest

from geometry.path.ground import Ground
from geometry.path.planner import Path, check_path
from geometry.shape.base import hull_base, oval_base
from geometry.shape.convex_shape import Outlines, Stance, stance_of
from geometry.shape.nearby import shapes_of
from geometry.single.free_space import Footing
from geometry.single.goal import ToLine
from geometry.single.model_move import Mover

R32 = 16 / 25.4
AT = (10.0, 20.0)
SPOTS = np.array([(18.0, 20.0), (17.0, 21.0), (17.5, 19.0), (17.6, 20.6)])


def mover(*shapes: Outlines, limit: float = 14.0) -> Mover:
    solid = shapes[0]
    for more in shapes[1:]:
        solid = solid.joined(more)
    ground = Ground((60.0, 44.0), solid=solid)
    return Mover(AT, limit, Footing(ground, Stance(R32)), ToLine((50.0, 20.0), (50.0, 20.0)))


def oval(x: float, y: float, facing: float) -> Outlines:
    return shapes_of(np.array([(x, y)]), [stance_of(oval_base(105, 70), facing)])


SHAPES = {
    "disc": Outlines(np.array([(14.0, 20.3)]), np.array([1.5])),
    "oval": oval(14.0, 20.3, 70.0),
    "hull": shapes_of(np.array([(14.0, 20.3)]), [stance_of(hull_base(4.0, 3.0), 30.0)]),
}


@pytest.mark.rule("CORE.MOVE.1")
@pytest.mark.parametrize("name", SHAPES)
def test_ways_past_a_shape_are_legal_and_the_shortest(name: str) -> None:
    some = mover(SHAPES[name])
    assert not some.free.clear(np.broadcast_to(AT, SPOTS.shape), SPOTS).any()
    for spot, way in zip(SPOTS, some.ways_to(SPOTS), strict=True):
        shortest = some.true_way(spot)
        assert way is not None
        assert shortest is not None
        path, far = way
        assert path.end == tuple(spot)
        assert far == pytest.approx(path.length)
        assert far == pytest.approx(shortest.length, abs=1e-9)
        assert not check_path(path, R32, AT, 14.0, some.footing.ground)


def test_what_is_too_far_or_shut_by_another_shape_has_no_way() -> None:
    near = mover(SHAPES["oval"], limit=8.6)
    far = [way and way[1] for way in near.ways_to(SPOTS)]
    assert [long is not None for long in far] == [
        isinstance(way, Path) for way in (near.true_way(spot) for spot in SPOTS)
    ]
    assert None in far
    fence = Outlines(np.array([(14.0, y) for y in np.arange(0.5, 44.0, 2.0)]), np.full(22, 1.5))
    assert mover(fence, limit=40.0).ways_to(SPOTS[:3]) == [None, None, None]


@pytest.mark.parametrize("name", SHAPES)
def test_a_mirrored_table_gives_the_mirrored_ways(name: str) -> None:
    there = mover(SHAPES[name]).ways_to(SPOTS)
    shape = SHAPES[name]
    turned = {
        "disc": shape,
        "oval": oval(14.0, 20.3, -70.0),
        "hull": shapes_of(shape.xy, [stance_of(hull_base(4.0, 3.0), -30.0)]),
    }[name]
    flip = np.array([1.0, -1.0])
    low = Outlines(turned.xy * flip + (0, 40.0), turned.radius, turned.core)
    back = mover(low).ways_to(SPOTS * flip + (0, 40.0))
    for way, other in zip(there, back, strict=True):
        assert way is not None
        assert other is not None
        assert way[1] == pytest.approx(other[1], abs=1e-6)
