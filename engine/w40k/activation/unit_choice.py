"""Choosing which unit acts next, and marking what units have done: what all phases share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import event as ev
from engine.core.facts import PLAYERS
from engine.core.request import Choose, Chosen, Option, Steps
from engine.core.state import MarkValue, Unit

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

DONE = "done"


def mark(
    battle: Battle, unit: Unit, key: str, value: MarkValue | None = True, until: str = "turn", cause: str = ""
) -> None:
    """Set a mark on a unit, or wipe it off with None."""
    battle.log(ev.Marked(on=f"unit:{unit.id}", key=key, value=value, until=until), cause)


def note(battle: Battle, key: str, value: MarkValue | None, until: str = "round") -> None:
    """Set a mark on the battle itself."""
    battle.log(ev.Marked(on="battle", key=key, value=value, until=until))


def owners(units: list[Unit]) -> tuple[str, ...]:
    """Return the seats that own these units, in the order of the units."""
    return tuple(dict.fromkeys(unit.player for unit in units))


def options(units: list[Unit]) -> tuple[Option, ...]:
    """Return the units as options."""
    return tuple(Option(id=unit.id, label=unit.name) for unit in units)


def next_unit(
    battle: Battle, units: list[Unit], rule: str, step: str, *, may_stop: bool = True
) -> Steps[Unit | None]:
    """Ask which unit acts next; None when the players are done. Rule: PLAY.1, R.A08.

    The Horde always acts with every unit that it can.
    """
    players = units[0].side == PLAYERS
    choices = options(units)
    if players and may_stop:
        choices = (*choices, Option(id=DONE, label="Done with this phase"))
    answer = yield Choose(
        seats=owners(units),
        rule=rule,
        decision="next-unit",
        prompt=f"Which unit is next in the {step}?",
        options=choices,
    )
    assert isinstance(answer, Chosen)
    if answer.ids[0] == DONE:
        return None
    unit = battle.state.position.units[answer.ids[0]]
    mark(battle, unit, f"selected:{step}", True, "phase", rule)
    return unit


def waiting(battle: Battle, side: str, step: str) -> list[Unit]:
    """Return the side's units on the battlefield that have not been selected in this step.

    Rule: CORE.MOVE.11.
    """
    return [u for u in battle.state.position.on_table(side) if f"selected:{step}" not in u.marks and u.rows]


def decide(battle: Battle, unit: Unit, decision: str, *choice: str, cause: str) -> None:
    """Log what was decided for a unit."""
    battle.log(ev.Decided(seat=unit.player, decision=decision, unit=unit.id, choice=choice), cause)
