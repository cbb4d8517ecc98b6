"""What is true of a battle at a moment: plain data, changed only by `engine.core.apply`.

Positions are columns of the table and live nowhere else; a model holds its row, and rows are never
re-used or re-ordered.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec
import numpy as np

from engine.core.event import Pose
from engine.core.facts import (
    PLAYERS,
    BoardFacts,
    ModelFacts,
    ObjectiveFacts,
    PartFacts,
    PlayerFacts,
    Point,
    Side,
    TerrainFacts,
    TransportFacts,
    UnitFacts,
    WeaponFacts,
    ZoneFacts,
)
from geometry.shape.base import Base, Bools, Floats, Ints
from geometry.shape.convex_shape import POINT, Outlines, Stance, core_of, margin_of
from geometry.shape.core_polygon import Core

Columns = tuple[Floats, Floats, Floats, Floats, Floats, Bools, Ints]
MarkValue = int | float | str | bool | tuple[str, ...]


class Marks(msgspec.Struct):
    """Marks and tallies on something, each with the moment at which it goes by itself."""

    values: dict[str, tuple[MarkValue, str]] = msgspec.field(default_factory=dict)

    def __contains__(self, key: str) -> bool:
        """Return whether the mark is there, whatever its value."""
        return key in self.values

    def get(self, key: str, default: MarkValue = 0) -> MarkValue:
        """Return the value of a mark, or the default."""
        found = self.values.get(key)
        return default if found is None else found[0]

    def count(self, key: str) -> int:
        """Return a tally, 0 where there is none."""
        value = self.get(key, 0)
        return int(value) if isinstance(value, int | float) else 0

    def names(self, key: str) -> tuple[str, ...]:
        """Return a mark that is a list of names, empty where there is none."""
        value = self.get(key, ())
        return value if isinstance(value, tuple) else ()

    def expire(self, moment: str) -> None:
        """Wipe off what lasts until this moment."""
        gone = [key for key, (_, until) in self.values.items() if until == moment]
        for key in gone:
            del self.values[key]

    def last(self, moment: str, longer: str) -> None:
        """Have what lasts until this moment last until a later one."""
        for key, (value, until) in self.values.items():
            if until == moment:
                self.values[key] = (value, longer)


class Model(msgspec.Struct):
    """A model: its facts and the wounds it has left (0: destroyed)."""

    facts: ModelFacts
    unit: str
    wounds: int

    @property
    def row(self) -> int:
        """Return its row of the table."""
        return self.facts.row

    @property
    def alive(self) -> bool:
        """Return whether it has not been destroyed."""
        return self.wounds > 0


@dataclass(slots=True)
class Unit:
    """A unit: its facts, its models' rows and what is marked on it."""

    facts: UnitFacts
    rows: tuple[int, ...]
    """Its models that are not destroyed, in the order of its facts."""
    where: str = "table"
    """table, reserves, embarked or destroyed."""
    transport: str = ""
    deck: dict[int, int] = field(default_factory=dict)
    """By the row of each model that has ridden in it: the place at which its weapons begin.

    Places count through the transport's own weapons, then the borrowed ones.
    """
    borrowed: tuple[WeaponFacts, ...] = ()
    """The weapons of these models, which follow on its own."""
    marks: Marks = field(default_factory=Marks)
    parts_lost: tuple[int, ...] = ()
    """Its parts that have no model any more; only `lose` changes it."""

    id: str = field(init=False)
    name: str = field(init=False)
    side: Side = field(init=False)
    """horde or players."""
    player: str = field(init=False)
    """Its owner's seat."""
    parts: tuple[PartFacts, ...] = field(init=False)
    """Its parts that still have models."""
    keywords: frozenset[str] = field(init=False)
    """The keywords, in capitals, that any of these parts has."""
    shared_keywords: frozenset[str] = field(init=False)
    """Those that all of them have."""

    def __post_init__(self) -> None:
        """Take what its facts say of it, which never changes."""
        facts = self.facts
        self.id, self.name, self.side, self.player = facts.id, facts.name, facts.side, facts.player
        self.lose(self.parts_lost)

    def lose(self, parts: tuple[int, ...]) -> None:
        """Take these of its parts as lost, and no others."""
        self.parts_lost = parts
        self.parts = tuple(each for i, each in enumerate(self.facts.parts) if i not in parts)
        keywords = [each.keywords for each in self.parts]
        self.keywords = frozenset().union(*keywords)
        self.shared_keywords = frozenset.intersection(*keywords) if keywords else frozenset()

    @property
    def bodyguard(self) -> PartFacts:
        """Return the part that leads are attached to, or the only one left."""
        return self.parts[0] if self.parts else self.facts.parts[0]

    @property
    def is_attached(self) -> bool:
        """Return whether it is an Attached unit: bodyguard and leader both live."""
        return len(self.parts) > 1 and 0 not in self.parts_lost

    @property
    def points(self) -> int:
        """Return what its living parts cost."""
        return sum(part.points for part in self.parts)

    @property
    def has_stayed(self) -> bool:
        """Return whether the unit has remained stationary this turn. Rule: CORE.MOVE.11"""
        return self.marks.get("moved", "remain-stationary") == "remain-stationary"

    def has(self, keyword: str) -> bool:
        """Return whether any of its living parts has this keyword (in capitals)."""
        return keyword in self.keywords

    def weapon(self, index: int) -> WeaponFacts:
        """Return one of its weapon profiles, or one of those that ride in it."""
        own = len(self.facts.weapons)
        return self.facts.weapons[index] if index < own else self.borrowed[index - own]

    @property
    def hold(self) -> TransportFacts | None:
        """Return what it carries as a transport, None where it is none."""
        return next((part.transport for part in self.parts if part.transport is not None), None)


