"""Where a Horde unit is set up: in its spawning zone, or by Deep Strike.

Owns the wish (as near to the front, or to the most expensive player unit, as may be); places that are free
come from `ai.placement`.
"""

from __future__ import annotations

from ai.clause import carries_out
from ai.placement import near_front, near_unit
from engine.request import Because, Place, Places
from engine.state import Unit
from engine.view import View


@carries_out("SPAWN.6")
def spawn(view: View, request: Place) -> Places:
    """Return where a spawned unit stands: as near to the front as its models fit. Rule: SPAWN.6, R.A63"""
    placed = near_front(view, request)
    if placed is None:
        return _declines("SPAWN.6", "There is no room for any of its models.")
    reason = "It is set up as near to No Man's Land as its models fit."
    if len(placed) < len(request.rows):
        reason += f" {len(request.rows) - len(placed)} models find no room."
    because = Because(clause="SPAWN.6", reason=reason, target=request.unit, ruling="R.A63")
    return Places(poses=placed, because=(because,))


@carries_out("SPAWN.7")
def deep_strike(view: View, request: Place) -> Places:
    """Return where a unit arrives by Deep Strike: as close as may be to the most expensive player unit.

    Rule: SPAWN.7, R.A69 to R.A71
    """
    prey = view.unit(request.near) if request.near else most_expensive(view)
    if prey is None:
        return _declines("SPAWN.7", "There is no player unit to arrive near.")
    apart = 0.0 if request.kind == "pincer" else view.knobs.horde_reserves_objective
    placed = near_unit(view, request, prey, apart)
    if placed is None or len(placed) < len(request.rows):
        return _declines("SPAWN.7", f"There is no place for all of it near {prey.name}.")
    reason = f"{prey.name} costs most, {prey.facts.points} points; it arrives as close to it as it may."
    return Places(
        poses=placed, because=(Because(clause="SPAWN.7", reason=reason, target=prey.id, ruling="R.A69"),)
    )


def most_expensive(view: View) -> Unit | None:
    """Return the player unit of most points on the battlefield; ties are drawn. Rule: R.A69"""
    units = sorted(view.units("players"), key=lambda u: (-u.facts.points, u.id))
    best = [u for u in units if u.facts.points == units[0].facts.points]
    return best[view.index(len(best), "ai.tie", "deep-strike")] if best else None


def _declines(clause: str, reason: str) -> Places:
    return Places(because=(Because(clause=clause, reason=reason),))
