"""When passengers get out of a transport, and which of them fire from its Firing Deck.

Owns AI.DIS.1 to AI.DIS.3. Free places come from `ai.moving.placement`; nothing sends a unit aboard.
"""

from __future__ import annotations

from msgspec.structs import replace

from ai.moving.placement import Poses, beside
from ai.reasons.clause import carries_out
from ai.reasons.condition import (
    BEYOND_CHARGE,
    DECK_SUFFICES,
    NO_MAJORITY,
    NO_ROOM,
    NONE_VISIBLE,
    TRANSPORT_MOVED,
    WEAKER,
)
from ai.reasons.inquiry import Inquiry, most, outcome
from ai.reckoning.armament import good_fighters, guns, is_charger, is_side_arm, primary_gun
from ai.reckoning.expectation import models_of
from engine.core.facts import WeaponFacts
from engine.core.request import Because, Choose, Chosen, Place, Places
from engine.core.state import Unit
from engine.w40k.activation.amount import mean, mean_strength
from engine.w40k.activation.transport import STAY_OUT
from engine.w40k.ground.aircraft import opponents
from engine.w40k.view import View
from geometry.measure.distance import within

GET_OUT = "disembark"


def disembark(view: View, request: Place) -> Places:
    """Return where a unit gets out of its transport, or that it stays aboard.

    Rule: AI.DIS.1 to AI.DIS.3, R.A38
    """
    unit, transport = view.unit(request.unit), view.unit(request.beside)
    if transport.where == "destroyed":
        reason = Because(clause="CORE.TRN.3", reason=f"{transport.name} is destroyed.", target=transport.id)
        return Places(poses=beside(view, request) or {}, because=(reason,))
    if not request.optional:
        at_once = Because(
            clause=request.rule,
            reason=f"It gets out of {transport.name} at once.",
            target=transport.id,
            ruling="R.A114",
        )
        outside = outside_zones(view, replace(request, optional=True), unit)
        return Places(poses=outside or beside(view, request) or {}, because=(at_once,))
    asked = Inquiry()
    why = _reason(view, unit, transport, asked)
    if why is None:
        stays = "It would neither shoot more nor be able to charge."
        because = Because(clause="AI.DIS.1", reason=stays, target=transport.id)
        return Places(because=(because,), passed=asked.passed)
    poses = outside_zones(view, request, unit)
    if not poses:
        full = f'There is no place for all of it within {request.within:g}" of {transport.name}.'
        candidates = (outcome(GET_OUT, NO_ROOM),)
        stays_in = Because(clause="AI.DIS.3", reason=full, candidates=candidates, ruling="R.A42")
        return Places(because=(why, stays_in), passed=asked.passed)
    return Places(poses=poses, because=(why,), passed=asked.passed)


def _reason(view: View, unit: Unit, transport: Unit, asked: Inquiry) -> Because | None:
    """Return why a unit gets out, None if nothing sends it. Rule: R.A38"""
    if "moved" in transport.marks and view.ruling("ai.disembark.when") == "before":
        asked.failed("AI.DIS.1", GET_OUT, TRANSPORT_MOVED)
        return None
    why = to_shoot(view, unit, transport, asked)
    if why is None and "moved" not in transport.marks:
        return to_charge(view, unit, transport, asked)
    if why is None:
        asked.failed("AI.DIS.2", GET_OUT, TRANSPORT_MOVED)
    return why


@carries_out("AI.DIS.3")
def outside_zones(view: View, request: Place, unit: Unit) -> Poses:
    """Return places to get out at, for the Horde outside its spawning zones.

    Rule: AI.DIS.3, R.A41, R.A42
    """
    zones = tuple(view.field.spawn_zones()) if unit.side == "horde" else ()
    return beside(view, request, zones) or {}


