"""What a file of datasheets, spawning tables or rosters may say.

Owns the frozen records and the checks that need no other record. It loads nothing (`library`), chooses
no wargear (`loadout`) and knows no battlefield (`battlefield`). Lengths are inches unless named otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, field

from datasheets.record import Record

MM_PER_INCH = 25.4

Dice = Annotated[str, Meta(pattern=r"^(\d+|\d*D[36](\+\d+)?)$")]
Counted = Annotated[int, Meta(ge=1)]
Status = Literal["modelled", "hooked", "unmodelled", "waiting", "no effect"]
AbilityKind = Literal["core", "faction", "datasheet", "wargear", "damaged"]
Shape = Literal["round", "oval", "hull"]


def _value(tokens: tuple[str, ...], name: str) -> str | None:
    """Return the number after the name in the first token that has it ("" where it has none)."""
    for token in tokens:
        rest = token.removeprefix(name)
        if token.startswith(name) and (not rest or re.fullmatch(r" \d*d?\d+(\+\d*)?", rest)):
            return rest.strip()
    return None


class BaseSize(Record, frozen=True):
    """The base of a model, or the size of a hull without one.

    A round base has one length in `mm` and an oval base two; a hull has two in `inches`. The first lies along
    the facing.
    """

    shape: Shape
    mm: tuple[float, ...] = ()
    inches: tuple[float, ...] = ()
    flying: bool = False
    estimated: bool = False

    def __post_init__(self) -> None:
        """Refuse lengths that are not those of the shape."""
        lengths = self.inches if self.shape == "hull" else self.mm
        if len(lengths) != (1 if self.shape == "round" else 2) or min(lengths, default=0) <= 0:
            raise ValueError("a round base has one length in mm, an oval two, a hull two in inches")

    @property
    def size(self) -> tuple[float, float]:
        """Return the base's length and width in inches."""
        if self.shape == "hull":
            return self.inches[0], self.inches[1]
        return self.mm[0] / MM_PER_INCH, self.mm[-1] / MM_PER_INCH


class Weapon(Record, frozen=True):
    """One profile of a weapon; its bearer fires profiles that share an `item` one at a time.

    `strength` is a number, or dice that are rolled when the weapon attacks ("D6+6"). A ranged weapon of
    range 0 is never fired as an ordinary attack.
    """

    name: str
    item: str
    type: Literal["ranged", "melee"]
    range: float | None
    attacks: Dice
    skill: int | None
    strength: int | Dice
    ap: Annotated[int, Meta(le=0)]
    damage: Dice
    keywords: tuple[str, ...] = ()

    @property
    def is_ranged(self) -> bool:
        """Return whether the weapon shoots."""
        return self.type == "ranged"

    def has(self, keyword: str) -> bool:
        """Return whether the weapon has this keyword, whatever number follows it."""
        return self.value(keyword) is not None

    def value(self, keyword: str) -> str | None:
        """Return the number after a keyword ("2" of "melta 2", or ""); None without the keyword."""
        return _value(self.keywords, keyword)


class Profile(Record, frozen=True):
    """The characteristics of a model, by their printed names (M, T, Sv, W, Ld, OC).

    The invulnerable save is that of every model with this profile; a kind of model may have its own.
    """

    name: str
    characteristics: dict[str, int]
    invulnerable: int | None = None
    invulnerable_against: Literal["ranged", "melee"] | None = None


class Carried(Record, frozen=True):
    """A piece of wargear and how many of it."""

    item: str
    count: Counted = 1


class Option(Record, frozen=True):
    """A choice of a model: at most one of the alternatives, each a set of wargear.

    `default` is the alternative that the printed loadout has; without one the option adds to it. `most`
    bounds how many of an item a model may have over all of its options.
    """

    name: str
    alternatives: tuple[tuple[Carried, ...], ...]
    default: int | None = None
    most: dict[str, int] = field(default_factory=dict)


class Gear(Record, frozen=True):
    """What a piece of wargear that is no weapon changes on the models that carry it.

    `set` and `add` are of characteristics by their printed names; with `whole_unit` every model of the
    bearer's unit has it. `in_full`: the item's ability is no more than that.
    """

    item: str
    invulnerable: int | None = None
    set: dict[str, int] = field(default_factory=dict)
    add: dict[str, int] = field(default_factory=dict)
    core_abilities: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    whole_unit: bool = False
    in_full: bool = False


