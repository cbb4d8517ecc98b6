"""Models that stand up again where they were destroyed, at the end of the phase.

Which models do, on which roll and with how many wounds is the business of their rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.core import event as ev
from engine.core.event import Pose
from engine.core.facts import UnitFacts
from engine.core.marks import BESTOWED, ENHANCED, WARLORD
from engine.core.request import Steps
from engine.core.state import Model, Unit
from engine.w40k.activation.amount import roll_amount
from engine.w40k.activation.unit_choice import mark, note
from engine.w40k.attack.fallen import FALLEN
from engine.w40k.attack.returning import STOOD_UP, whole
from engine.w40k.ground.passage import settled
from geometry.path.resting import may_rest
from geometry.shape.convex_shape import NOTHING
from geometry.single.free_spot import free_spot

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

FALLEN_FOR_NOW = "stands-up:"
"""How the marks of the battle begin that tell of a model, by its row.

On which roll it stands up follows, with how many wounds, and why.
"""
ALL = "all"
"""The wounds of a model that stands up with all of them."""
LEFT_BEHIND = ("battle-shocked", "action")
"""The marks of a unit of which a model that stands up knows nothing any more."""
OF_A_ROW = ("one-shot:", FALLEN, ENHANCED)
"""How the marks begin that tell of one model, by its row."""


def await_end(battle: Battle, model: Model, need: int, wounds: str, cause: str) -> None:
    """Note that a destroyed model may stand up at the end of the phase."""
    note(battle, f"{FALLEN_FOR_NOW}{model.row}", (str(need), wounds, cause), "phase")


def let_stand_up(battle: Battle) -> Steps[None]:
    """Roll for each model that may stand up as the phase ends, in the order in which they fell.

    Rule: R.A117
    """
    waiting = [key for key in battle.state.marks.values if key.startswith(FALLEN_FOR_NOW)]
    for key in waiting:
        need, wounds, cause = battle.state.marks.names(key)
        note(battle, key, None, "phase")
        model = battle.state.position.models[int(key.removeprefix(FALLEN_FOR_NOW))]
        if battle.roll("stand-up", unit=model.unit, need=int(need), cause=cause)[0] >= int(need):
            yield from _stand_up(battle, model, wounds, cause)


def _stand_up(battle: Battle, model: Model, wounds: str, cause: str) -> Steps[None]:
    """Set a destroyed model up with some of its wounds; without a free spot it stays destroyed."""
    unit = battle.state.position.units[model.unit]
    pose = _pose(battle, unit, model)
    if pose is None:
        return
    left = whole(model) if wounds == ALL else roll_amount(battle, wounds, "wounds", unit=unit.id, cause=cause)
    mark(battle, unit, STOOD_UP, (*unit.marks.names(STOOD_UP), str(model.row)), "battle", cause)
    if _is_left_alone(unit, model):
        unit, model = _parted(battle, unit, model, pose, cause)
    else:
        _forget(battle, unit, cause)
    left = min(left, whole(model))
    yield from battle.happen(ev.Returned(unit=unit.id, model=model.row, wounds=left, pose=pose), cause)


def _is_left_alone(unit: Unit, model: Model) -> bool:
    """Return whether the model's unit lives on without its part. Rule: CORE.ABL.LEADER"""
    return unit.where != "destroyed" and model.facts.part in unit.parts_lost


def _pose(battle: Battle, unit: Unit, model: Model) -> Pose | None:
    """Return where a model stands up: where it fell, else on the nearest free ground.

    It is in coherency with what lives of its part of the unit, and engages no enemy.
    """
    field, row, table = battle.field, model.row, battle.state.position.table
    alone = _is_left_alone(unit, model)
    # A unit of which nothing lives has no keywords: the ground is asked of the model's part as it was.
    ghost = Unit(_facts(unit, model, "" if alone else unit.id, row), (row,))
    foes = field.rows(field.kept_off(ghost))
    shun = field.outlines(foes, field.parameters.engagement) if foes else NOTHING
    ground = replace(field.landing(ghost), end_avoid=shun)
    x, y, z, facing = table.after(row, ())
    stance, rows = table.stance(row), () if alone else unit.rows
    if not rows and may_rest(replace(ground.at(z), crowd=None, end_avoid=shun), (x, y, z), stance):
        return x, y, z, facing
    beside = table.outlines(rows) if rows else NOTHING
    spot = free_spot(ground, stance, beside, field.parameters.spacing, (x, y), table.z[list(rows)])
    return None if spot is None else settled(field, row, (*spot, 0.0, facing))


def _facts(unit: Unit, model: Model, name: str, row: int) -> UnitFacts:
    """Return the facts of a unit of this id that is the model alone, in this row of the table."""
    part = unit.facts.parts[model.facts.part]
    return replace(
        unit.facts,
        id=name,
        name=part.name,
        parts=(part,),
        models=(replace(model.facts, row=row, part=0),),
        bracket=0,
        embarked_in="",
    )


def _parted(battle: Battle, unit: Unit, model: Model, pose: Pose, cause: str) -> tuple[Unit, Model]:
    """Set a leader up as a unit of its own, which has done what it had done, and return the two."""
    row = len(battle.state.position.models)
    facts = _facts(unit, model, _free_name(battle, unit, model), row)
    battle.log(ev.Placed(unit=facts.id, facts=facts, poses={row: pose}), cause)
    risen = battle.state.position.units[facts.id]
    for key, (value, until) in unit.marks.values.items():
        name = _carried_over(key, until, model.row, row)
        if name:
            mark(battle, risen, name, value, until, cause)
    if battle.state.marks.get(WARLORD) == unit.id and not unit.has("CHARACTER"):
        note(battle, WARLORD, risen.id, "battle")
    return risen, battle.state.position.models[row]


def _carried_over(key: str, until: str, old: int, new: int) -> str:
    """Return the name under which a leader that stands up has a mark of its unit, "" for none.

    What it has done in the turn goes over, and what it has used up for the battle.
    """
    for beginning in OF_A_ROW:
        if key.startswith(beginning):
            row, colon, rest = key.removeprefix(beginning).partition(":")
            return f"{beginning}{new}{colon}{rest}" if row == str(old) else ""
    if key.startswith(BESTOWED) or key in LEFT_BEHIND:
        return ""
    return key if until != "battle" or key.startswith("once:") or key == STOOD_UP else ""


def _free_name(battle: Battle, unit: Unit, model: Model) -> str:
    """Return an id that no unit has, after its player and the model's datasheet."""
    sheet = unit.facts.parts[model.facts.part].datasheet.rsplit("/", 1)[-1]
    return battle.state.position.next_id(f"{unit.player}/{sheet or unit.id}")


def _forget(battle: Battle, unit: Unit, cause: str) -> None:
    """End what a destroyed unit was under: its Battle-shock, and the states of rules."""
    gone = [key for key in unit.marks.values if key.startswith(BESTOWED) or key in LEFT_BEHIND]
    for key in gone if unit.where == "destroyed" else ():
        mark(battle, unit, key, None, cause=cause)
