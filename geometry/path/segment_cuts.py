"""Where along a leg of a path a base comes over pieces of terrain and leaves them.

Owns the crossings of a leg with the rims of the pieces as the middle of the base meets them. The search for
climbs and their check both use these.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from geometry.path.elevation import Rise, shadow_edges
from geometry.path.obstacles import Leg, leg_length, sweep
from geometry.portable import angle_of, angles_of, norms, span
from geometry.shape.arrangement import Edges, meeting, of_lines, on_lines
from geometry.shape.base import Floats, distinct
from geometry.shape.convex_shape import Stance
from geometry.tolerance import DIRECTION_SLACK_RADIANS, PLACE_SLACK_INCHES

Point = tuple[float, float]


def cuts(here: Point, leg: Leg, rises: Sequence[Rise], stance: Stance) -> list[float]:
    """Return the shares of a leg at which a base comes over a rise or leaves it.

    0 and 1 are among them.
    """
    long = leg_length(here, leg)
    found = [np.array([0.0, 1.0])]
    for rise in rises:
        edges = shadow_edges(rise.polygon, stance)
        found.append(_on_line(here, leg, edges) if len(leg) == 2 else _on_arc(here, leg, edges))
    kept = [0.0]
    for share in distinct(np.concatenate(found)).tolist():
        if (share - kept[-1]) * long > PLACE_SLACK_INCHES and (1.0 - share) * long > PLACE_SLACK_INCHES:
            kept.append(share)
    return [*kept, 1.0]


def _on_line(here: Point, leg: Leg, edges: Edges) -> Floats:
    start, end = np.array([here]), np.array([leg[:2]])
    rows = np.zeros(len(edges.start), dtype=np.intp)
    points = np.vstack(
        [
            on_lines(start, end, edges.centre, edges.reach),
            of_lines(start[rows], end[rows], edges.start, edges.end),
        ]
    )
    return np.asarray(norms(points - start) / max(span(here, leg[:2]), PLACE_SLACK_INCHES))


def _on_arc(here: Point, leg: Leg, edges: Edges) -> Floats:
    centre, turn = np.array([leg[2:4]]), leg[4]
    reach = np.array([span(leg[:2], leg[2:4])])
    rows = np.zeros(len(edges.reach), dtype=np.intp)
    points = np.vstack(
        [
            meeting(centre[rows], reach[rows], edges.centre, edges.reach).reshape(-1, 2),
            on_lines(edges.start, edges.end, centre, reach),
        ]
    )
    off, first = points - centre, angle_of(here[0] - leg[2], here[1] - leg[3])
    turned = ((angles_of(off) - first) * turn) % math.tau
    far = sweep(here, leg)
    return np.asarray(turned[turned <= far] / max(far, DIRECTION_SLACK_RADIANS))
