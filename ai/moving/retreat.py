"""How a unit gets away from enemies: as a legal move, as far as may be, or straight.

Owns what falling back and keeping away ask of the end of a move. The callers decide when a unit does it.
"""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from ai.moving.move_planning import Plan, planned
from engine.core.state import Unit
from engine.w40k.view import View
from geometry.group.group_move import Moved, move_away
from geometry.measure.coherency import is_coherent
from geometry.measure.distance import clearances, gaps
from geometry.path.planner import Blocked, Path, check_paths
from geometry.portable import mean_point, norm
from geometry.shape.base import Floats
from geometry.shape.convex_shape import Outlines
from geometry.tolerance import TOLERANCE


def away(
    view: View,
    unit: Unit,
    limits: dict[int, float],
    *,
    least: bool = False,
    kind: str = "fall-back",
    threats: tuple[str, ...] = (),
) -> Plan | None:
    """Return the move away from enemies; None where there is none.

    The enemies are those engaged with the unit, or `threats`. A fall back ends outside engagement range; with
    `least` it goes no farther than that needs.

    Rule: CORE.MOVE.7, R.A28, R.A29
    """
    if not least:
        return _away(view, unit, limits, kind, threats)
    best = _away(view, unit, limits, kind, threats)
    low, high = 0.0, max(limits.values(), default=0.0)
    while best is not None and high - low > 0.01:
        middle = (low + high) / 2
        plan = _away(view, unit, {row: min(middle, far) for row, far in limits.items()}, kind, threats)
        if plan is None:
            low = middle
        else:
            best, high = plan, middle
    return best


def _away(
    view: View, unit: Unit, limits: dict[int, float], kind: str, threats: tuple[str, ...]
) -> Plan | None:
    """Return the move as far away as may be, None where there is none that is legal."""
    key = ("away", unit.id, kind, threats, tuple(limits.items()))
    return view.remembered(key, lambda: _farthest(view, unit, limits, kind, threats))


def _farthest(
    view: View, unit: Unit, limits: dict[int, float], kind: str, threats: tuple[str, ...]
) -> Plan | None:
    foes = [view.unit(t) for t in threats] or view.field.engaged_with(unit)
    discs = view.field.outlines(view.field.rows(foes))
    if not len(discs):
        return None
    outcome = move_away(view.party(unit, limits), discs, view.ground(unit, kind), view.spacing)
    if isinstance(outcome, Blocked):
        return None
    plan = planned(view, unit, outcome)
    if kind == "fall-back" and not _is_clear(view, unit, plan):
        return None
    return plan if plan.moves else None


def _is_clear(view: View, unit: Unit, plan: Plan) -> bool:
    """Return whether the unit ends outside every enemy's engagement range."""
    everyone = view.field.outlines(view.field.rows(view.enemies(unit)))
    return bool(gaps(plan.bases, everyone).min(initial=np.inf) > view.parameters.engagement + TOLERANCE)


def straight_away(view: View, unit: Unit, inches: float) -> Plan | None:
    """Return the Fall Back of these inches straight away from the middle of the enemies engaged.

    None where that is no legal move, or one over enemies. Rule: R.A28
    """
    met = _met(view, unit)
    way = mean_point(view.xy(unit)) - mean_point(met) if len(met) else np.zeros(2)
    length = norm(*way)
    if length <= TOLERANCE:
        return None
    party = view.party(unit, dict.fromkeys(unit.rows, inches))
    ends = np.round(party.xy + way * (inches / length), 7).tolist()
    ways = tuple(
        Path.from_legs(view.at(row), (tuple(end),)) for row, end in zip(unit.rows, ends, strict=True)
    )
    ground = view.ground(unit, "fall-back")
    ground = replace(ground, solid=ground.solid.joined(_in_the_way(view, unit)))
    stances = [party.stance(i) for i in range(len(party))]
    if check_paths(ways, stances, party.xy, party.limit, ground):
        return None
    plan = planned(view, unit, Moved(ways, np.zeros(len(ways)), np.zeros(len(ways))))
    heights = view.poses_after(unit, plan.paths)[:, 2]
    legal = _is_clear(view, unit, plan) and is_coherent(plan.bases, heights, view.spacing)
    return plan if legal else None


def _in_the_way(view: View, unit: Unit) -> Outlines:
    """Return the enemies' bases, narrower where the unit's bases overlap them at the start.

    All are narrower by the deepest overlap of two bases.
    """
    enemies = view.field.outlines(view.field.rows(view.enemies(unit)))
    over = float(clearances(view.bases(unit), enemies).min(initial=0.0))
    return enemies.grown(np.maximum(over, -enemies.radius)) if over else enemies


def _met(view: View, unit: Unit) -> Floats:
    """Return where the enemy models stand that are within the unit's engagement range, (n, 2)."""
    rows: list[int] = []
    for foe in view.field.engaged_with(unit):
        near = np.asarray(view.field.engaged_models(unit, foe)).any(axis=0)
        rows += [foe.rows[int(i)] for i in np.flatnonzero(near)]
    return view.field.outlines(tuple(rows)).xy
