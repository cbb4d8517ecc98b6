"""The overlays of the window, held against the engine's own verdicts at random points.

Each check takes a battle and chance, counts what it asked, and says where an overlay is wrong. A point nearer
to the border of an area than a pixel of the usual window is left out: `near` counts these.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import numpy as np
import shapely

from engine.core.event import Pose
from engine.core.facts import ZoneFacts
from engine.core.request import Move, Moves, Place, Places
from engine.core.state import State, Unit
from engine.w40k.activation.objective import tally, update
from engine.w40k.attack.cover import cover
from engine.w40k.battle import Battle
from engine.w40k.legality.answer_check import faults
from engine.w40k.phase.charge import targets
from engine.w40k.phase.movement import limits
from engine.w40k.supposition import supposed
from geometry.path.ground import Ground
from geometry.path.path import Path
from geometry.path.planner import path
from geometry.sight.landscape import Landscape
from geometry.sight.visibility import visible
from viewer.input.moment import Moment
from viewer.input.reach import Rows, middles_of, places_of, reach_of
from viewer.input.region import joined, shape_at
from viewer.input.seeing import Glance, Sightline, glances, onlookers, outline_of
from viewer.input.threat import Span, charging, shooting, threat_of

PIXEL = 1 / 20.5
"""A pixel of the whole board in a window of 1920 by 1080, in inches."""
CELL = PIXEL / 2
SLACK = 1e-4
"""What is drawn may be off by as much from what was computed, in inches."""
POINTS = {"reach": 30, "places": 30, "threat": 12}
TRIES = 60
"""How many ends are tried to show that none threatens a point."""
Count = Counter[str]
Check = Callable[[Battle, Random, Count], list[str]]


def standing(battle: Battle, side: str | None = None) -> list[Unit]:
    """Return the units on the battlefield that have a model."""
    return [unit for unit in battle.state.position.on_table(side) if unit.rows]


def anywhere(battle: Battle, chance: Random) -> tuple[float, float]:
    """Return a random point of the board."""
    wide, high = battle.state.position.board.size
    return chance.uniform(0, wide), chance.uniform(0, high)


# sight


def sight(battle: Battle, chance: Random, count: Count) -> list[str]:
    """Check the sights of units where they stand, of one moved at random, and of a random place."""
    units = standing(battle)
    if not units:
        return []
    wrong = _looks(battle, chance.choice(units), count)
    unit = chance.choice(units)
    poses = _somewhere(battle, unit, chance)
    wrong += [f"moved at random: {fault}" for fault in _looks(supposed(battle, poses), unit, count)]
    wrong += _as_the_ghost(battle, unit, poses)
    at = anywhere(battle, chance)
    for name, look in onlookers(battle.field, at).items():
        count["places seen"] += look.is_clear
        count["places asked"] += 1
        sees = bool(battle.field.sees_points(battle.state.position.units[name], [at], 0.0).any())
        wrong += [] if sees == look.is_clear else [f"{name} sees {at}: {sees}, shown {look.is_clear}"]
    return wrong


def _somewhere(battle: Battle, unit: Unit, chance: Random) -> dict[int, Pose]:
    """Return poses with the unit's first model at a random point, the others about it."""
    table = battle.state.position.table
    (x, y), (dx, dy) = anywhere(battle, chance), table.xy[unit.rows[0]].tolist()
    turn = chance.uniform(0, 360)
    return {
        row: (x + table.xy[row, 0].item() - dx, y + table.xy[row, 1].item() - dy, 0.0, turn)
        for row in unit.rows
    }


def _looks(battle: Battle, unit: Unit, count: Count) -> list[str]:
    wrong = []
    moment, units = Moment(battle.state, battle), battle.state.position.units
    found = glances(battle.field, units[unit.id], moment.cover)
    for each in found:
        enemy = units[each.unit]
        count["looks"] += 2
        count["hidden"] += (not each.ahead.is_clear) + (not each.back.is_clear)
        wrong += _look(battle, units[unit.id], enemy, each.ahead) + _look(battle, enemy, unit, each.back)
        wrong += _covered(battle, unit, enemy, each)
        if abs(battle.field.gap(unit, enemy) - each.apart) > SLACK:
            wrong.append(f"{unit.id} to {enemy.id}: {each.apart} inches")
    if len(found) != len([enemy for enemy in battle.field.enemies(unit) if enemy.rows]):
        wrong.append(f"{unit.id}: {len(found)} enemies are shown")
    return wrong


