"""The units of a scenario: their facts, their models' places and what happened before.

Owns how a datasheet and a unit's own facts go together, and what each word of `state` means.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

import msgspec
import numpy as np

from datasheets.ability import simulated
from datasheets.errors import BadData, unknown
from datasheets.library import Library
from datasheets.scenario import Base, ScenarioTransport, ScenarioWeapon, Unit
from engine.core import event as ev
from engine.core.facts import (
    HORDE,
    PLAYERS,
    BaseFacts,
    ModelFacts,
    PartFacts,
    Point,
    TransportFacts,
    UnitFacts,
    WeaponFacts,
)
from engine.core.marks import WARLORD
from engine.core.state import MarkValue
from engine.records.rulebook import Rulebook
from engine.scenario.ability import AURAS, SPECIAL, ability_rule
from engine.scenario.frame import Frame
from engine.scenario.printed import printed
from engine.scenario.situation import ORDINARY

Span = Literal["phase", "turn", "round", "battle"]
STATES: dict[str, tuple[tuple[str, MarkValue, Span], ...]] = {
    "advanced": (("moved", "advance", "turn"), ("advanced", True, "turn")),
    "fell-back": (("moved", "fall-back", "turn"), ("fell-back", True, "turn")),
    "charged": (("charged", True, "turn"),),
    "shot": (("shot", True, "turn"),),
    "fought": (("fought", True, "phase"),),
    "moved": (("moved", "normal", "turn"),),
    "remained-stationary": (("moved", "remain-stationary", "turn"),),
    "spawned-this-round": (("spawned", True, "round"),),
    "arrived-this-turn": (("arrived", True, "turn"), ("entered", True, "round"), ("moved", "normal", "turn")),
    "promoted": (("promoted", True, "battle"),),
    "battle-shocked": (),
    "in-reserves": (),
    "warlord": (),
}
"""What each word of a unit's state marks on it."""
SELECTED = ("selected:movement", "selected:shooting", "selected:charge", "fought", "reinforced", "declined")
"""The marks of a unit that has been activated in each of the steps."""
SHAPES: dict[str, Literal["round", "oval", "hull"]] = {"round": "round", "oval": "oval", "rectangle": "hull"}
APART = 0.1
"""How far apart the models of a packed unit stand, in inches."""
RINGS = 6
"""How many rings of places about its middle a packed unit is given at first.

Farther rings are added where these have too few places on the board.
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """A unit as it enters the scenario: its facts, and its models' poses if it is on the table."""

    unit: Unit
    facts: UnitFacts
    poses: dict[int, ev.Pose]
    leaders: tuple[Unit, ...] = ()
    """The leaders attached to it, in the order of the facts' parts after its own."""
    idle: bool = False
    """Whether it is not to be activated."""
    lost: tuple[int, ...] = ()
    """The rows of its models that were lost before, of its parts whose starting number is said."""

    def standing(self, poses: dict[int, ev.Pose]) -> Entry:
        """Return the unit with these of its models elsewhere."""
        return replace(self, poses=self.poses | poses) if poses else self


