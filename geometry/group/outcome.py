"""What a unit's move comes to: its paths, what each model has left, or what is in its way.

Owns no search: moves are planned in `geometry.group.planned_move`.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from geometry.group.party import Party
from geometry.path.blockage import COHERENCY, Blocker, blockers
from geometry.path.ground import Ground
from geometry.path.planner import Path
from geometry.portable import norm
from geometry.shape.base import Floats
from geometry.single.goal import Goal
from geometry.tolerance import TOLERANCE

FOREMOST = 3


def in_the_way(party: Party, goal: Goal, ground: Ground) -> tuple[Blocker, ...]:
    """Return what the foremost models run into on the straight way to the goal.

    Where they run into nothing, it is coherency.
    """
    left = [float(goal.left(at[None], party.stance(row))[0]) for row, at in enumerate(party.xy)]
    rows = sorted(range(len(party)), key=lambda row: (round(left[row], 6), row))
    found: list[Blocker] = []
    for row in rows[:FOREMOST]:
        at, stance = party.xy[row], party.stance(row)
        off = goal.nearest(at[None], stance)[0] - at
        far = min(float(party.limit[row]), left[row])
        end = at + off * (far / max(norm(*off), TOLERANCE))
        found += blockers(stance, at.tolist(), end.tolist(), ground)
    return tuple(dict.fromkeys(found)) or (Blocker(COHERENCY),)


class Moved(msgspec.Struct, frozen=True):
    """A path for each model, and how far each has left to the goal after and `before` the move.

    The path of a model that stays has no length. After `move_away` what is left is how much less than 100
    inches the closest threat is away.
    """

    paths: tuple[Path, ...]
    left: Floats
    before: Floats
    lost: bool = False
    """Whether some model finds every way to the goal closed, and gets as near as it can."""


Flat = Callable[[Party, Ground], Moved | None]
"""The move of a unit on the flat, None where there is none."""