def _look(battle: Battle, a: Unit, b: Unit, look: Sightline) -> list[str]:
    """Check one look: its verdict, and that its witness or its blockers prove it, none to spare."""
    name, field = f"{a.id} at {b.id}", battle.field
    if bool(field.visible(a, b).any()) != look.is_clear:
        return [f"{name}: shown {'clear' if look.is_clear else 'hidden'}"]
    start, end = (np.array([at]) for at in look.line)
    if look.is_clear:
        apart = [float(field.outlines(unit.rows).distances(at).min()) for unit, at in ((a, start), (b, end))]
        return [f"{name}: the witness ends {far} off a base" for far in apart if far > SLACK]
    i, j = divmod(int(field.gaps(a, b).argmin()), len(b.rows))
    own, other = field.bodies((a.rows[i],)), field.bodies((b.rows[j],))
    pieces = [piece for piece in field.screens.between(a, b).pieces if piece.id in look.blockers]
    found = [] if len(pieces) == len(look.blockers) else [f"{name}: {look.blockers} are no pieces"]
    if visible(own, other, Landscape(pieces)).any():
        found.append(f"{name}: {look.blockers} leave a line free")
    for piece in pieces:
        rest = Landscape([each for each in pieces if each is not piece])
        if not visible(own, other, rest).any():
            found.append(f"{name}: {piece.id} is not needed")
    outlines = [shape for each in look.blockers for shape in outline_of(battle.state.position, each)]
    if outlines and shapely.distance(joined(outlines), shapely.Point(look.line[1])) > SLACK:
        found.append(f"{name}: the line is cut off its blockers, at {look.line[1]}")
    return found


def _covered(battle: Battle, unit: Unit, enemy: Unit, each: Glance) -> list[str]:
    if each.covered is None:
        return []
    covered = int(cover(battle, unit, enemy).sum())
    return [] if covered == each.covered else [f"{enemy.id}: cover for {covered}, shown {each.covered}"]


def _as_the_ghost(battle: Battle, unit: Unit, poses: dict[int, Pose]) -> list[str]:
    """Check the sights of a unit elsewhere against those of its bodies there."""
    then = supposed(battle, poses)
    own = then.field.bodies(unit.rows)
    wrong = []
    for each in glances(then.field, then.state.position.units[unit.id]):
        enemy = battle.state.position.units[each.unit]
        if bool(battle.field.screens.seen(unit, own, enemy.rows).any()) != each.ahead.is_clear:
            wrong.append(f"{unit.id} elsewhere at {enemy.id}: shown {each.ahead.is_clear}")
    return wrong


# reach


def reach(battle: Battle, chance: Random, count: Count) -> list[str]:
    """Check where the models of a random unit can end a move."""
    movers = [unit for unit in standing(battle) if not unit.has("AIRCRAFT")]
    if not movers:
        return []
    unit = chance.choice(movers)
    kind = "fall-back" if battle.field.is_engaged(unit) else chance.choice(["normal", "advance"])
    far = {row: limit + (6.0 if kind == "advance" else 0.0) for row, limit in limits(battle, unit).items()}
    ground, found = battle.field.ground(unit, kind), reach_of(battle.field, unit, kind, far, CELL)
    wrong = []
    for rows, area in found.middles.items():
        for _ in range(POINTS["reach"]):
            at = _about(battle, chance.choice(rows), far[rows[0]] + 1.0, chance)
            shown, legal = (
                bool(shapely.intersects_xy(area, *at)),
                _way(battle, rows, at, far[rows[0]], ground),
            )
            count["reach"] += 1
            count["reach legal"] += legal is not None
            if shown != (legal is not None):
                wrong += _unless_near(area, at, f"{unit.id} {kind} to {at}: shown {shown}", count)
            elif legal is not None and len(unit.rows) == 1:
                wrong += _told_legal(battle, unit, kind, far, legal)
    return wrong


def _about(battle: Battle, row: int, far: float, chance: Random) -> tuple[float, float]:
    """Return a random point within some inches of a model."""
    x, y = battle.state.position.table.xy[row].tolist()
    turn, away = chance.uniform(0, math.tau), far * math.sqrt(chance.random())
    return x + away * math.cos(turn), y + away * math.sin(turn)


