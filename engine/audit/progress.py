"""Whether the Horde's units got nearer to their targets along the shortest way.

Reads a log's decisions, reasons and moves and judges each move of a Horde unit. All ways are measured anew:
the module trusts the target that the unit named and nothing else of what it said.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

import numpy as np

from engine.core import event as ev
from engine.core.apply import apply
from engine.core.facts import HORDE, Point
from engine.core.log import BecauseLine, LogLine
from engine.core.request import BROKEN_OFF, Because
from engine.core.state import State, Unit
from engine.records.query import Query
from engine.table.allowances import PRINTED
from engine.w40k.battle import Battle
from engine.w40k.edition import Edition
from engine.w40k.ground.tabletop import Tabletop
from geometry.measure.region import extents
from geometry.path.ground import Ground
from geometry.path.planner import Path, ShortestPaths
from geometry.shape.base import Floats
from geometry.shape.convex_shape import Outlines, Stance
from geometry.single.goal import ToBases
from geometry.tolerance import TOLERANCE

if TYPE_CHECKING:
    from engine.records.rulebook import Rulebook

Outcome = Literal["engaged", "held", "arrived", "nearer", "explained", "unexplained"]
COUNTED: tuple[Outcome, ...] = ("nearer", "explained", "unexplained")
"""The outcomes of units that were free to get nearer."""
AS_THEY_STAND: Mapping[int, float] = MappingProxyType({})
EDGE = "defender-edge"
IN_CONTACT = 0.01
BEYOND = 1000.0
"""Added to ways to the edge, so that all the way along it is nearer."""
BESIDE = 0.002
"""A normal move stops this little outside engagement range at the most."""
WHY = ("R.A03", "R.A16", "R.A18", "ai.move.marker_arrival", BROKEN_OFF)
"""The rulings that reasons for not getting nearer rest on."""


@dataclass(frozen=True, slots=True)
class Headway:
    """What became of one Horde unit in one Movement phase."""

    n: int
    """The number of the answer that chose the kind of move."""
    round: int
    unit: str
    target: str
    before: float
    after: float
    outcome: Outcome
    why: str = ""
    opened: float = math.inf
    """The way left after the move, where every way was closed before it; else infinite.

    It is measured as the unit faces after its move.
    """


Measures = tuple[float, ...]
"""One distance by several yardsticks, the strictest first.

It is infinite by a yardstick that finds no way.
"""


@dataclass(slots=True)
class _Turn:
    """A unit's move as it is read."""

    unit: Unit
    n: int
    round: int
    engaged: bool
    because: list[Because] = field(default_factory=list)
    before: Measures = ()
    after: Measures = ()
    turned: Measures = ()
    """The way left before the move, measured with the facings after it.

    A hull may fit through a gap at one facing only.
    """
    at_goal: bool = False
    moved: bool = False

    @property
    def target(self) -> str:
        """Return what it said that it heads for, "" where it named nothing."""
        return next((b.target for b in reversed(self.because) if _is_target(b)), "")


def _is_target(because: Because) -> bool:
    return bool(because.target) and because.clause in ("AI.MOVE.1", "AI.MOVE.2", "AI.MOVE.3")


def headway(
    lines: Iterable[LogLine], ruleset: Edition[Battle], rulebook: Rulebook | None = None
) -> list[Headway]:
    """Return how each Horde unit got on in each Movement phase, from a log's lines.

    With the battle's rulebook, what cards grant counts too: a unit with FLY goes over walls.
    """
    state = State()
    yardstick = Yardstick(state, ruleset, rulebook)
    found: list[Headway] = []
    turn: _Turn | None = None
    for line in lines:
        if isinstance(line, BecauseLine):
            if _begins(line, state):
                found += _closed(turn)
                turn = _begun(line, state, yardstick)
            elif turn is not None and line.seat == HORDE and line.unit == turn.unit.id:
                turn.because += line.reasons
        elif isinstance(line, ev.Event):
            if isinstance(line, ev.PhaseEnded):
                found += _closed(turn)
                turn = None
            moves = turn is not None and isinstance(line, ev.Moved) and line.unit == turn.unit.id
            if turn is not None and moves and turn.target:
                assert isinstance(line, ev.Moved)
                turn.turned = yardstick.left(turn.unit, turn.target, _facings(line, state))
            apply(state, line)
            yardstick.heed(line)
            if turn is not None and moves:
                turn.after = yardstick.left(turn.unit, turn.target) if turn.target else turn.before
                turn.moved = True
            elif turn is not None and isinstance(line, ev.Destroyed) and line.unit == turn.unit.id:
                turn = _shrunk(turn, yardstick)
    return [*found, *_closed(turn)]


def _shrunk(turn: _Turn, yardstick: Yardstick) -> _Turn | None:
    """Return the turn, measured anew where its unit has lost models before it moves.

    It is None where no model is left.
    """
    if turn.moved:
        return turn
    if not turn.unit.rows:
        return None
    if turn.before:
        turn.before = turn.after = yardstick.left(turn.unit, turn.target)
        turn.at_goal = yardstick.is_there(turn.unit, turn.target)
    return turn


