"""Choosing which unit acts next, and marking what units have done: what all phases share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from engine.core import event as ev
from engine.core.facts import PLAYERS
from engine.core.request import Choose, Chosen, Option, Steps
from engine.core.state import MarkValue, Unit
from engine.w40k.activation import turn_taking
from engine.w40k.activation.turn_taking import DONE, PASS

if TYPE_CHECKING:
    from engine.w40k.battle import Battle


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
    battle: Battle,
    units: list[Unit],
    rule: str,
    step: str,
    *,
    must_act: Callable[[Unit], bool] = lambda unit: False,
) -> Steps[Unit | None]:
    """Ask which unit acts next; None when the players are done. Rule: PLAY.1, R.A08.

    The Horde always acts with every unit that it can, a player with those that must act.
    """
    prompt = f"Which unit is next in the {step}?"
    if units[0].side == PLAYERS:
        asking = Asking(rule, "next-unit", prompt, "Done with this phase")
        unit = yield from pick(battle, units, step, asking, must_act)
    else:
        answer = yield Choose(
            seats=owners(units), rule=rule, decision="next-unit", prompt=prompt, options=options(units)
        )
        assert isinstance(answer, Chosen)
        unit = battle.state.position.units[answer.ids[0]]
    if unit is not None:
        mark(battle, unit, f"selected:{step}", True, "phase", rule)
    return unit


class Asking(NamedTuple):
    """How players are asked for one of their units."""

    rule: str
    decision: str
    prompt: str
    done: str
    """What the option is called to be done."""


def pick(
    battle: Battle,
    units: list[Unit],
    step: str,
    asking: Asking,
    must_act: Callable[[Unit], bool] = lambda unit: False,
) -> Steps[Unit | None]:
    """Ask the players in turn for one of these units; None when all are done. Rule: PLAY.1."""
    seats = owners(units)
    while (seat := turn_taking.next_seat(battle, seats, step)) is not None:
        own = [unit for unit in units if unit.player == seat]
        may_stop = not any(map(must_act, own))
        answer = yield Choose(
            seats=(seat,),
            rule=asking.rule,
            decision=asking.decision,
            prompt=asking.prompt,
            options=(
                *options(own),
                *turn_taking.ways_out(battle, seat, seats, step, asking.done, may_stop=may_stop),
            ),
        )
        assert isinstance(answer, Chosen)
        chosen = answer.ids[0]
        if chosen == DONE:
            turn_taking.finish(battle, seat, step, asking.rule)
        elif chosen == PASS:
            turn_taking.let_others(battle, seat, step, asking.rule)
        else:
            turn_taking.acts(battle, seat, step, asking.rule)
            return battle.state.position.units[chosen]
    return None


def waiting(battle: Battle, side: str, step: str) -> list[Unit]:
    """Return the side's units on the battlefield that have not been selected in this step.

    Rule: CORE.MOVE.11.
    """
    return [u for u in battle.state.position.on_table(side) if f"selected:{step}" not in u.marks and u.rows]


def decide(battle: Battle, unit: Unit, decision: str, *choice: str, cause: str) -> None:
    """Log what was decided for a unit."""
    battle.log(ev.Decided(seat=unit.player, decision=decision, unit=unit.id, choice=choice), cause)
