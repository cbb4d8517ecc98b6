"""Whether a stored move was legal: each model's path, and what its kind demands of the end.

Judges from the positions before the move and the paths and poses in the event. Whether a shorter or better
move was possible is not asked.
"""

from __future__ import annotations

from collections.abc import Iterator

import shapely

from engine.audit.referee import trace
from engine.audit.referee.body import Body, clearance, gap, nearest, slack
from engine.audit.referee.scene import Disagreement, Scene
from engine.audit.referee.standing import faults_of_standing, standing
from engine.audit.referee.way import SHUFFLES, ModelPath, PathFault
from engine.core import event as ev
from engine.core.state import Unit
from geometry.tolerance import TOLERANCE


def faults_of_move(scene: Scene, event: ev.Moved) -> list[Disagreement]:
    """Return what is wrong with a move, judged before it is carried out."""
    return list(_Move(scene, event).faults())


class _Move:
    """One move: the unit, its kind of move, its enemies, and the targets that it declared."""

    def __init__(self, scene: Scene, event: ev.Moved) -> None:
        self.scene = scene
        self.event = event
        self.kind = event.kind_of_move
        self.unit: Unit = scene.state.position.units[event.unit]
        self.everyone = scene.enemies(self.unit)
        self.enemies = scene.opponents(self.unit) if self.kind in SHUFFLES else self.everyone
        aimed = self.kind in ("charge", "surge")
        self.targets = scene.choices.get((self.unit.id, self.kind), ()) if aimed else ()
        self.before = {row: scene.body(row) for row in self.unit.rows}
        self.after = standing(scene, self.unit, event.poses)

    def faults(self) -> Iterator[Disagreement]:
        """Yield every fault. Rule: CORE.MOVE.2 to CORE.MOVE.9, CORE.COH.2"""
        if set(self.event.paths) != set(self.event.poses):
            yield self._told("path", "paths and poses", "they are not of the same models")
        for row, legs in self.event.paths.items():
            if row in self.before:
                told, way = self._stored(row, legs), ModelPath(self.scene, self.unit, self.event, row)
                yield from (self._told(f.check, told, f.measured) for f in way.faults())
        yield from faults_of_standing(self.scene, self.event, self.unit, self.event.poses)
        told = f"it ends a {self.kind} move"
        yield from (self._told(f.check, told, f.measured) for f in self._end())

    def _told(self, check: str, stored: str, measured: str) -> Disagreement:
        return Disagreement(self.event.n, check, self.unit.id, stored, measured)

    def _stored(self, row: int, legs: trace.Legs) -> str:
        x, y, *_ = self.scene.pose(row)
        corners = " – ".join(f"{a:.3f}, {b:.3f}" for a, b in ((x, y), *(leg[:2] for leg in legs)))
        return f"model {row} makes a {self.kind} move {corners}"

    def _end(self) -> Iterator[PathFault]:
        met = self.scene.engaged(self.after.values(), self.enemies, surely=False)
        if self.kind in ("normal", "advance", "fall-back", "charge", "surge"):
            yield from self._kept_clear()
        if self.kind == "surge":
            yield from self._surge()
            return
        if self.kind == "charge":
            yield from self._charge(met)
        elif self.kind in ("normal", "advance", "fall-back"):
            return
        elif self.kind == "pile-in" or met:
            if not met:
                yield PathFault("engagement", "it ends within engagement range of no enemy")
            closer = list(self._closer_to_closest())
            if closer and not self._passes_by():
                yield from closer
        else:
            yield from self._onto_marker()
        if self.kind in SHUFFLES:
            yield from self._held()
            yield from self._beneath()

    def _beneath(self) -> Iterator[PathFault]:
        """Yield near which AIRCRAFT a unit ends that cannot fly. Rule: CORE.AIR.3"""
        passed = [enemy for enemy in self.everyone if enemy not in self.enemies]
        for name in self.scene.engaged(self.after.values(), passed):
            yield PathFault("engagement", f"it ends within engagement range of {name}, which is in the air")

    def _passes_by(self) -> bool:
        """Return whether a consolidation ends on a marker, and is not certainly engaged.

        It may end at the rim of engagement range.
        """
        if self.kind != "consolidate" or self.scene.engaged(self.after.values(), self.enemies):
            return False
        return not list(self._onto_marker())

    def _kept_clear(self) -> Iterator[PathFault]:
        """Yield which enemies are engaged at the end that may not be. Rule: CORE.MOVE.5, CORE.CHG.2"""
        others = [enemy for enemy in self.enemies if enemy.id not in self.targets]
        for name in self.scene.engaged(self.after.values(), others):
            yield PathFault("engagement", f"it ends within engagement range of {name}")

    def _charge(self, met: list[str]) -> Iterator[PathFault]:
        """Yield how a charge fails of its targets. Rule: CORE.CHG.2, CORE.CHG.3"""
        if not self.targets:
            yield PathFault("charge", "no target is declared in the log")
        for target in self.targets:
            if target not in met and self.scene.state.position.units[target].where == "table":
                yield PathFault("charge", f"{target} is a target and not within engagement range")
        aims = [enemy for enemy in self.enemies if enemy.id in self.targets]
        foes = [body for enemy in aims for body in self.scene.bodies(enemy.rows)]
        for row in self.event.poses:
            if row in self.before and not any(self._nearer(row, foe) for foe in foes):
                yield PathFault("charge", f"model {row} ends no closer to any model of a target")

    def _surge(self) -> Iterator[PathFault]:
        """Yield whether a surge ends farther from its target; how close it could have is not asked."""
        aims = [enemy for enemy in self.enemies if enemy.id in self.targets]
        foes = [body for enemy in aims for body in self.scene.bodies(enemy.rows)]
        if not foes:
            yield PathFault("surge", "no target is decided in the log")
            return
        before, after = (min(nearest(b, foes) for b in each.values()) for each in (self.before, self.after))
        if after > before + TOLERANCE + slack(*self.after.values()):
            yield PathFault("surge", "it ends farther from the enemy to which it leads")

    def _nearer(self, row: int, foe: Body) -> bool:
        return gap(self.after[row], foe) < gap(self.before[row], foe) - TOLERANCE + slack(foe)

    def _closer_to_closest(self) -> Iterator[PathFault]:
        """Yield which models end no closer to the enemy that was closest to them. Rule: CORE.FGT.4"""
        foes = [body for enemy in self.enemies for body in self.scene.bodies(enemy.rows)]
        for row in self.event.poses:
            if row not in self.before:
                continue
            least = nearest(self.before[row], foes)
            far = least + TOLERANCE
            closest = [
                foe for foe in foes if gap(self.before[row], foe) <= far + slack(foe, self.before[row])
            ]
            if not any(self._nearer(row, foe) for foe in closest):
                yield PathFault("closer", f"model {row} ends no closer to the enemy closest to it")

    def _onto_marker(self) -> Iterator[PathFault]:
        """Yield why a consolidation away from all enemies is none onto a marker. Rule: CORE.FGT.7"""
        if self.scene.engaged(self.before.values(), self.enemies):
            yield PathFault("engagement", "it leaves engagement range")
        reach = self.scene.parameters.marker_radius + self.scene.parameters.objective_range
        markers = [shapely.Point(o.at) for o in self.scene.state.position.objectives.values()]
        low = [
            b for b in self.after.values() if b.foot <= self.scene.parameters.objective_vertical + TOLERANCE
        ]
        gaps = [b.core.distance(m) - b.radius - reach for b in low for m in markers]
        blur = slack(*self.after.values())
        if min(gaps, default=1.0) > TOLERANCE + blur:
            yield PathFault("marker", "it ends neither within engagement range nor within range of a marker")

    def _held(self) -> Iterator[PathFault]:
        """Yield which models leave base contact. Rule: CORE.FGT.4"""
        foes = [body for enemy in self.enemies for body in self.scene.bodies(enemy.rows)]
        for row in self.event.poses:
            body = self.before.get(row)
            if body and any(clearance(body, foe) <= TOLERANCE - slack(body, foe) for foe in foes):
                yield PathFault("contact", f"model {row} was in base contact and may not move")
