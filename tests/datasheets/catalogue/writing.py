"""Small catalogues and a datasheet beside them, all written here."""

from __future__ import annotations

from pathlib import Path

from datasheets.catalogue.folder import SYSTEM
from datasheets.catalogue.importing import Imported, import_catalogues
from datasheets.schema import BaseSize, Datasheet, ModelKind, PointsRow, Profile, UnitSize, Weapon

SPACE = "http://www.battlescribe.net/schema/"
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
GAME = f"""{HEAD}<gameSystem xmlns="{SPACE}gameSystemSchema" id="{SYSTEM}" name="Battle Game 10th Edition"
  revision="3"><costTypes><costType id="p" name="pts"/></costTypes></gameSystem>"""


def unit_profile(name: str, toughness: int = 4, **others: str) -> str:
    """Return a model's profile; M, SV, W, LD and OC are ordinary where they are not given."""
    values = {"M": '6"', "T": str(toughness), "SV": "3+", "W": "2", "LD": "6+", "OC": "1", **others}
    return _profile("Unit", name, values)


def gun(name: str, strength: int = 4, keywords: str = "-", more: str = "", **others: str) -> str:
    """Return the profile of a ranged weapon."""
    values = {"Range": '24"', "A": "2", "BS": "3+", "S": str(strength), "AP": "-1", "D": "1"}
    return _profile("Ranged Weapons", name, {**values, **others, "Keywords": keywords}, more)


def blade(name: str, attacks: str = "3", **others: str) -> str:
    """Return the profile of a melee weapon."""
    values = {"Range": "Melee", "A": attacks, "WS": "3+", "S": "4", "AP": "0", "D": "1", "Keywords": "-"}
    return _profile("Melee Weapons", name, {**values, **others})


def _profile(kind: str, name: str, values: dict[str, str], more: str = "") -> str:
    cells = "".join(
        f'<characteristic name="{key}" typeId="{kind[0]}-{key}">{value}</characteristic>'
        for key, value in values.items()
    )
    return (
        f'<profile id="{kind}-{name}" name="{name}" typeName="{kind}">'
        f"<characteristics>{cells}</characteristics>{more}</profile>"
    )


def entry(kind: str, name: str, *inner: str, points: int | None = None, limits: str = "") -> str:
    """Return a selection entry; `limits` are "1-2" or "1-"; the id is the name in small letters."""
    cost = f'<costs><cost name="pts" typeId="p" value="{points}.0"/></costs>' if points is not None else ""
    return (
        f'<selectionEntry type="{kind}" name="{name}" id="{name.lower()}">'
        f"{''.join(inner)}{limited(limits)}{cost}</selectionEntry>"
    )


def limited(limits: str, name: str = "x") -> str:
    """Return the constraints of limits like "1-2"; an empty side has none."""
    least, _, most = limits.partition("-")
    told = [("min", least), ("max", most)]
    return inside("constraints", *(_limit(kind, value, name) for kind, value in told if value))


def _limit(kind: str, value: str, name: str) -> str:
    return f'<constraint type="{kind}" value="{value}" field="selections" scope="parent" id="{name}-{kind}"/>'


def inside(tag: str, *inner: str) -> str:
    """Return the inner elements within one of this tag."""
    return f"<{tag}>{''.join(inner)}</{tag}>"


def entries(*inner: str) -> str:
    return inside("selectionEntries", *inner)


def profiles(*inner: str) -> str:
    return inside("profiles", *inner)


def link(target: str, limits: str = "", more: str = "") -> str:
    """Return links to one shared entry."""
    there = f'<entryLink type="selectionEntry" id="to-{target}" targetId="{target}">'
    return inside("entryLinks", there, limited(limits), more, "</entryLink>")


def modified(field: str, value: str, condition: str = "", kind: str = "set") -> str:
    """Return one modifier with its condition."""
    asked = inside("conditions", condition) if condition else ""
    return inside("modifiers", f'<modifier type="{kind}" field="{field}" value="{value}">{asked}</modifier>')


def counted(kind: str, value: int, of: str = "model", scope: str = "self") -> str:
    """Return a condition that counts what the unit has."""
    return f'<condition type="{kind}" value="{value}" field="selections" scope="{scope}" childId="{of}"/>'


def within(name: str) -> str:
    """Return a condition that holds within the entry or category of this id."""
    return f'<condition type="instanceOf" value="1" field="selections" scope="ancestor" childId="{name}"/>'


def catalogue(name: str, *shared: str, links: tuple[str, ...] = (), own: tuple[str, ...] = ()) -> str:
    """Return a catalogue with shared entries that it all offers, and links to other catalogues."""
    offered = "".join(
        f'<entryLink type="selectionEntry" id="offer-{number}" targetId="{target}"/>'
        for number, target in enumerate(own)
    )
    others = "".join(
        f'<catalogueLink id="link-{number}" name="{other}" targetId="{other}" type="catalogue"/>'
        for number, other in enumerate(links)
    )
    return (
        f'{HEAD}<catalogue xmlns="{SPACE}catalogueSchema" id="{name}" name="{name}" revision="7" '
        f'gameSystemId="{SYSTEM}">{inside("catalogueLinks", others)}{inside("entryLinks", offered)}'
        f"{inside('sharedSelectionEntries', *shared)}</catalogue>"
    )


def squad(name: str = "Ash Guard", *, legends: bool = False, faction: str = "ash") -> Datasheet:
    """Return our datasheet of a squad of five or ten with a gun and a blade."""
    base = BaseSize(shape="round", mm=(32.0,))
    model = ModelKind(name="Guard", profile="Guard", base=base, height=2.5, minimum=5, maximum=10, default=5)
    shared = {"skill": 3, "strength": 4, "damage": "1"}
    return Datasheet(
        id=f"{faction}/{name.lower().replace(' ', '-')}",
        name=name,
        faction=faction,
        keywords=("INFANTRY",),
        points=(PointsRow(models=5, points=80), PointsRow(models=10, points=160)),
        unit_size=UnitSize(minimum=5, maximum=10),
        profiles=(
            Profile(name="Guard", characteristics={"M": 6, "T": 4, "Sv": 3, "W": 2, "Ld": 6, "OC": 1}),
        ),
        models=(model,),
        weapons=(
            Weapon(name="Rifle", item="Rifle", type="ranged", range=24.0, attacks="2", ap=-1, **shared),
            Weapon(name="Knife", item="Knife", type="melee", range=None, attacks="3", ap=0, **shared),
        ),
        legends=legends,
    )


def imported(home: Path, *sheets: Datasheet) -> Imported:
    """Return what the catalogues of a folder say of these datasheets."""
    return import_catalogues(home, sheets)


def told(home: Path, *sheets: Datasheet) -> list[str]:
    """Return the differences of the catalogues from these datasheets, as they are printed."""
    return [str(each) for found in imported(home, *sheets).changed for each in found.differences]
