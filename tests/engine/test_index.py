"""The index of the table: what is near a point, a path or the mouse.

Bases of every shape, terrain and a table that changes are tried.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import event as ev
from engine.core.apply import apply
from engine.core.facts import BaseFacts, Point, TerrainFacts
from engine.core.state import Position, State
from engine.scenario.situation import Stand
from engine.table.index import Index

DISC = BaseFacts(shape="round", length=2.0, width=2.0)
OVAL = BaseFacts(shape="oval", length=4.0, width=2.0)
HULL = BaseFacts(shape="hull", length=6.0, width=2.0)
HAIR = 1e-4
"""Much more than the tolerance of lengths, and much less than any base, in inches."""
PIECES = (
    TerrainFacts(id="woods", kind="woods", footprint=((10.0, 10.0), (20.0, 10.0), (20.0, 14.0))),
    TerrainFacts(
        id="crater", kind="crater", footprint=((18.0, 8.0), (24.0, 8.0), (24.0, 12.0), (18.0, 12.0))
    ),
)


def enter(state: State, name: str, *at: Point, base: BaseFacts = DISC, facing: float = 0.0) -> None:
    """Set up a unit of models on the ground."""
    stand = Stand(name, "players", at, base=base)
    facts = stand.facts(len(state.position.models))
    poses = {model.row: (*spot, 0.0, facing) for model, spot in zip(facts.models, at, strict=True)}
    apply(state, ev.Placed(unit=name, poses=poses, facts=facts))


def table(*at: Point, **more: Any) -> State:
    """Return a state with one unit on the table."""
    state = State()
    enter(state, "unit", *at, **more)
    return state


def index(state: State) -> Index:
    return Index(state.position)


# models


def test_a_round_base_is_near_as_far_as_its_rim() -> None:
    found = index(table((10.0, 10.0)))
    assert found.models_near_point(14.0, 10.0, 3.0) == (0,)
    assert found.models_near_point(14.0 + HAIR, 10.0, 3.0) == ()
    assert found.models_near_point(14.0 + HAIR / 1000, 10.0, 3.0) == (0,)


def test_what_is_near_in_both_directions_may_be_too_far_across() -> None:
    # The point lies in the corner of the box round the reach, and 3.24 inches from the rim.
    assert index(table((10.0, 10.0))).models_near_point(13.0, 13.0, 3.0) == ()


def test_the_mouse_is_over_a_base_up_to_its_rim() -> None:
    found = index(table((10.0, 10.0)))
    assert found.models_at(11.0, 10.0) == (0,)
    assert found.models_at(11.0 + HAIR, 10.0) == ()


@pytest.mark.parametrize(
    ("facing", "long", "short"), [(0.0, (2.0, 0.0), (0.0, 1.0)), (90.0, (0.0, 2.0), (1.0, 0.0))]
)
def test_an_oval_base_is_found_as_it_faces(facing: float, long: Point, short: Point) -> None:
    found = index(table((10.0, 10.0), base=OVAL, facing=facing))
    for x, y in (long, short):
        assert found.models_at(10 + x * (1 - HAIR), 10 + y * (1 - HAIR)) == (0,)
        assert found.models_at(10 + x * (1 + HAIR), 10 + y * (1 + HAIR)) == ()
    assert found.models_near_point(10 + 2 * short[0], 10 + 2 * short[1], 1.0) == (0,)
    assert found.models_near_point(10 + 3 * short[0], 10 + 3 * short[1], 1.0) == ()


def test_a_hull_is_found_at_its_corner_and_not_in_the_circle_round_it() -> None:
    found = index(table((10.0, 10.0), base=HULL))
    assert found.models_at(13.0, 11.0) == (0,)
    assert found.models_at(10.0, 11.0 + HAIR) == ()
    # A quarter turn stands it upright.
    upright = index(table((10.0, 10.0), base=HULL, facing=90.0))
    assert upright.models_at(13.0, 11.0) == ()
    assert upright.models_at(11.0, 13.0) == (0,)


def test_a_point_off_a_hull_s_corner_is_as_far_as_the_corner() -> None:
    found = index(table((10.0, 10.0), base=HULL))
    assert found.models_near_point(16.0, 15.0, 5.0) == (0,)
    assert found.models_near_point(16.0 + HAIR, 15.0, 5.0) == ()


def test_models_equally_near_are_in_order_of_their_rows() -> None:
    ring = [(10 + 3 * math.cos(turn), 10 + 3 * math.sin(turn)) for turn in np.arange(8) * math.tau / 8]
    assert index(table(*ring)).models_near_point(10.0, 10.0, 2.0) == tuple(range(8))
    assert index(table(*reversed(ring))).models_near_path([(10.0, 10.0), (10.0, 10.1)], 2.2) == tuple(
        range(8)
    )


def test_a_path_finds_what_stands_beside_any_leg_and_nothing_beyond_its_ends() -> None:
    state = table((10.0, 3.0), (15.0, 10.0), (10.0, 10.0), (10.0, -3.0), (24.0, 0.0))
    # Two legs along the sides of a square: the third model is far from both, the last off the first's end.
    way = [(0.0, 0.0), (20.0, 0.0), (20.0, 20.0)]
    assert index(state).models_near_path(way, 2.0) == (0, 3)
    assert index(state).models_near_path(way, 3.0) == (0, 3, 4)
    assert index(state).models_near_path(way, 4.0) == (0, 1, 3, 4)


def test_a_path_through_a_base_and_one_that_stays_find_it() -> None:
    found = index(table((10.0, 10.0), base=OVAL))
    assert found.models_near_path([(0.0, 10.0), (20.0, 10.0)], 0.0) == (0,)
    assert found.models_near_path([(12.0, 10.0)], 0.0) == (0,)
    assert found.models_near_path([(13.0, 10.0), (13.0, 10.0)], 0.5) == ()
    assert found.models_near_path([], 9.0) == ()


def test_a_rectangle_finds_every_base_that_meets_it() -> None:
    found = index(table((10.0, 10.0), (20.0, 10.0), (30.0, 10.0)))
    assert found.models_about((21.0, 0.0, 28.0, 40.0)) == (1,)
    assert found.models_about((21.0, 0.0, 29.0, 40.0)) == (1, 2)


# a table that changes


def test_no_model_on_the_table() -> None:
    for state in (State(), table()):
        found = index(state)
        assert found.models_at(0.0, 0.0) == found.models_near_path([(0.0, 0.0), (60.0, 44.0)], 99.0) == ()
        assert found.terrain_at(0.0, 0.0) == found.terrain_near_path([(0.0, 0.0), (60.0, 44.0)], 99.0) == ()


def test_a_model_that_has_moved_is_found_where_it_stands_now() -> None:
    state = table((10.0, 10.0), (20.0, 10.0))
    found = index(state)
    assert found.models_at(10.0, 10.0) == (0,)
    apply(state, ev.Moved(unit="unit", kind_of_move="normal", poses={0: (30.0, 10.0, 0.0, 0.0)}, paths={}))
    assert found.models_at(10.0, 10.0) == ()
    assert found.models_at(30.0, 10.0) == (0,)
    assert found.models_at(20.0, 10.0) == (1,)


def test_a_model_that_has_only_turned_is_found_as_it_faces_now() -> None:
    state = table((10.0, 10.0), base=HULL)
    found = index(state)
    assert found.models_at(12.5, 10.0) == (0,)
    apply(state, ev.Moved(unit="unit", kind_of_move="normal", poses={0: (10.0, 10.0, 0.0, 90.0)}, paths={}))
    assert found.models_at(12.5, 10.0) == ()


def test_a_destroyed_model_is_found_no_more_and_a_new_unit_is() -> None:
    state = table((10.0, 10.0), (11.0, 10.0))
    found = index(state)
    assert found.models_at(10.5, 10.0) == (0, 1)
    apply(state, ev.Destroyed(unit="unit", model=0))
    assert found.models_at(10.5, 10.0) == (1,)
    enter(state, "late", (10.0, 10.0), base=HULL)
    assert found.models_at(10.5, 10.0) == (1, 2)


@pytest.mark.parametrize("gone", [ev.Embarked(unit="unit", transport="rhino"), ev.Reserved(unit="unit")])
def test_a_unit_that_left_the_table_is_found_no_more(gone: ev.Event) -> None:
    state = table((10.0, 10.0))
    enter(state, "rhino", (14.0, 10.0), base=HULL)
    found = index(state)
    assert found.models_near_point(12.0, 10.0, 2.0) == (0, 1)
    apply(state, gone)
    assert found.models_near_point(12.0, 10.0, 2.0) == (1,)


def test_an_index_of_a_copied_state_stays_with_its_own_position() -> None:
    state = table((10.0, 10.0))
    before, copy = index(state), state.copy()
    assert before.models_at(10.0, 10.0) == (0,)
    apply(copy, ev.Destroyed(unit="unit", model=0))
    assert before.models_at(10.0, 10.0) == (0,)
    assert index(copy).models_at(10.0, 10.0) == ()


# terrain


def wooded() -> State:
    """Return a state with a triangle of woods over whose sharp end a crater lies."""
    return State(position=Position(terrain={piece.id: piece for piece in PIECES}))


def test_terrain_is_found_inside_its_outline_and_on_its_border() -> None:
    found = index(wooded())
    assert found.terrain_at(19.0, 11.0) == (0, 1)
    assert found.terrain_at(23.0, 9.0) == (1,)
    assert found.terrain_at(15.0, 10.0) == (0,)
    # In the box round the triangle, and outside the triangle.
    assert found.terrain_at(11.0, 13.0) == ()


def test_terrain_is_near_as_far_as_its_outline() -> None:
    found = index(wooded())
    assert found.terrain_near_point(15.0, 7.0, 3.0) == (0,)
    assert found.terrain_near_point(15.0, 7.0 - HAIR, 3.0) == ()
    assert found.terrain_near_point(15.0, 7.0, 4.0) == (0, 1)


def test_terrain_beside_a_path_is_found() -> None:
    found = index(wooded())
    assert found.terrain_near_path([(0.0, 5.0), (60.0, 5.0)], 2.9) == ()
    assert found.terrain_near_path([(0.0, 5.0), (60.0, 5.0)], 3.0) == (1,)
    assert found.terrain_near_path([(0.0, 5.0), (60.0, 5.0)], 5.0) == (0, 1)
    assert found.terrain_near_path([(15.0, 9.0)], 1.0) == (0,)
    assert found.terrain_near_path([(15.0, 9.0), (15.0, 9.0)], 0.9) == ()


def test_terrain_that_is_removed_is_found_no_more() -> None:
    state = wooded()
    found = index(state)
    assert found.terrain_about((0.0, 0.0, 60.0, 44.0)) == (0, 1)
    apply(state, ev.Removed(what="terrain:woods"))
    assert found.terrain_at(19.0, 11.0) == (0,)
    assert [*state.position.terrain] == ["crater"]


# against all rows

INCHES = st.integers(0, 96).map(lambda quarters: quarters / 4)
SPOTS = st.tuples(INCHES, INCHES)
BASES = st.sampled_from([DISC, OVAL, HULL])
UNITS = st.lists(st.tuples(SPOTS, BASES, st.sampled_from([0.0, 30.0, 45.0, 90.0, 201.5])), max_size=24)


@settings(max_examples=150, deadline=None)
@given(UNITS, st.lists(SPOTS, min_size=1, max_size=4), INCHES, st.sets(st.integers(0, 23)))
def test_the_index_finds_what_the_distances_of_all_rows_find(
    stood: list[tuple[Point, BaseFacts, float]], way: list[Point], reach: float, lost: set[int]
) -> None:
    state = State()
    for row, (at, base, facing) in enumerate(stood):
        enter(state, f"unit-{row}", at, base=base, facing=facing)
        if row in lost:
            apply(state, ev.Destroyed(unit=f"unit-{row}", model=row))
    found, x, y = index(state), *way[0]
    start, end = (np.array(way[:-1] or way), np.array(way[1:] or way))
    bases = {row: state.position.table.outlines((row,)) for row in range(len(stood)) if row not in lost}
    of_point = {row: float(base.distances(start[:1])[0, 0]) for row, base in bases.items()}
    of_path = {row: float(base.line_distances(start, end).min()) for row, base in bases.items()}
    assert found.models_near_point(x, y, reach) == tuple(
        r for r, far in of_point.items() if far <= reach + 1e-6
    )
    assert found.models_near_path(way, reach) == tuple(r for r, far in of_path.items() if far <= reach + 1e-6)
    assert found.models_at(x, y) == tuple(r for r, far in of_point.items() if far <= 1e-6)
    assert set(found.models_near_path(way, 0.0)) <= set(
        found.models_about(shapely.LineString([*way, way[0]]).bounds)
    )


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(SPOTS, SPOTS, SPOTS), max_size=8), st.lists(SPOTS, min_size=1, max_size=3), INCHES)
def test_the_index_finds_the_terrain_that_the_distances_of_all_pieces_find(
    corners: list[tuple[Point, Point, Point]], way: list[Point], reach: float
) -> None:
    rings = [ring for ring in corners if shapely.Polygon(ring).area > 0]
    pieces = [TerrainFacts(id=f"t{i}", kind="woods", footprint=ring) for i, ring in enumerate(rings)]
    found = Index(Position(terrain={piece.id: piece for piece in pieces}))
    areas, spots = [shapely.Polygon(ring) for ring in rings], [shapely.Point(at) for at in way]
    legs = [shapely.LineString(leg) for leg in pairwise(way) if leg[0] != leg[1]]
    far = [min(shapely.distance(area, leg) for leg in [*spots, *legs]) for area in areas]
    near = [shapely.distance(area, spots[0]) for area in areas]
    assert found.terrain_near_path(way, reach) == tuple(
        i for i, each in enumerate(far) if each <= reach + 1e-6
    )
    assert found.terrain_near_point(*way[0], reach) == tuple(
        i for i, e in enumerate(near) if e <= reach + 1e-6
    )
