"""What the rules in force give a unit beyond the printed: numbers, permissions, keywords.

Cards are among these rules. This is the one place where the referee asks the game's own machinery: rule
records are data, and reading them twice would prove nothing. Positions are judged elsewhere, from the log
alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.audit.referee.sightline import Line
from engine.core import event as ev
from engine.core.facts import HORDE, WeaponFacts
from engine.core.state import State, Unit
from engine.records.query import Query
from engine.w40k.ground.leave import Leave
from engine.w40k.ground.tabletop import Tabletop

if TYPE_CHECKING:
    from engine.records.rulebook import Rulebook
    from engine.w40k.battle import Battle
from engine.w40k.edition import Edition


class Allowance:
    """The rules in force over a state that goes on changing."""

    def __init__(self, state: State, ruleset: Edition[Battle], rulebook: Rulebook) -> None:
        """Ask the records of this rulebook."""
        self.state = state
        self.ruleset = ruleset
        self.rulebook = rulebook
        self.query = Query(self, ruleset.language, float(ruleset.parameters.roll_cap))
        self.field = Tabletop(state.position, ruleset.parameters, self.query)

    def heed(self, event: ev.Event) -> None:
        """Notice an event that has just been carried out, as it may change which rules are in force."""
        if self.query.heed(event):
            self.field.forget()

    def move(self, unit: Unit, row: int) -> float:
        """Return how far a model may go in a Normal move. Rule: CORE.DICE.5, AI.SCOUT"""
        model = self.state.position.models[row]
        printed = model.facts.characteristics.get("M", 0)
        number = self.query.number("unit.move", printed, unit=unit, model=model).value
        return float(number) + self._scouts(unit)

    def _scouts(self, unit: Unit) -> float:
        fresh = unit.side == HORDE and "spawned" in unit.marks
        ability = self.query.has_ability(unit, "scouts") if fresh else ""
        return float(ability.split()[-1].rstrip('"')) if ability else 0.0

    def control(self, unit: Unit, row: int) -> float:
        """Return how much a model counts for the control of a marker. Rule: CORE.OBJ.1"""
        model = self.state.position.models[row]
        printed = model.facts.characteristics.get("OC", 0)
        return float(self.query.number("model.oc", printed, unit=unit, model=model).value)

    def carries(self, unit: Unit, row: int, keyword: str, *, every: bool) -> bool:
        """Return whether a model's guns have a keyword, printed or granted: every one, or any."""
        places = self.state.position.models[row].facts.weapons
        guns = [place for place in places if not unit.weapon(place).is_melee]
        found = [keyword in self.query.weapon_keywords(unit, row, place) for place in guns]
        return all(found) if every else any(found)

    def arrival(self, unit: Unit, enemy: Unit, inches: float) -> float:
        """Return how far a unit that arrives keeps from an enemy. Rule: CORE.RES.2, CORE.RES.5"""
        return self.query.value("unit.arrival-distance", inches, unit=unit, target=enemy)

    def may(self, question: str, unit: Unit, **names: str) -> bool:
        """Return whether the unit is permitted something."""
        return self.query.may(question, unit=unit, **names)

    def leave(self, unit: Unit, kind: str) -> Leave:
        """Return what the unit may move through in a move of this kind."""
        return self.field.leave(unit, kind)

    def change(self, number: str, unit: Unit, targets: tuple[str, ...] = ()) -> int:
        """Return what is added to a roll of the unit, for a charge at these targets."""
        return int(self.query.number(number, 0, unit=unit, targets=targets).value)

    def reach(self, unit: Unit, weapon: WeaponFacts) -> float:
        """Return how far a weapon reaches; 0 in melee."""
        return self.query.reach(unit, weapon)

    def may_be_targeted(self, unit: Unit, row: int, target: Unit) -> bool:
        """Return whether the rules in force let a model of a unit target another unit."""
        model = self.state.position.models[row]
        return self.query.may("be-targeted", target=target, attacker=unit, model=model)

    def may_shoot_into_combat(self, unit: Unit, target: Unit, weapon: WeaponFacts) -> bool:
        """Return whether a rule in force lifts what bars shots at a target in combat."""
        return self.query.may("shoot-into-combat", attacker=unit, target=target, weapon=weapon)

    def granted(self, unit: Unit, keyword: str) -> bool:
        """Return whether a rule in force gives the unit a keyword that is not printed."""
        return self.query.granted_keyword(unit, keyword)

    def looks_through_terrain(self, unit: Unit) -> bool:
        """Return whether terrain hides nothing from the unit."""
        return not self.query.may("sight-blocked", unit=unit)

    def has_ability(self, unit: Unit, ability: str) -> bool:
        """Return whether the unit has a core ability, printed or granted."""
        return bool(self.query.has_ability(unit, ability))

    def line_of_the_game(self, unit: Unit, row: int, other: Unit, target: int) -> Line | None:
        """Return the clear line in space that the game has; the referee still has to check it."""
        return self.field.sight(unit, other).line(unit.rows.index(row), other.rows.index(target))
