"""Whether a roll for a spawning zone adds up: its dice, its modifiers and its bracket.

Recounts from the log alone: the round, and the Horde units that the zone was cleared of. What missions and
cards add is only summed up. Rule: ROUND.2, SPAWN.2, SPAWN.3
"""

from __future__ import annotations

from collections.abc import Iterator

import shapely

from engine.audit.referee.body import meets
from engine.audit.referee.scene import Disagreement, Scene
from engine.core import event as ev
from engine.core.facts import HORDE, ZoneFacts
from engine.core.state import Unit
from engine.horde.spawn_scheme import SCHEMES

BY_ROUND = {1: 0, 2: 0, 3: 1, 4: 1}
LATER = 2
"""What later rounds than these add to the roll. Rule: ROUND.2"""
ROUND, CLEARED = "ROUND.2", "SPAWN.2"


def faults_of_spawn_roll(scene: Scene, event: ev.SpawnRolled) -> list[Disagreement]:
    """Return what is wrong with a spawn roll."""
    scene.checked["spawn rolls"] += 1
    return [
        Disagreement(event.n, "spawn", event.zone, stored, measured)
        for stored, measured in (
            *_sum(event),
            *_parts(scene, event),
            *_bracket(scene, event),
            *_left(scene, event),
        )
    ]


def _sum(event: ev.SpawnRolled) -> Iterator[tuple[str, str]]:
    told = sum(event.natural) + event.trail.value
    if event.total != told:
        yield f"it comes to {event.total}", f"{sum(event.natural)} and {event.trail.value:g} are {told:g}"
    last = event.trail.steps[-1][1] if event.trail.steps else event.trail.base
    if last != event.trail.value:
        yield f"its modifiers are {event.trail.value:g} in all", f"they come to {last:g}"


def _parts(scene: Scene, event: ev.SpawnRolled) -> Iterator[tuple[str, str]]:
    """Yield which modifiers are wrong: the round's, or that for what the zone was cleared of."""
    added, before = {}, event.trail.base
    for cause, value in event.trail.steps:
        added[cause], before = value - before, value
    due = {
        ROUND: float(_by_round(scene)),
        CLEARED: float(_cleared(scene)),
    }
    for cause, wanted in due.items():
        if added.get(cause, 0.0) != wanted:
            yield f"{cause} adds {added.get(cause, 0.0):g}", f"it adds {wanted:g}"


def _cleared(scene: Scene) -> int:
    """Return what the Horde units add that the zone was cleared of. Rule: R.A68

    A player's unit adds nothing, from whichever bracket it was bought as reinforcements.
    """
    units = [scene.state.position.units[name] for name in scene.cleared]
    found = [_least(scene, unit.facts.bracket) for unit in units if unit.side == HORDE]
    return max(found, default=0) if scene.ruling("spawn.removed_bonus") == "highest" else sum(found)


def _by_round(scene: Scene) -> int:
    """Return what the round adds; a ruling says what the fourth does. Rule: ROUND.2, S.S09"""
    if scene.state.round == 4 and scene.ruling("spawn.round_four") == "two":
        return LATER
    return BY_ROUND.get(scene.state.round, LATER)


def _least(scene: Scene, bracket: int) -> int:
    return _minima(scene)[bracket - 1] if bracket else 0


def _minima(scene: Scene) -> tuple[int, ...]:
    """Return the least roll that brings each bracket of the tables. Rule: SPAWN.3, R.A97"""
    return SCHEMES[scene.ruling("spawn.scheme")].minima


def _bracket(scene: Scene, event: ev.SpawnRolled) -> Iterator[tuple[str, str]]:
    """Yield whether the roll brings another bracket; with nothing but ones, none comes."""
    due = sum(event.total >= least for least in _minima(scene))
    due = 0 if all(die == 1 for die in event.natural) else due
    if event.bracket != due:
        yield f"it brings bracket {event.bracket}", f"{event.total} brings {due}"


def _stands_in(scene: Scene, row: int, zone: ZoneFacts) -> bool:
    return meets(scene.body(row), shapely.Polygon(zone.polygon))


def _moves(scene: Scene, unit: Unit) -> bool:
    """Return whether a unit has any Move; a player's unit counts as one that has.

    A ruling may spare a Horde unit that has none.

    Rule: R.A95
    """
    return unit.side != HORDE or any(scene.allowance.move(unit, row) for row in unit.rows)


def _left(scene: Scene, event: ev.SpawnRolled) -> Iterator[tuple[str, str]]:
    """Yield which units still stand in the zone, which is to be cleared first.

    Rule: SPAWN.2, R.A65
    """
    zone = scene.state.position.zones.get(event.zone) if scene.ruling("spawn.clears") == "any_part" else None
    for unit in scene.state.position.on_table() if zone is not None else ():
        if (
            zone is not None
            and _moves(scene, unit)
            and any(_stands_in(scene, row, zone) for row in unit.rows)
        ):
            yield "the zone is clear", f"{unit.id} stands in it"
