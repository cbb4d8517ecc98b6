"""How a Horde unit goes to the Defender's edge, and along it to the central line.

Owns AI.MOVE.3's move. Paths are `ai.moving.move_planning`'s.
"""

from __future__ import annotations

import numpy as np

from ai.horde.target import edge_gaps
from ai.moving.move_planning import Plan, continued, to_point
from ai.reasons.clause import carries_out
from engine.core.facts import Point
from engine.core.state import Unit
from engine.w40k.view import View
from geometry.measure.region import extents
from geometry.path.ground import Ground
from geometry.path.planner import Path
from geometry.portable import dot, norm, norms
from geometry.shape.base import Floats
from geometry.shape.convex_shape import Outlines
from geometry.single.reach import farthest

IN_CONTACT = 0.01
"""A base this near to the edge is in contact with it. Rule: R.A18"""


@carries_out("AI.MOVE.3")
def to_edge(
    view: View, unit: Unit, kind: str, limits: dict[int, float], ground: Ground | None = None
) -> Plan:
    """Return the move to the edge and then, with what is left of it, toward the central line.

    It goes along the edge. Rule: AI.MOVE.3, R.A17, R.A18
    """
    ground = ground or view.ground(unit, kind)
    leader = int(edge_gaps(view, view.bases(unit)).argmin())
    line, centre = _inset(view, view.bases(unit).take([leader]))
    first = to_point(view, unit, kind, limits, line, ground)
    waits = first.moves and view.ruling("ai.move.edge_slide") == "next_move"
    if waits or not is_at_edge(view, first.bases):
        return first
    return continued(view, unit, first, limits, _along(view, unit, first, limits, centre, ground), ground)


def is_at_edge(view: View, bases: Outlines) -> bool:
    """Return whether one of these bases is in contact with the edge. Rule: R.A18"""
    return bool(edge_gaps(view, bases).min() <= IN_CONTACT)


def _along(
    view: View, unit: Unit, first: Plan, limits: dict[int, float], centre: Point, ground: Ground
) -> Point:
    """Return where the model ends that touches the edge nearest to the central line.

    It goes straight along the edge, and no farther than to what is in its way. Rule: R.A18
    """
    touching = (edge_gaps(view, first.bases) <= IN_CONTACT).nonzero()[0]
    i = int(touching[norms(first.ends[touching] - np.array(centre)).argmin()])
    row, at = unit.rows[i], _point(first.ends[i])
    left = limits.get(row, 0.0) - Path.from_legs(view.at(row), first.paths.get(row, ())).length
    return farthest(view.stance(row), Path.from_legs(at, (centre,)), max(left, 0.0), ground)


def foot_on_edge(view: View, unit: Unit) -> tuple[int, Point]:
    """Return the index of the model nearest to the edge, and where it would stand to touch it."""
    gaps = edge_gaps(view, view.bases(unit))
    i = int(gaps.argmin())
    (a, b), _ = _inset(view, view.bases(unit).take([i]))
    start, end = np.array(a), np.array(b)
    share = min(max(dot(view.xy(unit)[i] - start, end - start) / dot(end - start, end - start), 0.0), 1.0)
    return i, _point(start + share * (end - start))


def _inset(view: View, base: Outlines) -> tuple[tuple[Point, Point], Point]:
    """Return the line on which a base touches the edge, and where the central line meets it."""
    a, b = (np.array(point) for point in view.toward_edge())
    along = (b - a) / norm(*(b - a))
    inward = _inward(view, a, along)
    inset = float(extents(base, -inward)[0])
    start = a + along * float(extents(base, -along)[0]) + inward * inset
    end = b - along * float(extents(base, along)[0]) + inward * inset
    foot = np.array(view.board.edge_centre)
    centre = a + along * dot(foot - a, along) + inward * inset
    return (_point(start), _point(end)), _point(centre)


def _inward(view: View, a: Floats, along: Floats) -> Floats:
    normal = np.array([-along[1], along[0]])
    middle = np.array(view.board.centre)
    return normal if dot(middle - a, normal) > 0 else -normal


def _point(xy: Floats) -> Point:
    return float(xy[0]), float(xy[1])
