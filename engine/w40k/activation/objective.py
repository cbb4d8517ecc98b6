"""Which side controls which objective marker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from engine.core import event as ev
from engine.core.facts import HORDE, PLAYERS
from engine.core.request import Steps
from engine.core.state import Model, Objective, Unit
from geometry.shape.base import Bools

if TYPE_CHECKING:
    from engine.w40k.battle import Battle


IN_RANGE = "horde-in-range"
"""The mark of a marker that names the Horde's units in range of it.

The units are in the order in which they came into range. Rule: R.A12
"""


Control = Literal["horde", "players", ""]
"""The side that controls a marker, none where it is empty."""
HELD = "held"
"""The mark of a marker with the seat for which a rule holds it, with nobody in range too."""


class Tally(NamedTuple):
    """A count of control: the side, its seats, and the levels of the Horde and the players."""

    by: Control
    holders: tuple[str, ...]
    horde: int
    players: int


def update(battle: Battle) -> Steps[None]:
    """Count the level of control of every marker again. Rule: CORE.OBJ.1 to CORE.OBJ.6, PLAY.2."""
    for objective in list(battle.state.position.objectives.values()):
        there = _in_range(battle, objective)
        _note_horde(battle, objective, [unit.id for unit, near in there if unit.side == HORDE and near.any()])
        counted = _counted(battle, objective, there)
        found = _held(objective, counted)
        keeper = _keeper(objective)
        if keeper and counted.by not in ("", keeper):
            battle.log(ev.Marked(on=f"objective:{objective.facts.id}", key=HELD, value=None), "CORE.OBJ.2")
        if (found.by, found.holders) != (objective.by, objective.players):
            name = objective.facts.id
            levels = (found.horde, found.players)
            event = ev.Controlled(objective=name, by=found.by, players=found.holders, levels=levels)
            yield from battle.happen(event, "CORE.OBJ.2")


def tally(battle: Battle, objective: Objective) -> Tally:
    """Return the count of a marker as it is now; nothing is changed. Rule: CORE.OBJ.2"""
    return _held(objective, _counted(battle, objective, _in_range(battle, objective)))


def _in_range(battle: Battle, objective: Objective) -> list[tuple[Unit, Bools]]:
    """Return the units near a marker, each with which of its models are within range of it."""
    return [(unit, battle.field.in_range_of(unit, objective)) for unit in battle.field.near(objective)]


def _counted(battle: Battle, objective: Objective, there: list[tuple[Unit, Bools]]) -> Tally:
    """Return the count of a marker by the levels of control of these units."""
    levels = {seat: level for seat, level in _levels(battle, there).items() if level > 0}
    horde = levels.pop(HORDE, 0)
    players = sum(levels.values())
    by: Control = HORDE if horde > players else PLAYERS if players > horde else ""
    return Tally(by, tuple(sorted(levels)) if by == PLAYERS else (), horde, players)


def _keeper(objective: Objective) -> Control:
    """Return the side for which a rule holds a marker until an enemy takes it."""
    holder = str(objective.marks.get(HELD, ""))
    return "" if not holder else HORDE if holder == HORDE else PLAYERS


def _held(objective: Objective, counted: Tally) -> Tally:
    """Return a count with the holder of a marker which may be held until an enemy takes it."""
    side = _keeper(objective)
    if not side or counted.by not in ("", side):
        return counted
    seat = str(objective.marks.get(HELD, ""))
    holders = counted.holders if counted.holders or side == HORDE else (seat,)
    return counted._replace(by=side, holders=holders)


def _note_horde(battle: Battle, objective: Objective, there: list[str]) -> None:
    """Mark a marker with the Horde's units in range of it.

    Units that have stayed come before those that are new. Rule: R.A12
    """
    before = first_there(objective)
    stayed = [name for name in before if name in there]
    now = (*stayed, *sorted(name for name in there if name not in stayed))
    if now != before:
        on = f"objective:{objective.facts.id}"
        battle.log(ev.Marked(on=on, key=IN_RANGE, value=now or None), "CORE.OBJ.1")


def first_there(objective: Objective) -> tuple[str, ...]:
    """Return the Horde's units within range of a marker, in the order in which they came.

    Rule: R.A12
    """
    return objective.marks.names(IN_RANGE)


def _levels(battle: Battle, there: list[tuple[Unit, Bools]]) -> dict[str, int]:
    levels: dict[str, int] = {}
    for unit, inside in there:
        models = [m for m, is_in in zip(battle.state.position.alive(unit), inside, strict=True) if is_in]
        level = sum(control(battle, unit, each) for each in models)
        levels[unit.player] = levels.get(unit.player, 0) + level
    return levels


def control(battle: Battle, unit: Unit, model: Model) -> int:
    """Return a model's Objective Control. Rule: CORE.OBJ.3, CORE.OBJ.6, CORE.BS.3."""
    if "battle-shocked" in unit.marks or unit.has("AIRCRAFT"):
        return 0
    if not battle.query.may("control", unit=unit):
        return 0
    printed = model.facts.characteristics.get("OC", 0)
    return max(0, int(battle.query.number("model.oc", printed, unit=unit, model=model).value))
