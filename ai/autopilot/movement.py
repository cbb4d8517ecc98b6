"""Where the autopilot moves its units: it weighs a few moves by what they win and what they risk.

Owns the moves considered and their worth in points. Paths are `ai.plan`'s, trades `appraisal`'s.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ai.autopilot.appraisal import Appraisal
from ai.autopilot.charge import charge_value
from ai.autopilot.secret import Errand
from ai.plan import Plan, away, move_limits, stand, to_point, toward
from engine.request import Because, Choose, Chosen, Move, Moves
from engine.state import Objective, Unit
from engine.view import View
from geometry.base import Floats
from geometry.gap import within
from geometry.sight import visible

MARKER = 45.0
"""What holding an objective marker at the end of a move is worth, in points."""
APPROACH = 0.9
"""What an inch nearer to the marker that a unit is after is worth."""
CAUTION = 0.7
"""How much of the points that charges may take counts against a place."""
FAR = 40.0
STAY = "remain-stationary"


@dataclass(frozen=True, slots=True)
class Option:
    """A move that is considered, with its worth and what it is for."""

    plan: Plan
    value: float
    purpose: str
    target: str = ""


def choose_move(view: View, request: Choose) -> Chosen:
    """Return the kind of move with the best prospects."""
    unit = view.unit(request.unit)
    offered = {option.id for option in request.options}
    mind = _Mind(view, unit)
    if "normal-move" not in offered:
        return _in_combat(mind, offered)
    limits = move_limits(view, unit)
    best = mind.best("normal", limits)
    if "advance" in offered and mind.should_run(best):
        return Chosen(ids=("advance",), because=(_because("Nothing is in reach; it advances.", best.target),))
    kind = "normal-move" if best.plan.moves else STAY
    return Chosen(ids=(kind,), because=(_because(f"{best.purpose} ({best.value:.0f}).", best.target),))


def _in_combat(mind: _Mind, offered: set[str]) -> Chosen:
    if "fall-back" in offered and mind.should_fall_back():
        return Chosen(ids=("fall-back",), because=(_because("It loses this fight, and breaks off."),))
    return Chosen(ids=(STAY,), because=(_because("It stays in combat."),))


def move(view: View, request: Move) -> Moves:
    """Return the paths of the best move of this kind."""
    unit = view.unit(request.unit)
    if request.kind == "fall-back":
        plan = away(view, unit, request.limits) or stand(view, unit)
        return Moves(paths=plan.paths)
    best = _Mind(view, unit).best(request.kind, request.limits)
    return Moves(paths=best.plan.paths, because=(_because(f"{best.purpose}.", best.target),))


def _because(reason: str, target: str = "") -> Because:
    return Because(clause="CORE.MOVE.1", reason=reason, target=target)


class _Mind:
    """What is considered for one unit at one moment."""

    def __init__(self, view: View, unit: Unit) -> None:
        self.view = view
        self.unit = unit
        self.values = Appraisal(view)
        self.enemies = view.enemies(unit)
        self.goal = self._objective()
        self.errand = Errand(view, unit)

    def best(self, kind: str, limits: dict[int, float]) -> Option:
        """Return the best of the moves considered."""
        shoots = kind == "normal" or self.view.may("shoot-after-advance", unit=self.unit)
        options = [self._weigh(*candidate, shoots) for candidate in self._candidates(kind, limits)]
        return max(options, key=lambda o: round(o.value, 6))

    def _candidates(self, kind: str, limits: dict[int, float]) -> Iterator[tuple[Plan, str, str]]:
        yield stand(self.view, self.unit), "It holds its place", ""
        if self.goal is not None:
            name = self.goal.facts.id
            plan = to_point(self.view, self.unit, kind, limits, self.goal.at)
            yield plan, f"It makes for {name}", name
        for at, name in self.errand.goals():
            yield to_point(self.view, self.unit, kind, limits, at), f"It makes for {name}", ""
        for enemy in self._prey():
            foes = self.view.field.discs(enemy.rows)
            for stop in self._stops():
                plan = toward(self.view, self.unit, kind, limits, foes, stop)
                yield plan, f"It makes for {enemy.name}", enemy.id
        threat = min(self.enemies, key=lambda e: (self.view.gap(self.unit, e), e.id), default=None)
        if threat is not None and within(self.view.gap(self.unit, threat), 18.0):
            flight = away(self.view, self.unit, limits, kind=kind, threats=(threat.id,))
            if flight is not None:
                yield flight, f"It keeps away from {threat.name}", threat.id

    def _prey(self) -> list[Unit]:
        """Return the two enemies most worth attacking for how far they are."""
        ranked = sorted(self.enemies, key=lambda e: (-self._appeal(e), e.id))
        return ranked[:2]

    def _appeal(self, enemy: Unit) -> float:
        dealt = sum(
            self.values.damage(self.unit, g.row, g.weapon, enemy) for g in self.values.guns(self.unit)
        )
        dealt = max(dealt, self.values.melee(self.unit, enemy))
        return self.values.trade(dealt, enemy) / (6.0 + self.view.gap(self.unit, enemy))

    def _stops(self) -> list[float]:
        """Return at which distances from an enemy a move may end: in reach of its guns, or close."""
        reaches = sorted({gun.reach for gun in self.values.guns(self.unit)}, reverse=True)
        stops = [reach - 0.25 for reach in reaches[:1] if reach > 2.0]
        stops += [reach / 2 - 0.25 for reach in reaches[:1] if reach > 12.0]
        return [*stops, 1.2]

    def _weigh(self, plan: Plan, purpose: str, target: str, shoots: bool) -> Option:
        ends = plan.ends
        value = self._marker_value(ends) + self.errand.value(ends)
        if shoots:
            value += self.values.shooting(self.unit, ends, self._seen(ends))
        value += max((self._charge(ends, e) for e in self.enemies), default=0.0)
        value -= CAUTION * self.values.danger(self.unit, ends)
        return Option(plan, value, purpose, target)

    def _charge(self, ends: Floats, enemy: Unit) -> float:
        apart = float(self.values.gaps(self.unit, ends, enemy).min(initial=np.inf))
        return max(0.0, charge_value(self.values, self.unit, enemy, apart)) if apart <= 12 else 0.0

    def _seen(self, ends: Floats) -> dict[str, bool]:
        """Return which enemies would be visible from these places."""
        reach = max((gun.reach for gun in self.values.guns(self.unit)), default=0.0)
        near = [e for e in self.enemies if within(float(self.values.gaps(self.unit, ends, e).min()), reach)]
        if not near:
            return {}
        field = self.view.field
        own = replace(field.bodies(self.unit.rows), xy=ends)
        foes = field.bodies(field.rows(near))
        names = [e.id for e in near for _ in e.rows]
        seen = np.asarray(visible(own, foes, field.landscape()).any(axis=0))
        return self._any(names, seen)

    @staticmethod
    def _any(names: list[str], seen: np.ndarray) -> dict[str, bool]:
        found: dict[str, bool] = {}
        for name, is_seen in zip(names, seen, strict=True):
            found[name] = found.get(name, False) or bool(is_seen)
        return found

    def _marker_value(self, ends: Floats) -> float:
        """Return what the objectives are worth from here: those held, and the one it is after."""
        value = 0.0
        radius = self.view.radius(self.unit)
        for marker in self.view.objectives.values():
            apart = np.hypot(*(ends - np.array(marker.at)).T) - radius - self.view.knobs.marker_radius
            inside = int(within(apart, self.view.knobs.objective_range).sum())
            if inside and self._wins(marker, inside):
                value += MARKER
            elif marker is self.goal:
                value -= APPROACH * float(np.clip(apart.min(), 0.0, FAR))
        return value

    def _wins(self, marker: Objective, inside: int) -> bool:
        """Return whether the marker is held with this many of the unit's models, and not without."""
        if "battle-shocked" in self.unit.marks:
            return False
        own = inside * max((self.view.characteristics(r).get("OC", 0) for r in self.unit.rows), default=0)
        friends = sum(self._control(u, marker) for u in self.view.friends(self.unit))
        foes = sum(self._control(u, marker) for u in self.enemies)
        return friends <= foes < friends + own

    def _control(self, unit: Unit, marker: Objective) -> int:
        if "battle-shocked" in unit.marks:
            return 0
        inside = self.view.field.in_range_of(unit, marker)
        return sum(
            self.view.characteristics(row).get("OC", 0)
            for row, is_in in zip(unit.rows, inside, strict=True)
            if is_in
        )

    def _objective(self) -> Objective | None:
        """Return the marker that the unit is after: near, and not already held by friends."""
        options = []
        for marker in self.view.objectives.values():
            distance = float(self.view.field.gap_to_objective(self.unit, marker).min())
            friends = sum(self._control(u, marker) for u in self.view.friends(self.unit))
            foes = sum(self._control(u, marker) for u in self.enemies)
            cost = distance + (25.0 if friends > foes else 0.0) + self._claimed(marker, distance)
            if marker.facts.zone == "horde":
                cost += 12.0
            options.append((cost, marker.facts.id, marker))
        return min(options, default=(0.0, "", None))[2]

    def _claimed(self, marker: Objective, distance: float) -> float:
        """Return how much less a marker draws because friends are nearer to it."""
        nearer = [
            u
            for u in self.view.friends(self.unit)
            if float(self.view.field.gap_to_objective(u, marker).min()) < distance - 1e-6
        ]
        return 5.0 * len(nearer)

    def should_run(self, best: Option) -> bool:
        """Return whether to Advance: nothing to shoot or charge, and the marker is out of reach."""
        ends = best.plan.ends
        if self.goal is None or self.values.shooting(self.unit, ends, self._seen(ends)) > 1.0:
            return False
        if any(self._charge(ends, enemy) > 0 for enemy in self.enemies):
            return False
        gap = float(self.view.field.gap_to_objective(self.unit, self.goal).min())
        reach = max(move_limits(self.view, self.unit).values(), default=0.0)
        return best.target == self.goal.facts.id and gap > reach + self.view.knobs.objective_range

    def should_fall_back(self) -> bool:
        """Return whether the fight at hand costs more than it wins, and the unit can get out of it."""
        foes = self.view.field.engaged_with(self.unit)
        if self.unit.has("MONSTER") or self.unit.has("VEHICLE"):
            return False
        lost = sum(self.values.trade(self.values.melee(e, self.unit), self.unit) for e in foes)
        won = max((self.values.trade(self.values.melee(self.unit, e), e) for e in foes), default=0.0)
        held = sum(MARKER for m in self.view.objectives.values() if self._holds(m))
        if won + held >= lost:
            return False
        return away(self.view, self.unit, move_limits(self.view, self.unit)) is not None

    def _holds(self, marker: Objective) -> bool:
        return bool(self.view.field.in_range_of(self.unit, marker).any())