def _begins(line: BecauseLine, state: State) -> bool:
    """Return whether a Horde unit's move begins; AIRCRAFT, with little choice, are left out."""
    moves = line.seat == HORDE and line.decision == "move" and state.phase == "movement"
    return moves and not state.position.units[line.unit].has("AIRCRAFT")


def _begun(line: BecauseLine, state: State, yardstick: Yardstick) -> _Turn:
    unit = state.position.units[line.unit]
    engaged = bool(yardstick.field.engaged_with(unit))
    turn = _Turn(unit, line.because, state.round, engaged, list(line.reasons))
    if turn.target and not engaged:
        turn.before = turn.after = yardstick.left(unit, turn.target)
        turn.at_goal = yardstick.is_there(unit, turn.target)
    return turn


def _closed(turn: _Turn | None) -> Iterator[Headway]:
    if turn is not None:
        before, after = _comparable(turn.before, turn.after)
        # Only where no way was open to it as it stood: a unit that turns for nothing is judged as it stood.
        turns = bool(turn.turned) and math.isinf(turn.before[0])
        if turns:
            before, after = _comparable(turn.turned, turn.after)
        nearer = after < before - TOLERANCE
        if not nearer and _closes_up(turn):
            before, after, nearer = turn.before[1], turn.after[1], True
        outcome, why = _judged(turn, nearer)
        opened = turn.after[0] if turns else math.inf
        yield Headway(turn.n, turn.round, turn.unit.id, turn.target, before, after, outcome, why, opened)


def _closes_up(turn: _Turn) -> bool:
    """Return whether a unit comes nearer by the way round terrain alone.

    This counts only where the unit says that models stand in its way. Behind friends that move on, the way
    round models may be a long detour, and longer from a place that is nearer.

    Rule: R.A03, R.A08
    """
    if not turn.moved or all(because.ruling != "R.A03" for because in turn.because):
        return False
    return bool(turn.after) and turn.after[1] < turn.before[1] - TOLERANCE


def _facings(moved: ev.Moved, state: State) -> dict[int, float]:
    """Return how the models face after a move that turns them."""
    faces = {row: pose[3] for row, pose in moved.poses.items()}
    return {row: facing for row, facing in faces.items() if facing != float(state.position.table.facing[row])}


def _comparable(before: Measures, after: Measures) -> tuple[float, float]:
    """Return both distances by the strictest yardstick that finds a way before and after."""
    for pair in zip(before, after, strict=True):
        if max(pair) < math.inf:
            return pair
    return 0.0, 0.0


def _judged(turn: _Turn, nearer: bool) -> tuple[Outcome, str]:
    if turn.engaged:
        return "engaged", ""
    held = next((b for b in turn.because if b.clause.startswith("AI.STAY") and b.clause != "AI.STAY.5"), None)
    if held is not None and not turn.moved and held.clause != "AI.STAY.4":
        return "held", held.reason
    if nearer:
        return "nearer", ""
    if turn.at_goal:
        return "arrived", ""
    why = next((b for b in turn.because if _tells_why(b, turn.moved)), None)
    return ("explained", why.reason) if why is not None else ("unexplained", "")


def _tells_why(because: Because, moved: bool) -> bool:
    """Return whether this says why the unit got no nearer.

    It could not, or it had to leave a spawning zone first.
    """
    return because.ruling in WHY or (moved and because.clause == "AI.STAY.5")


