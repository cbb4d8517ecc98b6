"""The whole vocabulary of what can happen in a battle.

Each event carries every new value, so that `engine.core.apply` can carry it out without asking anything.
A new kind of event is a decision, not a convenience.
"""

from __future__ import annotations

import re

import msgspec

from engine.core.facts import BoardFacts, Facts, PlayerFacts, Point, Side, TerrainFacts, UnitFacts

Pose = tuple[float, float, float, float]
"""x, y, z (inches) and facing (degrees)."""


def _kebab(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


class Event(msgspec.Struct, kw_only=True, omit_defaults=True, tag_field="event", tag=_kebab):
    """Something that happened: when, and because of which clause or rule.

    The time is filled in as the event is logged.
    """

    n: int = -1
    round: int = 0
    turn: str = ""
    phase: str = ""
    cause: str = ""
    chain: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """Return the event's name, as in the log."""
        return str(self.__struct_config__.tag)


class NumberTrail(Facts, frozen=True, kw_only=True):
    """A number and how it came about: its base, and the value after each rule that changed it."""

    number: str
    base: float
    value: float
    steps: tuple[tuple[str, float], ...] = ()


class Setup(Event, kw_only=True):
    """The battlefield, the seats and the decks as the battle begins."""

    ruleset: str
    board: BoardFacts
    players: tuple[PlayerFacts, ...] = ()
    decks: dict[str, tuple[str, ...]] = {}
    rounds: int | None = 5
    """None: the battle goes on until the players have lost."""
    factions: tuple[str, ...] = ()
    shares: dict[str, int] = {}
    """The weight of each faction in the draw of a spawn; none: they have one table."""
    collection: dict[str, int] | None = None
    """The models by datasheet that the Horde has; None: as many as it wants."""
    game_master: bool = False
    """Whether the Horde's seat is asked what the rules leave open to it. Rule: ARMY.8"""
    rules: tuple[str, ...] = ()
    """Rules in force from the start for the whole battle."""
    removed: tuple[str, ...] = ()


class Unmodelled(Event, kw_only=True):
    """A rule that is not simulated, named when its bearer is set up or its card is drawn."""

    rule: str
    reason: str
    unit: str = ""


class RoundBegan(Event, kw_only=True):
    """A battle round begins."""

    number: int


class RoundEnded(Event, kw_only=True):
    """A battle round ends."""

    number: int


class TurnBegan(Event, kw_only=True):
    """A side's turn begins."""

    whose: Side


class TurnEnded(Event, kw_only=True):
    """A side's turn ends."""

    whose: Side


class PhaseBegan(Event, kw_only=True):
    """A step of the round begins; `cursor` is its place in the ruleset's list."""

    name: str
    step: str
    cursor: int


class PhaseEnded(Event, kw_only=True):
    """A step of the round ends; the battle goes on with the step at `cursor`.

    `last` tells whether the phase ends with it: what lasts until the end of the phase goes then.
    """

    name: str
    step: str
    cursor: int
    last: bool = True


class CardRevealed(Event, kw_only=True):
    """A card leaves its draw pile; `draw` is the pile's new order where it was shuffled."""

    deck: str
    card: str
    player: str = ""
    draw: tuple[str, ...] | None = None
    discard: tuple[str, ...] | None = None


class CardDiscarded(Event, kw_only=True):
    """A card leaves play: to its discards, the draw pile or a player's hand, or for good."""

    deck: str
    card: str
    to: str = "discard"
    draw: tuple[str, ...] | None = None


class MissionResolved(Event, kw_only=True):
    """A secondary mission is counted up."""

    card: str
    success: bool
    tally: int = 0


class SecretRevealed(Event, kw_only=True):
    """A player shows a secret objective."""

    player: str
    card: str
    completed: bool


class SpawnRolled(Event, kw_only=True):
    """The spawn roll of a zone: natural dice, modifiers, bracket (0: no spawn), entry drawn."""

    zone: str
    natural: tuple[int, ...]
    total: int
    bracket: int
    trail: NumberTrail
    entry: str = ""
    units: tuple[str, ...] = ()


class Placed(Event, kw_only=True):
    """A unit is set up, or a marker or a terrain piece, which `thing` names.

    A new unit comes with its facts.
    """

    unit: str = ""
    poses: dict[int, Pose] = {}
    facts: UnitFacts | None = None
    thing: str = ""
    marker: str = ""
    owner: str = ""
    at: Point = (0.0, 0.0)
    terrain: TerrainFacts | None = None
    """The terrain piece, where it is one, as it lies."""


class Decided(Event, kw_only=True):
    """A seat's answer that by itself changes nothing on the table: a kind of move, a choice."""

    seat: str
    decision: str
    unit: str = ""
    choice: tuple[str, ...] = ()


class Moved(Event, kw_only=True):
    """The models of a unit move along paths.

    A leg of a path is (x, y), or (x, y, cx, cy, turn) for an arc round (cx, cy).
    """

    unit: str
    kind_of_move: str
    poses: dict[int, Pose]
    paths: dict[int, tuple[tuple[float, ...], ...]]


class Reserved(Event, kw_only=True):
    """A unit goes into reserves, with its facts when it is new.

    With `how` "muster" it is off the table only until it is set up, which follows at once.
    """

    unit: str
    facts: UnitFacts | None = None
    how: str = "deep-strike"


class Arrived(Event, kw_only=True):
    """A unit comes from reserves to these poses."""

    unit: str
    poses: dict[int, Pose]
    how: str = "deep-strike"


class Embarked(Event, kw_only=True):
    """A unit embarks within a transport, with its facts when it is new."""

    unit: str
    transport: str
    facts: UnitFacts | None = None


class Disembarked(Event, kw_only=True):
    """A unit disembarks to these poses."""

    unit: str
    transport: str
    poses: dict[int, Pose]


class Rolled(Event, kw_only=True):
    """Dice are rolled. `draws` is how many numbers its stream has given since the start."""

    roll: str
    dice: tuple[int, ...]
    total: int
    stream: str
    draws: int
    unit: str = ""
    target: str = ""
    need: int = 0
    trail: NumberTrail | None = None
    replaces: tuple[int, ...] = ()
    """The places, in the first roll, of the dice in whose place these are rolled again."""


class Shot(Facts, frozen=True, kw_only=True):
    """One weapon of one model declared at one unit; `weapon` is its place in the unit's list."""

    model: int
    weapon: int
    target: str


class Targeted(Event, kw_only=True):
    """A unit declares its attacks."""

    unit: str
    shots: tuple[Shot, ...]
    melee: bool = False


class Attacked(Event, kw_only=True):
    """One group of like attacks is resolved up to the failed saves."""

    unit: str
    target: str
    weapon: str
    models: tuple[int, ...]
    attacks: int
    hits: int
    critical_hits: int
    wounds: int
    critical_wounds: int
    unsaved: int
    trails: tuple[NumberTrail, ...] = ()


class Damaged(Event, kw_only=True):
    """A model loses wounds."""

    unit: str
    model: int
    amount: int
    wounds: int
    """The wounds it has left."""
    by: str = ""
    """The unit that caused it, where one did."""
    dealer: int | None = None
    """The row of the model of that unit that dealt it, or of one of those alike that may have."""
    mortal: bool = False
    trail: NumberTrail | None = None
    """How the amount came about, where anything changed it."""


class Healed(Event, kw_only=True):
    """A model regains wounds."""

    unit: str
    model: int
    amount: int
    wounds: int


class Returned(Event, kw_only=True):
    """A destroyed model comes back to its unit.

    It stands at a pose where the unit is on the battlefield, or was destroyed.
    """

    unit: str
    model: int
    wounds: int
    pose: Pose


class Destroyed(Event, kw_only=True):
    """A model is destroyed and leaves the table."""

    unit: str
    model: int
    by: str = ""
    credit: str = ""
    """The seat to which the destruction is credited."""


class UnitDestroyed(Event, kw_only=True):
    """The last model of a unit, or of one part of an attached unit, is gone."""

    unit: str
    part: int | None = None
    by: str = ""
    credit: str = ""


class Shocked(Event, kw_only=True):
    """A unit becomes Battle-shocked."""

    unit: str


class Recovered(Event, kw_only=True):
    """A unit is no longer Battle-shocked."""

    unit: str


class Controlled(Event, kw_only=True):
    """An objective marker changes hands.

    `by` is a side or empty; `players` are the seats that hold it.
    """

    objective: str
    by: str
    players: tuple[str, ...] = ()
    levels: tuple[int, int] = (0, 0)
    """The Horde's and the players' level of control."""


class Gained(Event, kw_only=True):
    """A seat gains a resource (cp, sp); `total` is what it has then."""

    player: str
    what: str
    amount: int
    total: int


class Spent(Event, kw_only=True):
    """A seat pays or loses a resource."""

    player: str
    what: str
    amount: int
    total: int


class Purchased(Event, kw_only=True):
    """A player buys from the resupply table."""

    player: str
    rule: str
    price: int
    tags: tuple[str, ...] = ()


class ActionBegan(Event, kw_only=True):
    """A unit starts an action."""

    unit: str
    rule: str


class ActionEnded(Event, kw_only=True):
    """A unit completes its action, or fails it."""

    unit: str
    rule: str
    completed: bool


class Marked(Event, kw_only=True):
    """A mark or tally is set on a unit, a player, an objective or the battle.

    A `value` of None removes it. `until` says when it goes by itself: phase, turn, round or battle, or the
    start of a side's next turn or phase ("horde's next movement").
    """

    on: str
    """"unit:ID", "player:ID", "objective:ID", "rule:ID" or "battle"."""
    key: str
    value: int | float | str | bool | tuple[str, ...] | None
    until: str = "battle"


class Removed(Event, kw_only=True):
    """A unit, terrain piece or marker of any kind leaves the table; no model is destroyed by it."""

    what: str
    """"unit:ID", "terrain:ID", "objective:ID" or "marker:ID"."""


class BattleEnded(Event, kw_only=True):
    """The battle is over."""

    winners: tuple[str, ...]
    reason: str


def event_type() -> type[Event]:
    """Return the union of all events, for decoding a log."""
    union: type[Event] = Event.__subclasses__()[0]
    for kind in Event.__subclasses__()[1:]:
        union = union | kind  # type: ignore[assignment]
    return union
