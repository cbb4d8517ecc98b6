"""Whether a stored move was legal: each model's path, and what its kind of move asks of the end.

Judges from the positions before the move and the paths and poses in the event; what was rolled is looked
up in the log. Whether a shorter or better move was possible is not asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import shapely

from engine import event as ev
from engine.referee import trace
from engine.referee.body import ROUNDING, Body, bounds, gap, nearest
from engine.referee.scene import HEAVY, Disagreement, Scene
from engine.referee.standing import faults_of_standing, standing
from engine.referee.terrain import runs_into, walls
from engine.state import Unit
from geometry.base import TOLERANCE

FLOWN = ("normal", "advance", "fall-back", "charge")
"""The moves in which FLY helps. Rule: CORE.MOVE.9, CORE.MOVE.10"""
SHUFFLES = ("pile-in", "consolidate")
ROLLS = {"advance": "roll.advance-modifier", "charge": "roll.charge-modifier"}
"""The moves that dice lengthen, and the number that rules add to them."""


def faults_of_move(scene: Scene, event: ev.Moved) -> list[Disagreement]:
    """Return what is wrong with a move, judged before it is carried out."""
    return list(_Move(scene, event).faults())


@dataclass(frozen=True, slots=True)
class _Fault:
    """A fault before it is known which model's it is."""

    check: str
    measured: str


