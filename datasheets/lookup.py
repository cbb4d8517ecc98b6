"""Datasheets, factions and keywords found by the names that a person types.

Letters and figures count alone: case, accents, blanks and punctuation do not. It prints nothing.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from rapidfuzz import fuzz

from datasheets.errors import HordeError, UnknownName
from datasheets.library import Library
from datasheets.schema import Datasheet

MOST_NEAR = 5
"""The most names that are offered for one that nothing has."""
LEAST_ALIKE = 65.0
"""How much of 100 a name has to be alike to be offered."""


def plain_words(name: str) -> str:
    """Return the words of a name in small letters, without accents and punctuation."""
    parts = unicodedata.normalize("NFKD", name.casefold()).replace("'", "").replace("’", "")
    kept = (each for each in parts if not unicodedata.combining(each))
    return " ".join("".join(each if each.isalnum() else " " for each in kept).split())


def letters(name: str) -> str:
    """Return the letters and figures of a name, in small letters without accents."""
    return plain_words(name).replace(" ", "")


def every_datasheet(library: Library) -> tuple[Datasheet, ...]:
    """Return the datasheets of all factions, in order of id."""
    return tuple(sheet for faction in library.factions() for sheet in library.datasheets(faction))


def find_faction(library: Library, name: str) -> str:
    """Return the id of the faction with this id or name. Raises UnknownName."""
    named = [(each, said) for each in library.factions() for said in (library.faction(each).name, each)]
    for faction, said in named:
        if letters(said) == letters(name):
            return faction
    raise UnknownName(name, _near(name, named), "faction", library.factions())


def find_keyword(sheets: Iterable[Datasheet], name: str) -> str:
    """Return the keyword, as printed, that one of the datasheets has. Raises UnknownName."""
    known = sorted({word for sheet in sheets for word in (*sheet.keywords, *sheet.faction_keywords)})
    for word in known:
        if letters(word) == letters(name):
            return word
    raise UnknownName(name, _near(name, [(word, word) for word in known]), "keyword", tuple(known))


def find_datasheet(library: Library, name: str, faction: str = "") -> Datasheet:
    """Return the datasheet with this id or name, of this faction where one is given.

    Where a faction has a current datasheet and a Legends one of a name, the current one is meant. Raises
    UnknownName with the ids near the name, and HordeError with the ids where several factions have it.
    """
    sheets = library.datasheets(find_faction(library, faction)) if faction else every_datasheet(library)
    wanted = letters(name)
    exact = [sheet for sheet in sheets if letters(sheet.id) == wanted]
    named = [sheet for sheet in sheets if wanted in (letters(sheet.name), letters(_stem(sheet)))]
    found = exact or _current_first(named)
    if not found:
        said = [(sheet.id, each) for sheet in sheets for each in (sheet.name, _stem(sheet))]
        known = tuple(sheet.id for sheet in sheets)
        raise UnknownName(name, _near(name.rpartition("/")[2], said), "datasheet", known)
    if len(found) > 1:
        ids = ", ".join(f"'{sheet.id}'" for sheet in found)
        raise HordeError(f"There are {len(found)} datasheets '{name}'; say which by its id: {ids}.")
    return found[0]


def _stem(sheet: Datasheet) -> str:
    """Return the part of a datasheet's id that is its own, without its faction."""
    return sheet.id.partition("/")[2]


def _current_first(sheets: Iterable[Datasheet]) -> list[Datasheet]:
    """Return the datasheets but for those of Legends whose faction has a current one here."""
    sheets = list(sheets)
    current = {sheet.faction for sheet in sheets if not sheet.legends}
    return [sheet for sheet in sheets if not sheet.legends or sheet.faction not in current]


def _near(name: str, named: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Return the ids whose names are near a name, the nearest first, of ids with names."""
    best: dict[str, float] = {}
    wanted = plain_words(name)
    for each, said in named:
        # Letters for what is misspelt, words for what is left out: neither is enough by itself.
        alike = (fuzz.ratio(wanted, plain_words(said)) + fuzz.token_set_ratio(wanted, plain_words(said))) / 2
        best[each] = max(alike, best.get(each, 0.0))
    ranked = sorted(
        (each for each in best if best[each] >= LEAST_ALIKE), key=lambda each: (-best[each], each)
    )
    return tuple(ranked[:MOST_NEAR])
