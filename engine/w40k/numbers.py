"""The names that rule records may use for numbers, permissions, moments and rolls.

A name that is not here is a fault of the file that uses it.
"""

from __future__ import annotations

from engine.core.event import Event, event_type

LOWER_IS_BETTER = frozenset(
    (
        "weapon.ap",
        "weapon.skill",
        "model.save",
        "model.invulnerable",
        "model.feel-no-pain",
        "unit.leadership",
        "attack.critical-hit",
        "attack.critical-wound",
    )
)
"""Numbers that an improvement makes smaller."""
NUMBERS = (
    "unit.move",
    "model.toughness",
    "model.save",
    "model.invulnerable",
    "model.feel-no-pain",
    "model.oc",
    "unit.leadership",
    "unit.battle-shock-dice",
    "unit.battle-shock-modifier",
    "roll.advance-modifier",
    "roll.charge-modifier",
    "attack.hit-modifier",
    "attack.wound-modifier",
    "attack.reroll-hit",
    "attack.reroll-wound",
    "attack.reroll-invulnerable",
    "attack.critical-hit",
    "attack.critical-wound",
    "attack.minimum-hit",
    "weapon.attacks-modifier",
    "weapon.strength",
    "weapon.ap",
    "weapon.damage-modifier",
    "weapon.skill",
    "spawn.modifier",
    "misery.draws",
    "supply.income",
    "buy.price",
)
CAPPED = ("attack.hit-modifier", "attack.wound-modifier")
"""Numbers that the edition caps in total. Rule: CORE.DICE.3."""
FLOORS: dict[str, float] = {
    "unit.move": 0,
    "model.toughness": 1,
    "model.save": 2,
    "model.oc": 0,
    "unit.leadership": 4,
    "weapon.strength": 1,
    "weapon.skill": 2,
    "misery.draws": 0,
    "buy.price": 0,
}
"""Below these no modifier brings a number. Rule: CORE.DICE.5."""
CEILINGS: dict[str, float] = {"weapon.ap": 0}
"""Above these no modifier brings a number. Rule: CORE.DICE.5."""
BESTOWED = "under:"
"""How the marks begin that put a rule in force on a unit for a while; the rule's id follows."""
ENHANCED = "enhancement:"
"""How the marks begin that give a model of a unit, by its row, an enhancement; its rule's id is the value."""
QUESTIONS: dict[str, bool] = {
    "shoot-after-advance": False,
    "charge-after-advance": False,
    "shoot-after-fall-back": False,
    "charge-after-fall-back": False,
    "sight-blocked": True,
    "use-stratagems": True,
    "spend-cp": True,
    "buy": True,
    "gain-cover": True,
    "battle-shock-auto-fail": False,
    "battle-shock-auto-pass": False,
    "charge-bonus": True,
    "fire": True,
    "fight-on-death": False,
    "reroll-advance": False,
    "battle-shock-everyone": False,
    "control": True,
    "fall-back": True,
    "spend-sp": True,
}
"""Every question of permission with the answer where no rule speaks."""
SPECIAL_MOMENTS = (
    "step-began",
    "revealed",
    "start-of-round",
    "end-of-round",
    "end-of-battle",
    "success",
    "failure",
    "completed",
)
"""Moments beside the names of events: those of a round, of a mission that is counted up, of an action."""


def _kinds() -> tuple[str, ...]:
    event_type()
    return tuple(kind.__struct_config__.tag for kind in Event.__subclasses__())  # type: ignore[misc]


MOMENTS = (*_kinds(), *SPECIAL_MOMENTS)
ROLLS = (
    "advance",
    "charge",
    "battle-shock",
    "spawn-bracket",
    "hit",
    "wound",
    "save",
    "damage",
    "feel-no-pain",
    "desperate-escape",
    "hazardous",
)
