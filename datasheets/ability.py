"""What is simulated of the abilities of datasheets, by clauses and rule records.

Owns the question alone: the data names each ability, and says nothing of what the program does with it. What
wargear changes in numbers alone is carried out when its bearer enters a battle.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from msgspec.structs import replace

from datasheets.checklist import Line, load_lines
from datasheets.rule import Rule
from datasheets.schema import Ability, AbilityKind, Datasheet, Status

CLAUSES = "core_abilities.toml"
DAMAGED = "CORE.ABL.DAMAGED"
"""The clause that carries out what a bracket takes, where no record of its own does."""
ROOM = "CORE.TRN.1"
"""The clause that counts the room that models take in a transport."""
NO_CLAUSE = "no clause carries out this core ability"
NO_RECORD = "no record yet"

WHOLE: tuple[Status, ...] = ("unmodelled", "waiting", "hooked", "modelled", "no effect")
"""The statuses in order: of several records, the first one is that of the whole ability."""


class Abilities:
    """Clauses of core abilities, and rule records of armies and of datasheets, by name."""

    def __init__(self, core: Iterable[Line], rules: Iterable[Rule]) -> None:
        """Arrange the clauses and records by the abilities that they are."""
        lines = tuple(core)
        self._core = {name: line for line in lines for name in line.abilities}
        self._damaged = next((line for line in lines if line.id == DAMAGED), None)
        self._armies: dict[str, list[Rule]] = {}
        self._own: dict[tuple[str, str], list[Rule]] = {}
        for rule in rules:
            if "army" in rule.tags:
                self._armies.setdefault(rule.name, []).append(rule)
            for sheet in rule.datasheets:
                self._own.setdefault((sheet, rule.name.casefold()), []).append(rule)

    def told(self, sheet: Datasheet) -> Datasheet:
        """Return the datasheet with status, reason and clause of each ability, none twice."""
        return replace(sheet, abilities=tuple(self._told(sheet, each) for each in _once(sheet.abilities)))

    def _told(self, sheet: Datasheet, ability: Ability) -> Ability:
        records = self._own.get((sheet.id, ability.name.casefold()), [])
        if not records and any(gear.item == ability.item and gear.in_full for gear in sheet.gear):
            return replace(ability, status="modelled")
        if not records and sheet.room_by and ability.name.casefold() == sheet.room_by.casefold():
            return replace(ability, status="modelled", clause=ROOM)
        if not records and ability.kind == "core":
            return _by_clause(ability, self._line(ability.name))
        if not records and ability.kind == "damaged":
            return _by_clause(ability, self._damaged)
        if not records and ability.kind == "faction":
            records = self._armies.get(ability.name, [])
        return _by_records(ability, records)

    def _line(self, token: str) -> Line | None:
        """Return the clause of a core ability, whose number may follow its name ("scouts 6")."""
        words = token.split(" ")
        names = (" ".join(words[:count]) for count in range(len(words), 0, -1))
        return next((self._core[name] for name in names if name in self._core), None)


def core_abilities(clauses: Traversable) -> tuple[Line, ...]:
    """Return the clauses of core abilities in a folder of clauses; none where it has none."""
    path = clauses.joinpath(CLAUSES)
    return load_lines(path) if path.is_file() else ()


@lru_cache(maxsize=1)
def simulated() -> tuple[str, ...]:
    """Return the names of the core abilities that are simulated, in order of their clauses."""
    lines = core_abilities(files("assets").joinpath("clauses"))
    return tuple(name for line in lines if not line.unmodelled for name in line.abilities)


def _once(abilities: Sequence[Ability]) -> Iterator[Ability]:
    """Yield each ability once, though some datasheets print one under two headings.

    What a datasheet prints as its own is no army rule.
    """
    kinds: dict[str, AbilityKind] = {}
    for each in abilities:
        before = kinds.get(each.name.casefold(), "faction")
        kinds[each.name.casefold()] = each.kind if before == "faction" else before
    for each in abilities:
        if kinds.get(each.name.casefold()) == each.kind:
            del kinds[each.name.casefold()]
            yield each


def _by_clause(ability: Ability, line: Line | None) -> Ability:
    if line is None:
        return replace(ability, status="unmodelled", reason=NO_CLAUSE, clause="")
    return replace(ability, status=line.status, reason=line.unmodelled or None, clause=line.id)


def _by_records(ability: Ability, records: Sequence[Rule]) -> Ability:
    """Return the ability as its records say; one that is unmodelled makes the whole so."""
    if not records:
        return replace(ability, status="unmodelled", reason=NO_RECORD, clause="")
    rule = min(records, key=lambda each: WHOLE.index(each.status))
    return replace(
        ability,
        status=rule.status,
        reason=rule.reason or None,
        clause=rule.clause,
        rules=tuple(each.id for each in records),
        needs=next((each.needs for each in records if each.needs), ""),
    )
