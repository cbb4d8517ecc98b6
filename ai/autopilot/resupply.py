"""How the autopilot spends supply points, and how it answers what its purchases ask.

Owns the order in which purchases are wanted. What they do is the rules'.
"""

from __future__ import annotations

import numpy as np

from ai.autopilot.appraisal import Appraisal
from ai.autopilot.secret import may_spend, purchases_first, wanted
from ai.moving.placement import anywhere
from engine.core.facts import Point
from engine.core.request import Because, Choose, Chosen, Place, Places
from engine.core.state import Unit
from engine.w40k.view import View
from geometry.portable import mean_point, norms

WANTED = (
    "artillery-strike",
    "jamming-station",
    "shield-generator",
    "minefield",
    "ammo-supplies",
    "experimental-defenses",
    "field-hospital",
    "supply-drop",
    "air-strike",
    "forward-operating-base",
    "razor-wire",
    "shovel-stash",
    "name-earned",
)
"""Purchases, the most wanted first; others are bought only if the resupply may not end."""
IDLE = 8.0
"""A unit whose guns would take fewer points than this may do an action instead."""
EAGER = 30.0
"""The same limit where the secret objective asks for an action."""


def purchase(view: View, request: Choose) -> Chosen:
    """Return the most wanted purchase that is offered, or the end of the resupply."""
    offered = [option.id for option in request.options]
    player = view.players[view.seat]
    if not may_spend(view, player.sp):
        because = Because(clause="SP.4", reason="It saves its supply points for its secret objective.")
        return Chosen(ids=("done",), because=(because,))
    for each in (*purchases_first(view), *WANTED):
        for one in offered:
            if one.rsplit("/", 1)[-1].endswith(each):
                because = Because(clause="SP.4", reason=f"Of what may be bought, {each} is wanted most.")
                return Chosen(ids=(one,), because=(because,))
    return Chosen(ids=("done",) if "done" in offered else (offered[0],))


def act(view: View, request: Choose) -> Chosen:
    """Return an action for a unit that has little to shoot at, else shooting."""
    unit = view.unit(request.unit)
    values = Appraisal(view)
    seen = {enemy.id: bool(view.visible(unit, enemy).any()) for enemy in view.enemies(unit)}
    actions = [option.id for option in request.options if option.id != "shoot"]
    worth = EAGER if "action-hero" in wanted(view) else IDLE
    if actions and values.shooting(unit, view.xy(unit), seen) < worth:
        because = Because(clause="ACTION.1", reason="It has little to shoot at.")
        return Chosen(ids=(actions[0],), because=(because,))
    return Chosen(ids=("shoot",) if any(o.id == "shoot" for o in request.options) else ())


def choose_among(view: View, request: Choose) -> Chosen:
    """Return the options that look best, the first ones where nothing tells them apart.

    Units rank by what they are worth. Own units and markers rank higher the nearer an enemy is to them, and
    markers that the team holds come before others.
    """
    count = request.minimum if request.minimum else min(1, request.maximum)
    ordered = sorted(range(len(request.options)), key=lambda i: (-_appeal(view, request.options[i].id), i))
    return Chosen(ids=tuple(request.options[i].id for i in ordered[:count]))


def _appeal(view: View, name: str) -> float:
    units = {unit.id: unit for unit in view.units()}
    if name in units:
        return _unit_appeal(view, units[name])
    if name in view.objectives:
        marker = view.objectives[name]
        held = 100.0 if marker.by == "players" else 0.0
        return held - _nearest_enemy(view, marker.at)
    return 0.0


def _unit_appeal(view: View, unit: Unit) -> float:
    worth = Appraisal(view).worth(unit)
    return worth if unit.side == "horde" else worth - _nearest_enemy(view, tuple(mean_point(view.xy(unit))))


def _nearest_enemy(view: View, at: Point) -> float:
    foes = [view.xy(u) for u in view.units("horde")]
    if not foes:
        return 60.0
    return float(norms(np.vstack(foes) - np.array(at)).min())


def place_marker(view: View, request: Place) -> Places:
    """Return a place for a marker or terrain near an enemy, else near the team."""
    foes = [tuple(map(float, mean_point(view.xy(u)))) for u in view.units("horde")]
    own = [tuple(map(float, mean_point(view.xy(u)))) for u in view.units("players")]
    wanted = [(x, y) for x, y in (*foes, *own)] or [view.board.edge_centre]
    for near in wanted:
        poses = anywhere(view, request, near)
        if poses is not None:
            return Places(poses=poses)
    return Places()
