# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""An area in which bases end: what lies within it, and where bases touch its border.

Owns one area, or the union of several, as rings of straight edges. What else is in the way of bases is
`geometry/core/end_ground.py`'s.

The area lies on the left of each ring. From within, a base meets an edge, or a corner at which the ring
turns right: the edges keep it off all other corners. Edges are kept in chains of a few, since areas about
ovals have thousands. Of a `Border` there are where an edge begins and ends, its direction and length, and
whether the ring `turns_right` where it ends. Of a `Chain` there are its `first` edge (its others go on to
the first of the next), a circle that holds these, and how low and high they reach. Lengths are in inches.
"""

from __future__ import annotations

from collections.abc import Sequence

import cython

from geometry.tolerance import ROUNDING

if not cython.compiled:
    from math import sqrt

    from geometry.core.arcs import faces
    from geometry.core.critical_points import CriticalPoints
    from geometry.core.plain import ArcTable, free, realloc, table
    from geometry.core.plain_unit import Border, BorderTable, Chain, ChainTable
    from geometry.core.shapes import INFINITE, Shapes

CHAIN = cython.declare(cython.Py_ssize_t, 32)
"""The most edges of one chain."""
SLIGHT = cython.declare(cython.double, 0.02)
"""Where a ring turns by less than this, in radians, it is as good as smooth."""

Ring = Sequence[tuple[float, float]]


@cython.cclass
class Area:
    """An area on the board by the edges of its border."""

    def __init__(self, rings: Sequence[Ring]) -> None:
        """Take the corners of each ring, the area on the left; a ring closes by itself."""
        self.count = self.chain_count = 0
        self._reserve(sum([len(ring) for ring in rings]), sum([len(ring) // CHAIN + 1 for ring in rings]))
        for ring in rings:
            self._add_ring([(x, y) for x, y in ring])
        self.chains[self.chain_count].first = self.count

    def __dealloc__(self) -> None:
        """Give the memory back."""
        free(self.edges)
        free(self.chains)

    def _reserve(self, edges: cython.Py_ssize_t, chains: cython.Py_ssize_t) -> cython.int:
        """Make room for edges and chains, and for where the last chain ends."""
        if not cython.compiled:
            self.edges: BorderTable = table(Border, edges)
            self.chains: ChainTable = table(Chain, chains + 1)
        else:
            self.edges = cython.cast(BorderTable, realloc(self.edges, (edges + 1) * cython.sizeof(Border)))
            self.chains = cython.cast(ChainTable, realloc(self.chains, (chains + 1) * cython.sizeof(Chain)))
            if not self.edges or not self.chains:
                raise MemoryError
        return 0

    def _add_ring(self, corners: Ring) -> cython.int:
        """Add the edges of a ring, cut into chains."""
        first: cython.Py_ssize_t = self.count
        row: cython.Py_ssize_t
        ax, ay = corners[len(corners) - 1]
        for bx, by in corners:
            self._add_edge(ax, ay, bx, by)
            ax, ay = bx, by
        for row in range(first, self.count):
            other: cython.Py_ssize_t = row + 1 if row + 1 < self.count else first
            across: cython.double = self.edges[row].along_x * self.edges[other].along_y
            across -= self.edges[row].along_y * self.edges[other].along_x
            self.edges[row].turns_right = across < -ROUNDING
        for row in range(first, self.count, CHAIN):
            self._add_chain(row, min(row + CHAIN, self.count))
        return 0

    def _add_edge(
        self, ax: cython.double, ay: cython.double, bx: cython.double, by: cython.double
    ) -> cython.int:
        """Add an edge, if it is one."""
        along_x: cython.double = bx - ax
        along_y: cython.double = by - ay
        length: cython.double = sqrt(along_x * along_x + along_y * along_y)
        if length <= ROUNDING:
            return 0
        row: cython.Py_ssize_t = self.count
        self.count += 1
        self.edges[row].ax, self.edges[row].ay = ax, ay
        self.edges[row].bx, self.edges[row].by = bx, by
        self.edges[row].along_x, self.edges[row].along_y = along_x / length, along_y / length
        self.edges[row].length = length
        return 0

    def _add_chain(self, first: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.int:
        """Add a chain of the edges from one row up to another."""
        low_x: cython.double = INFINITE
        low_y: cython.double = INFINITE
        high_x: cython.double = -INFINITE
        high_y: cython.double = -INFINITE
        i: cython.Py_ssize_t
        for i in range(first, end):
            low_x = min(low_x, min(self.edges[i].ax, self.edges[i].bx))
            low_y = min(low_y, min(self.edges[i].ay, self.edges[i].by))
            high_x = max(high_x, max(self.edges[i].ax, self.edges[i].bx))
            high_y = max(high_y, max(self.edges[i].ay, self.edges[i].by))
        row: cython.Py_ssize_t = self.chain_count
        self.chain_count += 1
        self.chains[row].first = first
        self.chains[row].x, self.chains[row].y = (low_x + high_x) / 2, (low_y + high_y) / 2
        wide: cython.double = high_x - low_x
        high: cython.double = high_y - low_y
        self.chains[row].reach = sqrt(wide * wide + high * high) / 2
        self.chains[row].low_y, self.chains[row].high_y = low_y, high_y
        return 0

    def holds(self, x: cython.double, y: cython.double) -> cython.bint:
        """Return whether a point lies in the area."""
        inside: cython.bint = False
        chain: cython.Py_ssize_t
        i: cython.Py_ssize_t
        for chain in range(self.chain_count):
            if y < self.chains[chain].low_y or y >= self.chains[chain].high_y:
                continue
            for i in range(self.chains[chain].first, self.chains[chain + 1].first):
                ax: cython.double = self.edges[i].ax
                ay: cython.double = self.edges[i].ay
                by: cython.double = self.edges[i].by
                if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (self.edges[i].bx - ax):
                    inside = not inside
        return inside

    def gap(self, x: cython.double, y: cython.double) -> cython.double:
        """Return the distance of a point from the area; less than 0 inside, by the depth."""
        least: cython.double = INFINITE
        chain: cython.Py_ssize_t
        i: cython.Py_ssize_t
        for chain in range(self.chain_count):
            off_x: cython.double = x - self.chains[chain].x
            off_y: cython.double = y - self.chains[chain].y
            if sqrt(off_x * off_x + off_y * off_y) - self.chains[chain].reach >= least:
                continue
            for i in range(self.chains[chain].first, self.chains[chain + 1].first):
                off_x = x - self.edges[i].ax
                off_y = y - self.edges[i].ay
                foot: cython.double = off_x * self.edges[i].along_x + off_y * self.edges[i].along_y
                foot = min(max(foot, 0.0), self.edges[i].length)
                off_x -= foot * self.edges[i].along_x
                off_y -= foot * self.edges[i].along_y
                least = min(least, sqrt(off_x * off_x + off_y * off_y))
        return -least if self.holds(x, y) else least

    def has_whole(
        self, base: Shapes, x: cython.double, y: cython.double, slack: cython.double
    ) -> cython.bint:
        """Return whether row 0 of `base`, at a place, reaches out of the area by `slack` at most."""
        reach: cython.double = base.shapes[0].reach - slack
        chain: cython.Py_ssize_t
        i: cython.Py_ssize_t
        for chain in range(self.chain_count):
            off_x: cython.double = x - self.chains[chain].x
            off_y: cython.double = y - self.chains[chain].y
            about: cython.double = max(reach, 0.0) + self.chains[chain].reach
            if off_x * off_x + off_y * off_y > about * about:
                continue
            for i in range(self.chains[chain].first, self.chains[chain + 1].first):
                ax: cython.double = self.edges[i].ax - x
                ay: cython.double = self.edges[i].ay - y
                if base.enters(0, ax, ay, self.edges[i].bx - x, self.edges[i].by - y, slack):
                    return False
        return self.holds(x, y)

    def lay(
        self,
        points: CriticalPoints,
        base: Shapes,
        margin: cython.double,
        x: cython.double,
        y: cython.double,
        near: cython.double,
    ) -> cython.int:
        """Add the curves of a base that touches the border from within, so near to a place.

        A `margin` more than touching is left. Row 1 of `base` is the base mirrored in its middle. Where
        curves of one chain cross is offered at once.
        """
        chain: cython.Py_ssize_t
        i: cython.Py_ssize_t
        about: cython.double = near + base.shapes[0].reach + margin
        for chain in range(self.chain_count):
            off_x: cython.double = x - self.chains[chain].x
            off_y: cython.double = y - self.chains[chain].y
            far: cython.double = sqrt(off_x * off_x + off_y * off_y)
            if far > about + self.chains[chain].reach:
                continue
            first: cython.Py_ssize_t = points.curve_count
            for i in range(self.chains[chain].first, self.chains[chain + 1].first):
                self._lay_edge(points, base, i, margin, x, y, near)
            if points.curve_count > first:
                points.close_rim()
                self._cross_chain(points, first)
            for i in range(self.chains[chain].first, self.chains[chain + 1].first):
                if self.edges[i].turns_right:
                    points.add_shape(base, 1, self.edges[i].bx, self.edges[i].by, margin, x, y, near)
        return 0

    def _cross_chain(self, points: CriticalPoints, first: cython.Py_ssize_t) -> cython.int:
        """Offer where the curves of a chain, from a row on, cross, if the ring turns there."""
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        for i in range(first + 1, points.curve_count):
            across: cython.double = points.curves[i].begin_x * points.curves[i - 1].begin_y
            across -= points.curves[i].begin_y * points.curves[i - 1].begin_x
            if not -SLIGHT < across < SLIGHT:
                points.cross(i, i - 1)
            for k in range(first, i - 1):
                points.cross(i, k)
        return 0

    def _lay_edge(
        self,
        points: CriticalPoints,
        base: Shapes,
        edge: cython.Py_ssize_t,
        margin: cython.double,
        x: cython.double,
        y: cython.double,
        near: cython.double,
    ) -> cython.int:
        """Add the line of a base that touches an edge, to the rim that is open."""
        along_x: cython.double = self.edges[edge].along_x
        along_y: cython.double = self.edges[edge].along_y
        far: cython.double
        back: cython.double
        ahead: cython.double
        # The border faces to the right of its way.
        far, back, ahead = support(base, along_y, -along_x)
        far += margin
        return points.add_edge(
            self.edges[edge].ax - ahead * along_x - far * along_y,
            self.edges[edge].ay - ahead * along_y + far * along_x,
            self.edges[edge].bx - back * along_x - far * along_y,
            self.edges[edge].by - back * along_y + far * along_x,
            x,
            y,
            near,
        )


def support(
    base: Shapes, x: cython.double, y: cython.double
) -> tuple[cython.double, cython.double, cython.double]:
    """Return how far row 0 of `base` reaches in a direction, and where its farthest part lies.

    Where that part begins and ends is measured from the middle to the left of the direction of length 1.
    """
    arcs: ArcTable = base.shapes[0].arcs
    first: cython.Py_ssize_t = base.shapes[0].first
    far: cython.double = -INFINITE
    back: cython.double = 0.0
    ahead: cython.double = 0.0
    i: cython.Py_ssize_t
    for i in range(first, first + base.shapes[0].count):
        if not faces(arcs, i, x, y):
            continue
        out: cython.double = arcs[i].centre_x * x + arcs[i].centre_y * y + arcs[i].radius
        foot: cython.double = arcs[i].centre_y * x - arcs[i].centre_x * y
        if out > far + ROUNDING:
            back, ahead = foot, foot
        elif out >= far - ROUNDING:
            back, ahead = min(back, foot), max(ahead, foot)
        far = max(far, out)
    return far, back, ahead
