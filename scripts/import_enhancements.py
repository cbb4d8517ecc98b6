"""Write a record for every enhancement that has none, from tables of facts.

    python scripts/import_enhancements.py FOLDER

FOLDER holds Detachments.csv and Enhancements.csv with `|` between columns. Names, points and bearers are
facts. What an enhancement does is not read: a record that this script writes says that it is not simulated.
The records go to the end of `factions/data/<faction>-rules.toml`; a second run changes nothing. The bearers
of one are read from its first sentence; what cannot be read is refused, and then stands in SAID.
"""

from __future__ import annotations

import csv
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from datasheets.belonging import plain
from datasheets.library import Library
from datasheets.spelling import slug

DATA = Path(__file__).parents[1] / "factions" / "data"
HEAD = "# The enhancements of {}' detachments, which are bought in play. Rule: ARMY.10, BUY.name-earned.\n"
REASON = "what this enhancement does is not simulated yet"
SAID = {
    "iron-master": "Brôkhyr Iron-master",
    "monsters": "Monster",
    "deathwing model with the deep strike ability": "Deathwing Terminator",
    "t'au empire walker model with the deep strike ability": "T'au Empire Walker",
    "tyranids model with the deep strike ability": "Tyranids",
    "leagues of votann model equipped with an autoch-pattern combi-bolter": "Leagues of Votann",
}
"""What bearers are called, in words that datasheets know."""
Table = list[dict[str, str]]


def rows(path: Path) -> Table:
    """Return the rows of a table."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return [
            {key: _flat(value) for key, value in row.items() if key and value is not None}
            for row in csv.DictReader(file, delimiter="|")
        ]


def _flat(text: str) -> str:
    text = re.sub(r"<[^>]+>", "", text).replace("\u2019", "'").replace("\xa0", " ")
    return re.sub(r"\s+", " ", text).strip()


class Bearers:
    """Reads the bearers of an enhancement, in the keywords that datasheets have."""

    def __init__(self, library: Library) -> None:
        """Know every keyword."""
        self._known = {
            word
            for faction in library.factions()
            for sheet in library.datasheets(faction)
            for word in (*sheet.keywords, *sheet.faction_keywords, sheet.name.upper())
        }

    def condition(self, told: str) -> str:
        """Return the condition on a model, "" where any may bear it; ValueError where it is unclear."""
        told = told.partition(". ")[0]
        found = re.match(r"(.{3,90}?) (?:models? )?only\b", told) or re.match(r"(.{3,60}?) models? \(", told)
        if found is None:
            return ""
        text = found[1]
        barred = re.search(r"\(excluding (.+?)\)", told[: found.end() + 60])
        text = re.sub(r" models?$", "", re.sub(r"\s*\(excluding .+?\)?$", "", text))
        wanted = " or ".join(self._all(each) for each in self._split(text))
        if barred is None:
            return wanted
        lost = [self._all(each) for each in self._split(re.sub(r" (models?|units?)$", "", barred[1]))]
        return f"({wanted}) and " + " and ".join(f"not ({each})" for each in lost)

    @staticmethod
    def _split(text: str) -> list[str]:
        parts = re.split(r",\s*(?:or )?| or | and ", text)
        return [re.sub(r"^(?:a|an|the) | models?$", "", part.strip()) for part in parts if part.strip()]

    def _all(self, words: str) -> str:
        """Return the condition that a model has all keywords of a run of words."""
        left, found = SAID.get(words.lower(), words).upper().split(), []
        while left:
            size = next((n for n in range(len(left), 0, -1) if " ".join(left[:n]) in self._known), 0)
            if not size:
                raise ValueError(f"no keyword begins '{' '.join(left)}'")
            found.append(" ".join(left[:size]))
            left = left[size:]
        return " and ".join(f"is_a(model, {_quoted(each)})" for each in found)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "\\'") + "'"


def _text(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def records(folder: Path, library: Library) -> Iterator[tuple[str, str]]:
    """Yield each record that is missing, with the faction in whose file it goes."""
    kinds = {row["id"]: row["type"] for row in rows(folder / "Detachments.csv")}
    table = [r for r in rows(folder / "Enhancements.csv") if not kinds.get(r["detachment_id"], "")]
    often = Counter(slug(row["name"]) for row in table)
    known = {(plain(r.detachment), plain(r.name)) for r in library.rules() if "enhancement" in r.tags}
    owners = {plain(each): f for f in library.factions() for each in library.faction(f).detachments}
    bearers = Bearers(library)
    for row in table:
        if (plain(row["detachment"]), plain(row["name"])) in known:
            continue
        owner = owners.get(plain(row["detachment"]), "")
        if not owner:
            print(f"nobody fields {row['detachment']}", file=sys.stderr)
            continue
        yield owner, _record(row, owner, often[slug(row["name"])] > 1, bearers, library)


def _record(row: dict[str, str], owner: str, twice: bool, bearers: Bearers, library: Library) -> str:
    name, detachment = slug(row["name"]), slug(row["detachment"])
    condition = bearers.condition(row["description"])
    factions = [f for f in library.factions() if owner in (f, *library.faction(f).includes)]
    factions.sort(key=lambda each: (each != owner, each))
    lines = [
        "[[rule]]",
        f"id = {_text(f'{detachment}/{name}')}",
        f"clause = {_text(f'ARMY.10.{name}-{detachment}' if twice else f'ARMY.10.{name}')}",
        f"name = {_text(row['name'])}",
        f"source = {_text(library.faction(owner).name + ', ' + row['detachment'])}",
        f"summary = {_text('An enhancement of ' + (row['cost'] or '0') + ' points.')}",
        'tags = ["enhancement"]',
        f"factions = [{', '.join(map(_text, factions))}]",
        f"detachment = {_text(row['detachment'])}",
        *([f"borne_by = {_text(condition)}"] if condition else []),
        f"reason = {_text(REASON)}",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the records."""
    library = Library()
    found: dict[str, list[str]] = {}
    for owner, text in records(Path(sys.argv[1]), library):
        found.setdefault(owner, []).append(text)
    for owner, texts in sorted(found.items()):
        path = DATA / f"{owner}-rules.toml"
        before = (
            path.read_text(encoding="utf-8") if path.exists() else HEAD.format(library.faction(owner).name)
        )
        path.write_text(before + "".join(f"\n{text}" for text in texts), encoding="utf-8")
        print(f"{path.name}: {len(texts)} enhancements")


if __name__ == "__main__":
    main()
