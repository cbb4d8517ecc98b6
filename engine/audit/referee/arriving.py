"""Whether stored set-ups were legal.

A unit is placed, arrives from reserves or disembarks, or a model comes back. The referee judges the area, the
distance from enemies and how the models stand. Whether another place would have been better is not asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import shapely

from engine.audit.referee.body import Body, bounds, farthest, lies_within, nearest, slack, surely_within
from engine.audit.referee.scene import Disagreement, Scene
from engine.audit.referee.standing import faults_of_standing
from engine.core import event as ev
from engine.core.event import Pose
from engine.core.facts import HORDE
from engine.core.state import Unit
from geometry.tolerance import TOLERANCE

PINCER = "pincer"
AGAINST = "set-up-against"
BESIDE = "beside"


def faults_of_placing(scene: Scene, event: ev.Placed) -> list[Disagreement]:
    """Return what is wrong with a set-up. Rule: SETUP.5, SPAWN.6, CORE.RES.6, CORE.RES.8"""
    # A unit that comes with its facts was put there by whoever made the situation.
    if not event.unit or event.facts is not None:
        return []
    unit = scene.state.position.units[event.unit]
    # Models that stood there already have come down from a floor, wherever that is. Rule: MISERY.10
    if all(scene.state.position.table.on[row] for row in event.poses):
        return []
    setting = _Setting(scene, event, unit, event.poses)
    found = list(setting.standing())
    if event.cause == "SETUP.5":
        found += setting.deployed()
    elif event.cause == "SPAWN.6":
        found += setting.spawned()
    else:
        found += setting.clear_of(scene.parameters.engagement, "engagement", str(unit.marks.get(AGAINST, "")))
    return found


def faults_of_arriving(scene: Scene, event: ev.Arrived) -> list[Disagreement]:
    """Return what is wrong with an arrival from reserves. Rule: CORE.RES.2, SPAWN.7, MISERY.13"""
    unit = scene.state.position.units[event.unit]
    setting = _Setting(scene, event, unit, event.poses)
    found = list(setting.standing())
    if PINCER in unit.marks:
        return [*found, *setting.clear_of(scene.parameters.pincer, "distance")]
    if event.how == "teleport":
        return [*found, *setting.clear_of(scene.parameters.engagement, "engagement")]
    if event.how == BESIDE:
        return found
    found += setting.clear_of(scene.parameters.deep_strike, "distance")
    if unit.side == HORDE:
        found += setting.clear_of_markers()
    if event.how == "strategic":
        found += setting.at_edge()
    return found


def faults_of_disembarking(scene: Scene, event: ev.Disembarked) -> list[Disagreement]:
    """Return what is wrong with a disembarkation. Rule: CORE.TRN.2, CORE.TRN.3, CORE.TRN.4"""
    unit, transport = scene.state.position.units[event.unit], scene.state.position.units[event.transport]
    setting = _Setting(scene, event, unit, event.poses)
    found = [*setting.standing(), *setting.clear_of(scene.parameters.engagement, "engagement")]
    reach = scene.parameters.emergency if event.cause == "CORE.TRN.4" else scene.parameters.boarding
    # A wreck is gone from the table, but is measured from where it stood.
    rows = transport.rows or [model.row for model in transport.facts.models]
    for row, body in setting.bodies.items():
        far, blur = min((farthest(body, hull), slack(body, hull)) for hull in scene.bodies(rows))
        if far > reach + TOLERANCE + blur:
            told = f'its far side is {far:.4f}" from {transport.id}, not within {reach:g}"'
            found.append(setting.told("distance", told, row))
    return found


def faults_of_returning(scene: Scene, event: ev.Returned) -> list[Disagreement]:
    """Return what is wrong with where a model comes back.

    It may stand where no model may, or be engaged with an enemy that its unit was not engaged with.
    """
    unit = scene.state.position.units[event.unit]
    if unit.where not in ("table", "destroyed"):
        return []
    poses = {event.model: event.pose}
    setting = _Setting(scene, event, unit, poses)
    others = [row for row in unit.rows if row != event.model]
    found = list(setting.standing([*others, event.model]))
    engaged = set(scene.engaged(scene.bodies(others), scene.enemies(unit), surely=False))
    met = scene.engaged(setting.bodies.values(), scene.enemies(unit))
    return [
        *found,
        *(setting.told("engagement", f"it engages {enemy} anew") for enemy in met if enemy not in engaged),
    ]


class _Setting:
    """One set-up: the models that are set down, and where."""

    def __init__(self, scene: Scene, event: ev.Event, unit: Unit, poses: Mapping[int, Pose]) -> None:
        scene.checked["placements"] += len(poses)
        self.scene = scene
        self.event = event
        self.unit = unit
        self.poses = poses
        self.bodies: dict[int, Body] = {row: scene.body_at(row, pose) for row, pose in poses.items()}

    def told(self, check: str, measured: str, row: int | None = None) -> Disagreement:
        """Return a disagreement about the unit, or about one of its models."""
        pose = self.poses.get(row) if row is not None else None
        stored = f"model {row} is set up at {pose[0]:.4f}, {pose[1]:.4f}" if pose else "it is set up"
        return Disagreement(self.event.n, check, self.unit.id, stored, measured)

    def standing(self, rows: Iterable[int] = ()) -> Iterator[Disagreement]:
        """Yield what is wrong with how the models stand, and which of them are destroyed."""
        yield from faults_of_standing(self.scene, self.event, self.unit, self.poses, rows)

    def wholly_in(self, area: shapely.Geometry, name: str) -> Iterator[Disagreement]:
        """Yield which models are not wholly within an area."""
        for row, body in self.bodies.items():
            if not lies_within(body, area):
                yield self.told("zone", f"it is not wholly {name}", row)

    def clear_of(self, reach: float, check: str, but: str = "") -> Iterator[Disagreement]:
        """Yield which models are within a distance of an enemy, one enemy apart.

        What arrives keeps from each as far as the rules in force say.
        """
        foes = [enemy for enemy in self.scene.enemies(self.unit) if enemy.id != but]
        asked = self.scene.allowance.arrival if check == "distance" and self.event.kind == "arrived" else None
        reaches = {foe.id: asked(self.unit, foe, reach) if asked else reach for foe in foes}
        enemies = [(enemy.id, row) for enemy in foes for row in enemy.rows]
        for row, body in self.bodies.items():
            near = self.scene.near(bounds([body]), max(reaches.values(), default=reach))
            shapes = [(name, self.scene.body(other)) for name, other in enemies if other in near]
            close = [
                (nearest(body, [foe]), name)
                for name, foe in shapes
                if surely_within(body, foe, reaches[name])
            ]
            if close:
                far, who = min(close)
                yield self.told(check, f'it is {far:.4f}" from {who}, not more than {reaches[who]:g}"', row)

    def clear_of_markers(self) -> Iterator[Disagreement]:
        """Yield which models are within 3" of an objective marker. Rule: SPAWN.7, R.A70"""
        parameters = self.scene.parameters
        for row, body in self.bodies.items():
            for objective in self.scene.state.position.objectives.values():
                far = body.core.distance(shapely.Point(objective.at)) - body.radius
                if far <= parameters.off_markers + TOLERANCE - slack(body):
                    yield self.told(
                        "marker", f'it is {far:.4f}" from the centre of {objective.facts.id}', row
                    )

    def at_edge(self) -> Iterator[Disagreement]:
        """Yield which models are not wholly within 6" of an edge. Rule: CORE.RES.2, CORE.AIR.1"""
        width, depth = self.scene.state.position.board.size
        strip = self.scene.parameters.reserves_edge
        board = shapely.box(0, 0, width, depth)
        allowed = board.difference(shapely.box(strip, strip, width - strip, depth - strip))
        if self.scene.state.round < 3:
            allowed = allowed.difference(self._zones("defender" if self.unit.side == HORDE else "horde"))
        yield from self.wholly_in(allowed, f'within {strip:g}" of a board edge')

    def deployed(self) -> Iterator[Disagreement]:
        """Yield what is wrong with a set-up before the battle. Rule: SETUP.5, CORE.RES.6"""
        if not self.scene.allowance.has_ability(self.unit, "infiltrators"):
            yield from self.wholly_in(self._zones("defender"), "in the Defender's deployment zone")
            return
        enemy, reach = self._zones("horde"), self.scene.parameters.deep_strike
        yield from self.clear_of(reach, "distance")
        for row, body in self.bodies.items():
            far = float(shapely.distance(enemy, body.core)) - body.radius
            if far <= reach + TOLERANCE - slack(body):
                yield self.told("distance", f"it is {far:.4f}\" from the Horde's deployment zone", row)

    def spawned(self) -> Iterator[Disagreement]:
        """Yield which models stand neither in the unit's spawning zone nor in No Man's Land.

        Rule: SPAWN.6
        """
        zone = str(self.unit.marks.get("zone", ""))
        if zone not in self.scene.state.position.zones:
            yield self.told("zone", "no spawning zone is marked for it in the log")
            return
        own = shapely.Polygon(self.scene.state.position.zones[zone].polygon)
        area = shapely.union(own, self._zones("no-mans-land"))
        yield from self.wholly_in(area, f"in {zone} or in No Man's Land before it")

    def _zones(self, kind: str) -> shapely.Geometry:
        zones = self.scene.state.position.zones.values()
        return shapely.union_all([shapely.Polygon(zone.polygon) for zone in zones if zone.kind == kind])
