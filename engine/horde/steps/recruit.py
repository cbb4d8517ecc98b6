"""Units that players buy from their own faction's spawning table, or bring back to strength.

The table's rows and brackets are the Horde's too; how the Horde spawns is `engine.horde.steps.spawn`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from datasheets.hold import may_ride, room
from datasheets.schema import SpawnEntry, SpawnUnit
from engine.core import event as ev
from engine.core.facts import PLAYERS, Point, UnitFacts
from engine.core.request import Choose, Chosen, Option, Place, Places, Said, Steps, YesNo
from engine.core.state import Unit
from engine.horde.spawn_scheme import SCHEMES, bracket_of, minimum, scheme_of
from engine.w40k.activation.turn_taking import DONE
from engine.w40k.activation.unit_choice import mark
from engine.w40k.attack.damage import destroy_unit
from engine.w40k.boarding import room_left
from engine.w40k.flight import choose_hover
from engine.w40k.legality.free_place import gathered
from engine.w40k.muster import Part, horde_part, muster, trimmed, with_bare_hands
from engine.w40k.phase.deploy import deep_strikes, name_unmodelled
from engine.w40k.phase.reserves import RECRUITED
from geometry.portable import mean_point

if TYPE_CHECKING:
    from engine.w40k.battle import Battle


class Recruit(msgspec.Struct, frozen=True):
    """A unit that a player may choose: an entry of the table with one of its datasheets."""

    entry: SpawnEntry
    wanted: SpawnUnit
    datasheet: str

    @property
    def is_second(self) -> bool:
        """Return whether it is not the unit for which its row stands, but one that comes with that."""
        return self.wanted is not self.entry.units[0]

    @property
    def id(self) -> str:
        """Return the name under which it is offered."""
        return f"{self.entry.id}={self.datasheet}"


def has_table(battle: Battle, seat: str) -> bool:
    """Return whether the player's faction has a spawning table."""
    return battle.library.has_spawn_table(battle.state.players[seat].facts.faction)


def reinforcements(battle: Battle, seat: str, cause: str) -> Steps[None]:
    """Roll a bracket of the player's table and add the units of a row to the reserves.

    The two lowest rolls fail. Rule: BUY.reinforcements, SP.R4.
    """
    scheme = SCHEMES[scheme_of(battle)]
    roll = battle.roll("reinforcements", scheme.dice, scheme.sides, stream="spawn", unit=seat, cause=cause)
    total = sum(roll)
    if total <= max(2, scheme.dice):
        return
    bracket = bracket_of(scheme_of(battle), total)
    recruits: list[Recruit] = []
    while bracket > 0 and not recruits:
        recruits = recruits_of(battle, seat, bracket)
        bracket -= not recruits
    chosen = yield from _choose(battle, seat, recruits, cause)
    if chosen is None:
        return
    facts = yield from _facts(battle, seat, chosen, bracket, cause)
    yield from _join(battle, facts, cause)
    if chosen.entry.transport_full:
        yield from _fill(battle, battle.state.position.units[facts.id], bracket, cause)
    for wanted in chosen.entry.units[1:]:
        another = yield from _choose(battle, seat, _free(battle, chosen.entry, wanted), cause)
        if another is not None:
            yield from _join(battle, _mustered(battle, seat, another, (), bracket), cause)


def _join(battle: Battle, facts: UnitFacts, cause: str) -> Steps[None]:
    """Add a unit to its player's reserves."""
    facts = yield from choose_hover(battle, facts)
    how = "deep-strike" if deep_strikes(facts) else "strategic"
    yield from battle.happen(ev.Reserved(unit=facts.id, facts=facts, how=how), cause)
    mark(battle, battle.state.position.units[facts.id], RECRUITED, True, "battle", cause)
    name_unmodelled(battle, facts)


def _fill(battle: Battle, transport: Unit, bracket: int, cause: str) -> Steps[None]:
    """Let units of lower brackets aboard a transport that its row calls full.

    The player picks them. Rule: BUY.reinforcements, R.A98
    """
    while riders := _riders(battle, transport, bracket):
        stays = Option(id=DONE, label="Nobody more")
        options = (*(Option(id=each.id, label=_label(battle, each)) for each in riders), stays)
        answer = yield Choose(
            seats=(transport.player,),
            rule=cause,
            decision="recruit",
            prompt=f"Who rides in {transport.name}?",
            options=options,
        )
        assert isinstance(answer, Chosen)
        rider = next((each for each in riders if each.id == answer.ids[0]), None)
        if rider is None:
            return
        facts = _mustered(battle, transport.player, rider, (), 0)
        yield from battle.happen(ev.Embarked(unit=facts.id, transport=transport.id, facts=facts), cause)
        mark(battle, battle.state.position.units[facts.id], RECRUITED, True, "battle", cause)
        name_unmodelled(battle, facts)


