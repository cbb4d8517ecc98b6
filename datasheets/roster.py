"""A player's army: reading its file, and everything that would make it illegal.

Owns the roster file and the mustering clauses (ARMY.4, ARMY.5). Whose a unit is tells `belonging`; how many
points a player has, `share`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from importlib.resources.abc import Traversable
from pathlib import Path

from datasheets.belonging import Member, Realm, SheetSource
from datasheets.errors import HordeError, UnknownName
from datasheets.hold import may_ride, room
from datasheets.loadout import loadout_faults, roster_loadout
from datasheets.record import read_text, read_toml, record
from datasheets.schema import Datasheet, Roster, RosterUnit

COPIES = 2
COPIES_OF_COMMON = 4
COMMON = ("BATTLELINE", "DEDICATED TRANSPORT")

Fielded = Mapping[str, tuple[RosterUnit, Datasheet]]


def load_roster(source: Traversable | Path | str) -> Roster:
    """Return the roster of a TOML file, or of its text.

    A fault raises `BadData` with path, key and mend.
    """
    path, text = ("roster", source) if isinstance(source, str) else (str(source), read_text(source))
    return record(Roster, read_toml(text, path), path)


def cost(roster: Roster, library: SheetSource) -> int:
    """Return the points of all the roster's units. Raises UnknownName for an unknown one."""
    realm = Realm(roster.faction, library)
    sheets = [(unit, library.datasheet(unit.datasheet)) for unit in roster.units]
    return sum(unit_cost(unit, sheet, allied=not realm.has(sheet)) for unit, sheet in sheets)


def unit_cost(unit: RosterUnit, sheet: Datasheet, *, allied: bool = False) -> int:
    """Return the points of a unit as its file has it, or in an army of another faction.

    A unit that its datasheet does not allow costs what others of its size do.
    """
    try:
        loadouts = roster_loadout(sheet, unit.models, unit.wargear)
    except HordeError:
        return sheet.cost(unit.models, allied=allied)
    kinds: Counter[str] = Counter()
    for each in loadouts:
        kinds[each.kind] += each.models
    return sheet.cost(unit.models, kinds, allied=allied)


def check_roster(roster: Roster, library: SheetSource, points: int) -> tuple[str, ...]:
    """Return every fault of an army for a share of points, a sentence each; none if legal.

    Rule: ARMY.2, ARMY.4, ARMY.5, ARMY.7, ARMY.10.
    """
    faults: list[str] = []
    fielded: dict[str, tuple[RosterUnit, Datasheet]] = {}
    for unit in roster.units:
        if unit.id in fielded:
            faults.append(f"Unit '{unit.id}': another unit has the same id; give it one of its own.")
            continue
        try:
            fielded[unit.id] = (unit, library.datasheet(unit.datasheet))
        except UnknownName as error:
            faults.append(f"Unit '{unit.id}': {error}")
    for unit, sheet in fielded.values():
        faults += [f"Unit '{unit.id}': {fault}" for fault in _unit_faults(unit, sheet)]
    members = _members(roster, fielded, library)
    faults += _faction_faults(roster, members, library, points)
    faults += _army_faults(fielded)
    faults += _attachment_faults(fielded)
    faults += _transport_faults(fielded)
    return (*faults, *_cost_faults(roster, sum(each.points for each in members), points))


def _unit_faults(unit: RosterUnit, sheet: Datasheet) -> Iterator[str]:
    """Return what is wrong with one unit by itself."""
    if unit.enhancement is not None:
        yield (
            f"the enhancement '{unit.enhancement}' is not allowed, enhancements are bought in play; "
            "take it off the list."
        )
    if unit.warlord and not sheet.has("CHARACTER"):
        yield f"{sheet.name} is no CHARACTER and cannot be the Warlord; choose one that is."
    yield from map(str, loadout_faults(sheet, unit.models, unit.wargear))


def _members(roster: Roster, fielded: Fielded, library: SheetSource) -> list[Member]:
    """Return the army's units with their points, as guests or at home."""
    realm = Realm(roster.faction, library) if roster.faction in library.factions() else None
    carriers = {unit.embarked_in for unit, _ in fielded.values()}
    found = []
    for unit, sheet in fielded.values():
        points = unit_cost(unit, sheet, allied=realm is not None and not realm.has(sheet))
        found.append(Member(unit.id, sheet, points, unit.warlord, unit.id in carriers))
    return found


