"""Abilities of a scenario's units that are no core abilities: what they permit, as rules of their own."""

from __future__ import annotations

from functools import lru_cache

from datasheets.rule import Ask, Rule
from engine.effect.compiled import Compiled, Compiler

SPECIAL: dict[str, str] = {
    "advance-and-shoot": "shoot-after-advance",
    "advance-and-charge": "charge-after-advance",
    "fall-back-and-shoot": "shoot-after-fall-back",
    "fall-back-and-charge": "charge-after-fall-back",
}
"""Each ability and the question that it answers with yes for its bearer."""


@lru_cache(maxsize=8)
def ability_rule(word: str) -> Rule:
    """Return the rule that gives a unit this ability."""
    return Rule(
        id=f"ability/{word}",
        clause=f"ABILITY.{word}",
        name=word.replace("-", " "),
        source="a scenario",
        summary=f"The unit may {word.replace('-and-', ' and still ').replace('-', ' ')}.",
        tags=("ability",),
        permit=(Ask.model_validate({"question": SPECIAL[word], "if": "unit == bearer"}),),
    )


@lru_cache(maxsize=1)
def ability_rules() -> tuple[Compiled, ...]:
    """Return the rules of all such abilities, compiled."""
    return tuple(Compiler(ability_rule(word)).compiled() for word in SPECIAL)
