"""Where a Horde unit is set up: in its spawning zone, or by Deep Strike.

Owns the wish: as near to the front as may be, or to the unit that is asked for. Free places come from
`ai.moving.placement`.
"""

from __future__ import annotations

from ai.horde.front_place import place_at_front
from ai.moving.placement import anywhere, near_unit, returning
from ai.reasons.clause import carries_out
from ai.reasons.condition import NO_ROOM
from ai.reasons.inquiry import outcome
from ai.reasons.ranking import Entry, closest, dearest
from engine.core.request import BESIDE, RETURN, Because, Place, Places
from engine.w40k.legality.free_place import hulls_of
from engine.w40k.view import View
from geometry.portable import mean_point

ARRIVE = "deep-strike"
FROM_RESERVES = Because(
    clause="SPAWN.7",
    reason="It finds no place to Deep Strike, and is set up as if it spawned.",
    ruling="R.A71",
)


@carries_out("SPAWN.6")
def spawn(view: View, request: Place) -> Places:
    """Return where a spawned unit stands: as near to the front as its models fit.

    Rule: SPAWN.6, R.A63, R.A64, R.A101
    """
    placed = place_at_front(view, request)
    if placed is None:
        return _declines("SPAWN.6", "There is no room for any of its models.", "spawn")
    all_or_none = not request.partly or view.ruling("spawn.no_room") == "whole"
    if len(placed) < len(request.rows) and all_or_none:
        return _declines("SPAWN.6", "There is no room for all of its models.", "spawn")
    reason = "It is set up as near to No Man's Land as its models fit."
    if len(placed) < len(request.rows):
        reason += f" {len(request.rows) - len(placed)} models find no room."
    because = Because(
        clause="SPAWN.6",
        reason=reason,
        target=request.unit,
        candidates=(outcome("spawn", "", len(placed), len(request.rows)),),
        ruling="R.A63",
    )
    late = "deep-strike-failed" in view.unit(request.unit).marks
    return Places(poses=placed, because=(*((FROM_RESERVES,) if late else ()), because))


@carries_out("SPAWN.7")
def deep_strike(view: View, request: Place) -> Places:
    """Return where a unit arrives by Deep Strike.

    It arrives as close as may be to the most expensive player unit.

    Rule: SPAWN.7, R.A69 to R.A71
    """
    if not request.near:
        return _declines("SPAWN.7", "There is no player unit to arrive near.", ARRIVE)
    ranked = dearest(view, _worth(view), "deep-strike", request.near)
    prey = view.unit(request.near)
    placed = near_unit(view, request, prey)
    if placed is None or len(placed) < len(request.rows):
        return _declines("SPAWN.7", f"There is no place for all of it near {prey.name}.", ARRIVE)
    costs = "costs or carries" if prey.hold else "costs"
    reason = f"{prey.name} {costs} most, {ranked.distance:g} points; it arrives as close to it as it may."
    because = Because(
        clause="SPAWN.7", reason=reason, target=prey.id, candidates=ranked.candidates, ruling="R.A69"
    )
    return Places(poses=placed, because=(because,))


def come_back(view: View, request: Place) -> Places:
    """Return where a destroyed model returns to its unit. Rule: MISERY.8"""
    poses = returning(view, request)
    if not poses:
        return _declines(request.rule, "There is no free spot for it beside its unit.", RETURN)
    reason = "It returns as near to its unit as may be."
    because = Because(clause=request.rule, reason=reason, candidates=(outcome(RETURN),))
    return Places(poses=poses, because=(because,))


def beside_another(view: View, request: Place) -> Places:
    """Return where a unit is set up beside another or a marker: nearest to its closest enemy.

    Rule: R.A110
    """
    hulls = hulls_of(view.field, request)
    here = mean_point(hulls.xy)
    at = (float(here[0]), float(here[1]))
    far = {
        foe.id: float(view.field.gap_to_disc(foe, at, 0.0).min())
        for foe in view.enemies(view.unit(request.unit))
    }
    ranked = closest(view, [Entry(name, gap) for name, gap in far.items()], "beside")
    prey = view.unit(ranked.chosen) if ranked.chosen else None
    poses = anywhere(view, request, at) if prey is None else near_unit(view, request, prey)
    if not poses or len(poses) < len(request.rows):
        return _declines(request.rule, "There is no place for all of it.", BESIDE)
    reason = (
        f"It is set up as near to {prey.name} as it may be." if prey else "It is set up where there is room."
    )
    because = Because(
        clause=request.rule,
        reason=reason,
        target=ranked.chosen,
        candidates=ranked.candidates,
        ruling="R.A110",
    )
    return Places(poses=poses, because=(because,))


def _worth(view: View) -> dict[str, int]:
    """Return the points of each player unit on the battlefield, or of its dearest passenger.

    The larger number counts. Rule: R.A69
    """
    aboard = view.ruling("spawn.dearest") == "aboard"
    return {
        unit.id: max(each.points for each in (unit, *(view.riders(unit) if aboard else ())))
        for unit in view.units("players")
    }


def _declines(clause: str, reason: str, option: str) -> Places:
    """Return that a unit is not set up so, for want of room."""
    return Places(because=(Because(clause=clause, reason=reason, candidates=(outcome(option, NO_ROOM),)),))
