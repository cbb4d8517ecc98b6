"""Which datasheets and detachments an army of a faction may have: its own, included, allied.

Owns the reading of a faction's table. Copies, leaders, transports and points are `roster`'s.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from datasheets.errors import unknown
from datasheets.schema import Allies, Datasheet, Faction

LARGE = 1000
"""An army of more points than this has the larger of two limits."""


class SheetSource(Protocol):
    """Whatever finds datasheets and factions by id: the library."""

    def datasheet(self, datasheet: str) -> Datasheet:
        """Return the datasheet with this id, or raise `UnknownName`."""

    def faction(self, faction: str) -> Faction:
        """Return the faction with this id, or raise `UnknownName`."""

    def datasheet_ids(self, faction: str) -> tuple[str, ...]:
        """Return the ids of the faction's datasheets in order."""

    def factions(self) -> tuple[str, ...]:
        """Return the ids of all factions."""


class Member(NamedTuple):
    """A unit of an army, as far as it matters whose it is."""

    id: str
    sheet: Datasheet
    points: int
    is_warlord: bool = False
    carries: bool = False
    """Somebody begins the battle aboard."""


class Realm:
    """What an army of one faction may have. Rule: ARMY.4, ARMY.10"""

    def __init__(self, faction: str, library: SheetSource) -> None:
        """Look the faction up. Raises UnknownName where there is none."""
        self.faction = library.faction(faction)
        self._library = library
        self._included = tuple(library.faction(each) for each in self.faction.includes)
        every = (self.faction, *self._included)
        self.detachments = tuple(dict.fromkeys(name for each in every for name in each.detachments))
        self._one_of = frozenset(word for each in every for word in each.one_of)
        self._bound = {name: word for each in every for name, word in each.bound.items()}

    def has(self, sheet: Datasheet) -> bool:
        """Return whether the datasheet is one of the army's own, not of an ally or a stranger."""
        if sheet.faction == self.faction.id:
            return not _is_named(sheet, self.faction.apart)
        lender = next((each for each in self._included if each.id == sheet.faction), None)
        return not (lender is None or _is_named(sheet, self.faction.bars) or _is_named(sheet, lender.apart))

    def own(self) -> tuple[Datasheet, ...]:
        """Return the army's own datasheets in order of id, of those that share a name its faction's."""
        ids = [i for each in (self.faction, *self._included) for i in self._library.datasheet_ids(each.id)]
        sheets = [sheet for sheet in map(self._library.datasheet, ids) if self.has(sheet)]
        word = self.faction.keyword
        first = {each.name: each for each in reversed(sheets) if not word or self.kind(each) in ("", word)}
        return tuple(sorted(first.values(), key=lambda sheet: sheet.id))

    def kind(self, sheet: Datasheet) -> str:
        """Return of which of the keywords that do not mix a datasheet is; "" for none."""
        return next((word for word in map(str.upper, sheet.faction_keywords) if word in self._one_of), "")

    def bound(self, detachment: str) -> str:
        """Return to which of the keywords that do not mix a detachment is bound; "" for none."""
        return next((word for name, word in self._bound.items() if is_same(name, detachment)), "")

    def faults(self, members: Sequence[Member], detachment: str, points: int) -> Iterator[str]:
        """Return what is wrong with the origin of units and with the detachment, a sentence each.

        `points` are the army's share, which sets the limits of allies.
        """
        name = self.faction.name
        if not self.faction.is_army:
            yield f"{name} fields no army of its own; its units are allies of others."
        yield from self._detachment_faults(detachment)
        yield from self._mixed(members, detachment)
        strangers = [each for each in members if not self.has(each.sheet)]
        lent: dict[tuple[str, int], list[Member]] = {}
        for each in strangers:
            found = self._lender(each.sheet, detachment)
            if found is None:
                yield f"Unit '{each.id}': {self._stranger(each.sheet)}"
            else:
                lent.setdefault(found, []).append(each)
        for (faction, number), guests in lent.items():
            rule = self._library.faction(faction).allies[number]
            yield from _ally_faults(self._library.faction(faction).name, rule, guests, points > LARGE)

    def _detachment_faults(self, detachment: str) -> Iterator[str]:
        if not self.detachments:
            return
        if any(is_same(name, detachment) for name in self.detachments):
            return
        if not detachment.strip():
            yield f"The army names no detachment; choose one, such as {self.detachments[0]}."
            return
        several = [name for name in self.detachments if plain(name) in plain(detachment)]
        if len(several) > 1:
            named = " and ".join(several)
            yield f"The army has {len(several)} detachments ({named}), and needs exactly one: keep one."
        else:
            yield f"Detachment: {unknown(detachment, self.detachments, f'detachment of {self.faction.name}')}"

    def _mixed(self, members: Iterable[Member], detachment: str) -> Iterator[str]:
        """Return a sentence where units, detachment and army have several keywords of `one_of`."""
        kinds: dict[str, list[str]] = {}
        if self.faction.keyword:
            kinds[self.faction.keyword] = ["the army"]
        if self.bound(detachment):
            kinds.setdefault(self.bound(detachment), []).append(detachment)
        for each in members:
            word = self.kind(each.sheet)
            if word:
                kinds.setdefault(word, []).append(f"'{each.id}'")
        if len(kinds) > 1:
            told = "; ".join(f"{word}: {', '.join(who)}" for word, who in kinds.items())
            yield f"The army mixes {len(kinds)} keywords of which it may have one ({told}): keep one."

    def _lender(self, sheet: Datasheet, detachment: str) -> tuple[str, int] | None:
        """Return the faction that lends the unit, and by which of its rules; None where none does."""
        for number, rule in enumerate(self._library.faction(sheet.faction).allies):
            if rule.armies and self.faction.id not in rule.armies:
                continue
            if rule.detachments and not any(is_same(name, detachment) for name in rule.detachments):
                continue
            if _is_lent(rule, sheet):
                return sheet.faction, number
        return None

    def _stranger(self, sheet: Datasheet) -> str:
        """Return why a unit may not be in the army, and the mend."""
        ours = self.faction
        if sheet.faction == ours.id or _is_named(sheet, ours.bars):
            return f"an army of {ours.name} may not have {sheet.name}; take it out."
        theirs = self._library.faction(sheet.faction)
        mend = "take it out"
        if ours.id in theirs.includes:
            mend = f'take it out, or say faction = "{theirs.id}"'
        return f"{sheet.name} is not a datasheet of {ours.id}, but of {theirs.id}; {mend}."


