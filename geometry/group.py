"""A unit's move, and its set-up, as one problem: every model a legal way, the unit in coherency.

Owns moves toward bases, points and lines, into contact and away. One model's way is `geometry.path`'s, a
set-up `geometry.placement`'s.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial, reduce
from itertools import combinations, islice

import numpy as np
from msgspec.structs import replace

from geometry.base import TOLERANCE, Bools, Floats
from geometry.berth import Berth
from geometry.blocker import COHERENCY, DISTANCE, Blocked, Blocker, blockers
from geometry.coherency import Spacing
from geometry.foothold import Footholds
from geometry.formation import Formation, Wish
from geometry.gap import clearances
from geometry.goal import Across, Away, Goal, ToBases, ToLine
from geometry.ground import Ground
from geometry.huddle import Huddle, may_huddle
from geometry.leaving import ways_out
from geometry.moved import Flat, Moved
from geometry.mover import Mover
from geometry.muster import Muster, Party, movers_of
from geometry.outline import NOTHING, Outlines
from geometry.over import over_or_round
from geometry.packing import Front, Nearest
from geometry.path import Path
from geometry.placement import Placed, place_group
from geometry.spot import Edges, between
from geometry.storey import crossings, is_flat, standing, storeys

__all__ = [
    "Front",
    "Moved",
    "Nearest",
    "Party",
    "Placed",
    "move_away",
    "move_into_contact",
    "move_to_point",
    "move_toward",
    "place_group",
]

Point = tuple[float, float]
SPARES = 3
OUT = 12
"""So many places for the first of some ovals or hulls that have to leave are tried, the others about it."""
HIGH = 5.0
"""How far above or below one may still be within engagement range. Rule: CORE.ER.1"""


def move_toward(
    party: Party, goal: Outlines, ground: Ground, spacing: Spacing, stop: float = 0.0, stays: bool = True
) -> Moved | Blocked:
    """Return the move that brings every model as near to the bases as may be, but not within `stop` of them.

    Models move nearest first. Without `stays` none stays where it may not end. Where no other outcome is
    legal nobody moves. Rule: R.A03, R.A04, R.A05
    """
    wanted = ToBases(goal, stop)
    return _on_best_storey(party, ground, goal, Near(wanted, spacing, stays)) or _stayed(party, wanted)


def move_to_point(
    party: Party,
    point: Point | tuple[Point, Point],
    ground: Ground,
    spacing: Spacing,
    stays: bool = True,
) -> Moved | Blocked:
    """Return the move that brings every model as near as may be to a point, or to a stretch of line.

    Where a base cannot be, as it would leave the board, the nearest point counts that it can. Without `stays`
    none stays where it may not end. Rule: R.A16, R.A17
    """
    start, end = point if isinstance(point[0], tuple) else (point, point)
    goal = ToLine(_floats(start), _floats(end), ground.size)
    return _on_best_storey(party, ground, NOTHING, Near(goal, spacing, stays)) or _stayed(party, goal)


class Near:
    """The move as near to a goal as may be, on one flat ground after another, the first without climbs.

    `kept` is a model that has to leave and cannot on that first one; on others it is asked about first.
    """

    def __init__(self, goal: Goal, spacing: Spacing, stays: bool) -> None:
        """Take what the unit makes for, and whether models may stay where they may not end."""
        self.goal, self.spacing, self.wish = goal, spacing, Wish(stays=stays)
        self.kept: int | None = None
        self._is_first = True
        self._shut: Ground | None = None

    def __call__(self, party: Party, ground: Ground) -> Moved | None:
        """Return the move, None where none is legal."""
        # Who cannot leave round it, nor by paying for a climb, cannot with all of its move, either.
        if ground is self._shut:
            return None
        muster = Muster(party, ground, leaves=not self.wish.stays)
        if self._is_kept_in(muster):
            self._shut = ground
            return None
        found = _settled(muster, self.goal, self.spacing, self.wish)
        if self._is_first:
            self.kept, self._is_first = muster.kept, False
        return found

    def to(self, point: Point, size: Point) -> Near:
        """Return the same, once it is known who is kept in, to a point on a board of a size."""
        found = Near(ToLine(point, point, size), self.spacing, self.wish.stays)
        found.kept, found._is_first = self.kept, False
        return found

    def keeps_in(self, party: Party, ground: Ground) -> bool:
        """Return whether the model that has to leave cannot on another ground, either."""
        return self._is_kept_in(Muster(party, ground, leaves=True))

    def _is_kept_in(self, muster: Muster) -> bool:
        return self.kept is not None and muster.is_kept_in(self.kept, self.goal)


def _floats(point: Sequence[float]) -> Point:
    return (float(point[0]), float(point[1]))


def move_away(party: Party, threats: Outlines, ground: Ground, spacing: Spacing) -> Moved | Blocked:
    """Return the move that ends as far as may be from the closest threat, clear of what is to be avoided.

    Ways over the threats' bases are taken only where there is no other. Rule: CORE.MOVE.7, R.A29
    """
    goal = Away(threats, 100.0)

    def flat(some: Party, level: Ground) -> Moved | None:
        round_them = replace(level, solid=level.solid.joined(threats))
        found = _settled(Muster(some, round_them), goal, spacing, Wish(stays=False))
        return found or _settled(Muster(some, level), goal, spacing, Wish(stays=False))

    return _on_best_storey(party, ground, NOTHING, flat) or Blocked(
        "no place outside engagement range can be reached by every model in coherency",
        partial(_in_the_way, party, goal, ground),
    )


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
            lambda: (Blocker(DISTANCE), *_in_the_way(party, goal, ground)),
        )
    has_several = must_reach_all and len(targets) > 1
    goals = [ToBases(some, reach=reach, beside=beside) for some in targets] if has_several else [goal]
    places = Footholds(movers, goals)
    wish = Wish(allowed, met, footholds=places)
    formation = Formation(movers, spacing, wish)
    best = None if has_several else _made(formation, formation.quick)
    if best is None and not places.exist:
        return Blocked("no place within engagement range is free", partial(_in_the_way, party, goal, ground))
    if has_several:
        best = _each_by_one(movers, targets, spacing, wish, reach)
    best = best or _made(formation, formation.settled())
    if best is None and has_several:
        best = _one_for_all(movers, targets, spacing, wish, reach)
    best = best or _unturned(movers, spacing, wish) or _short_of_contact(movers, spacing, wish)
    return best or Blocked(
        "the unit cannot end within engagement range of its targets, coherent",
        partial(_in_the_way, party, goal, ground),
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
        partial(_in_the_way, party, ToBases(every), ground),
    )


def _on_best_storey(party: Party, ground: Ground, goal: Outlines, flat: Flat) -> Moved | None:
    """Return the move that ends nearest to a goal, its height counted; on the flat where all is flat.

    What stands there is climbed over where that leads nearer to a goal than any way round it.
    """
    if is_flat(party, ground):
        found = flat(party, ground)
        if ground.rises and isinstance(flat, Near):
            return over_or_round(party, ground, goal, flat, found)
        return found
    best: tuple[float, Moved] | None = None
    for storey in storeys(party, ground, goal):
        found = flat(storey.party, storey.ground)
        paths = storey.lifted(found.paths) if found is not None else None
        if found is None or paths is None:
            continue
        total = round(float(np.hypot(found.left, storey.above).sum()), 6)
        if best is None or total < best[0]:
            best = (total, replace(found, paths=paths))
    return best[1] if best else None


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
        found = _moved(mixed, spacing, replace(wish, first=tuple(chosen)))
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
            found = _moved(mixed, spacing, replace(wish, allowed=allowed, first=(row,)))
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
    return [_floats(spot) for spot in near[order][: 2 * SPARES]]


def _least_gap(bases: Outlines, others: Outlines) -> float:
    return float(clearances(bases, others).min())


def _settled(muster: Muster, goal: Goal, spacing: Spacing, wish: Wish) -> Moved | None:
    is_plain = wish in (Wish(), Wish(stays=False)) and may_huddle(muster.party, goal)
    huddle = Huddle(muster, goal, spacing, wish.stays) if is_plain else None
    quick = huddle.outcome() if huddle is not None else None
    if quick is None:
        if muster.kept_in(goal) is not None:
            return None
        quick = huddle.measured() if huddle is not None else None
    if huddle is not None and quick is not None:
        return Moved(*quick, lost=huddle.is_closed)
    movers = [_seeking(mover) for mover in muster.movers(goal)]
    found = _moved(movers, spacing, wish)
    if len(movers) == 1 and (found is None or _gains_nothing(movers[0], found, wish)):
        other = _otherwise(muster, movers[0], spacing, wish, found)
        if other is None and found is None:
            return _out(muster, movers[0]) if muster.leaves else None
        if other is not None:
            return other
    found = found or _unturned(movers, spacing, wish)
    if found is None and muster.leaves and any(not mover.stance.core.is_point for mover in movers):
        found = _out_together(movers, spacing, wish)
    return replace(found, lost=any(mover.is_closed for mover in movers)) if found is not None else None


def _seeking(mover: Mover) -> Mover:
    """Return the mover, or where no way leads to its goal one that gets as near as it can."""
    return mover.seeking() if mover.is_lost and not isinstance(mover.goal, Away) else mover


def _unturned(movers: Sequence[Mover], spacing: Spacing, wish: Wish) -> Moved | None:
    """Return the outcome in which nobody turns, if somebody would have: who turns must also move."""
    before = [mover.turn.before if mover.turn else mover for mover in movers]
    return _moved(before, spacing, wish) if any(mover.turn for mover in movers) else None


def _gains_nothing(mover: Mover, found: Moved, wish: Wish) -> bool:
    """Return whether a model that is not where it makes for ends no nearer than it began."""
    has_far_to_go = mover.turn is not None or not wish.stays or mover.start_left > TOLERANCE
    return has_far_to_go and bool(found.left[0] > _began(mover) - TOLERANCE)


def _began(mover: Mover) -> float:
    """Return how far a model had to go as it stood; where no way led on, as it faces now."""
    before = mover.turn.before if mover.turn else mover
    return mover.start_left if before.is_lost else min(before.start_left, mover.start_left)


def _otherwise(
    muster: Muster, mover: Mover, spacing: Spacing, wish: Wish, found: Moved | None
) -> Moved | None:
    """Return the outcome, at any other facing, of a single model that finds no place as it faces best.

    If it has found one, others must bring it nearer than that, or, where no way led on as it stood, than they
    begin.
    """
    best: Moved | None = None
    before = mover.turn.before if mover.turn else mover
    for other in map(_seeking, muster.otherwise(0, mover)):
        below = math.inf
        if found is not None:
            below = other.start_left if before.is_lost else float(found.left[0])
        below = (below if best is None else min(below, float(best.left[0]))) - TOLERANCE
        if other.ideal.left[0] < below:
            made = _moved([other], spacing, wish)
            if made is not None and made.left[0] < below:
                best = replace(made, lost=other.is_closed)
    return best


def _out(muster: Muster, mover: Mover) -> Moved | None:
    """Return the move of a single model that must leave, and finds no place near any way to its goal."""
    best: Moved | None = None
    for each in (mover, *muster.otherwise(0, mover)):
        way = next(ways_out(each.footing, each.at, each.limit, each.goal), None)
        left = each.goal.left(np.array([way.end]), each.stance) if way is not None else None
        if way is not None and left is not None and (best is None or left[0] < best.left[0] - TOLERANCE):
            best = Moved((_pivoted(each, way),), left)
    return best


def _out_together(movers: Sequence[Mover], spacing: Spacing, wish: Wish) -> Moved | None:
    """Return the move of a unit that must leave and finds no outcome near any way: about who gets out."""
    formation = Formation([mover.turn.before if mover.turn else mover for mover in movers], spacing, wish)
    row = formation.order()[0]
    leader = formation.movers[row]
    for way in islice(ways_out(leader.footing, leader.at, leader.limit, leader.goal), OUT):
        berths = formation.gathered(row, Berth(leader.at_spot(np.array(way.end)), way))
        if berths is not None and not formation.faults(berths):
            return _made(formation, berths)
    return None


def _moved(movers: Sequence[Mover], spacing: Spacing, wish: Wish) -> Moved | None:
    formation = Formation(movers, spacing, wish)
    return _made(formation, formation.settled())


def _made(formation: Formation, berths: Sequence[Berth] | None) -> Moved | None:
    """Return an outcome of a formation as a move."""
    if berths is None:
        return None
    movers = formation.movers
    paths = tuple(_pivoted(m, formation.path(m, taken)) for m, taken in zip(movers, berths, strict=True))
    return Moved(paths, _left(berths))


def _pivoted(mover: Mover, path: Path) -> Path:
    """Return the path with the pivot that it begins with."""
    turn = mover.turn
    return path if turn is None else replace(path, legs=((*path.start, turn.facing, turn.cost), *path.legs))


def _in_the_way(party: Party, goal: Goal, ground: Ground) -> tuple[Blocker, ...]:
    """Return what the foremost models run into, going straight for the goal; coherency if that is nothing."""
    left = [float(goal.left(at[None], party.stance(row))[0]) for row, at in enumerate(party.xy)]
    rows = sorted(range(len(party)), key=lambda row: (round(left[row], 6), row))
    found: list[Blocker] = []
    for row in rows[:SPARES]:
        at, stance = party.xy[row], party.stance(row)
        off = goal.nearest(at[None], stance)[0] - at
        far = min(float(party.limit[row]), left[row])
        end = at + off * (far / max(float(np.hypot(*off)), TOLERANCE))
        found += blockers(stance, at.tolist(), end.tolist(), ground)
    return tuple(dict.fromkeys(found)) or (Blocker(COHERENCY),)


def _short_of_contact(movers: Sequence[Mover], spacing: Spacing, wish: Wish) -> Moved | None:
    """Return the outcome in which models that no way leads into contact come as near as they can."""
    if not any(mover.is_lost for mover in movers):
        return None
    return _moved([_seeking(mover) for mover in movers], spacing, wish)


def _left(berths: Sequence[Berth]) -> Floats:
    return np.array([taken.left for taken in berths])


def _stayed(party: Party, goal: Goal) -> Moved:
    left = [float(goal.left(at[None], party.stance(row))[0]) for row, at in enumerate(party.xy)]
    z = np.zeros(len(party)) if party.z is None else party.z
    paths = tuple(Path(_floats(at), (), float(high)) for at, high in zip(party.xy, z, strict=True))
    return Moved(paths, np.array(left))
