"""A datasheet of a catalogue as a tree, with every link replaced by what it leads to.

Owns the following of links, and the numbers of profiles with the modifiers that hold for a unit which has
chosen nothing. Sentences are read nowhere but for an invulnerable save's number (`facts`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from datasheets.catalogue.condition import Place, Step, anything, modifiers, nothing_chosen
from datasheets.catalogue.folder import Catalogues, SourceFile

UNIT = "Unit"
WEAPONS = ("Ranged Weapons", "Melee Weapons")
ENTRIES = (
    "selectionEntries/selectionEntry",
    "selectionEntryGroups/selectionEntryGroup",
    "entryLinks/entryLink",
)
GROUP = "selectionEntryGroup"
DEEPEST = 40
NUMBER = re.compile(r"-?\d{1,6}")
WHOLE = re.compile(r"-?\d{1,6}(\.0*)?")


@dataclass(frozen=True, slots=True)
class Row:
    """A profile: its type, its name, its values by column, and whether they are certain."""

    type: str
    name: str
    values: dict[str, str]
    is_certain: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class TreeNode:
    """An entry or a group of entries, with how often it may be chosen where it stands.

    `sides` are its element and the link that leads to it. `is_loose` says that its limits depend on choices;
    they are then the widest.
    """

    name: str
    kind: str
    sides: tuple[Element, ...]
    place: Place
    minimum: int
    maximum: int | None
    is_loose: bool = False
    rows: tuple[Row, ...] = ()
    rules: tuple[str, ...] = ()
    children: tuple[TreeNode, ...] = ()

    @property
    def ids(self) -> frozenset[str]:
        """Return every id that the entry is named by: its own, its link's, and its categories'."""
        return self.place.path[-1].ids

    def walk(self) -> Iterator[TreeNode]:
        """Yield this node and all below it, in the order of the file."""
        yield self
        for child in self.children:
            yield from child.walk()

    def models(self) -> Iterator[TreeNode]:
        """Yield this node and those below it that are the unit itself, its groups and its models."""
        yield self
        for child in self.children:
            if child.kind != "upgrade":
                yield from child.models()


@dataclass(slots=True)
class Forest:
    """The trees of a folder's datasheets, and what is known of each entry on the way to them."""

    catalogues: Catalogues
    _offered: frozenset[str] = frozenset()
    _worth: dict[int, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Note the shared entries that any catalogue offers; the others are parts of units."""
        links = (each.root.iterfind("entryLinks/entryLink") for each in self.catalogues.files)
        self._offered = frozenset(link.get("targetId", "") for some in links for link in some)

    def datasheets(self, home: SourceFile) -> Iterator[Element]:
        """Yield every entry of a file that a player may take into an army, units or not."""
        for each in home.root.iterfind("selectionEntries/selectionEntry"):
            yield each
        for each in home.root.iterfind("sharedSelectionEntries/selectionEntry"):
            if each.get("id") in self._offered:
                yield each

    def tree(self, entry: Element, home: SourceFile) -> TreeNode:
        """Return the tree of a datasheet, with what its own catalogue's link to it adds."""
        links = home.root.iterfind("entryLinks/entryLink")
        link = next((each for each in links if each.get("targetId") == entry.get("id")), None)
        return self._node(entry, link, Place((), home.id), home)

    def _node(self, entry: Element, link: Element | None, around: Place, home: SourceFile) -> TreeNode:
        sides = [entry] if link is None else [entry, link]
        categories = (each for side in sides for each in side.iterfind("categoryLinks/categoryLink"))
        ids = [each.get("id", "") for each in sides] + [each.get("targetId", "") for each in categories]
        kind = "group" if entry.tag == GROUP else entry.get("type", "upgrade")
        place = Place((*around.path, Step(kind, frozenset(ids))), around.catalogue)
        limits = [_limits(side, around) for side in sides]
        maxima = [limit.most for limit in limits if limit.most is not None]
        return TreeNode(
            name=_name(entry, sides, place),
            kind=kind,
            sides=tuple(sides),
            place=place,
            minimum=max(limit.least for limit in limits),
            maximum=min(maxima) if maxima else None,
            is_loose=any(limit.is_loose for limit in limits),
            rows=tuple(row for side in sides for row in self._rows(side, place, home)),
            rules=tuple(rule for side in sides for rule in self._rules(side, place, home)),
            children=tuple(child for side in sides for child in self._children(side, place, home)),
        )

    def _children(self, side: Element, place: Place, home: SourceFile) -> Iterator[TreeNode]:
        if len(place.path) > DEEPEST:
            return
        for entry, link in self._entries(side, home):
            is_round = any(entry.get("id", "") in step.ids for step in place.path)
            if not is_round and self._is_worth(entry, home) and not _is_hidden(entry, link):
                yield self._node(entry, link, place, home)

    def _entries(self, side: Element, home: SourceFile) -> Iterator[tuple[Element, Element | None]]:
        """Yield the entries and groups right below an element, with the links that lead to them."""
        for path in ENTRIES:
            for each in side.iterfind(path):
                if each.tag != "entryLink":
                    yield each, None
                elif (target := self.catalogues.target(each, home)) is not None:
                    yield target, each

    def _is_worth(self, entry: Element, home: SourceFile) -> bool:
        """Return whether an entry is a model, or a model or weapon is somewhere in it."""
        key = id(entry)
        if key not in self._worth:
            self._worth[key] = False
            self._worth[key] = (
                entry.get("type") in ("model", "unit")
                or any(each.get("typeName") in WEAPONS for each, _ in self._profiles(entry, home))
                or any(
                    self._is_worth(each, home) or (link is not None and self._holds_more(link, home))
                    for each, link in self._entries(entry, home)
                )
            )
        return self._worth[key]

    def _holds_more(self, link: Element, home: SourceFile) -> bool:
        return any(each.get("typeName") in WEAPONS for each, _ in self._profiles(link, home))

    def _profiles(self, side: Element, home: SourceFile) -> Iterator[tuple[Element, Element | None]]:
        """Yield the profiles of an element with the links that lead to them."""
        for each in side.iterfind("profiles/profile"):
            yield each, None
        for group in side.iterfind("infoGroups/infoGroup"):
            yield from self._profiles(group, home)
        for link in side.iterfind("infoLinks/infoLink"):
            target = self.catalogues.target(link, home)
            if target is not None and target.tag == "profile":
                yield target, link
            elif target is not None and target.tag == "infoGroup":
                for each in target.iterfind("profiles/profile"):
                    yield each, link

    def _rows(self, side: Element, place: Place, home: SourceFile) -> Iterator[Row]:
        for profile, link in self._profiles(side, home):
            if not _is_hidden(profile, link):
                yield _row(profile, [profile] if link is None else [profile, link], place)

    def _rules(self, side: Element, place: Place, home: SourceFile) -> Iterator[str]:
        """Yield the names of the rules that an entry links to, with what the link appends."""
        for link in side.iterfind("infoLinks/infoLink"):
            target = self.catalogues.target(link, home)
            if target is not None and target.tag == "rule" and not _is_hidden(target, link):
                yield _name(target, [link], place)


def _name(entry: Element, sides: list[Element], place: Place) -> str:
    """Return an entry's name with the modifiers of the name that hold."""
    name = entry.get("name", "")
    for side in sides:
        for modifier, answer in modifiers(side, place, nothing_chosen):
            if modifier.get("field") == "name" and answer:
                name = _modified(name, modifier, " ") or name
    return name.strip()


def _row(profile: Element, sides: list[Element], place: Place) -> Row:
    values, columns = {}, {}
    for each in profile.iterfind("characteristics/characteristic"):
        columns[each.get("typeId", "")] = each.get("name", "")
        values[each.get("name", "")] = (each.text or "").strip()
    is_certain = True
    for side in sides:
        for modifier, answer in modifiers(side, place, nothing_chosen):
            column = columns.get(modifier.get("field", ""))
            if column is None or answer is False:
                continue
            changed = _modified(values[column], modifier, ", ") if answer else None
            is_certain = is_certain and changed is not None
            values[column] = values[column] if changed is None else changed
    return Row(profile.get("typeName", ""), _name(profile, sides, place), values, is_certain)


def _modified(value: str, modifier: Element, between: str) -> str | None:
    """Return a value as a modifier leaves it; None where the modifier is of no known kind."""
    kind, by = modifier.get("type"), modifier.get("value", "")
    if kind == "set":
        return by
    if kind == "append":
        return by if value in ("", "-") else f"{value}{modifier.get('join', between)}{by}"
    if kind in ("increment", "decrement") and NUMBER.fullmatch(by) and NUMBER.search(value):
        step = int(by) if kind == "increment" else -int(by)
        return NUMBER.sub(lambda found: str(int(found[0]) + step), value, count=1)
    return None


@dataclass(slots=True)
class _Limit:
    """How often an entry is chosen where it stands, at least and at most."""

    least: int = 0
    most: int | None = None
    is_loose: bool = False


def _limits(side: Element, around: Place) -> _Limit:
    """Return the limits of an element's choice, with the modifiers that may change them."""
    found = _Limit()
    for each in side.iterfind("constraints/constraint"):
        scope = each.get("scope", "")
        is_own = scope == "parent" or any(scope in step.ids for step in around.path)
        values = _possible(each, side, around) if each.get("field") == "selections" and is_own else []
        if not values:
            continue
        if each.get("type") == "min" and scope == "parent":
            found.least = max(found.least, min(values))
        elif each.get("type") == "max" and min(values) >= 0:
            found.most = max(values) if found.most is None else min(found.most, max(values))
        found.is_loose = found.is_loose or len(values) > 1
    return found


def _possible(constraint: Element, side: Element, around: Place) -> list[int]:
    """Return the values that a limit may have; none where it is not a whole number."""
    values = [constraint.get("value", "")]
    for modifier, answer in modifiers(side, around, anything):
        changed = _modified(values[-1], modifier, "") if answer is not False else None
        if modifier.get("field") == constraint.get("id") and changed is not None:
            values = [changed] if answer else [*values, changed]
    numbers = [whole(value) for value in values]
    return sorted({number for number in numbers if number is not None}) if None not in numbers else []


def whole(said: str) -> int | None:
    """Return the whole number that a file gives as "85" or "85.0"; None where it gives none."""
    return int(said.partition(".")[0]) if WHOLE.fullmatch(said) else None


def _is_hidden(entry: Element, link: Element | None) -> bool:
    """Return whether an entry is hidden for good: nothing makes it visible."""
    for side in (entry, link):
        if side is not None and side.get("hidden") == "true":
            return not any(each.get("field") == "hidden" for each in side.iter("modifier"))
    return False
