"""Ovals and hulls see and are seen by their true rims, never by the circle round them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from geometry.measure.body import Bodies
from geometry.shape.base import Base, Floats, hull_base, oval_base, round_base
from geometry.shape.convex_shape import core_of, margin_of
from geometry.shape.core_polygon import Core
from geometry.sight.landscape import Landscape, Opacity, Piece
from geometry.sight.visibility import sight, visible

BASES = (round_base(32), oval_base(60, 35), oval_base(170, 105), hull_base(6, 3), hull_base(4.7, 2.2))


def bodies(*places: tuple[float, float, Base, float], height: float = 2.5, sees_out: bool = False) -> Bodies:
    """Return bodies at (x, y, base, facing)."""
    n = len(places)
    return Bodies(
        np.array([(x, y) for x, y, _, _ in places]),
        np.zeros(n),
        np.array([margin_of(base) for _, _, base, _ in places]),
        np.full(n, height),
        np.zeros(n, dtype=bool),
        np.full(n, sees_out),
        tuple(core_of(base, facing) for _, _, base, facing in places),
    )


def box(x0: float, y0: float, x1: float, y1: float, opacity: Opacity = "solid", id: str = "box") -> Piece:
    return Piece(id, ((x0, y0), (x1, y0), (x1, y1), (x0, y1)), 9.0, opacity)


def ring(core: Core, radius: float, at: Floats, points: int) -> Floats:
    """Return points on a rim, and its corners.

    Each arc has as many as if a whole turn had `points`.
    """
    found = []
    for centre, own, low, width in zip(core.centre, core.radius, core.low, core.width, strict=True):
        angle = low + np.linspace(0, width, max(2, math.ceil(points * width / math.tau)))
        found.append(centre + (own + radius) * np.stack([np.cos(angle), np.sin(angle)], axis=1))
    return np.asarray(at + np.vstack(found))


def rim(core: Core, radius: float, at: Floats, points: int) -> Floats:
    """Return as many points on a rim, at even distances."""
    whole = ring(core, radius, at, 8 * points)
    whole = np.vstack([whole, whole[:1]])
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(whole, axis=0).T))])
    asked = np.linspace(0, along[-1], points, endpoint=False)
    return np.stack([np.interp(asked, along, whole[:, k]) for k in (0, 1)], axis=1)


def see(here: Bodies, there: Bodies, *pieces: Piece) -> str:
    answer = sight(here, there, Landscape(pieces))
    assert visible(here, there, Landscape(pieces))[0, 0] == answer.visible[0, 0]
    if not answer.visible[0, 0]:
        return "hidden"
    return "fully" if answer.fully[0, 0] else "partly"


# known verdicts


H = bodies((24, 22, round_base(32), 0))
RUIN = box(28, 18, 34, 26, "boundless")
TOWER = oval_base(170, 105)


@pytest.mark.rule("CORE.TER.6")
def test_s_l16_a_towering_oval_overlaps_a_ruin_by_its_true_rim() -> None:
    inside = bodies((35, 22, TOWER, 0), sees_out=True)
    assert see(inside, H, RUIN) == "fully"
    outside = bodies((40, 22, TOWER, 0), sees_out=True)
    assert see(outside, H, RUIN) == see(H, outside, RUIN) == "hidden"
    # A half axis of 2.067 inches keeps it out at 36.5 when it stands across, one of 3.346 not when along.
    across, along = (bodies((36.5, 22, TOWER, turn), sees_out=True) for turn in (90, 0))
    assert see(across, H, RUIN) == "hidden"
    assert see(along, H, RUIN) == "fully"


@pytest.mark.rule("CORE.TER.6")
def test_an_oval_that_touches_a_ruin_is_not_in_it() -> None:
    half = 105 / 25.4 / 2
    assert see(H, bodies((34 + half, 22, TOWER, 90)), RUIN) == "hidden"
    assert see(H, bodies((34 + half - 0.001, 22, TOWER, 90)), RUIN) != "hidden"


@pytest.mark.rule("CORE.TER.6")
def test_a_hull_wholly_within_sees_out_and_one_with_a_corner_out_does_not() -> None:
    target = bodies((40, 30, round_base(32), 0))
    assert see(bodies((31, 20, hull_base(6, 4), 0)), target, RUIN) == "fully"
    assert see(bodies((30.99, 20, hull_base(6, 4), 0)), target, RUIN) == "hidden"
    assert see(bodies((30.5, 22, hull_base(5, 4), 45)), target, RUIN) == "hidden"


@pytest.mark.rule("CORE.LOS.1")
def test_an_oval_is_seen_only_past_its_tip() -> None:
    half = 170 / 25.4 / 2
    wall = box(30, 10, 31, 22, id="wall")
    watcher = bodies((2, 21, round_base(32), 0))
    # Whoever looks over the wall's end from y = 21 sees nothing below y = 22 behind it.
    assert 19 + half > 22.1 > 22 > 19 + 105 / 25.4 / 2
    assert see(watcher, bodies((34, 19, TOWER, 90)), wall) == "partly"
    assert see(watcher, bodies((34, 19, TOWER, 0)), wall) == "hidden"
    assert see(watcher, bodies((34, 22 - half, TOWER, 90)), wall) == "hidden"


@pytest.mark.rule("CORE.LOS.1")
def test_a_hull_shows_its_corner_and_nothing_else() -> None:
    watcher = bodies((20, 20, hull_base(0.001, 0.001), 0))
    wall = box(30, 10, 30.5, 24, id="wall")
    # The line from (20, 20) over the corner (30, 24) rises by 0.4 an inch.
    top = 20 + 0.4 * 15
    hidden = bodies((35, top - 1.02, hull_base(2, 2), 0))
    shown = bodies((35, top - 1.0 + 0.45, hull_base(2, 2), 0))
    assert see(watcher, hidden, wall) == "partly"  # its corner at x = 34 rises over the line
    assert see(watcher, bodies((35, top - 1.45, hull_base(2, 2), 0)), wall) == "hidden"
    assert see(watcher, shown, wall) == "partly"
    assert see(watcher, bodies((35, top + 1.45, hull_base(2, 2), 0)), wall) == "fully"


@pytest.mark.rule("CORE.LOS.2")
def test_over_a_low_wall_of_three_arms_all_of_a_base_is_seen() -> None:
    # From no end of an arm: from where the line to each point just comes over a side of it.
    inner = ((8.239336, 4.292409), (7.90517, 4.465457), (6.873321, 2.472888), (7.207487, 2.29984))
    ring = ((5.95622, 1.052624), (8.535843, 6.034047), (9.013223, 5.786836), *inner, (6.4336, 0.805413))
    here = bodies((6.5303, 5.2722, oval_base(60, 35), 45), height=4.0)
    there = bodies((11.91, 1.972, round_base(90), 0), height=4.0)
    assert see(here, there, Piece("low", ring, 3.0, "solid")) == "fully"
    assert see(here, there, Piece("high", ring, 3.7, "solid")) == "partly"


@pytest.mark.rule("CORE.LOS.1")
def test_two_slits_in_line_let_one_line_pass() -> None:
    a, b = bodies((20, 20, hull_base(2, 1), 30)), bodies((40, 25, oval_base(60, 35), 70))
    hair = 1e-5

    def walls(first: float, second: float, slit: float) -> list[Piece]:
        """Return two thick walls with a slit each."""
        slits = ((26, first), (34, second))
        ends = [(x, *span) for x, y in slits for span in ((0, y), (y + slit, 44))]
        return [box(x, y0, x + 0.1, y1, id=f"{x}{y0}") for x, y0, y1 in ends]

    assert see(a, b, *walls(21.55, 23.5, hair)) == "hidden"
    level = bodies((20, 22, hull_base(2, 1), 30)), bodies((40, 23, oval_base(60, 35), 70))
    assert see(*level, *walls(22.5, 22.5, hair)) == "partly"
    assert see(*level, *walls(22.5, 22.501, hair)) == "hidden"
    # Where the ends of the walls meet there is no slit.
    assert see(*level, *walls(22.5, 22.5, 0.0)) == "hidden"


def test_a_slit_between_corners_is_found_whatever_its_slope() -> None:
    # Two thin diamonds touch a line of slope 0.3 from either side, far apart from one another.
    def diamond(x: float, y: float, up: float, id: str) -> Piece:
        return Piece(id, ((x, y), (x - 1, y + up), (x + 1, y + up)), 9.0, "solid")

    def y(x: float) -> float:
        return 20 + 0.3 * (x - 20)

    fan = [diamond(x, y(x), up, f"{x}") for x, up in ((24.0, 9.0), (26.0, -9.0), (33.0, 9.0), (35.0, -9.0))]
    a, b = bodies((20, 20, oval_base(60, 35), 40)), bodies((40, 26, hull_base(4.7, 2.2), 15))
    assert see(a, b, *fan) == "partly"
    # Now no line at all: the second pair has been moved so that the lanes do not meet.
    shut = [replace(p, polygon=tuple((px, py - 3.0) for px, py in p.polygon)) for p in fan[2:]]
    wide = [box(24.5, 0, 25.5, y(25) - 0.1, id="lo"), box(24.5, y(25) + 0.1, 25.5, 44, id="hi")]
    far = [box(34.5, 0, 35.5, y(35) + 2.4, id="lo2"), box(34.5, y(35) + 2.6, 35.5, 44, id="hi2")]
    assert see(a, b, *shut, *wide, *far) == "hidden"


# against dense sampling


def placed(chance: np.random.Generator, n: int) -> Bodies:
    return bodies(
        *(
            (*chance.uniform((1, 1), (23, 17)), BASES[chance.integers(len(BASES))], turn)
            for turn in chance.choice([0.0, 90.0, 33.0, 200.0, 301.0], n).tolist()
        )
    )


def table(chance: np.random.Generator) -> list[Piece]:
    found = []
    for i in range(int(chance.integers(3, 8))):
        c, s = np.cos(turn := float(chance.uniform(0, 6))), np.sin(turn)
        size = chance.uniform(0.3, 5, 2)
        at = chance.uniform((2, 2), (22, 16))
        corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * size @ np.array([[c, s], [-s, c]]) + at
        found.append(Piece(f"p{i}", tuple(map(tuple, corners.tolist())), 9.0, "solid"))
    return found


def outline_of(body: Bodies, i: int) -> Any:
    return shapely.Polygon(ring(body.core[i], float(body.radius[i]), body.xy[i], 2000))


@pytest.mark.rule("CORE.LOS.1")
@pytest.mark.parametrize("seed", range(8))
def test_shapes_see_as_sampled_lines_say(seed: int) -> None:
    chance = np.random.default_rng(seed)
    here, there, pieces = placed(chance, 6), placed(chance, 6), table(chance)
    walls = shapely.union_all([shapely.Polygon(p.polygon).buffer(-2e-6, join_style="mitre") for p in pieces])
    shapely.prepare(walls)
    seen = sight(here, there, Landscape(pieces))
    for i, j in np.ndindex(6, 6):
        one, two = outline_of(here, i), outline_of(there, j)
        if one.distance(two) < 1e-3:
            continue
        if seen.visible[i, j]:
            ends = [shapely.Point(point[:2]) for point in seen.witness(i, j)]
            assert one.distance(ends[0]) < 2e-3
            assert two.distance(ends[1]) < 2e-3
            assert shapely.LineString(ends).intersection(walls).length == 0
        else:
            q = rim(here.core[i], float(here.radius[i]), here.xy[i], 48)
            p = rim(there.core[j], float(there.radius[j]), there.xy[j], 48)
            both = np.stack(np.broadcast_arrays(q[:, None], p[None, :]), axis=-2)
            assert shapely.intersects(walls, shapely.linestrings(both)).all()


@pytest.mark.rule("CORE.LOS.2")
@pytest.mark.parametrize("seed", range(6))
def test_a_sampled_hidden_point_of_a_shape_is_never_overlooked(seed: int) -> None:
    chance = np.random.default_rng(50 + seed)
    here, there, pieces = placed(chance, 4), placed(chance, 4), table(chance)
    seen = sight(here, there, Landscape(pieces))
    walls = [shapely.Polygon(p.polygon).buffer(-1e-4, join_style="mitre") for p in pieces]
    for i, j in np.ndindex(4, 4):
        if outline_of(here, i).distance(outline_of(there, j)) < 1e-3:
            continue
        q = rim(here.core[i], float(here.radius[i]), here.xy[i], 96)
        p = rim(there.core[j], float(there.radius[j]), there.xy[j], 64)
        p = np.vstack([there.xy[j] + share * (p - there.xy[j]) for share in (0.999, 0.6)])
        together = np.zeros((len(p), len(q)), dtype=bool)
        both = np.stack(np.broadcast_arrays(p[:, None], q[None, :]), axis=-2)
        for k, wall in enumerate(walls):
            shapely.prepare(wall)
            shut = shapely.intersects(wall, shapely.linestrings(both))
            assert seen.obscured_by[i, j, k] or not shut.all(axis=1).any()
            together |= shut
        assert not (seen.fully[i, j] and together.all(axis=1).any())


# properties

places = st.lists(
    st.tuples(
        st.floats(0, 24).map(lambda x: round(x, 2)),
        st.floats(0, 24).map(lambda x: round(x, 2)),
        st.sampled_from(BASES),
        st.sampled_from([0.0, 90.0, 37.0, 180.0]),
    ),
    min_size=1,
    max_size=3,
)
seeds = st.integers(0, 2**32 - 1)


@settings(max_examples=40, deadline=None)
@given(places, places, seeds)
def test_a_line_between_shapes_serves_both_ways(a: list[Any], b: list[Any], seed: int) -> None:
    land = Landscape(table(np.random.default_rng(seed)))
    one, two = bodies(*a), bodies(*b)
    assert np.array_equal(visible(one, two, land), visible(two, one, land).T)


@pytest.mark.rule("CORE.LOS.2")
@pytest.mark.parametrize("side", [-1, 1])
def test_what_a_body_stands_in_hides_a_part_of_it_from_one_above_its_middle(side: int) -> None:
    """An oval's end is in a solid piece, on either side of the body that looks down on it."""
    above = bodies((20.0, 20.0, round_base(32), 0.0))
    oval = bodies((20.0, 20.0, oval_base(170, 105), 0.0))
    near = box(20 + side * 4.5 - 1.5, 19, 20 + side * 4.5 + 1.5, 21, "solid", "crate")
    far = box(20 + side * 6 - 1.5, 19, 20 + side * 6 + 1.5, 21, "solid", "crate")
    assert not sight(above, oval, Landscape([near])).fully[0, 0]
    assert sight(above, oval, Landscape([far])).fully[0, 0]


