"""An army put together by the program: legal, sensible, the same for the same seed.

Owns which kinds of units are tried, and what is tried again. Which units are chosen is `selection`'s, what
they are worth is `worth`'s, leaders and passengers are `order_of_battle`'s.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from ai.muster.order_of_battle import idle, ordered
from ai.muster.pick import Pick, able, best_pick, plain_pick, sizes
from ai.muster.selection import select
from datasheets.belonging import Realm
from datasheets.errors import HordeError
from datasheets.library import Library
from datasheets.roster import most_copies
from datasheets.schema import Datasheet, Roster
from engine.core.dice import Dice
from geometry.portable import sum_of

LEAST = 0.95
"""The part of its points that an army uses at least."""
LUCK = 0.2
"""By what share the worth of a datasheet may rise or fall for one seed."""
FINE = 1000
TRIES = 6
"""The number of times that units are chosen anew, without those that have no use."""
DRAWS = 60
"""The number of random armies that are drawn until one uses enough of its points."""


def new_army(faction: str, points: int, seed: int, library: Library) -> Roster:
    """Return an army of a faction for these points. Raises HordeError where there is none."""
    realm, dice = _realm(faction, library), Dice(seed)
    groups = _choices(able(realm), points, dice)
    kinds = sorted({realm.kind(group[0].sheet) for group in groups} - {""}) or [""]
    armies = [
        _useful([group for group in groups if realm.kind(group[0].sheet) in ("", kind)], points)
        for kind in kinds
    ]
    best = max(armies, key=lambda army: sum_of(pick.value for pick in army))
    return _roster(best, realm, points, f"seed {seed}", library)


def random_army(faction: str, points: int, seed: int, library: Library) -> Roster:
    """Return a random legal army with default wargear. Raises HordeError where there is none."""
    realm, dice = _realm(faction, library), Dice(seed)
    groups = [[plain_pick(sheet, models) for models in sizes(sheet)] for sheet in able(realm)]
    drawn = [_drawn(groups, realm, points, dice)]
    while sum(pick.cost for pick in drawn[-1]) < LEAST * points and len(drawn) < DRAWS:
        drawn.append(_drawn(groups, realm, points, dice))
    best = max(drawn, key=lambda army: sum(pick.cost for pick in army))
    return _roster(best, realm, points, f"random, seed {seed}", library)


def _realm(faction: str, library: Library) -> Realm:
    realm = Realm(faction, library)
    if not realm.faction.is_army:
        raise HordeError(f"{realm.faction.name} fields no army of its own; choose another faction.")
    return realm


def _choices(sheets: Sequence[Datasheet], points: int, dice: Dice) -> list[list[Pick]]:
    """Return the units to choose from, by datasheet, worth what they are to this seed."""
    groups = []
    for sheet in sheets:
        luck = 1 + LUCK * (2 * dice.index(FINE, "worth") / (FINE - 1) - 1)
        picks = [best_pick(sheet, models) for models in sizes(sheet)]
        fitting = [replace(pick, value=pick.value * luck) for pick in picks if pick.cost <= points]
        groups += [fitting] if fitting else []
    return groups


def _limits(groups: Sequence[Sequence[Pick]]) -> dict[str, int]:
    """Return how many units of each datasheet there may be; of TITANIC CHARACTERs one in all."""
    most = {group[0].sheet.id: most_copies(group[0].sheet) for group in groups}
    titans = [group for group in groups if _is_titan(group[0].sheet)]
    best = max(titans, key=lambda group: max(pick.value / pick.cost for pick in group), default=None)
    return most | {group[0].sheet.id: int(group is best) for group in titans}


def _is_titan(sheet: Datasheet) -> bool:
    return sheet.has("TITANIC") and sheet.has("CHARACTER")


def _useful(groups: Sequence[Sequence[Pick]], points: int) -> list[Pick]:
    """Return the units of an army, chosen anew while it has no use for some of them."""
    most = _limits(groups)
    found: list[Pick] = []
    for _ in range(TRIES):
        army = select(groups, most, points, round(LEAST * points))
        found = army or found
        spare = idle(army)
        if not army or not spare:
            break
        most |= dict.fromkeys(spare, 0)
    return found


def _drawn(groups: Sequence[Sequence[Pick]], realm: Realm, points: int, dice: Dice) -> list[Pick]:
    """Return random units, a CHARACTER first, until no other fits."""
    army: list[Pick] = []
    left = points
    while True:
        fitting = [[p for p in group if p.cost <= left and _may_add(p, army, realm)] for group in groups]
        fitting = [group for group in fitting if group and (army or group[0].sheet.has("CHARACTER"))]
        if not fitting:
            return army
        group = fitting[dice.index(len(fitting), "unit")]
        army.append(group[dice.index(len(group), "size")])
        left -= army[-1].cost


def _may_add(pick: Pick, army: Sequence[Pick], realm: Realm) -> bool:
    """Return whether an army may have one more such unit."""
    kinds = {realm.kind(each.sheet) for each in (*army, pick)} - {""}
    if len(kinds) > 1 or (_is_titan(pick.sheet) and any(_is_titan(each.sheet) for each in army)):
        return False
    return sum(each.sheet.name == pick.sheet.name for each in army) < most_copies(pick.sheet)


def _roster(army: Sequence[Pick], realm: Realm, points: int, told: str, library: Library) -> Roster:
    if not any(pick.sheet.has("CHARACTER") for pick in army):
        raise HordeError(f"{realm.faction.name} has no army of {points} points: none has a Warlord.")
    return Roster(
        name=f"{realm.faction.name}, {points} points, {told}",
        faction=realm.faction.id,
        detachment=_detachment(army, realm, library),
        points=points,
        units=ordered(army),
    )


def _detachment(army: Sequence[Pick], realm: Realm, library: Library) -> str:
    """Return the first of the detachments of which most is simulated; "" where none is known."""
    kinds = {realm.kind(pick.sheet) for pick in army} | {realm.faction.keyword}
    open_to = [name for name in realm.detachments if realm.bound(name) in ("", *kinds)]
    rules: Mapping[str, int] = {
        name: sum(rule.detachment == name and not rule.reason for rule in library.rules()) for name in open_to
    }
    return max(open_to, key=lambda name: rules[name], default="")
