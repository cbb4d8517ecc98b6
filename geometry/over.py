"""Moves over what stands in the way, onto it, or up to it, where that leads nearer than any way round.

Owns which of these is taken. What they are on the flat is `geometry.group`'s, their climbs are
`geometry.storey`'s.
"""

from __future__ import annotations

import math

import numpy as np
from msgspec.structs import replace

from geometry.ahead import Ahead, Course
from geometry.base import TOLERANCE
from geometry.footing import Footing
from geometry.ground import Ground
from geometry.leaving import ways_out
from geometry.level import faults_of_resting
from geometry.moved import Moved, Nearing
from geometry.muster import Party
from geometry.outline import Outlines
from geometry.storey import crossing, tops

STUCK = 1.0
"""Who gets no farther than so many inches, and not half of what it may, looks for another way to go."""


def over_or_round(
    party: Party,
    ground: Ground,
    goal: Outlines,
    flat: Nearing,
    found: Moved | None,
) -> Moved | None:
    """Return the move that leaves least: the one found round all that is in the way, or over or onto a part.

    Coming up to what will have to be climbed is headway, too: what climbs cost is left to go. Rule: R.A03
    """
    if found is not None and found.left.max(initial=0.0) <= TOLERANCE:
        return found
    # What is left to who is lost is no way, so that any way is better.
    least = math.inf if found is None or found.lost else float(found.left.sum()) - TOLERANCE
    for storey in tops(party, ground, goal, flat.goal):
        onto = flat(storey.party, storey.ground)
        paths = storey.lifted(onto.paths) if onto is not None else None
        if onto is None or onto.lost or paths is None:
            continue
        total = float(np.hypot(onto.left, storey.above).sum())
        if total < least:
            found, least = Moved(paths, onto.left), total - TOLERANCE
    ahead = Ahead(party, ground, flat.goal)
    # Who cannot leave round what may be climbed, nor over it all for the price of the lowest, stays.
    if flat.kept is not None and flat.keeps_in(*ahead.opened):
        return found
    for course in ahead.courses(least):
        if course.promise >= least:
            break
        along = flat if course.end is None else flat.to(course.end, ground.size)
        over = _crossed(party, ground, course, along) or _up_to(party, ground, course, along)
        left = ahead.left_on(course, over, least) if over is not None else None
        if over is None or left is None:
            continue
        if found is not None and not found.lost and not any(path.legs for path in over.paths):
            # Where nobody comes nearer so, who goes round may still end nearer than by the way round.
            gone = ahead.left(found, float(left.sum()))
            over, left = (over, left) if gone is None else (found, gone)
        found, least = Moved(over.paths, left), float(left.sum()) - TOLERANCE
    return _from_elsewhere(ahead, found) if found is not None and len(party) == 1 else found


def _from_elsewhere(ahead: Ahead, found: Moved) -> Moved:
    """Return the move of a single model, stuck at the foot of a climb, to where less is left to go, if any.

    From another side of a piece, or of its neighbour, its way may be shorter, though none leads on by there.
    """
    party, level = ahead.party, replace(ahead.ground.at(0.0), rises=(), crowd=None)
    path = found.paths[0]
    gone = path.length - (path.legs[0][3] if path.is_turned else 0.0)
    if found.lost or found.left[0] <= TOLERANCE or gone > min(STUCK, party.limit[0] / 2):
        return found
    for facing, stance, cost in ahead.facings():
        footing, may = Footing(level, stance, party.budget), float(party.limit[0]) - cost
        for path in ways_out(footing, party.xy[0], may, ahead.goal):
            least = float(found.left[0]) - TOLERANCE
            if ahead.goal.left(np.array([path.end]), stance)[0] >= least:
                break
            way = ahead.way(stance, path.end, least)
            if way is not None:
                turned = Course((), facing, cost)
                found = turned.begun(Moved((path,), np.array([float(way.path.length)])))
            if footing.budget.is_spent:
                return found
    return found


def _crossed(party: Party, ground: Ground, course: Course, flat: Nearing) -> Moved | None:
    """Return the move over what a course climbs, paid for now; None where nobody can."""
    paid = crossing(course.turned(party), ground, course.pieces)
    # Who cannot leave is asked about even where nothing is left to go: then no way over this leads out.
    if flat.kept is None and not (paid.party.limit > 0).any():
        return None
    over = flat(paid.party, paid.ground)
    if over is None or over.lost:
        return None
    paths = paid.lifted(over.paths)
    if paths is None or all(path.is_level for path in paths):
        return None
    return course.begun(Moved(paths, over.left))


def _up_to(party: Party, ground: Ground, course: Course, flat: Nearing) -> Moved | None:
    """Return the move up to what will be climbed later on a course; None where somebody finds no way."""
    if flat.kept is not None:
        return None
    later = tuple(rise.polygon for rise in course.pieces)
    level = replace(ground.at(0.0), rises=(), crowd=None, later=later)
    unit = course.turned(party)
    limit = unit.limit if course.far is None else np.minimum(unit.limit, course.far)
    over = flat(replace(unit, z=None, limit=limit), level)
    if over is None or over.lost:
        return None
    # Who has turned moves, so that it may not stay where it may not end.
    start, stays = over.paths[0].start, course.facing is not None and not over.paths[0].legs
    if stays and faults_of_resting(ground, start, unit.stance(0)):
        return None
    return course.begun(over)
