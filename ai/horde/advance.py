"""Whether it pays for a Horde unit to Advance.

Owns AI.ADV.1 to AI.ADV.4. The normal move that it is weighed against is planned by `ai.horde.movement`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from ai.reasons.clause import carries_out
from ai.reasons.condition import (
    COULD_CHARGE,
    COULD_SHOOT,
    GIVES_UP_GUNS,
    MAY_NOT_ACT_AFTER,
    NO_GUN,
    NOT_ALL_ASSAULT,
)
from ai.reasons.inquiry import Inquiry, outcome
from ai.reckoning.armament import guns, is_charger, is_side_arm
from ai.reckoning.expectation import models_of
from engine.core.facts import ModelFacts, WeaponFacts
from engine.core.request import Because, Candidate
from engine.core.state import Unit
from engine.w40k.attack.eligibility import LONE_OPERATIVE_RANGE
from engine.w40k.ground.aircraft import opponents
from engine.w40k.view import View
from geometry.measure.body import Bodies
from geometry.measure.distance import distances, within
from geometry.shape.base import Bools, Floats
from geometry.shape.cached import cached_property
from geometry.tolerance import TOLERANCE

ADVANCE = "advance"


def reason_to_advance(
    view: View, unit: Unit, limits: Mapping[int, float], ends: Callable[[], Bodies], asked: Inquiry
) -> tuple[Because, ...]:
    """Return why the unit Advances; nothing if it does not.

    `ends` gives the models after a normal move within these limits; it is asked only if that matters.
    """
    because = all_assault(view, unit, asked) or acts_after_advance(view, unit, asked)
    if because is not None:
        return (because,)
    after = Afterwards(view, unit, limits, ends)
    return nothing_to_shoot(after, asked) or only_side_arms(after, asked)


@carries_out("AI.ADV.1")
def all_assault(view: View, unit: Unit, asked: Inquiry) -> Because | None:
    """Return a reason if every model with a gun has an Assault weapon. Rule: AI.ADV.1, R.A31"""
    armed = [model for model in models_of(unit) if guns(unit, model)]
    every = view.ruling("ai.advance.assault") == "weapons"
    if not armed or not all(_has_assault(view, unit, model, every) for model in armed):
        bearers = sum(_has_assault(view, unit, model, every) for model in armed)
        asked.failed("AI.ADV.1", ADVANCE, NOT_ALL_ASSAULT if armed else NO_GUN, bearers, len(armed))
        return None
    reason = "Every model with a ranged weapon carries an Assault weapon."
    return _because("AI.ADV.1", reason, len(armed), len(armed))


def _because(clause: str, reason: str, measured: float | None = None, needed: float | None = None) -> Because:
    return Because(clause=clause, reason=reason, candidates=(outcome(ADVANCE, "", measured, needed),))


def _has_assault(view: View, unit: Unit, model: ModelFacts, every: bool) -> bool:
    """Return whether a model's guns have Assault: any of them, or every one."""
    found = ["assault" in view.weapon_keywords(unit, model.row, i) for i in guns(unit, model)]
    return all(found) if every else any(found)


@carries_out("AI.ADV.2")
def acts_after_advance(view: View, unit: Unit, asked: Inquiry) -> Because | None:
    """Return a reason if the unit may Advance and still shoot or charge. Rule: AI.ADV.2, R.A35"""
    for question, what in (("shoot-after-advance", "shoot"), ("charge-after-advance", "declare a charge")):
        if view.may(question, unit=unit):
            return _because("AI.ADV.2", f"It may Advance and still {what}.")
    asked.failed("AI.ADV.2", ADVANCE, MAY_NOT_ACT_AFTER)
    return None


