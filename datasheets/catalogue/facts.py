"""The facts of one datasheet of a catalogue, as values of our own records' fields.

Owns the reading of printed values. What cannot be read is left out, so that nothing is compared with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from datasheets.catalogue.cost import costs
from datasheets.catalogue.size import is_loose, models
from datasheets.catalogue.tree import UNIT, WEAPONS, Row, TreeNode
from datasheets.importers.weapons import keyword

CHARACTERISTICS = {"M": "M", "T": "T", "SV": "Sv", "W": "W", "LD": "Ld", "OC": "OC"}
DICE = re.compile(r"\d{1,3}|\d{0,2}D[36](\+\d{1,3})?")
LEADING = re.compile(r"\d{1,4}")
ROLL = re.compile(r"([2-6])\+")
DASHES = frozenset({"", "-", "–", "—"})
KEYWORD = re.compile(r"[a-z][a-z'’ -]{0,40}( \d*d?\d+(\+\d*)?)?")
LEGENDS = re.compile(r"\[legends\]", re.IGNORECASE)
INVULNERABLE = re.compile(r"^invulnerable save", re.IGNORECASE)
AGAINST = re.compile(r"\s*against\s+(ranged|melee)\s+attacks( only)?", re.IGNORECASE)
LIMITED = re.compile(r"against|ranged|melee|only|excluding|see |if |while|unless", re.IGNORECASE)
Save = tuple[int, str | None]
"""An invulnerable save and the kind of attacks against which alone it helps, if any."""


@dataclass(frozen=True, slots=True)
class WeaponFacts:
    """A weapon's profile: its name, whether it shoots, and what could be read, by our names."""

    name: str
    is_ranged: bool
    values: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Facts:
    """All that could be read of a datasheet.

    `invulnerable` holds each save that its models have by themselves, None for one that says more than a
    number; `rules` the names of its rules with their values, in small letters without inch marks.
    """

    name: str
    is_legends: bool
    catalogue: str
    profiles: dict[str, dict[str, int]]
    weapons: tuple[WeaponFacts, ...]
    invulnerable: frozenset[Save | None]
    rules: frozenset[str]
    size: tuple[int, int | None]
    is_loose: bool
    points: dict[int, int]


def plain(name: str) -> str:
    """Return the letters and figures of a name, by which two spellings are the same."""
    # A capital letter with an accent is written with and without one.
    from unicodedata import normalize

    bare = normalize("NFKD", LEGENDS.sub("", name)).lower()
    return re.sub(r"[^a-z0-9]+", "", bare)


def facts(unit: TreeNode, catalogue: str, points: str) -> Facts:
    """Return the facts of a datasheet; `points` is the type of the cost that is points."""
    rows = [row for node in unit.walk() for row in node.rows]
    return Facts(
        name=LEGENDS.sub("", unit.name).strip(),
        is_legends=LEGENDS.search(unit.name) is not None,
        catalogue=catalogue,
        profiles={row.name: _characteristics(row) for row in rows if row.type == UNIT},
        weapons=tuple(_weapons(rows)),
        invulnerable=frozenset(_saves(unit)),
        rules=frozenset(
            rule.lower().replace('"', "").strip() for node in unit.models() for rule in node.rules
        ),
        size=models(unit),
        is_loose=is_loose(unit),
        points=costs(unit, points),
    )


def _characteristics(row: Row) -> dict[str, int]:
    """Return the characteristics of a model's profile that are numbers; 0 for a dash."""
    if not row.is_certain:
        return {}
    found = {}
    for theirs, ours in CHARACTERISTICS.items():
        said = row.values.get(theirs, "?")
        if number := LEADING.match(said):
            found[ours] = int(number[0])
        elif said in DASHES:
            found[ours] = 0
    return found


def _weapons(rows: Iterable[Row]) -> Iterator[WeaponFacts]:
    """Yield each weapon once: the same profile hangs on many models."""
    seen: list[WeaponFacts] = []
    for row in rows:
        if row.type in WEAPONS and row.is_certain:
            name = row.name.lstrip("➤ ").strip()
            weapon = WeaponFacts(name, row.type == WEAPONS[0], _values(row))
            if weapon not in seen:
                seen.append(weapon)
                yield weapon


def _values(row: Row) -> dict[str, Any]:
    """Return what could be read of a weapon's profile."""
    said = {key.upper(): value.strip() for key, value in row.values.items()}
    is_ranged = row.type == WEAPONS[0]
    found: dict[str, Any] = {
        "range": _inches(said.get("RANGE", "")) if is_ranged else None,
        "attacks": _dice(said.get("A", "")),
        "skill": _skill(said.get("BS" if is_ranged else "WS", "?")),
        "strength": _number(said.get("S", "")),
        "ap": _ap(said.get("AP", "")),
        "damage": _dice(said.get("D", "")),
        "keywords": _keywords(said.get("KEYWORDS", "?")),
    }
    optional = ("skill",) if is_ranged else ("range", "skill")
    kept = {key: value for key, value in found.items() if value is not None or key in optional}
    if kept["skill"] == "?":
        del kept["skill"]
    return kept


def _inches(said: str) -> float | None:
    number = LEADING.match(said)
    return float(number[0]) if number else None


def _dice(said: str) -> str | None:
    text = said.upper().replace(" ", "")
    return text if DICE.fullmatch(text) else None


def _skill(said: str) -> int | str | None:
    """Return a skill, None where the weapon has none, or "?" where it cannot be read."""
    if number := LEADING.match(said):
        return int(number[0])
    return None if said.upper() == "N/A" or said in DASHES else "?"


def _number(said: str) -> int | None:
    return int(said) if LEADING.fullmatch(said) else None


def _ap(said: str) -> int | None:
    """Return the armour penetration, which is 0 or below."""
    if said in DASHES:
        return 0
    number = re.fullmatch(r"[-–—]?(\d{1,2})", said)
    return -int(number[1]) if number else None


def _keywords(said: str) -> tuple[str, ...] | None:
    """Return a weapon's keywords as ours are written; None where one is a sentence."""
    if said in DASHES:
        return ()
    words = [keyword(" ".join(each.split())) for each in said.split(",") if each.strip() not in DASHES]
    return tuple(sorted(set(words))) if all(map(KEYWORD.fullmatch, words)) else None


def _saves(unit: TreeNode) -> Iterator[Save | None]:
    """Yield the invulnerable saves that models have by themselves, not by their wargear."""
    for node in unit.models():
        for row in node.rows:
            if INVULNERABLE.match(row.name):
                yield _save(" ".join((row.name, *row.values.values())))


def _save(said: str) -> Save | None:
    """Return the save that a sentence gives; None where it gives several, or says more."""
    rolls, kinds = set(ROLL.findall(said)), {found[1].lower() for found in AGAINST.finditer(said)}
    if len(rolls) != 1 or len(kinds) > 1 or LIMITED.search(AGAINST.sub("", said)):
        return None
    return int(rolls.pop()), kinds.pop() if kinds else None
