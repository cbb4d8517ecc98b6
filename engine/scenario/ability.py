"""Abilities of a scenario's units that are no core abilities, as rules of their own."""

from __future__ import annotations

from functools import lru_cache

from datasheets.rule import Ask, Modify, Rule
from engine.records.compiled import Compiled
from engine.records.language import Language

SPECIAL: dict[str, str] = {
    "advance-and-shoot": "shoot-after-advance",
    "advance-and-charge": "charge-after-advance",
    "fall-back-and-shoot": "shoot-after-fall-back",
    "fall-back-and-charge": "charge-after-fall-back",
}
"""Each ability and the question that it answers with yes for its bearer."""


AURAS: dict[str, float] = {"aura-of-haste": 6.0, "aura-of-dread": 6.0}
"""The auras that a scenario may give a unit, and how far they reach, in inches.

The first is for friends, the second against enemies.
"""


@lru_cache(maxsize=8)
def ability_rule(word: str) -> Rule:
    """Return the rule that gives a unit this ability."""
    if word in AURAS:
        return _aura(word)
    return Rule(
        id=f"ability/{word}",
        clause=f"ABILITY.{word}",
        name=word.replace("-", " "),
        source="a scenario",
        summary=f"The unit may {word.replace('-and-', ' and still ').replace('-', ' ')}.",
        tags=("ability",),
        permit=(Ask(question=SPECIAL[word], condition="unit == bearer"),),
    )


def _aura(word: str) -> Rule:
    """Return an aura that makes friends faster by 2", or enemies' Leadership worse by 1."""
    hastes = word == "aura-of-haste"
    whose = "==" if hastes else "!="
    where = f"horde(unit) {whose} horde(bearer) and in_aura(unit)"
    haste = Modify(number="unit.move", add=2, condition=where)
    gloom = Modify(number="unit.leadership", worsen=1, condition=where)
    return Rule(
        id=f"ability/{word}",
        clause=f"ABILITY.{word}",
        name=word.replace("-", " "),
        source="a scenario",
        summary='Friends within 6" move 2" farther.' if hastes else 'Enemies within 6" have -1 Leadership.',
        tags=("ability",),
        aura=AURAS[word],
        modify=(haste if hastes else gloom,),
    )


@lru_cache(maxsize=1)
def ability_rules(language: Language) -> tuple[Compiled, ...]:
    """Return the rules of all such abilities, compiled."""
    return tuple(Compiled(ability_rule(word), language) for word in (*SPECIAL, *AURAS))