class Mustering:
    """Builds the units of one scenario, rows in the order of the file."""

    def __init__(self, library: Library, rulebook: Rulebook, frame: Frame, path: str) -> None:
        """Take what facts and places are made from; `path` names the file in faults."""
        self.library = library
        self.rulebook = rulebook
        self.frame = frame
        self.path = path

    def entry(self, units: Mapping[str, Unit], first_row: int) -> Entry:
        """Return a unit with the leaders attached to it, by their keys in the file. Raises BadData."""
        unit, *leaders = units.values()
        parts = [self._facts(each, key) for key, each in units.items()]
        for (key, each), part in zip(units.items(), parts, strict=True):
            self._check_wounds(each, part, key)
        facts = self._joined(unit, parts, first_row)
        poses: dict[int, ev.Pose] = {}
        lost: list[int] = []
        for number, ((key, each), part) in enumerate(zip(units.items(), parts, strict=True)):
            rows = [model.row for model in facts.models if model.part == number]
            living = len(rows) - _lost_before(each, part)
            lost += rows[living:]
            for row, at in zip(rows, self._places(each, part, living, key), strict=False):
                x, y = self.frame.point(at)
                z = float(at[2]) if len(at) > 2 else float(each.z)
                poses[row] = (x, y, z, self.frame.facing(90.0 if each.facing is None else each.facing))
        return Entry(unit, facts, poses, tuple(leaders), lost=tuple(lost))

    def _check_wounds(self, unit: Unit, facts: UnitFacts, key: str) -> None:
        """Raise BadData for a unit that has lost more wounds than it had."""
        living = facts.models[: len(facts.models) - _lost_before(unit, facts)]
        wounds = sum(model.characteristics.get("W", 1) for model in living)
        if unit.wounds_lost > wounds:
            mend = f"{unit.id} has {wounds} in all and cannot have lost {unit.wounds_lost}"
            raise BadData(self.path, f"{key}.wounds_lost", mend)

    def _joined(self, unit: Unit, parts: list[UnitFacts], first_row: int) -> UnitFacts:
        """Return one unit of all parts, its models' rows from `first_row` on."""
        models: list[ModelFacts] = []
        weapons: list[WeaponFacts] = []
        for number, part in enumerate(parts):
            for model in part.models:
                carried = tuple(len(weapons) + i for i in model.weapons)
                row = first_row + len(models)
                models.append(msgspec.structs.replace(model, row=row, weapons=carried, part=number))
            weapons += part.weapons
        return msgspec.structs.replace(
            parts[0],
            name=" + ".join(part.name for part in parts),
            parts=tuple(part.parts[0] for part in parts),
            models=tuple(models),
            weapons=tuple(weapons),
        )

    def _facts(self, unit: Unit, key: str) -> UnitFacts:
        if unit.datasheet:
            facts = printed(self.library, self.rulebook.of_datasheets, unit, self.path, key)
        elif unit.wargear:
            raise BadData(self.path, f"{key}.wargear", "is a datasheet's; say weapons instead")
        else:
            facts = self._plain(unit)
        return self._overridden(unit, facts, key)

    def _plain(self, unit: Unit) -> UnitFacts:
        """Return a unit of ordinary models, for its own facts to go over."""
        size = max(unit.size or 1, unit.starting_models or 1)
        base = BaseFacts(length=32 / 25.4, width=32 / 25.4)
        models = tuple(
            ModelFacts(row=i, name=unit.id, base=base, height=2.5, characteristics=dict(ORDINARY))
            for i in range(size)
        )
        part = PartFacts(
            datasheet=f"scenario/{unit.id}",
            name=unit.id,
            keywords=frozenset(("INFANTRY",)),
            starting_models=unit.size or 1,
            points=100,
        )
        return UnitFacts(
            id=unit.id,
            name=unit.id,
            side=HORDE if unit.side == HORDE else PLAYERS,
            player=unit.side,
            parts=(part,),
            models=models,
            bracket=unit.bracket,
        )

    def _overridden(self, unit: Unit, facts: UnitFacts, key: str) -> UnitFacts:
        """Return the facts with those that the unit states itself."""
        part = self._part(unit, facts.parts[0], key)
        more = dict(unit.characteristics)
        for word in unit.abilities or ():
            if word.startswith("invulnerable"):
                more["Inv"] = int(re.sub(r"\D", "", word))
        weapons = (
            facts.weapons if unit.weapons is None else tuple(_weapon(w, key, self.path) for w in unit.weapons)
        )
        models = tuple(
            msgspec.structs.replace(
                model,
                base=_base(unit.base) if unit.base else model.base,
                height=model.height if unit.height is None else float(unit.height),
                characteristics={**model.characteristics, **more},
                weapons=self._carried(unit, model, weapons, i, key),
                **_bracket(unit),
            )
            for i, model in enumerate(facts.models)
        )
        return msgspec.structs.replace(facts, parts=(part,), models=models, weapons=weapons)

    def _carried(
        self, unit: Unit, model: ModelFacts, weapons: tuple[WeaponFacts, ...], i: int, key: str
    ) -> tuple[int, ...]:
        """Return the places of a model's weapons in its unit's list.

        They are those stated for the model, else all that its unit states, else its own.
        """
        if not unit.weapons_of:
            return model.weapons if unit.weapons is None else tuple(range(len(weapons)))
        places = {weapon.name.lower(): place for place, weapon in reversed(list(enumerate(weapons)))}
        if i >= len(unit.weapons_of):
            return tuple(range(len(weapons)))
        for name in unit.weapons_of[i]:
            if name.lower() not in places:
                names = [weapon.name for weapon in weapons]
                raise BadData(self.path, f"{key}.weapons_of.{i}", str(unknown(name, names, "weapon")))
        return tuple(places[name.lower()] for name in unit.weapons_of[i])

    def _part(self, unit: Unit, part: PartFacts, key: str) -> PartFacts:
        keywords = part.keywords if unit.keywords is None else frozenset(w.upper() for w in unit.keywords)
        abilities, rules = part.abilities, part.rules
        if unit.abilities is not None:
            said = [_ability(word) for word in unit.abilities]
            abilities = tuple(word for word in said if word.startswith(simulated()))
            rules = (
                *rules,
                *(ability_rule(word).id for word in unit.abilities if word in (*SPECIAL, *AURAS)),
            )
        transport = part.transport
        if unit.transport is not None:
            transport = TransportFacts(capacity=unit.transport.capacity)
            abilities += _firing_deck(unit.transport)
        return msgspec.structs.replace(
            part,
            keywords=keywords,
            abilities=abilities,
            rules=rules,
            points=part.points if unit.points is None else unit.points,
            starting_models=unit.starting_models or part.starting_models,
            warlord=part.warlord or "warlord" in unit.state,
            transport=transport,
        )

    def _places(self, unit: Unit, facts: UnitFacts, living: int, key: str) -> list[tuple[float, ...]]:
        """Return the places of the living models; none where the unit is not on the table."""
        if unit.places is not None:
            return [tuple(at) for at in unit.places]
        if unit.middle is None:
            return []
        radius = max(model.base.base().radius for model in facts.models)
        places = packed(unit.middle, living, radius, self.frame.size)
        if len(places) < living:
            mend = f"the board has room for {len(places)} such models, not for {living}"
            raise BadData(self.path, f"{key}.models", mend)
        return places


