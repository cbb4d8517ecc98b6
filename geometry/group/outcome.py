"""What a unit's formation comes to, as a move: its paths with their pivots, and what each has left.

Owns also what is told where there is none: what the foremost models run into.

What a unit's move comes to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec
import numpy as np
from msgspec.structs import replace

from geometry.group.formation import Formation, Wish
from geometry.group.party import Party
from geometry.measure.coherency import Spacing
from geometry.path.blockage import COHERENCY, Blocker, blockers
from geometry.path.ground import Ground
from geometry.path.planner import Path
from geometry.shape.base import TOLERANCE, Floats
from geometry.single.best_spot import Berth
from geometry.single.goal import Away, Goal
from geometry.single.model_move import Mover

FOREMOST = 3


def moved(movers: Sequence[Mover], spacing: Spacing, wish: Wish) -> Moved | None:
    """Return the best legal outcome of a unit's models, None where there is none."""
    formation = Formation(movers, spacing, wish)
    return made(formation, formation.settled())


def made(formation: Formation, berths: Sequence[Berth] | None) -> Moved | None:
    """Return an outcome of a formation as a move."""
    if berths is None:
        return None
    movers = formation.movers
    paths = tuple(pivoted(m, formation.path(m, taken)) for m, taken in zip(movers, berths, strict=True))
    return Moved(paths, np.array([taken.left for taken in berths]))


def pivoted(mover: Mover, path: Path) -> Path:
    """Return the path with the pivot that it begins with."""
    turn = mover.turn
    return path if turn is None else replace(path, legs=((*path.start, turn.facing, turn.cost), *path.legs))


def unturned(movers: Sequence[Mover], spacing: Spacing, wish: Wish) -> Moved | None:
    """Return the outcome in which nobody turns, if somebody would have: who turns must also move."""
    before = [mover.turn.before if mover.turn else mover for mover in movers]
    return moved(before, spacing, wish) if any(mover.turn for mover in movers) else None


def seeking(mover: Mover) -> Mover:
    """Return the mover, or where no way leads to its goal one that gets as near as it can."""
    return mover.seeking() if mover.is_lost and not isinstance(mover.goal, Away) else mover


def in_the_way(party: Party, goal: Goal, ground: Ground) -> tuple[Blocker, ...]:
    """Return what the foremost models run into, going straight for the goal; coherency if that is nothing."""
    left = [float(goal.left(at[None], party.stance(row))[0]) for row, at in enumerate(party.xy)]
    rows = sorted(range(len(party)), key=lambda row: (round(left[row], 6), row))
    found: list[Blocker] = []
    for row in rows[:FOREMOST]:
        at, stance = party.xy[row], party.stance(row)
        off = goal.nearest(at[None], stance)[0] - at
        far = min(float(party.limit[row]), left[row])
        end = at + off * (far / max(float(np.hypot(*off)), TOLERANCE))
        found += blockers(stance, at.tolist(), end.tolist(), ground)
    return tuple(dict.fromkeys(found)) or (Blocker(COHERENCY),)


class Moved(msgspec.Struct, frozen=True):
    """A path for each model, of no length for those that stay, and how far each has left to the goal.

    After `move_away` what is left is how much less than 100 inches the closest threat is away.
    """

    paths: tuple[Path, ...]
    left: Floats
    lost: bool = False
    """Whether some model finds every way to the goal closed, and gets as near as it can."""


Flat = Callable[[Party, Ground], Moved | None]
"""The move of a unit on the flat, None where there is none."""


class Nearing(Protocol):
    """The move of a unit on the flat toward a goal."""

    @property
    def goal(self) -> Goal:
        """Return what the unit makes for."""
        ...

    def __call__(self, party: Party, ground: Ground) -> Moved | None:
        """Return the move, None where none is legal."""
        ...

    def to(self, point: tuple[float, float], size: tuple[float, float]) -> Nearing:
        """Return the same to a point on a board of a size."""
        ...
