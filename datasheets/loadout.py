"""Which models a unit of a given size has, and what each of them carries.

Owns the printed default, the Horde's "all relevant wargear" (SPAWN.5) and a roster's choices. It changes no
datasheet and knows nothing of a battle.

The full loadout, by a fixed rule: special kinds of model (those of which only some models may be one) are
filled in the sheet's order, one of each in turn, until each has as many as a unit of this size may have; a
limit shrinks in proportion to the unit's size, rounded down but never below one, and kinds of one sub-group
share the largest of their limits. Every choice keeps its printed default; a choice without one that would
add a ranged weapon is taken, its first alternative.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import ceil

import msgspec

from datasheets.errors import BadData, HordeError, UnknownName, unknown
from datasheets.schema import Carried, Datasheet, ModelKind, Weapon

SPECIALS_PER_MODELS = 10
"""A special kind that no source limits may be one model in so many."""


class ModelLoadout(msgspec.Struct, frozen=True):
    """Some models of a unit that are of one kind and carry the same wargear."""

    kind: str
    models: int
    items: tuple[Carried, ...]


class _Row(msgspec.Struct):
    """Models of one kind while they choose: by option, the alternative that they have and what was asked."""

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
    counts = _default_counts(datasheet, models)
    _add_specials(datasheet, counts, models)
    rows = [_row(kind, counts[kind.name]) for kind in datasheet.models if counts[kind.name]]
    for row in rows:
        _take_additions(datasheet, row)
    return _closed(rows)


def roster_loadout(datasheet: Datasheet, models: int, wargear: Mapping[str, int]) -> tuple[ModelLoadout, ...]:
    """Return a unit of this many models with the default wargear but for what the roster asks for.

    `wargear` counts items by name. What the datasheet does not allow raises `BadData`, an item that it does
    not have `UnknownName`.
    """
    rows = _default_rows(datasheet, models)
    strangers = _strangers(datasheet, wargear)
    if strangers:
        raise strangers[0]
    _supply(datasheet, rows, _asked(datasheet, wargear))
    wanting = _wanting(datasheet, rows, models, wargear)
    if wanting:
        raise wanting[0]
    return _closed(rows)


def loadout_faults(datasheet: Datasheet, models: int, wargear: Mapping[str, int]) -> tuple[HordeError, ...]:
    """Return all that the datasheet does not allow of a unit: its size, and each item that was asked for."""
    strangers: tuple[HordeError, ...] = _strangers(datasheet, wargear)
    try:
        rows = _default_rows(datasheet, models)
    except BadData as fault:
        return (fault, *strangers)
    _supply(datasheet, rows, _asked(datasheet, wargear))
    return (*strangers, *_wanting(datasheet, rows, models, wargear))


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
    """Return each weapon profile that one of these models carries, with how many weapons have it."""
    return tuple(
        (weapon, each.count) for each in loadout.items for weapon in datasheet.weapon_profiles(each.item)
    )


def _default_rows(datasheet: Datasheet, models: int) -> list[_Row]:
    counts = _default_counts(datasheet, models)
    return [_row(kind, counts[kind.name]) for kind in datasheet.models if counts[kind.name]]


def _row(kind: ModelKind, models: int) -> _Row:
    chosen = {i: option.default for i, option in enumerate(kind.options) if option.default is not None}
    return _Row(kind, models, chosen)


def _closed(rows: list[_Row]) -> tuple[ModelLoadout, ...]:
    return tuple(ModelLoadout(row.kind.name, row.models, row.items()) for row in rows if row.models)


def _default_counts(datasheet: Datasheet, models: int) -> Counter[str]:
    """Return how many models of each kind: the printed default, then more of the ordinary, then of any."""
    size = datasheet.unit_size
    if not size.minimum <= models <= size.maximum:
        mend = f"a unit has {size.minimum} to {size.maximum} models, not {models}"
        raise BadData(datasheet.name, "models", mend)
    counts = Counter({kind.name: kind.default for kind in datasheet.models})
    ordinary = [kind for kind in datasheet.models if kind.default > 0]
    for kind in [*ordinary, *(kind for kind in datasheet.models if kind.default == 0)]:
        room = models if kind.maximum is None else kind.maximum - counts[kind.name]
        counts[kind.name] += max(0, min(models - counts.total(), room))
    return counts


def _add_specials(datasheet: Datasheet, counts: Counter[str], models: int) -> None:
    """Replace ordinary models by special ones, one of each kind in turn, as far as limits and models go."""
    specials = [kind for kind in datasheet.models if _is_special(datasheet, kind)]
    has_added = True
    while has_added:
        has_added = False
        for kind in specials:
            plain = _plainest(datasheet, counts)
            if plain is not None and _room(datasheet, kind, counts, models) > 0:
                counts[plain.name] -= 1
                counts[kind.name] += 1
                has_added = True


def _is_special(datasheet: Datasheet, kind: ModelKind) -> bool:
    """Return whether only some models of the unit may be of this kind."""
    others = sum(each.minimum for each in datasheet.models if each is not kind)
    most = datasheet.unit_size.maximum - others
    return kind.default == 0 and (kind.maximum is None or kind.maximum < most)


def _plainest(datasheet: Datasheet, counts: Counter[str]) -> ModelKind | None:
    """Return the ordinary kind that may give up a model: of those the one with the most models."""
    able = [kind for kind in datasheet.models if kind.default > 0 and counts[kind.name] > kind.minimum]
    return max(able, key=lambda kind: counts[kind.name], default=None)


def _room(datasheet: Datasheet, kind: ModelKind, counts: Counter[str], models: int) -> int:
    """Return how many more models of this kind a unit of this size may have."""
    room = _limit(datasheet, kind, models) - counts[kind.name]
    if kind.group and " / " in kind.group:
        group = [each for each in datasheet.models if each.group == kind.group]
        shared = max(_limit(datasheet, each, models) for each in group)
        room = min(room, shared - sum(counts[each.name] for each in group))
    return room


def _limit(datasheet: Datasheet, kind: ModelKind, models: int) -> int:
    """Return how many models of a special kind a unit of this size may have at all."""
    most = datasheet.unit_size.maximum
    maximum = most // SPECIALS_PER_MODELS if kind.maximum is None else kind.maximum
    return max(1, maximum * models // most)


def _take_additions(datasheet: Datasheet, row: _Row) -> None:
    """Take the first alternative of every choice that replaces nothing and adds a ranged weapon."""
    for i, option in enumerate(row.kind.options):
        first = [weapon for each in option.alternatives[0] for weapon in datasheet.weapon_profiles(each.item)]
        if i not in row.chosen and any(weapon.is_ranged for weapon in first):
            row.chosen[i] = 0


def _swap_models(datasheet: Datasheet, rows: list[_Row], item: str, missing: int) -> int:
    """Make ordinary models such kinds as always carry the item; return how many items are still missing."""
    for kind in datasheet.models:
        carried = _count(kind.items, item)
        if carried and kind.default == 0 and missing > 0:
            missing -= carried * _recruit(datasheet, rows, kind, ceil(missing / carried))
    return missing


def _choose(datasheet: Datasheet, rows: list[_Row], item: str, missing: int) -> int:
    """Let models choose the item where a choice of theirs has it; return how many are still missing."""
    for row in list(rows):
        for i in sorted(range(len(row.kind.options)), key=lambda i: _replaces_other(datasheet, row, i, item)):
            if missing > 0 and row.models:
                missing = _choose_in(rows, row, i, item, missing)
    return missing


def _replaces_other(datasheet: Datasheet, row: _Row, option: int, item: str) -> bool:
    """Return whether choosing the item here would give up a weapon of another type than it is."""
    if option not in row.chosen:
        return False
    bundle = row.kind.options[option].alternatives[row.chosen[option]]
    lost = {weapon.type for each in bundle for weapon in datasheet.weapon_profiles(each.item)}
    return not lost <= {weapon.type for weapon in datasheet.weapon_profiles(item)}


def _enlist(datasheet: Datasheet, rows: list[_Row], item: str, missing: int) -> int:
    """Make ordinary models such kinds as may choose the item, and let them; return how many are missing."""
    for kind in datasheet.models:
        bundles = [bundle for option in kind.options for bundle in option.alternatives]
        carried = max((_count(bundle, item) for bundle in bundles), default=0)
        if carried and kind.default == 0 and missing > 0:
            _recruit(datasheet, rows, kind, ceil(missing / carried))
            missing = _choose(datasheet, rows, item, missing)
    return missing


def _recruit(datasheet: Datasheet, rows: list[_Row], kind: ModelKind, wanted: int) -> int:
    """Turn up to so many ordinary models into models of this kind, within its limits; return how many."""
    counts = Counter({each.name: 0 for each in datasheet.models})
    for row in rows:
        counts[row.kind.name] += row.models
    plain = _plainest(datasheet, counts)
    if plain is None:
        return 0
    room = _room(datasheet, kind, counts, counts.total()) if _is_special(datasheet, kind) else wanted
    source = max((row for row in rows if row.kind is plain), key=lambda row: row.models)
    number = min(wanted, room, counts[plain.name] - plain.minimum, source.models)
    if number <= 0:
        return 0
    source.models -= number
    rows.append(_row(kind, number))
    return number


def _choose_in(rows: list[_Row], row: _Row, option: int, item: str, missing: int) -> int:
    """Let models of a row choose the item in one option, in a row of their own where only some need it."""
    wanted = (*row.asked.get(option, ()), item)
    bundles = row.kind.options[option].alternatives
    able = [n for n, bundle in enumerate(bundles) if _has_all(bundle, wanted)]
    if not able:
        return missing
    kept = {each.item for each in row.items()}
    found = max(able, key=lambda n: sum(each.item in kept for each in bundles[n]))
    changed = _Row(row.kind, row.models, row.chosen | {option: found}, row.asked | {option: wanted})
    gained = _count(changed.items(), item) - _count(row.items(), item)
    if gained <= 0:
        return missing
    changed.models = min(row.models, ceil(missing / gained))
    row.models -= changed.models
    rows.insert(rows.index(row), changed)
    return missing - changed.models * gained


def _has_all(bundle: tuple[Carried, ...], wanted: tuple[str, ...]) -> bool:
    held = {each.item for each in bundle}
    return all(item in held for item in wanted)


def _count(items: tuple[Carried, ...], item: str) -> int:
    return sum(each.count for each in items if each.item == item)


def _summed(items: list[Carried]) -> tuple[Carried, ...]:
    """Return the items with equal ones counted together, in the order in which each first stands."""
    counts: dict[str, int] = {}
    for each in items:
        counts[each.item] = counts.get(each.item, 0) + each.count
    return tuple(Carried(item=item, count=count) for item, count in counts.items())
