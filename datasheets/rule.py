"""What a rule record may say: names, a summary in our own words, and eight kinds of clauses.

Owns the shape only. Text that is an expression is compiled by `engine.records`, which knows the vocabulary.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from msgspec import Meta, field

from datasheets.record import Record
from datasheets.schema import Status

Value = int | float | str
"""A number, or an expression that gives one."""
Span = Literal["", "phase", "turn", "round", "battle"]


class Clause(Record, frozen=True, kw_only=True):
    """One thing that a rule does, while its condition (`if`) holds."""

    condition: str = field(default="", name="if")


class Modify(Clause, frozen=True):
    """A number is set, multiplied, added to, improved or worsened, or bounded."""

    number: str
    set: Value | None = None
    multiply: Value | None = None
    add: Value | None = None
    improve: Value | None = None
    worsen: Value | None = None
    at_least: Value | None = None
    at_most: Value | None = None

    def __post_init__(self) -> None:
        """Refuse a clause that says no change, or several."""
        changes = (
            self.set,
            self.multiply,
            self.add,
            self.improve,
            self.worsen,
            self.at_least,
            self.at_most,
        )
        if sum(change is not None for change in changes) != 1:
            raise ValueError("say one of set, multiply, add, improve, worsen, at_least and at_most")


class Grant(Clause, frozen=True):
    """A unit has a keyword or an ability, or its weapons have one."""

    keyword: str = ""
    ability: str = ""
    weapon: str = ""

    def __post_init__(self) -> None:
        """Refuse a clause that grants nothing, or several things."""
        if sum(map(bool, (self.keyword, self.ability, self.weapon))) != 1:
            raise ValueError("say one of keyword, ability and weapon")


class Ask(Clause, frozen=True):
    """A question of permission that the rule answers: yes as a permit, no as a forbid."""

    question: str


class Pick(Record, frozen=True):
    """Something that a seat chooses before the verbs run; with `random`, chance chooses it.

    The verbs know it by its `name`. `of` says what there is to choose from ("unit where player(unit)"),
    `count` how many; with `most` the seat may choose more, up to that many. `among` names words instead, each
    with what it is called. Of these the words may be chosen for which `where` holds (each is the `option`).

    With `spot` a 40 mm marker is set up instead: wholly within the areas of the zone kinds, wholly `within`
    inches of the thing named `near`, more than `clear` inches from the Horde's models, more than `apart` (or
    `at_least_apart`) from objective markers and at least `edge` from the board's edges. Or a piece of terrain
    is set up: that which the pick named `piece` chose, more than `clear` inches from all other terrain.
    """

    name: str
    of: str = ""
    among: dict[str, str] = field(default_factory=dict)
    where: str = ""
    prompt: str = ""
    random: bool = False
    count: int = 1
    most: int = 0
    spot: bool = False
    piece: str = ""
    zones: tuple[str, ...] = ()
    near: str = ""
    within: float = 0.0
    clear: float = 0.0
    clear_of_all: bool = False
    apart: float = 0.0
    at_least_apart: float = 0.0
    edge: float = 0.0


class Outcome(Record, frozen=True):
    """A row of a roll table: the results that it is for, and the verbs that follow."""

    on: Annotated[tuple[int, ...], Meta(min_length=1)]
    do: Annotated[tuple[str, ...], Meta(min_length=1)]


class When(Clause, frozen=True, kw_only=True):
    """What happens at a moment if the condition holds: what is picked, then the verbs.

    With `each` this happens for each selected thing. `once` bounds it to one time a span: for each thing
    separately where there is an `each`, else for each bearer of the rule, or for the whole army of its owner
    (`once_for`).

    With `roll` a D6 of that kind is rolled first. With `roll_each` it is rolled for each thing, once that is
    selected and what goes with it is picked. `add` is added to it, and the result is known as `rolled`, 1 to
    6. Below `need` nothing happens. After the verbs of `do` follow those of the `table` rows for the result.
    """

    moment: str
    roll: str = ""
    add: Value = 0
    need: int = 0
    roll_each: bool = False
    each: str = ""
    pick: tuple[Pick, ...] = ()
    do: tuple[str, ...] = ()
    table: tuple[Outcome, ...] = ()
    once: Span = ""
    once_for: Literal["bearer", "army"] = "bearer"

    def __post_init__(self) -> None:
        """Refuse a clause that does nothing, and what is said of a roll where there is none."""
        if not (self.do or self.table):
            raise ValueError("say what follows: verbs to do, or a table of outcomes")
        if not self.roll and (self.add or self.need or self.roll_each or self.table):
            raise ValueError("add, need, roll_each and table say what becomes of a roll: name its kind")


class Instead(Clause, frozen=True):
    """What replaces a kind of roll: a fixed result, or more dice of which some are kept."""

    roll: str
    result: tuple[int, ...] = ()
    dice: int = 0
    keep: Literal["", "highest", "lowest"] = ""

    def __post_init__(self) -> None:
        """Refuse a clause that says no replacement, or two."""
        if bool(self.result) == bool(self.dice and self.keep):
            raise ValueError("say either a result, or dice and which of them to keep")


Occasion = Literal[
    "command",
    "rolled",
    "battle-shock-test",
    "set-up",
    "move-began",
    "move-ended",
    "phase-ended",
    "selected-to-shoot",
    "targeted",
    "selected-to-fight",
    "fought",
]
"""The moments at which Stratagems are offered."""


class Offer(Clause, frozen=True):
    """An option at a step: a purchase ("resupply") or an action ("shooting"), with its verbs.

    At an occasion it is a Stratagem, used `on` one of the units that this selects ("unit where …"), which is
    the `bearer` in what follows. `price` is in SP, a Stratagem's in CP. `limit` and `limit_for` bound its
    uses ("turn", "team"). An action is for `count` units at most, all counted, is done on what is `pick`ed
    as it begins, and is completed at the moment `ends` ("turn-ended", "players.command").
    """

    at: Literal["resupply", "shooting", Occasion]
    on: str = ""
    price: Value = 0
    limit: Span = ""
    limit_for: Literal["team", "player"] = "team"
    pick: tuple[Pick, ...] = ()
    do: tuple[str, ...] = ()
    count: int = 0
    ends: Literal["turn-ended", "players.command"] = "turn-ended"

    def __post_init__(self) -> None:
        """Refuse an offer whose target or price is not that of its moment."""
        if bool(self.on) != (self.at in get_args(Occasion)):
            raise ValueError("an offer says what it is used on if, and only if, it is made at an occasion")
        if self.on and isinstance(self.price, str):
            raise ValueError("a Stratagem's price is a number")


class Call(Clause, frozen=True):
    """A named function does what no clause can say, at a moment."""

    hook: str
    moment: str


class Rule(Record, frozen=True):
    """A rule of any kind.

    Without a `reason` it is simulated whole. A rule with a `reason` is not simulated and has no clauses. One
    that has `no_effect` does nothing in a battle, and has neither. One that is `like` a template has its
    clauses too, `with` values for its parameters.

    `drawable` says when a card may be revealed (it is shuffled back otherwise); `success` when a mission or
    secret objective is fulfilled. A saved mission card pays for one purchase with the tag, or of the id, that
    it `frees`, wholly or by the `discount`; one that `nullifies` undoes a misery card instead.
    An `aura` reaches a number of inches: its conditions ask whether a unit is `in_aura`, and however many
    bearers of its name there are, each clause counts once.

    A rule with the tag "army" is of every player's army of its `factions`; one with a `detachment` of those
    that field it. An enhancement may be borne by the characters for whose `model` the condition `borne_by`
    holds. An ability of `datasheets` that `needs` what only players' armies have does nothing for the units
    of the Horde; with a `reason` too, it waits for that to be simulated. One of `wargear` is in force while a
    living model of the datasheet carries such an item. A rule with the tag "state" is in force on the units
    on which another bestows it, for as long as that says.
    """

    id: str
    clause: str
    name: str
    source: str
    summary: str
    tags: tuple[str, ...] = ()
    reason: str = ""
    no_effect: bool = False
    needs: Literal["", "army rule", "detachment rule", "stratagems"] = ""
    factions: tuple[str, ...] = ()
    detachment: str = ""
    borne_by: str = ""
    datasheets: tuple[str, ...] = ()
    wargear: tuple[str, ...] = ()
    drawable: str = ""
    aura: float = 0.0
    success: str = ""
    frees: str = ""
    discount: int = 0
    nullifies: bool = False
    like: str = ""
    values: dict[str, Any] = field(default_factory=dict, name="with")
    modify: tuple[Modify, ...] = ()
    grant: tuple[Grant, ...] = ()
    forbid: tuple[Ask, ...] = ()
    permit: tuple[Ask, ...] = ()
    when: tuple[When, ...] = ()
    instead: tuple[Instead, ...] = ()
    offer: tuple[Offer, ...] = ()
    call: tuple[Call, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a rule that does nothing without a reason, or something with one."""
        if self.reason and self.has_clauses:
            raise ValueError("a rule with a reason for not being simulated has no clauses")
        if self.no_effect and (self.reason or self.has_clauses):
            raise ValueError("a rule with no effect in a battle has neither clauses nor a reason")
        if not self.reason and not self.has_clauses and not self.no_effect:
            raise ValueError(
                "a rule without clauses gives the reason for not being simulated, or says `no_effect = true`"
            )

    @property
    def has_clauses(self) -> bool:
        """Return whether the rule does anything."""
        kinds = (
            self.modify,
            self.grant,
            self.forbid,
            self.permit,
            self.when,
            self.instead,
            self.offer,
            self.call,
        )
        return any(kinds) or bool(self.success)

    @property
    def status(self) -> Status:
        """Return whether the rule is simulated by clauses or by code, waits, or has no effect."""
        if self.reason:
            return "waiting" if self.needs else "unmodelled"
        if self.no_effect:
            return "no effect"
        return "hooked" if self.call else "modelled"