class Player(msgspec.Struct):
    """A seat of the team: its points, secrets, saved cards and tallies."""

    facts: PlayerFacts
    cp: int = 0
    sp: int = 0
    secrets: tuple[str, ...] = ()
    revealed: tuple[str, ...] = ()
    completed: tuple[str, ...] = ()
    saved: tuple[str, ...] = ()
    """Secondary missions kept for their reward."""
    marks: Marks = msgspec.field(default_factory=Marks)


class Deck(msgspec.Struct):
    """A deck of cards: what is still to be drawn (in order), in play, and discarded."""

    draw: tuple[str, ...]
    active: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    revealed: int = 0


class Objective(msgspec.Struct):
    """An objective marker, and the side and the players that control it."""

    facts: ObjectiveFacts
    by: str = ""
    players: tuple[str, ...] = ()
    marks: Marks = msgspec.field(default_factory=Marks)

    @property
    def at(self) -> Point:
        """Return its centre."""
        return self.facts.at

    @property
    def fortified(self) -> str:
        """Return the purchase that fortified it, or nothing."""
        return str(self.marks.get("fortified", ""))


class Marker(msgspec.Struct):
    """A 40 mm marker that a purchase put on the table."""

    id: str
    kind: str
    owner: str
    at: Point
    marks: Marks = msgspec.field(default_factory=Marks)


@dataclass(slots=True)
class Table:
    """Where every model stands, and on which base, in columns by row.

    `version` changes whenever a position does. `radius` is what lies round the core of a base: all of a round
    base, nothing of another. The columns are read-only: seats and their agents read them, and only the table
    itself writes them.
    """

    xy: Floats = field(default_factory=lambda: np.empty((0, 2)))
    z: Floats = field(default_factory=lambda: np.empty(0))
    facing: Floats = field(default_factory=lambda: np.empty(0))
    radius: Floats = field(default_factory=lambda: np.empty(0))
    height: Floats = field(default_factory=lambda: np.empty(0))
    on: Bools = field(default_factory=lambda: np.empty(0, dtype=bool))
    moved_at: Ints = field(default_factory=lambda: np.empty(0, dtype=np.intp))
    """The version since which each row stands where, and as, it does."""
    base: list[Base] = field(default_factory=list)
    version: int = 0
    terrain_version: int = 0

    def __post_init__(self) -> None:
        """Make the columns read-only."""
        self._seal()

    def __deepcopy__(self, memo: dict[int, object]) -> Table:
        """Return an independent table with read-only columns.

        The bases, which never change, are shared.
        """
        columns = copy.deepcopy(self._columns)
        return Table(*columns, list(self.base), self.version, self.terrain_version)

    @property
    def _columns(self) -> Columns:
        return self.xy, self.z, self.facing, self.radius, self.height, self.on, self.moved_at

    def _seal(self) -> None:
        """Make the columns read-only, but for as long as the table writes them."""
        for column in self._columns:
            column.flags.writeable = False

    def add(self, models: tuple[ModelFacts, ...]) -> None:
        """Add rows, off the table, for these models."""
        n = len(models)
        self.xy = np.vstack([self.xy, np.zeros((n, 2))])
        self.z = np.append(self.z, np.zeros(n))
        self.facing = np.append(self.facing, np.zeros(n))
        bases = [m.base.base() for m in models]
        self.base += bases
        self.radius = np.append(self.radius, [margin_of(base) for base in bases])
        self.height = np.append(self.height, [m.height for m in models])
        self.on = np.append(self.on, np.zeros(n, dtype=bool))
        self.moved_at = np.append(self.moved_at, np.full(n, self.version, dtype=np.intp))
        self._seal()

    def put(self, poses: Mapping[int, Pose]) -> None:
        """Stand rows at their poses."""
        for column in self._columns:
            column.flags.writeable = True
        for row, (x, y, z, facing) in poses.items():
            before = (*self.xy[row].tolist(), self.z.item(row), self.facing.item(row))
            self.version += 1
            self.xy[row] = (x, y)
            self.z[row] = z
            self.facing[row] = facing
            self.on[row] = True
            if before != (x, y, z, facing):
                self.moved_at[row] = self.version
        self._seal()

    def lift(self, row: int) -> None:
        """Take a row off the table; its last position stays readable."""
        self.on.flags.writeable = True
        self.on[row] = False
        self.on.flags.writeable = False
        self.version += 1

    def core(self, row: int, facing: float | None = None) -> Core:
        """Return the core of a row's base as it faces, or at a facing in degrees."""
        return core_of(self.base[row], float(self.facing[row]) if facing is None else facing)

    def stance(self, row: int, facing: float | None = None) -> Stance:
        """Return the base of a row as it faces, or at a facing in degrees."""
        radius = self.radius.item(row)
        return Stance(radius, POINT if radius else self.core(row, facing))

    def outlines(
        self, rows: Iterable[int], xy: Floats | None = None, facing: Floats | None = None
    ) -> Outlines:
        """Return these rows' bases on the ground, as they stand or at other places and facings."""
        i = np.fromiter(rows, dtype=np.intp)
        radius = self.radius[i]
        core: tuple[Core, ...] = ()
        # Only a base that is not round has nothing about its core.
        if np.count_nonzero(radius) < len(radius):
            turned = (self.facing[i] if facing is None else facing).tolist()
            each = zip(i.tolist(), radius.tolist(), turned, strict=True)
            core = tuple(POINT if round_ else self.core(row, turn) for row, round_, turn in each)
        return Outlines(self.xy[i] if xy is None else xy, radius, core)

    def after(self, row: int, legs: Sequence[Sequence[float]]) -> tuple[float, float, float, float]:
        """Return the pose of a row at the end of a path: x, y, z and facing."""
        (x, y), z, facing = self.xy[row].tolist(), self.z.item(row), self.facing.item(row)
        for leg in legs:
            x, y = leg[0], leg[1]
            z = leg[2] if len(leg) == 3 else z
            facing = leg[2] if len(leg) == 4 else facing
        return float(x), float(y), z, facing


