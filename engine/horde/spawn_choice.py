"""The choice of what spawns: a row that is available, and all that the row leaves open.

Every draw is made from the stream of spawning. It sets nothing up; `engine.horde.steps.spawn` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from datasheets.schema import SpawnEntry
from engine.core import event as ev
from engine.core.facts import HORDE
from engine.core.request import Choose, Chosen, Option, Steps
from engine.horde.passengers import loads
from engine.horde.spawn_row import Row, leaders_of, led_by, narrowed, rows_of
from engine.horde.spawn_scheme import index_dice
from engine.horde.stock import Stock
from engine.records.choice import DRAWN

if TYPE_CHECKING:
    from engine.w40k.battle import Battle


SPLIT = 0.5
"""The chance with which a unit is split at random where no other is set."""


def choose(battle: Battle, bracket: int) -> list[Row]:
    """Return what comes: a row of the bracket, or two of the one below.

    Two come where it has none that may, and where ruling `spawn.split_policy` has the unit split.
    Rule: SPAWN.4, SP.R5, SP.R6, SP.R7, R.A73.
    """
    policy = battle.ruling("spawn.split_policy")
    if policy == "when_unavailable":
        return _first_or_smaller(battle, bracket, [])
    if bracket > 1 and _is_split(battle, policy):
        picks = _picked(battle, bracket - 1, 2)
        if len(picks) == 2:
            return picks
    wanted = 1
    while bracket > 0:
        if picks := _picked(battle, bracket, wanted):
            return picks
        bracket -= 1
        wanted = 2
    return []


def moderated(battle: Battle, rows: Sequence[Row]) -> Steps[list[Row]]:
    """Let the Game Master take two units of the bracket below for each, and so on downward.

    Rule: ARMY.8, SPAWN.4
    """
    kept: list[Row] = []
    left = list(rows)
    while left:
        row = left.pop(0)
        beside = [*kept, *left]
        if row.bracket > 1 and tables_of(battle, row.bracket - 1, beside) and (yield from _splits(row)):
            left = [*_picked(battle, row.bracket - 1, 2, beside), *left]
        else:
            kept.append(row)
    return kept


def _splits(row: Row) -> Steps[bool]:
    answer = yield Choose(
        seats=(HORDE,),
        rule="SPAWN.4",
        decision="spawn-unit",
        prompt=f"{row.entry.name}, of bracket {row.bracket}, is to spawn. Does it?",
        options=(
            Option(id="as-rolled", label=row.entry.name),
            Option(id="split", label=f"Two units of bracket {row.bracket - 1} instead"),
        ),
    )
    assert isinstance(answer, Chosen)
    return answer.ids[0] == "split"


def _picked(battle: Battle, bracket: int, wanted: int, beside: Sequence[Row] = ()) -> list[Row]:
    """Return up to `wanted` rows of a bracket that may come together, each picked by a D20."""
    picks: list[Row] = []
    while len(picks) < wanted and (tables := tables_of(battle, bracket, [*beside, *picks])):
        table = _table(battle, tables)
        picks.append(table[index_dice(battle, len(table))])
    return picks


def _is_split(battle: Battle, policy: str) -> bool:
    """Return whether the Horde takes two smaller units though it need not. Rule: SP.R7"""
    if policy in ("never", "always_if_fits"):
        return policy == "always_if_fits"
    chance = SPLIT if policy == "random" else float(policy)
    faces = 100
    return battle.roll("spawn-split", 1, faces, stream="spawn", cause="SPAWN.4")[0] <= chance * faces


def _first_or_smaller(battle: Battle, bracket: int, beside: list[Row]) -> list[Row]:
    """Return the row of a bracket that a D20 picks; if it is not available, two from below.

    Below the lowest bracket nothing comes. Rule: SPAWN.4, SP.R7
    """
    if bracket <= 0:
        return []
    tables = tables_of(battle, bracket, beside, every=True)
    if tables:
        table = _table(battle, tables)
        row = table[index_dice(battle, len(table))]
        if is_available(battle, row, beside):
            return [row]
    picks: list[Row] = []
    for _ in range(2):
        picks += _first_or_smaller(battle, bracket - 1, [*beside, *picks])
    return picks


def tables_of(
    battle: Battle, bracket: int, beside: Sequence[Row] = (), *, every: bool = False
) -> dict[str, list[Row]]:
    """Return the bracket's rows that may come beside others, by faction, where it has any.

    With `every` they are all that are not barred, in play or not. Without shares the Horde's factions have
    one table together, named "". Rule: ARMY.6
    """
    stock = Stock(battle)
    shared = len(battle.state.factions) > 1 and bool(battle.state.shares)
    tables: dict[str, list[Row]] = {}
    for faction in battle.state.factions:
        rows = rows_of(battle, faction, bracket)
        able = (row for row in rows if not every or not stock.bars(row.entry))
        if found := [row for row in able if every or is_available(battle, row, beside, stock)]:
            tables.setdefault(faction if shared else "", []).extend(found)
    return tables


def _table(battle: Battle, tables: dict[str, list[Row]]) -> list[Row]:
    """Return the rows of the faction that spawns, drawn by its share of the Horde. Rule: ARMY.6"""
    if len(tables) == 1:
        return next(iter(tables.values()))
    lots = [faction for faction in tables for _ in range(battle.state.shares.get(faction, 1))]
    faction = lots[battle.pick("spawn-faction", len(lots), stream="spawn", cause="ARMY.6")]
    battle.log(ev.Decided(seat=HORDE, decision=DRAWN, choice=(faction,)), "ARMY.6")
    return tables[faction]


def is_available(battle: Battle, row: Row, beside: Sequence[Row] = (), stock: Stock | None = None) -> bool:
    """Return whether a row may come beside others: nothing barred, missing or unique in play.

    Of a full transport some passengers must be available too. Rule: ARMY.9, SP.R6
    """
    stock = stock or Stock(battle)
    together = [*beside, row]
    entries = [each.entry for each in together]
    if not stock.covers(entries):
        return False
    for each in together:
        if each.entry.transport_full:
            riders = (load.row.entry for load in loads(battle, each))
            rider = next((rider for rider in riders if stock.covers([*entries, rider])), None)
            if rider is None:
                return False
            entries.append(rider)
    return True


def with_leader(battle: Battle, entry: SpawnEntry) -> SpawnEntry:
    """Return an entry from a lower bracket with a leader to choose, where it may have one.

    Ruling `spawn.leader_on_downgrade`: "no" brings none. Rule: SPAWN.4, SP.R8.
    """
    if entry.leaders or entry.leader_choices or battle.ruling("spawn.leader_on_downgrade") == "no":
        return entry
    led, stock = entry.units[0].datasheets[0], Stock(battle)
    possible = tuple(
        sheet.id
        for sheet in battle.library.datasheets(led.partition("/")[0])
        if led in sheet.leads
        and not sheet.legends
        and not stock.in_play(sheet.id)
        and stock.covers([replace(entry, leaders=(sheet.id,))])
    )
    return replace(entry, leader_choices=min(1, len(possible)), possible_leaders=possible)


def settled(battle: Battle, entry: SpawnEntry, later: Sequence[SpawnEntry] = ()) -> SpawnEntry:
    """Return the entry with its datasheets and leaders drawn; what comes later still may.

    Rule: SPAWN.4, SP.R6
    """
    entry = _sheet_settled(battle, entry, 0, later)
    for _ in range(entry.leader_choices):
        entry = _leader_settled(battle, entry, later)
    for place in range(1, len(entry.units)):
        entry = _sheet_settled(battle, entry, place, later)
    return entry


def _sheet_settled(battle: Battle, entry: SpawnEntry, place: int, later: Sequence[SpawnEntry]) -> SpawnEntry:
    """Return the entry with one of the datasheets drawn that its unit at this place may be of."""
    sheets = list(dict.fromkeys(entry.units[place].datasheets))
    stock = Stock(battle)
    fit = [each for each in sheets if stock.covers([narrowed(entry, place, (each,)), *later])] or sheets
    found = (
        0 if len(fit) == 1 else battle.pick("spawn-alternative", len(fit), stream="spawn", cause="SPAWN.4")
    )
    return narrowed(entry, place, (fit[found],))


def _leader_settled(battle: Battle, entry: SpawnEntry, later: Sequence[SpawnEntry]) -> SpawnEntry:
    """Return the entry with one leader more, drawn of those that may come.

    A second leader is one that may join a first, where the datasheets name any. Rule: CORE.ABL.LEADER
    """
    stock = Stock(battle)
    able = leaders_of(battle.library, entry, entry.units[0].datasheets[0])
    free = [each for each in able if stock.covers([led_by(entry, each), *later])]
    if not free:
        return replace(entry, leader_choices=0)
    fit = [each for each in free if _may_join(battle, each, entry.leaders)] or free
    return led_by(entry, fit[battle.pick("spawn-leader", len(fit), stream="spawn", cause="SPAWN.4")])


def _may_join(battle: Battle, leader: str, others: Sequence[str]) -> bool:
    joins = [battle.library.datasheet(each).joins_leader for each in others]
    return not joins or battle.library.datasheet(leader).joins_leader or all(joins)
