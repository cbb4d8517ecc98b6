"""A datasheet's card in words and columns, for the terminal.

Owns the layout alone; what stands on the card is gathered by `sheet_card`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from datasheets.schema import BaseSize, Datasheet, ModelKind, Option, Profile, Transport, Weapon
from viewer.commands.sheet_card import AbilityLine, Bearer, Card

WIDTH = 100
"""The most letters of a line."""
BY_DEFAULT = "*"
CHARACTERISTICS = {"M": '"', "T": "", "Sv": "+", "W": "", "Ld": "+", "OC": ""}
"""What is printed after each characteristic."""
ONLY_AGAINST = {"ranged": " shots", "melee": " melee"}


def card_lines(card: Card) -> list[str]:
    """Return the lines of a card."""
    return [
        *_head(card),
        *_columns(_profiles(card.sheet.profiles)),
        *_section("Models; every height is an estimate", _columns(_models(card.sheet))),
        *_section(f"Weapons; {BY_DEFAULT} marks who has it by default", _weapons(card)),
        *_section("Options", [line for kind in card.sheet.models for line in _options(kind)]),
        *_section("Abilities", [line for each in card.abilities for line in _ability(each)]),
        *_section("", [line for name, said in _ends(card) for line in _wrapped(f"{name}: {said}", "")]),
    ]


def sizes(sheet: Datasheet) -> str:
    """Return how many models a unit has ("5 to 10 models")."""
    size = sheet.unit_size
    if size.minimum == size.maximum:
        return "1 model" if size.minimum == 1 else f"{size.minimum} models"
    return f"{size.minimum} to {size.maximum} models"


def points(sheet: Datasheet) -> str:
    """Return what units cost, by their sizes ("90 points for 5, 180 for 10")."""
    rows = sorted(sheet.points, key=lambda row: row.models)
    first = f"{rows[0].points} points"
    if len(rows) == 1:
        return first
    others = (f"{row.points} for {row.models}" for row in rows[1:])
    return ", ".join((f"{first} for {rows[0].models}", *others))


def table(rows: Sequence[Sequence[str]], indent: str = "") -> list[str]:
    """Return rows as columns: the first to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        indent
        + f"{row[0]:<{widths[0]}}"
        + "".join(f"  {each:>{width}}" for each, width in zip(row[1:], widths[1:], strict=True))
        for row in rows
    ]


def _head(card: Card) -> Iterator[str]:
    sheet = card.sheet
    yield f"{sheet.name} ({sheet.id})"
    kind = "Legends" if sheet.legends else "current"
    yield f"{card.faction}, {kind}; {sizes(sheet)}; {points(sheet)}"
    yield ""


def _profiles(profiles: Iterable[Profile]) -> Iterator[tuple[str, ...]]:
    yield ("", *CHARACTERISTICS, "invulnerable")
    for each in profiles:
        numbers = (
            f"{each.characteristics.get(name, 0)}{unit}" if each.characteristics.get(name) else "-"
            for name, unit in CHARACTERISTICS.items()
        )
        only = ONLY_AGAINST.get(each.invulnerable_against or "", "")
        save = f"{each.invulnerable}+" + (f" against{only}" if only else "") if each.invulnerable else "-"
        yield (each.name, *numbers, save)


def _models(sheet: Datasheet) -> Iterator[tuple[str, ...]]:
    for kind in sheet.models:
        most = "any number" if kind.maximum is None else str(kind.maximum)
        many = most if kind.minimum == kind.maximum else f"{kind.minimum} to {most}"
        profile = "" if kind.profile == kind.name or len(sheet.profiles) == 1 else f"as {kind.profile}"
        yield (kind.name, many, base(kind.base), f'{kind.height:g}" high', profile)


def base(size: BaseSize) -> str:
    """Return what a model stands on ("32 mm", 'hull 4.5" x 3" (estimate)')."""
    lengths = (
        " x ".join(f'{each:g}"' for each in size.inches)
        if size.shape == "hull"
        else " x ".join(f"{each:g}" for each in size.mm) + " mm"
    )
    words = ["hull"] if size.shape == "hull" else []
    words += [lengths] + ["flying"] * size.flying + ["(estimate)"] * size.estimated
    return " ".join(words)


