"""The facts of a thing when it enters the battle: printed numbers, names and shapes.

They are plain data. Facts travel inside events, so that a log can be watched without the library. What
changes during the battle is in `engine.core.state`.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from geometry.portable import angle_of, degrees
from geometry.shape.base import Base, Shape

Point = tuple[float, float]
Ring = tuple[Point, ...]
Side = Literal["horde", "players"]
HORDE: Side = "horde"
PLAYERS: Side = "players"


class Facts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Immutable plain data that events carry."""


class BaseFacts(Facts, frozen=True, kw_only=True):
    """The outline of a model: see `geometry.shape.base.Base`."""

    shape: Shape = "round"
    length: float
    width: float
    flying: bool = False
    """Whether the model stands on a flying stem."""

    def base(self) -> Base:
        """Return the base as the geometry knows it."""
        return Base(self.shape, self.length, self.width)


class WeaponFacts(Facts, frozen=True, kw_only=True):
    """One weapon profile as printed.

    `range` is None for melee; `skill` is None where the weapon hits automatically.
    """

    name: str
    item: str = ""
    """The wargear that it is a profile of: a model fires one profile of an item at a time."""
    range: float | None = None
    attacks: str = "1"
    skill: int | None = None
    strength: int | str = 4
    """A number, or dice that are rolled for each hit ("D6+6")."""
    ap: int = 0
    """As printed: 0 or negative."""
    damage: str = "1"
    keywords: tuple[str, ...] = ()

    @property
    def is_melee(self) -> bool:
        """Return whether this is a melee weapon."""
        return self.range is None

    def has(self, ability: str) -> bool:
        """Return whether the profile is printed with this weapon ability, whatever its number."""
        return any(k == ability or k.startswith((ability + " ", ability + "-")) for k in self.keywords)


class ModelFacts(Facts, frozen=True, kw_only=True):
    """One model: its row, its characteristics, and which of its unit's weapons it carries."""

    row: int
    name: str
    base: BaseFacts
    height: float
    characteristics: dict[str, int]
    """By the ruleset's names; in the 10th edition M, T, Sv, W, Ld, OC and, if it has one, Inv."""
    weapons: tuple[int, ...] = ()
    items: tuple[str, ...] = ()
    """The wargear that it carries beside its weapons."""
    part: int = 0
    """Which part of an attached unit it belongs to: 0 is the bodyguard (or the only part)."""
    damaged: int = 0
    """The most wounds left with which it is damaged; 0: it never is. Rule: CORE.ABL.DAMAGED"""
    damaged_hit: int = 0
    """What its hit rolls lose then."""
    damaged_oc: int = 0
    """What its Objective Control loses then."""


class SlotFacts(Facts, frozen=True, kw_only=True):
    """Models with a keyword that take the room of several in a transport."""

    keyword: str
    models: int


class TransportFacts(Facts, frozen=True, kw_only=True):
    """What a transport carries: how many models, of which keywords ("" for any), and which not."""

    capacity: int
    allows: str = ""
    excludes: tuple[str, ...] = ()
    slots: tuple[SlotFacts, ...] = ()


class PartFacts(Facts, frozen=True, kw_only=True):
    """One datasheet's part of a unit.

    An attached unit has one part for its bodyguard and one for each leader.
    """

    datasheet: str
    name: str
    keywords: frozenset[str]
    """In capitals, faction keywords among them."""
    abilities: tuple[str, ...] = ()
    """Core abilities with their numbers, in small letters: "deep strike", "feel no pain 5+"."""
    starting_models: int = 1
    points: int = 0
    rules: tuple[str, ...] = ()
    """Ids of the rule records that its datasheet brings."""
    warlord: bool = False
    """Whether a model of it is its army's Warlord."""
    unmodelled: tuple[str, ...] = ()
    """Names of datasheet abilities that are not simulated."""
    transport: TransportFacts | None = None
    room: int = 0
    """The room that each of its models takes in any transport, 0 where the transport says it."""

    def has(self, keyword: str) -> bool:
        """Return whether it has a keyword, in any letters."""
        return keyword.upper() in self.keywords


