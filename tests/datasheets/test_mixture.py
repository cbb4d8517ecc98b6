"""The models of each kind that a unit may have: groups, growing limits, and mixes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from datasheets.errors import BadData
from datasheets.library import Library
from datasheets.loadout import ModelLoadout, default_loadout, full_loadout, roster_loadout, weapons
from datasheets.mixture import bound, every_mix, of_size

WEAPONLESS = 19
"""Datasheets without a weapon in any source: mines, fortifications, a pod."""
ARMED_BY_CHOICE = {
    "unaligned/bastion-legends",
    "unaligned/castellum-stronghold-legends",
    "unaligned/wall-of-martyrs-bunker-legends",
}
"""Fortifications whose printed loadout is empty."""


def kinds(rows: Sequence[ModelLoadout]) -> Counter[str]:
    """Return how many models there are of each kind."""
    counts: Counter[str] = Counter()
    for row in rows:
        counts[row.kind] += row.models
    return counts


def test_every_datasheet_in_every_size_is_whole_and_within_its_limits(library: Library) -> None:
    weaponless = set()
    for sheet in (each for faction in library.factions() for each in library.datasheets(faction)):
        assert sheet.sizes, sheet.id
        for size in sheet.sizes:
            for loadout in (default_loadout, full_loadout):
                rows = loadout(sheet, size)
                counts = kinds(rows)
                assert counts.total() == size, (sheet.id, size)
                for kind in sheet.models:
                    assert kind.maximum is None or counts[kind.name] <= kind.maximum, (
                        sheet.id,
                        size,
                        kind.name,
                    )
                for group in sheet.groups:
                    inside = [
                        each for each in sheet.models if f"{each.group} / ".startswith(f"{group.name} / ")
                    ]
                    held = sum(counts[each.name] for each in inside)
                    assert group.maximum is None or held <= group.maximum, (sheet.id, size, group.name)
                armed = all(weapons(sheet, row) for row in rows)
                assert armed or not sheet.weapons or sheet.id in ARMED_BY_CHOICE, (sheet.id, size)
                weaponless |= {sheet.id} if not sheet.weapons else set()
    assert len(weaponless) == WEAPONLESS


def test_a_unit_of_mixes_has_only_their_sizes(library: Library) -> None:
    sheet = library.datasheet("orks/gretchin")
    assert sheet.sizes == (11, 22)
    assert kinds(default_loadout(sheet, 22)) == {"Gretchin": 20, "Runtherd": 2}
    with pytest.raises(BadData, match="11 or 22 models, not 15"):
        default_loadout(sheet, 15)


def test_the_mix_with_special_models_is_the_full_one(library: Library) -> None:
    sheet = library.datasheet("world-eaters/jakhals")
    assert kinds(default_loadout(sheet, 20))["Jakhal w/ mauler chainblade"] == 0
    assert kinds(full_loadout(sheet, 20))["Jakhal w/ mauler chainblade"] == 2
    assert kinds(roster_loadout(sheet, 20, {"Mauler chainblade": 1}))["Jakhal w/ mauler chainblade"] == 1
    assert len(every_mix(sheet, 20)) == 3
    assert of_size(sheet, 10).unit_size.maximum == 10


def test_one_of_a_group_stays_one_in_a_large_unit(library: Library) -> None:
    sheet = library.datasheet("adeptus-mechanicus/sicarian-ruststalkers")
    leaders = [name for name in kinds(default_loadout(sheet, 10)) if "Princeps" in name]
    assert [kinds(default_loadout(sheet, 10))[name] for name in leaders] == [1]
    armed = kinds(roster_loadout(sheet, 5, {"Transonic blades": 4}))
    assert sum(count for name, count in armed.items() if "Princeps" in name) == 1


def test_limits_are_those_of_the_smallest_and_the_largest_unit(library: Library) -> None:
    sheet = library.datasheet("space-marines/intercessor-squad")
    assert [bound(sheet, models, 2, None) for models in (5, 9, 10)] == [1, 1, 2]
    assert [bound(sheet, models, 2, 2) for models in (5, 10)] == [2, 2]
    assert [bound(sheet, models, 1, 0) for models in (5, 10)] == [0, 1]


@pytest.mark.parametrize("models", [3, 6])
def test_an_item_of_a_whole_unit_is_carried_by_as_many_as_may(library: Library, models: int) -> None:
    sheet = library.datasheet("tyranids/tyranid-warriors-with-ranged-bio-weapons")
    most = models // 3
    armed = roster_loadout(sheet, models, {"Venom cannon": most})
    assert sum(row.models for row in armed if any(i.item == "Venom cannon" for i in row.items)) == most
    with pytest.raises(BadData, match=f"at most {most} of it"):
        roster_loadout(sheet, models, {"Venom cannon": most + 1})


@pytest.mark.parametrize(
    ("sheet", "models", "item"),
    [
        ("space-marines/captain", 1, "Relic Shield"),
        ("space-marines/infiltrator-squad", 5, "Helix Gauntlet"),
        ("space-marines/impulsor", 1, "Shield Dome"),
        ("space-marines/vanguard-veteran-squad-with-jump-packs", 5, "Storm Shield"),
        ("chaos-daemons/bloodletters", 10, "Instrument of Chaos"),
        ("chaos-daemons/bloodletters", 10, "Daemonic Icon"),
        ("adeptus-custodes/shield-captain", 1, "Praesidium Shield"),
        ("necrons/lychguard", 5, "Dispersion shield"),
    ],
)
def test_wargear_that_is_no_weapon_can_be_taken(library: Library, sheet: str, models: int, item: str) -> None:
    rows = roster_loadout(library.datasheet(sheet), models, {item: 1})
    assert any(each.item == item for row in rows for each in row.items)
    assert item in {each.item for each in library.datasheet(sheet).abilities}


def test_only_one_model_carries_what_is_the_unit_s(library: Library) -> None:
    rows = full_loadout(library.datasheet("chaos-daemons/bloodletters"), 10)
    assert sum(row.models for row in rows if any(i.item == "Instrument of Chaos" for i in row.items)) == 1


def test_every_item_of_an_ability_can_be_carried(library: Library) -> None:
    for sheet in (each for faction in library.factions() for each in library.datasheets(faction)):
        bundles = [
            bundle
            for kind in sheet.models
            for bundle in (kind.items, *(b for option in kind.options for b in option.alternatives))
        ]
        items = {each.item for bundle in bundles for each in bundle}
        assert {each.item for each in sheet.abilities if each.item} <= items, sheet.id