def is_same(name: str, other: str) -> bool:
    """Return whether two names mean the same detachment, in any order of their words."""
    return sorted(plain(name)) == sorted(plain(other))


def plain(name: str) -> str:
    """Return the letters and figures of a name alone, in small letters."""
    return "".join(sign for sign in name.casefold() if sign.isalnum())


def _is_named(sheet: Datasheet, words: Iterable[str]) -> bool:
    """Return whether one of these words is the datasheet's id or a keyword of it."""
    return any(sheet.id == word or sheet.has(word) for word in words)


def _is_lent(rule: Allies, sheet: Datasheet) -> bool:
    if rule.sheets and sheet.id not in rule.sheets:
        return False
    if rule.keywords and not any(sheet.has(word) for word in rule.keywords):
        return False
    return not any(sheet.has(word) for word in rule.without)


def _ally_faults(name: str, rule: Allies, guests: Sequence[Member], is_large: bool) -> Iterator[str]:
    """Return where the units that came by one rule are more than it allows."""
    named = ", ".join(f"'{each.id}'" for each in guests)
    points = sum(each.points for each in guests)
    if rule.points is not None and points > rule.points[is_large]:
        most = rule.points[is_large]
        yield f"Allies of {name} ({named}) cost {points} points, {points - most} more than {most}."
    weight = sum(max((n for word, n in rule.weights.items() if g.sheet.has(word)), default=1) for g in guests)
    if rule.units is not None and weight > rule.units[is_large]:
        counted = "".join(f", {word} counted as {n}" for word, n in rule.weights.items())
        which = f" with {' or '.join(rule.keywords)}" if rule.keywords else ""
        yield (
            f"The army has {weight} allied units of {name}{which}{counted} ({named}), "
            f"and may have {rule.units[is_large]}."
        )
    for word in rule.balanced:
        alike = [each.sheet.has("BATTLELINE") for each in guests if each.sheet.has(word)]
        if 2 * sum(alike) < len(alike):
            yield (
                f"Of the allies of {name}, {len(alike) - sum(alike)} with {word} are no BATTLELINE units, "
                f"more than the {sum(alike)} that are: add BATTLELINE units or take others out."
            )
    for each in guests:
        if each.is_warlord and not rule.warlord:
            yield f"Unit '{each.id}': an ally cannot be the Warlord; choose a CHARACTER of the army's own."
        if rule.carrying and not each.carries:
            yield f"Unit '{each.id}': an allied transport must begin with a unit aboard; embark one in it."
