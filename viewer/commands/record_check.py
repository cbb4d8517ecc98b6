"""`horde rules check`: what is wrong in rule records, before a battle meets it.

Owns the question whether what a record names is there: its datasheets' abilities and wargear, the weapons,
keywords, phases and steps that its conditions quote, and the names that a moment gives. That a record can be
read at all is the library's, and what the language knows is `engine.records.compiled`'s.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property
from typing import Any

from msgspec import to_builtins

from datasheets.errors import BadData, unknown
from datasheets.library import Library
from datasheets.loadout import item_names
from datasheets.lookup import every_datasheet
from datasheets.rule import Rule
from datasheets.schema import Datasheet
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.records.compiled import Compiled
from engine.scenario.own_fact import WEAPON_ABILITY
from viewer.commands.grammar import GIVEN_BY_MOMENTS, names_at

ITEMS = {"carries": 1, "equipped": 1}
"""Words that ask for an item of wargear, with the place of its name."""
MANY = ("is_weapon",)
"""Words that take any number of names."""
KEYWORDS = {"has": 1, "is_a": 1}
"""Words that ask for a keyword."""


def check() -> None:
    """Print each fault of a rule record, and their number; exits with 1 where there is one."""
    library = Library()
    found = list(faults(library))
    sys.stdout.write("".join(f"{each}\n" for each in found))
    sys.stdout.write(
        f"{len(library.rules())} records, {len(found) or 'no'} fault{'s' * (len(found) != 1)}.\n"
    )
    sys.exit(1 if found else 0)


def faults(library: Library, sheet: str = "") -> Iterator[str]:
    """Yield each fault of the records of a library, or of a datasheet, with its place."""
    known = _Known(library)
    for rule in library.rules():
        if sheet and sheet not in rule.datasheets:
            continue
        try:
            Compiled(rule, HORDE_1_1.language).checked()
        except BadData as fault:
            yield str(fault)
            continue
        yield from (f"{rule.id}: {fault}" for fault in known.faults(rule))


class _Known:
    """What the datasheets and the ruleset know, by which what records quote is judged."""

    def __init__(self, library: Library) -> None:
        """Take the library."""
        self.library = library
        self.sheets = {sheet.id: sheet for sheet in every_datasheet(library)}

    @cached_property
    def keywords(self) -> frozenset[str]:
        """Return every keyword and name of a datasheet, in capitals."""
        return frozenset(
            word.upper()
            for sheet in self.sheets.values()
            for word in (
                sheet.name,
                *sheet.keywords,
                *sheet.faction_keywords,
                *(word for kind in sheet.models for word in (kind.name, *kind.keywords)),
            )
        )

    @cached_property
    def items(self) -> frozenset[str]:
        """Return every item of wargear of any datasheet, in small letters."""
        return frozenset(item.lower() for sheet in self.sheets.values() for item in item_names(sheet))

    @cached_property
    def weapons(self) -> frozenset[str]:
        """Return the name of every weapon, in small letters."""
        return _weapons(self.sheets.values())

    @cached_property
    def records(self) -> frozenset[str]:
        """Return the id of every record."""
        return frozenset(rule.id for rule in self.library.rules())

    @cached_property
    def phases(self) -> frozenset[str]:
        """Return the phases of the ruleset."""
        return frozenset(step.phase for step in HORDE_1_1.steps)

    @cached_property
    def steps(self) -> frozenset[str]:
        """Return the steps of the ruleset."""
        return frozenset(step.name for step in HORDE_1_1.steps)

    def faults(self, rule: Rule) -> Iterator[str]:
        """Yield each fault of a record that can be read."""
        strangers = [each for each in rule.datasheets if each not in self.sheets]
        for each in strangers:
            yield f"datasheets: {unknown(each, self.sheets, 'datasheet')}"
        sheets = [self.sheets[each] for each in rule.datasheets if each in self.sheets]
        for sheet in sheets:
            yield from _of_sheet(rule, sheet)
        for i, gift in enumerate(rule.grant):
            if gift.weapon and not WEAPON_ABILITY.fullmatch(gift.weapon):
                yield f"grant.{i}.weapon: '{gift.weapon}' is no ability of weapons"
        for i, when in enumerate(rule.when):
            yield from (f"when.{i}.if: {fault}" for fault in _of_moment(when.moment, when.condition))
        trees = [tree for text in _texts(to_builtins(rule)) for tree in _trees(text)]
        if not rule.aura and any(_calls(tree, "in_aura") for tree in trees):
            yield "it asks for in_aura(…) without `aura`, the inches that it reaches"
        yield from dict.fromkeys(fault for tree in trees for fault in self._quoted(tree, sheets))

    def _quoted(self, tree: ast.AST, sheets: list[Datasheet]) -> Iterator[str]:
        """Yield a fault for each text of an expression that nothing is called."""
        items = {item.lower() for sheet in sheets for item in item_names(sheet)} or self.items
        for node in ast.walk(tree):
            if isinstance(node, ast.Compare):
                yield from self._compared(node)
            yield from _strange(node, "bestow", 2, self.records, "record", str)
            yield from _strange(node, "is_weapon", 1, _weapons(sheets) or self.weapons, "weapon", str.lower)
            for name, place in KEYWORDS.items():
                yield from _strange(node, name, place, self.keywords, "keyword", str.upper)
            for name, place in ITEMS.items():
                yield from _strange(node, name, place, items, "item of its datasheets", str.lower)

    def _compared(self, node: ast.Compare) -> Iterator[str]:
        known = {"phase": self.phases, "step": self.steps}
        sides = [node.left, *node.comparators]
        for side in sides:
            if isinstance(side, ast.Name) and side.id in known:
                texts = [text for other in sides for text in _constants(other)]
                yield from (
                    str(unknown(t, known[side.id], side.id)) for t in texts if t not in known[side.id]
                )


def _weapons(sheets: Iterable[Datasheet]) -> frozenset[str]:
    """Return the names of weapons, in small letters and without the mode of a profile."""
    return frozenset(each.name.partition(" - ")[0].lower() for sheet in sheets for each in sheet.weapons)


def _of_sheet(rule: Rule, sheet: Datasheet) -> Iterator[str]:
    """Yield what a record says of a datasheet that is not so."""
    abilities = {each.name.casefold(): each.name for each in sheet.abilities}
    if rule.name.casefold() not in abilities:
        yield f"name: {unknown(rule.name, abilities.values(), f'ability of {sheet.id}')}"
    items = item_names(sheet)
    lower = {item.lower() for item in items}
    if rule.wargear and not lower & {item.lower() for item in rule.wargear}:
        yield f"wargear: {unknown(rule.wargear[0], items, f'wargear of {sheet.id}')}"


def _of_moment(moment: str, condition: str) -> Iterator[str]:
    """Yield a fault for each name of a condition that the moment does not give."""
    given = names_at(moment)
    names = {node.id for tree in _trees(condition) for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for name in sorted(names & (GIVEN_BY_MOMENTS - {*given})):
        told = f"it gives {', '.join(given)}" if given else "it gives no names"
        yield f"the moment '{moment}' gives no '{name}'; {told}"


def _strange(
    node: ast.AST, name: str, place: int, known: Collection[str], kind: str, spelt: Callable[[str], str]
) -> Iterator[str]:
    """Yield a fault where a call of a word has a text at a place that is not known."""
    if _calls_here(node, name) and isinstance(node, ast.Call) and len(node.args) > place:
        texts = [text for each in node.args[place:] for text in _constants(each)]
        for text in texts if name in MANY else texts[:1]:
            if spelt(text) not in known:
                yield str(unknown(spelt(text), known, kind))


def _constants(node: ast.AST) -> Iterator[str]:
    """Yield the text that a node is, or the texts in a tuple of them."""
    for each in node.elts if isinstance(node, ast.Tuple) else [node]:
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield each.value


def _calls_here(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def _calls(tree: ast.AST, name: str) -> bool:
    return any(_calls_here(node, name) for node in ast.walk(tree))


def _texts(part: Any) -> Iterator[str]:
    """Yield every text in plain data that the program reads; a template's values it has read."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        kept = (
            each for key, each in part.items() if key not in ("name", "summary", "source", "prompt", "with")
        )
        yield from (text for each in kept for text in _texts(each))
    elif isinstance(part, (list, tuple)):
        yield from (text for each in part for text in _texts(each))


def _trees(text: str) -> Iterator[ast.AST]:
    """Yield the expression of a text or selector, and those inside it; none for others."""
    _, where, condition = text.partition(" where ")
    try:
        tree = ast.parse(
            (condition if where and text.partition(" ")[0].isalpha() else text).strip(), mode="eval"
        )
    except SyntaxError:
        return
    yield tree
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " where " in node.value:
            yield from _trees(node.value)
