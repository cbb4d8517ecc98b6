"""One base on the move: its guide to the goal, the spots it can reach, and what each leaves it to go.

Owns the ways of one model. Which spot it takes among its friends is `geometry.group.formation`'s.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
import numpy as np

from geometry.path.budget import WAY
from geometry.path.core_obstacles import MERE
from geometry.path.obstacles import CLOSE, Obstacles, in_box, leg_length
from geometry.path.planner import Blocked, Path
from geometry.path.reference_path import Trail
from geometry.path.shortcut import Way
from geometry.path.tangents import tangents
from geometry.shape.arrangement import NONE, Edges, distances
from geometry.shape.array import ways_at
from geometry.shape.base import TOLERANCE, Bools, Floats, Ints, distinct
from geometry.shape.cached import cached_property
from geometry.shape.convex_shape import Outlines
from geometry.shape.nearby import Vicinity
from geometry.single.candidates import Options
from geometry.single.distance_to_go import Joining
from geometry.single.free_space import Footing
from geometry.single.goal import NO_EDGES, Away, Goal, ToBases, ToLine
from geometry.single.routes import own_ways, ways_to
from geometry.tolerance import TOUCHING_DEPTH_INCHES

Point = tuple[float, float]
BENT = 2
TRIES = 2
BRINKS = 6


class Straight(msgspec.Struct, frozen=True):
    """The way of a mover to its goal, mostly straight, and whether all of it within its limit is free."""

    path: Path
    is_free: bool


class Turn(msgspec.Struct, frozen=True):
    """A pivot at the start of a move: the mover before it, which way the base faces then, and the cost."""

    before: Mover
    facing: float
    cost: float


class Mover:
    """A base that moves from where it stands toward a goal, at most so far."""

    def __init__(
        self,
        start: Sequence[float],
        limit: float,
        footing: Footing,
        goal: Goal,
        straight: Straight | None = None,
        turn: Turn | None = None,
        seeks: bool = False,
        most: float = math.inf,
        shut: bool = False,
    ) -> None:
        """Take the base's place and what it makes for; `straight` where its way is known already.

        A base that has turned has its limit without the cost of that. One that `seeks` looks for a spot
        nearer to the goal as the crow flies where no way leads to it. Ways longer than `most` are of no use;
        `shut` tells that no way leads to the goal but through what closes it off.
        """
        self.turn = turn
        self.most, self._shut = most, shut
        self.seeks = seeks
        self.straight = straight
        self.start: Point = (float(start[0]), float(start[1]))
        self.at = np.array(self.start)
        self.limit = limit
        self.footing = footing
        self.stance = footing.stance
        self.goal = goal

    @cached_property
    def free(self) -> Obstacles:
        """Return what is in its way."""
        return self.footing.free_of(self.start)

    @cached_property
    def _shapes(self) -> Obstacles:
        """Return what is in its way but for the goal itself."""
        return ways_to(self.footing, self.goal.bases).obstacles.freed(self.start)

    @cached_property
    def _about(self) -> Outlines:
        """Return the shapes that it may not pass, but for walls and without those that hold it."""
        shapes = self.footing.passing.shapes
        if not len(shapes):
            return shapes
        apart = self.footing.passing.distances(self.at[None], 0.0)[0]
        touched = shapes.grown(np.where((apart < 0) & (apart > -TOUCHING_DEPTH_INCHES), apart, 0.0))
        return touched.take(apart >= -TOUCHING_DEPTH_INCHES)

    @cached_property
    def trail(self) -> Trail:
        """Return its shortest way to the goal, up to where nothing is left; of no length where none is.

        Where every way is closed it leads through what covers the nearest of the goal's bases.
        """
        if self.straight is not None:
            return Trail(self.straight.path)
        found = self._way or self._way_near
        if found is None and self.is_closed:
            found = self.way_to(self.goal.aims(self.at, self.stance)[0])
        return Trail(found or Path(self.start))

    @property
    def is_closed(self) -> bool:
        """Return whether every way to the goal is closed, so that it gets as near as it can."""
        return self.seeks or (self.is_shut and self.most == math.inf)

    @cached_property
    def is_shut(self) -> bool:
        """Return whether no way leads to the goal's bases, or none that is not too long."""
        if self.straight is not None or not isinstance(self.goal, ToBases):
            return False
        return self._way is None and self._way_near is None

    @cached_property
    def _way(self) -> Path | None:
        """Return its shortest way to where nothing is left; None where there is none, or none of use."""
        if not isinstance(self.goal, ToBases):
            found = self.way_to(self._aim, self.most)
            if found is None and isinstance(self.goal, ToLine):
                # Where the nearest point of the line is closed, another may be open.
                found = self._way_into(self.goal.shape(self.stance), self.most)
            return found
        most = self.most if self.goal.reach is None else min(self.most, self.limit)
        return self._way_into(self.goal.rings(self.stance), most)

    @property
    def _aim(self) -> Floats:
        """Return the point to make for: of those to get away by, the one that leaves least to go."""
        aims = self.goal.aims(self.at, self.stance)
        if not isinstance(self.goal, Away):
            return np.asarray(aims[0])
        off = aims - self.at
        ends = self.at + off * (self.limit / np.maximum(np.hypot(*off.T), TOLERANCE))[:, None]
        return np.asarray(aims[int(self.straight_left(ends).round(6).argmin())])

    @cached_property
    def _way_near(self) -> Path | None:
        """Return its shortest way to where it may end if there is none to where nothing is left."""
        if not isinstance(self.goal, ToBases) or self.goal.reach is None or self._way is not None:
            return None
        return self._way_into(self.goal.near(self.stance).shapes, self.limit)

    def _way_into(self, rings: Outlines, most: float) -> Path | None:
        if self._shut:
            return None
        self.footing.budget.spend(WAY)
        found = ways_to(self.footing, self.goal.bases).nearest(self.start, rings, most)
        return found if isinstance(found, Path) else None

    def way_to(self, aim: Floats, most: float = math.inf) -> Path | None:
        """Return its shortest way toward a point, up to where nothing is left; None where there is none.

        No way that is longer than `most` need be found.
        """
        if isinstance(self.goal, Away):
            straight = Trail(Path.from_legs(self.start, [tuple(aim)]).at(self.limit))
            return straight.path.at(self._entry(straight))
        self.footing.budget.spend(WAY)
        # The middle of a long base cannot come as near to the board's edge as what it makes for may stand.
        on_board = np.clip(aim, self.footing.low, self.footing.high)
        found = ways_to(self.footing, self.goal.bases).shortest(self.start, _point(on_board), most)
        if isinstance(found, Blocked):
            return None
        if not len(self.goal.bases):
            return found
        if self.straight_left(self.at[None])[0] <= 0:
            return Path(self.start)
        return self._cut(found)

    def _cut(self, found: Path) -> Path:
        """Return the first part of a way, up to where nothing is left."""
        points = found.points
        long = np.array([leg_length(here, leg) for here, leg in zip(points, found.legs, strict=False)])
        # On a leg that is shorter than what is left where it begins nothing ends.
        may = self.straight_left(np.array(points[:-1])) <= long + TOLERANCE
        for row in may.nonzero()[0].tolist():
            leg = Trail(Path(points[row], found.legs[row : row + 1]))
            cut = leg.first_cut(self.goal.edges(self.at, self.stance, self.limit))
            if cut is not None:
                return found.at(float(long[:row].sum()) + cut)
        return found

    @cached_property
    def is_lost(self) -> bool:
        """Return whether no way leads to the goal."""
        return not self.trail.path.legs and bool(self.straight_left(self.at[None])[0] > TOLERANCE)

    @cached_property
    def far(self) -> float:
        """Return how far along its trail it may go."""
        longest = min(self.limit, self.trail.length)
        if longest <= 0 or not self.trail.path.legs:
            return 0.0
        if self.straight.is_free if self.straight is not None else isinstance(self.goal, Away):
            return longest
        return self._entry(Trail(self.trail.path.at(longest)))

    def _entry(self, trail: Trail) -> float:
        """Return how far along a trail it may pass."""
        about = self._about.take(in_box(self._about, *trail.box))
        return trail.entry(Edges.of(about).joined(self.footing.bounds), self.free)

    @cached_property
    def start_left(self) -> float:
        """Return how far is left from where it stands."""
        if self._ends_near or isinstance(self.goal, Away):
            return float(self.straight_left(self.at[None])[0])
        return self.trail.length

    def straight_left(self, xy: Floats) -> Floats:
        """Return how far is left from spots as the crow flies."""
        return self.goal.left(xy, self.stance)

    @cached_property
    def ideal(self) -> Options:
        """Return the farthest spot along its trail."""
        return self.along(np.array([self.far]))

    @property
    def is_straight(self) -> bool:
        """Return whether its trail is one straight line."""
        return len(self.trail.path.legs) < BENT and all(len(leg) == 2 for leg in self.trail.path.legs)

    @cached_property
    def is_cut_short(self) -> bool:
        """Return whether something on its trail stops it before its limit and its goal."""
        if isinstance(self.goal, Away):
            # Nobody gets farther from the closest threat than by all that it may go.
            return float(self.ideal.left[0]) > self.start_left - self.limit + TOLERANCE
        if self._ends_near and (self.seeks or not self.is_lost):
            return True
        return self.far < min(self.limit, self.trail.length) - TOLERANCE

    def seeking(self) -> Mover:
        """Return the mover as one that seeks, from its straight way on."""
        ahead = _point(self.goal.nearest(self.at[None], self.stance)[0])
        straight = Straight(Path(self.start, (ahead,)), is_free=False)
        return Mover(self.start, self.limit, self.footing, self.goal, straight, self.turn, seeks=True)

    def along(self, lengths: Floats) -> Options:
        """Return the spots at these lengths along its trail."""
        xy = self.trail.spots(lengths)
        left = self.straight_left(xy) if self._measures_straight else self.trail.length - lengths
        return Options(xy, lengths, left, lengths)

    @cached_property
    def _measures_straight(self) -> bool:
        return self._ends_near or len(self.trail.path.legs) < BENT or isinstance(self.goal, Away)

    @cached_property
    def _ends_near(self) -> bool:
        """Return whether its trail does not lead to where nothing is left."""
        return self.seeks or self.is_lost or (self.straight is None and self._way_near is not None)

    def guessed(self, xy: Floats) -> Options:
        """Return the spots that may be within its limit, with bounds: no real way is shorter than these."""
        length = distances(xy, self.at[None])[:, 0]
        within = length <= self.limit + TOLERANCE / 10
        xy, length = xy[within], length[within]
        return Options(xy, length, self.least_left(xy), np.full(len(xy), np.nan))

    def least_left(self, xy: Floats) -> Floats:
        """Return what spots leave at least."""
        straight = self.straight_left(xy)
        if self._measures_straight:
            return straight
        return self._joining.bounds(xy)

    @cached_property
    def _joining(self) -> Joining:
        return Joining(self.trail)

    def staying(self) -> Options:
        """Return the option of staying where it is."""
        return Options(self.at[None], np.zeros(1), np.array([self.start_left]), np.zeros(1))

    def at_spot(self, spot: Floats) -> Options:
        """Return the option of a spot that it is known to reach, with what is left from there."""
        length = np.hypot(*(spot - self.at))
        left = self._left(spot[None])
        if not np.isfinite(left[0]):
            left = self.straight_left(spot[None]) + self.trail.length
        return Options(spot[None], np.array([length]), left, np.full(1, np.nan))

    def lengths(self, options: Options) -> Floats:
        """Return how far it truly goes to the options; infinite where this finds no way."""
        beside, length = np.isnan(options.along), options.length.copy()
        if beside.any():
            length[beside] = self._lengths(options.xy[beside])[0]
        return length

    def rests(self, options: Options, below: float = math.inf) -> Floats:
        """Return what the options truly leave; where that is no less than `below`, it is a bound no less."""
        beside, left = np.isnan(options.along), options.left.copy()
        if beside.any():
            left[beside] = self._left(options.xy[beside], below)
        return left

    def _lengths(self, xy: Floats) -> tuple[Floats, Floats]:
        """Return how far it goes to spots, straight or along its trail first, and where it leaves that."""
        straight = np.hypot(*(xy - self.at).T)
        start = np.full(xy.shape, self.at)
        length = np.where(self.free.clear(start, xy), straight, np.inf)
        leave = np.zeros(len(xy))
        via, gone = self.trail.via
        rest = np.isinf(length).nonzero()[0]
        usable = ((gone > 0) & (gone <= self.far)).nonzero()[0]
        if len(rest) and len(usable):
            total = gone[usable] + distances(xy[rest], via[usable])
            total[total > self.limit + TOLERANCE / 10] = np.inf
            length[rest], best = _shortest_clear(total, via[usable], xy[rest], self.free)
            leave[rest] = gone[usable][best]
        return length, leave

    def _left(self, xy: Floats, below: float = math.inf) -> Floats:
        if self._ends_near or isinstance(self.goal, Away):
            return self.straight_left(xy)
        if self._measures_straight:
            return self._left_beside_straight(xy, below)
        best = self._joining.left(xy, self._shapes, below)
        direct = self.straight_left(xy)
        return np.where(direct <= TOLERANCE, direct, best)

    def _left_beside_straight(self, xy: Floats, below: float) -> Floats:
        """Return what is left from spots beside a straight trail: straight where that is free, else by it."""
        straight = self.straight_left(xy)
        far = ((straight > TOLERANCE) & (straight < below)).nonzero()[0]
        if not len(far):
            return straight
        off = self.goal.nearest(xy[far], self.stance) - xy[far]
        ends = xy[far] + off * (straight[far] / np.maximum(np.hypot(*off.T), TOLERANCE))[:, None]
        shapes = self.beyond
        shut = far[~shapes.clear(xy[far], ends)]
        if not len(shut):
            return straight
        via, gone = self.trail.via
        total = distances(xy[shut], via) + (self.trail.length - gone)[None]
        by_trail, _ = _shortest_clear(total, via, xy[shut], shapes, below)
        straight[shut] = np.where(np.isfinite(by_trail), by_trail, total[:, 0])
        return straight

    @cached_property
    def beyond(self) -> Obstacles:
        """Return what is in its way to the goal but for the goal itself, and what holds the trail's end."""
        return ways_to(self.footing, self.goal.bases).obstacles.freed(self.start, self.trail.path.end)

    def by(self, spot: Floats, below: float) -> Mover | None:
        """Return the mover on its way to the goal by a spot; None where none leaves less than `below`."""
        self.footing.budget.spend(WAY)
        most = math.inf if self.is_closed else below + self.limit
        first = own_ways(self.footing).shortest(self.start, _point(spot), most)
        if isinstance(first, Blocked):
            return None
        there = Mover(_point(spot), self.limit, self.footing, self.goal, most=most - first.length)
        if there.is_lost:
            return None
        way = Straight(Path(self.start, (*first.legs, *there.trail.path.legs)), False)
        found = Mover(self.start, self.limit, self.footing, self.goal, way, turn=self.turn)
        return found if found.ideal.left[0] < below else None

    def path_to(self, option: Options) -> Path:
        """Return its way to an option (of one row)."""
        if not np.isnan(option.along[0]):
            return self.trail.path.at(float(option.along[0]))
        spot = (float(option.xy[0, 0]), float(option.xy[0, 1]))
        if math.dist(spot, self.start) <= 1e-9:
            return Path(self.start)
        _, leave = self._lengths(option.xy)
        first = self.trail.path.at(float(leave[0])) if leave[0] > 0 else Path(self.start)
        return Path(self.start, (*first.legs, spot))

    def true_way(self, spot: Floats) -> Path | None:
        """Return the shortest path to a spot where it is within the limit, and the budget not spent."""
        if self.footing.budget.is_spent:
            return None
        self.footing.budget.spend(WAY)
        found = own_ways(self.footing).shortest(self.start, _point(spot), self.limit)
        return found if isinstance(found, Path) and found.length <= self.limit + TOLERANCE / 10 else None

    def may_go_round(self, xy: Floats) -> Bools:
        """Return to which spots a bent way within the limit may lead, by where it bends first."""
        bends = self._first_bends
        least = (distances(xy, bends[:, :2]) + bends[:, 2]).min(axis=1, initial=math.inf)
        return np.asarray(least <= self.limit + CLOSE)

    def ways_to(self, xy: Floats) -> list[Way | None]:
        """Return its shortest ways to spots, None where one is longer than its limit."""
        found: list[Way | None] = []
        for spot in xy:
            way = own_ways(self.footing).shortest(self.start, _point(spot), self.limit)
            is_near = isinstance(way, Path) and way.length <= self.limit + TOLERANCE / 10
            found.append((way, way.length) if isinstance(way, Path) and is_near else None)
        return found

    @cached_property
    def _first_bends(self) -> Floats:
        return own_ways(self.footing).first_bends(self.start)

    def way_to_any(self, spots: Floats) -> Path | None:
        """Return the shortest path to the nearest of some spots, None where it is longer than the limit."""
        self.footing.budget.spend(WAY)
        rings = Outlines(spots, np.full(len(spots), MERE))
        found = own_ways(self.footing).nearest(self.start, rings, self.limit)
        if isinstance(found, Blocked) or found.length > self.limit + TOLERANCE / 10:
            return None
        spot = spots[distances(spots, np.array([found.end])).argmin()]
        return Path(self.start, (*found.legs[:-1], _point(spot)))

    @cached_property
    def circles(self) -> Edges:
        """Return the circles of how far it can go."""
        via, gone = self.trail.via
        usable = (gone < min(self.limit, self.far + TOLERANCE)).nonzero()[0]
        usable = distinct(np.append(usable[:1], usable[-3:]))
        return Edges.of_circles(via[usable], self.limit - gone[usable])

    @cached_property
    def goal_edges(self) -> Edges:
        """Return the edges of the spots with least to go, but none that bound where it may stand anyway."""
        if isinstance(self.goal, ToBases) and self.footing.has_rims(self.goal.rings(self.stance)):
            return NO_EDGES
        return self.goal.edges(self.at, self.stance, self.limit)

    def brinks(self, focus: Floats) -> Edges:
        """Return the tangents from where it stands past what is nearest to a point, as far as it may go.

        Between two of these lines it can go straight.
        """
        about = self._about
        order: Ints = np.argsort(about.distances(focus[None])[0], kind="stable")
        angles = tangents(about.take(order[:BRINKS]), self.at)
        ends = self.at + self.limit * ways_at(angles)
        return Edges(NONE, np.empty(0), np.broadcast_to(self.at, ends.shape), ends)

    def is_closer(self, xy: Floats, nearest_only: bool) -> Bools:
        """Return which spots are closer to the goal's bases than where it stands (to any, or the nearest)."""
        before, about = self._gaps_before, self._nearing.about(self.stance)
        if nearest_only:
            row = [int(before.argmin())]
            before, about = before[row], Vicinity(about.shapes.take(row))
        gained = np.maximum(before, 0) - np.maximum(about.distances(xy), 0)
        return np.asarray((gained > 2 * TOLERANCE).any(axis=1))

    @cached_property
    def _nearing(self) -> ToBases:
        """Return the bases to which it may come closer."""
        return self.goal if isinstance(self.goal, ToBases) else ToBases(self.goal.bases)

    @cached_property
    def _gaps_before(self) -> Floats:
        """Return how far it is from each of them before it moves or turns."""
        stance = self.turn.before.stance if self.turn else self.stance
        return np.asarray(self._nearing.gaps(self.at[None], stance)[0])


def _point(xy: Floats) -> Point:
    return (float(xy[0]), float(xy[1]))


def _shortest_clear(
    total: Floats, via: Floats, xy: Floats, free: Obstacles, below: float = math.inf
) -> tuple[Floats, Ints]:
    """Return for each spot (n) the least of the totals (n, m) whose via point (m) it is in a clear line with.

    Also which via point that is; infinite where there is none. Totals no less than `below` are not asked.
    """
    total, rows = total.copy(), np.arange(len(xy))
    for _ in range(TRIES):
        best = total[rows].argmin(axis=1)
        rows, best = (part[total[rows, best] < below] for part in (rows, best))
        if not len(rows):
            break
        blocked = ~free.clear(via[best], xy[rows])
        rows, best = rows[blocked], best[blocked]
        total[rows, best] = np.inf
    spot, point = np.nonzero(total[rows] < below)
    blocked = ~free.clear(via[point], xy[rows[spot]])
    total[rows[spot[blocked]], point[blocked]] = np.inf
    return total.min(axis=1), total.argmin(axis=1)