@carries_out("AI.DIS.1")
def to_shoot(view: View, unit: Unit, transport: Unit, asked: Inquiry) -> Because | None:
    """Return a reason if more guns aboard have a target than may fire from the Firing Deck.

    One of these guns must be the unit's own; side-arms do not count. Sight and range are the hull's. By the
    default ruling the range is longer by the inches within which the unit gets out.

    Rule: AI.DIS.1, R.A37, R.A40
    """
    look = view.field.outlook(transport)
    seen = look.visible.any(axis=0)
    if not seen.any():
        asked.failed("AI.DIS.1", GET_OUT, NONE_VISIBLE)
        return None
    nearest = float(look.gaps[:, seen].min())
    if view.ruling("ai.disembark.reach") == "hull_and_three":
        nearest -= view.parameters.boarding
    aboard = {rider.id: _guns(view, rider) for rider in view.passengers(transport)}
    armed = {
        name: [gun for gun in own if within(nearest, view.reach(view.unit(name), gun))]
        for name, own in aboard.items()
    }
    if view.ruling("ai.disembark.deck") == "all":
        armed = {name: aboard[name] if found else [] for name, found in armed.items()}
    deck, own, found = view.firing_deck(transport), len(armed[unit.id]), sum(map(len, armed.values()))
    if not own or found <= deck:
        asked.failed("AI.DIS.1", GET_OUT, DECK_SUFFICES, found if own else 0, deck)
        return None
    whose = (
        f"{found} of its guns" if own == found else f"{own} of its guns and {found - own} of others aboard"
    )
    return Because(
        clause="AI.DIS.1",
        reason=f"{whose} would have a target; {deck} can fire from {transport.name}.",
        target=look.units[int((look.gaps + 1e9 * ~look.visible).min(axis=0).argmin())],
        candidates=(outcome(GET_OUT, "", found, deck),),
        ruling="R.A40",
    )


def _guns(view: View, unit: Unit) -> list[WeaponFacts]:
    """Return the guns of a unit that are no side-arms."""
    return [
        weapon
        for model in models_of(unit)
        for weapon in (unit.weapon(i) for i in guns(unit, model))
        if not is_side_arm(view, unit, model, weapon)
    ]


@carries_out("AI.DIS.2")
def to_charge(view: View, unit: Unit, transport: Unit, asked: Inquiry) -> Because | None:
    """Return a reason if it would charge and could come near enough to. Rule: AI.DIS.2, R.A39"""
    if not is_charger(view, unit):
        asked.failed("AI.DIS.2", GET_OUT, NO_MAJORITY, good_fighters(view, unit), most(len(unit.rows)))
        return None
    near = [(view.gap(transport, enemy), enemy.id) for enemy in opponents(view.field, unit)]
    far = (
        min(view.move_limits(unit).values(), default=0.0)
        + view.parameters.boarding
        + view.parameters.charge_range
    )
    if not near or not within(min(near)[0], far):
        asked.failed("AI.DIS.2", GET_OUT, BEYOND_CHARGE, min(near)[0] if near else None, far)
        return None
    apart, name = min(near)
    return Because(
        clause="AI.DIS.2",
        reason=f"Out of {transport.name} it can come within charge range of {view.unit(name).name}, "
        f'{apart:.2f}" away.',
        target=name,
        candidates=(outcome(GET_OUT, "", apart, far),),
        ruling="R.A39",
    )


def crew(view: View, request: Choose) -> Chosen:
    """Return the models that fire from the deck: as many as may, the strongest guns first.

    Rule: AI.0, CORE.TRN.5
    """
    force = {option.id: _force(view, int(option.id)) for option in request.options}
    rows = sorted(force, key=lambda row: (-force[row], int(row)))[: request.maximum]
    order = sorted(force, key=lambda row: (-force[row], int(row)))
    because = Because(
        clause="AI.0",
        reason="As many as may fire from it do, the strongest guns first.",
        candidates=tuple(outcome(row, "" if row in rows else WEAKER, force[row]) for row in order),
    )
    return Chosen(ids=tuple(sorted(rows, key=int)), because=(because,))


def _force(view: View, row: int) -> float:
    model = view.model(row)
    unit = view.unit(model.unit)
    gun = primary_gun(view, unit, model.facts)
    if gun is None:
        return 0.0
    weapon = unit.weapon(gun)
    return mean(weapon.attacks) * mean(weapon.damage) * mean_strength(weapon.strength)


def stay_out() -> Chosen:
    """Return that a unit does not embark: nothing sends it aboard."""
    because = Because(clause="AI.0", reason="Nothing sends it aboard.", candidates=(outcome(STAY_OUT),))
    return Chosen(ids=(STAY_OUT,), because=(because,))
