"""A battle as it would be if models stood elsewhere, to be asked what then would be true.

Owns the copy: its table is its own, all else is the battle's. Nothing is played on in it and nothing is
logged; the battle itself stays as it is.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import replace

from engine.core.event import Pose
from engine.core.state import State
from engine.w40k.battle import Battle


def supposed(battle: Battle, poses: Mapping[int, Pose], state: State | None = None) -> Battle:
    """Return a battle whose models of these rows stand at these poses, on the table all of them.

    With `state` it is the battle of that moment. The answers of rules in force are those of the moment.
    """
    found = copy.copy(battle)
    found.state = at_poses(battle.state if state is None else state, poses)
    found.wire()
    return found


def at_poses(state: State, poses: Mapping[int, Pose]) -> State:
    """Return a state with a table of its own, on which these models stand at these poses."""
    position = state.position
    table, units = copy.deepcopy(position.table), dict(position.units)
    table.put(poses)
    for row in poses:
        unit = units[position.models[row].unit]
        if unit.where != "table":
            units[unit.id] = replace(unit, where="table")
    return replace(state, position=replace(position, table=table, units=units))
