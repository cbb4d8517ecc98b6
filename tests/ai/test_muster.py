"""The builder: its armies are legal, use their points, make sense, and depend on the seed."""

from __future__ import annotations

from itertools import product

import pytest
from msgspec.structs import replace

from ai.muster.builder import new_army, random_army
from ai.muster.order_of_battle import idle
from ai.muster.pick import best_pick, plain_pick
from ai.muster.selection import bundle_worth, select
from ai.muster.worth import measures
from datasheets.belonging import Realm
from datasheets.errors import HordeError
from datasheets.library import Library
from datasheets.loadout import roster_loadout
from datasheets.roster import check_roster, cost, load_roster
from datasheets.roster_text import roster_toml
from datasheets.schema import Roster
from engine.core.facts import PLAYERS
from engine.w40k.muster import Part, muster

LIBRARY = Library()
FACTIONS = LIBRARY.armies_of()
SAMPLE = [(faction, (1000, 2000)[n % 2], n) for n, faction in enumerate(FACTIONS)]


def sheets(army: Roster) -> list[str]:
    """Return the datasheets of an army, a name for each unit."""
    return [unit.datasheet for unit in army.units]


@pytest.mark.parametrize(("faction", "points", "seed"), SAMPLE)
def test_a_built_army_is_legal_and_sensible(faction: str, points: int, seed: int) -> None:
    army = new_army(faction, points, seed, LIBRARY)
    assert check_roster(army, LIBRARY, points) == ()
    assert 0.95 * points <= cost(army, LIBRARY) <= points
    found = [(unit, LIBRARY.datasheet(unit.datasheet)) for unit in army.units]
    assert sum(unit.warlord for unit, _ in found) == 1
    assert not any(sheet.legends or sheet.has("AIRCRAFT") or sheet.has("FORTIFICATION") for _, sheet in found)
    line = any(sheet.has("BATTLELINE") for sheet in Realm(faction, LIBRARY).own())
    assert sum(sheet.has("BATTLELINE") for _, sheet in found) >= (2 if line else 0)
    carried = {unit.embarked_in for unit, _ in found}
    assert all(unit.id in carried for unit, sheet in found if sheet.has("DEDICATED TRANSPORT"))
    assert all(unit.attached_to for unit, sheet in found if sheet.leads)


@pytest.mark.parametrize(("faction", "points", "seed"), SAMPLE)
def test_a_random_army_is_legal_and_uses_its_points(faction: str, points: int, seed: int) -> None:
    army = random_army(faction, points, seed, LIBRARY)
    assert check_roster(army, LIBRARY, points) == ()
    assert 0.95 * points <= cost(army, LIBRARY) <= points
    assert not any(unit.wargear for unit in army.units)


def test_the_same_seed_makes_the_same_army_and_another_seed_another() -> None:
    for make in (new_army, random_army):
        first, again = (make("orks", 1000, 3, LIBRARY) for _ in range(2))
        assert first == again
        assert len({tuple(sheets(make("orks", 1000, seed, LIBRARY))) for seed in range(6)}) > 1


def test_an_army_reads_as_it_was_written() -> None:
    army = new_army("adepta-sororitas", 1000, 2, LIBRARY)
    text = roster_toml(army, "Sisters.")
    assert text.startswith("# Sisters.\nname = ")
    assert load_roster(text) == army


@pytest.mark.parametrize("share", [125, 250, 335])
def test_a_small_share_makes_an_army_too(share: int) -> None:
    army = new_army("astra-militarum", share, 1, LIBRARY)
    assert check_roster(army, LIBRARY, share) == ()


@pytest.mark.parametrize(
    ("faction", "points", "told"),
    [
        ("titans", 1000, "Titans fields no army"),
        ("ork", 1000, "did you mean 'orks'"),
        ("imperial-knights", 100, "Imperial Knights has no army of 100 points"),
    ],
)
def test_what_has_no_army_is_refused(faction: str, points: int, told: str) -> None:
    for make in (new_army, random_army):
        with pytest.raises(HordeError, match=told):
            make(faction, points, 1, LIBRARY)


def test_twice_the_unit_is_worth_about_twice() -> None:
    ten, twenty = (plain_pick(LIBRARY.datasheet("necrons/necron-warriors"), n).value for n in (10, 20))
    assert twenty == pytest.approx(2 * ten, rel=0.01)


def test_a_better_gun_a_better_save_and_more_wounds_are_worth_more() -> None:
    sheet = LIBRARY.datasheet("space-marines/hellblaster-squad")
    part = Part(sheet, 5, roster_loadout(sheet, 5, {}))
    plain = muster("u", [part], side=PLAYERS, player="p1", first_row=0)
    harder = replace(plain, weapons=tuple(replace(w, strength=w.strength + 2) for w in plain.weapons))
    assert measures(harder).attack > measures(plain).attack
    for key, value in (("Sv", 2), ("W", 4), ("T", 8), ("Inv", 4)):
        models = tuple(replace(m, characteristics={**m.characteristics, key: value}) for m in plain.models)
        assert measures(replace(plain, models=models)).staying > measures(plain).staying


def test_wargear_is_never_worse_than_the_default() -> None:
    for name in ("space-marines/captain", "space-marines/devastator-squad", "death-guard/plague-marines"):
        sheet = LIBRARY.datasheet(name)
        assert (
            best_pick(sheet, sheet.unit_size.minimum).value
            >= plain_pick(sheet, sheet.unit_size.minimum).value
        )


def test_the_selection_is_the_best_of_all() -> None:
    """Against every choice, tried one by one."""
    names = ("orks/boyz", "orks/warboss", "orks/lootas", "orks/deff-dread")
    picks = [plain_pick(LIBRARY.datasheet(name), LIBRARY.datasheet(name).unit_size.minimum) for name in names]
    found = select([[pick] for pick in picks], dict.fromkeys(names, 2), 500, 0)
    best = 0.0
    for counts in product(range(3), repeat=4):
        spent = sum(n * pick.cost for n, pick in zip(counts, picks, strict=True))
        if spent <= 500 and counts[0] >= 2 and counts[1] >= 1:
            bundles = ([pick] * n for n, pick in zip(counts, picks, strict=True))
            best = max(best, sum(bundle_worth(bundle, 500) for bundle in bundles))
    chosen = ([each for each in found if each.sheet is pick.sheet] for pick in picks)
    assert sum(bundle_worth(bundle, 500) for bundle in chosen) == pytest.approx(best)


def test_two_units_are_worth_more_than_one_of_twice_the_size_and_four_less_than_twice_two() -> None:
    boyz = LIBRARY.datasheet("orks/boyz")
    ten, twenty = plain_pick(boyz, 10), plain_pick(boyz, 20)
    assert bundle_worth([ten, ten], 1000) > bundle_worth([twenty], 1000)
    assert bundle_worth([ten] * 4, 1000) < 2 * bundle_worth([ten] * 2, 1000)


def test_a_leader_of_nobody_and_an_empty_transport_are_idle() -> None:
    captain, squad, rhino = (
        plain_pick(LIBRARY.datasheet(f"space-marines/{name}"), n)
        for name, n in (("captain", 1), ("assault-intercessor-squad", 5), ("rhino", 1))
    )
    impulsor = plain_pick(LIBRARY.datasheet("space-marines/impulsor"), 1)
    assert idle([captain, rhino]) == {"space-marines/captain", "space-marines/rhino"}
    assert idle([captain, squad, impulsor]) == set()