@dataclass(slots=True)
class Position:
    """The open part of the table: the board, its terrain, zones and markers, and the units."""

    board: BoardFacts = field(default_factory=BoardFacts)
    table: Table = field(default_factory=Table)
    models: list[Model] = field(default_factory=list)
    units: dict[str, Unit] = field(default_factory=dict)
    objectives: dict[str, Objective] = field(default_factory=dict)
    terrain: dict[str, TerrainFacts] = field(default_factory=dict)
    zones: dict[str, ZoneFacts] = field(default_factory=dict)
    markers: dict[str, Marker] = field(default_factory=dict)

    def next_id(self, name: str) -> str:
        """Return the id of one more unit of a name: "horde/boyz#2" after the first."""
        return f"{name}#{sum(each.split('#')[0] == name for each in self.units) + 1}"

    def alive(self, unit: Unit) -> list[Model]:
        """Return the unit's models that are not destroyed."""
        return [self.models[row] for row in unit.rows]

    def on_table(self, side: str | None = None) -> list[Unit]:
        """Return the units on the battlefield, of one side or of both, in order of arrival."""
        units = self.units.values()
        if side is None:
            return [unit for unit in units if unit.where == "table"]
        return [unit for unit in units if unit.where == "table" and unit.side == side]


@dataclass(slots=True)
class State:
    """Everything that is true of a battle."""

    ruleset: str = ""
    rounds: int | None = 5
    factions: tuple[str, ...] = ()
    shares: dict[str, int] = field(default_factory=dict)
    collection: dict[str, int] | None = None
    game_master: bool = False
    """Whether the Horde's seat is asked what the rules leave open to it."""
    rules: tuple[str, ...] = ()
    """Rules in force for the whole battle."""
    barred: tuple[str, ...] = ()
    """Rules that have been taken out of the battle."""
    round: int = 0
    turn: str = ""
    phase: str = ""
    running: str = ""
    """The phase of which a step has begun and the last has not ended."""
    step: str = ""
    cursor: int = 0
    position: Position = field(default_factory=Position)
    players: dict[str, Player] = field(default_factory=dict)
    decks: dict[str, Deck] = field(default_factory=dict)
    marks: Marks = field(default_factory=Marks)
    rule_marks: dict[str, Marks] = field(default_factory=dict)
    dice: dict[str, int] = field(default_factory=dict)
    """How many numbers each stream has given."""
    winners: tuple[str, ...] = ()
    over: str = ""
    """Why the battle ended, empty while it goes on."""

    def players_alive(self) -> list[str]:
        """Return the players that have a model in play or in reserve. Rule: WIN.3, R.A88."""
        units = self.position.units.values()
        living = {unit.player for unit in units if unit.side == PLAYERS and unit.where != "destroyed"}
        return [player for player in self.players if player in living]

    def is_last_round(self) -> bool:
        """Return whether the battle ends with this round."""
        return self.rounds is not None and self.round >= self.rounds

    def copy(self) -> State:
        """Return an independent copy; facts, which never change, are shared."""
        return copy.deepcopy(self, {id(facts): facts for facts in self._shared()})

    def _shared(self) -> Iterator[object]:
        here = self.position
        yield here.board
        for unit in here.units.values():
            yield from (unit.facts, unit.parts, unit.keywords, unit.shared_keywords)
        for model in here.models:
            yield model.facts
        yield from here.terrain.values()
        yield from here.zones.values()
        for objective in here.objectives.values():
            yield objective.facts
        for player in self.players.values():
            yield player.facts
        yield from here.table.base