def _riders(battle: Battle, transport: Unit, bracket: int) -> list[Recruit]:
    """Return the units of lower brackets that have room aboard, without leaders and other units."""
    hold = transport.hold
    if hold is None:
        return []
    left, found = room_left(battle.state.position, transport), list[Recruit]()
    for lower in range(bracket - 1, 0, -1):
        for each in recruits_of(battle, transport.player, lower):
            sheet, row = battle.library.datasheet(each.datasheet), each.entry
            if row.leaders or row.leader_choices or len(row.units) > 1 or not may_ride(hold, sheet.has):
                continue
            if room(hold, sheet) * each.wanted.models <= left:
                found.append(each)
    return found


def recruits_of(battle: Battle, seat: str, bracket: int, most: int = 0) -> list[Recruit]:
    """Return the units of a bracket that the player may have.

    With `most` the unit will be cut to that many models and comes alone. Entries with leaders are left out.
    """
    table = battle.library.spawn_table(battle.state.players[seat].facts.faction)
    found = []
    for entry in table.brackets.get(bracket, ()):
        if _is_available(battle, entry.leaders) and not (most and entry.leaders):
            first, *others = (_free(battle, entry, wanted) for wanted in entry.units)
            found += first if most or all(others) else []
    return found


def _free(battle: Battle, entry: SpawnEntry, wanted: SpawnUnit) -> list[Recruit]:
    """Return what a unit of a row may be: each of its datasheets that is available."""
    return [Recruit(entry, wanted, each) for each in wanted.datasheets if _is_available(battle, (each,))]


def _is_available(battle: Battle, datasheets: tuple[str, ...]) -> bool:
    """Return whether no player has fielded an epic hero of these datasheets. Rule: ARMY.4."""
    fielded = {
        p.datasheet for u in battle.state.position.units.values() if u.side == PLAYERS for p in u.facts.parts
    }
    return not any(i in fielded and battle.library.datasheet(i).has("EPIC HERO") for i in datasheets)


def _choose(battle: Battle, seat: str, recruits: list[Recruit], cause: str) -> Steps[Recruit | None]:
    if not recruits:
        return None
    if len(recruits) == 1 and recruits[0].is_second:
        return recruits[0]
    answer = yield Choose(
        seats=(seat,),
        rule=cause,
        decision="recruit",
        prompt="Which unit joins the army?",
        options=tuple(Option(id=each.id, label=_label(battle, each)) for each in recruits),
    )
    assert isinstance(answer, Chosen)
    return next(each for each in recruits if each.id == answer.ids[0])


def _label(battle: Battle, recruit: Recruit) -> str:
    if len(recruit.wanted.datasheets) == 1:
        return recruit.entry.name
    return f"{recruit.entry.name}: {battle.library.datasheet(recruit.datasheet).name}"


def _facts(
    battle: Battle, seat: str, recruit: Recruit, bracket: int, cause: str, most: int = 0
) -> Steps[UnitFacts]:
    """Return the facts of a recruited unit, with the leaders that its entry brings."""
    leaders: list[Part] = []
    if not most:
        leaders = [horde_part(battle.library, i, 1) for i in recruit.entry.leaders]
        leaders += yield from _chosen_leaders(battle, seat, recruit, cause)
    facts = _mustered(battle, seat, recruit, leaders, bracket)
    return trimmed(facts, most) if most else facts


def _mustered(
    battle: Battle, seat: str, recruit: Recruit, leaders: Sequence[Part], bracket: int
) -> UnitFacts:
    """Return the facts of a recruited unit with these leaders."""
    parts = [horde_part(battle.library, recruit.datasheet, recruit.wanted.models), *leaders]
    name = recruit.datasheet.rsplit("/", 1)[-1]
    facts = muster(
        battle.state.position.next_id(f"{seat}/{name}"),
        parts,
        side=PLAYERS,
        player=seat,
        first_row=len(battle.state.position.models),
        bracket=bracket,
        rules=battle.rulebook.of_datasheets,
    )
    return with_bare_hands(facts, battle.ruling("fight.bare_hands"))


def _chosen_leaders(battle: Battle, seat: str, recruit: Recruit, cause: str) -> Steps[list[Part]]:
    entry, sheet = recruit.entry, battle.library.datasheet
    free = [i for i in entry.possible_leaders if recruit.datasheet in sheet(i).leads]
    free = [i for i in free if _is_available(battle, (i,))]
    parts: list[Part] = []
    for _ in range(entry.leader_choices):
        fit = [i for i in free if not parts or sheet(i).joins_leader] or free
        if not fit:
            break
        answer = yield Choose(
            seats=(seat,),
            rule=cause,
            decision="recruit",
            prompt=f"Who leads {entry.name}?",
            options=tuple(Option(id=i, label=battle.library.datasheet(i).name) for i in fit),
        )
        assert isinstance(answer, Chosen)
        free.remove(answer.ids[0])
        parts.append(horde_part(battle.library, answer.ids[0], 1))
    return parts


