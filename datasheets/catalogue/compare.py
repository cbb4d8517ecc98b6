"""What of a datasheet the catalogues say otherwise, field by field of our record.

Owns the decision of what is compared: only numbers whose counterpart is certain. A changed field is our own
value with the numbers that differ, so that no name and no sentence of a catalogue comes into it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from datasheets.catalogue.cost import brackets
from datasheets.catalogue.facts import Facts, plain
from datasheets.catalogue.weapon import Difference, changed_weapons
from datasheets.schema import Datasheet, PointsRow, UnitSize

VALUE = re.compile(r" (\d*d?\d+\+?(?:\+\d+)?)$")


@dataclass(slots=True)
class Comparison:
    """What came of one datasheet: its new fields, the differences, and what was left out."""

    sheet: Datasheet
    fields: dict[str, Any] = field(default_factory=dict)
    differences: list[Difference] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def change(self, name: str, value: Any, differences: Iterable[Difference]) -> None:
        """Note a field's new value, where it has differences."""
        listed = list(differences)
        if listed:
            self.fields[name] = value
            self.differences += listed


def compare(sheet: Datasheet, facts: Facts) -> Comparison:
    """Return what the catalogue's facts say otherwise of our datasheet."""
    found = Comparison(sheet)
    if facts.is_legends != sheet.legends:
        found.change("legends", facts.is_legends, [Difference("legends", sheet.legends, facts.is_legends)])
    _compare_profiles(sheet, facts, found)
    weapons, differences, left_out = changed_weapons(sheet.weapons, facts.weapons)
    found.change("weapons", weapons, differences)
    found.left_out += left_out
    _compare_core(sheet, facts, found)
    _compare_size(sheet, facts, found)
    _compare_points(sheet, facts, found)
    return found


def _compare_profiles(sheet: Datasheet, facts: Facts, found: Comparison) -> None:
    theirs = {plain(name): values for name, values in facts.profiles.items()}
    if len(sheet.profiles) == len(theirs) == 1:
        theirs = {plain(sheet.profiles[0].name): next(iter(theirs.values()))}
    save = _new_save(sheet, facts, found)
    profiles, differences = [], []
    for ours in sheet.profiles:
        if plain(ours.name) not in theirs:
            found.left_out.append(f"profile {ours.name}: the catalogue has none of this name")
        old = ours.characteristics
        new = {**old, **{key: value for key, value in theirs.get(plain(ours.name), {}).items() if key in old}}
        profiles.append(replace(ours, characteristics=new, invulnerable=save or ours.invulnerable))
        differences += [
            Difference(f"{ours.name}, {key}", old[key], new[key]) for key in old if old[key] != new[key]
        ]
        if save:
            differences.append(Difference(f"{ours.name}, invulnerable", ours.invulnerable, save))
    found.change("profiles", tuple(profiles), differences)


def _new_save(sheet: Datasheet, facts: Facts, found: Comparison) -> int | None:
    """Return the invulnerable save that all models have now, where all had another one before.

    Only one that helps against the same attacks is compared.
    """
    ours = {(profile.invulnerable, profile.invulnerable_against) for profile in sheet.profiles}
    (first, against), *others = ours
    theirs = next(iter(facts.invulnerable)) if len(facts.invulnerable) == 1 else None
    if first is None and not others and not facts.invulnerable:
        return None
    if first is None or others or theirs is None or theirs[1] != against:
        found.left_out.append("invulnerable save: not one and the same for all models")
        return None
    return theirs[0] if theirs[0] != first else None


def _compare_core(sheet: Datasheet, facts: Facts, found: Comparison) -> None:
    """Compare the values of core abilities: "scouts 6" with "scouts 7"."""
    theirs: dict[str, set[str]] = {}
    for rule in facts.rules:
        if value := VALUE.search(rule):
            theirs.setdefault(rule[: value.start()], set()).add(value[1])
    new: dict[str, str] = {}
    for token in sheet.core_abilities:
        value = VALUE.search(token)
        values = theirs.get(token[: value.start()], set()) if value else set()
        if value and len(values) == 1 and values != {value[1]}:
            new[token] = f"{token[: value.start()]} {next(iter(values))}"
    if not new:
        return
    differences = [Difference("core ability", old, new[old]) for old in new]
    found.change("core_abilities", tuple(new.get(each, each) for each in sheet.core_abilities), differences)
    found.fields["abilities"] = tuple(
        replace(each, name=new.get(each.name, each.name)) if each.kind == "core" else each
        for each in sheet.abilities
    )


def _compare_size(sheet: Datasheet, facts: Facts, found: Comparison) -> None:
    least, most = facts.size
    old = sheet.unit_size
    if (least, most) == (old.minimum, old.maximum):
        return
    if most is None or least < 1 or facts.is_loose:
        found.left_out.append("unit size: it depends on more than limits")
        return
    told = Difference("unit size", f"{old.minimum}-{old.maximum}", f"{least}-{most}")
    found.change("unit_size", UnitSize(minimum=least, maximum=most), [told])


def _compare_points(sheet: Datasheet, facts: Facts, found: Comparison) -> None:
    """Compare the points of every number of models."""
    size = found.fields.get("unit_size", sheet.unit_size)
    sizes = range(size.minimum, size.maximum + 1)
    if facts.points and not any(facts.points.values()):
        found.left_out.append("points: the catalogue has none")
    elif not all(models in facts.points for models in sizes):
        found.left_out.append("points: they depend on more than the number of models")
    elif any(sheet.cost(models) != facts.points[models] for models in sizes):
        _change_points(sheet, brackets({models: facts.points[models] for models in sizes}), found)


def _change_points(sheet: Datasheet, theirs: Mapping[int, int], found: Comparison) -> None:
    """Note the new points; the numbers of models stay ours where no row is new."""
    old = sorted(sheet.points, key=_models)
    points = list(theirs.values())
    sizes = [row.models for row in old] if len(old) == len(points) else list(theirs)
    if len(set(sizes)) < len(sizes):
        sizes = list(theirs)
    new = tuple(PointsRow(models=models, points=cost) for models, cost in zip(sizes, points, strict=True))
    if [row.points for row in old] == points and len(set(sizes)) == len(sizes):
        found.left_out.append("points: only the numbers of models differ, up to which they are paid")
        return
    found.change("points", new, [Difference("points", _told(old), _told(new))])


def _models(row: PointsRow) -> int:
    return row.models


def _told(rows: Iterable[PointsRow]) -> str:
    return ", ".join(f"{row.models}: {row.points}" for row in rows)
