"""What names in a unit's lines mean on its datasheet: models, wargear or neither.

A name is a model's or an item's exactly, in the singular or the plural. Some programs join names: "A and B",
"A (B)", and without a blank "AB"; such a name is taken apart where both parts are known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from datasheets.loadout import item_names
from datasheets.rosters.list_words import changes_nothing, plain, singular_key
from datasheets.schema import Datasheet

SEAM = re.compile(r"(?<=[a-z)])(?=[A-Z])")
JOINTS = re.compile(r" and | & | \+ | with |/")
LEADING = re.compile(r"^[0-9]{1,3}(?:-[0-9]{1,3})? ")
MOST_SEAMS = 12


class UnitNames:
    """The names of a datasheet, as lists may write them."""

    def __init__(self, sheet: Datasheet) -> None:
        """Gather the names of its models, its wargear and its abilities."""
        self._items = _by_key((each, each) for each in item_names(sheet))
        known = frozenset(self._items.values())
        bare = ((item.partition(" (")[0], item) for item in item_names(sheet) if " (" in item)
        aside = ((weapon.name, weapon.item) for weapon in sheet.weapons if weapon.item in known)
        self._items = _by_key(bare) | _by_key(aside) | _by_key(_options(sheet)) | self._items
        self._models = _by_key((name, "") for name in _model_names(sheet))
        self._abilities = frozenset(plain(each.name) for each in sheet.abilities)
        self._own = plain(sheet.name)

    def is_model(self, name: str) -> bool:
        """Return whether a name is that of a kind of model."""
        return any(key in self._models for key in _keys(name))

    def item(self, name: str) -> str:
        """Return the piece of wargear that a name means; "" for none."""
        return next((found for key in _keys(name) if (found := self._items.get(key))), "")

    def items(self, name: str) -> tuple[str, ...]:
        """Return the wargear that a name means, of a joined name each part; none if unknown."""
        own = self.item(name)
        if own:
            return (own,)
        return self._bracketed(name) or self._joined(JOINTS.split(name)) or self._seamed(name)

    def means_nothing(self, name: str) -> bool:
        """Return whether a name is the unit's own, or an ability's: it changes nothing."""
        key = plain(name)
        return key == self._own or key in self._abilities or changes_nothing(name)

    def begins_model(self, name: str) -> bool:
        """Return whether a name is the beginning of a model's: some programs shorten them."""
        key = plain(name)
        return len(key) > 3 and any(each.startswith(key) for each in self._models)

    def _bracketed(self, name: str) -> tuple[str, ...]:
        """Return what "A (B)" means: both where both are wargear, else the one that is."""
        before, bracket, after = name.partition(" (")
        if not bracket:
            return ()
        parts = (self.item(before), self.item(after.rstrip(") ")))
        return tuple(dict.fromkeys(part for part in parts if part))

    def _joined(self, parts: list[str]) -> tuple[str, ...]:
        found = tuple(self.item(part) for part in parts)
        return found if len(found) > 1 and all(found) else ()

    def _seamed(self, name: str) -> tuple[str, ...]:
        """Return what two names without a blank between mean; the first may be an upgrade's."""
        for seam in list(SEAM.finditer(name))[:MOST_SEAMS]:
            first, second = name[: seam.start()], name[seam.start() :]
            found = self.item(second)
            if found and self.item(first):
                return tuple(dict.fromkeys((self.item(first), found)))
            if found and first.endswith(" upgrade"):
                return (found,)
        return ()


def _by_key(names: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return meanings by what names are compared by; the first of two equal names wins."""
    exact: dict[str, str] = {}
    loose: dict[str, str] = {}
    for name, meaning in names:
        exact.setdefault(plain(name), meaning)
        for key in _keys(name):
            loose.setdefault(key, meaning)
    return loose | exact


def _keys(name: str) -> Iterator[str]:
    """Yield what a name is compared by: as it stands, and with each word in the singular."""
    yield plain(name)
    yield singular_key(name)


def _options(sheet: Datasheet) -> Iterator[tuple[str, str]]:
    """Yield the names of choices that are one item: "Gun Drone" is its gun."""
    for kind in sheet.models:
        for option in kind.options:
            bundles = option.alternatives
            if len(bundles) == 1 and len(bundles[0]) == 1:
                yield option.name.rpartition(", ")[2], bundles[0][0].item


def _model_names(sheet: Datasheet) -> Iterator[str]:
    """Yield the names of kinds of model: with wargear ("w/ plasma gun"), without, as printed."""
    for kind in sheet.models:
        yield kind.name
        yield re.split(r" w/ | with ", kind.name)[0]
        yield kind.name.partition(" [")[0]
        yield kind.profile
    for line in sheet.composition:
        yield LEADING.sub("", line.partition(" – ")[0])
