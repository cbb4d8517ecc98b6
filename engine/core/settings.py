"""The settings of a game system: the points of its text with more than one reading.

Owns what a setting is, and how settings are looked up and spelt. Which there are is each system's business.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from datasheets.errors import HordeError

SYNONYMS = {"true": "yes", "yes": "true", "false": "no", "no": "false", "1": "true", "0": "false"}


class UnknownRuling(HordeError):  # noqa: N818 - a sentence for people, like its kin
    """A key that is no setting, or a value that the setting does not have."""


class Setting(msgspec.Struct, frozen=True):
    """A point of the text that has more than one reading; the first reading is the default."""

    key: str
    ruling: str
    """The id of the doubt, as `docs/RULINGS.md` has it."""
    doubt: str
    readings: tuple[tuple[str, str], ...]
    """What may be said, each with what it means in a line."""
    takes_any_number: bool = False
    """Whether any other number from 0 on may be said too."""

    @property
    def default(self) -> str:
        """Return the reading of a battle that sets none."""
        return self.readings[0][0]

    @property
    def values(self) -> tuple[str, ...]:
        """Return what may be said, the default first."""
        return tuple(value for value, _ in self.readings)


class Settings:
    """The settings of a game system, in the order of their keys."""

    def __init__(self, *groups: tuple[Setting, ...]) -> None:
        """Take the settings of several groups together."""
        each = (setting for group in groups for setting in group)
        self._every = tuple(sorted(each, key=lambda setting: setting.key))
        named = reversed(self._every)
        self._named = {name: each for each in named for name in (each.ruling.lower(), each.key)}

    def __iter__(self) -> Iterator[Setting]:
        """Yield every setting, in the order of the keys."""
        return iter(self._every)

    def __len__(self) -> int:
        """Return the number of settings."""
        return len(self._every)

    def named(self, key: str) -> Setting:
        """Return a setting by its key or its ruling's id. Raises UnknownRuling with all keys."""
        found = self._named.get(key.lower())
        if found is not None:
            return found
        keys = ", ".join(setting.key for setting in self._every)
        raise UnknownRuling(f"There is no ruling '{key}' to set; there is {keys}.")

    def reading(self, key: str, value: object) -> str:
        """Return a value as the setting spells it ("True" as "true" or "yes"). Raises UnknownRuling."""
        found = self.named(key)
        said = str(value).lower()
        for spelt in (said, SYNONYMS.get(said, said)):
            if spelt in found.values:
                return spelt
        if found.takes_any_number and (number := _number(said)):
            return number
        any_number = ["any number from 0 on"] if found.takes_any_number else []
        allowed = " or ".join((*found.values, *any_number))
        raise UnknownRuling(f"Ruling '{found.key}' cannot be '{value}'; it may be {allowed}.")

    def readings(self, said: Mapping[str, object] | Iterable[tuple[str, object]]) -> dict[str, str]:
        """Return rulings by key, as a battle keeps and spells them. Raises UnknownRuling."""
        return {self.named(key).key: self.reading(key, value) for key, value in dict(said).items()}


def _number(said: str) -> str:
    """Return how a number from 0 on is spelt, "" where that is none."""
    try:
        number = float(said)
    except ValueError:
        return ""
    return f"{number:.10g}" if 0 <= number < math.inf else ""
