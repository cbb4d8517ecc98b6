"""The rarer words of conditions: where models fell, what is kept by name, who acts at which marker.

Owns functions of expressions that single cards need; those of every day are `engine.w40k.words.units`'s.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

from datasheets.rule import Rule
from engine.core.facts import TerrainFacts
from engine.core.state import Marker, Model, Objective, Unit
from engine.records.context import Context
from engine.w40k.numbers import ENHANCED
from geometry.measure.distance import gaps
from geometry.measure.distance import within as within_inches
from geometry.measure.region import base_touches
from geometry.shape.base import TOLERANCE

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

AREA_TERRAIN = ("ruin", "woods", "crater")
"""The kinds of terrain that are areas with a footprint."""


class Circumstances:
    """Functions of expressions about one battle, for the vocabulary to speak."""

    _game: Battle

    # names that are kept

    def named(self, thing: Any, key: str) -> bool:
        """Return whether something is among the names kept for the battle under this key."""
        return _name(thing) in self._game.state.marks.names(key)

    def kept(self, key: str) -> int:
        """Return how many names are kept for the battle under this key."""
        return len(self._game.state.marks.names(key))

    def listed(self, unit: Unit, thing: Any, key: str) -> bool:
        """Return whether a unit is among the names marked on something."""
        return unit.id in thing.marks.names(key)

    def is_listed(self, name: str, seat: str, key: str) -> bool:
        """Return whether a word is among those listed on a player under this key."""
        return name in self._game.state.players[seat].marks.names(key)

    # seats

    def fields_one_of(self, seat: str, *detachments: str) -> bool:
        """Return whether the player's detachment is one of these."""
        fielded = self._game.state.players[seat].facts.detachment.strip().casefold()
        return fielded in [each.casefold() for each in detachments]

    def fields(self, seat: str, keyword: str) -> bool:
        """Return whether a unit of the player's army, living or lost, has a keyword."""
        facts = (unit.facts for unit in self._game.state.position.units.values())
        return any(keyword in part.keywords for each in facts if each.player == seat for part in each.parts)

    def owns(self, seat: str, model: Model) -> bool:
        """Return whether a model is of a player's army."""
        return self._game.state.position.units[model.unit].player == seat

    def is_enhanced(self, model: Model) -> bool:
        """Return whether a model has an enhancement."""
        return f"{ENHANCED}{model.row}" in self._game.state.position.units[model.unit].marks

    def may_bear(self, model: Model, rule: Rule, seat: str) -> bool:
        """Return whether a player may give a model this enhancement: one of its detachment that nobody has.

        Rule: BUY.name-earned
        """
        state = self._game.state
        if rule.id not in state.players[seat].facts.rules or rule.id in state.barred:
            return False
        own = [unit for unit in state.position.units.values() if unit.player == seat]
        if any(unit.marks.get(f"{ENHANCED}{row}", "") == rule.id for unit in own for row in unit.rows):
            return False
        suits = self._game.rulebook.compiled(rule.id).borne_by
        query = self._game.query
        return suits is None or bool(query.vocabulary.evaluate(suits, query.context({"model": model})))

    def leads(self, model: Model | None) -> bool:
        """Return whether a living model leads a bodyguard."""
        return model is not None and model.alive and self._game.state.position.units[model.unit].is_attached

    def stands(self, model: Model | None) -> bool:
        """Return whether a living model is on the battlefield."""
        return (
            model is not None and model.alive and self._game.state.position.units[model.unit].where == "table"
        )

    def is_marked(self, thing: Any, seat: str, key: str) -> bool:
        """Return whether a mark on a player names this thing."""
        return thing is not None and self._game.state.players[seat].marks.get(key, "") == _name(thing)

    def mark_for(self, unit: Unit | None, key: str) -> Any:
        """Return the value of a mark on a unit or else on its player, 0 where neither has it."""
        if unit is None:
            return 0
        player = self._game.state.players.get(unit.player)
        return unit.marks.get(key, player.marks.get(key) if player else 0)

    def has_revealed(self, seat: str) -> bool:
        """Return whether a player has a revealed secret objective."""
        return bool(self._game.state.players[seat].revealed)

    def is_richest(self, seat: str) -> bool:
        """Return whether no surviving player has more SP than this one."""
        return all(
            player.sp <= self._game.state.players[seat].sp for player in self._game.state.players.values()
        )

    def has_table(self, seat: str) -> bool:
        """Return whether the player's faction has a spawning table."""
        from engine.horde.steps.recruit import has_table

        return has_table(self._game, seat)

    def bracket_price(self, unit: Unit) -> int:
        """Return the lowest roll of the bracket of the unit's full size."""
        from engine.horde.steps.recruit import bracket_price

        return bracket_price(self._game, unit)

    def affordable(self, seat: str, price: float, purchase: str) -> bool:
        """Return whether the player has what a purchase costs now."""
        from engine.horde.steps.recruit import price_now

        return price_now(self._game, seat, price, purchase) <= self._game.state.players[seat].sp

    def in_deck(self, card: str, deck: str) -> bool:
        """Return whether a card is of a deck."""
        return self._game.rulebook.rule(card).tags[:1] == (deck,)

    def is_warlord(self, unit: Unit) -> bool:
        """Return whether a living part of the unit is its army's Warlord."""
        return any(part.warlord for part in unit.parts)

    def is_among(self, unit: Unit, names: tuple[str, ...] | None) -> bool:
        """Return whether the unit is one of those named."""
        return unit.id in (names or ())

    def is_marked_model(self, model: Model, key: str) -> bool:
        """Return whether a mark on its unit names this model."""
        return self._game.state.position.units[model.unit].marks.get(key, -1) == model.row

    def on_table(self, unit: Unit) -> bool:
        """Return whether a unit is on the battlefield."""
        return unit.where == "table"

    # what a unit could do

    def engages(self, unit: Unit, other: Unit) -> bool:
        """Return whether two units are within engagement range of each other."""
        return self._game.field.engaged(unit, other)

    def toughness(self, unit: Unit) -> int:
        """Return the unit's highest Toughness."""
        number, alive = self._game.query.number, self._game.state.position.alive(unit)
        printed = max((model.facts.characteristics.get("T", 1) for model in alive), default=1)
        return int(number("model.toughness", printed, unit=unit, target=unit).value)

    def remained_stationary(self, unit: Unit, context: Context) -> bool:
        """Return whether a unit has remained stationary this turn, or is `rewarded` as if it had.

        Whoever looks ahead supposes the latter of the attacker. Rule: CORE.MOVE.1, AI.STAY.3
        """
        if context["rewarded"] is not None and unit is context["attacker"]:
            return bool(context["rewarded"])
        return unit.where == "table" and unit.side == self._game.state.turn and unit.has_stayed

    def fights_first(self, unit: Unit) -> bool:
        """Return whether the unit has Fights First."""
        from engine.w40k.phase.fight import has_fights_first

        return has_fights_first(self._game, unit)

    def fights_attached(self, unit: Unit) -> bool:
        """Return whether the unit is within engagement range of an Attached unit."""
        return any(enemy.is_attached for enemy in self._game.field.engaged_with(unit))

    def has_shots(self, unit: Unit) -> bool:
        """Return whether the unit may shoot at anything."""
        from engine.w40k.attack.eligibility import has_shots

        return has_shots(self._game, unit)

    def could_shoot(self, unit: Unit, target: Unit) -> bool:
        """Return whether the unit sees another and could shoot it, were it its Shooting phase."""
        from engine.w40k.attack.eligibility import lines_at

        return bool(lines_at(self._game, unit, target))

    def could_charge(self, unit: Unit, target: Unit) -> bool:
        """Return whether the unit could declare a charge against another, were it its Charge phase."""
        from engine.w40k.phase.charge import targets

        return any(enemy.id == target.id for enemy in targets(self._game, unit))

    def could_throw(self, unit: Unit, target: Unit, inches: float) -> bool:
        """Return whether a model with grenades sees a unit within this distance."""
        from engine.w40k.activation.champion import throwers

        return bool(throwers(self._game, unit, target, inches))

    # objective markers, markers and terrain

    def markers_in_range(self, unit: Unit) -> tuple[str, ...]:
        """Return the names of the objective markers within whose range the unit is."""
        field = self._game.field
        return tuple(
            name
            for name, each in self._game.state.position.objectives.items()
            if field.in_range_of(unit, each).any()
        )

    def left_marker(self, unit: Unit) -> bool:
        """Return whether the unit is out of range of a marker that it began its turn at. Rule: R.A84."""
        began = unit.marks.names("began-at")
        now = self.markers_in_range(unit)
        return any(name not in now for name in began if name in self._game.state.position.objectives)

    def can_spread(self, unit: Unit, rule: str, *zones: str) -> bool:
        """Return whether the unit may join those doing an action, each at a marker of its own.

        Markers count that stand in the zones named, or anywhere.
        """
        units = [u for u in self._game.state.position.on_table() if u.marks.get("action", "") == rule]
        return self._are_spread([*units, unit], self._markers(*zones))

    def signal_is_free(self, seat: str) -> bool:
        """Return whether three markers without a Horde unit in range have a unit of the player's each.

        Rule: SECRET.25.
        """
        field = self._game.field
        horde = self._game.state.position.on_table("horde")
        free = [o for o in self._markers() if not any(field.in_range_of(u, o).any() for u in horde)]
        own = [u for u in self._game.state.position.on_table("players") if u.player == seat]
        return any(self._are_spread(list(trio), free) for trio in combinations(own, 3))

    def _markers(self, *zones: str) -> list[Objective]:
        return [
            o for o in self._game.state.position.objectives.values() if not zones or o.facts.zone in zones
        ]

    def _are_spread(self, units: list[Unit], markers: list[Objective]) -> bool:
        """Return whether each unit can be given a marker within whose range it is, no two the same."""
        if not units:
            return True
        field = self._game.field
        near = [o for o in markers if field.in_range_of(units[0], o).any()]
        return any(self._are_spread(units[1:], [o for o in markers if o is not each]) for each in near)

    def kind_of(self, marker: Marker) -> str:
        """Return what kind of marker it is."""
        return marker.kind

    def is_area(self, terrain: TerrainFacts) -> bool:
        """Return whether a terrain piece is area terrain."""
        return terrain.kind in AREA_TERRAIN

    def units_near(self, inches: float, marker: Marker) -> tuple[str, ...]:
        """Return the names of the units within this distance of a marker."""
        return tuple(
            unit.id for unit in self._game.state.position.on_table() if self._near(unit, inches, marker)
        )

    def first_near(self, unit: Unit, inches: float, marker: Marker) -> bool:
        """Return whether this marker is the first of its kind within this distance of the unit."""
        for each in self._game.state.position.markers.values():
            if each.kind == marker.kind and self._near(unit, inches, each):
                return each.id == marker.id
        return False

    def engaged_near(self, unit: Unit, inches: float, objective: Objective) -> bool:
        """Return whether an enemy within engagement range of the unit is within this distance of a marker."""
        return any(self._near(foe, inches, objective) for foe in self._game.field.engaged_with(unit))

    def _near(self, unit: Unit, inches: float, thing: Marker | Objective) -> bool:
        gaps = self._game.field.gap_to_disc(unit, thing.at, self._game.ruleset.parameters.marker_radius)
        return bool(within_inches(gaps, inches).any())

    # models that have just fallen

    def is_last(self, model: Model) -> bool:
        """Return whether no model of this one's part of its unit is left."""
        unit = self._game.state.position.units[model.unit]
        return all(self._game.state.position.models[row].facts.part != model.facts.part for row in unit.rows)

    def fell_in_zone(self, model: Model, kind: str) -> bool:
        """Return whether a model was last within a zone of this kind."""
        where = self._game.field.outlines((model.row,))
        zones = [zone.polygon for zone in self._game.state.position.zones.values() if zone.kind == kind]
        return any(bool(base_touches(polygon, where).any()) for polygon in zones)

    def fell_engaged(self, model: Model, unit: Unit) -> bool:
        """Return whether a model was last within engagement range of a unit."""
        field = self._game.field
        apart = gaps(field.outlines((model.row,)), field.outlines(unit.rows))
        return bool((apart <= self._game.ruleset.parameters.engagement + TOLERANCE).any())


def _name(thing: Any) -> str:
    if isinstance(thing, str):
        return thing
    return str(thing.facts.id if isinstance(thing, Objective) else thing.id)