class ModelKind(Record, frozen=True):
    """One kind of model of a unit: how many there may be, what it stands on and what it carries.

    The `maximum` is that of the largest unit; `few` is that of the smallest, where a source says so.
    `most` bounds an item over all models of the kinds that say so, in the smallest unit and in the largest.
    `keywords`, `core_abilities` and `invulnerable` are what this kind has and others of its unit have not.
    """

    name: str
    profile: str
    base: BaseSize
    height: float
    minimum: int
    maximum: int | None
    default: int
    few: int | None = None
    group: str | None = None
    items: tuple[Carried, ...] = ()
    options: tuple[Option, ...] = ()
    most: dict[str, tuple[int, int]] = field(default_factory=dict)
    keywords: tuple[str, ...] = ()
    core_abilities: tuple[str, ...] = ()
    invulnerable: int | None = None
    invulnerable_against: Literal["ranged", "melee"] | None = None


class Group(Record, frozen=True):
    """How many models the kinds of a group may be together: that group and all that lie in it.

    The maximum is that of the largest unit; `few` is that of the smallest, where a source says so.
    """

    name: str
    minimum: int = 0
    maximum: int | None = None
    few: int | None = None


class Mix(Record, frozen=True):
    """One of several mixes of a unit: its size, and the fewest and most models of each kind."""

    minimum: int
    maximum: int
    kinds: dict[str, tuple[int, int]]


class Ability(Record, frozen=True):
    """The name of an ability; never its text.

    Files say no `status`, `reason`, `clause`, `rules` and `needs`: the library asks the clauses and the rule
    records for them.
    """

    name: str
    kind: AbilityKind
    item: str | None = None
    status: Status = "unmodelled"
    reason: str | None = None
    clause: str = ""
    """The clause that carries it out, where there is one."""
    rules: tuple[str, ...] = ()
    """The ids of the rule records that say what it does."""
    needs: str = ""
    """What only players' armies have, where it does nothing without that: "army rule"."""

    @property
    def is_listing(self) -> bool:
        """Return whether it is the datasheet's own: no core ability and no army rule."""
        return self.kind not in ("core", "faction")


class PointsRow(Record, frozen=True):
    """What a unit of up to this many models costs.

    Where the mix decides, `kinds` counts the models of each kind that the row is for. `allied` marks the
    price in an army of another faction, where that differs.
    """

    models: int
    points: int
    kinds: dict[str, int] = field(default_factory=dict)
    allied: bool = False


class UnitSize(Record, frozen=True):
    """The fewest and the most models that a unit starts with."""

    minimum: int
    maximum: int

    def nearest(self, models: int) -> int:
        """Return the size of a unit that is nearest to this many models."""
        return min(max(models, self.minimum), self.maximum)


class TransportSlot(Record, frozen=True):
    """Models with a keyword that take the room of several."""

    keyword: str
    models: int


class Transport(Record, frozen=True):
    """What a transport carries: how many models, of which keywords, and which not."""

    capacity: int
    allows: str
    excludes: tuple[str, ...] = ()
    slots: tuple[TransportSlot, ...] = ()


