"""The comparison of names of different sources: their plain form, the words that they share."""

from __future__ import annotations

import re


def tidy(name: str) -> str:
    """Return a name with plain apostrophes and single spaces."""
    return " ".join(name.replace("’", "'").replace("‘", "'").split())


def bare(name: str) -> str:
    """Return a datasheet's or a model's name without the mark of retired ones."""
    return name.replace("[Legends]", "").strip()


def plain(name: str) -> str:
    """Return a name by which like names are found: bare, tidy, in lower case."""
    return tidy(bare(name)).lower()


def words(name: str) -> tuple[str, ...]:
    """Return the words of a name in lower case, each without the ending of a plural."""
    return tuple(_singular(word) for word in re.findall(r"[^\W_]+", plain(name).replace("'", "")))


def _singular(word: str) -> str:
    if word.endswith("ves"):
        return word[:-3] + "f"
    return word[:-1] if len(word) > 3 and word.endswith(("s", "z")) and not word.endswith("ss") else word
