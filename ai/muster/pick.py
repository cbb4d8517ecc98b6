"""What an army may be put together from: datasheets, sizes, wargear, and their worth.

Owns which datasheets a builder takes at all, and the wargear that it gives a unit. Which of them make an
army is `selection`'s.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from ai.muster.worth import Measures, measures
from datasheets.belonging import Realm
from datasheets.errors import HordeError
from datasheets.loadout import item_names, loadout_faults, roster_loadout
from datasheets.roster import unit_cost
from datasheets.schema import Datasheet, RosterUnit
from engine.core.facts import PLAYERS
from engine.w40k.muster import Part, muster

LEFT_OUT = ("AIRCRAFT", "FORTIFICATION")
"""Units that stand in no line of battle: they come late, or never move."""
WORTHWHILE = 1.01
"""The least ratio of worth with which other wargear than the default is taken."""


class Pick(msgspec.Struct, frozen=True):
    """A unit that an army may have: its datasheet, size and wargear, what it costs and is worth."""

    sheet: Datasheet
    models: int
    cost: int
    measures: Measures
    value: float
    wargear: tuple[tuple[str, int], ...] = ()


def able(realm: Realm) -> tuple[Datasheet, ...]:
    """Return the army's own datasheets that fight in a line: current, armed and mobile."""
    return tuple(sheet for sheet in realm.own() if _fights(sheet))


def _fights(sheet: Datasheet) -> bool:
    if sheet.legends or not sheet.weapons or any(sheet.has(word) for word in LEFT_OUT):
        return False
    return all(profile.characteristics.get("M", 0) > 0 for profile in sheet.profiles)


def sizes(sheet: Datasheet) -> tuple[int, ...]:
    """Return the sizes in which a unit is bought: the smallest, and the largest of each price."""
    size = sheet.unit_size
    tops = {min(row.models, size.maximum) for row in sheet.points if row.models >= size.minimum}
    wanted = sorted({size.minimum, *tops})
    return tuple(
        models for models in wanted if sheet.cost(models) > 0 and not loadout_faults(sheet, models, {})
    )


def plain_pick(sheet: Datasheet, models: int) -> Pick:
    """Return a unit with its default wargear. Raises HordeError for a wrong size."""
    return _pick(sheet, models, {})


def best_pick(sheet: Datasheet, models: int) -> Pick:
    """Return a unit with its best wargear, chosen item after item from the default on."""
    pick, left = plain_pick(sheet, models), _arms(sheet)
    while left:
        tried = {item: _most(sheet, models, dict(pick.wargear), item) for item in left}
        # Wargear is free, but for the kinds of models that have their own price.
        dear = WORTHWHILE * pick.value / pick.cost
        found = [each for each in tried.values() if each is not None and each.value > dear * each.cost]
        if not found:
            break
        pick = max(found, key=lambda each: each.value)
        left = [item for item in left if tried[item] is not None and item not in dict(pick.wargear)]
    return pick


def _arms(sheet: Datasheet) -> Sequence[str]:
    """Return the items that are weapons and that not every model carries anyway."""
    fixed = {each.item for kind in sheet.models if kind.default for each in kind.items}
    return [item for item in item_names(sheet) if item not in fixed and sheet.weapon_profiles(item)]


def _most(sheet: Datasheet, models: int, chosen: Mapping[str, int], item: str) -> Pick | None:
    """Return the unit with as many of the item as it may have; None where it may have none."""
    for count in range(models, 0, -1):
        try:
            return _pick(sheet, models, {**chosen, item: count})
        except HordeError:
            continue
    return None


def _pick(sheet: Datasheet, models: int, wargear: Mapping[str, int]) -> Pick:
    part = Part(sheet, models, roster_loadout(sheet, models, wargear))
    found = measures(muster("unit", [part], side=PLAYERS, player="p1", first_row=0))
    cost = unit_cost(RosterUnit(id="unit", datasheet=sheet.id, models=models, wargear=dict(wargear)), sheet)
    return Pick(sheet, models, cost, found, found.value, tuple(sorted(wargear.items())))
