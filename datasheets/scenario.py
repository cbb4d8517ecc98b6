"""What a scenario file may say: a position, the steps to play, and what must come of them.

Owns the shape of the format and the reading of a file. What a word means on the table is
`engine.scenario`'s, and so is the refusal of what is not simulated yet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    FiniteFloat,
    WrapValidator,
    model_validator,
)

from datasheets.battlefield import TerrainKind
from datasheets.errors import BadData
from datasheets.form import Form, filled
from datasheets.record import read_text, read_toml
from datasheets.schema import MM_PER_INCH
from datasheets.spelling import ability_words, flattened, listed, state_words, weapon_words


def _above_ground(place: tuple[float, ...]) -> tuple[float, ...]:
    """Return a place, refused in one sentence if it is below the table."""
    if place[2:] and place[2] < 0:
        raise ValueError(f"a place is no lower than the table, not {place[2]:g} high")
    return place


Spot = tuple[FiniteFloat, FiniteFloat]
Height = Annotated[FiniteFloat, Field(ge=0)]
Place = Annotated[
    tuple[FiniteFloat, FiniteFloat] | tuple[FiniteFloat, FiniteFloat, FiniteFloat],
    AfterValidator(_above_ground),
]
Ring = tuple[Spot, ...]
Words = str | tuple[str, ...]
Listed = Annotated[tuple[str, ...], BeforeValidator(listed, json_schema_input_type=Words)]
"""Several words, or one that need not stand in brackets."""
WeaponWords = Annotated[tuple[str, ...], BeforeValidator(weapon_words, json_schema_input_type=Words)]
AbilityWords = Annotated[tuple[str, ...], BeforeValidator(ability_words, json_schema_input_type=Words)]
StateWords = Annotated[tuple[str, ...], BeforeValidator(state_words, json_schema_input_type=Words)]
Rulings = Annotated[
    dict[str, str | bool | float],
    BeforeValidator(flattened, json_schema_input_type=dict[str, str | bool | float | dict[str, Any]]),
]
Amount = Annotated[int, Field(ge=0)]
Face = Annotated[int, Field(ge=1)]
EXPECTATIONS = ("decision", "event", "illegal", "that")


def words(said: Words) -> tuple[str, ...]:
    """Return one word or a list of them as a list."""
    return (said,) if isinstance(said, str) else said


class Board(Form):
    """The battlefield: a deployment's (dawn-of-war) with its spawning zones, or a bare table."""

    size: Spot | None = None
    deployment: str | None = None
    spawn_zones: int | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _has_room(self) -> Board:
        if self.size is not None and min(self.size) <= 0:
            raise ValueError("a board needs a width and a depth above 0")
        return self


class Terrain(Form):
    """A piece of terrain.

    Without a `height` it has the height of its kind. It is at least as high as its highest floor. A ruin has
    the walls that are given. A `solid` ruin has no such walls, and is a wall all over.
    """

    kind: TerrainKind
    footprint: Ring
    id: str = ""
    height: FiniteFloat | None = Field(default=None, ge=0)
    walls: tuple[Ring, ...] = ()
    floors: tuple[FiniteFloat, ...] = ()
    solid: bool = False


class ScenarioObjective(Form):
    """An objective marker."""

    id: str
    at: Spot


class Zone(Form):
    """A zone; `front` is a spawning zone's border with No Man's Land."""

    id: str
    kind: Literal["spawn", "horde", "defender"]
    polygon: Ring
    front: Ring = ()


class Base(Form):
    """What a model stands on, the first length along its facing."""

    shape: Literal["round", "oval", "rectangle"] = "round"
    mm: tuple[FiniteFloat, ...] = ()
    inches: tuple[FiniteFloat, ...] = ()

    @model_validator(mode="after")
    def _lengths(self) -> Base:
        wanted = 1 if self.shape == "round" else 2
        if bool(self.mm) == bool(self.inches) or len(self.size) != wanted or min(self.size) <= 0:
            raise ValueError("a round base has one length, an oval or rectangle two, in mm or in inches")
        return self

    @property
    def size(self) -> tuple[float, ...]:
        """Return its lengths in inches."""
        return self.inches or tuple(mm / MM_PER_INCH for mm in self.mm)


def _reach(said: Any, check: Callable[[Any], Any]) -> Any:
    """Return how far a weapon reaches, with one sentence for what is no range."""
    if isinstance(said, str) and said != "melee":
        raise ValueError('a range is a number of inches, or "melee"')
    return check(said)