class Datasheet(Record, frozen=True, kw_only=True):
    """A unit as printed, in names and numbers: models, weapons, keywords, costs, ability names.

    `leads` are the units that it can join. `joins_leader` says that it may do so where another leads
    already: one with a keyword of `joins_beside`. A sheet with `two_leaders` may have two whoever they are.
    `extra_points` is what each model of a kind costs beside the unit. Models of the kinds that are `apart`
    are a unit of their own once the battle begins. `damaged` is the most wounds left with which the printed
    bracket holds, which begins at 1; `damaged_hit` and `damaged_oc` are what a damaged model's hit rolls and
    Objective Control lose. `room` is what each of its models takes of any
    transport's room, by the ability `room_by`; 0 leaves that to the transport.
    """

    id: str
    name: str
    faction: str
    keywords: tuple[str, ...]
    faction_keywords: tuple[str, ...] = ()
    core_abilities: tuple[str, ...] = ()
    abilities: tuple[Ability, ...] = ()
    leads: tuple[str, ...] = ()
    joins_leader: bool = False
    joins_beside: tuple[str, ...] = ()
    two_leaders: bool = False
    points: tuple[PointsRow, ...]
    extra_points: dict[str, int] = field(default_factory=dict)
    unit_size: UnitSize
    profiles: tuple[Profile, ...]
    models: tuple[ModelKind, ...]
    groups: tuple[Group, ...] = ()
    mixes: tuple[Mix, ...] = ()
    apart: tuple[str, ...] = ()
    gear: tuple[Gear, ...] = ()
    weapons: tuple[Weapon, ...] = ()
    transport: Transport | None = None
    room: int = 0
    room_by: str = ""
    damaged: int | None = None
    damaged_hit: int = 1
    damaged_oc: int = 0
    legends: bool = False
    composition: tuple[str, ...] = ()

    def has(self, keyword: str) -> bool:
        """Return whether the datasheet has this keyword, some of its models, or its faction."""
        wanted = keyword.upper()
        own = any(wanted in kind.keywords for kind in self.models)
        return own or wanted in self.keywords or wanted in self.faction_keywords

    def cost(self, models: int, kinds: Mapping[str, int] | None = None, *, allied: bool = False) -> int:
        """Return the points of a unit of this many models: the cheapest row that holds them.

        `kinds` counts its models by kind, where they are known: mixes and extra models then have their own
        price. An `allied` unit costs what it does in an army of another faction.
        """
        kinds = kinds or {}
        extra = {name: kinds[name] for name in self.extra_points if kinds.get(name)}
        rows = [row for row in self.points if row.allied == allied] or list(self.points)
        exact = [row for row in rows if row.kinds and all(row.kinds.get(k, 0) == n for k, n in kinds.items())]
        rows = sorted((kinds and exact) or rows, key=lambda row: (row.models, len(row.kinds)))
        held = models - sum(extra.values())
        price = next((row.points for row in rows if row.models >= held), rows[-1].points)
        return price + sum(self.extra_points[name] * number for name, number in extra.items())

    @property
    def sizes(self) -> tuple[int, ...]:
        """Return every number of models that a unit may start with, smallest first."""
        spans = [(mix.minimum, mix.maximum) for mix in self.mixes]
        spans = spans or [(self.unit_size.minimum, self.unit_size.maximum)]
        return tuple(
            number
            for number in range(self.unit_size.minimum, self.unit_size.maximum + 1)
            if any(least <= number <= most for least, most in spans)
        )

    def profile(self, kind: ModelKind) -> Profile:
        """Return the profile of this kind of model."""
        return next(each for each in self.profiles if each.name == kind.profile)

    def bracket(self, kind: ModelKind) -> int:
        """Return the most wounds left with which a model of this kind is damaged; 0 if it never is.

        One that would be damaged with all its wounds never is: the bracket is another kind's.
        """
        wounds = self.profile(kind).characteristics.get("W", 0)
        return self.damaged if self.damaged and self.damaged < wounds else 0

    def kind(self, name: str) -> ModelKind:
        """Return the kind of model with this name."""
        return next(each for each in self.models if each.name == name)

    def weapon_profiles(self, item: str) -> tuple[Weapon, ...]:
        """Return the weapon profiles of a piece of wargear; none for wargear that is no weapon."""
        return tuple(weapon for weapon in self.weapons if weapon.item == item)

    def core(self, name: str) -> str | None:
        """Return what follows a core ability ("5+" after "feel no pain", or ""); None without it."""
        return _value(self.core_abilities, name)

    @property
    def abilities_of_horde(self) -> tuple[Ability, ...]:
        """Return the abilities that count where the Horde fields it: no army rules. Rule: PLAY.6"""
        return tuple(each for each in self.abilities if each.kind != "faction" and not each.needs)

    @property
    def unmodelled(self) -> tuple[Ability, ...]:
        """Return every ability of the datasheet that the program does not carry out."""
        return tuple(each for each in self.abilities if each.status == "unmodelled")


class SpawnUnit(Record, frozen=True):
    """A unit of an entry: any one of the datasheets, of this many models or its nearest size."""

    datasheets: Annotated[tuple[str, ...], Meta(min_length=1)]
    models: Counted


