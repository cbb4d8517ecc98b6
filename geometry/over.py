"""Moves over what stands in the way, onto it, or up to it, where that leads nearer than any way round.

Owns which of these is taken. What they are on the flat is `geometry.group`'s, their climbs are
`geometry.storey`'s.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from geometry.base import TOLERANCE, Floats
from geometry.goal import Goal
from geometry.ground import Ground
from geometry.moved import Moved, Nearing
from geometry.muster import Party
from geometry.outline import Outlines
from geometry.storey import Storey, crossings, tops


def over_or_round(
    party: Party,
    ground: Ground,
    goal: Outlines,
    flat: Nearing,
    found: Moved | None,
) -> Moved | None:
    """Return the move that leaves least: the one found round all that is in the way, or over or onto a part.

    Where nobody gets anywhere on the flat, coming up to what will have to be climbed is headway, too.
    """
    if found is not None and found.left.max(initial=0.0) <= TOLERANCE:
        return found
    is_lost = found is None or found.lost or not any(path.legs for path in found.paths)
    # What is left to who is lost is no way, so that any way is better.
    least = math.inf if found is None or found.lost else float(found.left.sum()) - TOLERANCE
    aims = aims_of(party, flat.goal)
    for storey in tops(party, ground, goal, aims):
        onto = flat(storey.party, storey.ground)
        paths = storey.lifted(onto.paths) if onto is not None else None
        if onto is None or onto.lost or paths is None:
            continue
        total = float(np.hypot(onto.left, storey.above).sum())
        if total < least:
            found, least = Moved(paths, onto.left), total - TOLERANCE
    for cost, paid, up_to in crossings(party, ground, aims):
        for storey in (paid, *up_to) if is_lost else (paid,):
            over = _crossed(storey, flat)
            if over is None:
                continue
            are_level = np.array([path.is_level for path in over.paths])
            total = float(over.left.sum() if is_lost else (over.left + cost * are_level).sum())
            if total < least:
                found, least = over, total - TOLERANCE
                if storey is paid and are_level.all():
                    found = _come_up(over, up_to, flat)
    return found


def _come_up(over: Moved, up_to: Sequence[Storey], flat: Nearing) -> Moved:
    """Return the move of who comes up to what it will climb: it need not keep back yet what that costs."""
    for storey in up_to:
        near = _crossed(storey, flat)
        if (
            near is not None
            and all(path.is_level for path in near.paths)
            and near.left.sum() < over.left.sum()
        ):
            return near
    return over


def _crossed(storey: Storey, flat: Nearing) -> Moved | None:
    """Return the move over what stands in the way in space; None where nobody moves or some way is closed."""
    # Who cannot leave is asked about even where nothing is left to go: then no way over this leads out.
    if flat.kept is None and not (storey.party.limit > 0).any():
        return None
    over = flat(storey.party, storey.ground)
    if over is None or over.lost:
        return None
    paths = storey.lifted(over.paths)
    return Moved(paths, over.left) if paths is not None and any(path.legs for path in paths) else None


def aims_of(party: Party, goal: Goal) -> list[Floats]:
    """Return the points for which the models would make straight."""
    return [goal.nearest(at[None], party.stance(row))[0] for row, at in enumerate(party.xy)]
