"""Whether the Horde's models aimed at the closest target, or at the closest of a kind.

Judges declared attacks of Horde units from where everyone stands. What was legal at all is `targeting`'s;
which of its weapons a model uses is not asked. Rule: AI.SHOOT.1 to AI.SHOOT.4, AI.FIGHT.1
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.audit.referee.body import slack, surely_in_range
from engine.audit.referee.lookout import Glimpse, Lookout
from engine.audit.referee.scene import HEAVY, Disagreement, Scene
from engine.core import event as ev
from engine.core.facts import HORDE, WeaponFacts
from engine.core.state import Unit
from geometry.tolerance import TOLERANCE

LONE_OPERATIVE = 12.0
AIMED = ("ai.shoot.anti_scope", "ai.shoot.granted_prefs")
"""The points of the text that preferences rest on: they are judged as read by default only."""
Kind = Callable[[Unit], bool]


def faults_of_preference(scene: Scene, event: ev.Targeted) -> list[Disagreement]:
    """Return which targets of a Horde unit were not those that it had to prefer."""
    unit = scene.state.position.units[event.unit]
    if unit.side != HORDE or unit.where != "table":
        return []
    return list(_Aims(scene, event, unit).faults())


class _Aims:
    """The attacks that one unit declares."""

    def __init__(self, scene: Scene, event: ev.Targeted, unit: Unit) -> None:
        self.scene, self.event, self.unit = scene, event, unit
        self.lookout = Lookout(scene, unit)
        self.engaged = scene.engaged(scene.bodies(unit.rows), scene.enemies(unit), surely=False)

    def faults(self) -> Iterator[Disagreement]:
        """Yield every attack for which a better target is found, once for each model and weapon."""
        for row, place, name in dict.fromkeys((s.model, s.weapon, s.target) for s in self.event.shots):
            target = self.scene.state.position.units[name]
            if row not in self.unit.rows or target.where != "table" or not target.rows:
                continue
            if not self.event.melee and not self.scene.is_plain(AIMED):
                continue
            if not self.event.melee and self.event.turn not in ("", self.unit.side):
                # What shoots in reply, in the turn of the others, has no choice of its target.
                continue
            self.scene.checked["aims"] += 1
            weapon = self.unit.weapon(place)
            better = self._blow(row, target) if self.event.melee else self._shot(row, weapon, target)
            if better is not None:
                found, why = better
                stored = f"model {row} aims {weapon.name} at {name}"
                told = f'{found.enemy} is {why}, {found.apart:.4f}" away'
                yield Disagreement(self.event.n, "aim", self.unit.id, stored, told)

    # blows

    def _blow(self, row: int, target: Unit) -> tuple[Glimpse, str] | None:
        """Return an enemy that a model reaches itself and that is closer than its target.

        Rule: R.A58
        """
        own = self.lookout.models_of(target, (row,))[0]
        for enemy in self.scene.opponents(self.unit):
            found = self.lookout.models_of(enemy, (row,))[0]
            if enemy.id != target.id and self._is_closer(found, own) and self._strikes(row, enemy):
                return found, "closer"
        return None

    def _strikes(self, row: int, enemy: Unit) -> bool:
        return self.scene.meets([self.lookout.bodies[row]], self.scene.bodies(enemy.rows))

    def _is_closer(self, one: Glimpse, other: Glimpse) -> bool:
        bodies = (self.lookout.bodies[one.row], *map(self.scene.body, (one.other, other.other)))
        return one.apart < other.apart - 2 * (TOLERANCE + slack(*bodies))

    # shots

    def _shot(self, row: int, weapon: WeaponFacts, target: Unit) -> tuple[Glimpse, str] | None:
        """Return an enemy that a gun had to be fired at rather than at its target."""
        reach = self.scene.allowance.reach(self.unit, weapon)
        own = next((g for g in self.lookout.models_of(target, (row,)) if self._in_reach(g, reach)), None)
        own = self.lookout.nearest_seen(target, (row,)) or own
        if own is None:
            return None
        for why, kind in self._kinds(row, weapon):
            liked = kind(target)
            for enemy in self.scene.enemies(self.unit):
                if enemy.id == target.id or not kind(enemy) or not self._may_shoot(weapon, enemy):
                    continue
                found = self.lookout.nearer_seen(enemy, reach, (row,))
                if found is None or not self._is_legal(found, weapon, enemy):
                    continue
                if not liked or self._is_closer(found, own):
                    return found, why
            if liked:
                return None
        return None

    def _kinds(self, row: int, weapon: WeaponFacts) -> Iterator[tuple[str, Kind]]:
        """Yield what the gun prefers, in order, and why. Rule: AI.SHOOT.2 to AI.SHOOT.4, R.A45"""
        against = [
            word[5:].rpartition(" ")[0].upper() for word in weapon.keywords if word.startswith("anti-")
        ]
        if against:
            yield "of those that its Anti is against", lambda unit: any(unit.has(word) for word in against)
        if weapon.has("precision"):
            yield "led by a CHARACTER that it sees", lambda unit: self._sees_leader(row, unit)
        if weapon.has("melta"):
            yield "neither INFANTRY nor SWARM", lambda unit: not (unit.has("INFANTRY") or unit.has("SWARM"))
        yield "closer", lambda unit: True

    def _sees_leader(self, row: int, unit: Unit) -> bool:
        leaders = [other for other in unit.rows if self.scene.is_a(other, "CHARACTER")]
        return unit.is_attached and any(self.lookout.sees(row, unit, other) for other in leaders)

    def _in_reach(self, seen: Glimpse, reach: float) -> bool:
        return surely_in_range(self.lookout.bodies[seen.row], self.scene.body(seen.other), reach)

    def _may_shoot(self, weapon: WeaponFacts, enemy: Unit) -> bool:
        """Return whether no engagement bars the shot for certain. Rule: CORE.SHOOT.4, CORE.SHOOT.6"""
        if self.engaged:
            return False
        bodies = self.scene.bodies(enemy.rows)
        held = self.scene.engaged(bodies, self.scene.friends(self.unit), surely=False)
        return not held or (any(enemy.has(word) for word in HEAVY) and not weapon.has("blast"))

    def _is_legal(self, found: Glimpse, weapon: WeaponFacts, enemy: Unit) -> bool:
        """Return whether a shot at a model that is seen is legal for certain.

        The model is in range, and no rule forbids its unit as a target.

        Rule: CORE.SHOOT.2, CORE.SHOOT.7
        """
        if not self._in_reach(found, self.scene.allowance.reach(self.unit, weapon)):
            return False
        if not self.scene.allowance.may_be_targeted(self.unit, found.row, enemy):
            return False
        alone = not enemy.is_attached and self.scene.allowance.has_ability(enemy, "lone operative")
        return not alone or self.lookout.apart(enemy, (found.row,)) < LONE_OPERATIVE - 2 * TOLERANCE