def _way(battle: Battle, rows: Rows, at: tuple[float, float], limit: float, ground: Ground) -> Path | None:
    """Return the engine's legal path of one of some models to a point, None where there is none."""
    table = battle.state.position.table
    for row in rows:
        start = (*table.xy[row].tolist(), float(table.z[row]))
        found = path(table.stance(row), start, at, limit, ground)
        if isinstance(found, Path):
            return found
    return None


def _told_legal(battle: Battle, unit: Unit, kind: str, far: dict[int, float], way: Path) -> list[str]:
    """Check that the move of a unit of one model along a way is legal by the rules' own check."""
    request = Move(
        seats=(unit.player,),
        rule="CORE.MOVE.5",
        decision="path",
        prompt="",
        unit=unit.id,
        kind=kind,
        limits=far,
    )
    found = faults(battle, request, Moves(paths={unit.rows[0]: way.legs}), unit.player)
    return [f"{unit.id} {kind} to {way.end}: {fault}" for fault in found]


def _unless_near(area: shapely.Geometry, at: tuple[float, float], fault: str, count: Count) -> list[str]:
    """Return a fault, none where a point is within a pixel of an area's border."""
    # Of a place that lies apart, where a model stays, there is none.
    border = shapely.union_all([shapely.boundary(part) for part in shapely.get_parts(area)])
    apart = shapely.distance(border, shapely.Point(at))
    if not area.is_empty and apart <= PIXEL:
        count["near"] += 1
        return []
    return [f"{fault}, {apart:.3f} from the border"]


# threat


def threat(battle: Battle, chance: Random, count: Count) -> list[str]:
    """Check into which points a random unit can shoot, and where it can charge, after a move."""
    units = standing(battle)
    if not units:
        return []
    unit = chance.choice(units)
    found = threat_of(battle, [unit], CELL)
    wrong = []
    for name, area, spans in (("shots", found.shots, shooting), ("charge", found.charge, charging)):
        every = [(row, span) for row in unit.rows for span in spans(battle, unit, row)]
        for _ in range(POINTS["threat"]):
            at = anywhere(battle, chance)
            shown = bool(shapely.intersects_xy(area, *at))
            count[name] += 1
            count[f"{name} threatened"] += shown
            if not area.is_empty and shapely.distance(shapely.boundary(area), shapely.Point(at)) <= PIXEL:
                count["near"] += 1
                continue
            proof = _proof(battle, unit, every, at, chance)
            if shown != (proof is not None):
                wrong.append(f"{unit.id} {name} at {at}: shown {shown}, found {proof}")
    return wrong + _charges(battle, unit, found.charge)


def _proof(
    battle: Battle, unit: Unit, every: Iterable[tuple[int, Span]], at: tuple[float, float], chance: Random
) -> tuple[float, float] | None:
    """Return a legal end of a move from which a model acts on a point; None without one."""
    field, table = battle.field, battle.state.position.table
    for row, (kind, limit, far) in every:
        apart = math.dist(table.xy[row].tolist(), at)
        stance = table.stance(row)
        if apart > limit + far + stance.radius + stance.core.reach + SLACK:
            continue
        if field.gap_to_disc(unit, at, 0.0)[unit.rows.index(row)] <= far and not kind:
            return at
        ground = field.ground(unit, kind) if kind else None
        if ground is None:
            continue
        for end in _ends(battle, row, ground, limit, at, chance):
            if _gap(battle, row, end, at) <= far and _way(battle, (row,), end, limit, ground) is not None:
                return end
    return None


