"""Plans how AIRCRAFT fly: straight on, then a turn after which they can fly on.

Owns which flights there are, and which of them comes nearest to a wish. The caller decides where an aircraft
is wanted, and whether it leaves the board instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ai.moving.move_planning import Legs, Plan
from engine.core.facts import Point
from engine.core.state import Unit
from engine.w40k.flight import farthest_on, turned
from engine.w40k.view import View
from geometry.path.ground import Ground, may_stand
from geometry.portable import angle_of, degrees, mean_point, radians, ways_at
from geometry.shape.base import Floats
from geometry.shape.convex_shape import Outlines
from geometry.tolerance import TOLERANCE

PITCH = 0.25
"""How far apart the flights are that are tried first, in inches."""
FINEST = 0.001
TURNS = tuple(sorted((float(turn) for turn in range(-90, 91, 15)), key=lambda turn: (abs(turn), turn)))
"""The turns at the end of a flight that are tried, in degrees."""
Wish = Callable[[Outlines], float]
"""What is left to a goal from where bases end: the less, the better."""


class Flights:
    """The flights that one unit of AIRCRAFT can make now, all its models side by side."""

    def __init__(self, view: View, unit: Unit) -> None:
        """Look ahead from where the unit stands."""
        self.view, self.unit = view, unit
        self.ground = view.ground(unit, "normal")
        self.poses = view.poses_after(unit, {})
        self.least, self.most = view.parameters.flight, farthest_on(view.board)

    def ends(self, far: float) -> Outlines:
        """Return where the unit's bases are after a flight of this length."""
        return self.view.bases(self.unit, self._xy(far))

    def _xy(self, far: float) -> Floats:
        facing = radians(self.poses[:, 3])
        ahead = ways_at(facing)
        return np.asarray(np.round(self.poses[:, :2] + far * ahead, 7))

    def may_end(self, far: float, turn: float = 0.0) -> bool:
        """Return whether a flight of this length, and then a turn, ends where the unit may stand."""
        if far < self.least - TOLERANCE:
            return False
        return self._stands(self.ground, self._xy(far), turn) and self._is_on_board(far)

    def _is_on_board(self, far: float) -> bool:
        return self._stands(Ground(self.view.board.size), self._xy(far), 0.0)

    def _stands(self, ground: Ground, xy: Floats, turn: float) -> bool:
        facing = self.poses[:, 3] + turn
        stances = [self.view.stance(row, at) for row, at in zip(self.unit.rows, facing, strict=True)]
        return bool(may_stand(ground, xy, stances).all())

    def lengths(self) -> list[float]:
        """Return lengths of flight after which the unit may stand as it faces, or turned."""
        found, far = [], self.least
        while far <= self.most and self._is_on_board(far):
            if self.may_end(far) or any(self.may_end(far, turn) for turn in TURNS):
                found.append(far)
            far += PITCH
        return found

    def nearest(self, wish: Wish) -> float | None:
        """Return the length of the flight that comes nearest to a goal; None where there is none."""
        lengths = self.lengths()
        if not lengths:
            return None
        best = min(lengths, key=lambda far: (round(wish(self.ends(far)), 6), far))
        left, step = wish(self.ends(best)), PITCH / 2
        while step >= FINEST:
            for far in (best - step, best + step):
                if self.may_end(far) and (there := wish(self.ends(far))) < left - TOLERANCE:
                    best, left = far, there
            step /= 2
        return best

    def plan(self, far: float, aim: Point) -> Plan:
        """Return the flight of this length, with a turn toward a point that lets the unit fly on."""
        return self.flown(far, self._turn(far, aim))

    def flown(self, far: float, turn: float) -> Plan:
        """Return the flight of this length and then a turn, legal or not."""
        paths: dict[int, Legs] = {}
        for row, (x, y), facing in zip(self.unit.rows, self._xy(far), self.poses[:, 3], strict=True):
            at = (float(x), float(y))
            after = round(turned(0.0, float(facing) + turn), 7)
            paths[row] = (at, (*at, after, 0.0)) if turn else (at,)
        return Plan(paths, self.view.bases_after(self.unit, paths), far, nearer=True)

    def _turn(self, far: float, aim: Point) -> float:
        """Return the turn after a flight that brings the unit's facing nearest to the aim.

        A turn that leaves room to fly on is preferred, if there is any.
        """
        free = [turn for turn in TURNS if self.may_end(far, turn)]
        return min(free, key=lambda turn: (not self._flies_on(far, turn), self._off(far, turn, aim), turn))

    def leads_on(self, far: float) -> bool:
        """Return whether the unit can turn, after a flight of this length, to where it can fly on."""
        return any(self.may_end(far, turn) and self._flies_on(far, turn) for turn in TURNS)

    def _flies_on(self, far: float, turn: float) -> bool:
        facing = radians(self.poses[:, 3] + turn)
        on = self._xy(far) + self.least * ways_at(facing)
        return self._stands(Ground(self.view.board.size), on, turn)

    def _off(self, far: float, turn: float, aim: Point) -> float:
        """Return by how many degrees the unit would look past a point."""
        over, up = np.array(aim) - mean_point(self._xy(far))
        if abs(over) + abs(up) <= TOLERANCE:
            return 0.0
        course = degrees(angle_of(float(over), float(up)))
        return round(abs(turned(float(self.poses[0, 3]) + turn, course)), 6)


def fly_toward(view: View, unit: Unit, wish: Wish, aim: Point) -> Plan | None:
    """Return the flight that comes nearest to a goal; None if the unit cannot stay on the board.

    Rule: CORE.AIR.2
    """
    flights = Flights(view, unit)
    far = flights.nearest(wish)
    return None if far is None else flights.plan(far, aim)


def middle(places: Sequence[Sequence[float]] | Floats) -> Point:
    """Return the middle of some places."""
    x, y = mean_point(np.asarray(places).reshape(-1, 2))
    return float(x), float(y)