class ScenarioWeapon(Form):
    """A weapon profile; `range` is "melee" for one that strikes."""

    name: str = Field(min_length=1)
    item: str = ""
    range: Annotated[FiniteFloat | Literal["melee"], WrapValidator(_reach)]
    attacks: int | str = Field(default=1, alias="A")
    ballistic: int | None = Field(default=None, alias="BS")
    skill: int | None = Field(default=None, alias="WS")
    strength: int | str = Field(default=4, alias="S")
    ap: int = Field(default=0, alias="AP")
    damage: int | str = Field(default=1, alias="D")
    keywords: WeaponWords = ()


class ScenarioTransport(Form):
    """What a transport carries."""

    capacity: int = Field(ge=0)
    firing_deck: int = Field(default=0, ge=0)


class ScenarioBracket(Form):
    """When a model of a unit is damaged, and what it loses then."""

    wounds: int = Field(ge=1)
    hit: int = Field(default=1, ge=0)
    control: int = Field(default=0, ge=0)


class Unit(Form):
    """A unit: of a datasheet, of its own facts, or of a datasheet with some facts of its own."""

    id: str
    side: str
    datasheet: str = ""
    models: int | None = Field(default=None, ge=1, le=1000)
    at: tuple[Place, ...] | Place | None = None
    z: Height = 0.0
    facing: FiniteFloat | None = None
    wargear: dict[str, int] = Field(default_factory=dict)
    state: StateWords = ()
    wounds_lost: int = Field(default=0, ge=0)
    embarked_in: str = ""
    attached_to: str = ""
    base: Base | None = None
    height: FiniteFloat | None = Field(default=None, ge=0)
    keywords: Listed | None = None
    characteristics: dict[str, int] = Field(default_factory=dict)
    weapons: tuple[ScenarioWeapon, ...] | None = None
    weapons_of: tuple[tuple[str, ...], ...] = ()
    abilities: AbilityWords | None = None
    points: int | None = Field(default=None, ge=0)
    transport: ScenarioTransport | None = None
    damaged: ScenarioBracket | None = None
    bracket: int = Field(default=0, ge=0)
    starting_models: int | None = Field(default=None, ge=1)

    @property
    def places(self) -> tuple[Place, ...] | None:
        """Return one place per model where the file gives them."""
        return self.at if self.at and isinstance(self.at[0], tuple) else None

    @property
    def middle(self) -> Place | None:
        """Return the point around which the unit is packed, where the file gives one."""
        return self.at if self.at and not isinstance(self.at[0], tuple) else None

    @property
    def size(self) -> int | None:
        """Return how many models the file gives it."""
        return len(self.places) if self.places else self.models

    @model_validator(mode="after")
    def _counts(self) -> Unit:
        if self.at == ():
            raise ValueError("at has no place; give one for each model, or leave it out")
        if self.places and self.models not in (None, len(self.places)):
            raise ValueError(f"{self.models} models need as many places, not {len(self.places)}")
        if self.weapons_of and self.size not in (None, len(self.weapons_of)):
            raise ValueError(f"weapons_of needs one list for each of the {self.size} models")
        return self


class Answer(Form):
    """What a player answers when a rule asks, or what one of its units does.

    A unit that only joins in play goes by its player, its datasheet and a number: "p1/invader-atv#1".
    What is bought is paid for with SP, or else by a saved card or a free use.
    """

    player: str = ""
    rule: str = ""
    choose: dict[str, Any] = Field(default_factory=dict)
    buy: str = ""
    unit: str = ""
    decision: str = ""
    targets: Listed = ()
    to: tuple[Place, ...] = ()
    facing: float | None = None
    """Where its models face then, in degrees.

    That is after the flight of AIRCRAFT, or where they are set up; of terrain, where its front faces.
    """

    @model_validator(mode="after")
    def _says_something(self) -> Answer:
        if self.unit and not self.decision and not self.rule:
            raise ValueError("an answer of a unit needs its decision")
        if not self.unit and not self.rule and not self.buy:
            raise ValueError("an answer names a rule, a unit or what is bought")
        return self


class Spawn(Form):
    """What a spawning zone gets instead of a roll."""

    zone: str
    unit: str


class Marker(Form):
    """A marker that a player's purchase left on the table."""

    kind: str
    owner: str = "p1"
    at: Spot


class Over(Form):
    """How often something holds over many seeds, both bounds included."""

    seeds: int = Field(ge=1)
    between: tuple[int, int]

    @model_validator(mode="after")
    def _in_order(self) -> Over:
        if self.between[0] > self.between[1]:
            raise ValueError("between has its lower bound first")
        return self