class Yardstick:
    """Measures how far a unit has to go to a target, round terrain and models."""

    def __init__(self, state: State, ruleset: Edition[Battle], rulebook: Rulebook | None = None) -> None:
        """Measure on this state, which goes on changing."""
        self.state = state
        self.ruleset = ruleset
        self.rulebook = Rulebook(()) if rulebook is None else rulebook
        self.parameters = ruleset.parameters
        self.facings = AS_THEY_STAND
        self.query = (
            Query(self, ruleset.language, float(ruleset.parameters.roll_cap))
            if rulebook is not None
            else None
        )
        self.field = Tabletop(state.position, self.parameters, self.query or PRINTED)

    def heed(self, event: ev.Event) -> None:
        """Notice an event that has just been carried out, as it may change which rules are in force."""
        if self.query is not None and self.query.heed(event):
            self.field.forget()

    def left(self, unit: Unit, target: str, facings: Mapping[int, float] = AS_THEY_STAND) -> Measures:
        """Return the shortest way from the unit to a target, by each yardstick.

        To a marker it is the sum of the ways of all its models. The yardsticks go round everything, then
        round terrain alone, then as the crow flies. A way leads over what may be climbed where that, with the
        climbs, is shorter. `facings` are those of models that are measured at another facing than their own.
        """
        self.facings = facings
        strict = self.field.ground(unit, "normal")
        terrain = Ground(strict.size, walls=strict.walls, rises=strict.rises, free=strict.free)
        grounds = (strict, terrain, Ground(strict.size))
        return tuple(self._left(unit, target, ground) for ground in grounds)

    def together(self, unit: Unit, target: str) -> float:
        """Return what a unit's models together have left to a target, in inches.

        It is the sum of their shortest ways round everything.
        """
        ground = self.field.ground(unit, "normal")
        return sum(self._way(row, target, ground) for row in unit.rows)

    def _left(self, unit: Unit, target: str, ground: Ground) -> float:
        if target in self.state.position.objectives:
            return sum(self._way(row, target, ground) for row in unit.rows)
        if target == EDGE:
            return self._to_edge(unit, ground)
        if self.is_there(unit, target):
            return 0.0
        return min(self._way(row, target, ground) for row in unit.rows)

    def goals(self, row: int, target: str) -> list[Point]:
        """Return the points that a model makes for on its way to a target."""
        if target in self.state.position.objectives:
            return [self.state.position.objectives[target].at]
        if target == EDGE:
            return self._feet(row)
        return [self._on_board(row, self._at(foe)) for foe in self.state.position.units[target].rows]

    def _on_board(self, row: int, at: Point) -> Point:
        """Return the place nearest to another, along the axes, where the middle of a base may be."""
        near, far = self._stance(row).core.extent
        round_ = float(self.state.position.table.radius[row])
        low, high = round_ - near, np.array(self.state.position.board.size) - round_ - far
        return _point(np.clip(np.array(at), low, np.maximum(low, high)))

    def is_there(self, unit: Unit, target: str) -> bool:
        """Return whether the unit stands where a move to this target would end."""
        if target in self.state.position.objectives:
            return bool(self.field.in_range_of(unit, self.state.position.objectives[target]).all())
        if target == EDGE:
            return min(self._edge_gap(row) for row in unit.rows) <= IN_CONTACT
        apart = self.field.flat_gaps(unit, self.state.position.units[target])
        return float(apart.min()) <= self.parameters.engagement + BESIDE

    def _to_edge(self, unit: Unit, ground: Ground) -> float:
        """Return the way to the edge; for a unit in contact with it, the way on to the central line."""
        table, (a, b) = self.state.position.table, self.state.position.board.defender_edge
        if self.is_there(unit, EDGE):
            centre = np.array(self.state.position.board.edge_centre)
            along = (np.array(b) - np.array(a)) / math.dist(a, b)
            return float(np.abs((table.xy[list(unit.rows)] - centre) @ along).min())
        return BEYOND + min(self._way(row, EDGE, ground) for row in unit.rows)

    def _feet(self, row: int) -> list[Point]:
        """Return places where the model would touch the edge: straight ahead, and every 4 inches."""
        (a, b), size = (
            map(np.array, self.state.position.board.defender_edge),
            np.array(self.state.position.board.size),
        )
        along = (b - a) / np.hypot(*(b - a))
        inward = np.array([-along[1], along[0]])
        inward = inward if (size / 2 - a) @ inward > 0 else -inward
        base, length = self.field.outlines((row,)), float(np.hypot(*(b - a)))
        near, left, right = (float(extents(base, way)[0]) for way in (-inward, -along, along))
        ahead = float((self.state.position.table.xy[row] - a) @ along)
        spots = [min(max(s, left), length - right) for s in (ahead, *np.arange(0.0, length, 4.0))]
        return [_point(a + along * spot + inward * near) for spot in spots]

    def _edge_gap(self, row: int) -> float:
        start, end = (np.array([point]) for point in self.state.position.board.defender_edge)
        return float(self.field.outlines((row,)).line_distances(start, end)[0, 0])

    def _way(self, row: int, target: str, ground: Ground) -> float:
        return self.way(row, self._at(row), target, ShortestPaths(self._stance(row), ground))

    def way(self, row: int, at: Point, target: str, ways: ShortestPaths) -> float:
        """Return how far a model has to go from a place, by these ways; infinite where all are shut.

        To a unit it is the way to the nearest place just outside engagement range that may be reached. What
        it climbs on the way counts, up and down. Rule: R.A03, CORE.MOVE.8
        """
        if target in self.state.position.units:
            found = ways.climbing_into(at, self.rings(target, ways.stance))
            return found.length if isinstance(found, Path) else math.inf
        best = math.inf
        for goal in sorted(self.goals(row, target), key=lambda goal: math.dist(at, goal)):
            if math.dist(at, goal) >= best - TOLERANCE:
                break
            # Nobody climbs to a point on which nobody may stand, but one may come near to it.
            for found in (ways.shortest(at, goal, best), ways.climbing(at, goal, best)):
                if isinstance(found, Path):
                    best = min(best, found.length)
        return best

    def rings(self, target: str, stance: Stance) -> Outlines:
        """Return where the middles of bases are that stand just outside engagement range of a unit."""
        foes = self.field.outlines(self.state.position.units[target].rows)
        return ToBases(foes, self.parameters.engagement + BESIDE).rings(stance)

    def _stance(self, row: int) -> Stance:
        return self.state.position.table.stance(row, self.facings.get(row))

    def _at(self, row: int) -> Point:
        return _point(self.state.position.table.xy[row])


def _point(xy: Floats) -> Point:
    return float(xy[0]), float(xy[1])
