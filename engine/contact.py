"""Whether a charging model stops short of a base contact that it could reach.

Owns that one question of a charge's end; the rest of a move's legality is `engine.legality`'s.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from engine.state import Unit
from engine.table import joined
from geometry.base import TOLERANCE, Discs, Floats
from geometry.coherency import is_coherent
from geometry.gap import gap_between, within
from geometry.group import Moved, Party, move_into_contact

if TYPE_CHECKING:
    from engine.game import Game


def short_of_contact(
    game: Game, unit: Unit, limits: dict[int, float], targets: tuple[str, ...], ends: Floats
) -> list[int]:
    """Return the rows of the models that could end in base contact with a target, and do not.

    Each is tried by itself, the others where they end: with the unit coherent and every target still within
    engagement range. Rule: CORE.CHG.3, S.D03, S.D04.
    """
    state, field, knobs = game.state, game.field, game.ruleset.knobs
    rows = list(unit.rows)
    radius, xy = state.table.radius[rows], state.table.xy[rows]
    foes = [field.discs(state.units[target].rows) for target in targets]
    every = field.discs(field.rows(field.enemies(unit)))
    ground = field.ground(unit, "charge", targets)
    found = []
    for i, row in enumerate(rows):
        here, size, limit = ends[i : i + 1], radius[i : i + 1], limits.get(row, 0.0)
        if _gap(here, size, every) <= TOLERANCE or _least(xy[i : i + 1], size, foes) > limit + TOLERANCE:
            continue
        others = Discs(np.delete(ends, i, axis=0), np.delete(radius, i))
        clear = replace(ground, no_end=joined(ground.no_end, others))
        party = Party(xy[i : i + 1], size, np.array([limit]))
        for foe in foes:
            outcome = move_into_contact(party, [foe], clear, knobs.spacing, knobs.engagement)
            if not isinstance(outcome, Moved):
                continue
            better = ends.copy()
            better[i] = outcome.paths[0].end
            if _gap(better[i : i + 1], size, foe) > TOLERANCE:
                continue
            level = state.table.z[rows]
            met = all(within(_gap(better, radius, each), knobs.engagement) for each in foes)
            if met and is_coherent(better, level, radius, knobs.spacing):
                found.append(row)
                break
    return found


def _gap(xy: Floats, radius: Floats, discs: Discs) -> float:
    return float(gap_between(xy, radius, discs.xy, discs.radius).min())


def _least(xy: Floats, radius: Floats, foes: list[Discs]) -> float:
    return min(_gap(xy, radius, foe) for foe in foes)
