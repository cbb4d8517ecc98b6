"""The border between a unit on its ground and the core's planner of moves.

Owns the translation of models, ground and goal into flat numbers, of ends into paths, and which facings are
tried. Where models end is `geometry.core.unit_plan`'s.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from msgspec.structs import replace

from geometry.core.shapes import Shapes
from geometry.core.unit_ground import KindGround
from geometry.core.unit_plan import UnitPlan
from geometry.group.facings import facings
from geometry.group.kind_ground import Goal, KindGrounds
from geometry.group.outcome import Moved
from geometry.group.party import Party
from geometry.measure.coherency import Spacing
from geometry.measure.distance import clearances
from geometry.path.budget import Budget
from geometry.path.ground import Ground
from geometry.path.path import Path
from geometry.path.planner import shortest_paths
from geometry.path.reference_path import rounded
from geometry.portable import span, sum_of
from geometry.shape.base import Base
from geometry.shape.convex_shape import NOTHING, Stance, stance_of
from geometry.shape.shape_table import meetings_of, shapes_of
from geometry.single.goal import Away, ToBases, ToContact
from geometry.tolerance import LINE_SLACK_INCHES, PLACE_SLACK_INCHES, TOLERANCE

GAIN = 1e-3
"""A pivot must bring a unit this much nearer, in inches."""
NO_CONTACT = (0, True, 0.0, True)
"""What a move asks of contact that is none into contact."""
NOT_OPEN = -1.0
"""The limit of an option that tells only how a model stands, in inches."""
Choice = tuple[Stance, float | None]
"""How a model stands for its move, and the facing to which it turns first, in degrees."""


def planned(
    party: Party, ground: Ground, goal: Goal, spacing: Spacing, stays: bool, is_first: bool = False
) -> Moved | None:
    """Return the move of a unit on the flat, None where no legal one is found.

    The move that `is_first` is the first legal one, which may leave more than others.
    """
    unit = _Unit(party, ground, goal, spacing, stays, is_first)
    found = unit.outcome([(stance, None) for stance in unit.stances])
    if party.pivot is None or not party.bases or (is_first and found is not None):
        return found
    for choices in unit.turned(found):
        other = unit.outcome(choices)
        if other is not None and (found is None or unit.is_better(other, found)):
            found = other
            if is_first:
                break
    return found


def has_places(party: Party, ground: Ground, goal: ToContact, spacing: Spacing) -> bool:
    """Return whether some model has a place within range of each group, whatever leads there."""
    unit = _Unit(party, ground, goal, spacing, True)
    choices: list[list[Choice]] = [[(stance, None)] for stance in unit.stances]
    return unit.plan(choices, unit.grounds.of, lambda _: shapes_of(NOTHING)).has_places()


class _Unit:
    """The models of a unit, and the ground as each kind of base meets it."""

    def __init__(
        self,
        party: Party,
        ground: Ground,
        goal: Goal,
        spacing: Spacing,
        stays: bool,
        is_first: bool = False,
    ) -> None:
        self.party, self.ground, self.goal = _held(party, ground), ground, goal
        self.spacing, self.stays, self.is_first = spacing, stays and not party.climbs, is_first
        self.stances = [party.stance(row) for row in range(len(party))]
        reach = party.limit[:, None]
        low, high = (party.xy - reach).min(axis=0), (party.xy + reach).max(axis=0)
        self.grounds = KindGrounds(ground, goal, (*low.tolist(), *high.tolist()))
        self.budget = party.budget or Budget()
        self._facings: dict[Base, list[float]] = {}

    def outcome(self, choices: Sequence[Choice]) -> Moved | None:
        """Return the move in which each model stands and turns as chosen."""
        party = self.party
        plan = self.plan([[choice] for choice in choices], self.grounds.of, meetings_of)
        found = plan.plan(self.budget.left, self.is_first)
        self.budget.spend(plan.work)
        if found is None:
            return None
        paths = []
        for row, (_, x, y, _) in enumerate(found):
            stance, facing = choices[row]
            limit = float(party.limit[row]) - self._cost(row, facing)
            path = _path(self.ground, stance, party.xy[row].tolist(), (x, y), limit)
            if path is None:
                return None
            paths.append(path if facing is None else self._pivoted(row, path, facing))
        left = np.array([left for _, _, _, left in found])
        return Moved(tuple(paths), left, np.array(plan.began()), lost=any(plan.closed()))

    def plan(
        self,
        choices: Sequence[Sequence[Choice]],
        ground: Callable[[Stance], KindGround],
        pairs: Callable[[Sequence[Stance]], Shapes],
    ) -> UnitPlan:
        """Return the planner of the models, of which each may choose how it stands and turns."""
        # Rounding must not lose what is just near.
        limits = self.party.limit + PLACE_SLACK_INCHES
        offered = [
            [(stance, float(limits[row]) - self._cost(row, facing)) for stance, facing in some]
            for row, some in enumerate(choices)
        ]
        if isinstance(self.goal, ToContact):
            # A base that turns ends closer than it stands, not than it would stand turned.
            for row, some in enumerate(choices):
                if some[0][1] is not None:
                    offered[row].insert(0, (self.stances[row], NOT_OPEN))
        kinds = list(dict.fromkeys(stance for some in offered for stance, _ in some))
        options = [[(kinds.index(stance), limit) for stance, limit in some] for some in offered]
        return UnitPlan(
            [ground(stance) for stance in kinds],
            pairs(kinds),
            self.party.xy.tolist(),
            options,
            self.spacing.reach,
            self.spacing.neighbours_needed(len(self.party)),
            # A model that turns moves: it may not stay where it may not end.
            self.stays and all(facing is None for some in choices for _, facing in some),
            (*self.goal.asked, self.stays) if isinstance(self.goal, ToContact) else NO_CONTACT,
        )

    def _cost(self, row: int, facing: float | None) -> float:
        if facing is None:
            return 0.0
        assert self.party.pivot is not None
        return float(self.party.pivot[row])

    def _pivoted(self, row: int, path: Path, facing: float) -> Path:
        return Path(path.start, ((*path.start, facing, self._cost(row, facing)), *path.legs))

    def is_better(self, other: Moved, found: Moved) -> bool:
        """Return whether an outcome leaves less than one that was found before it.

        What is left as the crow flies is no measure of a way, if that leads the unit no farther off.
        """
        least = sum_of(found.left.tolist()) - GAIN
        if found.lost and not other.lost:
            least = max(least, sum_of(other.before.tolist()) + GAIN)
        return sum_of(other.left.tolist()) < least

    def turned(self, found: Moved | None) -> list[list[Choice]]:
        """Return what the models may choose where turning may bring them nearer than they come."""
        options = [self._options(row, found) for row in range(len(self.party))]
        if all(len(some) == 1 for some in options):
            return []
        # What each has left alone needs no shapes of two bases, nor where these may stand.
        alone = self.plan(options, self.grounds.without_ends, lambda _: shapes_of(NOTHING))
        measured = alone.measured()
        best = [[(is_closed, least, row) for row, (is_closed, least) in enumerate(some)] for some in measured]
        if len(options) == 1:
            left = math.inf if found is None or found.lost else float(found.left[0])
            # What is left on a closed way is no measure beside an open one.
            was_closed = found is None or best[0][0][0]
            return [
                [options[0][row]]
                for is_closed, least, row in sorted(best[0])
                if row and least < left - GAIN and is_closed <= was_closed
            ]
        chosen = [some[min(ranked)[2]] for some, ranked in zip(options, best, strict=True)]
        return [chosen] if any(facing is not None for _, facing in chosen) else []

    def _options(self, row: int, found: Moved | None) -> list[Choice]:
        """Return how a model may stand: as it does, or turned to a facing that may bring it nearer."""
        party, stance = self.party, self.stances[row]
        kept: list[Choice] = [(stance, None)]
        if stance.core.is_point or party.pivot is None or party.limit[row] < party.pivot[row] - TOLERANCE:
            return kept
        if found is not None and not found.lost and found.left[row] <= self._least(row) + GAIN:
            return kept
        at = party.xy[row].tolist()
        for facing in self._facings_of(party.bases[row]):
            turned = stance_of(party.bases[row], facing)
            # Nobody turns into what may be climbed, either.
            shapes = shortest_paths(turned, self.ground).graph.shapes
            if stance != turned and shapes.is_open(at[0], at[1], LINE_SLACK_INCHES, -1):
                kept.append((turned, facing))
        return kept

    def _facings_of(self, base: Base) -> list[float]:
        """Return the facings tried for bases like one: those that matter to the nearest of these."""
        if base not in self._facings:
            party, goal = self.party, self.goal
            alike = [row for row, other in enumerate(party.bases) if other == base]
            left = [float(goal.left(party.xy[row : row + 1], self.stances[row])[0]) for row in alike]
            self._facings[base] = facings(party, alike[int(np.argmin(left))], self.ground, goal)
        return self._facings[base]

    def _least(self, row: int) -> float:
        """Return what no pivot betters: what the disc within a base has left at least."""
        if isinstance(self.goal, Away):
            return -math.inf
        party, disc = self.party, self.party.disc(row)
        limit = float(party.limit[row]) - self._cost(row, 0.0) + PLACE_SLACK_INCHES
        at = party.xy[row].tolist()
        measured = UnitPlan(
            [self.grounds.without_ends(disc)],
            shapes_of(NOTHING),
            [at],
            [[(0, limit)]],
            self.spacing.reach,
            0,
            True,
        ).measured()
        is_closed, least = measured[0][0]
        if is_closed:
            return -math.inf
        # The base reaches farther than the disc that it holds.
        wider = party.bases[row].radius - disc.radius if isinstance(self.goal, ToBases) else 0.0
        return max(least - wider, 0.0)


def _held(party: Party, ground: Ground) -> Party:
    """Return the models, of which those that begin in what is to be kept clear of go nowhere."""
    if not len(ground.avoid):
        return party
    held = (clearances(party.outlines, ground.avoid) < -PLACE_SLACK_INCHES).any(axis=1)
    return replace(party, limit=np.where(held, 0.0, party.limit)) if held.any() else party


def _path(
    ground: Ground, stance: Stance, start: list[float], end: tuple[float, float], limit: float
) -> Path | None:
    """Return the shortest path between two places, rounded as positions are, if there is one."""
    at = (start[0], start[1])
    to = (round(end[0], 7), round(end[1], 7))
    if span(at, to) <= 2 * PLACE_SLACK_INCHES:
        return Path(at)
    found = shortest_paths(stance, ground).climbing(at, to, limit + TOLERANCE)
    return rounded(found) if isinstance(found, Path) and found.length <= limit + TOLERANCE else None