def _bracket(unit: Unit) -> dict[str, int]:
    """Return the fields of a model's bracket, where the unit states one itself."""
    said = unit.damaged
    if said is None:
        return {}
    return {"damaged": said.wounds, "damaged_hit": said.hit, "damaged_oc": said.control}


def _lost_before(unit: Unit, facts: UnitFacts) -> int:
    """Return how many of the last models of a part were lost before the scenario begins."""
    return max(len(facts.models) - (unit.size or (len(facts.models) if unit.datasheet else 1)), 0)


def packed(middle: Sequence[float], count: int, radius: float, board: Point) -> list[tuple[float, ...]]:
    """Return places for `count` bases in a close pattern about a point, the nearest first.

    Except at the point itself, none is over the board's edge. Fewer are returned where the board has no room
    for all.
    """
    pitch = 2 * radius + APART
    rings = min(count, RINGS)
    while True:
        steps = range(-rings, rings + 1)
        spots = [(pitch * (i + j / 2), pitch * j * float(np.sqrt(3)) / 2) for j in steps for i in steps]
        spots.sort(key=lambda s: (round(s[0] * s[0] + s[1] * s[1], 6), -round(s[1], 6), round(s[0], 6)))
        first, *others = ((middle[0] + x, middle[1] + y, *middle[2:]) for x, y in spots)
        inside = (
            at
            for at in others
            if all(radius <= v <= side - radius for v, side in zip(at, board, strict=False))
        )
        found = [first, *islice(inside, count - 1)]
        if len(found) == count or rings * pitch > board[0] + board[1]:
            return found
        rings *= 2


