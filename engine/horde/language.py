"""The language of Horde Mode's rule records: words and verbs of the edition and the mode."""

from __future__ import annotations

from engine.horde import card_verbs, card_words
from engine.records.language import Language, NumberLimits
from engine.w40k import numbers
from engine.w40k.marker_spot import ask_spot
from engine.w40k.verbs import effects, entering, out_of_turn, single_attack
from engine.w40k.words import attacks, bearing, circumstance, condition, measures, own_reach, units

NUMBERS: dict[str, NumberLimits] = {
    "spawn.modifier": NumberLimits(),
    "misery.draws": NumberLimits(floor=0),
    "supply.income": NumberLimits(),
    "buy.price": NumberLimits(floor=0),
}
QUESTIONS: dict[str, bool] = {"buy": True, "spend-sp": True}
ROLLS = ("spawn-bracket",)
MOMENTS = (
    "card-discarded",
    "card-revealed",
    "mission-resolved",
    "purchased",
    "secret-revealed",
    "revealed",
    "start-of-round",
    "after-spawning",
    "end-of-round",
    "end-of-battle",
    "success",
    "failure",
    "kept",
)
"""The moments that the mode adds: of cards, purchases, rounds, missions and secrets."""

LANGUAGE = Language.of(
    words=(units, measures, circumstance, bearing, condition, attacks, own_reach, card_words),
    verbs=(effects, out_of_turn, entering, single_attack, card_verbs),
    kinds=(*units.KINDS, *card_words.KINDS),
    numbers=(numbers.NUMBERS, NUMBERS),
    questions=(numbers.QUESTIONS, QUESTIONS),
    abilities=numbers.ABILITIES,
    rolls=(*numbers.ROLLS, *ROLLS),
    moments=(*numbers.MOMENTS, *MOMENTS),
    spans=numbers.SPANS,
    ask_spot=ask_spot,
)
