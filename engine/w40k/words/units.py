"""The words of conditions and selectors: what they mean on the table of a battle.

Each public method is a function that rule records may call; it reads the state and changes nothing.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.core.facts import HORDE, PLAYERS, TerrainFacts, WeaponFacts, ZoneFacts
from engine.core.state import Marker, Model, Objective, Player, Unit
from engine.records.context import Context
from engine.records.expression import Expression, Selector, terms
from engine.w40k.words.circumstance import Circumstances
from geometry.measure.distance import within as within_inches
from geometry.measure.region import farthest_from, grid, quarters
from geometry.shape.base import TOLERANCE

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

KINDS = (
    "unit",
    "reserve",
    "member",
    "character",
    "enhancement",
    "objective",
    "terrain",
    "marker",
    "seat",
    "zone",
    "mission",
    "cell",
)
CALLED = {"reserve": "unit", "member": "unit", "character": "model", "enhancement": "rule"}
"""The name by which a thing of a kind goes, where it is not the kind's: a unit in reserves, or anywhere."""
CELLS = ("1", "2", "3", "4", "5", "6")
"""The sixths of the battlefield, by number."""
Thing = Unit | Objective | Marker


class Vocabulary(Circumstances):
    """The functions of expressions, about one battle."""

    def __init__(self, battle: Battle) -> None:
        """Speak of this battle."""
        self._game = battle
        self.functions: dict[str, Any] = {"__builtins__": {}, "min": min, "max": max, "abs": abs}
        for name in FUNCTIONS - {"min", "max", "abs"}:
            self.functions[name] = getattr(self, name)
        self._ready: dict[Expression, Callable[[Context], Any]] = {}

    def evaluate(self, expression: Expression, context: Context) -> Any:
        """Return the value of an expression."""
        ready = self._ready.get(expression)
        if ready is None:
            ready = self._ready[expression] = expression.function(self.functions)
        return ready(context)

    # sides, owners and keywords

    def horde(self, thing: Unit | Model | None) -> bool:
        """Return whether a unit or model is the Horde's."""
        return thing is not None and self._unit(thing).side == HORDE

    def player(self, thing: Unit | Model | None) -> bool:
        """Return whether a unit or model is a player's."""
        return thing is not None and self._unit(thing).side == PLAYERS

    def own(self, unit: Unit | None, seat: str) -> bool:
        """Return whether a unit is this player's."""
        return unit is not None and unit.player == seat

    def has(self, unit: Unit | None, keyword: str) -> bool:
        """Return whether a living part of the unit has a keyword."""
        return unit is not None and unit.has(keyword)

    def began_with(self, unit: Unit | None, keyword: str) -> bool:
        """Return whether a part of the unit, living or lost, has a keyword."""
        return unit is not None and any(keyword in part.keywords for part in unit.facts.parts)

    def is_a(self, model: Model | None, keyword: str) -> bool:
        """Return whether a model's own datasheet has a keyword."""
        if model is None:
            return False
        return keyword in self._unit(model).facts.parts[model.facts.part].keywords

    def weapon_has(self, weapon: WeaponFacts | None, ability: str) -> bool:
        """Return whether a weapon is printed with an ability. Rule: CORE.WPN.PSY."""
        return weapon is not None and weapon.has(ability)

    def starting_wounds(self, model: Model) -> int:
        """Return a model's Wounds characteristic."""
        return model.facts.characteristics.get("W", 1)

    def _unit(self, thing: Unit | Model) -> Unit:
        return thing if isinstance(thing, Unit) else self._game.state.position.units[thing.unit]

    # what is true of a unit

    def battle_shocked(self, unit: Unit) -> bool:
        """Return whether a unit is Battle-shocked."""
        return "battle-shocked" in unit.marks

    def marked(self, thing: Any, key: str) -> bool:
        """Return whether something bears a mark."""
        return thing is not None and key in thing.marks

    def mark_of(self, thing: Any, key: str) -> Any:
        """Return the value of a mark, 0 where there is none."""
        return 0 if thing is None else thing.marks.get(key)

    def engaged(self, unit: Unit) -> bool:
        """Return whether a unit is within engagement range of an enemy."""
        return bool(unit.where == "table" and self._game.field.engaged_with(unit))

    def wounds_lost(self, unit: Unit) -> bool:
        """Return whether the unit has lost a wound or a model."""
        models = [m for m in self._game.state.position.models if m.unit == unit.id]
        return any(m.wounds < self.starting_wounds(m) for m in models)

    # distances

    def distance(self, a: Thing, b: Thing) -> float:
        """Return the distance between the closest bases or marker edges of two things."""
        if isinstance(a, Unit) and isinstance(b, Unit):
            return self._game.field.gap(a, b)
        if isinstance(b, Unit):
            a, b = b, a
        if isinstance(a, Unit):
            assert not isinstance(b, Unit)
            return float(min(self._gaps(a, b), default=float("inf")))
        assert not isinstance(b, Unit)
        return (
            float(np.hypot(*(np.array(a.at) - np.array(b.at))))
            - 2 * self._game.ruleset.parameters.marker_radius
        )

    def within(self, unit: Unit, inches: float, thing: Thing) -> bool:
        """Return whether any model of the unit is within this distance of something."""
        return bool(within_inches(self.distance(unit, thing), inches))

    def in_aura(self, unit: Unit | None, context: Context) -> bool:
        """Return whether the aura at hand reaches a unit: its bearer's own always, as long as it is there.

        It is measured from any model of the bearer's unit; a CHARACTER that does an action has none. Rule:
        CORE.ABL.AURA, CORE.TRN.6
        """
        bearer = context["bearer"]
        if unit is None or unit.where != "table" or bearer.where != "table":
            return False
        if "action" in bearer.marks and bearer.has("CHARACTER"):
            return False
        return unit.id == bearer.id or self.within(unit, context["aura"], bearer)

    def wholly_within(self, unit: Unit, inches: float, thing: Objective | Marker) -> bool:
        """Return whether every model's whole base is within this distance of a marker's edge."""
        if not unit.rows:
            return False
        apart = farthest_from(self._game.field.outlines(unit.rows), thing.at)
        return bool((apart - self._game.ruleset.parameters.marker_radius <= inches + TOLERANCE).all())

    def in_range(self, unit: Unit, objective: Objective) -> bool:
        """Return whether any model is within range of an objective marker. Rule: CORE.OBJ.1."""
        return bool(self._game.field.in_range_of(unit, objective).any())

    def wholly_in_range(self, unit: Unit, objective: Objective) -> bool:
        """Return whether the whole unit is wholly within range of an objective marker."""
        return self.wholly_within(unit, self._game.ruleset.parameters.objective_range, objective)

    def any_within(self, unit: Unit, inches: float, text: str) -> bool:
        """Return whether another unit that the filter names is within this distance of the unit."""
        field = self._game.field
        return any(
            within_inches(field.gap(unit, other), inches)
            for other in self._game.state.position.on_table()
            if other.id != unit.id and self._passes(other, text)
        )

    def from_centre(self, unit: Unit) -> float:
        """Return the distance from the battlefield's centre to the closest base of the unit."""
        return float(min(self._from_centre(unit), default=float("inf")))

    def _from_centre(self, unit: Unit) -> Any:
        return self._game.field.gap_to_disc(unit, self._game.state.position.board.centre, 0.0)

    def _gaps(self, unit: Unit, thing: Objective | Marker) -> Any:
        return self._game.field.gap_to_disc(unit, thing.at, self._game.ruleset.parameters.marker_radius)

    # areas

    def in_spawn_zone(self, unit: Unit) -> bool:
        """Return whether any model is within a spawning zone."""
        return bool(self._game.field.in_spawn_zone(unit).any())

    def in_zone(self, unit: Unit, kind: str) -> bool:
        """Return whether any model is within a zone of this kind."""
        field = self._game.field
        return any(bool(field.within_zone(unit, zone.polygon).any()) for zone in self._zones(kind))

    def wholly_in_zone(self, unit: Unit, kind: str) -> bool:
        """Return whether the whole unit is wholly within one zone of this kind."""
        field = self._game.field
        return any(bool(field.wholly_within_zone(unit, zone.polygon).all()) for zone in self._zones(kind))

    def in_terrain(self, unit: Unit, terrain: TerrainFacts) -> bool:
        """Return whether any model is within a terrain piece's footprint."""
        return bool(self._game.field.within_zone(unit, terrain.footprint).any())

    def in_cell(self, unit: Unit, cell: int) -> bool:
        """Return whether any model is within a sixth of the battlefield.

        The board is cut into two rows and three columns along its longer side, numbered from 1 at the corner
        (0, 0), along the longer side first. Rule: MISERY.6.
        """
        left, low, right, high = bounds = self._game.state.position.board.bounds
        across, up = (3, 2) if right - left >= high - low else (2, 3)
        return bool(self._game.field.within_zone(unit, grid(bounds, across, up)[cell - 1]).any())

    def wholly_in_quarter(self, unit: Unit, quarter: int) -> bool:
        """Return whether the unit is wholly within a table quarter (1 to 4) and outside 6" of the centre."""
        quarter_of_table = quarters(self._game.state.position.board.bounds)[quarter - 1]
        inside = self._game.field.wholly_within_zone(unit, quarter_of_table)
        return bool(inside.all()) and not bool((self._from_centre(unit) <= 6 + TOLERANCE).any())

    def _zones(self, kind: str) -> list[ZoneFacts]:
        return [zone for zone in self._game.state.position.zones.values() if zone.kind == kind]

    def zone_of(self, objective: Objective) -> str:
        """Return where a marker stands: "defender", "no-mans-land" or "horde"."""
        return objective.facts.zone

    # control, resources and tallies

    def controlled(self, objective: Objective | str | None, side: str = PLAYERS) -> bool:
        """Return whether a side controls an objective marker; one that is gone is controlled by nobody."""
        if isinstance(objective, str):
            objective = self._game.state.position.objectives.get(objective)
        return objective is not None and objective.by == side

    def fortified(self, objective: Objective) -> bool:
        """Return whether an objective marker is Fortified."""
        return bool(objective.fortified)

    def objectives(self) -> int:
        """Return how many objective markers there are."""
        return len(self._game.state.position.objectives)

    def sp(self, seat: str) -> int:
        """Return a player's SP."""
        return self._game.state.players[seat].sp

    def cp(self, seat: str) -> int:
        """Return a player's CP."""
        return self._game.state.players[seat].cp

    def alive(self, seat: str) -> bool:
        """Return whether a player has a model in play or in reserve. Rule: WIN.3, R.A88."""
        return any(
            unit.player == seat and unit.where in ("table", "reserves", "embarked")
            for unit in self._game.state.position.units.values()
        )

    def players(self) -> int:
        """Return how many players began the battle."""
        return len(self._game.state.players)

    def survivors(self) -> int:
        """Return how many players are not knocked out."""
        return sum(self.alive(seat) for seat in self._game.state.players)

    def knocked_out(self) -> int:
        """Return how many players have lost every unit they had. Rule: WIN.3."""
        had = {unit.player for unit in self._game.state.position.units.values()}
        return sum(seat in had and not self.alive(seat) for seat in self._game.state.players)

    def tally(self, key: str) -> int:
        """Return a tally kept for the whole battle's team."""
        return self._game.state.marks.count(key)

    def names(self, key: str) -> tuple[str, ...]:
        """Return a list of names kept for the battle."""
        return self._game.state.marks.names(key)

    def own_tally(self, seat: str, key: str) -> int:
        """Return a player's tally."""
        return self._game.state.players[seat].marks.count(key)

    def carried(self, key: str) -> int:
        """Return what last round's missions added for this round. Rule: ROUND.3, R.A82."""
        return self._game.state.marks.count(f"now:{key}")

    def by_round(self, *values: float) -> float:
        """Return this round's entry of a list; the last one goes on."""
        return values[min(max(self._game.state.round, 1), len(values)) - 1]

    def ruling(self, key: str) -> str:
        """Return how an open point of the text is read in this battle."""
        return self._game.ruling(key)

    def tagged(self, rule: Any, tag: str) -> bool:
        """Return whether a rule has a tag."""
        return rule is not None and tag in rule.tags

    # selecting

    def exists(self, text: str) -> bool:
        """Return whether a unit on the battlefield passes the filter."""
        return any(self._passes(unit, text) for unit in self._game.state.position.on_table())

    def some(self, text: str, context: Context) -> bool:
        """Return whether anything is selected."""
        return bool(self.select(selector_of(text), context))

    def none(self, text: str, context: Context) -> bool:
        """Return whether nothing is selected."""
        return not self.select(selector_of(text), context)

    def count(self, text: str, context: Context) -> int:
        """Return how many things are selected."""
        return len(self.select(selector_of(text), context))

    def select(self, selector: Selector, context: Context) -> list[Any]:
        """Return the things that a selector names, in the order of the battle's lists."""
        name = CALLED.get(selector.kind, selector.kind)
        things = list(self._things(selector.kind))
        if selector.condition is None:
            return things
        found = []
        inner = context.with_names()
        for thing in things:
            inner[name] = thing
            if self.evaluate(selector.condition, inner):
                found.append(thing)
        return found

    def _things(self, kind: str) -> Iterator[Any]:
        state = self._game.state
        if kind == "unit":
            yield from (unit for unit in state.position.on_table() if unit.rows)
        elif kind == "reserve":
            yield from (unit for unit in state.position.units.values() if unit.where == "reserves")
        elif kind == "member":
            yield from (
                unit for unit in state.position.units.values() if unit.where != "destroyed" and unit.rows
            )
        elif kind == "character":
            yield from (
                model for model in state.position.models if model.alive and self.is_a(model, "CHARACTER")
            )
        elif kind == "enhancement":
            yield from (rule for rule in self._game.rulebook.rules if "enhancement" in rule.tags)
        elif kind == "seat":
            yield from state.players
        elif kind == "cell":
            yield from CELLS
        elif kind == "mission":
            yield from state.decks["secondary"].active if "secondary" in state.decks else ()
        else:
            lists: dict[str, dict[str, Any]] = {
                "objective": state.position.objectives,
                "terrain": state.position.terrain,
                "marker": state.position.markers,
                "zone": state.position.zones,
            }
            yield from list(lists[kind].values())

    def _passes(self, unit: Unit, text: str) -> bool:
        return all(self._is(unit, word) == wanted for wanted, word in terms(text))

    def _is(self, unit: Unit, word: str) -> bool:
        if word in (HORDE, "player"):
            return (unit.side == HORDE) == (word == HORDE)
        if word == "battle-shocked":
            return word in unit.marks
        return unit.has(word)


def _functions() -> frozenset[str]:
    hidden = {"evaluate", "select"}
    methods = inspect.getmembers(Vocabulary, inspect.isfunction)
    return frozenset(
        {name for name, _ in methods if not name.startswith("_")} - hidden | {"min", "max", "abs"}
    )


FUNCTIONS = _functions()


@lru_cache(maxsize=512)
def selector_of(text: str) -> Selector:
    """Return a selector whose words were checked when its rule was loaded."""
    from engine.records.language import trusted

    return trusted().selector(text)


def name_of(thing: Any) -> str:
    """Return the id of anything that can be selected."""
    if isinstance(thing, str):
        return thing
    if isinstance(thing, Objective | Player):
        return thing.facts.id
    if isinstance(thing, Model):
        return f"{thing.unit}:{thing.row}"
    return str(thing.id)