def _base(base: Base) -> BaseFacts:
    size = base.size
    return BaseFacts(shape=SHAPES[base.shape], length=size[0], width=size[-1])


def _weapon(weapon: ScenarioWeapon, key: str, path: str) -> WeaponFacts:
    melee = weapon.range == "melee"
    return WeaponFacts(
        name=weapon.name,
        item=weapon.item or weapon.name,
        range=None if melee else float(weapon.range),
        attacks=str(weapon.attacks),
        skill=weapon.skill if melee else weapon.ballistic,
        strength=_strength(weapon.strength),
        ap=-abs(weapon.ap),
        damage=str(weapon.damage),
        keywords=tuple(word.lower() for word in weapon.keywords),
    )


def _strength(said: int | str) -> int | str:
    """Return a Strength as a number, or as the dice of one that is rolled."""
    return int(said) if str(said).isdigit() else str(said).upper()


def _firing_deck(transport: ScenarioTransport) -> tuple[str, ...]:
    return (f"firing deck {transport.firing_deck}",) if transport.firing_deck else ()


def _ability(word: str) -> str:
    """Return a core ability as the engine knows it."""
    return word.replace("-", " ").lower()


def opening(entry: Entry) -> list[ev.Event]:
    """Return what has happened to the unit before the first step."""
    unit, facts = entry.unit, entry.facts
    on = f"unit:{unit.id}"
    if entry.poses:
        events: list[ev.Event] = [ev.Placed(unit=unit.id, facts=facts, poses=entry.poses)]
    elif unit.embarked_in:
        events = [ev.Embarked(unit=unit.id, facts=facts, transport=unit.embarked_in)]
    else:
        how = "deep-strike" if "deep strike" in facts.parts[0].abilities else "strategic"
        events = [ev.Reserved(unit=unit.id, facts=facts, how=how)]
    said = (unit, *entry.leaders)
    for word in dict.fromkeys(word for each in said for word in each.state):
        events += [ev.Marked(on=on, key=key, value=value, until=until) for key, value, until in STATES[word]]
        if word == "battle-shocked":
            events.append(ev.Shocked(unit=unit.id))
        if word == "warlord" and facts.side == HORDE:
            events.append(ev.Marked(on="battle", key=WARLORD, value=unit.id, until="battle"))
    events += [ev.Destroyed(unit=unit.id, model=row) for row in entry.lost]
    if entry.idle:
        events += [ev.Marked(on=on, key=key, value=True, until="battle") for key in SELECTED]
    losses = [event for number, each in enumerate(said) for event in _losses(each, facts, number)]
    before = [event for event in events if isinstance(event, ev.Destroyed)]
    return [*events, *losses, *_ends(facts, [*before, *losses])]


def _ends(facts: UnitFacts, losses: Sequence[ev.Event]) -> list[ev.Event]:
    """Return the ends of a unit, and of its parts, that have lost all their models before."""
    lost = {event.model for event in losses if isinstance(event, ev.Destroyed)}
    left = {model.part for model in facts.models if model.row not in lost}
    ends: list[ev.Event] = [
        ev.UnitDestroyed(unit=facts.id, part=part) for part in range(len(facts.parts)) if part not in left
    ]
    return ends if left else [*ends, ev.UnitDestroyed(unit=facts.id)]


def _losses(said: Unit, facts: UnitFacts, part: int) -> list[ev.Event]:
    """Return the wounds that a part of a unit has lost before, its first model's first."""
    events: list[ev.Event] = []
    left = said.wounds_lost
    for model in facts.models:
        if model.part != part:
            continue
        wounds = model.characteristics.get("W", 1)
        amount = min(left, wounds)
        left -= amount
        if amount:
            events.append(ev.Damaged(unit=facts.id, model=model.row, amount=amount, wounds=wounds - amount))
        if amount == wounds:
            events.append(ev.Destroyed(unit=facts.id, model=model.row))
    return events
