"""How a Horde unit goes to the Defender's edge, and along it to the central line.

Owns AI.MOVE.3's move. Paths are `ai.plan`'s.
"""

from __future__ import annotations

import numpy as np

from ai.clause import carries_out
from ai.horde.target import edge_gaps
from ai.plan import Plan, continued, to_point
from engine.facts import Point
from engine.state import Unit
from engine.view import View
from geometry.base import Floats
from geometry.ground import Ground
from geometry.outline import Outlines
from geometry.zone import extents

IN_CONTACT = 0.01
"""A base this near to the edge is in contact with it. Rule: R.A18"""


@carries_out("AI.MOVE.3")
def to_edge(
    view: View, unit: Unit, kind: str, limits: dict[int, float], ground: Ground | None = None
) -> Plan:
    """Return the move to the edge and, with what is left of it, along the edge to the central line.

    Rule: AI.MOVE.3, R.A17, R.A18
    """
    ground = ground or view.ground(unit, kind)
    leader = int(edge_gaps(view, view.bases(unit)).argmin())
    line, centre = _inset(view, view.bases(unit).take([leader]))
    first = to_point(view, unit, kind, limits, line, ground)
    waits = first.moves and view.ruling("ai.move.edge_slide") == "next_move"
    if waits or edge_gaps(view, first.bases).min() > IN_CONTACT:
        return first
    return continued(view, unit, first, limits, centre, ground)


def foot_on_edge(view: View, unit: Unit) -> tuple[int, Point]:
    """Return the model nearest to the edge, by its place, and the point of the edge that it would touch."""
    gaps = edge_gaps(view, view.bases(unit))
    i = int(gaps.argmin())
    (a, b), _ = _inset(view, view.bases(unit).take([i]))
    start, end = np.array(a), np.array(b)
    share = np.clip((view.xy(unit)[i] - start) @ (end - start) / float((end - start) @ (end - start)), 0, 1)
    return i, _point(start + share * (end - start))


def _inset(view: View, base: Outlines) -> tuple[tuple[Point, Point], Point]:
    """Return the line on which a base touches the edge, and where the central line meets it."""
    a, b = (np.array(point) for point in view.toward_edge())
    along = (b - a) / np.hypot(*(b - a))
    inward = _inward(view, a, along)
    inset = float(extents(base, -inward)[0])
    start = a + along * float(extents(base, -along)[0]) + inward * inset
    end = b - along * float(extents(base, along)[0]) + inward * inset
    foot = np.array(view.board.edge_centre)
    centre = a + along * float((foot - a) @ along) + inward * inset
    return (_point(start), _point(end)), _point(centre)


def _inward(view: View, a: Floats, along: Floats) -> Floats:
    normal = np.array([-along[1], along[0]])
    middle = np.array(view.board.centre)
    return normal if (middle - a) @ normal > 0 else -normal


def _point(xy: Floats) -> Point:
    return float(xy[0]), float(xy[1])
