"""Which models a unit of a given size has, and what each of them carries.

Owns the printed default, the Horde's "all relevant wargear" (SPAWN.5) and a roster's choices. It changes no
datasheet and knows nothing of a battle.

The full loadout, by a fixed rule: special kinds of model (those of which only some models may be one) are
filled in the sheet's order, one of each in turn, until each has as many as a unit of this size may have; a
limit shrinks in proportion to the unit's size, rounded down but never below one, and kinds of one sub-group
share the limit of their group. Every choice keeps its printed default; a choice without one that would add
weapons, or wargear with an ability, is taken: the first of its largest alternatives.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import ceil

import msgspec

from datasheets.errors import BadData, HordeError, UnknownName, unknown
from datasheets.mixture import add_specials, bound, default_counts, every_mix, of_size, replaceable
from datasheets.schema import Carried, Datasheet, ModelKind, Weapon


class ModelLoadout(msgspec.Struct, frozen=True):
    """Some models of a unit that are of one kind and carry the same wargear."""

    kind: str
    models: int
    items: tuple[Carried, ...]


class _Row(msgspec.Struct):
    """Models of one kind while they choose.

    `chosen` has their alternative in each option, `asked` the items that were asked for in it.
    """

    kind: ModelKind
    models: int
    chosen: dict[int, int]
    asked: dict[int, tuple[str, ...]] = msgspec.field(default_factory=dict)

    def items(self) -> tuple[Carried, ...]:
        """Return what each of these models carries."""
        chosen = [self.kind.options[i].alternatives[self.chosen[i]] for i in sorted(self.chosen)]
        return _summed([*self.kind.items, *(each for bundle in chosen for each in bundle)])


def default_loadout(datasheet: Datasheet, models: int) -> tuple[ModelLoadout, ...]:
    """Return a unit of this many models with the printed default wargear."""
    return _closed(_default_rows(datasheet, models))


def full_loadout(datasheet: Datasheet, models: int) -> tuple[ModelLoadout, ...]:
    """Return a unit of this many models with all relevant wargear. Rule: SPAWN.5."""
    sheet = of_size(datasheet, models, special=True)
    counts = default_counts(sheet, models)
    add_specials(sheet, counts, models)
    rows = [_row(kind, counts[kind.name]) for kind in sheet.models if counts[kind.name]]
    for row in list(rows):
        _take_additions(sheet, rows, row)
    return _closed(rows)


def roster_loadout(datasheet: Datasheet, models: int, wargear: Mapping[str, int]) -> tuple[ModelLoadout, ...]:
    """Return a unit of this many models with the wargear that the roster asks for.

    The rest is the default wargear. `wargear` counts items by name. What the datasheet does not allow raises
    `BadData`, an item that it does not have `UnknownName`.
    """
    strangers = _strangers(datasheet, wargear)
    if strangers:
        raise strangers[0]
    rows, wanting = _equipped(datasheet, models, wargear)
    if wanting:
        raise wanting[0]
    return _closed(rows)


def loadout_faults(datasheet: Datasheet, models: int, wargear: Mapping[str, int]) -> tuple[HordeError, ...]:
    """Return all that a datasheet does not allow of a unit: its size, each item asked for."""
    strangers: tuple[HordeError, ...] = _strangers(datasheet, wargear)
    try:
        return (*strangers, *_equipped(datasheet, models, wargear)[1])
    except BadData as fault:
        return (fault, *strangers)


def _equipped(
    datasheet: Datasheet, models: int, wargear: Mapping[str, int]
) -> tuple[list[_Row], tuple[BadData, ...]]:
    """Return the models that have most of what was asked for, and a fault per missing item.

    Of several mixes it is the first in which nothing is missing, else the plainest.
    """
    found = []
    for sheet in every_mix(datasheet, models):
        rows = _default_rows(sheet, models)
        _supply(sheet, rows, _asked(datasheet, wargear))
        found.append((rows, _wanting(datasheet, rows, models, wargear)))
        if not found[-1][1]:
            return found[-1]
    return found[0]


def item_names(datasheet: Datasheet) -> tuple[str, ...]:
    """Return every item that some model of the datasheet may carry, in the order of the sheet."""
    found: dict[str, None] = {}
    for kind in datasheet.models:
        bundles = [kind.items, *(bundle for option in kind.options for bundle in option.alternatives)]
        found |= dict.fromkeys(each.item for bundle in bundles for each in bundle)
    return tuple(found)


def _asked(datasheet: Datasheet, wargear: Mapping[str, int]) -> dict[str, int]:
    """Return what the roster asks for by the items' own names, in the order of the sheet.

    The roster's own order says nothing: a replay tells the same roster with its wargear sorted.
    """
    asked = {item.lower(): count for item, count in wargear.items()}
    return {name: asked[name.lower()] for name in item_names(datasheet) if name.lower() in asked}


def _strangers(datasheet: Datasheet, wargear: Mapping[str, int]) -> tuple[UnknownName, ...]:
    """Return a fault for each item that no model of the datasheet may carry."""
    names = item_names(datasheet)
    known = {name.lower() for name in names}
    kind = f"wargear of {datasheet.name}"
    return tuple(unknown(item, names, kind) for item in wargear if item.lower() not in known)


def _supply(datasheet: Datasheet, rows: list[_Row], asked: Mapping[str, int]) -> None:
    """Let models change and choose until the unit has what was asked for, as far as it may."""
    for item in sorted(asked, key=lambda item: _held(rows, item) >= asked[item]):
        missing = asked[item] - _held(rows, item)
        for supply in (_swap_models, _choose, _enlist):
            if missing > 0:
                missing = supply(datasheet, rows, item, missing)


def _wanting(
    datasheet: Datasheet, rows: list[_Row], models: int, wargear: Mapping[str, int]
) -> tuple[BadData, ...]:
    """Return a fault for each item of which the unit has fewer than was asked for."""
    found = []
    for item, count in _asked(datasheet, wargear).items():
        held = _held(rows, item)
        if held < count:
            mend = f"a unit of {models} may have at most {held} of it beside what else it carries"
            found.append(BadData(datasheet.name, f"wargear '{item}'", mend))
    return tuple(found)


def _held(rows: list[_Row], item: str) -> int:
    """Return how many of the item the unit has."""
    return sum(row.models * _count(row.items(), item) for row in rows)


def weapons(datasheet: Datasheet, loadout: ModelLoadout) -> tuple[tuple[Weapon, int], ...]:
    """Return each weapon profile of one of these models, with how many weapons have it."""
    return tuple(
        (weapon, each.count) for each in loadout.items for weapon in datasheet.weapon_profiles(each.item)
    )


def _default_rows(datasheet: Datasheet, models: int) -> list[_Row]:
    sheet = of_size(datasheet, models)
    counts = default_counts(sheet, models)
    return [_row(kind, counts[kind.name]) for kind in sheet.models if counts[kind.name]]


def _row(kind: ModelKind, models: int) -> _Row:
    chosen = {i: option.default for i, option in enumerate(kind.options) if option.default is not None}
    return _Row(kind, models, chosen)


def _closed(rows: list[_Row]) -> tuple[ModelLoadout, ...]:
    return tuple(ModelLoadout(row.kind.name, row.models, row.items()) for row in rows if row.models)


def _take_additions(datasheet: Datasheet, rows: list[_Row], row: _Row) -> None:
    """Take the largest alternative of each choice that replaces nothing, if it has an effect.

    Of what the unit may have only some of, only a few models take it, in rows of their own.
    """
    known = {weapon.item for weapon in datasheet.weapons} | {gear.item for gear in datasheet.gear}
    known |= {ability.item for ability in datasheet.abilities if ability.item}
    for i, option in enumerate(row.kind.options):
        sizes = [sum(each.count for each in bundle) for bundle in option.alternatives]
        first = sizes.index(max(sizes))
        if i in row.chosen or not all(each.item in known for each in option.alternatives[first]):
            continue
        taker = _Row(row.kind, row.models, row.chosen | {i: first})
        taker.models = _room_for(datasheet, rows, row, option.alternatives[first])
        if taker.models <= 0 or _has_too_many(taker):
            continue
        if taker.models == row.models:
            row.chosen = taker.chosen
        else:
            row.models -= taker.models
            rows.insert(rows.index(row), taker)


def _room_for(datasheet: Datasheet, rows: list[_Row], row: _Row, bundle: tuple[Carried, ...]) -> int:
    """Return how many models of a row may take a bundle of which the unit may have only some."""
    models = sum(each.models for each in rows)
    room = row.models
    for each in bundle:
        if each.item in row.kind.most:
            few, most = row.kind.most[each.item]
            held = _held([other for other in rows if each.item in other.kind.most], each.item)
            room = min(room, (bound(datasheet, models, most, few) - held) // each.count)
    return room


def _swap_models(datasheet: Datasheet, rows: list[_Row], item: str, missing: int) -> int:
    """Turn ordinary models into models of kinds that always carry the item.

    Return how many of the item are still missing.
    """
    for kind in datasheet.models:
        carried = _count(kind.items, item)
        if carried and kind.default == 0 and missing > 0:
            missing -= carried * _recruit(datasheet, rows, kind, ceil(missing / carried))
    return missing


def _choose(datasheet: Datasheet, rows: list[_Row], item: str, missing: int) -> int:
    """Let models choose the item where a choice of theirs has it.

    Return how many of the item are still missing.
    """
    before = missing + 1
    while 0 < missing < before:
        before = missing
        for row in list(rows):
            order = sorted(
                range(len(row.kind.options)), key=lambda i: _replaces_other(datasheet, row, i, item)
            )
            for i in order:
                if missing > 0 and row.models:
                    missing = _choose_in(datasheet, rows, row, i, item, missing)
    return missing


def _replaces_other(datasheet: Datasheet, row: _Row, option: int, item: str) -> bool:
    """Return whether choosing the item here would give up a weapon of another type than it is."""
    if option not in row.chosen:
        return False
    bundle = row.kind.options[option].alternatives[row.chosen[option]]
    lost = {weapon.type for each in bundle for weapon in datasheet.weapon_profiles(each.item)}
    return not lost <= {weapon.type for weapon in datasheet.weapon_profiles(item)}


def _enlist(datasheet: Datasheet, rows: list[_Row], item: str, missing: int) -> int:
    """Turn ordinary models into models of kinds that may choose the item, and let them do so.

    Return how many of the item are still missing.
    """
    for kind in datasheet.models:
        bundles = [bundle for option in kind.options for bundle in option.alternatives]
        carried = max((_count(bundle, item) for bundle in bundles), default=0)
        if carried and kind.default == 0 and missing > 0:
            _recruit(datasheet, rows, kind, ceil(missing / carried))
            missing = _choose(datasheet, rows, item, missing)
    return missing


def _recruit(datasheet: Datasheet, rows: list[_Row], kind: ModelKind, wanted: int) -> int:
    """Turn up to `wanted` ordinary models into this kind, within its limits; return how many."""
    counts = Counter({each.name: 0 for each in datasheet.models})
    for row in rows:
        counts[row.kind.name] += row.models
    number = 0
    while number < wanted and (plain := replaceable(datasheet, counts, kind, counts.total())):
        able = [row for row in rows if row.kind is plain and row.models]
        source = max(able, key=lambda row: (not row.asked, row.models))
        source.models -= 1
        counts[plain.name] -= 1
        counts[kind.name] += 1
        number += 1
    if number:
        rows.append(_row(kind, number))
    return number


def _choose_in(
    datasheet: Datasheet, rows: list[_Row], row: _Row, option: int, item: str, missing: int
) -> int:
    """Let models of a row choose the item in one option; they form a new row.

    Return how many of the item are still missing.
    """
    wanted = (*row.asked.get(option, ()), item)
    bundles = row.kind.options[option].alternatives
    able = [n for n, bundle in enumerate(bundles) if _has_all(bundle, wanted)]
    if not able:
        return missing
    kept = {each.item: each.count for each in row.items()}
    now = _count(bundles[row.chosen[option]], item) if option in row.chosen else 0
    most = now + max(1, missing // row.models)

    def fitness(number: int) -> tuple[int, int]:
        shared = sum(min(each.count, kept.get(each.item, 0)) for each in bundles[number])
        return min(_count(bundles[number], item), most), shared

    found = max(able, key=fitness)
    changed = _Row(row.kind, row.models, row.chosen | {option: found}, row.asked | {option: wanted})
    gained = _count(changed.items(), item) - _count(row.items(), item)
    if gained <= 0 or _has_too_many(changed):
        return missing
    room = _room_for(datasheet, rows, row, (Carried(item=item, count=gained),))
    changed.models = min(room, ceil(missing / gained))
    if changed.models <= 0:
        return missing
    row.models -= changed.models
    rows.insert(rows.index(row), changed)
    return missing - changed.models * gained


def _has_too_many(row: _Row) -> bool:
    """Return whether a model has more of an item than its options allow it over all."""
    bounds = {item: most for option in row.kind.options for item, most in option.most.items()}
    return any(_count(row.items(), item) > most for item, most in bounds.items())


def _has_all(bundle: tuple[Carried, ...], wanted: tuple[str, ...]) -> bool:
    held = {each.item for each in bundle}
    return all(item in held for item in wanted)


def _count(items: tuple[Carried, ...], item: str) -> int:
    return sum(each.count for each in items if each.item == item)


def _summed(items: list[Carried]) -> tuple[Carried, ...]:
    """Return the items in the order of first appearance, with equal ones counted together."""
    counts: dict[str, int] = {}
    for each in items:
        counts[each.item] = counts.get(each.item, 0) + each.count
    return tuple(Carried(item=item, count=count) for item, count in counts.items())
