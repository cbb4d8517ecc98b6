"""Single facts of a datasheet in a few words: sizes, points, bases, saves, gear, transports.

Owns the words; where they stand on a card is `sheet_text`'s.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from datasheets.schema import BaseSize, Datasheet, Gear, Group, Mix, ModelKind, PointsRow, Transport

CHARACTERISTICS = {"M": '"', "T": "", "Sv": "+", "W": "", "Ld": "+", "OC": ""}
"""What is printed after each characteristic."""
ONLY_AGAINST = {"ranged": " against shots", "melee": " in melee"}


def sizes(sheet: Datasheet) -> str:
    """Return how many models a unit has ("5 to 10 models", "10 or 20 models")."""
    found = sheet.sizes
    first, last = found[0], found[-1]
    if first == last:
        return "1 model" if first == 1 else f"{first} models"
    whole = len(found) == last - first + 1
    return f"{first} to {last} models" if whole and last > first + 1 else f"{_or(found)} models"


def points(sheet: Datasheet) -> str:
    """Return what units cost ("90 points for 5, 180 for 10; each Exarch 30 more")."""
    own = sorted((row for row in sheet.points if not row.allied), key=lambda row: row.models)
    others = sorted((row for row in sheet.points if row.allied), key=lambda row: row.models)
    said = [_prices(own or others)]
    if own and others:
        said.append(f"in an army of others {_prices(others)}")
    said += [f"each {name} {price} more" for name, price in sheet.extra_points.items()]
    return "; ".join(said)


def _prices(rows: list[PointsRow]) -> str:
    first = f"{rows[0].points} points"
    if len(rows) == 1 and not rows[0].kinds:
        return first
    others = (f"{row.points} for {_bought(row)}" for row in rows[1:])
    return ", ".join((f"{first} for {_bought(rows[0])}", *others))


def _bought(row: PointsRow) -> str:
    """Return the models that a price is for: their number, or those of each kind."""
    return _counted(row.kinds) or str(row.models)


def _counted(kinds: Mapping[str, int]) -> str:
    return " and ".join(f"{number} {name}" for name, number in kinds.items() if number)


def base(size: BaseSize) -> str:
    """Return what a model stands on ("32 mm", 'hull 4.5" x 3" (estimate)')."""
    lengths = (
        " x ".join(f'{each:g}"' for each in size.inches)
        if size.shape == "hull"
        else " x ".join(f"{each:g}" for each in size.mm) + " mm"
    )
    words = ["hull"] if size.shape == "hull" else []
    return " ".join([*words, lengths, *["flying"] * size.flying, *["(estimate)"] * size.estimated])


def invulnerable(save: int | None, against: str | None) -> str:
    """Return an invulnerable save ("4+", "5+ against shots"), or a dash."""
    return "-" if save is None else f"{save}+{ONLY_AGAINST.get(against or '', '')}"


def span(minimum: int, maximum: int | None) -> str:
    """Return a number of models ("1", "0 to 2", "0 to any number")."""
    most = "any number" if maximum is None else str(maximum)
    return most if minimum == maximum else f"{minimum} to {most}"


def own(kind: ModelKind, sheet: Datasheet) -> str:
    """Return what a kind of model has that others of its unit have not."""
    said = [f"as {kind.profile}"] if kind.profile != kind.name and len(sheet.profiles) > 1 else []
    if kind.invulnerable is not None:
        said.append(f"invulnerable {invulnerable(kind.invulnerable, kind.invulnerable_against)}")
    return ", ".join((*said, *kind.keywords, *kind.core_abilities))


def group(found: Group, sheet: Datasheet) -> str:
    """Return how many models some kinds may be together."""
    kinds = [
        kind.name
        for kind in sheet.models
        if kind.group and (kind.group == found.name or kind.group.startswith(f"{found.name} / "))
    ]
    return f"{_or(kinds) or found.name}: {span(found.minimum, found.maximum)} together"


def mix(found: Mix) -> str:
    """Return one of several mixes of a unit: its size, and of each kind how many."""
    kinds = (f"{span(*bounds)} {name}" for name, bounds in found.kinds.items())
    return f"As {span(found.minimum, found.maximum)}: {', '.join(kinds)}"


def gear(found: Gear) -> str:
    """Return what a piece of wargear changes on its bearer, or on the whole unit."""
    said = [f"{name} {value}{CHARACTERISTICS.get(name, '')}" for name, value in found.set.items()]
    said += [f"{name} {value:+d}" for name, value in found.add.items()]
    if found.invulnerable is not None:
        said.append(f"invulnerable {found.invulnerable}+")
    said += [*found.core_abilities, *found.keywords]
    whom = ", for the whole unit" if found.whole_unit else ""
    return f"{found.item}: {', '.join(said)}{whom}"


def transport(found: Transport) -> str:
    """Return how many models of which kinds ride, which do not, and which take more room."""
    said = [f"{found.capacity} models of {found.allows or 'any kind'}"]
    said += [f"no {each}" for each in found.excludes]
    said += [f"{each.keyword} takes the room of {each.models}" for each in found.slots]
    return "; ".join(said)


def damaged(kind: ModelKind, sheet: Datasheet) -> str:
    """Return when a kind of model is damaged, and what it loses then; "" if it never is."""
    most = sheet.bracket(kind)
    if not most:
        return ""
    lost = [f"-{sheet.damaged_hit} to hit"] if sheet.damaged_hit else []
    lost += [f"-{sheet.damaged_oc} OC"] if sheet.damaged_oc else []
    return f"damaged with 1 to {most} wounds left: {', '.join(lost) or 'see its abilities'}"


def leading(sheet: Datasheet) -> Iterator[tuple[str, str]]:
    """Yield what a datasheet says of leaders beside other leaders, with its heading."""
    if sheet.joins_leader:
        beside = f" with {', '.join(sheet.joins_beside)}" if sheet.joins_beside else ""
        yield "Beside another leader", f"yes{beside}"
    if sheet.two_leaders:
        yield "Leaders at a time", "2"


def _or(found: Iterable[object]) -> str:
    """Return things with commas and a last "or"."""
    *others, last = map(str, found) if found else [""]
    return f"{', '.join(others)} or {last}" if others else last
