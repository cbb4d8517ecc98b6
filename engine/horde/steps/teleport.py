"""Teleporting: a unit goes into reserves at one marker and gets out of another at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from engine.core import event as ev
from engine.core.request import Choose, Chosen, Option, Place, Places, Steps
from engine.core.state import Marker, Unit
from engine.w40k.activation.stratagem import offer
from engine.w40k.activation.transport import BEFORE, DISEMBARKED
from engine.w40k.activation.unit_choice import mark
from engine.w40k.attack.damage import destroy_unit
from engine.w40k.ground.beside import areas_about
from engine.w40k.legality.free_place import all_beside
from geometry.shape.convex_shape import Outlines

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

TELEPORTED = "teleported"
"""The mark, for the phase, of a unit whose player has been asked whether it teleports."""


def teleport(battle: Battle, unit: Unit, here: Marker, cause: str) -> Steps[None]:
    """Ask a unit's player to which other marker it teleports, if to any; set it up there.

    It counts as having disembarked and as having come from reserves. Rule: BUY.teleporter
    """
    mark(battle, unit, TELEPORTED, True, "phase", cause)
    others = [m for m in battle.state.position.markers.values() if m.kind == here.kind and m is not here]
    answer = yield Choose(
        seats=(unit.player,),
        rule=cause,
        decision="teleport",
        prompt=f"Does {unit.name} teleport, and to where?",
        unit=unit.id,
        options=tuple(Option(id=m.id, label=f"To {m.at[0]:.1f} {m.at[1]:.1f}") for m in others),
        minimum=0,
    )
    assert isinstance(answer, Chosen)
    if not answer.ids:
        return
    yield from battle.happen(ev.Reserved(unit=unit.id, how="teleport"), cause)
    yield from _get_out(battle, unit, battle.state.position.markers[answer.ids[0]], cause)


def _get_out(battle: Battle, unit: Unit, marker: Marker, cause: str) -> Steps[None]:
    parameters = battle.ruleset.parameters
    disc = Outlines(np.array([marker.at]), np.array([parameters.marker_radius]))
    request = Place(
        seats=(unit.player,),
        rule=cause,
        decision="teleport",
        prompt=f"Where does {unit.name} come out of the Teleporter?",
        unit=unit.id,
        kind="disembark",
        rows=unit.rows,
        areas=areas_about(disc, parameters.boarding),
        clear=parameters.engagement,
        beside=marker.id,
        within=parameters.boarding,
    )
    # Where models set up one by one all fit, the unit comes out; else its player may still know how.
    fits = all_beside(battle.field, request, {}, request.areas) is not None
    answer = yield request if fits else replace(request, optional=True)
    assert isinstance(answer, Places)
    if not answer.poses:
        yield from destroy_unit(battle, unit, cause=cause)
        return
    yield from battle.happen(ev.Arrived(unit=unit.id, poses=answer.poses, how="teleport"), cause)
    mark(battle, unit, DISEMBARKED, BEFORE, "turn", cause)
    mark(battle, unit, "entered", True, "round", cause)
    yield from offer(battle, "set-up", unit)
