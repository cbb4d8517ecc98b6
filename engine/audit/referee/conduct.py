"""Whether the Horde charged, advanced, fell back and disembarked as its rules have it.

Judges decisions by what models carry, what their unit may do, and where all models stand. Whether a way into
a charge's reach was there is not asked, nor what would have been seen after a move that was not made.
"""

from __future__ import annotations

from collections.abc import Iterator

import shapely

from engine.audit.referee.arms import fighters, guns
from engine.audit.referee.body import TOLD, meets, nearest
from engine.audit.referee.lookout import Lookout
from engine.audit.referee.scene import Disagreement, Scene
from engine.core import event as ev
from engine.core.facts import HORDE
from engine.core.log import BecauseLine
from engine.core.request import Because
from engine.core.state import Unit
from geometry.tolerance import TOLERANCE

CLIMB = 3
"""How many numbers a leg has that leads up or down."""
NO_MAJORITY = "no-majority"
REJECTED = ("out-of-reach", "aircraft", "beyond-charge-range")
"""What may be said of an enemy that is closer than the one that is charged."""
AFTER_ADVANCE = ("shoot-after-advance", "charge-after-advance")
AFTER_FALL_BACK = ("shoot-after-fall-back", "charge-after-fall-back")


def faults_of_conduct(scene: Scene, line: BecauseLine) -> list[Disagreement]:
    """Return what is wrong with a Horde unit's reasons to charge or Advance, or not to."""
    unit = scene.state.position.units.get(line.unit)
    if line.seat != HORDE or unit is None or not unit.rows or unit.where != "table":
        return []
    if line.decision == "path" and any(because.ruling == "R.A03" for because in line.reasons):
        scene.hurried.pop(unit.id, None)  # the way there is closed, or friends stand in it
    judges = {"charge": _charge, "move": _advance}
    found = judges[line.decision](scene, line, unit) if line.decision in judges else iter(())
    return [
        Disagreement(line.because, check, unit.id, stored, measured, of="answer")
        for check, stored, measured in found
    ]


def _charge(scene: Scene, line: BecauseLine, unit: Unit) -> Iterator[tuple[str, str, str]]:
    """Yield what is wrong with a charge, or with none. Rule: AI.CHARGE.1, R.A52, R.A55"""
    for because in line.reasons:
        if because.clause != "AI.CHARGE.1":
            continue
        scene.checked["majorities"] += 1
        able, models = fighters(scene, unit), len(unit.rows)
        measured = f"{able} of {models} models fight with better than a close combat weapon"
        means_to = bool(because.candidates) and not any(c.failed == NO_MAJORITY for c in because.candidates)
        if means_to != (2 * able > models):
            stored = "most of it fights well" if means_to else "most of it does not fight well"
            yield "majority", stored, measured
        if because.target in scene.state.position.units:
            yield from _closest(scene, because, unit)


def _closest(scene: Scene, because: Because, unit: Unit) -> Iterator[tuple[str, str, str]]:
    """Yield which enemies are closer than the one charged, and are not said to be out of reach."""
    lookout = Lookout(scene, unit)
    target = scene.state.position.units[because.target]
    far, stored = lookout.apart(target), f"{target.id} is the closest that can be reached"
    told = {each.id: each for each in because.candidates}
    own = told.get(target.id)
    if own is not None and own.distance is not None and abs(own.distance - far) > TOLD + lookout.blur(target):
        yield "distance", f'{target.id} is {own.distance:.4f}" away', f'{far:.4f}"'
    for enemy in scene.enemies(unit):
        rejected = enemy.id in told and told[enemy.id].failed in REJECTED
        near = lookout.apart(enemy)
        if not rejected and scene.fights(unit, enemy) and near < far - lookout.blur(target, enemy):
            yield "target", stored, f'{enemy.id} is {near:.4f}" away, {target.id} {far:.4f}"'


