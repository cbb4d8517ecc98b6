"""The weapons of a datasheet beside those of a catalogue: which is which, and what differs.

Owns the pairing of profiles that share a name, as a sergeant's and his squad's do.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from msgspec.structs import replace

from datasheets.catalogue.facts import WeaponFacts, plain
from datasheets.schema import Weapon

FIELDS = ("range", "attacks", "skill", "strength", "ap", "damage", "keywords")
CARRIER = re.compile(r" \([^()]*\)$")
MOST_ALIKE = 5
"""More profiles of one name are not tried in every order."""
Key = tuple[str, bool]


@dataclass(frozen=True, slots=True)
class Difference:
    """What differs, by its name, as it was and as it is now."""

    what: str
    old: Any
    new: Any

    def __str__(self) -> str:
        """Return the difference in a line."""
        return f"{self.what}: {_shown(self.old)} -> {_shown(self.new)}"


def changed_weapons(
    ours: Sequence[Weapon], theirs: Iterable[WeaponFacts]
) -> tuple[tuple[Weapon, ...], list[Difference], list[str]]:
    """Return our weapons with the catalogue's numbers, the differences, and what is left out."""
    rows: dict[Key, list[WeaponFacts]] = defaultdict(list)
    for row in theirs:
        rows[plain(row.name), row.is_ranged].append(row)
    groups: dict[Key, list[int]] = defaultdict(list)
    for number, weapon in enumerate(ours):
        groups[_key(weapon, rows)].append(number)
    weapons, differences, left_out = list(ours), [], []
    for key, numbers in groups.items():
        group = [ours[number] for number in numbers]
        pairs = _pairs(group, rows.get(key, []))
        if pairs is None:
            left_out.append(f"weapon {group[0].name}: {_why(rows.get(key, []))}")
            continue
        for number, pair in zip(numbers, pairs, strict=True):
            if pair is not None:
                weapons[number], found = _changed(ours[number], pair)
                differences += found
    return tuple(weapons), differences, left_out


def _key(weapon: Weapon, rows: dict[Key, list[WeaponFacts]]) -> Key:
    """Return the key of a weapon, without the model that tells it from another one."""
    whole = plain(weapon.name), weapon.is_ranged
    return whole if whole in rows else (plain(CARRIER.sub("", weapon.name)), weapon.is_ranged)


def _why(rows: list[WeaponFacts]) -> str:
    return f"the catalogue has {len(rows)} profiles of this name" if rows else "the catalogue has none"


def _pairs(ours: list[Weapon], theirs: list[WeaponFacts]) -> list[WeaponFacts | None] | None:
    """Return the row for each of our profiles of one name; None for one that has an equal.

    Returns None where it is not plain which row is whose.
    """
    left = [row for row in theirs if not any(_is_equal(weapon, row) for weapon in ours)]
    open_ones = [weapon for weapon in ours if not any(_is_equal(weapon, row) for row in theirs)]
    if not open_ones:
        return [None] * len(ours)
    if len(left) != len(open_ones) or len(left) > MOST_ALIKE:
        return None
    orders = sorted((sum(map(_distance, open_ones, order)), n) for n, order in enumerate(permutations(left)))
    if len(orders) > 1 and orders[0][0] == orders[1][0]:
        return None
    best = list(permutations(left))[orders[0][1]]
    return [best[open_ones.index(weapon)] if weapon in open_ones else None for weapon in ours]


def _is_equal(weapon: Weapon, row: WeaponFacts) -> bool:
    return _distance(weapon, row) == 0


def _distance(weapon: Weapon, row: WeaponFacts) -> int:
    """Return how many numbers of two profiles differ, of those that could be read."""
    return sum(getattr(weapon, name) != row.values[name] for name in FIELDS if name in row.values)


def _changed(weapon: Weapon, row: WeaponFacts) -> tuple[Weapon, list[Difference]]:
    new = {name: row.values[name] for name in FIELDS if name in row.values}
    differences = [
        Difference(f"{weapon.name}, {name}", getattr(weapon, name), value)
        for name, value in new.items()
        if getattr(weapon, name) != value
    ]
    return replace(weapon, **new), differences


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(value) or "none"
    return f"{value:g}" if isinstance(value, float) else "none" if value is None else str(value)
