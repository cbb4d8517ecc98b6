"""The table as the referee sees it at one line of the log.

This is the folded state, with what the log said before. Owns bodies, keywords and engagement by model, and
the rolls and targets that a later move rests on. It judges nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import shapely

from engine.audit.referee.allowance import Allowance
from engine.audit.referee.body import Body, body_of, bounds, surely_within, within
from engine.audit.referee.terrain import NEAR, Eye, Gait, Screen, screen_of, screens
from engine.core import event as ev
from engine.core.apply import apply
from engine.core.dice import base_of
from engine.core.event import Pose
from engine.core.facts import TerrainFacts
from engine.core.state import State, Unit
from engine.horde.all_settings import SETTINGS
from engine.table.index import Index
from engine.w40k.parameters import Parameters
from geometry.tolerance import TOLERANCE

ON_FOOT = ("INFANTRY", "BEAST", "BEASTS")
HEAVY = ("MONSTER", "VEHICLE")
MARGIN = 0.01
"""The margin round a box that is searched for models or terrain, in inches.

It is far more than the error of any measure of the referee.
"""
Bounds = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """What the log stores and what the referee measures instead, at the event with this number."""

    n: int
    check: str
    """What was measured: path, wall, engagement, overlap, coherency, zone, sight, range, …"""
    unit: str
    stored: str
    measured: str
    of: str = "event"
    """What the number is of: an event, or the answer whose reasons are judged."""

    def __str__(self) -> str:
        """Return it as one line."""
        return f"{self.of} {self.n}, {self.unit}, {self.check}: {self.stored}; measured: {self.measured}"


@dataclass(slots=True)
class Scene:
    """The state before the event at hand, and what was rolled and declared on the way to it."""

    state: State
    parameters: Parameters
    allowance: Allowance
    rolls: dict[tuple[str, str], int] = field(default_factory=dict)
    """The last roll of each kind by each unit in this phase."""
    choices: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    """What each unit last decided, by kind of decision, in this phase."""
    checked: Counter[str] = field(default_factory=Counter)
    """How many things of each kind have been measured."""
    cleared: list[str] = field(default_factory=list)
    """The units that were destroyed in a spawning zone since the last spawn roll."""
    hurried: dict[str, tuple[int, str, float]] = field(default_factory=dict)
    """The units that Advance because they could not charge, with an enemy in charge range.

    Each has the number of its answer, that enemy, and the enemy's distance in inches.
    """
    rulings: Mapping[str, str] = field(default_factory=dict)
    """How the battle reads the open points of the text, where not by default."""
    _index: Index = field(init=False)

    def __post_init__(self) -> None:
        """Index the table by boxes, which rule out models too far away to be measured."""
        self._index = Index(self.state.position)

    def carry_out(self, event: ev.Event) -> None:
        """Go on to the state after an event."""
        apply(self.state, event)
        self.allowance.heed(event)
        if isinstance(event, ev.Rolled) and event.unit:
            # A roll made again stands in the place of the first.
            self.rolls[event.unit, base_of(event.roll)] = event.total
        elif isinstance(event, ev.Decided) and event.unit:
            self.choices[event.unit, event.decision] = event.choice
        elif isinstance(event, ev.SpawnRolled):
            self.cleared.clear()
        elif isinstance(event, ev.UnitDestroyed) and event.part is None and event.cause == "SPAWN.2":
            self.cleared.append(event.unit)
        elif isinstance(event, ev.PhaseEnded) and event.last:
            self.rolls.clear()
            self.choices.clear()
            self.hurried.clear()

    def ruling(self, key: str) -> str:
        """Return how an open point of the text is read in this battle."""
        return self.rulings.get(key) or SETTINGS.named(key).default

    def is_plain(self, keys: Iterable[str]) -> bool:
        """Return whether these points are all read by default."""
        return all(self.ruling(key) == SETTINGS.named(key).default for key in keys)

    # models

    def body(self, row: int) -> Body:
        """Return a model where it stands."""
        return self.body_at(row, self.pose(row))

    def pose(self, row: int) -> Pose:
        """Return where a model stands."""
        table = self.state.position.table
        x, y = table.xy[row]
        return float(x), float(y), float(table.z[row]), float(table.facing[row])

    def body_at(self, row: int, pose: Pose) -> Body:
        """Return a model as if it stood at a pose."""
        x, y, z, facing = pose
        model = self.state.position.models[row]
        pose = (float(x), float(y), float(z), float(facing))
        return body_of(model.facts, pose)

    def near(self, around: Bounds, reach: float = 0.0) -> frozenset[int]:
        """Return the rows of models on the table that may be within reach of a rectangle.

        No model within `reach` inches of what lies in the rectangle is missing.
        """
        return frozenset(self._index.models_about(_wider(around, reach)))

    def terrain_near(self, around: Bounds) -> tuple[TerrainFacts, ...]:
        """Return all terrain pieces that may meet what lies in a rectangle, in their order."""
        pieces = tuple(self.state.position.terrain.values())
        return tuple(pieces[place] for place in self._index.terrain_about(_wider(around, 0.0)))

    def is_round(self, row: int) -> bool:
        """Return whether the model is measured by a circle, whatever its facing."""
        return self.state.position.models[row].facts.base.shape == "round"

    def bodies(self, rows: Iterable[int]) -> list[Body]:
        """Return models where they stand."""
        return [self.body(row) for row in rows]

    def is_a(self, row: int, *keywords: str) -> bool:
        """Return whether a model has one of these keywords printed."""
        model = self.state.position.models[row]
        printed = self.state.position.units[model.unit].facts.parts[model.facts.part].keywords
        return any(keyword in printed for keyword in keywords)

    def gait(self, unit: Unit, row: int, may_fly: bool = True) -> Gait:
        """Return how a model of a unit gets about."""
        on_foot = self.is_a(row, *ON_FOOT) or any(self.allowance.granted(unit, k) for k in ON_FOOT)
        on_foot = on_foot or self.allowance.may("walk-in-ruins", unit)
        return Gait(on_foot, may_fly and self.flies(unit, row))

    def flies(self, unit: Unit, row: int) -> bool:
        """Return whether a model has FLY, printed or granted."""
        return self.is_a(row, "FLY") or self.allowance.granted(unit, "FLY")

    def eye(self, row: int) -> Eye:
        """Return a model as one that sees or is seen."""
        return Eye(self.body(row), self.is_a(row, "AIRCRAFT"), self.is_a(row, "TOWERING"))

    def between(self, unit: Unit, other: Unit | None, a: Eye, b: Eye) -> list[Screen]:
        """Return what may close the lines from a unit's model to another's, or to a marker."""
        hidden = not self.allowance.looks_through_terrain(unit)
        found = screens(self.state.position.terrain.values(), a, b) if hidden else []
        if self.parameters.models_block:
            found += [screen_of(body) for body in self.bystanders(*(each for each in (unit, other) if each))]
        return found

    def bystanders(self, *units: Unit) -> list[Body]:
        """Return the MONSTER and VEHICLE models on the ground that are of none of these units."""
        apart = {unit.id for unit in units}
        others = [unit for unit in self.state.position.on_table() if unit.id not in apart]
        big = [row for unit in others for row in unit.rows if self.is_a(row, "MONSTER", "VEHICLE")]
        bodies = [self.body(row) for row in big]
        return [body for body in bodies if body.foot <= TOLERANCE]

    # units

    def enemies(self, unit: Unit) -> list[Unit]:
        """Return the units of the other side on the table."""
        return [other for other in self.state.position.on_table() if other.side != unit.side]

    def opponents(self, unit: Unit) -> list[Unit]:
        """Return the enemies that count as closest ones: no AIRCRAFT, unless the unit flies.

        Rule: CORE.AIR.5
        """
        flies = all(self.flies(unit, row) for row in unit.rows)
        return [each for each in self.enemies(unit) if flies or not self._is_aircraft(each)]

    def fights(self, unit: Unit, other: Unit) -> bool:
        """Return whether one unit may strike another; where one is AIRCRAFT, the other must fly.

        Rule: CORE.AIR.4
        """
        fly = [all(self.flies(each, row) for row in each.rows) for each in (unit, other)]
        return (fly[0] or not self._is_aircraft(other)) and (fly[1] or not self._is_aircraft(unit))

    def _is_aircraft(self, unit: Unit) -> bool:
        return any(self.is_a(row, "AIRCRAFT") for row in unit.rows)

    def friends(self, unit: Unit) -> list[Unit]:
        """Return the other units of its side on the table."""
        return [other for other in self.state.position.on_table(unit.side) if other.id != unit.id]

    def engaged(self, bodies: Iterable[Body], enemies: Iterable[Unit], surely: bool = True) -> list[str]:
        """Return which of these enemies some of the bodies certainly, or may well, be engaged with."""
        ours = list(bodies)
        reach = max(self.parameters.engagement, self.parameters.engagement_barricade)
        close = frozenset[int]().union(*(self.near(bounds([body]), reach) for body in ours))
        near = [(enemy.id, close.intersection(enemy.rows)) for enemy in enemies]
        return [name for name, rows in near if rows and self.meets(ours, self.bodies(sorted(rows)), surely)]

    def meets(self, ours: Iterable[Body], theirs: Iterable[Body], surely: bool = True) -> bool:
        """Return whether some of ours are in range of some of theirs. Rule: CORE.ER.1, CORE.ER.2"""
        near, others = surely_within if surely else within, list(theirs)
        reach, vertical = self.parameters.engagement, self.parameters.engagement_vertical + TOLERANCE
        level = [(a, b) for a in ours for b in others if abs(a.foot - b.foot) <= vertical]
        if any(near(a, b, reach) for a, b in level):
            return True
        wide = self.parameters.engagement_barricade
        return any(near(a, b, wide) and self._across_barricade(a, b, surely) for a, b in level)

    def _across_barricade(self, a: Body, b: Body, surely: bool) -> bool:
        """Return whether the shortest line between two bodies surely, or maybe, meets a barricade."""
        barricades = [
            each.footprint for each in self.state.position.terrain.values() if each.kind == "barricade"
        ]
        if not barricades:
            return False
        line = shapely.shortest_line(a.core, b.core)
        margin = -NEAR if surely else NEAR
        return any(shapely.intersects(shapely.Polygon(ring).buffer(margin), line) for ring in barricades)


def _wider(around: Bounds, reach: float) -> Bounds:
    far = reach + MARGIN
    return around[0] - far, around[1] - far, around[2] + far, around[3] + far
