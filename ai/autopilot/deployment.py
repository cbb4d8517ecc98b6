"""Where the autopilot sets its units up, before the battle and from reserves.

Owns the points near which units are set up. Free places come from `ai.moving.placement`.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from ai.autopilot.secret import errand_points, needs_survivor
from ai.moving.placement import anywhere, as_many_as_fit
from engine.core.event import Pose
from engine.core.facts import HORDE, Point, UnitFacts
from engine.core.request import Because, Choose, Chosen, Place, Places
from engine.core.state import Objective
from engine.w40k.activation.turn_taking import DONE, PASS
from engine.w40k.view import View
from geometry.portable import mean_point, norms, span

LONG = 30.0
"""A unit whose longest gun reaches this far may stand back."""
BACK = 0.35
"""How far such a unit stands from its zone's middle toward its marker, as a share (0 to 1)."""
FORWARD = 1.0


def battlefield_or_reserves(view: View, request: Choose) -> Chosen:
    """Return reserves for units that can Deep Strike, where the player's share allows it."""
    offered = {option.id for option in request.options}
    facts = view.facts(request.unit)
    strikes = all("deep strike" in part.abilities for part in facts.parts)
    reserved = sum(u.facts.points for u in view.reserves("players"))
    army = max(1, reserved + sum(u.facts.points for u in view.units("players")))
    if strikes and "reserves" in offered and reserved <= 0.4 * army:
        return Chosen(ids=("reserves",), because=(_because("It arrives by Deep Strike where it is needed."),))
    return Chosen(ids=("battlefield",), because=(_because("It begins on the battlefield."),))


def _because(reason: str) -> Because:
    return Because(clause="SETUP.5", reason=reason)


def deploy(view: View, request: Place) -> Places:
    """Return a place in the zone toward a marker that few friends are near.

    A unit with a long gun stands farther back.
    """
    facts = view.facts(request.unit)
    centre = mean_point(np.asarray([mean_point(np.asarray(area)) for area in request.areas]))
    for marker in _wanted(view, (float(centre[0]), float(centre[1]))):
        share = BACK if _reach(facts) >= LONG else FORWARD
        toward = centre + (np.array(marker.at) - centre) * share
        for near in (toward, centre):
            poses = anywhere(view, request, (float(near[0]), float(near[1])))
            if poses is not None:
                reason = f"It is set up toward {marker.facts.id}."
                return Places(poses=poses, because=(Because(clause="SETUP.5", reason=reason),))
    poses = anywhere(view, request, (float(centre[0]), float(centre[1]))) or as_many_as_fit(view, request)
    return Places(poses=poses)


def _reach(facts: UnitFacts) -> float:
    return max((weapon.range or 0.0 for weapon in facts.weapons), default=0.0)


def _wanted(view: View, centre: Point) -> list[Objective]:
    """Return the markers, the most wanted first.

    Wanted are markers that are near, that few friends are near, and that are not in the Horde's zone.
    """
    if not view.objectives:
        return []
    friends = Counter(_nearest(view, mean_point(view.xy(u))) for u in view.units("players"))

    def cost(marker: Objective) -> tuple[float, str]:
        far = span(marker.at, centre)
        home = 30.0 if marker.facts.zone == "horde" else 0.0
        return far + home + 9.0 * friends[marker.facts.id], marker.facts.id

    return sorted(view.objectives.values(), key=cost)


def _nearest(view: View, at: np.ndarray) -> str:
    return min(
        view.objectives.values(),
        key=lambda m: (span(at, m.at), m.facts.id),
    ).facts.id


def arrive(view: View, request: Place) -> Places:
    """Return a place near a marker; none if none is found and the unit may wait.

    Points for the secret objective come first, markers that the team holds come last. A unit that arrives in
    the enemy's turn has been paid for, and does not wait.
    """
    late = needs_survivor(view) and view.round >= view.parameters.reserves_last_round
    safe = (_safest(view),) if late else ()
    for near in (*errand_points(view), *safe, *_landing_points(view)):
        poses = anywhere(view, request, near)
        if poses is not None and _is_near(poses, near):
            return Places(
                poses=poses, because=(Because(clause=request.rule, reason="It arrives near a marker."),)
            )
    if request.optional and view.turn != HORDE:
        return Places()
    return Places(poses=anywhere(view, request, view.board.edge_centre) or {})


def _is_near(poses: dict[int, Pose], near: Point) -> bool:
    xy = np.array([pose[:2] for pose in poses.values()])
    return bool(norms(xy - np.array(near)).min() <= 14.0)


def _safest(view: View) -> Point:
    """Return the point of the board's rim that is farthest from every enemy."""
    width, depth = view.board.size
    rim = [(x, y) for x in (2.0, width / 2, width - 2.0) for y in (2.0, depth / 2, depth - 2.0)]
    foes = [view.xy(unit) for unit in view.units("horde")]
    if not foes:
        return view.board.edge_centre
    every = np.vstack(foes)
    return max(rim, key=lambda p: (round(float(norms(every - np.array(p)).min()), 6), p))


def _landing_points(view: View) -> list[Point]:
    free = [m for m in view.objectives.values() if m.by != "players" and m.facts.zone != "horde"]
    held = [m for m in view.objectives.values() if m.by == "players"]
    home = [m for m in view.objectives.values() if m.facts.zone == "horde" and m.by != "players"]
    return [marker.at for marker in (*free, *home, *held)]


def reinforce(view: View, request: Choose) -> Chosen:
    """Return the unit in reserves that costs the most points."""
    own = [option.id for option in request.options if option.id not in (DONE, PASS)]
    if own and needs_survivor(view) and view.round < view.parameters.reserves_last_round:
        # The unit that arrives last has the fewest enemy turns to survive.
        own.remove(min(own, key=lambda name: (view.facts(name).points, name)))
    if not own:
        return Chosen(ids=(DONE,))
    best = max(own, key=lambda name: (view.facts(name).points, name))
    return Chosen(ids=(best,))
