"""The kinds of model of a datasheet: their numbers, bases and wargear.

Owns the joining of kinds that the sources list once for each mix of a unit.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from datasheets.importers.carrying import Items, most, wargear, with_printed_kinds
from datasheets.importers.footprint import footprint, height
from datasheets.importers.mixing import fewest_packs, mix_of, mixes
from datasheets.importers.naming import bare, words
from datasheets.importers.tables import table, trees
from datasheets.schema import BaseSize, ModelKind

Row = Mapping[str, Any]
ANYBODY = frozenset(words("all other models"))


def kinds(row: Row, keywords: tuple[str, ...], items: Items) -> tuple[ModelKind, ...]:
    """Return the kinds of model of a datasheet, each name once."""
    row = with_printed_kinds(row)
    listed = [_kind(row, number, keywords, items) for number in range(len(row["models"]))]
    found: list[ModelKind] = []
    for number, kind in enumerate(listed):
        at = next((i for i, each in enumerate(found) if each.name == kind.name), None)
        if at is None:
            found.append(kind)
        elif mix_of(row, number) or (found[at].items, found[at].options) == (kind.items, kind.options):
            found[at] = _both(found[at], kind, is_mix=bool(mix_of(row, number)))
        else:
            found.append(replace(kind, name=_other_name(kind, found)))
    return tuple(_limited(row, kind) for kind in _with_room(row, found))


def _kind(row: Row, number: int, keywords: tuple[str, ...], items: Items) -> ModelKind:
    model = row["models"][number]
    name = model["name"]
    base = base_of(row, name)
    carried, options = wargear(row, number, items)
    profiles = {each["name"] for each in row["profiles"]}
    save = next((each for each in row["invuln"] if each["scope"] == f"model:{name}"), None)
    return ModelKind(
        name=bare(name),
        profile=model["profile"] if model["profile"] in profiles else row["profiles"][0]["name"],
        base=base,
        height=height(name, row["name"], base, keywords),
        minimum=model["min"] * fewest_packs(row, model.get("group")),
        maximum=model["max"],
        default=model["default"],
        group=_group(row, model),
        items=carried,
        options=options,
        most=most(row, number, items),
        keywords=_own_keywords(row, name, keywords),
        core_abilities=tuple(
            token.lower().replace('"', "").partition(" (")[0]
            for token, owner in row.get("core_by_model", {}).items()
            if owner == f"model:{name}"
        ),
        invulnerable=int(save["save"][0]) if save else None,
        invulnerable_against=save.get("only") if save else None,
    )


def _own_keywords(row: Row, model: str, keywords: Sequence[str]) -> tuple[str, ...]:
    """Return the keywords that this kind has by its own name and the datasheet has not for all."""
    found: set[str] = set()
    for owner, own in row.get("keywords_by_model", {}).items():
        parts = re.split(r",| AND ", re.sub(r" (ONLY|MODEL)$", "", owner))
        if any(set(words(part)) <= set(words(model)) for part in parts if words(part)):
            found |= {word.upper() for word in own}
    return tuple(sorted(found - set(keywords)))


def base_of(row: Row, model: str) -> BaseSize:
    """Return the base of a model: that of the entry with the nearest name, else an estimate."""
    entries = [each for each in row["base"] if each["shape"] in ("round", "oval") and each["mm"]]
    hulls = [each for each in row["base"] if each not in entries]
    entry = max(row["base"], key=lambda each: _likeness(each["model"], model), default=None)
    if entry is None or entry in hulls:
        return footprint(model, row["name"])
    mm = _noted(row, model) or tuple(map(float, entry["mm"]))
    return BaseSize(shape="round" if len(mm) == 1 else "oval", mm=mm, flying=bool(entry.get("flying")))


def _noted(row: Row, model: str) -> tuple[float, ...]:
    """Return the base that a note on the list gives to this model alone ("Kill-broker 32mm")."""
    for entry in row["base"]:
        found = re.fullmatch(r"(.+) (\d+(?:\.\d+)?)mm", entry.get("note") or "")
        if found and set(words(found[1])) <= set(words(model)):
            return (float(found[2]),)
    return ()


def _likeness(entry: str, model: str) -> float:
    """Return how well an entry's name fits a model: the best of the names in it, 0 for none."""
    kind = set(words(model))
    parts = [set(words(part)) for part in re.split(r",| and | & |/", entry)]
    shared = max((len(part & kind) / len(part | kind) for part in parts if part), default=0.0)
    return max(shared, 0.01) if any(part <= ANYBODY for part in parts) else shared