def _ends(
    battle: Battle, row: int, ground: Ground, limit: float, at: tuple[float, float], chance: Random
) -> Iterable[tuple[float, float]]:
    """Yield ends of a move to be tried: its start, the nearest to a point, random ones there."""
    table = battle.state.position.table
    yield table.xy[row].tolist()
    area = middles_of(battle.field, (row,), ground, limit, CELL)
    x, y = at
    if not area.is_empty:
        inner = shapely.buffer(area, -PIXEL / 4)
        # The base is nearest to the point where its middle is nearest to a base about the point.
        stance = table.stance(row)
        about = shape_at(stance.core.reversed(), stance.radius, *at)
        nearest = shapely.shortest_line(area if inner.is_empty else inner, about)
        x, y = shapely.get_coordinates(nearest)[0].tolist()
    yield x, y
    for spread in (PIXEL, 0.3, 1.0):
        for _ in range(TRIES // 3):
            yield x + chance.gauss(0, spread), y + chance.gauss(0, spread)


def _gap(battle: Battle, row: int, end: tuple[float, float], at: tuple[float, float]) -> float:
    """Return how far a point is from the edge of a model's base at an end of its move."""
    table = battle.state.position.table
    outline = table.outlines((row,), np.array([end]))
    return float(outline.distances(np.array([at]))[0, 0])


def _charges(battle: Battle, unit: Unit, area: shapely.Geometry) -> list[str]:
    """Check that the targets of a charge that the unit may declare now lie in its area."""
    if not charging(battle, unit, unit.rows[0]):
        return []
    wrong = []
    for enemy in targets(battle, unit):
        bases = joined([shapely.Point(battle.state.position.table.xy[row].tolist()) for row in enemy.rows])
        radius = max(float(battle.field.outlines(enemy.rows).reach.max()), 0.0)
        if not shapely.intersects(shapely.buffer(bases, radius + PIXEL), area):
            wrong.append(f"{unit.id} may charge {enemy.id}, which is not in its area")
    return wrong


# set-up


def places(battle: Battle, chance: Random, count: Count) -> list[str]:
    """Check where a model of a random unit may be set up, in random areas and off enemies."""
    units = standing(battle)
    if not units:
        return []
    state = battle.state.copy()
    unit = state.position.units[chance.choice(units).id]
    for row in unit.rows:
        state.position.table.lift(row)
    unit.where = "reserves"
    then = supposed(battle, {}, state)
    row = chance.choice(unit.rows)
    request = _set_up(state, unit, row, chance)
    (area,) = places_of(then.field, request).middles.values()
    facing, wrong = float(state.position.table.facing[row]), []
    for _ in range(POINTS["places"]):
        at = anywhere(battle, chance)
        said = faults(then, request, Places(poses={row: (*at, 0.0, facing)}), unit.player)
        shown = bool(shapely.intersects_xy(area, *at))
        count["places"] += 1
        count["places legal"] += not said
        if shown == bool(said):
            wrong += _unless_near(area, at, f"{unit.id} at {at}: shown {shown}, {said}", count)
    return wrong


def _set_up(state: State, unit: Unit, row: int, chance: Random) -> Place:
    zones: list[ZoneFacts] = list(state.position.zones.values())
    chosen = chance.sample(zones, k=min(chance.randint(0, 2), len(zones)))
    kind, clear = chance.choice([("deploy", 0.0), ("deep-strike", 9.0), ("reserves", 9.0), ("spawn", 3.0)])
    return Place(
        seats=(unit.player,),
        rule="CORE.RES.8",
        decision="place",
        prompt="",
        unit=unit.id,
        kind=kind,
        rows=(row,),
        areas=tuple(zone.polygon for zone in chosen),
        clear=clear,
    )


# control


def control(battle: Battle, chance: Random, count: Count) -> list[str]:
    """Check the counts of markers, as all stand and with a unit elsewhere."""
    units = standing(battle)
    poses = _somewhere(battle, chance.choice(units), chance) if units else {}
    return _markers(battle, {}, count) + _markers(battle, poses, count)


def _markers(battle: Battle, poses: dict[int, Pose], count: Count) -> list[str]:
    then = supposed(battle, poses, battle.state.copy())
    markers = then.state.position.objectives
    shown = {name: tally(then, marker) for name, marker in markers.items()}
    # What is counted goes into logs of its own.
    then.events, then.lines = list(battle.events), list(battle.lines)
    for _ in update(then):
        pass
    wrong = []
    for name, marker in markers.items():
        count["markers"] += 1
        count["markers held"] += bool(marker.by)
        if (marker.by, marker.players) != (shown[name].by, shown[name].holders):
            wrong.append(f"{name}: {marker.by} {marker.players}, shown {shown[name]}")
    said: dict[str, Any] = {
        event.objective: event.levels
        for event in then.events[len(battle.events) :]
        if event.kind == "controlled"
    }
    for name, levels in said.items():
        if levels != (shown[name].horde, shown[name].players):
            wrong.append(f"{name}: levels {levels}, shown {shown[name]}")
    return wrong


CHECKS: dict[str, Check] = {
    "sight": sight,
    "reach": reach,
    "threat": threat,
    "places": places,
    "control": control,
}
"""The classes of overlays."""
