# cython: infer_types=True
"""Lines over low parts and under raised ones, where lines of full height are closed.

Owns the search for lines on the ground that matter there: between what lies farthest beyond a part's side,
and those that come to a part's top or bottom just over its border. A free line can be slid until it is one of
these or a critical line of the flat search. How high a line may run is `geometry.core.sight_section`'s.
"""

from __future__ import annotations

import cython
from cython import bint, double
from cython.cimports.libc.math import sqrt

from geometry.tolerance import LINE_SLACK_INCHES, ROUNDING, TOLERANCE

if not cython.compiled:
    from geometry.core.sight_bodies import UprightBodies
    from geometry.core.sight_land import SightLand
    from geometry.core.sight_line import FreeLine
    from geometry.core.sight_pair import FAR, SightPair
    from geometry.core.sight_section import free_section

TURNS = cython.declare(cython.int, 11)
"""At this many directions a function is asked between which of them it changes its sign."""
STEPS = cython.declare(cython.int, 14)
GOLDEN = cython.declare(double, 0.6180339887498949)
HALVINGS = cython.declare(cython.int, 20)


class Brink:
    """A border, `nx x + ny y = limit`, over which lines come to a certain height.

    They come to it at `share` of their way. The way is from q's far end to p's near one where `far_q`, else
    from q's near end to p's far one: over a top from the far end of the lower body, under a bottom from that
    of the higher one.
    """

    def __init__(self, part: int, nx: float, ny: float, limit: float, share: float, far_q: bool) -> None:
        """Take the part, the border, and where lines come to the height."""
        self.part, self.nx, self.ny, self.limit = part, nx, ny, limit
        self.share, self.far_q = share, far_q


