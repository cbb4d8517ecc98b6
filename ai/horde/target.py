"""What a Horde unit heads for: a visible enemy, else an objective, else the Defender's edge.

Owns the priorities AI.MOVE.1 to AI.MOVE.3 and what counts as a target. How the unit gets there is
`ai.horde.movement`'s.
"""

from __future__ import annotations

import msgspec
import numpy as np
from msgspec.structs import replace

from ai.reasons.clause import carries_out
from ai.reasons.condition import ADDED, AIRCRAFT, HELD_BY_ANOTHER, IN_SPAWN_ZONE, LONE_OPERATIVE, NOT_VISIBLE
from ai.reasons.ranking import Entry, Ranked, closest
from ai.reckoning.armament import guns
from ai.reckoning.expectation import models_of
from engine.core.request import Because, Candidate
from engine.core.state import Objective, Unit
from engine.table.outlook import UNMET, Outlook
from engine.w40k.activation.objective import first_there
from engine.w40k.attack.eligibility import LONE_OPERATIVE_RANGE
from engine.w40k.view import View
from geometry.measure.distance import within
from geometry.measure.region import extents, point_in
from geometry.portable import dots, norm, sum_of
from geometry.shape.base import Floats
from geometry.shape.convex_shape import Outlines
from geometry.sight.visibility import clear_line
from geometry.tolerance import TOLERANCE

ENEMY = "enemy"
OBJECTIVE = "objective"
EDGE = "edge"
DEFENDER_EDGE = "defender-edge"


class Target(msgspec.Struct, frozen=True):
    """What a unit heads for, how far it is, and why."""

    kind: str
    id: str
    distance: float
    because: Because
    pair: tuple[int, int] | None = None
    """The rows of the closest two models that see one another, where the target is an enemy."""


def shown(view: View, unit: Unit, target: Target) -> Because:
    """Return why the target was chosen, with a clear line of sight to it."""
    if target.pair is None:
        return target.because
    field = view.field
    own, foe = (field.bodies((row,)) for row in target.pair)
    line = clear_line(own, foe, field.screens.between(unit, view.unit(target.id)))
    return target.because if line is None else replace(target.because, lines=(line,))


def movement_target(view: View, unit: Unit) -> Target:
    """Return toward what the unit heads now. Rule: AI.MOVE.1, AI.MOVE.2, AI.MOVE.3"""
    return visible_enemy(view, unit) or free_objective(view, unit) or defender_edge(view, unit)


def passed_over(view: View, unit: Unit, target: Target) -> tuple[Because, ...]:
    """Return the clauses asked before the target's, with what each of their candidates failed."""
    before: list[Because] = []
    if target.kind != ENEMY:
        enemies, _ = _enemies(view, unit)
        before.append(Because(clause="AI.MOVE.1", candidates=enemies.candidates, ruling="ai.move.closest"))
    if target.kind == EDGE:
        before.append(Because(clause="AI.MOVE.2", candidates=_markers(view, unit).candidates))
    return tuple(each for each in before if each.candidates)


def moment(view: View) -> int:
    """Return a number that is the same for a whole phase, so that a tie is drawn once.

    Rule: S.A06
    """
    return -100 * view.round - len(view.phase)


@carries_out("AI.MOVE.1")
def visible_enemy(view: View, unit: Unit) -> Target | None:
    """Return the closest visible enemy, whatever the distance.

    Rule: AI.MOVE.1, R.A01, R.A02, R.A09, R.A20
    """
    ranked, pairs = _enemies(view, unit)
    if not ranked.chosen:
        return None
    name = view.unit(ranked.chosen).name
    return Target(
        ENEMY,
        ranked.chosen,
        ranked.distance,
        Because(
            clause="AI.MOVE.1",
            reason=f'{name} is the closest visible enemy, {ranked.distance:.2f}" away.',
            target=ranked.chosen,
            candidates=ranked.candidates,
            ruling="ai.move.closest",
        ),
        pairs[ranked.chosen],
    )


def _enemies(view: View, unit: Unit) -> tuple[Ranked, dict[str, tuple[int, int]]]:
    """Return the enemies in order, and for each visible one the rows of the closest two models.

    Rule: R.A01, R.A02
    """
    look = view.field.outlook(unit)
    whole = view.ruling("ai.move.closest") == "any_model"
    by_all = view.ruling("ai.move.seen_by") == "all"
    entries, pairs = [], {}
    for enemy in view.enemies(unit):
        met = look.closest.get(enemy.id, UNMET)
        hidden = not (met.by_all if by_all else met.by_any)
        gap = met.gap if hidden or whole else met.seen_gap
        entries.append(Entry(enemy.id, gap, NOT_VISIBLE if hidden else _bait(view, unit, enemy, gap, look)))
        if not hidden:
            pairs[enemy.id] = met.pair
    return closest(view, entries, f"move/{unit.id}", moment(view)), pairs


def _bait(view: View, unit: Unit, enemy: Unit, gap: float, look: Outlook) -> str:
    """Return why a visible enemy is no target, "" if it is one. Rule: R.A09"""
    reading = view.ruling("ai.move.unfightable")
    if reading == "none":
        return ""
    far = reading == "aircraft_and_lone" and gap > LONE_OPERATIVE_RANGE + TOLERANCE
    if far and not enemy.is_attached and view.has_ability(enemy, "lone operative"):
        return LONE_OPERATIVE
    return "" if _counts(view, unit, enemy, look) else AIRCRAFT


