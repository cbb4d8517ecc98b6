"""The models of each kind that a unit of a size may have: by mix and by limits.

Owns the counting. `loadout` owns what the models carry.
"""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from datasheets.errors import BadData
from datasheets.schema import Datasheet, Group, Mix, ModelKind, UnitSize

SPECIALS_PER_MODELS = 10
"""A special kind that no source limits may be one model in this many."""


def of_size(datasheet: Datasheet, models: int, *, special: bool = False) -> Datasheet:
    """Return the datasheet as it is for units of this many models: of several mixes, one alone.

    That is the mix with the fewest models of other than the printed kinds, or with `special` the most. A
    size that no unit has raises `BadData`.
    """
    if models not in datasheet.sizes:
        raise BadData(datasheet.name, "models", f"{_said(datasheet)}, not {models}")
    able = _mixes(datasheet, models)
    return _of_mix(datasheet, able[-1 if special else 0]) if able else datasheet


def every_mix(datasheet: Datasheet, models: int) -> tuple[Datasheet, ...]:
    """Return the datasheet for each mix that a unit of this size may be, the plainest first."""
    first = of_size(datasheet, models)
    return (first, *(_of_mix(datasheet, mix) for mix in _mixes(datasheet, models)[1:]))


def _mixes(datasheet: Datasheet, models: int) -> list[Mix]:
    """Return the mixes of this size, those with the most models of printed kinds first."""
    able = [mix for mix in datasheet.mixes if mix.minimum <= models <= mix.maximum]
    strange = {kind.name for kind in datasheet.models if kind.default == 0}
    return sorted(able, key=lambda mix: sum(mix.kinds[name][0] for name in strange & set(mix.kinds)))


def _said(datasheet: Datasheet) -> str:
    """Return which sizes a unit may have, in words."""
    sizes = datasheet.sizes
    if sizes == tuple(range(sizes[0], sizes[-1] + 1)):
        return f"a unit has {sizes[0]} to {sizes[-1]} models"
    return f"a unit has {' or '.join(map(str, sizes))} models"


def _of_mix(datasheet: Datasheet, mix: Mix) -> Datasheet:
    """Return the datasheet with the kinds of one mix and their limits."""
    kinds = [
        replace(
            kind,
            minimum=mix.kinds[kind.name][0],
            maximum=mix.kinds[kind.name][1],
            default=max(mix.kinds[kind.name][0], min(kind.default, mix.kinds[kind.name][1])),
        )
        for kind in datasheet.models
        if kind.name in mix.kinds
    ]
    size = UnitSize(minimum=mix.minimum, maximum=mix.maximum)
    return replace(datasheet, models=tuple(kinds), unit_size=size, mixes=())


def default_counts(datasheet: Datasheet, models: int) -> Counter[str]:
    """Return how many models of each kind a unit of this size has by default.

    It is the printed default, filled up with models of the ordinary kinds first, then of the others.
    """
    counts = Counter({kind.name: kind.default for kind in datasheet.models})
    ordinary = [kind for kind in datasheet.models if kind.default > 0]
    for kind in [*ordinary, *(kind for kind in datasheet.models if kind.default == 0)]:
        for _ in range(models - counts.total()):
            if kind.maximum is None or counts[kind.name] < kind.maximum:
                counts[kind.name] += 1
                if _is_over(datasheet, counts):
                    counts[kind.name] -= 1
                    break
    return counts


def add_specials(datasheet: Datasheet, counts: Counter[str], models: int) -> None:
    """Replace ordinary models by special ones, one of each kind in turn.

    It goes on for as long as the limits allow it and ordinary models are left.
    """
    specials = [kind for kind in datasheet.models if is_special(datasheet, kind)]
    has_added = True
    while has_added:
        has_added = False
        for kind in specials:
            plain = replaceable(datasheet, counts, kind, models)
            if plain is not None:
                counts[plain.name] -= 1
                counts[kind.name] += 1
                has_added = True


def is_special(datasheet: Datasheet, kind: ModelKind) -> bool:
    """Return whether only some models of its group may be of this kind."""
    others = sum(
        each.minimum
        for each in datasheet.models
        if each is not kind and (each.minimum == each.maximum or _outermost(each) != _outermost(kind))
    )
    most = datasheet.unit_size.maximum - others
    return kind.default == 0 and (kind.maximum is None or kind.maximum < most)


def _outermost(kind: ModelKind) -> str:
    """Return the largest group that a kind is of."""
    return (kind.group or "").partition(" / ")[0]


def replaceable(datasheet: Datasheet, counts: Counter[str], kind: ModelKind, models: int) -> ModelKind | None:
    """Return the commonest ordinary kind of which a model may become one of this kind."""
    limit = _limit(datasheet, kind, models) if is_special(datasheet, kind) else kind.maximum
    if limit is not None and counts[kind.name] >= limit:
        return None
    able = []
    for each in datasheet.models:
        if each.default > 0 and each.name != kind.name and counts[each.name] > each.minimum:
            changed = counts.copy()
            changed[each.name] -= 1
            changed[kind.name] += 1
            if not _breaks(datasheet, changed, models, kind):
                able.append(each)
    return max(able, key=lambda each: counts[each.name], default=None)


def _breaks(datasheet: Datasheet, counts: Counter[str], models: int, kind: ModelKind) -> bool:
    """Return whether counts pass a limit of a group after a model has become one of this kind.

    A limit shrinks in proportion to the unit's size, but never below one.
    """
    for group in datasheet.groups:
        held = _held(datasheet, group, counts)
        if held < group.minimum:
            return True
        limit = bound(datasheet, models, group.maximum or models, group.few)
        if group.maximum is not None and _is_in(kind, group) and held > limit:
            return True
    own = {each.item for each in kind.items}
    return any(
        item in own and _carried(datasheet, item, counts) > bound(datasheet, models, most, few)
        for item, (few, most) in kind.most.items()
    )


def _carried(datasheet: Datasheet, item: str, counts: Counter[str]) -> int:
    """Return how many of an item the unit has that kinds with a limit of it always carry."""
    return sum(
        counts[kind.name] * each.count
        for kind in datasheet.models
        for each in kind.items
        if each.item == item and item in kind.most
    )


def _is_over(datasheet: Datasheet, counts: Counter[str]) -> bool:
    """Return whether a group has more models than it ever may."""
    return any(
        group.maximum is not None and _held(datasheet, group, counts) > group.maximum
        for group in datasheet.groups
    )


def _held(datasheet: Datasheet, group: Group, counts: Counter[str]) -> int:
    return sum(counts[kind.name] for kind in datasheet.models if _is_in(kind, group))


def _is_in(kind: ModelKind, group: Group) -> bool:
    """Return whether a kind is of a group or of one in it."""
    return kind.group is not None and (kind.group == group.name or kind.group.startswith(f"{group.name} / "))


def _limit(datasheet: Datasheet, kind: ModelKind, models: int) -> int:
    """Return how many models of a special kind a unit of this size may have at all."""
    most = datasheet.unit_size.maximum
    return bound(
        datasheet, models, most // SPECIALS_PER_MODELS if kind.maximum is None else kind.maximum, kind.few
    )


def bound(datasheet: Datasheet, models: int, most: int, few: int | None) -> int:
    """Return a limit in a unit of this size, from those in the largest and the smallest unit."""
    shrunk = most * models // datasheet.unit_size.maximum
    return max(1, shrunk) if few is None else max(few, shrunk)
