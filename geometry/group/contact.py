"""A unit's move into contact: a charge, a pile-in, a consolidation.

Owns at what height targets are reached, and why a move fails. Which models touch what is the core's.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce

import numpy as np
from msgspec.structs import replace

from geometry.group.levels import is_flat, standing, storeys
from geometry.group.outcome import Moved, in_the_way
from geometry.group.party import Party
from geometry.group.planned_move import has_places, planned
from geometry.measure.coherency import Spacing
from geometry.measure.distance import clearances
from geometry.measure.segment_crossing import Across
from geometry.path.blockage import DISTANCE, Blocked, Blocker
from geometry.path.climbing import climbable
from geometry.path.ground import Ground, without
from geometry.path.path import Path
from geometry.path.planner import shortest_paths
from geometry.shape.base import Floats
from geometry.shape.convex_shape import NOTHING, Outlines
from geometry.shape.nearby import shapes_of
from geometry.single.goal import UNTOUCHED, ToBases, ToContact
from geometry.tolerance import TOLERANCE

HIGH = 5.0
"""How far above or below one may still be within engagement range."""


def move_into_contact(
    party: Party,
    targets: Sequence[Outlines],
    ground: Ground,
    spacing: Spacing,
    reach: float = 1.0,
    must_reach_all: bool = True,
    across: Across | None = None,
    is_first: bool = False,
) -> Moved | Blocked:
    """Return the move that ends within `reach` of every target unit.

    It ends in base contact where it can. Every model that moves ends closer: to any target, or with
    `must_reach_all` off to the closest target model, and then one target within reach is enough. Where a
    target may also be reached from farther off, `across` tells. The move that `is_first` is the first legal
    one, with no more contact than it has.
    """
    if not is_flat(party, ground):
        return _up_to_contact(party, targets, ground, spacing, reach, must_reach_all, across, is_first)
    return _into_contact(party, targets, ground, spacing, reach, must_reach_all, across, is_first)


def _into_contact(
    party: Party,
    targets: Sequence[Outlines],
    ground: Ground,
    spacing: Spacing,
    reach: float,
    must_reach_all: bool,
    across: Across | None,
    is_first: bool,
) -> Moved | Blocked:
    """Return the move into contact where all of it takes place on the ground, climbs and all."""
    groups = targets if must_reach_all else [reduce(Outlines.joined, targets, NOTHING)]
    beside = across.places if across else NOTHING
    around = np.array([base.radius for base in party.bases]) if party.bases else party.radius
    wide = Outlines(party.xy, around + party.limit)
    if any(_least_gap(wide, group.grown(reach).joined(beside)) > TOLERANCE for group in groups):
        return Blocked("no model can get within engagement range, even straight ahead", (Blocker(DISTANCE),))
    goal = ToContact(groups, reach, beside, must_reach_all)
    in_way = partial(in_the_way, party, goal, ground)
    if not _has_ways(party, ground, goal):
        reason = "every way into engagement range is too long"
        return Blocked(reason, lambda: (Blocker(DISTANCE), *in_way()))
    found = planned(party, ground, goal, spacing, True, is_first)
    if across is not None and found is not None and not _are_met(party, found, groups, reach, across):
        # A base that pokes into a place behind a barricade may be out of range all the same.
        goal = ToContact(groups, reach, NOTHING, must_reach_all)
        found = planned(party, ground, goal, spacing, True, is_first)
    if found is not None:
        return replace(found, left=_inches(found.left), before=_inches(found.before))
    if not has_places(party, ground, goal, spacing):
        return Blocked("no place within engagement range is free", in_way)
    return Blocked("the unit cannot end within engagement range of its targets, coherent", in_way)


def _inches(left: Floats) -> Floats:
    """Return what models have left, in inches, without the surcharge for no contact."""
    return np.where(left >= UNTOUCHED, left - UNTOUCHED, left)


def _has_ways(party: Party, ground: Ground, goal: ToContact) -> bool:
    """Return whether a way of some model leads within range of each group.

    Any place within range counts, whether or not the model may stand there. What may be climbed counts as
    open, and its climb for nothing.
    """
    beyond, climbed = without(ground, goal.bases), climbable(ground)
    if climbed:
        walls = tuple(wall for wall in beyond.walls if wall not in climbed)
        beyond = replace(beyond, walls=walls, rises=())
    stances = [party.stance(row) for row in range(len(party))]
    if party.pivot is not None:
        # However a base turns, the disc within it has to pass.
        stances = [party.disc(row) for row in range(len(party))]
    far = [float(goal.left(at[None], stance)[0]) for at, stance in zip(party.xy, stances, strict=True)]
    order = sorted(range(len(party)), key=lambda row: (round(far[row] - float(party.limit[row]), 6), row))

    def has_way(row: int, group: int) -> bool:
        wider = party.bases[row].radius - stances[row].radius if party.pivot is not None else 0.0
        rings = goal.ranges_of(group, stances[row]).grown(wider)
        limit = float(party.limit[row]) + TOLERANCE
        found = shortest_paths(stances[row], beyond).nearest(party.xy[row].tolist(), rings, limit)
        return isinstance(found, Path) and found.length <= limit

    return all(any(has_way(row, group) for row in order) for group in range(len(goal.groups)))


def _are_met(party: Party, moved: Moved, groups: Sequence[Outlines], reach: float, across: Across) -> bool:
    """Return whether some model ends within range of each group, straight or across a barricade."""
    stances = [party.stance_after(row, path) for row, path in enumerate(moved.paths)]
    ends = shapes_of(np.array([path.end for path in moved.paths]), stances)
    return all(
        _least_gap(ends, group) <= reach + TOLERANCE / 2 or across.met(ends, group) for group in groups
    )


def _up_to_contact(
    party: Party,
    targets: Sequence[Outlines],
    ground: Ground,
    spacing: Spacing,
    reach: float,
    must_reach_all: bool,
    across: Across | None,
    is_first: bool,
) -> Moved | Blocked:
    """Return the move into contact on the storey nearest to the targets on which there is one."""
    every = reduce(Outlines.joined, targets, NOTHING)
    for storey in storeys(party, ground, every):
        near = [t.take(np.abs(standing(ground, t) - storey.z) <= HIGH + TOLERANCE) for t in targets]
        near = [target for target in near if len(target)]
        if not near or (must_reach_all and len(near) < len(targets)):
            continue
        found = _into_contact(
            storey.party, near, storey.ground, spacing, reach, must_reach_all, across, is_first
        )
        paths = storey.lifted(found.paths) if isinstance(found, Moved) else None
        if isinstance(found, Moved) and paths is not None:
            return replace(found, paths=paths)
    return Blocked(
        "the unit cannot end within engagement range of its targets, at whatever height",
        partial(in_the_way, party, ToBases(every), ground),
    )


def _least_gap(bases: Outlines, others: Outlines) -> float:
    return float(clearances(bases, others).min())
