"""Writes the shipped armies: two of each faction, and Space Marines for each share.

    python scripts/ship_armies.py

Each is the builder's, by a seed of its own where SEEDS names one. The Space Marines of 1,000 and 2,000 points
were made by hand and stay as they are. Run again, it changes nothing while neither datasheets nor the builder
have changed.
"""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from ai.muster.builder import new_army
from datasheets.library import Library
from datasheets.roster import check_roster, cost
from datasheets.roster_text import roster_toml
from datasheets.schema import Roster
from datasheets.share import MOST_PLAYERS, share

FOLDER = Path(__file__).resolve().parent.parent / "assets" / "armies"
SIZES = (1000, 2000)
SHARED = "space-marines"
"""The faction with an army for each share of two to eight players, and a smaller one."""
SMALLEST = 100
"""The points of the smallest army, for shares that a handicap makes smaller than any other."""
SEVERAL = range(2, MOST_PLAYERS + 1)
SHARES = sorted({share(points, players) for points in SIZES for players in SEVERAL} - {*SIZES} | {SMALLEST})
SEED = 1
SEEDS: dict[str, int] = {}
"""By the army's name, where another seed than the first makes the better army."""


def main() -> None:
    """Write every army and print what each costs; stop at one that is not legal."""
    library = Library()
    for faction in library.hordes():
        for points in SIZES if faction != SHARED else SHARES:
            name = f"{faction}-{points}"
            army = new_army(faction, points, SEEDS.get(name, SEED), library)
            army = replace(army, name=f"{library.faction(faction).name}, {points:,} points")
            faults = check_roster(army, library, points)
            if faults:
                raise SystemExit(f"{name}: {faults[0]}")
            (FOLDER / f"{name}.toml").write_text(roster_toml(army, comment(army, library)), encoding="utf-8")
            print(f"{name}: {cost(army, library)} points, {len(army.units)} units")


def comment(army: Roster, library: Library) -> str:
    """Return what an army is made of, in a line."""
    sheets = [library.datasheet(unit.datasheet) for unit in army.units]
    warlord = next(sheet for unit, sheet in zip(army.units, sheets, strict=True) if unit.warlord)
    heavy = sum(sheet.has("VEHICLE") or sheet.has("MONSTER") for sheet in sheets)
    leaders = sum(unit.attached_to is not None for unit in army.units)
    parts = (
        [f"{len(sheets) - heavy - leaders} units on foot or mounted"] if len(sheets) > heavy + leaders else []
    )
    parts += [f"{heavy} vehicles or monsters"] if heavy else []
    return f"{cost(army, library)} points under the {warlord.name}: {' and '.join(parts)}."


if __name__ == "__main__":
    main()
