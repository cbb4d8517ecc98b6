"""The settings: which points of the text are read in more than one way, how, and what is the default.

Owns the one list of them, and how they are looked up and spelt; `docs/RULINGS.md` tells the same to people.
What a reading changes is its step's or knob's business.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from datasheets.errors import HordeError
from engine.horde.mode_settings import ABOUT_THE_MODE, Setting
from engine.horde.piloting import ABOUT_PILOTING

SYNONYMS = {"true": "yes", "yes": "true", "false": "no", "no": "false", "1": "true", "0": "false"}


class UnknownRuling(HordeError):  # noqa: N818 - a sentence for people, like its kin
    """A key that is no setting, or a value that the setting does not have."""


SETTINGS: tuple[Setting, ...] = tuple(sorted((*ABOUT_PILOTING, *ABOUT_THE_MODE), key=lambda each: each.key))
"""Every setting, in the order of the keys."""
NAMED = {name: each for each in reversed(SETTINGS) for name in (each.ruling.lower(), each.key)}
"""The settings by their keys and by the ids of their rulings."""


def setting(key: str) -> Setting:
    """Return a setting by its key or by its ruling's id. Raises UnknownRuling that names all keys."""
    found = NAMED.get(key.lower())
    if found is not None:
        return found
    raise UnknownRuling(f"There is no ruling '{key}' to set; there is {', '.join(s.key for s in SETTINGS)}.")


def reading(key: str, value: object) -> str:
    """Return a value as the setting spells it ("True" is its "true" or "yes"). Raises UnknownRuling."""
    found = setting(key)
    said = str(value).lower()
    for spelt in (said, SYNONYMS.get(said, said)):
        if spelt in found.values:
            return spelt
    if found.takes_any_number and (number := _number(said)):
        return number
    allowed = " or ".join((*found.values, *(["any number from 0 on"] if found.takes_any_number else [])))
    raise UnknownRuling(f"Ruling '{found.key}' cannot be '{value}'; it may be {allowed}.")


def _number(said: str) -> str:
    """Return how a number from 0 on is spelt, "" where that is none."""
    try:
        number = float(said)
    except ValueError:
        return ""
    return f"{number:.10g}" if 0 <= number < math.inf else ""


def readings(said: Mapping[str, object] | Iterable[tuple[str, object]]) -> dict[str, str]:
    """Return rulings as a battle keeps them, each key and value as spelt here. Raises UnknownRuling."""
    return {setting(key).key: reading(key, value) for key, value in dict(said).items()}
