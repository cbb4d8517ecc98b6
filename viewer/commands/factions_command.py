"""`horde factions`: what there is of each faction, and what of it is simulated."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from datasheets.census import Tally, current, tally
from datasheets.library import Library
from datasheets.rule import Rule
from datasheets.schema import Ability, Status
from viewer.commands.sheet_text import table

NONE = "-"
LEGEND = (
    "Abilities are those of current datasheets, each counted on each of them; spawns are the entries of",
    "the spawning table. Army rules are of players' armies, Horde rules of the Horde.",
)


@dataclass(frozen=True)
class Count:
    """What there is of one faction: its datasheets, its spawning table, its armies and rules."""

    id: str
    name: str
    sheets: Tally
    """Of the current datasheets."""
    legends: int
    entries: int
    """Of the spawning table."""
    armies: tuple[str, ...]
    includes: tuple[str, ...]
    """The factions whose datasheets its army has too."""
    army_rules: tuple[Ability, ...]
    """As the datasheets name them, the one that most have first."""
    horde_rule: Rule | None


def factions(as_json: bool) -> None:
    """Print a line for each faction with what there is of it."""
    found = list(_counts(Library()))
    if as_json:
        sys.stdout.write(json.dumps([_plain(each) for each in found], indent=1) + "\n")
        return
    sys.stdout.write("\n".join([*table(list(_rows(found))), *LEGEND]) + "\n")


def _counts(library: Library) -> Iterator[Count]:
    armies: dict[str, list[str]] = {}
    for name in library.armies():
        armies.setdefault(library.army(name).faction, []).append(name)
    for faction in library.factions():
        sheets, told = library.datasheets(faction), library.faction(faction)
        brackets = library.spawn_table(faction).brackets if library.has_spawn_table(faction) else {}
        rules = (rule for rule in library.rules() if "faction" in rule.tags and faction in rule.factions)
        yield Count(
            id=faction,
            name=told.name,
            sheets=tally(current(library, faction)),
            legends=sum(sheet.legends for sheet in sheets),
            entries=sum(map(len, brackets.values())),
            armies=tuple(armies.get(faction, ())),
            includes=told.includes,
            army_rules=_army_rules(library, faction),
            horde_rule=next(rules, None),
        )


def _army_rules(library: Library, faction: str) -> tuple[Ability, ...]:
    """Return the army rules that the faction's current datasheets name, the most frequent first."""
    named = [
        each for sheet in current(library, faction) for each in sheet.abilities if each.kind == "faction"
    ]
    return tuple(ability for ability, _ in Counter(named).most_common())


def _army_status(count: Count) -> str:
    """Return the status that all army rules of the faction have, or that some are simulated."""
    statuses = {each.status for each in count.army_rules}
    return "in part" if len(statuses) > 1 else next(iter(statuses), NONE)


def _horde_status(count: Count) -> Status | None:
    return count.horde_rule.status if count.horde_rule else None


def _plain(count: Count) -> dict[str, object]:
    return {
        "id": count.id,
        "name": count.name,
        "current": count.sheets.datasheets,
        "legends": count.legends,
        "spawn_entries": count.entries,
        "armies": list(count.armies),
        "includes": list(count.includes),
        "abilities": {
            "modelled": count.sheets.modelled,
            "hooked": count.sheets.hooked,
            "unmodelled": count.sheets.unmodelled,
            "waiting": count.sheets.waiting,
            "no_effect": count.sheets.without_effect,
        },
        "army_rules": [
            {"name": each.name, "status": each.status, "reason": each.reason} for each in count.army_rules
        ],
        "horde_rule": _plain_rule(count.horde_rule) if count.horde_rule else None,
    }


def _plain_rule(rule: Rule) -> dict[str, object]:
    return {"id": rule.clause, "name": rule.name, "status": rule.status, "reason": rule.reason or None}


def _rows(counts: list[Count]) -> Iterator[tuple[str, ...]]:
    yield (
        *("faction", "current", "Legends", "spawns", "armies"),
        *("modelled", "hooked", "unmodelled", "waiting", "no effect", "army rule", "Horde rule"),
    )
    for each in counts:
        numbers = (each.sheets.datasheets, each.legends, each.entries, len(each.armies))
        abilities = _statuses(each.sheets)
        yield (each.id, *map(str, (*numbers, *abilities)), _army_status(each), _horde_status(each) or NONE)
    rows = [each.sheets for each in counts]
    sums = (
        sum(each.datasheets for each in rows),
        sum(each.legends for each in counts),
        sum(each.entries for each in counts),
        sum(len(each.armies) for each in counts),
        *map(sum, zip(*map(_statuses, rows), strict=True)),
    )
    yield ("all", *map(str, sums), "", "")


def _statuses(found: Tally) -> tuple[int, ...]:
    return (found.modelled, found.hooked, found.unmodelled, found.waiting, found.without_effect)