def _counts(view: View, unit: Unit, enemy: Unit, look: Outlook) -> bool:
    """Return whether the unit can fight the enemy.

    It can fight AIRCRAFT only if it flies or has them in range of a gun. Rule: R.A09
    """
    if not enemy.has("AIRCRAFT") or unit.has("FLY"):
        return True
    seen = np.where(look.visible & look.columns(enemy.id), look.gaps, np.inf).min(axis=1)
    return any(
        within(float(seen[look.own.index(model.row)]), view.reach(unit, unit.weapon(i)))
        for model in models_of(unit)
        for i in guns(unit, model)
    )


@carries_out("AI.MOVE.2")
def free_objective(view: View, unit: Unit) -> Target | None:
    """Return the closest visible objective that no other Horde unit holds.

    Rule: AI.MOVE.2, R.A10 to R.A15, R.A19
    """
    ranked = _markers(view, unit)
    if not ranked.chosen:
        return None
    return Target(
        OBJECTIVE,
        ranked.chosen,
        ranked.distance,
        Because(
            clause="AI.MOVE.2",
            reason=f"No enemy is visible; {ranked.chosen} is the closest visible objective "
            f'that no other Horde unit holds, {ranked.distance:.2f}" away.',
            target=ranked.chosen,
            candidates=ranked.candidates,
        ),
    )


def _markers(view: View, unit: Unit) -> Ranked:
    """Return the objective markers in order."""
    entries = []
    for marker_id, marker in view.objectives.items():
        gap = view.field.closest_to_objective(unit, marker)
        entries.append(Entry(marker_id, gap, _objection(view, unit, marker)))
    return closest(view, entries, f"objective/{unit.id}", moment(view))


def _objection(view: View, unit: Unit, marker: Objective) -> str:
    """Return why a marker is no goal, "" if it is one. Rule: R.A10 to R.A13, R.A14, R.A15, R.A19"""
    if _in_spawn_zone(view, marker):
        return IN_SPAWN_ZONE
    printed = {each.id for each in view.board.objectives}
    if marker.facts.id not in printed and view.ruling("ai.move.added_markers") == "ignored":
        return ADDED
    if _is_taken(view, unit, marker):
        return HELD_BY_ANOTHER
    if view.ruling("ai.move.unseen_markers") == "count":
        return ""
    point = view.ruling("ai.move.marker_sight") == "centre"
    return "" if view.sees_objective(unit, marker, centre=point) else NOT_VISIBLE


def _in_spawn_zone(view: View, marker: Objective) -> bool:
    if marker.facts.zone == "horde" and view.ruling("ai.move.home_marker") == "never":
        return True
    at = np.array([marker.at])
    return any(bool(point_in(polygon, at)[0]) for polygon in view.field.spawn_zones())


def _is_taken(view: View, unit: Unit, marker: Objective) -> bool:
    """Return whether another Horde unit controls a marker: its holder, or any in range.

    Rule: R.A11, R.A12
    """
    if view.ruling("ai.move.shared_marker") == "holder_stays":
        return holder(view, marker) not in ("", unit.id)
    others = (friend for friend in view.units("horde") if friend.id != unit.id)
    return marker.by == "horde" and any(_control(view, friend, marker) > 0 for friend in others)


def holder(view: View, marker: Objective) -> str:
    """Return the Horde unit that holds a marker which the Horde controls, or "".

    Rule: R.A11, R.A12
    """
    if marker.by != "horde":
        return ""
    control = {unit.id: _control(view, unit, marker) for unit in view.units("horde")}
    came = {name: place for place, name in enumerate(first_there(marker))}
    held = [name for name, level in control.items() if level > 0]
    return min(held, key=lambda name: (-control[name], came.get(name, len(came)), name), default="")


def _control(view: View, unit: Unit, marker: Objective) -> float:
    if "battle-shocked" in unit.marks or not view.may("control", unit=unit):
        return 0.0
    total = 0.0
    for row, near in zip(unit.rows, view.field.in_range_of(unit, marker), strict=True):
        if near:
            model = view.model(row)
            printed = model.facts.characteristics.get("OC", 0)
            total += view.number("model.oc", printed, unit=unit, model=model)
    return total


@carries_out("AI.MOVE.3")
def defender_edge(view: View, unit: Unit) -> Target:
    """Return the Defender's edge as the target, when nothing else is. Rule: AI.MOVE.3, R.A17"""
    gap = float(edge_gaps(view, view.bases(unit)).min())
    return Target(
        EDGE,
        DEFENDER_EDGE,
        gap,
        Because(
            clause="AI.MOVE.3",
            reason=f"No enemy and no free objective is visible; the Defender's edge is {gap:.2f}\" away.",
            target=DEFENDER_EDGE,
            candidates=(Candidate(id=DEFENDER_EDGE, distance=round(gap, 4)),),
        ),
    )


def edge_gaps(view: View, bases: Outlines) -> Floats:
    """Return the distance of each of these bases from the Defender's edge."""
    a, b = (np.array(point) for point in view.toward_edge())
    along = (b - a) / norm(*(b - a))
    off = bases.xy - a
    outward = np.array([-along[1], along[0]])
    across = dots(off, outward)
    near = extents(bases, outward if sum_of(across.tolist()) < 0 else -outward)
    return np.asarray(np.maximum(np.abs(across) - near, 0.0))


def discs_of(view: View, target: Target) -> Outlines:
    """Return the bases of the target unit."""
    return view.field.outlines(view.unit(target.id).rows)
