"""How scenario files may spell words: any letter case, spaces, hyphens or underscores.

Owns the one spelling that the rest of the program knows. Which words there are is others' business.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Any

BETWEEN = r"[\s_-]+"
ANTI = re.compile(rf"anti{BETWEEN}(.+?){BETWEEN}([2-6])\+?", re.IGNORECASE)
AFTERWARDS = re.compile(r"(advance|fall-?back)(?:-and)?((?:-(?:and-)?(?:shoot|charge))+)")
SAME_STATE = {
    "stationary": "remained-stationary",
    "remain-stationary": "remained-stationary",
    "normal-move": "moved",
    "fallen-back": "fell-back",
    "battleshocked": "battle-shocked",
    "reserves": "in-reserves",
    "arrived": "arrived-this-turn",
    "spawned": "spawned-this-round",
}
"""Other words for the same state of a unit."""


def listed(said: Any) -> Any:
    """Return one word as a list of it."""
    return (said,) if isinstance(said, str) else tuple(said) if isinstance(said, list) else said


def weapon_words(said: Any) -> Any:
    """Return a weapon's abilities as datasheets spell them: "Rapid-Fire 1" as "rapid fire 1"."""
    return _each(said, lambda word: (_weapon_word(word),))


def _weapon_word(word: str) -> str:
    if anti := ANTI.fullmatch(word.strip()):
        return f"anti-{anti[1].lower()} {anti[2]}+"
    plain = " ".join(re.split(BETWEEN, word.strip().lower()))
    return re.sub("^(twin|anti) ", r"\1-", plain)


def ability_words(said: Any) -> Any:
    """Return the abilities of a unit as scenarios spell them.

    An ability that permits several things becomes several abilities.
    """
    return _each(said, _ability_words)


def _ability_words(word: str) -> Iterable[str]:
    found = AFTERWARDS.fullmatch(kebab(word.replace(",", " ")))
    if found is None:
        return (word.strip().replace("_", "-").lower(),)
    first = "advance" if found[1] == "advance" else "fall-back"
    return [f"{first}-and-{then}" for then in re.findall("shoot|charge", found[2])]


def state_words(said: Any) -> Any:
    """Return the words of a unit's state as scenarios spell them."""
    return _each(said, lambda word: (SAME_STATE.get(kebab(word), kebab(word)),))


def kebab(words: str) -> str:
    """Return words in small letters, joined by hyphens: "Dawn of War" as "dawn-of-war"."""
    return "-".join(re.split(BETWEEN, words.strip().lower()))


def slug(name: str) -> str:
    """Return a name as a part of an id: "Nurgle's Gift (Aura)" as "nurgles-gift-aura"."""
    plain = unicodedata.normalize("NFKD", re.sub("['’]", "", name.lower()))
    bare = "".join(each for each in plain if not unicodedata.combining(each))
    return "-".join("".join(each if each.isalnum() else " " for each in bare).split())


def run_together(words: str) -> str:
    """Return only a name's letters and figures, in small letters: "Misery 4" as "misery4"."""
    return re.sub(r"[^a-z0-9]+", "", words.lower())


def _each(said: Any, spelt: Any) -> Any:
    """Return a list of words spelt anew; what is no such list as it is, to be refused."""
    words = listed(said)
    if not isinstance(words, tuple) or not all(isinstance(word, str) for word in words):
        return words
    return tuple(each for word in words for each in spelt(word))


def flattened(said: Any) -> Any:
    """Return tables within tables as one table, their keys joined by dots.

    Unquoted keys of rulings make such tables.
    """
    if not isinstance(said, dict):
        return said
    found: dict[str, Any] = {}
    for key, value in said.items():
        inner = flattened(value)
        found |= (
            {f"{key}.{rest}": each for rest, each in inner.items()}
            if isinstance(inner, dict)
            else {key: value}
        )
    return found
