"""Whether the path of one model is legal: how long it is, and what it sweeps on its way.

Judges by the kind of move, the positions before it and what was rolled in the log. Where the unit may end is
`moving`'s and `standing`'s.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import shapely

from engine.audit.referee import trace
from engine.audit.referee.body import ROUNDING
from engine.audit.referee.scene import HEAVY, Scene
from engine.audit.referee.terrain import NEAR, Block, blocks, held_up
from engine.core import event as ev
from engine.core.state import Unit
from geometry.tolerance import TOLERANCE

FLOWN = ("normal", "advance", "fall-back", "charge")
"""The moves in which FLY helps. Rule: CORE.MOVE.9, CORE.MOVE.10"""
OWN_MOVE = "CORE.MOVE.5"
"""The cause of a Normal move for which a unit is selected in its own Movement phase."""
SHUFFLES = ("pile-in", "consolidate")
ROLLS = {"advance": "roll.advance-modifier", "charge": "roll.charge-modifier"}
"""The moves that dice lengthen, and the number that rules add to them."""
A_DEGREE = 1e-4
"""Facings closer than this, in degrees, are the same.

An end of a base of ten inches shifts by 1e-5 inches.
"""


class PathFault(NamedTuple):
    """A fault of a move, without its unit and its event."""

    check: str
    measured: str


class ModelPath:
    """One model's path in a move of its unit."""

    def __init__(self, scene: Scene, unit: Unit, event: ev.Moved, row: int) -> None:
        """Take the path from the event, and where the model stands before it."""
        self.scene = scene
        self.unit = unit
        self.kind, self.cause = event.kind_of_move, event.cause
        self.row = row
        self.legs = event.paths[row]
        self.start = scene.pose(row)
        self.goal = event.poses.get(row)
        self.model = scene.state.position.models[row].facts
        self.flies = self.kind in FLOWN and scene.flies(unit, row)
        self.sweeps = trace.sweeps(self.model, self.start, self.legs)
        self.leave = scene.allowance.leave(unit, self.kind)
        self.gait = replace(scene.gait(unit, row, self.kind in FLOWN), through=self.leave.terrain)
        boxes = list(zip(*(sweep.bounds() for sweep in self.sweeps), strict=True))
        self.box = min(boxes[0]), min(boxes[1]), max(boxes[2]), max(boxes[3])

    def faults(self) -> Iterator[PathFault]:
        """Yield every fault. Rule: CORE.MOVE.2 to CORE.MOVE.9"""
        self.scene.checked["paths"] += 1
        yield from (PathFault("path", told) for told in trace.breaks(self.start, self.legs))
        yield from self._end()
        yield from self._flight() if self._is_flight() else self._length()
        yield from self._on_board()
        yield from self._walls()
        yield from self._models()
        yield from self._zones()

    def _end(self) -> Iterator[PathFault]:
        if self.goal is None:
            return
        there, goal = trace.end(self.start, self.legs), self.goal
        # What is crossed freely is no part of a path: a model that stops on it stands on its top.
        low = max(there[2], goal[2]) <= self.scene.parameters.free_height + TOLERANCE
        off = (there[0] - goal[0], there[1] - goal[1], 0.0 if low else there[2] - goal[2])
        if max(map(abs, off)) > TOLERANCE:
            yield PathFault("path", f"the model is set down at {goal[0]:.4f}, {goal[1]:.4f}")
        turned = (goal[3] - there[3] + 180.0) % 360.0 - 180.0
        if abs(turned) > A_DEGREE and not self.scene.is_round(self.row):
            yield PathFault("pivot", f"the model is set down turned by {abs(turned):.1f}° more")

    def _length(self) -> Iterator[PathFault]:
        limit, why = self.limit()
        far, due = self._far(), self._pivot()
        if far + due > limit + TOLERANCE + ROUNDING:
            and_pivot = f' and its pivot costs {due:g}"' if due else ""
            yield PathFault("length", f'it is {far:.4f}" long{and_pivot}, and {limit:g}" are allowed ({why})')

    def _is_flight(self) -> bool:
        return self.kind == "normal" and self.scene.is_a(self.row, "AIRCRAFT")

    def _flight(self) -> Iterator[PathFault]:
        """Yield how AIRCRAFT fly otherwise than straight forward, and then turn. Rule: CORE.AIR.2"""
        (x, y, _, facing), (tx, ty, *_) = self.start, self.legs[0]
        least, most = self.scene.parameters.flight, self.scene.parameters.flight_turn
        if [len(leg) for leg in self.legs][1:] not in ([], [4]) or len(self.legs[0]) not in (2, 3):
            yield PathFault("flight", "it does more than to fly straight on and turn")
            return
        far = math.hypot(tx - x, ty - y)
        course = math.degrees(math.atan2(ty - y, tx - x))
        off = abs((course - facing + 180.0) % 360.0 - 180.0)
        if math.radians(off) * far > TOLERANCE + ROUNDING:
            yield PathFault("flight", f"it flies {off:.4f}° off the way that it faces")
        if far < least - TOLERANCE - ROUNDING:
            yield PathFault("flight", f'it flies {far:.4f}" forward, less than {least:g}"')
        turn = abs((self.goal[3] - facing + 180.0) % 360.0 - 180.0) if self.goal else 0.0
        if turn > most + A_DEGREE:
            yield PathFault("pivot", f"it turns by {turn:.1f}°, more than {most:g}°")

    def _far(self) -> float:
        heavy = self.scene.allowance.may("height-counts", self.unit, kind=self.kind)
        return trace.length(self.start, self.legs, self.scene.parameters.free_height if heavy else math.inf)

    def _pivot(self) -> float:
        """Return what turning costs the model, whatever the log says that it paid. Rule: CORE.MOVE.3"""
        if not trace.pivots(self.legs) or self.scene.is_a(self.row, "AIRCRAFT"):
            return 0.0
        base = self.model.base
        if base.shape != "round":
            return 2.0 if self.scene.is_a(self.row, *HEAVY) else 1.0
        big = base.length > 32 / 25.4 and getattr(base, "flying", False)
        return 2.0 if big and self.scene.is_a(self.row, "VEHICLE") else 0.0

    def limit(self) -> tuple[float, str]:
        """Return how far the model may go, and what that is made of."""
        if self.kind in SHUFFLES:
            return self.scene.parameters.pile_in, self.kind
        # The bound of a move out of turn stays noted to the end of the phase.
        bound = -1 if self.cause == OWN_MOVE else self.unit.marks.get("moves-up-to", -1)
        if self.kind in ("normal", "surge") and isinstance(bound, int) and bound >= 0:
            return float(bound), f'out of turn, up to {bound}"'
        move = 0.0 if self.kind == "charge" else self.scene.allowance.move(self.unit, self.row)
        if self.kind not in ROLLS:
            return move, f"M {move:g}"
        rolled = self.scene.rolls.get((self.unit.id, self.kind))
        if rolled is None:
            return move, f"no {self.kind} roll is in the log"
        declared = self.scene.choices.get((self.unit.id, self.kind), ())
        bonus = max(0, rolled + self.scene.allowance.change(ROLLS[self.kind], self.unit, declared))
        return move + bonus, f"{self.kind} roll {bonus}" + (f", M {move:g}" if move else "")

    def _on_board(self) -> Iterator[PathFault]:
        width, depth = self.scene.state.position.board.size
        for sweep in self.sweeps:
            x0, y0, x1, y1 = sweep.bounds()
            over = max(-x0, -y0, x1 - width, y1 - depth)
            if over > TOLERANCE + ROUNDING + sweep.blur:
                yield PathFault("board", f'it leads {over:.4f}" over the edge')
                return

    def _walls(self) -> Iterator[PathFault]:
        """Yield what the model goes through, and where it hangs in the air. Rule: CORE.MOVE.8"""
        terrain = self.scene.terrain_near(self.box)
        free = self.scene.parameters.free_height
        for block in blocks(terrain, self.gait, free):
            if any(self._runs_into(sweep, block) for sweep in self.sweeps):
                yield PathFault("wall", f"it runs into {block.name}")
        if not self.flies and any(self._hangs(sweep, free) for sweep in self.sweeps):
            yield PathFault("climb", "it leads through the air")

    def _runs_into(self, sweep: trace.Sweep, block: Block) -> bool:
        under = block.top > sweep.low + TOLERANCE if not (sweep.is_climb and block.climbed) else False
        return under and sweep.distance(block.shape) < -TOLERANCE - ROUNDING - sweep.blur

    def _hangs(self, sweep: trace.Sweep, free_height: float) -> bool:
        """Return whether the base is up where nothing that it could have climbed is under any of it."""
        if sweep.high <= free_height + TOLERANCE:
            return False
        if sweep.is_climb and sweep.far > TOLERANCE:
            return True
        shapes = held_up(self.scene.terrain_near(self.box), self.gait, sweep.high)
        reach = self.scene.body(self.row).radius + NEAR
        held = [shapely.buffer(shape, reach, quad_segs=64) for shape in shapes]
        return not shapely.covers(shapely.union_all(held), sweep.track)

    def _models(self) -> Iterator[PathFault]:
        """Yield which models the model runs over and may not.

        Rule: CORE.MOVE.4, CORE.MOVE.7, CORE.AIR.3
        """
        if self.flies:
            return
        solid = [] if self.kind == "fall-back" else self._in_the_way()
        if self.scene.is_a(self.row, *HEAVY):
            friends = (row for friend in self.scene.friends(self.unit) for row in friend.rows)
            solid += [r for r in friends if self.scene.is_a(r, *HEAVY) and not self.scene.is_a(r, "AIRCRAFT")]
        near = self.scene.near(self.box)
        for other in (row for row in self._not_passed(solid) if row in near):
            body = self.scene.body(other)
            for sweep in self.sweeps:
                room = sweep.room(body) if sweep.beside(body) else 0.0
                if room < -TOLERANCE - ROUNDING - sweep.blur - body.blur:
                    yield PathFault("model", f'it runs {-room:.4f}" over {self._named(other)}')
                    break

    def _zones(self) -> Iterator[PathFault]:
        """Yield whose engagement range the model enters on its way. Rule: CORE.MOVE.5, CORE.AIR.3"""
        if self.kind not in ("normal", "advance") or self.flies:
            return
        reach, vertical = self.scene.parameters.engagement, self.scene.parameters.engagement_vertical
        near = self.scene.near(self.box, reach)
        for other in (row for row in self._not_passed(self._in_the_way()) if row in near):
            body = self.scene.body(other)
            for sweep in self.sweeps:
                room = sweep.room(body) if sweep.level_with(body, vertical) else math.inf
                if room <= reach + TOLERANCE - ROUNDING - sweep.blur - body.blur:
                    yield PathFault(
                        "engagement", f'it comes within {max(room, 0.0):.4f}" of {self._named(other)}'
                    )
                    break

    def _in_the_way(self) -> list[int]:
        """Return the rows of the enemies; AIRCRAFT are in nobody's way. Rule: CORE.AIR.3"""
        rows = (row for enemy in self.scene.enemies(self.unit) for row in enemy.rows)
        return [row for row in rows if not self.scene.is_a(row, "AIRCRAFT")]

    def _not_passed(self, rows: list[int]) -> list[int]:
        """Return those of some rows that no rule lets the unit move over."""
        return [row for row in rows if self.scene.state.position.models[row].unit not in self.leave.units]

    def _named(self, row: int) -> str:
        return f"model {row} of {self.scene.state.position.models[row].unit}"