class Expect(Form):
    """Something that must hold.

    Beside its own keys an expected event has the fields of that event.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    decision: str = ""
    event: str = ""
    illegal: Listed | None = None
    that: str = ""
    unit: str | None = None
    toward: str = ""
    target: str | None = None
    model: int | None = None
    weapon: str | int | None = None
    because: Listed = ()
    rejected: dict[str, str] = Field(default_factory=dict)
    count: int | None = Field(default=None, ge=0)
    over: Over | None = None

    @property
    def fields(self) -> dict[str, Any]:
        """Return the fields that an expected event must have."""
        own = {"unit": self.unit, "target": self.target, "model": self.model, "weapon": self.weapon}
        own["decision"] = self.decision or None
        return {key: value for key, value in own.items() if value is not None} | (self.model_extra or {})

    @model_validator(mode="after")
    def _one(self) -> Expect:
        # What was decided is a field of an event, too.
        said = (self.decision and not self.event, self.event, self.illegal is not None, self.that)
        if sum(map(bool, said)) != 1:
            raise ValueError(f"say one of {', '.join(EXPECTATIONS)}")
        if self.model_extra and not self.event:
            raise ValueError(f"'{next(iter(self.model_extra))}' is not known here; remove or rename it")
        if self.event and (self.toward or self.because or self.rejected):
            raise ValueError("toward, because and rejected speak of a decision, not of an event")
        if (self.that or self.illegal is not None) and (self.unit or self.count is not None):
            raise ValueError("unit and count speak of a decision or an event")
        return self


class Scenario(Form):
    """A scenario as its file says it."""

    title: str = ""
    rules: Listed = ()
    ruleset: str = "horde-1.1"
    board: Board = Board()
    round: int = Field(default=2, ge=1)
    step: Words = "none"
    side: Literal["horde", "players"] = "horde"
    act: Words = ()
    seed: int = 1
    active: Listed = ()
    players: Literal["decline", "autopilot"] = "decline"
    rulings: Rulings = Field(default_factory=dict)
    deck: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    dice: dict[str, tuple[Face, ...]] = Field(default_factory=dict)
    factions: Listed = ()
    shares: dict[str, Annotated[int, Field(ge=1)]] = Field(default_factory=dict)
    """How often each of the Horde's factions spawns beside the others."""
    collection: dict[str, Annotated[int, Field(ge=0)]] | None = None
    """The models by datasheet that the Horde has."""
    detachments: dict[str, str] = Field(default_factory=dict)
    """The detachment of a player, whose rules and its army's are then in force for it."""
    secrets: dict[str, Listed] = Field(default_factory=dict)
    """The secret objectives that a player holds, hidden from the others."""
    revealed: dict[str, Listed] = Field(default_factory=dict)
    """Those that a player holds and has revealed, not completed yet."""
    saved: dict[str, Listed] = Field(default_factory=dict)
    """The mission cards that a player has saved, to be used later."""
    cp: dict[str, Amount] = Field(default_factory=dict)
    sp: dict[str, Amount] = Field(default_factory=dict)
    terrain: tuple[Terrain, ...] = ()
    objective: tuple[ScenarioObjective, ...] = ()
    zone: tuple[Zone, ...] = ()
    unit: tuple[Unit, ...] = ()
    answer: tuple[Answer, ...] = ()
    spawn: tuple[Spawn, ...] = ()
    marker: tuple[Marker, ...] = ()
    expect: tuple[Expect, ...] = Field(min_length=1)


def load_scenario(path: Path) -> Scenario:
    """Return the scenario of a TOML file. A fault raises `BadData` with path, key and mend."""
    return parse_scenario(read_text(path), str(path))


def parse_scenario(text: str, path: str) -> Scenario:
    """Return the scenario of a TOML text; `path` names it in faults."""
    data = read_toml(text, path)
    found = filled(Scenario, data, path)
    for key, names in (
        ("unit", [each.id for each in found.unit]),
        ("objective", [each.id for each in found.objective]),
        ("zone", [each.id for each in found.zone]),
        ("terrain", [each.id for each in found.terrain if each.id]),
    ):
        _check_unique(path, key, names)
    return found


def _check_unique(path: str, key: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for i, name in enumerate(names):
        if not name or name in seen:
            mend = f"'{name}' is empty or stands twice; give each {key} its own"
            raise BadData(path, f"{key}.{i}.id", mend)
        seen.add(name)


def schema() -> dict[str, Any]:
    """Return the format's JSON Schema (draft 2020-12), by which editors complete and check TOML."""
    said = Scenario.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **_for_a_file(said)}


def _for_a_file(part: Any) -> Any:
    """Return a part of a schema without null, which TOML cannot say, and without made-up titles."""
    if isinstance(part, list):
        return [_for_a_file(each) for each in part if each != {"type": "null"}]
    if not isinstance(part, dict):
        return part
    told = {key: _for_a_file(each) for key, each in part.items() if not _is_idle(key, each)}
    if len(told.get("anyOf", ())) == 1:
        told |= told.pop("anyOf")[0]
    return told


def _is_idle(key: str, each: Any) -> bool:
    return (key == "title" and isinstance(each, str)) or (
        key == "default" and (each in (None, "", []) or isinstance(each, dict))
    )