def _advance(scene: Scene, line: BecauseLine, unit: Unit) -> Iterator[tuple[str, str, str]]:
    """Yield why an Advance has not the reason that is stated. Rule: AI.ADV.1 to AI.ADV.4"""
    clauses = {because.clause for because in line.reasons}
    if "AI.ADV.1" in clauses and (lacking := _without_assault(scene, unit)):
        yield "assault", "every model with a gun has an Assault weapon", f"model {lacking[0]} has none"
    if "AI.ADV.2" in clauses and not any(scene.allowance.may(each, unit) for each in AFTER_ADVANCE):
        yield "advance", "it may act after an Advance", "it may neither shoot nor charge then"
    if clauses & {"AI.ADV.3", "AI.ADV.4"}:
        _note_charge_range(scene, line, unit)


def _without_assault(scene: Scene, unit: Unit) -> list[int]:
    """Return the models with guns that have too few Assault weapons.

    A ruling says whether every gun has to be an Assault weapon, or one is enough.

    Rule: R.A31
    """
    every = scene.ruling("ai.advance.assault") == "weapons"
    armed = [row for row in unit.rows if guns(unit, scene.state.position.models[row].facts)]
    return [row for row in armed if not scene.allowance.carries(unit, row, "assault", every=every)]


def _note_charge_range(scene: Scene, line: BecauseLine, unit: Unit) -> None:
    """Keep in mind that a unit Advances although it heads for an enemy in charge range already."""
    if 2 * fighters(scene, unit) <= len(unit.rows):
        return
    leaves = any(because.clause == "AI.STAY.5" for because in line.reasons)
    target = next((b.target for b in line.reasons if b.clause == "AI.MOVE.1"), "")
    enemy = scene.state.position.units.get(target)
    if enemy is None or leaves:
        return
    near = Lookout(scene, unit).apart(enemy)
    if near <= scene.parameters.charge_range - 2 * TOLERANCE:
        scene.hurried[unit.id] = line.because, target, near


def faults_of_hurrying(scene: Scene, event: ev.Moved) -> list[Disagreement]:
    """Return whether a unit that Advances could have charged after a normal move.

    A unit that stood in charge range and came nearer would have stood there after less of the same move, too.
    A move that comes no nearer is not judged, as the shortest way may lead away first. Nor is a move with a
    climb, for which less of the move may not be enough.

    Rule: AI.ADV.3, AI.ADV.4
    """
    claim = scene.hurried.pop(event.unit, None)
    if claim is None or any(len(leg) == CLIMB for legs in event.paths.values() for leg in legs):
        return []
    n, target, near = claim
    enemies = scene.bodies(scene.state.position.units[target].rows)
    far = min(nearest(scene.body_at(row, pose), enemies) for row, pose in event.poses.items())
    if far >= near:
        return []
    told = f'{target} is {near:.4f}" away already'
    return [
        Disagreement(n, "charge", event.unit, "it could not charge after a normal move", told, of="answer")
    ]


def faults_of_falling_back(scene: Scene, event: ev.Decided) -> list[Disagreement]:
    """Return whether a Horde unit falls back although it may then neither shoot nor charge.

    Rule: AI.FALLBACK.1
    """
    unit = scene.state.position.units.get(event.unit)
    if unit is None or unit.side != HORDE or event.decision != "move" or event.choice != ("fall-back",):
        return []
    scene.checked["fall backs"] += 1
    if any(scene.allowance.may(each, unit) for each in AFTER_FALL_BACK):
        return []
    told = "it may neither shoot nor charge afterwards"
    return [Disagreement(event.n, "fall-back", unit.id, "it falls back", told)]


def faults_of_getting_out(scene: Scene, event: ev.Disembarked) -> list[Disagreement]:
    """Return which models of a Horde unit disembark by choice inside a spawning zone.

    Rule: AI.DIS.3
    """
    unit = scene.state.position.units[event.unit]
    if unit.side != HORDE or event.cause != "CORE.TRN.2":
        return []
    zones = [shapely.Polygon(z.polygon) for z in scene.state.position.zones.values() if z.kind == "spawn"]
    return [
        Disagreement(event.n, "zone", unit.id, f"model {row} gets out", "it stands inside a spawning zone")
        for row, pose in event.poses.items()
        if any(meets(scene.body_at(row, pose), zone) for zone in zones)
    ]
