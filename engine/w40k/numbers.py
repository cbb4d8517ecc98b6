"""The names of numbers, permissions, moments and rolls in the edition's rule records.

A name that neither the edition nor the mode enters is a fault of the file that uses it.
"""

from __future__ import annotations

from engine.records.language import NumberLimits

NUMBERS: dict[str, NumberLimits] = {
    "unit.move": NumberLimits(floor=0),
    "model.toughness": NumberLimits(floor=1),
    "model.save": NumberLimits(floor=2, lower_is_better=True),
    "model.invulnerable": NumberLimits(lower_is_better=True),
    "model.feel-no-pain": NumberLimits(lower_is_better=True),
    "model.last-attack": NumberLimits(lower_is_better=True),
    "model.last-shots": NumberLimits(lower_is_better=True),
    "model.oc": NumberLimits(floor=0),
    "unit.leadership": NumberLimits(floor=4, lower_is_better=True),
    "unit.battle-shock-dice": NumberLimits(),
    "unit.battle-shock-modifier": NumberLimits(),
    "unit.arrival-round": NumberLimits(),
    "unit.arrival-distance": NumberLimits(floor=0),
    "move.apart": NumberLimits(floor=0),
    "roll.advance-modifier": NumberLimits(),
    "roll.charge-modifier": NumberLimits(),
    "roll.desperate-escape-modifier": NumberLimits(),
    "roll.armour-modifier": NumberLimits(ceiling=1),
    "stratagem.price": NumberLimits(),
    "stratagem.surcharge": NumberLimits(floor=0),
    "attack.hit-modifier": NumberLimits(capped=True, ignored_by="ignore-hit-modifiers"),
    "attack.wound-modifier": NumberLimits(capped=True),
    "attack.reroll-hit": NumberLimits(),
    "attack.reroll-wound": NumberLimits(),
    "attack.reroll-damage": NumberLimits(),
    "attack.reroll-save": NumberLimits(),
    "attack.reroll-invulnerable": NumberLimits(),
    "attack.critical-hit": NumberLimits(lower_is_better=True),
    "attack.critical-wound": NumberLimits(lower_is_better=True),
    "attack.minimum-hit": NumberLimits(),
    "attack.overwatch-need": NumberLimits(lower_is_better=True),
    "weapon.attacks-modifier": NumberLimits(),
    "weapon.strength": NumberLimits(floor=1),
    "weapon.ap": NumberLimits(ceiling=0, lower_is_better=True),
    "weapon.damage": NumberLimits(floor=0),
    "weapon.damage-modifier": NumberLimits(),
    "weapon.range": NumberLimits(floor=0),
    "weapon.skill": NumberLimits(floor=2, lower_is_better=True, ignored_by="ignore-skill-modifiers"),
    "aura.range": NumberLimits(floor=0),
}
"""Every number, and how modifiers may change it. Rule: CORE.DICE.3, CORE.DICE.5."""
OF_ATTACKS = (
    "weapon.skill",
    "attack.hit-modifier",
    "attack.reroll-hit",
    "attack.critical-hit",
    "attack.minimum-hit",
    "weapon.strength",
    "attack.wound-modifier",
    "attack.reroll-wound",
    "attack.critical-wound",
    "weapon.ap",
    "weapon.attacks-modifier",
    "weapon.damage",
    "weapon.damage-modifier",
    "attack.reroll-damage",
)
"""Those of them that are asked of attacks."""
QUESTIONS: dict[str, bool] = {
    "shoot-after-advance": False,
    "charge-after-advance": False,
    "shoot-after-fall-back": False,
    "charge-after-fall-back": False,
    "sight-blocked": True,
    "height-counts": True,
    "use-stratagems": True,
    "repeat-stratagem": False,
    "spend-cp": True,
    "gain-cover": True,
    "battle-shock-auto-fail": False,
    "battle-shock-auto-pass": False,
    "charge-bonus": True,
    "fire": True,
    "fight-on-death": False,
    "reroll-advance": False,
    "reroll-charge": False,
    "reroll-battle-shock": False,
    "reroll-leadership": False,
    "declare-charge": True,
    "advance": True,
    "be-targeted": True,
    "test-desperate-escape": False,
    "pass-desperate-escape": False,
    "escape-while-shocked": False,
    "pass-hazardous": False,
    "charge-after-disembark": False,
    "disembark-after-advance": False,
    "battle-shock-everyone": False,
    "control": True,
    "fall-back": True,
    "go-on": False,
    "begin-on-battlefield": True,
    "count-in-reserves": True,
    "shoot-nothing": False,
    "be-boarded": True,
    "ignore-skill-modifiers": False,
    "ignore-hit-modifiers": False,
    "shoot-into-combat": False,
    "combat-penalty": True,
    "split-fire": True,
    "move-through-terrain": False,
    "move-over-models": False,
    "walk-in-ruins": False,
    "have-ability": True,
}
"""Every question of permission with the answer where no rule speaks."""
MOMENTS = (
    *(
        "action-began",
        "action-ended",
        "allocated",
        "arrived",
        "arriving",
        "charge-declared",
        "controlled",
        "damaged",
        "deployed",
        "destroyed",
        "disembarked",
        "embarked",
    ),
    *(
        "move-began",
        "moved",
        "phase-began",
        "phase-ended",
        "placed",
        "recovered",
        "removed",
        "reserved",
        "returned",
    ),
    "thrown",
    *("round-began", "selected-to-fall-back", "selected-to-fight", "selected-to-shoot", "shock-failed"),
    *("shocked", "shot", "spent", "step-began", "stratagem-used", "struck", "targeted", "turn-began"),
    "unit-destroyed",
    "save-failed",
)
"""The moments that the steps of the edition carry out; most are events that happen."""
SPANS = (
    *("phase", "turn", "next turn", "round", "battle"),
    *("own turn", "own command", "own movement", "own shooting", "own charge", "own fight"),
)
"""When a mark or a bestowed rule ends: with a span, or as its owner's next one begins.

The next turn is the one after this, whosever it is.
"""
ABILITIES = (
    *("cover", "deep strike", "fights first", "fights last", "firing deck", "infiltrators", "lone operative"),
    *("scouts", "stealth"),
)
"""The core abilities that are asked of a unit, as printed or as granted."""
ROLLS = (
    "advance",
    "charge",
    "battle-shock",
    "hit",
    "wound",
    "save",
    "damage",
    "feel-no-pain",
    "desperate-escape",
    "hazardous",
    "last-attack",
    "stand-up",
)
"""Kinds of roll that a rule may put something else in the place of."""
