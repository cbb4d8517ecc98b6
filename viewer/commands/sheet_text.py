"""A datasheet's card in words and columns, for the terminal.

Owns the layout alone; what stands on the card is gathered by `sheet_card`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from datasheets.schema import Datasheet, ModelKind, Option, Profile, Status, Weapon
from viewer.commands import sheet_words
from viewer.commands.sheet_card import AbilityLine, Bearer, Card
from viewer.commands.sheet_words import CHARACTERISTICS

WIDTH = 100
"""The most letters of a line."""
BY_DEFAULT = "*"
STATUSES: dict[Status, str] = {
    "modelled": "acts",
    "hooked": "acts by code",
    "unmodelled": "unmodelled",
    "waiting": "waits for army rules",
    "no effect": "no effect in battle",
}
"""The status of an ability in words."""


def card_lines(card: Card) -> list[str]:
    """Return the lines of a card."""
    return [
        *_head(card),
        *_columns(_profiles(card.sheet.profiles)),
        *_section("Models; every height is an estimate", _models(card.sheet)),
        *_section(f"Weapons; {BY_DEFAULT} marks who has it by default", _weapons(card)),
        *_section("Options", [line for kind in card.sheet.models for line in _options(kind)]),
        *_section("Gear", _gear(card.sheet)),
        *_section("Abilities", [line for each in card.abilities for line in _ability(each)]),
        *_section("", [line for name, said in _ends(card) for line in _wrapped(f"{name}: {said}", "")]),
    ]


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
    yield from _wrapped(
        f"{card.faction}, {kind}; {sheet_words.sizes(sheet)}; {sheet_words.points(sheet)}", ""
    )
    if card.overridden:
        yield from _wrapped(f"Overrides in force change: {', '.join(card.overridden)}", "")
    yield ""


def _profiles(profiles: Iterable[Profile]) -> Iterator[tuple[str, ...]]:
    yield ("", *CHARACTERISTICS, "invulnerable")
    for each in profiles:
        numbers = (
            f"{each.characteristics.get(name, 0)}{unit}" if each.characteristics.get(name) else "-"
            for name, unit in CHARACTERISTICS.items()
        )
        save = sheet_words.invulnerable(each.invulnerable, each.invulnerable_against)
        yield (each.name, *numbers, save)


def _models(sheet: Datasheet) -> Iterator[str]:
    """Yield the kinds of model, how many there may be together, and the mixes of a unit."""
    rows = _columns(
        (
            kind.name,
            sheet_words.span(kind.minimum, kind.maximum),
            sheet_words.base(kind.base),
            f'{kind.height:g}" high',
        )
        for kind in sheet.models
    )
    for kind, row in zip(sheet.models, rows, strict=True):
        yield row
        yield from _wrapped(sheet_words.own(kind, sheet), "      ")
        yield from _wrapped(sheet_words.damaged(kind, sheet), "      ")
    for group in sheet.groups:
        yield from _wrapped(sheet_words.group(group, sheet), "  ")
    for mix in sheet.mixes:
        yield from _wrapped(sheet_words.mix(mix), "  ")


def _gear(sheet: Datasheet) -> Iterator[str]:
    for each in sheet.gear:
        yield from _wrapped(sheet_words.gear(each), "  ")


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
    """Yield an ability with its status, what it does or why not, and its clauses."""
    ability = line.ability
    clause = f"({ability.clause})" if ability.clause else ""
    told = (ability.reason and f"{ability.reason}.", line.says, clause)
    said = " ".join(filter(None, told)) or "see Gear."
    item = f" of {ability.item}" if ability.item and ability.item != ability.name else ""
    who = f"; {bearers(line.bearers)}" if line.bearers else ""
    kind = f"{ability.kind}{item}{who}"
    yield from _wrapped(f"{ability.name} ({kind}), {STATUSES[ability.status]}: {said}", "  ")
    for each in line.clauses:
        yield from _wrapped(each, "      ")


def _ends(card: Card) -> Iterator[tuple[str, str]]:
    """Yield what else the card says, with its heading."""
    sheet = card.sheet
    if sheet.transport:
        yield "Transport", sheet_words.transport(sheet.transport)
    if card.leads:
        yield "Leads", _names(card.leads, sheet.faction)
    if card.led_by:
        yield "Led by", _names(card.led_by, sheet.faction)
    yield from sheet_words.leading(sheet)
    if sheet.composition:
        yield "Composition", "; ".join(sheet.composition)
    yield "Keywords", ", ".join(sheet.keywords)
    if sheet.faction_keywords:
        yield "Faction keywords", ", ".join(sheet.faction_keywords)
    tables = (f"{each.faction} ({_brackets(each.brackets)})" for each in card.spawned_by)
    yield "Spawning tables", ", ".join(tables) or "none"


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
    """Return a text as lines, those after the first further in; hyphens break none."""
    return wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + "  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
