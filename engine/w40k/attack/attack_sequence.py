"""The attack sequence: hit, wound, allocate, save, damage.

Shooting, fighting and every other attack use it. Attacks that are alike are rolled together; the outcome
equals rolling them one by one (CORE.ATK.8). The single rolls are `hit`, `wound` and `save`; what a lost wound
leads to is `damage`'s.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from engine.core import event as ev
from engine.core.event import Shot
from engine.core.request import Choose, Chosen, Option, Steps
from engine.core.state import Model, Unit
from engine.records.question import Number
from engine.w40k.activation.amount import parts
from engine.w40k.activation.throw import Throw, offer_again
from engine.w40k.attack.blow import Blow, allocate, damage, fail_save
from engine.w40k.attack.critical import by_hit, by_wound
from engine.w40k.attack.damage import (
    allocation_order,
    lose_wounds,
    mortal_wounds,
    next_to_suffer,
    remember_allocation,
)
from engine.w40k.attack.fallen import stands
from engine.w40k.attack.hazard import suffer_hazards
from engine.w40k.attack.hit import Hits, roll_hits
from engine.w40k.attack.outcome import Outcome, living, outcome
from engine.w40k.attack.saving_throw import Shelter, armour_piercing, roll_save
from engine.w40k.attack.volley import Volley, group
from engine.w40k.attack.wound import Wounds, roll_wounds

if TYPE_CHECKING:
    from engine.w40k.battle import Battle


def precise(battle: Battle, volley: Volley) -> Steps[tuple[int, ...]]:
    """Ask the attacker on which CHARACTER to put the next wound; return its row, if any.

    Each wound asks anew. Rule: CORE.WPN.PREC.
    """
    if not volley.has("precision"):
        return ()
    living = [row for row in volley.leaders if battle.state.position.models[row].alive]
    if not living or not volley.target.is_attached:
        return ()
    answer = yield Choose(
        seats=(volley.attacker.player,),
        rule="CORE.WPN.PREC",
        decision="precision",
        prompt=f"Precision: does {volley.weapon.name} wound a leader of {volley.target.name}?",
        unit=volley.attacker.id,
        options=tuple(
            Option(id=str(row), label=battle.state.position.models[row].facts.name) for row in living
        ),
        minimum=0,
    )
    assert isinstance(answer, Chosen)
    return tuple(int(row) for row in answer.ids)


def resolve(battle: Battle, attacker: Unit, shots: tuple[Shot, ...], melee: bool) -> Steps[Outcome]:
    """Carry out all declared attacks of a unit; return what came of them.

    Mortal wounds and Hazardous tests come after all attacks. Rule: CORE.SHOOT.2, CORE.SHOOT.3.
    """
    before = living(battle, tuple(shot.target for shot in shots))
    volleys = group(battle, attacker, shots, melee)
    devastating: list[tuple[int, Volley, int]] = []
    attacked: list[ev.Attacked] = []
    felled: list[tuple[int, ...]] = []
    allocated: Counter[int] = Counter()
    for volley in volleys:
        if stands(battle, volley.target):
            rows = volley.target.rows
            pieces, made = yield from _volley(battle, volley, allocated)
            devastating += [(len(attacked), *piece) for piece in pieces]
            attacked.append(made)
            felled.append(_gone(rows, volley.target))
    for place, piece, count in devastating:
        rows = piece.target.rows
        yield from _devastate(battle, piece, count)
        felled[place] += _gone(rows, piece.target)
    yield from suffer_hazards(battle, attacker, volleys)
    return outcome(battle, tuple(attacked), before, allocated, tuple(felled))


def _gone(rows: tuple[int, ...], unit: Unit) -> tuple[int, ...]:
    """Return which of these models of a unit live no longer."""
    return tuple(row for row in rows if row not in unit.rows) if len(rows) > len(unit.rows) else ()


def _volley(
    battle: Battle, volley: Volley, allocated: Counter[int]
) -> Steps[tuple[list[tuple[Volley, int]], ev.Attacked]]:
    """Carry out a volley up to its damage; return its devastating wounds and its attacks.

    Its attacks are `allocated` to rows.
    """
    attacks = yield from number_of_attacks(battle, volley)
    hits = yield from roll_hits(battle, volley, attacks)
    made = Made(attacks, hits)
    for part, some in by_hit(battle, volley, hits):
        rolled = yield from roll_wounds(battle, part, some)
        for piece, wounds in by_wound(battle, part, rolled):
            ap = armour_piercing(battle, piece)
            unsaved = 0
            if wounds.count:
                unsaved = yield from _save_and_damage(battle, piece, wounds.count, ap, allocated)
            made.add(piece, wounds, unsaved, ap.trail)
    told = made.told(volley)
    battle.log(told, "CORE.ATK.1")
    return made.devastating, told


class Made:
    """The attacks of a volley, as their parts are carried out."""

    def __init__(self, attacks: int, hits: Hits) -> None:
        """Begin with what was rolled to hit."""
        self.devastating: list[tuple[Volley, int]] = []
        self._attacks, self._hits = attacks, hits
        self._wounds = self._critical = self._unsaved = 0
        self._trails: list[ev.NumberTrail | None] = [hits.trail]

    def add(self, part: Volley, wounds: Wounds, unsaved: int, ap: ev.NumberTrail) -> None:
        """Count the wounds of a part of the volley."""
        self.devastating.append((part, wounds.devastating))
        self._wounds += wounds.count
        self._critical += wounds.critical
        self._unsaved += unsaved
        for trail in (wounds.trail, ap if wounds.count else None):
            if trail not in self._trails:
                self._trails.append(trail)

    def told(self, volley: Volley) -> ev.Attacked:
        """Return the event that tells of all of them."""
        return ev.Attacked(
            unit=volley.attacker.id,
            target=volley.target.id,
            weapon=volley.weapon.name,
            models=volley.models,
            attacks=self._attacks,
            hits=self._hits.count,
            critical_hits=self._hits.critical,
            wounds=self._wounds,
            critical_wounds=self._critical,
            unsaved=self._unsaved,
            trails=tuple(trail for trail in self._trails if trail),
        )


def number_of_attacks(battle: Battle, volley: Volley) -> Steps[int]:
    """Return how many attacks are made: rolled for each weapon, and at least one of each.

    Nothing changes the number of attacks of Extra Attacks.
    Rule: CORE.SHOOT.8, CORE.WPN.RF, CORE.WPN.BLAST, CORE.WPN.EXTRA, CORE.DICE.5, CORE.STR.1.
    """
    count, sides, added = parts(volley.weapon.attacks)
    models = len(volley.models)
    dice: tuple[int, ...] = ()
    if count:
        rolled = list(battle.roll("attacks", count * models, sides, unit=volley.attacker.id))
        throw = Throw(
            "attacks",
            volley.attacker,
            rolled,
            lambda total: total < count * sides,
            count,
            sides,
            weapon=volley.weapon.name,
        )
        dice = yield from offer_again(battle, throw)
    more = volley.extra(battle, "rapid fire", models) if volley.near else [0] * models
    each = added + (volley.size // 5 if volley.has("blast") else 0)
    if not volley.has("extra attacks"):
        each += int(battle.query.number("weapon.attacks-modifier", 0, **volley.context).value)
    return sum(max(1, sum(dice[i * count : (i + 1) * count]) + more[i] + each) for i in range(models))


def _save_and_damage(
    battle: Battle, volley: Volley, wounds: int, ap: Number, allocated: Counter[int]
) -> Steps[int]:
    """Allocate each wound, save and damage; return how many were not saved.

    Rule: CORE.ATK.2, CORE.ATK.3, CORE.ATK.4, CORE.ATK.5.
    """
    target, unsaved = volley.target, 0
    shelter = Shelter(battle, volley, ap)
    order: list[int] = []
    model: Model | None = None
    for _ in range(wounds):
        chosen = yield from precise(battle, volley)
        if not chosen and not order:
            order = yield from allocation_order(battle, target)
        model = next_to_suffer(battle, target, order, chosen)
        if model is None:
            break
        allocated[model.row] += 1
        blow = yield from allocate(battle, volley, model)
        if not (yield from roll_save(battle, volley, model, ap, shelter)):
            unsaved += 1
            yield from fail_save(battle, volley, model, blow)
            amount, trail = yield from damage(battle, volley, model, blow, model.wounds)
            yield from lose_wounds(
                battle,
                target,
                model,
                amount,
                by=volley.attacker.id,
                credit=volley.credit,
                dealer=volley.dealer,
                cause="CORE.ATK.5",
                melee=volley.melee,
                trail=trail,
                weapon=volley.weapon,
            )
        if not chosen and model.alive:
            remember_allocation(battle, target, model)
    return unsaved


def _devastate(battle: Battle, volley: Volley, count: int) -> Steps[None]:
    """Inflict the mortal wounds of critical wounds, after all normal damage.

    They do not spill over. Rule: CORE.WPN.DEV, CORE.ATK.6, CORE.WPN.PREC.
    """
    order: list[int] = []
    for _ in range(count):
        if not stands(battle, volley.target):
            return
        chosen = yield from precise(battle, volley)
        if not chosen and not order:
            order = yield from allocation_order(battle, volley.target)
        enough = max((m.wounds for m in battle.state.position.alive(volley.target)), default=0)
        model = next_to_suffer(battle, volley.target, order, chosen)
        blow = Blow() if model is None else (yield from allocate(battle, volley, model))
        amount, _ = yield from damage(battle, volley, model, blow, enough)
        yield from mortal_wounds(
            battle,
            volley.target,
            amount,
            by=volley.attacker.id,
            credit=volley.credit,
            dealer=volley.dealer,
            spill=False,
            cause="CORE.WPN.DEV",
            chosen=chosen,
            order=order,
            weapon=volley.weapon,
        )