# what a unit is worth on the table


def bracket_of_unit(battle: Battle, unit: Unit, models: int) -> int:
    """Return the bracket of the unit's smallest size that holds this many models.

    It is 0 where the table does not have the unit. Rule: BUY.patched-up, BUY.field-promotion.
    """
    if not has_table(battle, unit.player):
        return 0
    table = battle.library.spawn_table(battle.state.players[unit.player].facts.faction)
    sheet = unit.facts.parts[0].datasheet
    sizes = [
        (bool(entry.leaders or entry.leader_choices), wanted.models, bracket)
        for bracket in sorted(table.brackets)
        for entry in table.brackets[bracket]
        for wanted in entry.units[:1]
        if sheet in wanted.datasheets
    ]
    fits = sorted(size for size in sizes if size[1] >= models)
    return (fits or sorted(sizes)[-1:] or [(False, 0, 0)])[0][2]


def bracket_price(battle: Battle, unit: Unit) -> int:
    """Return the lowest roll of the bracket of the unit's full size: what patching it up costs."""
    return minimum(scheme_of(battle), bracket_of_unit(battle, unit, unit.facts.parts[0].starting_models))


def pay(battle: Battle, seat: str, price: float, purchase: str) -> Steps[bool]:
    """Take a price in SP that is known only now; return whether the player has paid it.

    Rule: SP.3, MISERY.24.
    """
    cost = price_now(battle, seat, price, purchase)
    has = battle.state.players[seat].sp
    if cost > has or (cost and not battle.query.may("spend-sp", player=seat)):
        return False
    cause = battle.rulebook.rule(purchase).clause
    yield from battle.happen(ev.Spent(player=seat, what="sp", amount=cost, total=has - cost), cause)
    return True


def price_now(battle: Battle, seat: str, price: float, purchase: str) -> int:
    """Return a price as the rules in force change it; nothing where a mission made it free."""
    if battle.state.players[seat].marks.count(f"paid:{purchase}"):
        return 0
    rule = battle.rulebook.rule(purchase)
    return int(battle.query.number("buy.price", price, purchase=rule, player=seat).value)


def promote(battle: Battle, unit: Unit, cause: str, purchase: str, payer: str) -> Steps[None]:
    """Destroy a unit and put one of a bracket rolled in its place, if `payer` pays for it.

    Rule: BUY.field-promotion.
    """
    seat = unit.player
    table = battle.state.position.table
    rows = list(unit.rows)
    middle = mean_point(table.xy[rows])
    where = (float(middle[0]), float(middle[1]))
    count = sum(model.facts.part == 0 for model in battle.state.position.alive(unit)) or len(rows)
    most = len(rows)
    least = minimum(scheme_of(battle), bracket_of_unit(battle, unit, count))
    yield from destroy_unit(battle, unit, cause=cause)
    total = least + battle.roll("field-promotion", unit=unit.id, cause=cause)[0]
    recruits = recruits_of(battle, seat, bracket_of(scheme_of(battle), total), most=most)
    price = price_now(battle, payer, total, purchase)
    if not recruits or price > battle.state.players[payer].sp:
        return
    answer = yield YesNo(
        seats=(payer,),
        rule=cause,
        decision="promote",
        prompt=f"{unit.name} is gone. Pay {price} SP for a unit in its place?",
        unit=unit.id,
    )
    assert isinstance(answer, Said)
    if not answer.yes or not (yield from pay(battle, payer, total, purchase)):
        return
    chosen = yield from _choose(battle, seat, recruits, cause)
    if chosen is None:
        return
    facts = yield from _facts(battle, seat, chosen, 0, cause, most=most)
    yield from _replace(battle, facts, where, cause)


def _replace(battle: Battle, facts: UnitFacts, where: Point, cause: str) -> Steps[None]:
    """Set a new unit up as close as possible to where the old one stood.

    Rule: BUY.field-promotion.
    """
    battle.log(ev.Reserved(unit=facts.id, facts=facts, how="muster"), cause)
    name_unmodelled(battle, facts)
    unit = battle.state.position.units[facts.id]
    request = Place(
        seats=(unit.player,),
        rule=cause,
        decision="arrive",
        prompt=f"Set {unit.name} up as close as possible to the unit it follows.",
        unit=unit.id,
        kind="promotion",
        rows=unit.rows,
        areas=(),
        toward=where,
        clear=battle.ruleset.parameters.engagement,
    )
    if gathered(battle.field, request) is None:
        yield from destroy_unit(battle, unit, cause=cause)
        return
    answer = yield request
    assert isinstance(answer, Places)
    yield from battle.happen(ev.Placed(unit=unit.id, poses=answer.poses), cause)
    mark(battle, unit, "promoted", True, "battle", cause)
