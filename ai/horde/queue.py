"""What a Horde unit does about friends that it cannot pass: it closes up behind them.

It does not turn back to go round a queue. Owns whether friends stand in the shortest way to a target, and the
move up behind them. Which unit goes first is `ai.horde.turn`'s.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from ai.horde.bonus import STAY
from ai.horde.obstruction import foremost
from ai.horde.target import ENEMY, Target
from ai.moving.move_planning import Plan, stand, to_point
from engine.core.facts import Point
from engine.core.request import Because
from engine.core.state import Unit
from engine.w40k.view import View
from geometry.measure.distance import gaps
from geometry.path.ground import Ground, without
from geometry.path.planner import Blocked, Path, shortest_paths
from geometry.shape.convex_shape import NOTHING, Stance
from geometry.single.reach import farthest
from geometry.tolerance import TOLERANCE


def is_in_way(view: View, unit: Unit, target: Target, friends: Sequence[Unit]) -> bool:
    """Return whether the way to the target would be shorter without these friends. Rule: R.A08"""
    line = _Line.of(view, unit, target, view.ground(unit, "normal"), friends)
    return line is not None and line.is_blocked


def behind_friends(
    view: View, unit: Unit, target: Target, kind: str, limits: dict[int, float], plan: Plan
) -> Plan:
    """Return the move up behind friends in the way, if it ends nearer than the one round them.

    Nearness is measured along the way as it will be once the friends have gone on. A unit that gets no nearer
    behind them goes round, or over what may be climbed: otherwise two units in one another's way would both
    wait for ever. Rule: R.A03, R.A08
    """
    ground = view.ground(unit, kind)
    line = _Line.of(view, unit, target, ground, [each for each in view.friends(unit) if _goes_on(view, each)])
    if line is None or not line.is_blocked:
        return plan
    spot = farthest(line.stance, line.open, limits.get(line.row, 0.0), ground)
    follow = to_point(view, unit, kind, limits, spot, ground)
    if not (isinstance(line.closed, Blocked) and plan.lost):
        least = min(line.left(view, unit, other) for other in (stand(view, unit), plan))
        if line.left(view, unit, follow) >= least - TOLERANCE:
            return plan
    return replace(follow, behind=True)


def _goes_on(view: View, friend: Unit) -> bool:
    """Return whether a friend does not stay where it is: in combat, or because it chose to."""
    return not view.is_engaged(friend) and friend.marks.get("moved", "") != STAY


def why_behind(view: View, unit: Unit, target: Target, plan: Plan) -> Because:
    """Return why a unit closes up behind a friend, the nearest to where it ends. Rule: R.A03"""
    friends = [
        (float(gaps(plan.bases, view.bases(each)).min()), each.id, each) for each in view.friends(unit)
    ]
    name = min(friends)[2].name
    reason = f"{name} stands in its way to {target.id} and cannot be passed: it closes up behind."
    return Because(clause=target.because.clause, reason=reason, target=target.id, ruling="R.A03")


class _Line(msgspec.Struct, frozen=True):
    """The way of a unit's foremost model to its target, with and without some friends."""

    row: int
    stance: Stance
    goal: Point
    closed: Path | Blocked
    open: Path
    ground: Ground
    """The ground without the friends, and without the target itself."""

    @staticmethod
    def of(view: View, unit: Unit, target: Target, ground: Ground, friends: Sequence[Unit]) -> _Line | None:
        """Return both ways; None where none of these friends is in the way of anything.

        It is None too where models stand above one another.
        """
        if ground.crowd is not None or not len(ground.solid):
            return None
        own = view.bases(view.unit(target.id)) if target.kind == ENEMY else NOTHING
        closed = without(ground, own)
        free = without(closed, view.field.outlines(view.field.rows(list(friends))))
        if len(free.solid) == len(closed.solid):
            return None
        i, goal = foremost(view, unit, target)
        row, at = unit.rows[i], view.xy(unit)[i]
        stance = view.stance(row)
        open_ = shortest_paths(stance, free).shortest(at, goal)
        if isinstance(open_, Blocked):
            return None
        return _Line(row, stance, goal, shortest_paths(stance, closed).shortest(at, goal), open_, free)

    @property
    def is_blocked(self) -> bool:
        """Return whether the friends make the way longer."""
        return isinstance(self.closed, Blocked) or self.closed.length > self.open.length + TOLERANCE

    def left(self, view: View, unit: Unit, plan: Plan) -> float:
        """Return the length of the shortest way from where a plan ends to the goal.

        It is that of the model with the shortest way, without the friends; infinite where no model has one.
        """
        poses = view.poses_after(unit, plan.paths)
        ways = [
            shortest_paths(view.stance(row, float(pose[3])), self.ground).shortest(pose[:2], self.goal)
            for row, pose in zip(unit.rows, poses, strict=True)
        ]
        return min((each.length for each in ways if isinstance(each, Path)), default=math.inf)