class Afterwards:
    """What a unit could do from where a normal move would bring it. Rule: R.A32"""

    def __init__(
        self, view: View, unit: Unit, limits: Mapping[int, float], ends: Callable[[], Bodies]
    ) -> None:
        """Take how far each model may go, and what gives the models where they would end.

        `ends` gives each with its place, its height and its facing.
        """
        self.view = view
        self.unit = unit
        self.ends = ends
        self.look = view.field.outlook(unit)
        self.limit = np.array([limits.get(row, 0.0) for row in unit.rows])
        self._armed: list[tuple[ModelFacts, int]] | None = None

    @cached_property
    def own(self) -> Bodies:
        """Return the unit's models where they would end."""
        return self.ends()

    @cached_property
    def gaps(self) -> Floats:
        """Return how far from its enemies' models each would end."""
        return distances(self.own, self.view.field.bodies(self.look.rows))

    def _may_come_within(self, reach: float) -> Bools:
        """Return which models could end within `reach` inches of an enemy on a straight way."""
        nearest = self.look.gaps.min(axis=1, initial=np.inf)
        return np.asarray(within(nearest - self.limit, reach + TOLERANCE))

    @cached_property
    def _legal(self) -> Bools:
        return np.array([self._may_be_shot(name) for name in self.look.units], dtype=bool)

    def _may_be_shot(self, name: str) -> bool:
        enemy = self.view.unit(name)
        if enemy.has("MONSTER") or enemy.has("VEHICLE"):
            return True
        return not self.view.is_engaged(enemy)

    def can_charge(self) -> bool:
        """Return whether the unit charges, and would be within 12" of an enemy that it may charge.

        Rule: CORE.CHG.5
        """
        far = self.view.parameters.charge_range
        if not (is_charger(self.view, self.unit) and self._may_come_within(far).any()):
            return False
        return bool(within(self.nearest(), far))

    def nearest(self) -> float:
        """Return the distance to the closest enemy that it could charge from there. Rule: CORE.CHG.5"""
        foes = {enemy.id for enemy in opponents(self.view.field, self.unit)}
        return float(self.gaps[:, [name in foes for name in self.look.units]].min(initial=np.inf))

    def prospect(self) -> Candidate:
        """Return why the unit does not Advance: a charge that it could make, else guns with targets."""
        if self.can_charge():
            return outcome(ADVANCE, COULD_CHARGE, self.nearest(), self.view.parameters.charge_range)
        return outcome(ADVANCE, COULD_SHOOT, len(self.guns_with_targets()) + len(self.deck), 0)

    def guns_with_targets(self) -> list[tuple[ModelFacts, int]]:
        """Return the guns, by model and place, that would have a legal target."""
        if self._armed is None:
            self._armed = [
                (model, i)
                for k, model in enumerate(models_of(self.unit))
                for i in guns(self.unit, model)
                if self._has_target(k, self.unit, self.unit.weapon(i))
            ]
        return self._armed

    @cached_property
    def deck(self) -> list[bool]:
        """Return whether an Advance costs a gun, for each model that could fire from the deck.

        Neither a side-arm nor an Assault weapon is such a gun. The list is empty where the deck is too small
        for all such guns: their bearers would rather get out. Rule: CORE.TRN.5, R.A40
        """
        size = self.view.firing_deck(self.unit)
        able: list[list[bool]] = []
        for rider in self.view.passengers(self.unit) if size else ():
            for model in models_of(rider):
                found = [i for i in guns(rider, model) if self._has_target(0, rider, rider.weapon(i))]
                able += [[_is_lost(self.view, rider, model, i) for i in found]] if found else []
        if sum(map(sum, able)) > size:
            return []
        return sorted(map(any, able), reverse=True)[:size]

    def _has_target(self, k: int, whose: Unit, facts: WeaponFacts) -> bool:
        far = self.view.reach(whose, facts)
        if not self._may_come_within(far)[k]:
            return False
        reach = within(self.gaps[k], far) & self._legal & self._near_lone(k)
        if not reach.any():
            return False
        return facts.has("indirect fire") or bool((self._seen[k] & reach).any())

    def _near_lone(self, k: int) -> Bools:
        return np.asarray(within(self.gaps[k], LONE_OPERATIVE_RANGE) | ~self._alone)

    @cached_property
    def _alone(self) -> Bools:
        alone = [
            self.view.has_ability(self.view.unit(name), "lone operative")
            and not self.view.unit(name).is_attached
            for name in self.look.units
        ]
        return np.array(alone, dtype=bool)

    @cached_property
    def _seen(self) -> Bools:
        """Return which enemy models each model of the unit would see, (n, m).

        It looks only for those that could be shot at with the longest gun at hand.
        """
        carriers = [self.unit, *self.view.passengers(self.unit)]
        longest = max(self.view.reach(each, weapon) for each in carriers for weapon in each.facts.weapons)
        near = np.asarray(within(self.gaps, longest) & self._legal)
        own, rows = np.flatnonzero(near.any(axis=1)), np.flatnonzero(near.any(axis=0))
        found = np.zeros(near.shape, dtype=bool)
        there = tuple(self.look.rows[row] for row in rows.tolist())
        found[np.ix_(own, rows)] = self.view.field.screens.seen(self.unit, self.own.take(own.tolist()), there)
        return found


def _is_lost(view: View, unit: Unit, model: ModelFacts, weapon: int) -> bool:
    """Return whether an Advance gives up this gun and it is no side-arm. Rule: AI.ADV.4"""
    keeps = "assault" in view.weapon_keywords(unit, model.row, weapon)
    return not keeps and not is_side_arm(view, unit, model, unit.weapon(weapon))


@carries_out("AI.ADV.3")
def nothing_to_shoot(after: Afterwards, asked: Inquiry) -> tuple[Because, ...]:
    """Return the reason if after a normal move it could neither shoot nor charge. Rule: AI.ADV.3"""
    if after.can_charge() or after.guns_with_targets() or after.deck:
        asked.rejected("AI.ADV.3", (after.prospect(),))
        return ()
    reason = "After a normal move it could shoot at nothing and would have no reason to charge."
    return (_because("AI.ADV.3", reason, 0, 0),)


@carries_out("AI.ADV.4")
def only_side_arms(after: Afterwards, asked: Inquiry) -> tuple[Because, ...]:
    """Return the reasons if the unit cannot charge anyway and gives up only side-arms.

    Rule: AI.ADV.4, R.A33
    """
    if after.can_charge():
        asked.rejected("AI.ADV.4", (after.prospect(),))
        return ()
    own = after.guns_with_targets()
    given_up = sum(_is_lost(after.view, after.unit, model, i) for model, i in own) + sum(after.deck)
    if given_up:
        asked.failed("AI.ADV.4", ADVANCE, GIVES_UP_GUNS, given_up, 0)
        return ()
    reason = "It could not attempt a charge anyway, and gives up no more than side-arms."
    because = _because("AI.ADV.4", reason, 0, 0)
    kept = sum("assault" in after.view.weapon_keywords(after.unit, model.row, i) for model, i in own)
    side_arms = len(own) - kept + len(after.deck)
    return (_side_arms(side_arms), because) if side_arms else (because,)


def _side_arms(count: int) -> Because:
    """Return the reason that says how many of the guns given up are side-arms."""
    return _because("AI.SIDEARM", f"Of the guns with a target it gives up {count}, all side-arms.", count)
