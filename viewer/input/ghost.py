"""The move that a gesture asks for: the unit as the hand carries it, or as near as may be.

Legal is what the engine says. Where the unit cannot be carried as it stands, its ways are those of
`ai.moving`, as for a wish that is typed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

import msgspec

from engine.core.facts import Point
from engine.core.request import Move, Moves
from engine.core.state import Unit
from engine.w40k.view import View
from geometry.path.blockage import Blocked
from geometry.path.path import Path
from geometry.path.planner import path
from geometry.tolerance import TOLERANCE
from viewer.input.gesture import Gesture
from viewer.input.move_wish import move_of
from viewer.input.outlook import Outlook, outlook_of
from viewer.input.reading import Misread

Pose = tuple[float, float, float]
"""Where a base stands and which way it faces: x, y, degrees."""
Legs = tuple[tuple[float, ...], ...]
Ways = dict[int, Legs]
CLOSING = ("charge", "pile-in", "consolidate", "surge")
"""Moves of which the rules say where they go."""
_MODEL = re.compile(r"^model \d+:? ")


class Ghost(msgspec.Struct, frozen=True):
    """What would come of a gesture: the legal move, and where the hand would have it."""

    gesture: Gesture
    moves: Moves
    """The move that is made where the hand lets go; without paths nobody moves."""
    wanted: dict[int, Pose]
    reason: str = ""
    """Why the unit does not end where the hand carries it, "" where it does."""
    used: float = 0.0
    """The inches of the model that goes farthest for its limit…"""
    allowed: float = 0.0
    """…and its limit."""
    over: float = 0.0
    """By how many inches the hand is beyond the move."""
    outlook: Outlook | None = None
    """What the unit would meet there, once it has been looked at."""

    @property
    def is_as_wanted(self) -> bool:
        """Return whether the unit ends where the hand carries it."""
        return not self.reason

    @property
    def note(self) -> str:
        """Return why the unit ends elsewhere than the hand carries it, "" where it does not."""
        if not self.reason:
            return ""
        return f"{self.reason}: it {'will stop at the white place' if self.moves_any else 'stays'}"

    @property
    def moves_any(self) -> bool:
        """Return whether any model moves."""
        return any(self.moves.paths.values())


def drawn_move(view: View, request: Move, gesture: Gesture) -> Moves:
    """Return the move that a gesture asks for. Raises Misread where nobody can move."""
    if request.least:
        raise Misread('AIRCRAFT fly on: say "ahead 24".')
    ghost = ghost_of(view, request, gesture)
    if not ghost.moves_any and ghost.reason:
        raise Misread(ghost.reason + ".")
    return ghost.moves


def ghost_of(view: View, request: Move, gesture: Gesture) -> Ghost:
    """Return what would come of a gesture: the first legal way, that which is drawn first."""
    hand = _Hand(view, request, gesture)
    drawn = hand.drawn()
    faults = view.faults(request, Moves(paths=drawn))
    over = hand.over(drawn)
    reason = "" if not faults else f"Too far by {over:.1f}″" if over > TOLERANCE else told(view, faults[0])
    found = Moves(paths=drawn) if not faults else next(hand.nearest(drawn), Moves())
    used, allowed = hand.spent(found.paths)
    wanted = {row: hand.pose(row, legs) for row, legs in hand.everyone(drawn).items()}
    return Ghost(gesture, found, wanted, reason, used, allowed, max(over, 0.0))


def looked_about(view: View, request: Move, ghost: Ghost) -> Ghost:
    """Return a ghost with what the unit would meet where it ends."""
    return msgspec.structs.replace(ghost, outlook=outlook_of(view, request, ghost.moves))


Wish = tuple[Gesture, bool]
"""A gesture, and whether it is asked what the unit would meet there."""


def ghost_wished(view: View, request: Move, wish: Wish) -> Ghost:
    """Return the ghost of a wish, worked out once until anything happens."""
    gesture, about = wish
    key = "ghost", view.moment, request.unit, gesture
    ghost = view.meanwhile(key, lambda: ghost_of(view, request, gesture))
    return looked_about(view, request, ghost) if about else ghost


def told(view: View, fault: str) -> str:
    """Return a fault as a sentence for the board: names for ids, no number of a row."""
    words = _MODEL.sub("", fault)
    for unit in view.units():
        named = re.compile(rf"{re.escape(unit.id)}(?![\w#/-])")
        words = unit.name.join(named.split(words))
    return words[:1].upper() + words[1:]


class _Hand:
    """A unit in the hand: where its models stand, and the ways that a gesture draws for them."""

    def __init__(self, view: View, request: Move, gesture: Gesture) -> None:
        self.view, self.request, self.gesture = view, request, gesture
        self.unit: Unit = view.unit(request.unit)
        self.rows = [row for row in self.unit.rows if row in request.limits]
        self._alone = {
            self.unit.rows[place]: (x, y)
            for place, x, y in gesture.alone
            if place < len(self.unit.rows) and self.unit.rows[place] in request.limits
        }
        self._start = {
            row: (float(x), float(y), float(z), float(facing))
            for row, (x, y, z, facing) in zip(self.unit.rows, view.poses_after(self.unit, {}), strict=True)
        }
        carried = [self._start[row] for row in self.rows if row not in self._alone] or [(0.0, 0.0, 0.0, 0.0)]
        self.middle = (
            sum(each[0] for each in carried) / len(carried),
            sum(each[1] for each in carried) / len(carried),
        )

    # what the hand draws

    def drawn(self) -> Ways:
        """Return the ways that the hand draws: straight from bend to bend."""
        found = {row: self._legs(row, self._end(row)) for row in self.rows}
        return {row: legs for row, legs in found.items() if legs}

    def everyone(self, ways: Ways) -> Ways:
        """Return ways with those of models that stay, which are none."""
        return {row: ways.get(row, ()) for row in self.rows}

    def _end(self, row: int) -> Point:
        x, y = self._start[row][:2]
        if row in self._alone:
            return x + self._alone[row][0], y + self._alone[row][1]
        across, up = x - self.middle[0], y - self.middle[1]
        turn, spread = math.radians(self.gesture.turn), self.gesture.spread
        (dx, dy), cos, sin = self.gesture.by, math.cos(turn), math.sin(turn)
        if turn or spread != 1.0:
            x = self.middle[0] + spread * (across * cos - up * sin)
            y = self.middle[1] + spread * (across * sin + up * cos)
        return round(x + dx, 7), round(y + dy, 7)

    def _legs(self, row: int, end: Point) -> Legs:
        """Return a model's legs: its pivot if the unit is turned, its bends, its end."""
        at = self._start[row][:2]
        bends = () if row in self._alone else self.gesture.via
        legs: list[tuple[float, ...]] = [*self._pivot(row)]
        for spot in (*((at[0] + dx, at[1] + dy) for dx, dy in bends), end):
            before = legs[-1][:2] if legs else at
            if math.dist(before, spot) > TOLERANCE:
                legs.append(spot)
        return tuple(legs)

    def _pivot(self, row: int) -> Legs:
        """Return the pivot with which a model begins, for one whose facing counts. Rule: CORE.MOVE.3"""
        base = self.view.model(row).facts.base
        if not self.gesture.turn or row in self._alone or base.length == base.width:
            return ()
        x, y, _, facing = self._start[row]
        return ((x, y, (facing + self.gesture.turn) % 360.0, self.view.field.pivot_cost(row)),)

    # as near as may be

    def nearest(self, drawn: Ways) -> Iterator[Moves]:
        """Yield legal moves in place of what the hand draws, the nearest to it first."""
        cut = self._cut(drawn)
        for ways in (cut, self._around(cut)):
            moves = Moves(paths=ways or {})
            if ways and not self.view.faults(self.request, moves):
                yield moves
        for line in self._lines():
            try:
                moves = move_of(self.view, self.request, line)
            except Misread:
                continue
            if any(moves.paths.values()) and not self.view.faults(self.request, moves):
                yield moves

    def _cut(self, drawn: Ways) -> Ways:
        """Return the ways as far along as the move allows, all by the same share."""
        lengths = {row: self._path(row, legs).length for row, legs in drawn.items()}
        share = min((self.request.limits[row] / far for row, far in lengths.items() if far > 0), default=1.0)
        if share >= 1.0:
            return drawn
        found = {row: self._path(row, legs).at(share * lengths[row]).legs for row, legs in drawn.items()}
        return {row: tuple(_rounded(leg) for leg in legs) for row, legs in found.items() if legs}

    def _around(self, ways: Ways) -> Ways | None:
        """Return ways round what stands between to the same ends; None where one is closed."""
        ground = self.view.ground(self.unit, self.request.kind, self.request.targets)
        found: Ways = {}
        for row, legs in ways.items():
            if any(len(leg) == 4 for leg in legs):
                return None
            x, y, z, _ = self._start[row]
            start = (x, y, z) if z else (x, y)
            way = path(self.view.stance(row), start, legs[-1][:2], self.request.limits[row], ground)
            if isinstance(way, Blocked):
                return None
            found[row] = way.legs
        return found

    def _lines(self) -> Iterator[str]:
        """Yield the wishes in words that come nearest to the gesture."""
        if self.request.kind in CLOSING:
            yield "toward enemy"
            return
        x, y = self.middle[0] + self.gesture.by[0], self.middle[1] + self.gesture.by[1]
        wide, high = self.view.board.size
        yield f"toward {min(max(x, 0.0), wide):.1f} {min(max(y, 0.0), high):.1f}"
        if self.request.kind == "fall-back":
            yield "away"

    # measures

    def over(self, ways: Ways) -> float:
        """Return by how much the way of some model is longer than its limit."""
        return max(
            (self._path(row, legs).length - self.request.limits[row] for row, legs in ways.items()),
            default=0.0,
        )

    def spent(self, ways: Ways) -> tuple[float, float]:
        """Return the length and the limit of the model that has least left."""
        limits = self.request.limits
        lengths = {row: self._path(row, ways.get(row, ())).length for row in self.rows}
        row = min(lengths, key=lambda row: (limits[row] - lengths[row], row), default=None)
        return (0.0, 0.0) if row is None else (lengths[row], limits[row])

    def _path(self, row: int, legs: Legs) -> Path:
        return Path.from_legs(self._start[row][:3], legs)

    def pose(self, row: int, legs: Legs) -> Pose:
        """Return where a model stands after its way."""
        x, y, facing = (*self._start[row][:2], self._start[row][3])
        for leg in legs:
            x, y = leg[0], leg[1]
            facing = leg[2] if len(leg) == 4 else facing
        return x, y, facing


def _rounded(leg: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(round(each, 7) for each in leg)
