"""The fixed words of army lists, in several languages: captions, keys, marks, battle sizes.

Owns how names are compared. The words themselves are data (`words.toml`).
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from importlib.resources import files
from typing import Any

import tomli

VERSION = re.compile(r"\bv([0-9]{1,3})\.[0-9]")
POWER_LEVEL = re.compile(r"[\[(] ?[0-9]{1,3} ?(?:PL|PP|Power)\b", re.IGNORECASE)


@lru_cache(maxsize=8_000)
def plain(name: str) -> str:
    """Return the letters and figures of a name alone, without accents and in small letters."""
    spread = unicodedata.normalize("NFKD", name.replace("&", " and ").replace(" w/", " with ")).casefold()
    return "".join(sign for sign in spread if sign.isalnum())


def singular_key(name: str) -> str:
    """Return the letters and figures of a name, each of its words in the singular."""
    return "".join(_singular(plain(word)) for word in name.replace("-", " ").split())


def _singular(word: str) -> str:
    """Return a word without the ending of its plural; equal words stay equal."""
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    if word.endswith("men"):
        return f"{word[:-3]}man"
    return word.rstrip("s") or word


@lru_cache(maxsize=1)
def words() -> dict[str, Any]:
    """Return the table of words."""
    return tomli.loads(files("datasheets").joinpath("rosters", "words.toml").read_text(encoding="utf-8"))


@lru_cache(maxsize=1)
def _captions() -> frozenset[str]:
    return frozenset(map(plain, words()["captions"]))


@lru_cache(maxsize=4)
def _by_word(table: str) -> dict[str, str]:
    """Return the meaning of each word of a table of lists."""
    return {plain(word): meaning for meaning, said in words()[table].items() for word in said}


@lru_cache(maxsize=1)
def _sizes() -> dict[str, int]:
    return {plain(name): points for name, points in words()["sizes"].items()}


def is_caption(text: str) -> bool:
    """Return whether this is what stands above units of one kind."""
    return plain(text) in _captions()


def size_of(text: str) -> int | None:
    """Return the points of a battle of this name ("2. Strike Force"); None for another name."""
    return _sizes().get(plain(text).lstrip("0123456789"))


def key_of(text: str) -> str:
    """Return what a key of the head says ("detachment"); "" for another."""
    return _by_word("keys").get(plain(text), "")


def mark_of(text: str) -> str:
    """Return what a mark in a unit's lines says ("warlord"); "" for another."""
    return _by_word("marks").get(plain(text), "")


def says_nothing(text: str) -> bool:
    """Return whether a line tells nothing of the army: what a program writes of itself."""
    said = plain(text)
    return any(said.startswith(plain(begin)) for begin in words()["nothing"]["begins"])


def changes_nothing(text: str) -> bool:
    """Return whether words within a unit do not change it."""
    said = plain(text)
    return any(plain(each) in said for each in words()["nothing"]["within"])


def edition_of_line(text: str) -> str:
    """Return the other edition that a line is of ("9th"); "" where it may be of this edition."""
    said = plain(text)
    version = VERSION.search(text) if says_nothing(text) else None
    for edition, marks in words()["editions"].items():
        if any(plain(word) in said for word in marks["words"]) or said in map(plain, marks["captions"]):
            return str(edition)
        if version is not None and int(version[1]) in marks["versions"]:
            return str(edition)
    return "9th" if POWER_LEVEL.search(text) else ""


def edition_of_system(system: str, name: str) -> str:
    """Return the other edition of a game system, by its id or its name; "" for this edition."""
    for edition, marks in words()["editions"].items():
        if system in marks["systems"] or any(plain(each) in plain(name) for each in marks["names"]):
            return str(edition)
    return ""


def other_edition(edition: str) -> str:
    """Return the sentence that refuses a list of another edition."""
    return f"this is a list of the {edition} edition; only lists of the 10th edition are read"
