"""From datasheets to units: the facts with which a unit enters a battle."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from datasheets.loadout import ModelLoadout, full_loadout, roster_loadout, weapons
from datasheets.schema import (
    Datasheet,
    Gear,
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
    paid: int = 0
    """The points of a part that is split off a unit; 0 leaves them to the datasheet."""

    @property
    def name(self) -> str:
        """Return the name of the datasheet, or of kinds of model that are a unit of their own."""
        kinds = dict.fromkeys(each.kind for each in self.loadouts)
        return " and ".join(kinds) if all(kind in self.sheet.apart for kind in kinds) else self.sheet.name

    @property
    def points(self) -> int:
        """Return the points of the part."""
        if self.paid:
            return self.paid
        kinds = Counter[str]()
        for loadout in self.loadouts:
            kinds[loadout.kind] += loadout.models
        return self.sheet.cost(self.models, kinds)


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


def split(part: Part) -> tuple[Part, Part | None]:
    """Return a part without the kinds of model that are a unit of their own, and that unit.

    None where the part has no such models, or has no others.
    """
    own = tuple(each for each in part.loadouts if each.kind in part.sheet.apart)
    rest = tuple(each for each in part.loadouts if each.kind not in part.sheet.apart)
    if not own or not rest:
        return part, None
    first = _some(part, rest)
    paid = max(0, part.points - first.points)
    return first, msgspec.structs.replace(_some(part, own), warlord=False, paid=paid)


def _some(part: Part, loadouts: tuple[ModelLoadout, ...]) -> Part:
    return msgspec.structs.replace(part, loadouts=loadouts, models=sum(each.models for each in loadouts))


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
            carried = tuple(
                _place(profiles, weapon)
                for weapon, count in weapons(part.sheet, loadout)
                for _ in range(count)
                if not _is_beyond(weapon)
            )
            for _ in range(loadout.models):
                models.append(_model(first_row + len(models), part.sheet, loadout, carried, number))
    return UnitFacts(
        id=unit_id,
        name=" + ".join(part.name for part in parts),
        side=side,
        player=player,
        parts=tuple(_part(part, side, (rules or {}).get(part.sheet.id, ())) for part in parts),
        models=tuple(models),
        weapons=tuple(profiles),
        bracket=bracket,
        embarked_in=embarked_in,
    )


def trimmed(facts: UnitFacts, most: int) -> UnitFacts:
    """Return the facts of a unit of which this many models are set up. Rule: BUY.field-promotion"""
    models = facts.models[:most]
    body = msgspec.structs.replace(facts.parts[0], starting_models=len(models))
    return msgspec.structs.replace(facts, models=models, parts=(body, *facts.parts[1:]))


BARE_HANDS = WeaponFacts(name="Close combat weapon", item="Close combat weapon", skill=4)
"""What a model without a melee weapon strikes with, where it does. Rule: CORE.FGT.9"""


def with_bare_hands(facts: UnitFacts, reading: str) -> UnitFacts:
    """Return a unit's facts, its unarmed models armed as `fight.bare_hands` is read."""
    unarmed = [m for m in facts.models if not any(facts.weapons[place].is_melee for place in m.weapons)]
    if reading != "weapon" or not unarmed:
        return facts
    place, rows = len(facts.weapons), {model.row for model in unarmed}
    models = tuple(
        msgspec.structs.replace(m, weapons=(*m.weapons, place)) if m.row in rows else m for m in facts.models
    )
    return msgspec.structs.replace(facts, models=models, weapons=(*facts.weapons, BARE_HANDS))


def _is_beyond(weapon: Weapon) -> bool:
    """Return whether a weapon is never fired as others are: it has a range of nothing."""
    return weapon.is_ranged and not weapon.range


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


def _model(
    row: int, sheet: Datasheet, loadout: ModelLoadout, carried: tuple[int, ...], part: int
) -> ModelFacts:
    kind = sheet.kind(loadout.kind)
    length, width = kind.base.size
    bracket = sheet.bracket(kind)
    return ModelFacts(
        row=row,
        name=kind.name,
        base=BaseFacts(shape=kind.base.shape, length=length, width=width, flying=kind.base.flying),
        height=kind.height,
        characteristics=_characteristics(sheet, kind, _worn(sheet, loadout)),
        weapons=carried,
        items=_gear(sheet, loadout),
        part=part,
        damaged=bracket,
        damaged_hit=sheet.damaged_hit if bracket else 0,
        damaged_oc=sheet.damaged_oc if bracket else 0,
    )


def _gear(sheet: Datasheet, loadout: ModelLoadout) -> tuple[str, ...]:
    """Return the wargear of these models that has no weapon profile."""
    armed = {weapon.item for weapon, _ in weapons(sheet, loadout)}
    return tuple(each.item for each in loadout.items if each.item not in armed)


def _worn(sheet: Datasheet, loadout: ModelLoadout) -> list[Gear]:
    """Return what the wargear of these models changes on each of them, as often as they have it."""
    counts = {each.item: each.count for each in loadout.items}
    return [gear for gear in sheet.gear for _ in range(counts.get(gear.item, 0)) if not gear.whole_unit]


def _characteristics(sheet: Datasheet, kind: ModelKind, worn: Sequence[Gear]) -> dict[str, int]:
    """Return a model's characteristics, with the best invulnerable save that it has in any way."""
    profile = sheet.profile(kind)
    found = dict(profile.characteristics)
    for gear in worn:
        found |= gear.set
    for gear in worn:
        for name, change in gear.add.items():
            found[name] = found.get(name, 0) + change
    saves = [
        (profile.invulnerable, profile.invulnerable_against),
        (kind.invulnerable, kind.invulnerable_against),
        *((gear.invulnerable, None) for gear in worn),
    ]
    known = [(save, against or "") for save, against in saves if save is not None]
    if known:
        save, against = min(known)
        found["Inv"] = save
        if against:
            found["InvOnly"] = 1 if against == "ranged" else 2
    return found


def _part(part: Part, side: Side, rules: tuple[str, ...]) -> PartFacts:
    sheet = part.sheet
    kinds = dict.fromkeys(loadout.kind for loadout in part.loadouts)
    own = [word for kind in kinds for word in sheet.kind(kind).keywords]
    worn = [gear for loadout in part.loadouts for gear in _worn(sheet, loadout)]
    own += [word for gear in worn for word in gear.keywords]
    keywords = frozenset(word.upper() for word in (*sheet.keywords, *sheet.faction_keywords, *own))
    return PartFacts(
        datasheet=sheet.id,
        name=sheet.name,
        keywords=keywords,
        abilities=sheet.core_abilities,
        starting_models=part.models,
        points=part.points,
        rules=rules,
        warlord=part.warlord,
        unmodelled=_unmodelled(sheet, side),
        transport=_transport(sheet),
        room=sheet.room,
    )


def _unmodelled(sheet: Datasheet, side: Side) -> tuple[str, ...]:
    """Return the names of the abilities that are not simulated.

    An army rule is none of the Horde's, nor what needs one. Rule: PLAY.6
    """
    abilities = sheet.abilities_of_horde if side == HORDE else sheet.abilities
    return tuple(each.name for each in abilities if each.status in ("unmodelled", "waiting"))


def _transport(sheet: Datasheet) -> TransportFacts | None:
    if sheet.transport is None:
        return None
    printed = sheet.transport
    slots = tuple(SlotFacts(keyword=slot.keyword, models=slot.models) for slot in printed.slots)
    return TransportFacts(
        capacity=printed.capacity, allows=printed.allows, excludes=printed.excludes, slots=slots
    )