def _both(a: ModelKind, b: ModelKind, *, is_mix: bool) -> ModelKind:
    """Return one kind for two of one name: of two mixes, or both in a unit."""
    if not is_mix:
        most = None if a.maximum is None or b.maximum is None else a.maximum + b.maximum
        return replace(a, minimum=a.minimum + b.minimum, maximum=most, default=a.default + b.default)
    return replace(
        a,
        minimum=min(a.minimum, b.minimum),
        maximum=None if a.maximum is None or b.maximum is None else max(a.maximum, b.maximum),
        default=max(a.default, b.default),
        group=b.group if (b.maximum or 0) >= (a.maximum or 0) else a.group,
        options=a.options or b.options,
    )


def _other_name(kind: ModelKind, others: Sequence[ModelKind]) -> str:
    """Return a name of its own for a kind that carries other wargear than one of its name."""
    known = {item.item for other in others for item in other.items}
    own = next((each.item for each in kind.items if each.item not in known), None)
    taken = {other.name for other in others}
    names = [f"{kind.name} w/ {own}"] if own else []
    names += [f"{kind.name} ({number})" for number in range(2, len(others) + 3)]
    return next(name for name in names if name not in taken)


def _with_room(row: Row, found: Sequence[ModelKind]) -> list[ModelKind]:
    """Return the kinds with room below the ordinary ones for those that may replace them.

    The sources count an ordinary kind's minimum as if nobody in the smallest unit were of a special kind. A
    kind that not every mix has may be missing.
    """
    if mixes(row):
        named = [mix.kinds for mix in mixes(row)]
        return [
            replace(
                kind,
                minimum=min(each.get(kind.name, (0, 0))[0] for each in named),
                maximum=max(each.get(kind.name, (0, 0))[1] for each in named),
            )
            for kind in found
        ]
    return [replace(kind, minimum=_minimum(row, kind, found)) for kind in found]


def _minimum(row: Row, kind: ModelKind, found: Sequence[ModelKind]) -> int:
    smallest, largest = int(row["unit_size"]["min"]), int(row["unit_size"]["max"])
    others = sum(each.minimum for each in found) - kind.minimum
    instead = [each for each in found if each.default == 0 and _outermost(each) == _outermost(kind)]
    if kind.minimum == kind.maximum or not instead or others + kind.minimum < smallest:
        return kind.minimum
    limits = [int(each.maximum or largest) for each in instead]
    if max(limits) >= largest - others:
        return 0
    return max(0, smallest - others - sum(max(1, limit * smallest // largest) for limit in limits))


def _outermost(kind: ModelKind) -> str:
    return str(kind.group).split(" / ")[0]


def _limited(row: Row, kind: ModelKind) -> ModelKind:
    """Return the kind with its limit in the smallest unit, and one where the facts have none.

    Where the trees know of none either, all models may be of the kind.
    """
    names = [bare(model["name"]) for model in row["models"]]
    told = trees(row["faction"]).get(row["id"], {}).get("limits", [])
    if names.count(kind.name) != 1 or len(told) != len(names):
        return kind
    few, largest = told[names.index(kind.name)]
    if kind.maximum is None:
        is_limit = largest is not None and largest >= kind.default
        return replace(
            kind, maximum=largest if is_limit else row["unit_size"]["max"], few=few if is_limit else None
        )
    return replace(kind, few=few) if largest == kind.maximum and few is not None else kind


def _group(row: Row, model: Row) -> str | None:
    """Return the group that a kind of model belongs to; kinds of one sub-group share a limit."""
    group: str | None = model.get("group")
    for shared in table("limits")["shared"]:
        if shared["datasheet"] == row["id"] and any(word in model["name"] for word in shared["words"]):
            return f"{group} / Shared limit"
    return group
