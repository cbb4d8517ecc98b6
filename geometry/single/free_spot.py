"""The free place of one base beside others of its unit that is nearest to a point.

Owns the border to the core's answer (`geometry.core.free_places`). A place that is returned has been
judged by the rules of `geometry.path.ground`. How a whole unit is set up is no question of this module.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from geometry.core.free_places import FreePlaces
from geometry.measure.coherency import Spacing, groups_of, neighbours
from geometry.measure.distance import within
from geometry.path.end_ground import end_ground
from geometry.path.ground import Ground, may_stand
from geometry.path.obstacles import as_stance
from geometry.shape.base import Floats
from geometry.shape.convex_shape import Outlines, Stance
from geometry.shape.shape_table import shapes_of

Spot = tuple[float, float]


def free_spot(
    ground: Ground,
    base: Stance | float,
    beside: Outlines,
    spacing: Spacing,
    near: Sequence[float] | Floats,
    heights: Floats | None = None,
) -> Spot | None:
    """Return a free spot for a base in coherency with others, None where there is none.

    A round base's radius is enough. Of several it is the nearest to a point. The others may stand at
    `heights`.
    """
    stance = as_stance(base)
    z = np.zeros(len(beside)) if heights is None else heights
    is_level = within(z, spacing.vertical)
    among = neighbours(beside, z, spacing) if len(beside) else np.zeros((0, 0), dtype=np.bool_)
    need = spacing.neighbours_needed(len(beside) + 1)
    lacks = need - np.count_nonzero(among, axis=1)
    if (lacks > 1).any() or ((lacks > 0) & ~is_level).any():
        return None
    groups = np.full(len(beside), -1)
    for number, rows in enumerate(groups_of(among, range(len(among)))):
        level = [row for row in rows if is_level[row]]
        if not level:
            return None
        groups[level] = number
    others = shapes_of(beside.against(stance))
    places = FreePlaces(
        end_ground(ground, stance), others, groups.tolist(), (lacks > 0).tolist(), spacing.reach, need
    )
    for x, y in places.nearest_first(float(near[0]), float(near[1])):
        at = np.round(np.array([[x, y]]), 7)
        if may_stand(ground, at, [stance])[0]:
            return at[0, 0].item(), at[0, 1].item()
    return None
