"""Says what share of the texts of abilities the grammar of rule records can say.

    python scripts/sayable.py FOLDER [--missing N]

FOLDER holds `worklist/`: lines of JSON that say of each text which pieces it needs, and how surely it was
read. A text is sayable when every piece is there and the confidence is medium or high. A piece is there when
the rulesets' languages have the names that `sayable.toml` expects. With --missing N, the N pieces follow that
most texts need and that are not there.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from inspect import signature
from pathlib import Path
from typing import Any

from contracts import grammar

from datasheets.errors import BadData
from engine.systems import RULESETS

PIECES = Path(__file__).with_suffix(".toml")
SURE = ("medium", "high")
LEFT_OUT = ("no-battle-effect", "no-text")
"""Templates of texts that have no effect in a battle, or that nobody could read."""

Text = Mapping[str, Any]


def main() -> None:
    """Print the shares."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="the folder that holds worklist/")
    parser.add_argument("--missing", type=int, default=0, metavar="N", help="the pieces that bar most texts")
    told = parser.parse_args()
    texts, known = tuple(worklist(told.folder)), pieces(names())
    for line in shares(texts, known):
        sys.stdout.write(line + "\n")
    for piece, count in missing(texts, known)[: told.missing]:
        sys.stdout.write(f"{piece}: needed by {count} texts, and not there\n")


def worklist(folder: Path) -> Iterator[Text]:
    """Yield the texts of datasheets that have an effect in a battle. Raises BadData without any."""
    paths = sorted((folder / "worklist").glob("*.jsonl"))
    if not paths:
        raise BadData(str(folder), "", "has no worklist/*.jsonl; name the folder of the worklists")
    for path in paths:
        if not path.stem.endswith("-detachments"):
            lines = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
            yield from (each for each in lines if each["template"] not in LEFT_OUT)


def pieces(names: Collection[str]) -> dict[str, bool]:
    """Return whether each piece is there, by its id, for a grammar with these names."""
    table = tomllib.loads(PIECES.read_text(encoding="utf-8"))
    return {piece: _is_there(wanted, names) for kind in table.values() for piece, wanted in kind.items()}


def names() -> frozenset[str]:
    """Return the names of the grammar ("word has"), and how many arguments ("verb mark/2")."""
    found = set(grammar())
    for language in (each.language for each in RULESETS.values()):
        for kind, entries, given in (("word", language.words, 1), ("verb", language.verbs, 2)):
            for name, entry in entries.items():
                most = len(signature(entry.function).parameters) - given
                found.update(f"{kind} {name}/{count}" for count in range(1, most + 1))
    return frozenset(found)


def is_sayable(text: Text, known: Mapping[str, bool]) -> bool:
    """Return whether the grammar can say a text. Raises BadData for a piece that no table has."""
    for piece in text["needs"]:
        if piece not in known:
            raise BadData(PIECES.name, piece, f"this piece is missing, which {text['id']} needs")
    return text["confidence"] in SURE and all(known[piece] for piece in text["needs"])


def is_of_horde(text: Text) -> bool:
    """Return whether a text counts where the Horde fields its datasheets. Rule: PLAY.6"""
    return bool(text["horde_spawn"]) and text["horde"] == "yes"


def shares(texts: Iterable[Text], known: Mapping[str, bool]) -> Iterator[str]:
    """Yield a line for all texts and one for the Horde's."""
    every = tuple(texts)
    for name, some in (("All", every), ("The Horde's", tuple(filter(is_of_horde, every)))):
        said = sum(is_sayable(each, known) for each in some)
        yield f"{name}: {said} of {len(some)} texts can be said, {said / max(1, len(some)):.1%}"


def missing(texts: Iterable[Text], known: Mapping[str, bool]) -> list[tuple[str, int]]:
    """Return the pieces that are not there, with how many texts need each, most first."""
    found = Counter(piece for each in texts for piece in each["needs"] if not known[piece])
    return sorted(found.items(), key=lambda each: (-each[1], each[0]))


def _is_there(wanted: Iterable[str], names: Collection[str]) -> bool:
    expected = [each.split(" | ") for each in wanted]
    return bool(expected) and all(any(name in names for name in either) for either in expected)


if __name__ == "__main__":
    main()