class UnitFacts(Facts, frozen=True, kw_only=True):
    """A unit as it enters the battle."""

    id: str
    name: str
    side: Side
    player: str
    """Its owner's seat: "horde", or a player's name."""
    parts: tuple[PartFacts, ...]
    models: tuple[ModelFacts, ...]
    weapons: tuple[WeaponFacts, ...] = ()
    bracket: int = 0
    """The spawning bracket it came from; 0 for the players' starting units."""
    embarked_in: str = ""
    """The transport in which it begins the battle."""

    @property
    def points(self) -> int:
        """Return what the whole unit costs."""
        return sum(part.points for part in self.parts)


class TerrainFacts(Facts, frozen=True, kw_only=True):
    """A terrain piece with a flat footprint.

    `walls` are lines of no thickness that stand in or round a ruin, as high as it is; `floors` the heights
    of floors over all of its footprint. A ruin with unknown walls (None) is solid to models that cannot walk
    through walls.
    """

    id: str
    kind: Literal["ruin", "wall", "woods", "crater", "barricade", "hill", "debris", "container"]
    footprint: Ring
    height: float = 0.0
    walls: tuple[Ring, ...] | None = None
    floors: tuple[float, ...] = ()


class ZoneFacts(Facts, frozen=True, kw_only=True):
    """A zone of the battlefield; `front` is a spawn zone's border with No Man's Land."""

    id: str
    kind: Literal["spawn", "horde", "defender", "no-mans-land"]
    polygon: Ring
    front: tuple[tuple[Point, Point], ...] = ()


class ObjectiveFacts(Facts, frozen=True, kw_only=True):
    """An objective marker: a 40 mm disc."""

    id: str
    at: Point
    zone: Literal["defender", "no-mans-land", "horde"] = "no-mans-land"


class BoardFacts(Facts, frozen=True, kw_only=True):
    """The battlefield: its size, edges, terrain, zones and objective markers."""

    size: tuple[float, float] = (60.0, 44.0)
    """Where its upper right corner is on the table."""
    corner: Point = (0.0, 0.0)
    """Where its lower left corner is; all beyond a board that was moved is a wall to everybody."""
    deployment: str = "none"
    layout: str = "none"
    defender_edge: tuple[Point, Point] = ((0.0, 0.0), (60.0, 0.0))
    horde_edge: tuple[Point, Point] = ((0.0, 44.0), (60.0, 44.0))
    edge_centre: Point = (30.0, 0.0)
    """Where the central line of the battlefield meets the Defender's edge."""
    terrain: tuple[TerrainFacts, ...] = ()
    zones: tuple[ZoneFacts, ...] = ()
    objectives: tuple[ObjectiveFacts, ...] = ()

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Return its left, lower, right and upper edge."""
        return *self.corner, *self.size

    @property
    def centre(self) -> Point:
        """Return the middle of the battlefield."""
        left, low, right, high = self.bounds
        return (left + right) / 2, (low + high) / 2


def facing_ahead(board: BoardFacts, side: Side) -> float:
    """Return the facing, in degrees, that looks from a side's board edge to the other side's."""
    (x, y), (other_x, other_y) = (
        ((a + c) / 2, (b + d) / 2) for (a, b), (c, d) in (board.horde_edge, board.defender_edge)
    )
    angle = degrees(angle_of(other_x - x, other_y - y))
    return round(angle if side == HORDE else angle + 180.0, 7) % 360.0


class PlayerFacts(Facts, frozen=True, kw_only=True):
    """A seat of the players' team, and the army that it fields."""

    id: str
    name: str
    faction: str = ""
    detachment: str = ""
    rules: tuple[str, ...] = ()
    """The rules of its army and of its detachment, Stratagems among them."""
    cp: int = 0
    sp: int = 0
