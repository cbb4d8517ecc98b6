"""The course of AIRCRAFT that are asked to fly: their range, and the line of a gesture.

Owns the words "ahead 24 turn 45" on their way from mouse and keys; how they are read is
`viewer.input.wish`'s, what is legal the engine's.
"""

from __future__ import annotations

import math

from ai.moving.flying import PITCH, Flights
from engine.core.facts import Point
from engine.core.request import Move, Moves
from engine.core.state import Unit
from engine.w40k.flight import turned
from engine.w40k.view import View

FINE = 0.5
"""The step of a drawn flight, in inches."""
STEP = 15.0
"""The step of a drawn turn, in degrees."""


class FlightCourse:
    """The way straight ahead of one unit of AIRCRAFT."""

    def __init__(self, view: View, unit: Unit) -> None:
        """Look ahead from where the unit stands."""
        flights = Flights(view, unit)
        self.starts = [(float(x), float(y)) for x, y in flights.poses[:, :2]]
        self.facing = float(flights.poses[0, 3])
        self.most_turn = view.parameters.flight_turn
        self.least = flights.least
        self.stretches = _stretches(flights.lengths())

    @property
    def start(self) -> Point:
        """Return where its foremost-numbered model stands."""
        return self.starts[0]

    def spot(self, far: float, start: Point | None = None) -> Point:
        """Return the place at a distance ahead of a model."""
        x, y = start or self.start
        along = math.radians(self.facing)
        return x + far * math.cos(along), y + far * math.sin(along)

    def ahead(self, at: Point, line: str) -> str:
        """Return the line that flies on to abreast of a point, with the turn of an earlier line."""
        along = math.radians(self.facing)
        over, up = at[0] - self.start[0], at[1] - self.start[1]
        far = max(over * math.cos(along) + up * math.sin(along), 0.0)
        return _line(self._snapped(far), _read(line)[1])

    def toward(self, at: Point, line: str) -> str:
        """Return the line that looks at a point after the flight of an earlier line."""
        far = self._far(line)
        x, y = self.spot(far)
        if math.dist((x, y), at) < FINE:
            return _line(far, 0.0)
        course = math.degrees(math.atan2(at[1] - y, at[0] - x))
        return _line(far, self._bounded(round(turned(self.facing, course) / STEP) * STEP))

    def nudged(self, line: str, inches: float, degrees: float) -> str:
        """Return a line that flies farther and turns more than an earlier one."""
        known, turn = _read(line)
        far = self._far(line) + (inches if known is not None else 0.0)
        return _line(max(far, 0.0), self._bounded(turn + degrees))

    def _far(self, line: str) -> float:
        far = _read(line)[0]
        if far is not None:
            return far
        return self.stretches[0][0] if self.stretches else self.least

    def _snapped(self, far: float) -> float:
        """Return a length to the half inch, or the end of a legal stretch that is as near."""
        ends = [end for stretch in self.stretches for end in stretch if abs(end - far) <= FINE]
        return min(ends, key=lambda end: (abs(end - far), end)) if ends else round(far / FINE) * FINE

    def _bounded(self, turn: float) -> float:
        return min(max(turn, -self.most_turn), self.most_turn)


def _stretches(lengths: list[float]) -> list[tuple[float, float]]:
    """Return lengths of flight that lie close together as stretches, from and to."""
    found: list[tuple[float, float]] = []
    for far in lengths:
        if found and far - found[-1][1] <= 1.5 * PITCH:
            found[-1] = (found[-1][0], far)
        else:
            found.append((far, far))
    return found


def told(stretches: list[tuple[float, float]]) -> str:
    """Return legal stretches in words."""
    parts = [f'{a:g}"' if a == b else f'{a:g}" to {b:g}"' for a, b in stretches]
    return " or ".join(parts)


def told_of(view: View, unit: Unit) -> str:
    """Return how far AIRCRAFT may fly now, in a sentence."""
    ways = told(_stretches(Flights(view, unit).lengths()))
    turn = f"then a turn of up to {view.parameters.flight_turn:g}° left or right"
    if not ways:
        return "It cannot end a flight on the board: it must leave."
    return f"Straight ahead {ways}, {turn}; or off the board."


def flight_told(view: View, request: Move, answer: Moves) -> str:
    """Return the line that stands for a flight, or for leaving the board."""
    row, legs = next(iter(sorted(answer.paths.items())), (0, ()))
    if not legs:
        return "leave"
    place = view.unit(request.unit).rows.index(row)
    facing = float(view.poses_after(view.unit(request.unit), {})[place, 3])
    turn = turned(facing, legs[1][2]) if len(legs) > 1 else 0.0
    return _line(round(math.dist(view.at(row), legs[0][:2]), 3), round(turn, 3))


def _line(far: float, turn: float) -> str:
    return f"ahead {far:g}" + (f" turn {turn:g}" if turn else "")


def _read(line: str) -> tuple[float | None, float]:
    """Return how far and with which turn a line flies; None for a length that it does not say."""
    words = line.lower().split()
    far = _number(words[1]) if words[:1] == ["ahead"] and len(words) > 1 else None
    turn = _number(words[3]) if far is not None and words[2:3] == ["turn"] and len(words) > 3 else None
    return far, turn or 0.0


def _number(word: str) -> float | None:
    try:
        value = float(word)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
