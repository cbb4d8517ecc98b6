"""What is wrong with where models end: on others, off the board, on terrain, apart.

Judges ends of moves and set-ups alike; how they got there is `moving`'s and `arriving`'s.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import networkx as nx

from engine.audit.referee.body import Body, bounds, clearance, meets, overlap, slack, within
from engine.audit.referee.scene import Disagreement, Scene
from engine.audit.referee.terrain import barred, is_carried
from engine.core.event import Event, Pose
from engine.core.state import Unit
from geometry.tolerance import TOLERANCE


def faults_of_standing(
    scene: Scene, event: Event, unit: Unit, poses: Mapping[int, Pose], rows: Iterable[int] = ()
) -> Iterator[Disagreement]:
    """Yield what is wrong with models that come to stand at these poses.

    All other models stand where they are. `rows` are the unit's models, where they are others than those that
    live now.

    Rule: CORE.MOVE.4, CORE.RES.8
    """
    scene.checked["ends"] += len(poses)
    own = standing(scene, unit, poses, rows)
    for row in poses:
        if row not in own:
            yield Disagreement(event.n, "model", unit.id, f"model {row} is set down", "it is destroyed")
    for row, body in own.items():
        if row in poses:
            where = f"model {row} at {_spot(poses[row])}"
            yield from _beside_others(scene, event, unit, row, own, where)
            yield from _on_board(scene, event, unit, body, where)
            yield from _on_terrain(scene, event, unit, row, body, where)
    if not _thinned_out(scene, unit):
        yield from _together(scene, event, unit, own)


def standing(
    scene: Scene, unit: Unit, poses: Mapping[int, Pose], rows: Iterable[int] = ()
) -> dict[int, Body]:
    """Return the bodies of a unit's models: at their given poses, else as they stand."""
    table = scene.state.position.table
    return {
        row: scene.body_at(row, poses[row]) if row in poses else scene.body(row)
        for row in rows or unit.rows
        if row in poses or table.on[row]
    }


def _spot(pose: Pose) -> str:
    return f"{pose[0]:.4f}, {pose[1]:.4f}" + (f", {pose[2]:g} high" if pose[2] else "")


def _beside_others(
    scene: Scene, event: Event, unit: Unit, row: int, own: Mapping[int, Body], where: str
) -> Iterator[Disagreement]:
    near = scene.near(bounds([own[row]]))
    others = {
        other: scene.body(other)
        for each in scene.state.position.on_table()
        if each.id != unit.id
        for other in each.rows
        if other in near
    }
    others |= {other: body for other, body in own.items() if other != row}
    for other, body in others.items():
        if overlap(own[row], body):
            deep = -clearance(own[row], body)
            named = f"model {other} of {scene.state.position.models[other].unit}"
            yield Disagreement(event.n, "overlap", unit.id, where, f'{deep:.4f}" of it is on {named}')


def _on_board(scene: Scene, event: Event, unit: Unit, body: Body, where: str) -> Iterator[Disagreement]:
    width, depth = scene.state.position.board.size
    x0, y0, x1, y1 = bounds([body])
    over = max(-x0, -y0, x1 - width, y1 - depth)
    if over > TOLERANCE + slack(body):
        yield Disagreement(event.n, "board", unit.id, where, f'{over:.4f}" of it is off the board')


def _on_terrain(
    scene: Scene, event: Event, unit: Unit, row: int, body: Body, where: str
) -> Iterator[Disagreement]:
    terrain, gait = scene.terrain_near(bounds([body])), scene.gait(unit, row)
    for name, shape in barred(terrain, gait, body.foot):
        if meets(body, shape):
            told = f"it stands on {name}, which carries no such model"
            yield Disagreement(event.n, "terrain", unit.id, where, told)
    if not is_carried(terrain, gait, body):
        yield Disagreement(event.n, "terrain", unit.id, where, "nothing carries all of it at that height")


def _thinned_out(scene: Scene, unit: Unit) -> bool:
    """Return whether a Fall Back may just have cost the unit models.

    The others go where they were going. The clean-up at the end of the turn settles which models are left
    behind. Rule: CORE.MOVE.7, CORE.COH.2
    """
    return (unit.id, "desperate-escape") in scene.rolls


def _together(scene: Scene, event: Event, unit: Unit, bodies: Mapping[int, Body]) -> Iterator[Disagreement]:
    told = apart(scene, bodies)
    if told:
        yield Disagreement(event.n, "coherency", unit.id, f"{len(bodies)} models end together", told)


def apart(scene: Scene, bodies: Mapping[int, Body]) -> str:
    """Return how models are out of coherency, "" where they are one group.

    Rule: CORE.COH.1, CORE.COH.3
    """
    scene.checked["coherent units"] += 1
    spacing = scene.parameters.spacing
    group: nx.Graph[int] = nx.Graph()
    group.add_nodes_from(bodies)
    rows = list(bodies)
    for i, row in enumerate(rows):
        for other in rows[i + 1 :]:
            a, b = bodies[row], bodies[other]
            if within(a, b, spacing.reach) and abs(a.foot - b.foot) <= spacing.vertical + TOLERANCE:
                group.add_edge(row, other)
    needed = 0 if len(rows) < 2 else 2 if len(rows) >= spacing.two_from else 1
    lonely = [row for row in rows if group.degree(row) < needed]
    if lonely:
        return f'model {lonely[0]} has {group.degree(lonely[0])} of {needed} others within {spacing.reach:g}"'
    parts = nx.number_connected_components(group) if rows else 1
    return f"they stand in {parts} groups apart" if parts > 1 else ""
