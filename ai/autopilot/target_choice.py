"""At what the autopilot shoots and strikes: where its attacks take most points.

Owns focus: attacks are dealt out one by one, and a unit that is as good as dead draws no more.
"""

from __future__ import annotations

from ai.autopilot.appraisal import Appraisal
from ai.reckoning.aim import Aim, by_model, free_fire, most_aimed_at
from engine.core.event import Shot
from engine.core.request import Because, Choose, Chosen, Line, Split, Splits
from engine.core.state import Unit
from engine.w40k.view import View
from geometry.measure.distance import within

OVERKILL = 0.05
"""What an attack at a unit that is as good as dead is still worth, of its full value."""
FINISHING = 1.3
"""How much more an attack is worth that may well finish its target."""


def declare(view: View, request: Split) -> Splits:
    """Return the attacks where they take most points, each weapon at its best target in turn."""
    unit = view.unit(request.unit)
    plan = _Volley(view, unit)
    chosen = by_model([plan.best(line, dry=True) for line in request.lines if line.targets], unit)
    used = {(aim.line.model, aim.line.weapon) for aim in chosen}
    lines = [line for line in request.lines if (line.model, line.weapon) in used and line.targets]
    lines.sort(key=lambda line: (-plan.force(line), line.model, line.weapon))
    aims = [plan.best(line, dry=False) for line in lines]
    aims.sort(key=lambda aim: (aim.line.model, aim.line.weapon))
    shots = tuple(Shot(model=a.line.model, weapon=a.line.weapon, target=a.target) for a in aims)
    return Splits(shots=shots, because=_summary(view, aims, request.melee))


def sole_target(view: View, request: Choose) -> Chosen:
    """Return the enemy at which a unit fires all its shots: that at which it would fire most."""
    return most_aimed_at(request, declare(view, free_fire(view, request)))


def _summary(view: View, aims: list[Aim], melee: bool) -> tuple[Because, ...]:
    clause = "CORE.FGT.6" if melee else "CORE.SHOOT.2"
    found: dict[str, float] = {}
    for aim in aims:
        found[aim.target] = found.get(aim.target, 0.0) + aim.damage
    return tuple(
        Because(
            clause=clause,
            reason=f"{view.unit(name).name}: {damage:.1f} wounds are to be expected.",
            target=name,
        )
        for name, damage in found.items()
    )


class _Volley:
    """The attacks of one unit as they are dealt out."""

    def __init__(self, view: View, unit: Unit) -> None:
        self.view = view
        self.unit = unit
        self.values = Appraisal(view)
        self.dealt: dict[str, float] = {}
        self._near: dict[tuple[int, str], float] = {}
        self._damages: dict[tuple[int, int, str], float] = {}
        self._known: dict[str, tuple[int, float, float]] = {}

    def best(self, line: Line, dry: bool) -> Aim:
        """Return the line's best target; unless `dry`, its damage counts for those after it."""
        options = [(self._value(line, t, dry), t) for t in line.targets]
        _, target = max(options, key=lambda o: (round(o[0], 9), -self._gap(line.model, o[1]), o[1]))
        damage = self._damage(line, target)
        if not dry:
            self.dealt[target] = self.dealt.get(target, 0.0) + damage
        return Aim(line, target, damage, Because(clause="CORE.SHOOT.2", reason="", target=target))

    def force(self, line: Line) -> float:
        """Return the most damage that the line can do to any of its targets."""
        return max(self._damage(line, t) for t in line.targets)

    def _value(self, line: Line, target: str, dry: bool) -> float:
        wounds, worth, urgency = self._standing(target)
        left = wounds - (0.0 if dry else self.dealt.get(target, 0.0))
        damage = self._damage(line, target)
        useful = min(damage, max(left, 0.0)) + OVERKILL * damage
        bonus = FINISHING if 0 < left <= 2 * damage else 1.0
        return useful * bonus * worth * urgency

    def _standing(self, target: str) -> tuple[int, float, float]:
        """Return a target's wounds left, the worth of each, and how urgent it is to shoot at it."""
        if target not in self._known:
            enemy = self.view.unit(target)
            urgency = self.view.remembered(("urgency", target), lambda: self.values.urgency(enemy))
            self._known[target] = (*self.values.purse(enemy), urgency)
        return self._known[target]

    def _damage(self, line: Line, target: str) -> float:
        key = (line.model, line.weapon, target)
        known = self._damages.get(key)
        if known is None:
            reach = self.view.reach(self.unit, self.unit.weapon(line.weapon))
            near = reach > 0 and bool(within(self._gap(line.model, target), reach / 2))
            known = self.values.damage(self.unit, line.model, line.weapon, self.view.unit(target), near)
            self._damages[key] = known
        return known

    def _gap(self, row: int, target: str) -> float:
        key = (row, target)
        if key not in self._near:
            gaps = self.view.gaps(self.unit, self.view.unit(target))
            self._near[key] = float(gaps[self.unit.rows.index(row)].min())
        return self._near[key]