def _weapons(card: Card) -> Iterator[str]:
    for kind, skill in (("ranged", "BS"), ("melee", "WS")):
        lines = [line for line in card.weapons if line.weapon.type == kind]
        rows = [(kind, "range", "A", skill, "S", "AP", "D"), *(_weapon(line.weapon) for line in lines)]
        if lines:
            head, *told = table(rows, "  ")
            yield head
            for line, row in zip(lines, told, strict=True):
                yield row
                words = ", ".join(line.weapon.keywords)
                who = bearers(line.bearers) or "no model"
                yield from _wrapped(f"{words}; {who}" if words else who, "      ")


def _weapon(weapon: Weapon) -> tuple[str, ...]:
    reach = "melee" if weapon.range is None else f'{weapon.range:g}"'
    skill = "-" if weapon.skill is None else f"{weapon.skill}+"
    return (
        weapon.name,
        reach,
        weapon.attacks,
        skill,
        str(weapon.strength),
        str(weapon.ap),
        weapon.damage,
    )


def bearers(found: Iterable[Bearer]) -> str:
    """Return the kinds of model that may carry a thing, those marked that do so by default."""
    return ", ".join(each.model + BY_DEFAULT * each.default for each in found)


def _options(kind: ModelKind) -> Iterator[str]:
    for option in kind.options:
        yield from _wrapped(f"{kind.name}, {option.name}: {' | '.join(_alternatives(option))}", "  ")


def _alternatives(option: Option) -> Iterator[str]:
    for number, bundle in enumerate(option.alternatives):
        items = " and ".join(f"{each.count} {each.item}" if each.count > 1 else each.item for each in bundle)
        yield (items or "nothing") + BY_DEFAULT * (number == option.default)


def _ability(line: AbilityLine) -> Iterator[str]:
    ability = line.ability
    said = ability.reason if ability.status == "unmodelled" else f"{line.says} ({ability.clause})"
    item = f" of {ability.item}" if ability.item and ability.item != ability.name else ""
    who = f"; {bearers(line.bearers)}" if line.bearers else ""
    kind = f"{ability.kind}{item}{who}"
    yield from _wrapped(f"{ability.name} ({kind}), {ability.status}: {said}", "  ")


def _ends(card: Card) -> Iterator[tuple[str, str]]:
    """Yield what else the card says, with its heading."""
    sheet = card.sheet
    if sheet.damaged:
        yield "Damaged", f"at 1 to {sheet.damaged} Wounds left"
    if sheet.transport:
        yield "Transport", _transport(sheet.transport)
    if card.leads:
        yield "Leads", _names(card.leads, sheet.faction)
    if card.led_by:
        yield "Led by", _names(card.led_by, sheet.faction)
    if sheet.composition:
        yield "Composition", "; ".join(sheet.composition)
    yield "Keywords", ", ".join(sheet.keywords)
    if sheet.faction_keywords:
        yield "Faction keywords", ", ".join(sheet.faction_keywords)
    tables = (f"{each.faction} ({_brackets(each.brackets)})" for each in card.spawned_by)
    yield "Spawning tables", ", ".join(tables) or "none"


def _transport(transport: Transport) -> str:
    said = [f"{transport.capacity} models of {transport.allows or 'any kind'}"]
    said += [f"no {each}" for each in transport.excludes]
    said += [f"{each.keyword} takes the room of {each.models}" for each in transport.slots]
    return "; ".join(said)


def _names(sheets: Iterable[Datasheet], faction: str) -> str:
    """Return names; those of other factions and of Legends by their ids."""
    return ", ".join(
        each.name if each.faction == faction and not each.legends else each.id for each in sheets
    )


def _brackets(numbers: Sequence[int]) -> str:
    word = "bracket" if len(numbers) == 1 else "brackets"
    return f"{word} {', '.join(map(str, numbers))}"


def _columns(rows: Iterable[tuple[str, ...]]) -> list[str]:
    found = [tuple(row) for row in rows]
    return [line.rstrip() for line in table(found, "  ")] if found else []


def _section(title: str, lines: Iterable[str]) -> list[str]:
    """Return the lines of a part of the card under its title; nothing where there are none."""
    found = list(lines)
    return ["", *([title] if title else []), *found] if found else []


def _wrapped(text: str, indent: str) -> list[str]:
    return wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent + "  ", break_long_words=False)