class LowLine:
    """The search of a pair for a line over low parts.

    It follows where the search for lines of full height has failed.
    """

    def __init__(self, line: FreeLine) -> None:
        """Take the earlier search, which holds the pair, the critical points and the lines tried."""
        self.line = line
        self.pair: SightPair = line.pair
        self.land: SightLand = line.land
        self.q: UprightBodies = line.q
        self.p: UprightBodies = line.p
        self.ux, self.uy, self.x, self.y = 1.0, 0.0, 0.0, 0.0
        self.hold = 0
        self.slope_low = self.slope_high = 0.0

    def is_free(self) -> bint:
        """Return whether a line is free over what is low or under what is raised; `line` holds it."""
        if self._lines_past():
            return True
        intricate = self._is_intricate()
        if not intricate and self._one_shuts_all():
            return False
        brinks: list[Brink] = self._brinks()
        one: Brink
        two: Brink
        for i in range(len(brinks)):
            one = brinks[i]
            if self._on_one(one):
                return True
        for i in range(len(brinks)):
            one = brinks[i]
            for j in range(len(brinks)):
                two = brinks[j]
                if one.part < two.part and self._on_two(one, two):
                    return True
        if not intricate:
            return False
        line = self.line
        for each in line.tried:
            if line.chords(each[0], each[1], each[2], each[3], False) and free_section(line):
                return True
        return False

    def _lines_past(self) -> bint:
        """Return whether a line past a side of a low or raised part is free.

        Such a line joins the points of both bodies that lie farthest beyond the side. One of them is free if
        any line over the top of that part alone, or under its bottom, is. Where other parts stand in a body,
        it begins or ends at their corners in it, or where their borders cross its rim.
        """
        line = self.line
        land = self.land
        for row in range(self.pair.count):
            if not self.pair.is_partial(row):
                continue
            part = self.pair.part[row]
            for side in range(land.first[part], land.first[part + 1]):
                self.q.touch(self.pair.i, land.normal_x[side], land.normal_y[side])
                self.p.touch(self.pair.j, land.normal_x[side], land.normal_y[side])
                qx = self.q.px
                qy = self.q.py
                px = self.p.px
                py = self.p.py
                if line.joins(qx, qy, px, py):
                    return True
                for k in range(line.points):
                    x = line.at_x[k]
                    y = line.at_y[k]
                    if self.q.holds(self.pair.i, x, y, land.tolerance) and line.joins(x, y, px, py):
                        return True
                    if self.p.holds(self.pair.j, x, y, land.tolerance) and line.joins(x, y, qx, qy):
                        return True
        return False

    def _is_intricate(self) -> bint:
        """Return whether a line may have to begin elsewhere than at a top's near or far rim."""
        for row in range(self.pair.count):
            part = self.pair.part[row]
            if self.pair.bottom[row] > -FAR or self.land.lies_under(part, self.q, self.pair.i):
                return True
            if self.land.lies_under(part, self.p, self.pair.j):
                return True
        return False

    def _one_shuts_all(self) -> bint:
        """Return whether one part alone closes all lines that were tried."""
        line = self.line
        for row in range(self.pair.count):
            shut = bool(self.pair.closes[row])
            for each in line.tried:
                if not shut:
                    break
                line.chords(each[0], each[1], each[2], each[3], False)
                shut = line.shuts(row, line.near_qx, line.near_qy, line.near_px, line.near_py)
                if shut and (line.from_far or line.to_far):
                    sx = line.far_qx if line.from_far else line.near_qx
                    sy = line.far_qy if line.from_far else line.near_qy
                    ex = line.far_px if line.to_far else line.near_px
                    ey = line.far_py if line.to_far else line.near_py
                    shut = line.shuts(row, sx, sy, ex, ey)
            if shut:
                return True
        return False

    def _brinks(self) -> list[Brink]:
        """Return the borders of the parts whose heights a line between the bodies' ends reaches.

        The ends are the foot and the top of each body. The line reaches the height on its way, not at an end.
        """
        pair = self.pair
        land = self.land
        found: list[Brink] = []
        for row in range(pair.count):
            part = pair.part[row]
            for k in range(4 if pair.bottom[row] > -FAR else 1):
                start = pair.eye_top if k == 0 or k == 3 else pair.eye_foot
                end = pair.goal_top if k == 0 or k == 2 else pair.goal_foot
                rise = end - start
                if -land.tolerance <= rise <= land.tolerance:
                    continue
                for over in range(2):
                    share = ((pair.top[row] if over else pair.bottom[row]) - start) / rise
                    if not 0.0 < share < 1.0:
                        continue
                    far_q: bint = (rise > 0.0) == (over == 1)
                    for side in range(land.first[part], land.first[part + 1]):
                        nx = land.normal_x[side]
                        ny = land.normal_y[side]
                        found.append(Brink(part, nx, ny, land.offset[side], share, far_q))
        return found

    # lines stuck on a brink and on a hold: a point, or the left or right side of a body

    def _turn(self, slope: double) -> None:
        """Turn the direction to a slope against the way from middle to middle, left being positive."""
        length = sqrt(1.0 + slope * slope)
        self.ux = (self.pair.ex - slope * self.pair.ey) / length
        self.uy = (self.pair.ey + slope * self.pair.ex) / length

    def _hold_line(self, slope: double) -> None:
        """Turn the line about its hold."""
        line = self.line
        self._turn(slope)
        if self.hold < line.points:
            self.x, self.y = line.at_x[self.hold], line.at_y[self.hold]
            return
        k = self.hold - line.points
        side = 1.0 if k == 0 or k == 2 else -1.0
        nx = -side * self.uy
        ny = side * self.ux
        far = self.q.far(self.pair.i, nx, ny) if k < 2 else self.p.far(self.pair.j, nx, ny)
        # A little inside, so that the line still meets the body.
        far -= self.land.tolerance / 4.0
        self.x, self.y = far * nx, far * ny

    def _beyond(self, brink: Brink) -> double:
        """Return by how much the line lies beyond a brink where it comes to its height."""
        q = self.q
        p = self.p
        q.chord(self.pair.i, self.x, self.y, self.ux, self.uy)
        p.chord(self.pair.j, self.x, self.y, self.ux, self.uy)
        forward: bint = p.low + p.high >= q.low + q.high
        start = q.low if forward == brink.far_q else q.high
        end = p.low if forward == brink.far_q else p.high
        along = start + brink.share * (end - start)
        x = self.x + along * self.ux
        y = self.y + along * self.uy
        return x * brink.nx + y * brink.ny - brink.limit

    def _over(self, brink: Brink, slope: double) -> double:
        self._hold_line(slope)
        return self._beyond(brink)

    def _find_slopes(self) -> None:
        """Find slopes between which all lines on the hold lie that meet both bodies."""
        line = self.line
        pair = self.pair
        share = min((self.q.reach[pair.i] + self.p.reach[pair.j]) / pair.apart, 0.999)
        self.slope_high = share / sqrt(1.0 - share * share)
        self.slope_low = -self.slope_high
        if self.hold < line.points:
            x = line.at_x[self.hold]
            y = line.at_y[self.hold]
            self._narrow(x - pair.qx, y - pair.qy, self.q.reach[pair.i])
            self._narrow(pair.px - x, pair.py - y, self.p.reach[pair.j])
            self.slope_high = max(self.slope_high, self.slope_low)

    def _narrow(self, ox: double, oy: double, reach: double) -> None:
        """Narrow the slopes to those of lines through a point that meet a disc this way from it."""
        pair = self.pair
        apart = sqrt(ox * ox + oy * oy)
        if apart <= 1.001 * reach or ox * pair.ex + oy * pair.ey <= 0.0:
            return
        sine = reach / apart
        cosine = sqrt(1.0 - sine * sine)
        for side in range(-1, 2, 2):
            dx = cosine * ox - side * sine * oy
            dy = cosine * oy + side * sine * ox
            ahead = dx * pair.ex + dy * pair.ey
            aside = dy * pair.ex - dx * pair.ey
            if ahead > ROUNDING * apart:
                if side > 0:
                    self.slope_high = min(self.slope_high, aside / ahead)
                else:
                    self.slope_low = max(self.slope_low, aside / ahead)

    def _on_one(self, brink: Brink) -> bint:
        """Return whether a line stuck on a brink and on a hold is free."""
        for hold in range(self.line.points + 4):
            self.hold = hold
            self._find_slopes()
            step = (self.slope_high - self.slope_low) / (TURNS - 1)
            before = 0.0
            last = 0.0
            for k in range(TURNS):
                slope = self.slope_low + k * step
                value = self._over(brink, slope)
                if k > 0 and (last > 0.0) != (value > 0.0):
                    if self._at_root(brink, slope - step, slope, last, value):
                        return True
                elif k > 1 and (before > 0.0) == (value > 0.0):
                    fall = before - last if last > 0.0 else last - before
                    rise = value - last if last > 0.0 else last - value
                    depth = last if last > 0.0 else -last
                    # Where it comes near to 0 without a change of sign, its extreme is looked for.
                    dips = fall >= 0.0 and rise >= 0.0 and depth <= fall + rise
                    if dips and self._at_dip(brink, slope - 2.0 * step, slope, before, value):
                        return True
                before, last = last, value
        return False

    def _at_root(self, brink: Brink, low: double, high: double, at_low: double, at_high: double) -> bint:
        """Return whether the line is free that comes to the brink between two slopes."""
        for _ in range(STEPS):
            middle = high
            if at_high != at_low:
                middle = low - at_low * (high - low) / (at_high - at_low)
            middle = min(max(middle, min(low, high)), max(low, high))
            value = self._over(brink, middle)
            if -LINE_SLACK_INCHES < value < LINE_SLACK_INCHES:
                high = middle
                break
            # The end that stays counts half as much the next time, so that it does not stay for ever.
            if (value > 0.0) == (at_high > 0.0):
                at_low /= 2.0
            else:
                low, at_low = high, at_high
            high, at_high = middle, value
        self._hold_line(high)
        return self._current_is_free()

    def _at_dip(self, brink: Brink, low: double, high: double, at_low: double, at_high: double) -> bint:
        """Return whether a line is free that comes to the brink where the distance from it is least."""
        sign = 1.0 if at_low > 0.0 else -1.0
        first = low
        last = high
        one = high - GOLDEN * (high - low)
        two = low + GOLDEN * (high - low)
        at_one = sign * self._over(brink, one)
        at_two = sign * self._over(brink, two)
        for _ in range(HALVINGS):
            if at_one < at_two:
                high, two, at_two = two, one, at_one
                one = high - GOLDEN * (high - low)
                at_one = sign * self._over(brink, one)
            else:
                low, one, at_one = one, two, at_two
                two = low + GOLDEN * (high - low)
                at_two = sign * self._over(brink, two)
        lowest = one if at_one < at_two else two
        least = min(at_one, at_two)
        if least >= 0.0:
            return False
        if self._at_root(brink, first, lowest, at_low, sign * least):
            return True
        return self._at_root(brink, lowest, last, sign * least, at_high)

    def _on_two(self, one: Brink, two: Brink) -> bint:
        """Return whether a line stuck on two brinks is free, sought by Newton's method."""
        pair = self.pair
        slope = 0.0
        offset = pair.qy * pair.ex - pair.qx * pair.ey
        wide = self.q.reach[pair.i] + self.p.reach[pair.j]
        values: list[float] = [0.0] * 6
        for _ in range(STEPS // 2):
            for k in range(3):
                self._turn(slope + TOLERANCE if k == 1 else slope)
                aside = offset + TOLERANCE if k == 2 else offset
                self.x, self.y = -aside * self.uy, aside * self.ux
                values[k], values[3 + k] = self._beyond(one), self._beyond(two)
            now = values[0]
            other = values[3]
            if (
                -LINE_SLACK_INCHES < now < LINE_SLACK_INCHES
                and -LINE_SLACK_INCHES < other < LINE_SLACK_INCHES
            ):
                break
            by_slope = (values[1] - now) / TOLERANCE
            by_offset = (values[2] - now) / TOLERANCE
            other_slope = (values[4] - other) / TOLERANCE
            other_offset = (values[5] - other) / TOLERANCE
            scale = by_slope * other_offset - other_slope * by_offset
            scale = scale if scale > ROUNDING or scale < -ROUNDING else ROUNDING
            step = (now * other_offset - other * by_offset) / scale
            shift = (by_slope * other - other_slope * now) / scale
            slope -= min(max(step, -0.2), 0.2)
            offset -= min(max(shift, -wide), wide)
        self._turn(slope)
        self.x, self.y = -offset * self.uy, offset * self.ux
        return self._current_is_free()

    def _current_is_free(self) -> bint:
        """Return whether the line that was turned and moved is free."""
        return self.line.line_is_free(self.x, self.y, self.ux, self.uy)
