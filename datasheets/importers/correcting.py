"""Numbers of weapons that the facts have wrong, from the table of corrections."""

from __future__ import annotations

from msgspec.structs import replace

from datasheets.importers.tables import table
from datasheets.schema import Datasheet, Weapon


def corrected(sheet: Datasheet) -> Datasheet:
    """Return the datasheet with the weapons as corrected.

    Raises LookupError where a correction names a weapon that the datasheet does not have.
    """
    weapons = sheet.weapons
    for entry in table("corrections")["weapon"]:
        if entry["datasheet"] == sheet.id:
            numbers = {
                key: tuple(value) if isinstance(value, list) else value
                for key, value in entry.items()
                if key not in ("datasheet", "names")
            }
            weapons = _changed(sheet, weapons, frozenset(entry["names"]), numbers)
    return replace(sheet, weapons=weapons)


def _changed(
    sheet: Datasheet, weapons: tuple[Weapon, ...], names: frozenset[str], numbers: dict[str, object]
) -> tuple[Weapon, ...]:
    missing = names.difference(weapon.name for weapon in weapons)
    if missing:
        raise LookupError(f"corrections.toml: {sheet.id} has no weapon {', '.join(sorted(missing))}")
    return tuple(replace(each, **numbers) if each.name in names else each for each in weapons)