@settings(max_examples=40, deadline=None)
@given(places, places, seeds, st.sampled_from(["shift", "mirror", "turn"]))
def test_s_inv_the_verdict_on_shapes_moves_with_the_table(
    a: list[Any], b: list[Any], seed: int, how: str
) -> None:
    def way(x: float, y: float) -> tuple[float, float]:
        return {"shift": (x + 3.5, y - 1.25), "mirror": (24 - x, y), "turn": (24 - y, x)}[how]

    def facing(angle: float) -> float:
        return {"shift": angle, "mirror": 180 - angle, "turn": angle + 90}[how]

    pieces = table(np.random.default_rng(seed))
    moved = [replace(p, polygon=tuple(way(*corner) for corner in p.polygon)) for p in pieces]
    before = sight(bodies(*a), bodies(*b), Landscape(pieces))
    one, two = (bodies(*((*way(x, y), base, facing(f)) for x, y, base, f in some)) for some in (a, b))
    after = sight(one, two, Landscape(moved))
    assert np.array_equal(before.visible, after.visible)
    assert np.array_equal(before.fully, after.fully)


@pytest.mark.rule("CORE.LOS.1")
def test_a_hull_with_a_corner_on_a_ruin_does_not_see_along_nothing() -> None:
    """Its side lies flush with a ruin's; from the corner on that border no line leads elsewhere."""
    hull = bodies((43.5, 38.5, hull_base(4.5, 3), 270.0))
    disc = bodies((10.7586074, 1.7535304, round_base(40), 0.0))
    ruins = (
        box(37.0, 33.5, 42.0, 43.5, "boundless", "near"),
        box(18.0, 0.5, 23.0, 10.5, "boundless", "far"),
    )
    assert sight(hull, disc, Landscape(ruins)).witness(0, 0) == ("near", "far")
    assert not visible(disc, hull, Landscape(ruins)).any()


@pytest.mark.rule("CORE.LOS.1", "CORE.TER.4")
def test_over_a_low_wall_and_past_a_corner_a_sliver_of_lines_is_found() -> None:
    low = Piece("low", ((-22.06, -5.62), (-6.65, -29.44), (23.63, -9.86), (8.22, 13.96)), 2.04, "solid")
    wall = Piece("wall", ((2.29, 11.07), (30.71, 20.67), (30.64, 20.86), (2.22, 11.26)), 50.0, "solid")
    other = Piece("other", ((1.99, 9.45), (-26.43, -0.15), (-26.37, -0.34), (2.05, 9.28)), 50.0, "solid")
    here = bodies((4.13, 14.23, hull_base(7, 4.2), 0), height=1.5)
    there = bodies((4.62, 5.0, round_base(32), 0))
    assert see(here, there, low, wall, other) != "hidden"
    assert see(there, here, low, wall, other) != "hidden"