class SpawnEntry(Record, frozen=True):
    """One row of a spawning table: units, with leaders attached to the first of them.

    `leaders` are named by the row; `leader_choices` of the `possible_leaders` are chosen when it spawns.
    `resized` marks a row that asks for a size that the datasheet no longer has.
    """

    id: str
    name: str
    units: Annotated[tuple[SpawnUnit, ...], Meta(min_length=1)]
    leaders: tuple[str, ...] = ()
    leader_choices: int = 0
    possible_leaders: tuple[str, ...] = ()
    transport_full: bool = False
    resized: bool = False

    @property
    def datasheets(self) -> tuple[str, ...]:
        """Return the ids of the datasheets that the entry may bring, leaders last."""
        units = tuple(each for unit in self.units for each in unit.datasheets)
        return units + self.leaders + self.possible_leaders


class SpawnTable(Record, frozen=True):
    """A faction's spawning table: brackets 1 (weakest) to 4 in printed order. Rule: SPAWN.4.

    `made_by_us` marks a table that no source has.
    """

    faction: str
    name: str
    brackets: dict[int, tuple[SpawnEntry, ...]]
    made_by_us: bool = False

    @property
    def datasheets(self) -> tuple[str, ...]:
        """Return the ids of every datasheet that the table may bring, in order of id."""
        entries = [entry for number in self.brackets for entry in self.brackets[number]]
        return tuple(sorted({each for entry in entries for each in entry.datasheets}))


class Allies(Record, frozen=True):
    """Some units of a faction that may fight in armies of others, and how many of them.

    A limit is a pair: for an army of up to 1,000 points, and for a larger one.
    """

    armies: tuple[str, ...] = ()
    """Whose armies: ids of factions; none for every army."""
    detachments: tuple[str, ...] = ()
    """Under which detachments alone; none for any."""
    keywords: tuple[str, ...] = ()
    """Only datasheets with one of these; none for all."""
    without: tuple[str, ...] = ()
    """No datasheets with any of these keywords."""
    sheets: tuple[str, ...] = ()
    """Only datasheets of these ids; none for all."""
    points: tuple[int, int] | None = None
    units: tuple[int, int] | None = None
    weights: dict[str, int] = field(default_factory=dict)
    """Units with a keyword that count as several."""
    balanced: tuple[str, ...] = ()
    """Keywords of which there are no more other units than BATTLELINE units."""
    carrying: bool = False
    """Each must begin the battle with somebody aboard."""
    warlord: bool = False
    """One of them may be the Warlord."""


class Faction(Record, frozen=True):
    """A faction: its id and name, what its army may have, what the library has of it.

    Words of `apart` and `bars` are ids of datasheets or keywords.
    """

    id: str
    name: str
    includes: tuple[str, ...] = ()
    """The factions whose datasheets its army has too."""
    keyword: str = ""
    """Which of the keywords in `one_of` its army is of."""
    one_of: tuple[str, ...] = ()
    """Faction keywords of which an army has only one among its units."""
    apart: tuple[str, ...] = ()
    """What of its own datasheets its army has as allies alone."""
    bars: tuple[str, ...] = ()
    """What of the datasheets that it includes its army does not have."""
    detachments: tuple[str, ...] = ()
    """The first is the one that goes with any of its armies."""
    bound: dict[str, str] = field(default_factory=dict)
    """Detachments of an army of one keyword of `one_of`."""
    allies: tuple[Allies, ...] = ()
    is_army: bool = True
    """There are armies of it, and not only allies of others."""
    has_spawn_table: bool = False


class RosterUnit(Record, frozen=True):
    """One unit of a roster, by the keys of the roster file."""

    id: Annotated[str, Meta(min_length=1)]
    datasheet: str
    models: Counted
    wargear: dict[str, int] = field(default_factory=dict)
    warlord: bool = False
    attached_to: str | None = None
    embarked_in: str | None = None
    enhancement: str | None = None


class Roster(Record, frozen=True):
    """A player's army: its faction, detachment, points and units."""

    name: str
    faction: str
    detachment: str
    points: Annotated[int, Meta(ge=0)]
    units: Annotated[tuple[RosterUnit, ...], Meta(min_length=1)] = field(name="unit")
