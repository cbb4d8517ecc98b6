"""From datasheets to units: the facts with which a unit enters a battle."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from datasheets.loadout import ModelLoadout, full_loadout, roster_loadout, weapons
from datasheets.schema import (
    Datasheet,
    ModelKind,
    RosterUnit,
    Weapon,
)
from engine.core.facts import (
    HORDE,
    BaseFacts,
    ModelFacts,
    PartFacts,
    Side,
    SlotFacts,
    TransportFacts,
    UnitFacts,
    WeaponFacts,
)

if TYPE_CHECKING:
    from datasheets.library import Library


class Part(msgspec.Struct, frozen=True):
    """One datasheet of a unit to be mustered, with its models' loadouts."""

    sheet: Datasheet
    models: int
    loadouts: tuple[ModelLoadout, ...]
    warlord: bool = False


def horde_part(library: Library, datasheet: str, models: int) -> Part:
    """Return a part with all relevant wargear.

    It has as many models as the datasheet allows that are nearest to those asked for. Rule: SPAWN.4, SPAWN.5
    """
    sheet = library.datasheet(datasheet)
    loadouts = full_loadout(sheet, sheet.unit_size.nearest(models))
    return Part(sheet, sum(each.models for each in loadouts), loadouts)


def roster_part(library: Library, unit: RosterUnit) -> Part:
    """Return a part as a roster asks for it."""
    sheet = library.datasheet(unit.datasheet)
    return Part(sheet, unit.models, roster_loadout(sheet, unit.models, unit.wargear), unit.warlord)


def muster(
    unit_id: str,
    parts: Sequence[Part],
    *,
    side: Side,
    player: str,
    first_row: int,
    bracket: int = 0,
    rules: dict[str, tuple[str, ...]] | None = None,
    embarked_in: str = "",
) -> UnitFacts:
    """Return the facts of a unit whose first part is the bodyguard and whose others lead it.

    Its models take the table's rows from `first_row` on. `rules` gives, by datasheet, the ids of the rule
    records that it brings.
    """
    models: list[ModelFacts] = []
    profiles: list[WeaponFacts] = []
    for number, part in enumerate(parts):
        for loadout in part.loadouts:
            kind = part.sheet.kind(loadout.kind)
            carried = tuple(
                _place(profiles, weapon)
                for weapon, count in weapons(part.sheet, loadout)
                for _ in range(count)
            )
            for _ in range(loadout.models):
                models.append(_model(first_row + len(models), part.sheet, kind, carried, number))
    return UnitFacts(
        id=unit_id,
        name=" + ".join(part.sheet.name for part in parts),
        side=side,
        player=player,
        parts=tuple(_part(part, side, (rules or {}).get(part.sheet.id, ())) for part in parts),
        models=tuple(models),
        weapons=tuple(profiles),
        bracket=bracket,
        embarked_in=embarked_in,
    )


def _place(profiles: list[WeaponFacts], weapon: Weapon) -> int:
    # An event leaves out what is usual, and msgspec knows that by its being the same text in memory.
    attacks, damage = sys.intern(weapon.attacks), sys.intern(weapon.damage)
    facts = WeaponFacts(
        name=weapon.name,
        item=weapon.item,
        range=None if weapon.type == "melee" else weapon.range,
        attacks=attacks,
        skill=weapon.skill,
        strength=weapon.strength,
        ap=weapon.ap,
        damage=damage,
        keywords=weapon.keywords,
    )
    if facts not in profiles:
        profiles.append(facts)
    return profiles.index(facts)


def _model(row: int, sheet: Datasheet, kind: ModelKind, carried: tuple[int, ...], part: int) -> ModelFacts:
    profile = sheet.profile(kind)
    length, width = kind.base.size
    characteristics = dict(profile.characteristics)
    if profile.invulnerable is not None:
        characteristics["Inv"] = profile.invulnerable
        if profile.invulnerable_against is not None:
            characteristics["InvOnly"] = 1 if profile.invulnerable_against == "ranged" else 2
    return ModelFacts(
        row=row,
        name=kind.name,
        base=BaseFacts(shape=kind.base.shape, length=length, width=width, flying=kind.base.flying),
        height=kind.height,
        characteristics=characteristics,
        weapons=carried,
        part=part,
    )


def _part(part: Part, side: Side, rules: tuple[str, ...]) -> PartFacts:
    sheet = part.sheet
    keywords = frozenset(word.upper() for word in (*sheet.keywords, *sheet.faction_keywords))
    return PartFacts(
        datasheet=sheet.id,
        name=sheet.name,
        keywords=keywords,
        abilities=sheet.core_abilities,
        starting_models=part.models,
        points=sheet.cost(part.models),
        rules=rules,
        warlord=part.warlord,
        unmodelled=_unmodelled(sheet, side),
        transport=_transport(sheet),
    )


def _unmodelled(sheet: Datasheet, side: Side) -> tuple[str, ...]:
    """Return the names of the abilities that are not simulated.

    An army rule is none of the Horde's. Rule: PLAY.6
    """
    abilities = sheet.abilities_of_horde if side == HORDE else sheet.abilities
    return tuple(each.name for each in abilities if each.status == "unmodelled")


def _transport(sheet: Datasheet) -> TransportFacts | None:
    if sheet.transport is None:
        return None
    printed = sheet.transport
    slots = tuple(SlotFacts(keyword=slot.keyword, models=slot.models) for slot in printed.slots)
    return TransportFacts(
        capacity=printed.capacity, allows=printed.allows, excludes=printed.excludes, slots=slots
    )
