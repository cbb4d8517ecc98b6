"""Why a Horde unit gets no nearer to its target: what stands in its foremost model's way.

Owns the sentence; it changes no plan.
"""

from __future__ import annotations

import numpy as np

from ai.horde.edge import foot_on_edge
from ai.horde.target import ENEMY, OBJECTIVE, Target
from ai.moving.move_planning import Plan
from engine.core.facts import Point
from engine.core.request import Because
from engine.core.state import Unit
from engine.w40k.view import View
from geometry.path.ground import Ground, faults_by_kind
from geometry.path.planner import Blocked, Path, way
from geometry.path.reference_path import Trail
from geometry.portable import norms, span
from geometry.shape.arrangement import Edges
from geometry.shape.base import Floats
from geometry.shape.convex_shape import Stance
from geometry.single.free_space import Footing
from geometry.tolerance import TOLERANCE

LITTLE = 0.25
"""A model with no more than this left to go, in inches, is as near as it may come."""
NEAR_ENEMIES = ("too near an enemy", "too near to an enemy")
BY_MODELS = ("on another model", "on a model", *NEAR_ENEMIES)
"""The faults of a place that a unit near it causes."""


def why_not_nearer(
    view: View, unit: Unit, target: Target, kind: str, limits: dict[int, float], plan: Plan
) -> Because:
    """Return why a plan brings the unit no nearer to its target.

    Where every way is closed, it says why the unit cannot get all the way there. Rule: R.A03
    """
    i, goal = foremost(view, unit, target)
    ground = view.ground(unit, kind)
    stance = view.stance(unit.rows[i])
    found = way(stance, view.xy(unit)[i], goal, ground)
    if not isinstance(found, Path):
        reason = _closed(view, unit, target, found)
    elif plan.lost:
        # A way to the point itself may enter what covers it, where no model may end.
        reason = f"It cannot get all the way to {target.id}: what stands about it leaves no place to end."
    elif plan.together:
        reason = "All its models together end nearer, though none as near as its foremost model stood."
    else:
        reason = _along(view, unit, found, stance, ground, limits.get(unit.rows[i], 0.0))
    return Because(clause=target.because.clause, reason=reason, target=target.id, ruling="R.A03")


def _closed(view: View, unit: Unit, target: Target, blocked: Blocked) -> str:
    """Return why there is no way, with the names of the units that block the straight one."""
    others = [*view.friends(unit), *view.enemies(unit)]
    rows = {
        row
        for blocker in blocked.by
        if blocker.at is not None
        for row in view.near.models_at(*blocker.at)
        if span(view.at(row), blocker.at) <= TOLERANCE
    }
    names = [
        other.name for other in sorted(others, key=lambda other: other.id) if not rows.isdisjoint(other.rows)
    ]
    by = f" (straight ahead: {', '.join(dict.fromkeys(names))})" if names else ""
    return f"It cannot get all the way to {target.id}: {blocked.reason}{by}."


def foremost(view: View, unit: Unit, target: Target) -> tuple[int, Point]:
    """Return the model nearest to the target, by its place, and the point it would go to."""
    xy = view.xy(unit)
    if target.kind == ENEMY:
        enemy = view.unit(target.id)
        gaps = view.gaps(unit, enemy)
        i, j = np.unravel_index(int(gaps.argmin()), gaps.shape)
        return int(i), view.at(enemy.rows[int(j)])
    if target.kind == OBJECTIVE:
        at = view.objectives[target.id].at
        return int(norms(xy - np.array(at)).argmin()), at
    return foot_on_edge(view, unit)


def _along(view: View, unit: Unit, path: Path, stance: Stance, ground: Ground, limit: float) -> str:
    """Return what is wrong with the places along the way that the model can reach."""
    far = min(limit, path.length)
    if far <= LITTLE:
        return "It is as near as it may come."
    spots = _places(path, Footing(ground, stance).edges, far)
    faults = faults_by_kind(ground, spots, [stance] * len(spots))
    for name, bad in faults.items():
        if bad.all():
            spot = spots[int(bad.nonzero()[0][0])]
            who = _who(view, unit, spot, name) if name in BY_MODELS else ""
            return f"Every place on its way that it can reach is {name}{who}."
    free = ~np.any(list(faults.values()), axis=0)
    if not free.any():
        names = [name for name, bad in faults.items() if bad.any()]
        told = " or ".join(names)
        return f"Every place on its way that it can reach is {told}{_who(view, unit, spots[0], told)}."
    return "No place nearer leaves all its models in coherency."


def _places(path: Path, edges: Edges, far: float) -> Floats:
    """Return the places on a way where anything changes, and one between each two.

    They are taken up to the distance `far`, in inches.
    """
    cuts = Trail(path).cuts(edges)
    ends = np.array([LITTLE, *cuts[(cuts > LITTLE) & (cuts < far)], far])
    return Trail(path).spots(np.sort(np.concatenate([ends, (ends[1:] + ends[:-1]) / 2]), kind="stable"))


def _who(view: View, unit: Unit, spot: np.ndarray, fault: str) -> str:
    """Return the name of the unit nearest to a place, in brackets.

    It is that of an enemy where the fault is one that only an enemy causes.
    """
    others = view.enemies(unit) if fault in NEAR_ENEMIES else [*view.friends(unit), *view.enemies(unit)]
    nearest = min(others, key=lambda u: (float(norms(view.xy(u) - spot).min()), u.id), default=None)
    return f" ({nearest.name})" if nearest else ""