class _Move:
    """One move: who moves how, who is in the way, and who must be kept away from."""

    def __init__(self, scene: Scene, event: ev.Moved) -> None:
        self.scene = scene
        self.event = event
        self.kind = event.kind_of_move
        self.unit: Unit = scene.state.units[event.unit]
        self.enemies = scene.enemies(self.unit)
        self.targets = scene.choices.get((self.unit.id, "charge"), ()) if self.kind == "charge" else ()
        self.before = {row: scene.body(row) for row in self.unit.rows}
        self.after = standing(scene, self.unit, event.poses)

    def faults(self) -> Iterator[Disagreement]:
        """Yield every fault. Rule: CORE.MOVE.2 to CORE.MOVE.9, CORE.COH.2"""
        if set(self.event.paths) != set(self.event.poses):
            yield self._told("path", "paths and poses", "they are not of the same models")
        for row, legs in self.event.paths.items():
            if row in self.before:
                told = self._stored(row, legs)
                yield from (self._told(f.check, told, f.measured) for f in self._path(row, legs))
        yield from faults_of_standing(self.scene, self.event, self.unit, self.event.poses)
        told = f"it ends a {self.kind} move"
        yield from (self._told(f.check, told, f.measured) for f in self._end())

    def _told(self, check: str, stored: str, measured: str) -> Disagreement:
        return Disagreement(self.event.n, check, self.unit.id, stored, measured)

    def _stored(self, row: int, legs: trace.Legs) -> str:
        x, y, *_ = self.scene.pose(row)
        corners = " – ".join(f"{a:.3f}, {b:.3f}" for a, b in ((x, y), *(leg[:2] for leg in legs)))
        return f"model {row} makes a {self.kind} move {corners}"

    # the way

    def _path(self, row: int, legs: trace.Legs) -> Iterator[_Fault]:
        self.scene.checked["paths"] += 1
        x, y, *_ = self.scene.pose(row)
        line = trace.line((x, y), legs)
        yield from (_Fault("path", told) for told in trace.breaks((x, y), legs))
        end, pose = line.coords[-1], self.event.poses.get(row)
        if pose is not None and max(abs(end[0] - pose[0]), abs(end[1] - pose[1])) > TOLERANCE:
            yield _Fault("path", f"it ends at {pose[0]:.4f}, {pose[1]:.4f}")
        yield from self._length(row, trace.length((x, y), legs))
        yield from self._on_board(row, line)
        yield from self._walls(row, line)
        yield from self._models(row, line)
        yield from self._zones(row, line)

    def _length(self, row: int, far: float) -> Iterator[_Fault]:
        limit, why = self.limit(row)
        if far > limit + TOLERANCE + ROUNDING:
            yield _Fault("length", f'it is {far:.4f}" long, and {limit:g}" are allowed ({why})')

    def limit(self, row: int) -> tuple[float, str]:
        """Return how far a model may go, and what that is made of."""
        if self.kind in SHUFFLES:
            return self.scene.knobs.pile_in, self.kind
        move = 0.0 if self.kind == "charge" else self.scene.allowance.move(self.unit, row)
        if self.kind not in ROLLS:
            return move, f"M {move:g}"
        rolled = self.scene.rolls.get((self.unit.id, self.kind))
        if rolled is None:
            return move, f"no {self.kind} roll is in the log"
        bonus = max(0, rolled + self.scene.allowance.change(ROLLS[self.kind], self.unit))
        return move + bonus, f"{self.kind} roll {bonus}" + (f", M {move:g}" if move else "")

    def _on_board(self, row: int, line: shapely.LineString) -> Iterator[_Fault]:
        width, depth = self.scene.state.board.size
        body = self.before[row]
        at = body.core.centroid
        x0, y0, x1, y1 = bounds([body])
        low, left, high, right = line.bounds
        over = max(at.x - x0 - low, at.y - y0 - left, high + x1 - at.x - width, right + y1 - at.y - depth)
        if over > 2 * TOLERANCE:
            yield _Fault("board", f'it leads {over:.4f}" over the edge')

    @property
    def _may_fly(self) -> bool:
        return self.kind in FLOWN

    def _flies(self, row: int) -> bool:
        return self._may_fly and self.scene.flies(self.unit, row)

    def _walls(self, row: int, line: shapely.LineString) -> Iterator[_Fault]:
        gait = self.scene.gait(self.unit, row, self._may_fly)
        for piece in walls(self.scene.state.terrain.values(), gait, self.scene.knobs.free_height):
            if runs_into(line, self.before[row].radius, piece):
                yield _Fault("wall", f"it runs into {piece.kind} {piece.id}")

    def _models(self, row: int, line: shapely.LineString) -> Iterator[_Fault]:
        """Yield whom the model runs over without being allowed to. Rule: CORE.MOVE.4, CORE.MOVE.7"""
        if self._flies(row):
            return
        solid = [] if self.kind == "fall-back" else [r for e in self.enemies for r in e.rows]
        if self.scene.is_a(row, *HEAVY):
            friends = (r for friend in self.scene.friends(self.unit) for r in friend.rows)
            solid += [r for r in friends if self.scene.is_a(r, *HEAVY)]
        for other, room in self._room(row, line, solid):
            if room < -TOLERANCE - ROUNDING:
                yield _Fault("model", f'it runs {-room:.4f}" over {self._named(other)}')

    def _zones(self, row: int, line: shapely.LineString) -> Iterator[_Fault]:
        """Yield whose engagement range the model enters on its way. Rule: CORE.MOVE.5"""
        if self.kind not in ("normal", "advance") or self._flies(row):
            return
        reach = self.scene.knobs.engagement
        for other, room in self._room(row, line, [r for e in self.enemies for r in e.rows]):
            if room <= reach + TOLERANCE - ROUNDING:
                yield _Fault("engagement", f'it comes within {max(room, 0.0):.4f}" of {self._named(other)}')

    def _room(self, row: int, line: shapely.LineString, others: list[int]) -> Iterator[tuple[int, float]]:
        """Yield how near the model's base comes to the bases of others that stand no higher or lower."""
        body = self.before[row]
        level = [(r, self.scene.body(r)) for r in others]
        level = [(r, b) for r, b in level if abs(b.foot - body.foot) <= self.scene.knobs.engagement_vertical]
        apart = np.atleast_1d(shapely.distance(line, np.array([b.core for _, b in level], dtype=object)))
        for (other, each), far in zip(level, apart, strict=True):
            yield other, float(far) - body.radius - each.radius

    def _named(self, row: int) -> str:
        return f"model {row} of {self.scene.state.models[row].unit}"

    # the end

    def _end(self) -> Iterator[_Fault]:
        met = self.scene.engaged(self.after.values(), self.enemies)
        if self.kind in ("normal", "advance", "fall-back"):
            yield from (_Fault("engagement", f"it ends within engagement range of {e}") for e in met)
        elif self.kind == "charge":
            yield from self._charge(met)
        elif self.kind == "pile-in" or met:
            if not met:
                yield _Fault("engagement", "it ends within engagement range of no enemy")
            yield from self._closer_to_closest()
        else:
            yield from self._onto_marker()
        if self.kind in SHUFFLES:
            yield from self._held()

    def _charge(self, met: list[str]) -> Iterator[_Fault]:
        """Yield how a charge fails of its targets. Rule: CORE.CHG.2, CORE.CHG.3"""
        if not self.targets:
            yield _Fault("charge", "no target is declared in the log")
        for target in self.targets:
            if target not in met:
                yield _Fault("charge", f"{target} is a target and not within engagement range")
        for other in met:
            if other not in self.targets:
                yield _Fault("charge", f"{other} is no target and within engagement range")
        aims = [enemy for enemy in self.enemies if enemy.id in self.targets]
        foes = [body for enemy in aims for body in self.scene.bodies(enemy.rows)]
        for row in self.event.poses:
            if row in self.before and not any(self._nearer(row, foe) for foe in foes):
                yield _Fault("charge", f"model {row} ends no closer to any model of a target")

    def _nearer(self, row: int, foe: Body) -> bool:
        return gap(self.after[row], foe) < gap(self.before[row], foe) - TOLERANCE

    def _closer_to_closest(self) -> Iterator[_Fault]:
        """Yield which models end no closer to the enemy that was closest to them. Rule: CORE.FGT.4"""
        foes = [body for enemy in self.enemies for body in self.scene.bodies(enemy.rows)]
        for row in self.event.poses:
            if row not in self.before:
                continue
            least = nearest(self.before[row], foes)
            closest = [foe for foe in foes if gap(self.before[row], foe) <= least + 2 * TOLERANCE]
            if not any(self._nearer(row, foe) for foe in closest):
                yield _Fault("closer", f"model {row} ends no closer to the enemy closest to it")

    def _onto_marker(self) -> Iterator[_Fault]:
        """Yield why a consolidation away from all enemies is none onto a marker. Rule: CORE.FGT.7"""
        if self.scene.engaged(self.before.values(), self.enemies):
            yield _Fault("engagement", "it leaves engagement range")
        reach = self.scene.knobs.marker_radius + self.scene.knobs.objective_range
        markers = [shapely.Point(o.at) for o in self.scene.state.objectives.values()]
        gaps = [b.core.distance(m) - b.radius - reach for b in self.after.values() for m in markers]
        if min(gaps, default=1.0) > TOLERANCE + ROUNDING:
            yield _Fault("marker", "it ends neither within engagement range nor within range of a marker")

    def _held(self) -> Iterator[_Fault]:
        """Yield which models leave base contact. Rule: CORE.FGT.4"""
        foes = [body for enemy in self.enemies for body in self.scene.bodies(enemy.rows)]
        for row in self.event.poses:
            if row in self.before and nearest(self.before[row], foes) <= TOLERANCE - ROUNDING:
                yield _Fault("contact", f"model {row} was in base contact and may not move")
