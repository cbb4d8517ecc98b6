"""Which datasheet of the catalogues is which of ours.

Owns the choice between several of one name: by how much of a faction is in the same catalogue. Names are
compared by their letters alone, current datasheets with current ones and Legends with Legends.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from datasheets.catalogue.facts import Facts, plain
from datasheets.schema import Datasheet

Key = tuple[str, bool]
CLOSE = 0.5
"""From here on a catalogue is a faction's own."""


@dataclass(slots=True)
class Matches:
    """The pairs of our datasheets and theirs, and what has no counterpart on either side."""

    pairs: list[tuple[Datasheet, Facts]] = field(default_factory=list)
    unmatched: list[Datasheet] = field(default_factory=list)
    new_sheets: list[Facts] = field(default_factory=list)


def match(sheets: Iterable[Datasheet], found: Iterable[Facts]) -> Matches:
    """Return our datasheets with theirs, each at most once, in order of id."""
    ours: dict[Key, list[Datasheet]] = defaultdict(list)
    theirs: dict[Key, list[Facts]] = defaultdict(list)
    for sheet in sheets:
        ours[plain(sheet.name), sheet.legends].append(sheet)
    for each in found:
        same = theirs[plain(each.name), each.is_legends]
        # A second one of a name in the same catalogue is a variant for another way of playing.
        if each.catalogue not in {other.catalogue for other in same}:
            same.append(each)
    closeness = _closeness(ours, theirs)
    matches = Matches()
    for key in sorted(ours.keys() | theirs.keys()):
        _match_key(ours.get(key, []), theirs.get(key, []), closeness, matches)
    _match_moved(closeness, matches)
    matches.pairs.sort(key=lambda pair: pair[0].id)
    matches.unmatched.sort(key=lambda sheet: sheet.id)
    return matches


def _closeness(
    ours: Mapping[Key, list[Datasheet]], theirs: Mapping[Key, list[Facts]]
) -> Mapping[tuple[str, str], float]:
    """Return the share of the smaller of a faction and a catalogue that is in both, 0 to 1."""
    factions = Counter(faction for sheets in ours.values() for faction in {each.faction for each in sheets})
    catalogues = Counter(name for found in theirs.values() for name in {each.catalogue for each in found})
    shared: Counter[tuple[str, str]] = Counter()
    for key in ours.keys() & theirs.keys():
        shared.update(
            (faction, catalogue)
            for faction in {each.faction for each in ours[key]}
            for catalogue in {each.catalogue for each in theirs[key]}
        )
    return {pair: count / min(factions[pair[0]], catalogues[pair[1]]) for pair, count in shared.items()}


def _match_key(
    ours: list[Datasheet],
    theirs: list[Facts],
    closeness: Mapping[tuple[str, str], float],
    matches: Matches,
) -> None:
    """Pair the datasheets of one name where each is nearest to the other, and keep the others."""

    def near(sheet: Datasheet, facts: Facts) -> float:
        return closeness[sheet.faction, facts.catalogue]

    paired: list[Facts] = []
    for sheet in ours:
        best = _nearest([(near(sheet, each), each) for each in theirs])
        if best is not None and _nearest([(near(each, best), each) for each in ours]) is sheet:
            matches.pairs.append((sheet, best))
            paired.append(best)
        else:
            matches.unmatched.append(sheet)
    matches.new_sheets += [each for each in theirs if each not in paired]


def _match_moved(closeness: Mapping[tuple[str, str], float], matches: Matches) -> None:
    """Pair what is left of one name: a datasheet that became Legends, or came back."""
    for sheet in list(matches.unmatched):
        name = plain(sheet.name)
        found = [
            each
            for each in matches.new_sheets
            if plain(each.name) == name and closeness.get((sheet.faction, each.catalogue), 0) >= CLOSE
        ]
        if len(found) == 1:
            matches.pairs.append((sheet, found[0]))
            matches.unmatched.remove(sheet)
            matches.new_sheets.remove(found[0])


T = TypeVar("T")


def _nearest(candidates: list[tuple[float, T]]) -> T | None:
    """Return the candidate that is nearest; None where there is none or two are as near."""
    most = max((near for near, _ in candidates), default=0.0)
    nearest = [each for near, each in candidates if near == most]
    return nearest[0] if len(nearest) == 1 else None
