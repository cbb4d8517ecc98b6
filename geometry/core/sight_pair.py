# cython: infer_types=True
"""One body that looks at another, and the terrain parts between them with their heights.

Owns which parts may come between, the exemptions of bodies that stand in a footprint or see over it, and
along how much of a line a part closes it. It does not tell whether a free line remains. Lengths are inches.
"""

from __future__ import annotations

from array import array

import cython
from cython import Py_ssize_t, bint, double
from cython.cimports.libc.math import sqrt

if not cython.compiled:
    from geometry.core.sight_bodies import UprightBodies
    from geometry.core.sight_land import SightLand

FAR = 1e9
"""A height that nothing on a table reaches."""


class SightPair:
    """Observer `i` of `q`, target `j` of `p`, and the parts of terrain between them.

    These are the first `count` rows of `part`. The highest line from q to p (or, where shades are asked for,
    the line to what is asked for) runs between a row's `bottom` and `top` from the share `low` of its way to
    the share `high`. `closes` tells where there is any such share; another row may be met by lower lines
    only. `lid` tells where a row lies like a lid between all of q and all of p.
    """

    def __init__(self, q: UprightBodies, p: UprightBodies, land: SightLand) -> None:
        """Take the observers, the targets and the terrain, which has taken in both."""
        self.q, self.p, self.land = q, p, land
        room = 4 * land.parts + 1
        self.part, self.closes, self.lid = [array("i", bytes(4 * room)) for _ in range(3)]
        self.low, self.high, self.bottom, self.top = [array("d", bytes(8 * room)) for _ in range(4)]
        self.i = self.j = self.count = 0
        self.some_raised = False
        self.share_low = self.share_high = 0.0

    def look(self, i: Py_ssize_t, j: Py_ssize_t) -> None:
        """Turn to another pair, between which nothing is known."""
        self.i, self.j, self.count = i, j, 0
        self.some_raised = False
        self.qx, self.qy, self.px, self.py = self.q.x[i], self.q.y[i], self.p.x[j], self.p.y[j]
        self.eye_foot, self.eye_top = self.q.foot[i], self.q.top[i]
        self.goal_foot, self.goal_top = self.p.foot[j], self.p.top[j]
        dx = self.px - self.qx
        dy = self.py - self.qy
        self.apart = sqrt(dx * dx + dy * dy)
        self.ex = dx / self.apart if self.apart > 0.0 else 1.0
        self.ey = dy / self.apart if self.apart > 0.0 else 0.0
        self.widest = max(self.q.reach[i], self.p.reach[j])

    def may_lie_between(self, part: Py_ssize_t) -> bint:
        """Return whether a part may reach into the ground between the bodies."""
        land = self.land
        if self.q.beyond[self.i * land.parts + part] & self.p.beyond[self.j * land.parts + part]:
            return False
        dx = land.middle_x[part] - self.qx
        dy = land.middle_y[part] - self.qy
        aside = self.ex * dy - self.ey * dx
        along = self.ex * dx + self.ey * dy
        reach = land.reach[part]
        if aside >= self.widest + reach or -aside >= self.widest + reach:
            return False
        own = self.q.reach[self.i]
        other = self.p.reach[self.j]
        # Of two bodies over one another either may be the one that reaches farther, behind as well as ahead.
        if along <= -max(own, other - self.apart) - reach or along >= max(own, other + self.apart) + reach:
            return False
        widest = self.widest - land.tolerance
        lowest = FAR
        highest = -FAR
        for k in range(land.first[part], land.first[part + 1]):
            aside = (land.corner_y[k] - self.qy) * self.ex - (land.corner_x[k] - self.qx) * self.ey
            lowest = aside if aside < lowest else lowest
            highest = aside if aside > highest else highest
        return lowest < widest and highest > -widest

    def bars(self, piece: Py_ssize_t) -> bint:
        """Return whether a boundless piece closes all lines of the pair."""
        if not self.land.boundless[piece] or self.q.sees_over[self.i] or self.p.sees_over[self.j]:
            return False
        own = self.i * self.land.pieces + piece
        if self.q.wholly[own] or (self.q.partly[own] and self.q.sees_out[self.i]):
            return False
        return not self.p.partly[self.j * self.land.pieces + piece]

    def veils(self, piece: Py_ssize_t) -> bint:
        """Return whether a veil spoils the full view that the observer has of the target."""
        if not self.land.veil[piece] or self.q.sees_over[self.i] or self.q.sees_out[self.i]:
            return False
        return not (self.p.sees_over[self.j] or self.p.sees_out[self.j])

    def runs_between(self, bottom: double, top: double, start: double, end: double) -> bint:
        """Return whether a line from one height to another is between two on any share of its way.

        The shares are left as `share_low`, `share_high`. A line that only touches the top or the bottom is
        not between; through a plate it passes at a single share.
        """
        tolerance = self.land.tolerance
        plate: bint = bottom >= top
        floor = bottom if plate else bottom + tolerance
        roof = top
        if not plate:
            roof = FAR if top >= max(start, end) - tolerance else top - tolerance
        rise = end - start
        self.share_low, self.share_high = 0.0, 1.0
        if -tolerance <= rise <= tolerance:
            return not (plate or start <= floor or start >= roof)
        low = (floor - start) / rise
        high = (roof - start) / rise
        if low > high:
            low, high = high, low
        if plate:
            if low <= 0.0 or high >= 1.0:
                return False
        elif min(high, 1.0) <= max(low, 0.0):
            return False
        self.share_low = max(low, 0.0)
        self.share_high = min(high, 1.0)
        return True

    def find_blocks(self) -> None:
        """Find what may close the lines of the pair; veils close none.

        Where something leaves room below it, also what only lower lines than the highest meet.
        """
        land = self.land
        tolerance = land.tolerance
        lowest = min(self.eye_foot, self.goal_foot)
        highest = max(self.eye_top, self.goal_top)
        own = self.i * land.pieces
        goal = self.j * land.pieces
        for part in range(land.parts):
            if land.hangs[part] and not self.bars(land.other[part]):
                continue
            piece = land.owner[part]
            if not land.closes[part] and not land.boundless[piece]:
                continue
            if not self.may_lie_between(part):
                continue
            if not land.closes[part]:
                if self.bars(piece):
                    self._add(part, 0.0, 1.0, -FAR, FAR)
                continue
            bottom = land.bottom[part]
            top = land.top[part]
            closes = self.runs_between(bottom, top, self.eye_top, self.goal_top)
            meets: bint = top > lowest + tolerance and bottom < highest - tolerance
            if not (closes or meets):
                continue
            self._add(part, self.share_low, self.share_high, bottom, top)
            self.closes[self.count - 1] = closes
            if (
                closes
                and bottom >= min(self.eye_top, self.goal_top)
                and top <= max(self.eye_foot, self.goal_foot)
            ):
                inside = self.q.wholly[own + piece] and self.p.wholly[goal + piece]
                self.lid[self.count - 1] = inside and land.convex[piece]
            if meets and bottom > -FAR:
                self.some_raised = True
        if not self.some_raised:
            for row in range(self.count - 1, -1, -1):
                if not self.closes[row]:
                    self.drop(row)

    def find_shades(self) -> None:
        """Find what may hide a part of the target from the whole observer, veils too.

        What stands on the table hides the target's foot most, so lines run from the observer's top to it.
        What leaves room below it may also hide the target's top, or what is just above a plate, and closes
        only what it closes at the observer's top and at its foot; the shares of a plate are those of both.
        """
        land = self.land
        for rounds in range(2):
            for part in range(land.parts):
                bottom = land.bottom[part]
                raised: bint = bottom > -FAR and land.closes[part] == 1
                if raised != (rounds == 1):
                    continue
                other = land.other[part]
                if land.hangs[part] and not (self.bars(other) or self.veils(other)):
                    continue
                if not self.may_lie_between(part):
                    continue
                if raised:
                    self._add_raised_shades(part)
                elif not land.closes[part]:
                    piece = land.owner[part]
                    if self.bars(piece) or self.veils(piece):
                        self._add(part, 0.0, 1.0, -FAR, FAR)
                elif self.runs_between(bottom, land.top[part], self.eye_top, self.goal_foot):
                    self._add(part, self.share_low, self.share_high, bottom, land.top[part])

    def _add_raised_shades(self, part: Py_ssize_t) -> None:
        """Add what a raised part hides at the target's foot, at its top, and just above a plate."""
        bottom = self.land.bottom[part]
        top = self.land.top[part]
        tolerance = self.land.tolerance
        plate: bint = bottom >= top
        for k in range(3):
            height = self.goal_top if k == 1 else self.goal_foot
            if k == 2 and plate and self.goal_foot <= bottom + tolerance and bottom < self.goal_top:
                height = bottom + 4.0 * tolerance
            if not self.runs_between(bottom, top, self.eye_top, height):
                continue
            low = self.share_low
            high = self.share_high
            if not self.runs_between(bottom, top, self.eye_foot, height):
                continue
            if plate:
                low, high = min(low, self.share_low), max(high, self.share_high)
            else:
                low, high = max(low, self.share_low), min(high, self.share_high)
            if plate or low < high:
                self._add(part, low, high, bottom, top)

    def _add(self, part: Py_ssize_t, low: double, high: double, bottom: double, top: double) -> None:
        row = self.count
        self.part[row], self.closes[row], self.lid[row] = part, 1, 0
        self.low[row], self.high[row] = low, high
        self.bottom[row], self.top[row] = bottom, top
        self.count += 1

    def drop(self, row: Py_ssize_t) -> None:
        """Leave out a row; the last one takes its place."""
        last = self.count - 1
        self.part[row], self.closes[row], self.lid[row] = self.part[last], self.closes[last], self.lid[last]
        self.low[row], self.high[row] = self.low[last], self.high[last]
        self.bottom[row], self.top[row] = self.bottom[last], self.top[last]
        self.count = last

    def is_whole(self, row: Py_ssize_t) -> bint:
        """Return whether a row closes lines of any height all the way."""
        if not self.closes[row] or self.bottom[row] > -FAR:
            return False
        return self.low[row] <= 0.0 and self.high[row] >= 1.0

    def is_partial(self, row: Py_ssize_t) -> bint:
        """Return whether lines over or under a row may be free."""
        if self.bottom[row] > -FAR:
            return True
        return self.closes[row] == 1 and (self.low[row] > 0.0 or self.high[row] < 1.0)

    def is_plate(self, row: Py_ssize_t) -> bint:
        """Return whether a row is a floor of no thickness."""
        return self.bottom[row] >= self.top[row]
