"""A unit's move into contact: a charge, a pile-in, a consolidation.

Owns which of its targets are reached, by whom, and at what height. Who touches what is
`geometry.group.contact_spots`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce
from itertools import combinations

import numpy as np
from msgspec.structs import replace

from geometry.group.formation import Formation, Wish
from geometry.group.levels import crossings, is_flat, standing, storeys
from geometry.group.outcome import Moved, in_the_way, made, moved, seeking, unturned
from geometry.group.party import Party, movers_of
from geometry.group.within_reach import Footholds
from geometry.measure.coherency import Spacing
from geometry.measure.distance import clearances
from geometry.measure.segment_crossing import Across
from geometry.path.blockage import DISTANCE, Blocked, Blocker
from geometry.path.ground import Ground
from geometry.shape.arrangement import Edges, between
from geometry.shape.base import TOLERANCE, Bools, Floats
from geometry.shape.convex_shape import NOTHING, Outlines
from geometry.single.goal import ToBases, ToLine
from geometry.single.model_move import Mover

Point = tuple[float, float]
SPARES = 3
HIGH = 5.0
"""How far above or below one may still be within engagement range. Rule: CORE.ER.1"""


def move_into_contact(
    party: Party,
    targets: Sequence[Outlines],
    ground: Ground,
    spacing: Spacing,
    reach: float = 1.0,
    must_reach_all: bool = True,
    across: Across | None = None,
) -> Moved | Blocked:
    """Return the move that ends within `reach` of every target unit, in base contact where it can be.

    Every model that moves ends closer: to any target, or with `must_reach_all` off to the closest target
    model, and then one target within reach is enough. Where a target may also be reached from farther off,
    `across` tells. Rule: CORE.CHG.2, CORE.CHG.3, CORE.ER.2, CORE.FGT.4
    """
    if not is_flat(party, ground):
        return _up_to_contact(party, targets, ground, spacing, reach, must_reach_all, across)
    found = _into_contact(party, targets, ground, spacing, reach, must_reach_all, across)
    if isinstance(found, Moved) or not ground.rises:
        return found
    every = reduce(Outlines.joined, targets, NOTHING)
    for paid in crossings(party, ground, ToBases(every)):
        if not (paid.party.limit > 0).any():
            continue
        over = _into_contact(paid.party, targets, paid.ground, spacing, reach, must_reach_all, across)
        paths = paid.lifted(over.paths) if isinstance(over, Moved) else None
        if isinstance(over, Moved) and paths is not None:
            return Moved(paths, over.left)
    return found


def _into_contact(
    party: Party,
    targets: Sequence[Outlines],
    ground: Ground,
    spacing: Spacing,
    reach: float,
    must_reach_all: bool,
    across: Across | None,
) -> Moved | Blocked:
    """Return the move into contact on the flat, round all that is in the way."""
    every = reduce(Outlines.joined, targets, NOTHING)
    beside = across.places if across else NOTHING
    goal = ToBases(every, reach=reach, beside=beside)

    def allowed(mover: Mover, xy: Floats) -> Bools:
        return mover.is_closer(xy, nearest_only=not must_reach_all)

    def met(ends: Outlines) -> bool:
        near = [
            _least_gap(ends, target) <= reach + TOLERANCE / 2
            or (across is not None and across.met(ends, target))
            for target in targets
        ]
        return all(near) if must_reach_all else any(near)

    around = np.array([base.radius for base in party.bases]) if party.bases else party.radius
    wide = Outlines(party.xy, around + party.limit)
    near = [_least_gap(wide, target.grown(reach).joined(beside)) <= TOLERANCE for target in targets]
    if not (all(near) if must_reach_all else any(near)):
        return Blocked("no model can get within engagement range, even straight ahead", (Blocker(DISTANCE),))
    movers = movers_of(party, ground, goal)
    if all(m.is_shut or goal.near(m.stance).nearest(m.at[None])[0][0] > m.limit + TOLERANCE for m in movers):
        return Blocked(
            "every way into engagement range is too long",
            lambda: (Blocker(DISTANCE), *in_the_way(party, goal, ground)),
        )
    has_several = must_reach_all and len(targets) > 1
    goals = [ToBases(some, reach=reach, beside=beside) for some in targets] if has_several else [goal]
    places = Footholds(movers, goals)
    wish = Wish(allowed, met, footholds=places)
    formation = Formation(movers, spacing, wish)
    best = None if has_several else made(formation, formation.quick)
    if best is None and not places.exist:
        return Blocked("no place within engagement range is free", partial(in_the_way, party, goal, ground))
    if has_several:
        best = _each_by_one(movers, targets, spacing, wish, reach)
    best = best or made(formation, formation.settled())
    if best is None and has_several:
        best = _one_for_all(movers, targets, spacing, wish, reach)
    best = best or unturned(movers, spacing, wish) or _short_of_contact(movers, spacing, wish)
    return best or Blocked(
        "the unit cannot end within engagement range of its targets, coherent",
        partial(in_the_way, party, goal, ground),
    )


def _up_to_contact(
    party: Party,
    targets: Sequence[Outlines],
    ground: Ground,
    spacing: Spacing,
    reach: float,
    must_reach_all: bool,
    across: Across | None,
) -> Moved | Blocked:
    """Return the move into contact on the storey nearest to the targets on which there is one."""
    every = reduce(Outlines.joined, targets, NOTHING)
    for storey in storeys(party, ground, every):
        near = [t.take(np.abs(standing(ground, t) - storey.z) <= HIGH + TOLERANCE) for t in targets]
        near = [target for target in near if len(target)]
        if not near or (must_reach_all and len(near) < len(targets)):
            continue
        found = move_into_contact(storey.party, near, storey.ground, spacing, reach, must_reach_all, across)
        paths = storey.lifted(found.paths) if isinstance(found, Moved) else None
        if isinstance(found, Moved) and paths is not None:
            return Moved(paths, found.left)
    return Blocked(
        "the unit cannot end within engagement range of its targets, at whatever height",
        partial(in_the_way, party, ToBases(every), ground),
    )


def _each_by_one(
    movers: Sequence[Mover], targets: Sequence[Outlines], spacing: Spacing, wish: Wish, reach: float
) -> Moved | None:
    """Return the outcome in which one model is sent to each target, the hardest to reach first."""
    goals = [ToBases(target, reach=reach) for target in targets]
    sent = [[Mover(m.start, m.limit, m.footing, goal, turn=m.turn) for m in movers] for goal in goals]
    hardest = sorted(range(len(targets)), key=lambda t: (-min(m.start_left for m in sent[t]), t))
    for spare in range(SPARES):
        chosen: dict[int, Mover] = {}
        for t in hardest:
            near = sorted((m.start_left, row) for row, m in enumerate(sent[t]) if row not in chosen)
            if not near:
                return None
            row = near[min(spare if t == hardest[-1] else 0, len(near) - 1)][1]
            chosen[row] = sent[t][row]
        mixed = [chosen.get(row, mover) for row, mover in enumerate(movers)]
        found = moved(mixed, spacing, replace(wish, first=tuple(chosen)))
        if found is not None:
            return found
    return None


def _one_for_all(
    movers: Sequence[Mover], targets: Sequence[Outlines], spacing: Spacing, wish: Wish, reach: float
) -> Moved | None:
    """Return the outcome in which one model comes within reach of every target, even short of contact."""
    for row in sorted(range(len(movers)), key=lambda row: (movers[row].start_left, row))[:SPARES]:
        mover = movers[row]
        for spot in _shared_spots(mover, targets, reach):
            to_spot = Mover(mover.start, mover.limit, mover.footing, ToLine(spot, spot), turn=mover.turn)

            def allowed(some: Mover, xy: Floats, own: Mover = to_spot, real: Mover = mover) -> Bools:
                assert wish.allowed is not None
                return wish.allowed(real if some is own else some, xy)

            mixed = [to_spot if i == row else each for i, each in enumerate(movers)]
            found = moved(mixed, spacing, replace(wish, allowed=allowed, first=(row,)))
            if found is not None:
                left = found.left.copy()
                left[row] = float(mover.goal.left(np.array([found.paths[row].end]), mover.stance)[0])
                return Moved(found.paths, left)
    return None


def _shared_spots(mover: Mover, targets: Sequence[Outlines], reach: float) -> list[Point]:
    """Return where a model is just within reach of two targets, and of all others, the nearest first."""
    goals = [ToBases(target, reach) for target in targets]
    rims = [Edges.of(goal.rings(mover.stance)) for goal in goals]
    spots = np.vstack([between(a, b) for a, b in combinations(rims, 2)])
    left = np.array([goal.left(spots, mover.stance) for goal in goals]).max(axis=0, initial=0.0)
    near = spots[left <= TOLERANCE / 2]
    order = np.argsort(np.hypot(*(near - mover.at).T).round(6), kind="stable")
    return [(x, y) for x, y in near[order][: 2 * SPARES].tolist()]


def _short_of_contact(movers: Sequence[Mover], spacing: Spacing, wish: Wish) -> Moved | None:
    """Return the outcome in which models that no way leads into contact come as near as they can."""
    if not any(mover.is_lost for mover in movers):
        return None
    return moved([seeking(mover) for mover in movers], spacing, wish)


def _least_gap(bases: Outlines, others: Outlines) -> float:
    return float(clearances(bases, others).min())
