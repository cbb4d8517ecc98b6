"""The refusal of a switch, and the names of the project that help to mend it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGES = ("ai", "assets", "datasheets", "engine", "factions", "geometry", "viewer")
MOST_MODULES = 3
"""The number of modules that one hint names at most."""


class Misfit(Exception):  # noqa: N818 - the word of the refusals
    """The wrong `key` of a switch that does not fit the project, and how to `mend` the switch."""

    def __init__(self, key: str, mend: str) -> None:
        """Keep the key and the mend."""
        super().__init__(key, mend)
        self.key = key
        self.mend = mend


def standing(name: str, own: str = "") -> str:
    """Return the end of a sentence that names the other modules that define a name.

    The modules nearest to `own` come first. Empty where there is none.
    """
    word = re.escape(name)
    # An assignment further in may be that of a local variable.
    definition = rf"^(?:\s*(?:async )?(?:def|class) {word}\b|{word}(?:: [^=\n]+)? = |    {word}: [^=\n]+ = )"
    defined = re.compile(definition, re.MULTILINE)
    found = [module for module, text in modules() if module != own and defined.search(text)]
    found.sort(key=lambda module: [module.split(".")[:n] != own.split(".")[:n] for n in (1, 2)])
    return f"; {name} stands in {', '.join(found[:MOST_MODULES])}" if found else ""


def alike(name: str, names: Iterable[str]) -> str:
    """Return, as the end of a sentence, the one of some names that is most like a name."""
    near = get_close_matches(name, sorted(set(names) - {name}), n=1)
    return f"; did you mean {near[0]}?" if near else ""


@cache
def modules() -> tuple[tuple[str, str], ...]:
    """Return the name and the text of each module of the project."""
    paths = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    return tuple((_name(path), path.read_text(encoding="utf-8")) for path in paths)


def _name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def words() -> frozenset[str]:
    """Return all words of the project's code."""
    return frozenset(word for _, text in modules() for word in re.findall(r"\w+", text))
