"""What the game asks and what an agent answers.

A request names its seats, the rule that asks, and enough to answer and to check. Checking is done where
the rule is: in the steps, through `engine.w40k.legality.answer_check`.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

import msgspec

from engine.core.event import Pose, Shot
from engine.core.facts import Facts, Point, Ring, TerrainFacts

EMERGENCY = "emergency"
"""The kind of a set-up out of a wreck. Rule: CORE.TRN.3, CORE.TRN.4"""
RETURN = "return"
"""The kind of a set-up of one model that returns to its unit."""
BESIDE = "beside"
"""The kind of a set-up of a unit beside another unit or a marker, as a rule says."""
PRIVATE = ("keep-secret", "vote")
"""Decisions of which other seats see neither options nor answer. Rule: PLAY.9, MISERY.18"""
BROKEN_OFF = "R.BUDGET"
"""The ruling of the reason that a search for a move was broken off."""


class Candidate(Facts, frozen=True, kw_only=True):
    """Something that was considered: how far it is, and the first condition that it failed.

    `failed` is "" for what was chosen. A candidate may be a unit, an objective marker, an edge, or something
    that the unit may do, as the request's options have it. Conditions are those of `ai.reasons.condition`.
    """

    id: str
    distance: float | None = None
    failed: str = ""
    measured: float | None = None
    """The number on which the condition failed: inches, models, points, …"""
    needed: float | None = None
    """What the number would have had to be, or to stay within."""

    def __post_init__(self) -> None:
        """Keep numbers as a file gives them back: a count is no other than the same with a point."""
        for key in ("distance", "measured", "needed"):
            value = getattr(self, key)
            if isinstance(value, int):
                msgspec.structs.force_setattr(self, key, float(value))


class Because(Facts, frozen=True, kw_only=True):
    """Why an answer was given: the clause, a sentence, and the geometry that it rests on."""

    clause: str
    reason: str = ""
    target: str = ""
    candidates: tuple[Candidate, ...] = ()
    """In the order in which they were considered; that which was chosen failed nothing."""
    lines: tuple[tuple[Point, Point], ...] = ()
    ruling: str = ""
    models: tuple[int, ...] = ()
    """The rows of those it speaks of, where not of the whole unit…"""
    weapon: str = ""
    """…and with which of their weapons."""


class Request(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="request"):
    """A question to one seat, or to several of whom any may answer."""

    seats: tuple[str, ...]
    rule: str
    """The clause that asks."""
    decision: str
    """What is decided: deploy, next-unit, move, shoot, charge, fight, purchase, allocation, …"""
    prompt: str
    unit: str = ""


class Option(Facts, frozen=True, kw_only=True):
    """One thing that may be chosen."""

    id: str
    label: str


class Choose(Request, tag="choose", frozen=True, kw_only=True):
    """Choose between `minimum` and `maximum` of the options."""

    options: tuple[Option, ...]
    minimum: int = 1
    maximum: int = 1


class Move(Request, tag="move", frozen=True, kw_only=True):
    """Move the models of `unit`, each at most its limit in inches, or leave them where they are.

    `kind` is normal, advance, fall-back, charge, pile-in, consolidate or surge. A charge names its targets,
    a surge the enemy to which it leads. With `least` the unit is AIRCRAFT: every model flies at least that
    far straight forward, then turns once at the most; left where they are, they fly off the board. With
    `clear` no model may end that near to an enemy, as seen from above.
    """

    kind: str
    limits: dict[int, float]
    targets: tuple[str, ...] = ()
    least: float = 0.0
    clear: float = 0.0


class Place(Request, tag="place", frozen=True, kw_only=True):
    """Set up all models of `unit`, a marker or a `piece` of terrain, wholly within one area.

    `kind` is deploy, spawn, deep-strike, reserves, beside, disembark, emergency, return, marker or terrain.
    Without areas they may stand anywhere on the board. Every base must be more than `clear` inches from every
    enemy model, or with `clear_of_all` from every model at all. An empty answer declines where `optional`.
    With `partly` models are left out for which there is no free spot beside the others.
    """

    kind: str
    rows: tuple[int, ...]
    areas: tuple[Ring, ...]
    clear: float = 0.0
    apart: dict[str, float] = {}
    """The distances that take the place of `clear` for single enemy units, by id."""
    avoid: tuple[tuple[Point, float], ...] = ()
    """Discs (centre, radius) that what is set up must stay out of altogether."""
    clear_of_all: bool = False
    optional: bool = False
    partly: bool = False
    front: tuple[tuple[Point, Point], ...] = ()
    overflow: tuple[Ring, ...] = ()
    beside: str = ""
    """The transport, standing or wrecked, or the marker beside which every base must lie.

    They lie wholly `within` this distance of it, in inches.
    """
    within: float = 0.0
    near: str = ""
    """The unit that the set-up must be as close to as possible, where the rule says so."""
    piece: TerrainFacts | None = None
    """The terrain to be set up, about (0, 0) and faced along x.

    It lies more than `clear` inches from all other terrain.
    """
    toward: Point | None = None
    """The point to which each model must be as close as the others let it, if a rule says so."""


class Line(Facts, frozen=True, kw_only=True):
    """A weapon that may attack: its model's row, its place in the unit's list, legal targets.

    A model fires at most one line of each `group` (the profiles of one item), and lines of one `set`
    only (pistols or other guns; one melee weapon), the empty set going with all.
    """

    model: int
    weapon: int
    targets: tuple[str, ...]
    group: str = ""
    set: str = ""


class Split(Request, tag="split", frozen=True, kw_only=True):
    """Declare attacks: which lines are used, and at which unit each."""

    melee: bool
    lines: tuple[Line, ...]


class Order(Request, tag="order", frozen=True, kw_only=True):
    """Put the items in order."""

    items: tuple[Option, ...]


class YesNo(Request, tag="yes-no", frozen=True, kw_only=True):
    """Answer yes or no; it tells what a roll came to that may be made again, and its need."""

    rolled: int = 0
    need: int = 0


class Answer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind"):
    """What a seat answers; `because` says why and changes nothing."""

    because: tuple[Because, ...] = ()
    passed: tuple[Because, ...] = ()
    """The clauses that settled nothing, in the order asked: each of their candidates failed."""


class Chosen(Answer, tag="chosen", frozen=True, kw_only=True):
    """The ids of the options chosen."""

    ids: tuple[str, ...]


class Moves(Answer, tag="moves", frozen=True, kw_only=True):
    """A path for each model that moves, by its row.

    A path is its legs after the start, as in the `moved` event.
    """

    paths: dict[int, tuple[tuple[float, ...], ...]] = {}
    facing: dict[int, float] = {}


class Places(Answer, tag="places", frozen=True, kw_only=True):
    """A pose for each row (for a marker or terrain, row -1); empty declines."""

    poses: dict[int, Pose] = {}


class Splits(Answer, tag="splits", frozen=True, kw_only=True):
    """The attacks declared."""

    shots: tuple[Shot, ...] = ()


class Ordered(Answer, tag="ordered", frozen=True, kw_only=True):
    """The items' ids in the order wanted."""

    ids: tuple[str, ...]


class Said(Answer, tag="said", frozen=True, kw_only=True):
    """Yes or no."""

    yes: bool


AnyAnswer = Chosen | Moves | Places | Splits | Ordered | Said
AnyRequest = Choose | Move | Place | Split | Order | YesNo
T = TypeVar("T")
Steps = Generator[AnyRequest, AnyAnswer, T]
"""A step while it runs: it yields requests, is sent answers, and returns its outcome."""
