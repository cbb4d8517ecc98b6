"""A unit's move, and its set-up, as one problem: every model a legal way, the unit in coherency.

Owns moves toward bases, points and lines, and away. Those into contact are `geometry.group.contact`'s, a
set-up `geometry.group.setup`'s, one model's way `geometry.path.planner`'s.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from itertools import islice

import numpy as np
from msgspec.structs import replace

from geometry.group.batch import Huddle, may_huddle
from geometry.group.contact import move_into_contact
from geometry.group.formation import Formation, Wish
from geometry.group.levels import is_flat, storeys
from geometry.group.outcome import Flat, Moved, in_the_way, made, moved, pivoted, seeking, unturned
from geometry.group.over_terrain import over_or_round
from geometry.group.packing import Front, Nearest
from geometry.group.party import Muster, Party
from geometry.group.setup import Placed, place_group
from geometry.measure.coherency import Spacing
from geometry.measure.region import Segment
from geometry.path.blockage import Blocked
from geometry.path.ground import Ground
from geometry.path.planner import Path
from geometry.shape.base import TOLERANCE
from geometry.shape.convex_shape import NOTHING, Outlines
from geometry.single.best_spot import Berth
from geometry.single.goal import Away, Goal, ToBases, ToLine
from geometry.single.model_move import Mover
from geometry.single.way_out import ways_out

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
OUT = 12
"""So many places for the first of some ovals or hulls that have to leave are tried, the others about it."""


def move_toward(
    party: Party,
    goal: Outlines,
    ground: Ground,
    spacing: Spacing,
    stop: float = 0.0,
    stays: bool = True,
    by: Sequence[Segment] = (),
) -> Moved | Blocked:
    """Return the move that brings every model as near to the bases as may be, but not within `stop` of them.

    Models move nearest first. Without `stays` none stays where it may not end: where nothing near a way lets
    all leave, round bases go out `by` the first of some lines that does, and on from there. Where no other
    outcome is legal nobody moves. Rule: R.A03, R.A04, R.A05
    """
    wanted = ToBases(goal, stop)
    return _on_best_storey(party, ground, goal, Near(wanted, spacing, stays, by)) or _stayed(party, wanted)


def move_to_point(
    party: Party,
    point: Point | Segment,
    ground: Ground,
    spacing: Spacing,
    stays: bool = True,
    by: Sequence[Segment] = (),
) -> Moved | Blocked:
    """Return the move that brings every model as near as may be to a point, or to a stretch of line.

    Where a base cannot be, as it would leave the board, the nearest point counts that it can. Without `stays`
    none stays where it may not end, as in `move_toward`. Rule: R.A16, R.A17
    """
    start, end = point if isinstance(point[0], tuple) else (point, point)
    goal = ToLine(_floats(start), _floats(end), ground.size)
    return _on_best_storey(party, ground, NOTHING, Near(goal, spacing, stays, by)) or _stayed(party, goal)


class Near:
    """The move as near to a goal as may be, on one flat ground after another, the first without climbs.

    `kept` is a model that has to leave and cannot on that first one; on others it is asked about first.
    """

    def __init__(self, goal: Goal, spacing: Spacing, stays: bool, by: Sequence[Segment] = ()) -> None:
        """Take what the unit makes for, whether models may stay where they may not end, and how to leave."""
        self.goal, self.spacing, self.wish, self.by = goal, spacing, Wish(stays=stays), by
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
        found = _settled(muster, self.goal, self.spacing, self.wish, self.by)
        if self._is_first:
            self.kept, self._is_first = muster.kept, False
        return found

    def to(self, point: Point, size: Point) -> Near:
        """Return the same, once it is known who is kept in, to a point on a board of a size."""
        found = Near(ToLine(point, point, size), self.spacing, self.wish.stays, self.by)
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
        partial(in_the_way, party, goal, ground),
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


def _settled(
    muster: Muster, goal: Goal, spacing: Spacing, wish: Wish, by: Sequence[Segment] = ()
) -> Moved | None:
    is_plain = wish in (Wish(), Wish(stays=False)) and may_huddle(muster.party, goal)
    huddle = Huddle(muster, goal, spacing, wish.stays) if is_plain else None
    quick = huddle.outcome() if huddle is not None else None
    if quick is None:
        if muster.kept_in(goal) is not None:
            return None
        quick = huddle.measured() if huddle is not None else None
    if huddle is not None and quick is not None:
        return Moved(*quick, lost=huddle.is_closed)
    movers = [seeking(mover) for mover in muster.movers(goal)]
    found = moved(movers, spacing, wish)
    if len(movers) == 1 and (found is None or _gains_nothing(movers[0], found, wish)):
        other = _otherwise(muster, movers[0], spacing, wish, found)
        if other is None and found is None:
            return _out(muster, movers[0]) if muster.leaves else None
        if other is not None:
            return other
    found = found or unturned(movers, spacing, wish)
    if found is None and muster.leaves:
        if all(mover.stance.core.is_point for mover in movers):
            found = _by_way_of(by, muster, movers, spacing, wish)
        else:
            found = _out_together(movers, spacing, wish)
    elif found is not None and by:
        found = _out_elsewhere(movers, spacing, wish, found)
    return replace(found, lost=any(mover.is_closed for mover in movers)) if found is not None else None


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
    for other in map(seeking, muster.otherwise(0, mover)):
        # What is left on a closed way is no measure beside an open one.
        if found is not None and other.is_shut and not before.is_shut:
            continue
        below = math.inf
        if found is not None:
            below = other.start_left if before.is_lost else float(found.left[0])
        below = (below if best is None else min(below, float(best.left[0]))) - TOLERANCE
        if other.ideal.left[0] < below:
            turned = moved([other], spacing, wish)
            if turned is not None and turned.left[0] < below:
                best = replace(turned, lost=other.is_closed)
    return best


def _out(muster: Muster, mover: Mover) -> Moved | None:
    """Return the move of a single model that must leave, and finds no place near any way to its goal."""
    best: Moved | None = None
    for each in (mover, *muster.otherwise(0, mover)):
        way = next(ways_out(each.footing, each.at, each.limit, each.goal), None)
        left = each.goal.left(np.array([way.end]), each.stance) if way is not None else None
        if way is not None and left is not None and (best is None or left[0] < best.left[0] - TOLERANCE):
            best = Moved((pivoted(each, way),), left)
    return best


def _out_together(movers: Sequence[Mover], spacing: Spacing, wish: Wish) -> Moved | None:
    """Return the move of ovals or hulls that must leave, near no way of theirs: about who gets out first."""
    formation = Formation([mover.turn.before if mover.turn else mover for mover in movers], spacing, wish)
    row = formation.order()[0]
    leader = formation.movers[row]
    for way in islice(ways_out(leader.footing, leader.at, leader.limit, leader.goal), OUT):
        berths = formation.gathered(row, Berth(leader.at_spot(np.array(way.end)), way))
        if berths is not None and not formation.faults(berths):
            return made(formation, berths)
    return None


def _out_elsewhere(movers: Sequence[Mover], spacing: Spacing, wish: Wish, found: Moved) -> Moved:
    """Return the move of a unit that must leave: about where its foremost model truly has least to go.

    As it was found where somebody gets nearer so. Who leaves by another side than its way does has a way of
    its own from there, which no way back to the old one tells.
    """
    before = [mover.turn.before if mover.turn else mover for mover in movers]
    least = float(found.left.min()) - TOLERANCE
    if least < min(mover.start_left for mover in before):
        return found
    formation = Formation(before, spacing, wish)
    row = formation.order()[0]
    leader, ends = before[row], dict[Point, tuple[float, Path]]()
    for way in ways_out(leader.footing, leader.at, leader.limit, leader.goal):
        if leader.straight_left(np.array([way.end]))[0] >= least:
            break
        there = _anew(leader, way.end, least)
        # From where no way is so short it would be measured as the crow flies.
        if not there.is_lost and there.start_left < least:
            ends.setdefault((round(way.end[0], 4), round(way.end[1], 4)), (there.start_left, way))
    for _, way in sorted(ends.values(), key=lambda end: round(end[0], 6)):
        berths = formation.gathered(row, Berth(leader.at_spot(np.array(way.end)), way))
        outcome = made(formation, berths) if berths is not None and not formation.faults(berths) else None
        if outcome is not None:
            taken = zip(before, outcome.paths, strict=True)
            return replace(
                outcome, left=np.array([_anew(mover, path.end).start_left for mover, path in taken])
            )
        if leader.footing.budget.is_spent:
            break
    return found


def _anew(mover: Mover, spot: Point, most: float = math.inf) -> Mover:
    """Return a model as if it stood on a spot, with a way of its own from there; none longer than `most`."""
    return Mover(spot, mover.limit, mover.footing, mover.goal, most=most)


def _by_way_of(
    by: Sequence[Segment], muster: Muster, movers: Sequence[Mover], spacing: Spacing, wish: Wish
) -> Moved | None:
    """Return the move of round bases that must leave: to the first line where all may end, and on."""
    formation = Formation(movers, spacing, wish)
    for start, end in by:
        out = _settled(muster, ToLine(start, end, muster.ground.size), spacing, wish)
        if out is None:
            continue
        ends = zip(formation.movers, out.paths, strict=True)
        found = formation.gone_on([Berth(mover.at_spot(np.array(path.end)), path) for mover, path in ends])
        if found is not None:
            return made(formation, found)
    return None


def _stayed(party: Party, goal: Goal) -> Moved:
    left = [float(goal.left(at[None], party.stance(row))[0]) for row, at in enumerate(party.xy)]
    z = np.zeros(len(party)) if party.z is None else party.z
    paths = tuple(Path(_floats(at), (), float(high)) for at, high in zip(party.xy, z, strict=True))
    return Moved(paths, np.array(left))