def _faction_faults(
    roster: Roster, members: list[Member], library: SheetSource, points: int
) -> Iterator[str]:
    """Return what is wrong with whose the units are, and with the detachment."""
    try:
        realm = Realm(roster.faction, library)
    except UnknownName as error:
        yield str(error)
        return
    yield from realm.faults(members, roster.detachment, points)


def _army_faults(fielded: Fielded) -> Iterator[str]:
    """Return what is wrong with the army as a whole: copies, the Warlord, TITANIC CHARACTERs."""
    copies = Counter(sheet.name for _, sheet in fielded.values())
    sheets = {sheet.name: sheet for _, sheet in fielded.values()}
    for name, number in copies.items():
        most = most_copies(sheets[name])
        if number > most:
            yield f"The army has {number} units of {name}, and may have {most}; take out {number - most}."
    warlords = [unit.id for unit, _ in fielded.values() if unit.warlord]
    if len(warlords) != 1:
        named = f" ({', '.join(warlords)})" if warlords else ""
        mend = "keep one of them" if warlords else "say warlord = true of a CHARACTER"
        yield f"The army has {len(warlords)} Warlords{named}, and needs exactly one: {mend}."
    titans = [unit.id for unit, sheet in fielded.values() if sheet.has("TITANIC") and sheet.has("CHARACTER")]
    if len(titans) > 1:
        named = ", ".join(titans)
        yield f"The army has {len(titans)} TITANIC CHARACTER units ({named}), and may have one; take one out."


def most_copies(sheet: Datasheet) -> int:
    """Return how many units of this datasheet an army may have."""
    if sheet.has("EPIC HERO"):
        return 1
    return COPIES_OF_COMMON if any(sheet.has(word) for word in COMMON) else COPIES


def _attachment_faults(fielded: Fielded) -> Iterator[str]:
    """Return what is wrong with leaders and the units that they join."""
    leaders: dict[str, list[Datasheet]] = {}
    for unit, sheet in fielded.values():
        if unit.attached_to is None:
            continue
        if unit.attached_to not in fielded:
            yield f"Unit '{unit.id}': attached_to names no unit '{unit.attached_to}'; name one, or none."
            continue
        led = fielded[unit.attached_to][1]
        if led.id not in sheet.leads:
            yield f"Unit '{unit.id}': {sheet.name} cannot lead {led.name}; {_whom(sheet, fielded)}."
        leaders.setdefault(unit.attached_to, []).append(sheet)
    for bodyguard, sheets in leaders.items():
        joiners = sum(sheet.joins_leader for sheet in sheets)
        if len(sheets) > 2 or (len(sheets) == 2 and joiners == 0):
            names = " and ".join(sheet.name for sheet in sheets)
            yield f"Unit '{bodyguard}': {names} cannot lead it together; keep one of them."


def _whom(sheet: Datasheet, fielded: Fielded) -> str:
    """Return whom of the army a leader can lead, as a mend."""
    able = [f"'{unit.id}'" for unit, led in fielded.values() if led.id in sheet.leads]
    return f"attach it to {' or '.join(able)}, or to none" if able else "attach it to none"


def _transport_faults(fielded: Fielded) -> Iterator[str]:
    """Yield what is wrong with embarked units.

    Attached leaders embark with the unit that they lead.
    """
    loads: Counter[str] = Counter()
    for unit, sheet in fielded.values():
        bodyguard = fielded.get(unit.attached_to or "")
        carrier = bodyguard[0].embarked_in if bodyguard else unit.embarked_in
        if unit.embarked_in is not None and unit.embarked_in != carrier:
            yield f"Unit '{unit.id}': it embarks with the unit that it leads; leave out its embarked_in."
        if carrier is None:
            continue
        transport = fielded[carrier][1].transport if carrier in fielded else None
        if transport is None:
            yield f"Unit '{unit.id}': embarked_in names no transport '{carrier}'; name one, or none."
        elif not may_ride(transport, sheet.has):
            name = fielded[carrier][1].name
            yield f"Unit '{unit.id}': {sheet.name} cannot embark in {name}; leave out its embarked_in."
        else:
            loads[carrier] += unit.models * room(transport, sheet)
    for carrier, load in loads.items():
        transport = fielded[carrier][1].transport
        if transport is not None and load > transport.capacity:
            most = transport.capacity
            yield f"Unit '{carrier}': it carries {load} models' room, and has {most}; take some out of it."


def _cost_faults(roster: Roster, total: int, points: int) -> Iterator[str]:
    """Return whether the army costs more than it may."""
    if total > points:
        yield f"The army costs {total} points, {total - points} more than its share of {points}."
    elif total > roster.points:
        yield f"The army costs {total} points, more than the points = {roster.points} of its file."
