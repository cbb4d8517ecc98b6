"""The verbs about single attacks and weapons: the damage of an attack, one gun of a unit.

The verbs of every day are `engine.w40k.verbs.effects`'s.
"""

from __future__ import annotations

from engine.core.marks import lasting
from engine.core.request import Choose, Chosen, Option, Steps
from engine.core.state import Unit
from engine.records.language import Act, verb
from engine.w40k.activation.amount import mean, mean_strength
from engine.w40k.activation.unit_choice import mark
from engine.w40k.attack.blow import Blow
from engine.w40k.battle import Battle


@verb(writes="blow")
def change_damage(battle: Battle, act: Act, damage: int) -> None:
    """Change the Damage of the attack that was just allocated. Rule: CORE.DICE.5"""
    blow = act.context["blow"]
    if isinstance(blow, Blow):
        blow.damage, blow.cause = int(damage), act.cause


@verb(clause="DATASHEET.gift-of-the-iron-wolf", mark_at=1, span_at=2)
def name_gun(battle: Battle, act: Act, unit: Unit, key: str, until: str) -> Steps[None]:
    """Mark a unit with the name of one of its ranged weapons, as the rule's owner picks."""
    places = {place for model in battle.state.position.alive(unit) for place in model.facts.weapons}
    guns = [unit.weapon(place) for place in sorted(places) if not unit.weapon(place).is_melee]
    guns.sort(key=lambda gun: -mean_strength(gun.strength) * mean(gun.damage))
    names = tuple(dict.fromkeys(gun.name.partition(" - ")[0] for gun in guns))
    if len(names) > 1:
        answer = yield Choose(
            seats=(unit.player,),
            rule=act.cause,
            decision="gun",
            prompt=f"Which ranged weapon of {unit.name} does it improve?",
            unit=unit.id,
            options=tuple(Option(id=name, label=name) for name in names),
        )
        assert isinstance(answer, Chosen)
        names = answer.ids
    if names:
        mark(battle, unit, key, names[0], lasting(until, act.side), act.cause)
