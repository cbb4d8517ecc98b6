"""Draws the pictures of docs/geometry.md with the project's own answers:

    python scripts/draw_geometry.py docs/pictures

Every line, path and place in them is what the functions of `geometry` return for the situation shown.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path as File
from typing import Annotated

import numpy as np
import typer
from sheet import Point, Sheet, rim

from geometry.group.group_move import Front, Moved, Party, Placed, move_toward, place_group
from geometry.measure.body import Bodies
from geometry.measure.coherency import Spacing
from geometry.measure.region import covered_area, front, split_equal
from geometry.path.elevation import Rise
from geometry.path.ground import Ground
from geometry.path.pivoting import turning_path
from geometry.path.planner import Path, path
from geometry.shape.base import Base, Polygon, hull_base, oval_base, round_base
from geometry.shape.convex_shape import Outlines, core_of, difference, margin_of
from geometry.shape.core_polygon import Core
from geometry.sight.landscape import Landscape, Opacity, Piece
from geometry.sight.visibility import Sight, sight
from viewer.story.motion import polyline
from viewer.window.palette import DEFAULT, Colour

PLAYER = DEFAULT.players[0]
INFANTRY = round_base(32)
TALL = 2.5


def box(x0: float, y0: float, x1: float, y1: float) -> Polygon:
    """Return a rectangle."""
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))


def bodies(bases: Sequence[Base], xy: Sequence[Point], z: Sequence[float] | None = None) -> Bodies:
    """Return upright bodies of one height."""
    n = len(bases)
    no = np.zeros(n, dtype=bool)
    radius = np.array([margin_of(base) for base in bases])
    cores = tuple(core_of(base) for base in bases)
    foot = np.zeros(n) if z is None else np.array(z, dtype=float)
    return Bodies(np.array(xy), foot, radius, np.full(n, TALL), no, no, cores)


# sight


def draw_sight() -> Sheet:
    """Draw a free line that rays between centres or rims miss, and what closes the other lines."""
    sheet = Sheet((18, 16.6), (27.5, 13.2))
    shapes: list[tuple[str, Opacity, Polygon]] = [
        ("ruin", "boundless", box(24, 17.2, 28, 21.7)),
        ("ruin", "boundless", box(31, 22.15, 35, 26)),
        ("woods", "veil", box(22.2, 25.6, 25.8, 28.4)),
    ]
    names = ["ruin a", "ruin b", "woods"]
    pieces = [Piece(name, ring, 5.0, how) for name, (_, how, ring) in zip(names, shapes, strict=True)]
    for name, (kind, _, ring) in zip(names, shapes, strict=True):
        sheet.terrain(kind, ring, name, at_top=name == "ruin b")
    eye = (20.0, 21.2)
    seen = [(40.0, 22.7), (40.0, 24.9), (40.0, 19.2), (33.5, 28.2), (26.9, 28.8)]
    found = sight(bodies([INFANTRY], [eye]), bodies([INFANTRY] * 5, seen), Landscape(pieces))
    for j, spot in enumerate(seen):
        _draw_verdict(sheet, found, eye, spot, j)
    sheet.base(INFANTRY, eye, DEFAULT.horde)
    return sheet


def _draw_verdict(sheet: Sheet, found: Sight, eye: Point, spot: Point, j: int) -> None:
    witness = found.witness(0, j)
    reach = INFANTRY.length / 2
    if found.visible[0, j]:
        colour = DEFAULT.good if found.fully[0, j] else DEFAULT.accent
        sheet.line(witness, colour, 0.07)  # type: ignore[arg-type]
        words = "fully visible" if found.fully[0, j] else "visible, not fully"
    else:
        colour, words = DEFAULT.loss, f"hidden by {' and '.join(map(str, witness))}"
        way = math.atan2(spot[1] - eye[1], spot[0] - eye[0]) + math.pi / 2
        aside = (reach * math.cos(way), reach * math.sin(way))
        for turn in (1, -1):
            a, b = ((at[0] + turn * aside[0], at[1] + turn * aside[1]) for at in (eye, spot))
            sheet.dashes(a, b, DEFAULT.loss, 0.045)
    sheet.base(INFANTRY, spot, PLAYER)
    sheet.label(words, (spot[0] + 0.9, spot[1]), colour, anchor="midleft")


def draw_heights() -> Sheet:
    """Draw from the side what is seen from a floor, from the ground and past a low crate."""
    sheet = Sheet((0, -2.6), (42, 12.8), grid=False)
    crate, low = box(15, 0, 18, 4), box(27.5, 0, 30, 1.6)
    depth = 10.0
    pieces = [
        Piece("crate", box(15, -depth, 18, depth), 4.0, "solid"),
        Piece("low crate", box(27.5, -depth, 30, depth), 1.6, "solid"),
    ]
    sheet.area(box(-1, -3, 43, 0), DEFAULT.line)
    sheet.line([(0, 0), (42, 0)], DEFAULT.soft, 0.05)
    sheet.area(box(1, 0, 6, 9), DEFAULT.terrain["ruin"][0], 90)
    for z in (0.0, 6.0, 9.0):
        sheet.line([(1, z), (6, z)], DEFAULT.terrain["ruin"][1], 0.08)
    sheet.terrain("container", crate, "4")
    sheet.terrain("container", low, "1.6")
    eyes, feet = [(3.5, 0.0), (3.5, 0.0)], [6.0, 0.0]
    seen = [(22.0, 0.0), (33.0, 0.0), (39.0, 0.0)]
    found = sight(bodies([INFANTRY] * 2, eyes, feet), bodies([INFANTRY] * 3, seen), Landscape(pieces))
    for i, z in enumerate(feet):
        for j, (x, _) in enumerate(seen):
            line = found.line(i, j)
            if line is not None:
                colour = DEFAULT.good if found.fully[i, j] else DEFAULT.accent
                sheet.line([(line[0][0], line[0][2]), (line[1][0], line[1][2])], colour, 0.09)
            else:
                sheet.dashes((eyes[i][0], z + TALL), (x, TALL), DEFAULT.loss, 0.06, 0.5)
        _draw_side(sheet, eyes[i][0], z, DEFAULT.horde)
    colours = {"hidden": DEFAULT.loss, "visible": DEFAULT.accent, "fully visible": DEFAULT.good}
    for j, (x, _) in enumerate(seen):
        _draw_side(sheet, x, 0.0, PLAYER)
        words = [list(colours)[int(found.visible[i, j]) + int(found.fully[i, j])] for i in (0, 1)]
        for words_, height in zip(words, (-0.85, -1.75), strict=True):
            sheet.label(words_, (x, height), colours[words_])
    sheet.label("from the floor at 6", (1, -0.85), DEFAULT.soft, anchor="midleft")
    sheet.label("from the ground", (1, -1.75), DEFAULT.soft, anchor="midleft")
    return sheet


def _draw_side(sheet: Sheet, x: float, z: float, colour: Colour) -> None:
    reach = INFANTRY.length / 2
    ring = box(x - reach, z, x + reach, z + TALL)
    sheet.area(ring, colour)
    sheet.line([*ring, ring[0]], DEFAULT.ink, 0.05)


# shapes and ways


def draw_outlines() -> Sheet:
    """Draw the arcs of an oval, and where the middle of a hull may not be beside it."""
    sheet = Sheet((0, 0), (30, 12.6))
    oval, hull = oval_base(120, 70), hull_base(4.5, 2.6)
    a, b = core_of(oval, 30), core_of(hull, 20)
    _draw_arcs(sheet, a, (4.0, 6.9))
    sheet.label("an oval, in arcs of circles", (4.0, 0.7), DEFAULT.soft)
    sheet.base(hull, (10.6, 6.9), PLAYER, 20)
    sheet.dot((10.6, 6.9), DEFAULT.ink)
    sheet.label("a hull and its middle", (10.6, 0.7), DEFAULT.soft)
    at = (21.8, 6.9)
    both = difference(a, b)
    ring = rim(both, 0.0, at)
    sheet.area(ring, DEFAULT.horde, 45)
    for angle in (0.1, 2.6, 4.6):
        x, y = both.rim(angle)
        spot = (at[0] + x, at[1] + y)
        sheet.base(hull, spot, PLAYER, 20, 110)
        sheet.dot(spot, DEFAULT.ink)
    sheet.base(oval, at, DEFAULT.horde, 30)
    _draw_arcs(sheet, both, at)
    sheet.label("where the hull's middle may not be", (at[0], 0.7), DEFAULT.soft)
    return sheet


def _draw_arcs(sheet: Sheet, core: Core, at: Point) -> None:
    whole = rim(core, 0.0, at)
    sheet.line([*whole, whole[0]], DEFAULT.soft, 0.05)
    shades = (DEFAULT.accent, PLAYER)
    for i in range(len(core.radius)):
        part = Core(
            core.centre[i : i + 1], core.radius[i : i + 1], core.low[i : i + 1], core.width[i : i + 1]
        )
        sheet.line(rim(part, 0.0, at), shades[i % 2], 0.1)


def draw_path() -> Sheet:
    """Draw the shortest path of a base among walls and engagement ranges.

    The rims that it follows are drawn, too.
    """
    sheet = Sheet((16.4, 13.2), (26, 14.2))
    base, foe = round_base(40), round_base(32)
    walls = (box(21, 16, 22, 22.5), box(26, 20, 30, 21), box(34, 19, 35.5, 26))
    enemies = np.array([[26.3, 16.6], [31.5, 24.0]])
    ground = Ground((60, 44), walls=walls, avoid=Outlines(enemies, np.full(2, foe.length / 2 + 1)))
    start, goal = (18.0, 18.0), (39.5, 22.0)
    for wall in walls:
        sheet.terrain("wall", wall)
        _draw_grown(sheet, wall, base.length / 2)
    for enemy in enemies:
        ring = rim(core_of(foe), foe.length / 2 + 1 + base.length / 2, enemy)
        sheet.area(ring, PLAYER, 45)
        sheet.line([*ring, ring[0]], PLAYER, 0.03)
        sheet.base(foe, enemy, PLAYER)
    way = path(base.length / 2, start, goal, 100, ground)
    assert isinstance(way, Path)
    for k in range(1, math.floor(way.length / 1.6) + 1):
        sheet.base(base, way.at(k * 1.6).end, DEFAULT.horde, alpha=60)
    _draw_legs(sheet, way)
    sheet.base(base, start, DEFAULT.horde)
    sheet.base(base, goal, DEFAULT.horde)
    sheet.label(f"{way.length:.4f} inches", (goal[0], goal[1] + 1.3), DEFAULT.ink)
    sheet.label("tangents", (17, 26.6), DEFAULT.accent, anchor="midleft")
    sheet.label("and arcs", (19.0, 26.6), DEFAULT.good, anchor="midleft")
    return sheet


def _draw_legs(sheet: Sheet, way: Path, width: float = 0.1) -> None:
    for here, leg in zip(way.points, way.legs, strict=False):
        sheet.line(polyline(here, (leg,)), DEFAULT.good if len(leg) >= 5 else DEFAULT.accent, width)


def _draw_grown(sheet: Sheet, wall: Polygon, radius: float) -> None:
    ring = []
    for k, corner in enumerate(wall):
        before, after = wall[k - 1], wall[(k + 1) % len(wall)]
        first = math.atan2(-(corner[0] - before[0]), corner[1] - before[1])
        turn = (math.atan2(-(after[0] - corner[0]), after[1] - corner[1]) - first) % math.tau
        for step in range(9):
            angle = first + turn * step / 8
            ring.append((corner[0] + radius * math.cos(angle), corner[1] + radius * math.sin(angle)))
    sheet.line([*ring, ring[0]], DEFAULT.soft, 0.03)


def draw_pivot() -> Sheet:
    """Draw a hull that turns once, to pass a gap that its length does not fit through."""
    sheet = Sheet((14, 15.5), (26, 11))
    hull = hull_base(4.7, 2.9)
    walls = (box(25, 10, 27, 19.3), box(25, 22.5, 27, 30))
    for wall in walls:
        sheet.terrain("wall", wall)
    ground = Ground((60, 44), walls=walls)
    way = turning_path(hull, 70.0, (17.5, 20.9), (35.5, 20.9), 100.0, 2.0, ground)
    assert isinstance(way, Path)
    turn = next(leg for leg in way.legs if len(leg) == 4)
    sheet.base(hull, way.start, DEFAULT.horde, 70, 90)
    for k in range(6):
        sheet.base(hull, way.at(turn[3] + k * 3.0).end, DEFAULT.horde, turn[2], 70)
    sheet.base(hull, way.end, DEFAULT.horde, turn[2])
    _draw_legs(sheet, Path(way.start, tuple(leg for leg in way.legs if len(leg) != 4)))
    sheet.dot(way.start, DEFAULT.ink, 0.25)
    sheet.label(f"a pivot of {turn[3]:g}", (way.start[0], 17.0), DEFAULT.soft)
    sheet.label(f"and {way.length - turn[3]:.4f} inches", (33.2, 17.0), DEFAULT.soft)
    return sheet


def draw_climb() -> Sheet:
    """Draw from the side the paths on foot and in flight over a container and up to a floor."""
    sheet = Sheet((0, -1.6), (34, 11.6), grid=False)
    container, ruin = (9.0, 14.0, 3.0), (21.0, 29.0, 9.0)
    y0, y1 = 2.0, 42.0
    rises = (
        Rise(box(container[0], y0, container[1], y1), container[2], (container[2],)),
        Rise(box(ruin[0], y0, ruin[1], y1), ruin[2], (3.0, 6.0)),
    )
    sheet.area(box(-1, -2, 41, 0), DEFAULT.line)
    sheet.line([(0, 0), (40, 0)], DEFAULT.soft, 0.05)
    sheet.terrain("container", box(container[0], 0, container[1], container[2]), "container 3")
    sheet.area(box(ruin[0], 0, ruin[1], 9), DEFAULT.terrain["ruin"][0], 90)
    for z in (0.0, 3.0, 6.0, 9.0):
        sheet.line([(ruin[0], z), (ruin[1], z)], DEFAULT.terrain["ruin"][1], 0.08)
    walls = (box(container[0], y0, container[1], y1),)
    start, goal = (3.0, 22.0, 0.0), (25.0, 22.0, 6.0)
    reach = INFANTRY.length / 2
    on_foot = path(reach, start, goal, 100, Ground((60, 44), walls=walls, rises=rises))
    flying = path(reach, start, goal, 100, Ground((60, 44), rises=rises, flies=True))
    assert isinstance(on_foot, Path)
    assert isinstance(flying, Path)
    _draw_side(sheet, start[0], 0.0, DEFAULT.horde)
    _draw_side(sheet, goal[0], 6.0, DEFAULT.horde)
    for way, colour in ((on_foot, DEFAULT.accent), (flying, DEFAULT.good)):
        sheet.line([(x, z) for x, _, z in way.spots], colour, 0.12)
    sheet.label(f"on foot {on_foot.length:.4f}", (17.8, 0.7), DEFAULT.accent)
    sheet.label(f"flying {flying.length:.4f}", (12.5, 5.2), DEFAULT.good)
    return sheet


# units


def draw_move() -> Sheet:
    """Draw a unit's move round the end of a wall: each model's path, and the end in coherency."""
    sheet = Sheet((14, 13.6), (22, 11.6))
    wall = box(22, 10, 23, 19.5)
    sheet.terrain("wall", wall)
    xy = np.array([[16 + 1.45 * (i % 4), 15 + 1.5 * (i // 4)] for i in range(10)])
    foes = Outlines(np.array([[33.0, 17.0], [33.0, 18.4]]), np.full(2, INFANTRY.length / 2))
    ground = Ground((60, 44), walls=(wall,), avoid=foes.grown(1.0), no_end=foes)
    party = Party(xy, np.full(10, INFANTRY.length / 2), np.full(10, 10.0))
    moved = move_toward(party, foes, ground, Spacing(), 1.001)
    assert isinstance(moved, Moved)
    for spot in foes.xy:
        sheet.base(INFANTRY, spot, PLAYER)
    for spot in xy:
        sheet.base(INFANTRY, spot, DEFAULT.horde, alpha=70)
    for way in moved.paths:
        _draw_legs(sheet, way, 0.05)
    for way in moved.paths:
        sheet.base(INFANTRY, way.end, DEFAULT.horde)
    longest = max(way.length for way in moved.paths)
    sheet.label(f"ten models, M 10: the longest path is {longest:.4f}", (29, 14.4), DEFAULT.soft)
    return sheet


def draw_spawn() -> Sheet:
    """Draw twenty bases set up along the front of a spawning zone, round a wall in the zone."""
    sheet = Sheet((-0.5, 32.6), (16, 6.6))
    zone, wall = box(0, 34, 15, 44), box(5, 34, 7, 35.2)
    sheet.area(zone, DEFAULT.horde, 50)
    sheet.terrain("wall", wall)
    stretch = ((0.0, 34.0), (15.0, 34.0))
    sheet.line(stretch, DEFAULT.accent, 0.1)
    ground = Ground((60, 44), walls=(wall,), no_stand=(wall,), area=(zone,))
    placed = place_group(np.full(20, INFANTRY.length / 2), ground, Spacing(), Front((stretch,)))
    assert isinstance(placed, Placed)
    for spot in placed.xy:
        sheet.base(INFANTRY, spot, DEFAULT.horde)
    sheet.label("the zone's front", (7.5, 33.3), DEFAULT.accent)
    return sheet


DEPLOYMENTS: dict[str, tuple[Polygon, Polygon]] = {
    "a straight front": (box(0, 32, 60, 44), box(0, 0, 60, 32)),
    "a front with a step": (
        ((60, 44), (0, 44), (0, 30), (30, 30), (30, 36), (60, 36)),
        ((0, 0), (60, 0), (60, 36), (30, 36), (30, 30), (0, 30)),
    ),
}


def draw_zones() -> Sheet:
    """Draw two deployments cut into four spawning zones of equal area, with their fronts."""
    sheet = Sheet((-2, 22), (126, 27), grid=False)
    for number, (name, (polygon, middle)) in enumerate(DEPLOYMENTS.items()):
        shift = 62.0 * number
        for k, strip in enumerate(split_equal(polygon, 4, "x")):
            ring = [(x + shift, y) for x, y in strip]
            sheet.area(ring, DEFAULT.horde, 60 + 50 * (k % 2))
            size = float(covered_area(strip, Outlines(np.array([[30.0, 22.0]]), np.array([200.0])))[0])
            at = sum(x for x, _ in ring) / len(ring), 41.0
            sheet.label(f"{size:.2f}", at, DEFAULT.ink)
            for a, b in front(strip, middle):
                sheet.line([(a[0] + shift, a[1]), (b[0] + shift, b[1])], DEFAULT.accent, 0.6)
            sheet.line([*ring, ring[0]], DEFAULT.soft, 0.15)
        sheet.label(f"{name}: four zones of equal area, in square inches", (30 + shift, 26), DEFAULT.soft)
    return sheet


PICTURES: dict[str, Callable[[], Sheet]] = {
    "sight": draw_sight,
    "heights": draw_heights,
    "outlines": draw_outlines,
    "path": draw_path,
    "pivot": draw_pivot,
    "climb": draw_climb,
    "move": draw_move,
    "spawn": draw_spawn,
    "zones": draw_zones,
}


def main(folder: Annotated[File, typer.Argument(file_okay=False, exists=True)]) -> None:
    """Write every picture into a folder, which is there."""
    for name, draw in PICTURES.items():
        file = folder / f"geometry-{name}.png"
        draw().save(file)
        print(file.name)


if __name__ == "__main__":
    typer.run(main)
