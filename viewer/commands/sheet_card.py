"""All that the library knows of one datasheet, from its own facts and those of others.

Weapons have their carriers, abilities their clauses; leaders and spawning tables are looked for. Owns the
gathering; `sheet_text` puts it into words.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from datasheets.ability_template import CLAUSES
from datasheets.library import Library
from datasheets.lookup import every_datasheet
from datasheets.record import as_written
from datasheets.rule import Rule
from datasheets.schema import Ability, Datasheet, ModelKind, Weapon


class Bearer(msgspec.Struct, frozen=True):
    """A kind of model that may have a piece of wargear, and whether it has it by default."""

    model: str
    default: bool


class WeaponLine(msgspec.Struct, frozen=True):
    """A profile of a weapon, and the kinds of model that may carry it."""

    weapon: Weapon
    bearers: tuple[Bearer, ...]


class AbilityLine(msgspec.Struct, frozen=True):
    """An ability with its status, what it does, and the models that have its wargear."""

    ability: Ability
    says: str
    bearers: tuple[Bearer, ...]
    clauses: tuple[str, ...]
    """The clauses of its records, where the datasheet alone has it."""


class SpawnLine(msgspec.Struct, frozen=True):
    """A spawning table that brings the datasheet, and the brackets of its entries."""

    faction: str
    brackets: tuple[int, ...]


class Card(msgspec.Struct, frozen=True):
    """A datasheet with what others say of it."""

    sheet: Datasheet
    faction: str
    weapons: tuple[WeaponLine, ...]
    abilities: tuple[AbilityLine, ...]
    leads: tuple[Datasheet, ...]
    led_by: tuple[Datasheet, ...]
    spawned_by: tuple[SpawnLine, ...]
    overridden: tuple[str, ...]
    """The fields that overrides in force replace."""


def gather(library: Library, sheet: Datasheet) -> Card:
    """Return the card of a datasheet."""
    everything = every_datasheet(library)
    says = {line.id: line.says for line in library.checklist()}
    rules = {rule.id: rule for rule in library.rules()}
    return Card(
        sheet=sheet,
        faction=library.faction(sheet.faction).name,
        weapons=tuple(WeaponLine(each, _bearers(sheet, each.item)) for each in sheet.weapons),
        abilities=tuple(
            AbilityLine(
                each,
                " ".join(rules[name].summary for name in each.rules) or says.get(each.clause, ""),
                _bearers(sheet, each.item or ""),
                tuple(line for name in each.rules if each.is_listing for line in _clauses(rules[name])),
            )
            for each in sheet.abilities
        ),
        leads=_by_name(each for each in everything if each.id in sheet.leads),
        led_by=_by_name(each for each in everything if sheet.id in each.leads),
        spawned_by=tuple(_spawned(library, sheet)),
        overridden=_overridden(library, sheet),
    )


def plain(card: Card) -> dict[str, Any]:
    """Return a card as plain data, for `--json`."""
    sheet: dict[str, Any] = msgspec.to_builtins(card.sheet)
    return {
        **sheet,
        "faction_name": card.faction,
        "weapons": [
            {**msgspec.to_builtins(line.weapon), "bearers": msgspec.to_builtins(line.bearers)}
            for line in card.weapons
        ],
        "abilities": [
            {
                **msgspec.to_builtins(line.ability),
                "says": line.says,
                "clauses": list(line.clauses),
                "bearers": msgspec.to_builtins(line.bearers),
            }
            for line in card.abilities
        ],
        "led_by": [each.id for each in card.led_by],
        "spawned_by": msgspec.to_builtins(card.spawned_by),
        "overridden": list(card.overridden),
    }


def _bearers(sheet: Datasheet, item: str) -> tuple[Bearer, ...]:
    """Return the kinds of model that may carry an item, in the datasheet's order."""
    found = []
    for kind in sheet.models:
        default = item in {each for each, is_default in _items(kind) if is_default}
        if default or item in {each for each, _ in _items(kind)}:
            found.append(Bearer(kind.name, default))
    return tuple(found)


def _items(kind: ModelKind) -> Iterator[tuple[str, bool]]:
    """Yield each item that a kind of model may carry, and whether it does so by default."""
    yield from ((each.item, True) for each in kind.items)
    for option in kind.options:
        for number, bundle in enumerate(option.alternatives):
            yield from ((each.item, number == option.default) for each in bundle)


def _clauses(rule: Rule) -> Iterator[str]:
    """Yield a line for the template of a record, and one for each of its clauses."""
    told = as_written(rule)
    if rule.like:
        yield f"like {rule.like}: {_said(told.get('with', {}))}"
    for kind in CLAUSES:
        yield from (f"{kind}: {_said(each)}" for each in told.get(kind, ()))


def _said(values: Mapping[str, Any]) -> str:
    """Return keys with their values as a file has them, the condition last."""
    ordered = sorted(values.items(), key=lambda each: each[0] == "if")
    return ", ".join(f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in ordered)


def _by_name(sheets: Iterable[Datasheet]) -> tuple[Datasheet, ...]:
    return tuple(sorted(sheets, key=lambda each: (each.name, each.id)))


def _overridden(library: Library, sheet: Datasheet) -> tuple[str, ...]:
    overrides = library.overrides()
    return () if overrides is None else tuple(sorted(overrides.datasheets.get(sheet.id, ())))


def _spawned(library: Library, sheet: Datasheet) -> Iterator[SpawnLine]:
    for faction in library.hordes():
        table = library.spawn_table(faction)
        if sheet.id in table.datasheets:
            brackets = (
                number
                for number, entries in sorted(table.brackets.items())
                if any(sheet.id in entry.datasheets for entry in entries)
            )
            yield SpawnLine(faction, tuple(brackets))
