"""At what each gun of a Horde unit is fired.

Owns AI.SHOOT.1 to AI.SHOOT.4 and the choice of profile and of pistols or guns. What may be shot is the
request's; what comes of it the engine's.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np

from ai.horde.beyond import Sights, as_one
from ai.reasons.clause import carries_out
from ai.reasons.condition import INFANTRY_OR_SWARM, NO_LEADER, NOT_ANTI, NOT_VISIBLE
from ai.reasons.ranking import Entry, Ranked, closest
from ai.reckoning.aim import Aim, by_model, distinct, free_fire, left_out, most_aimed_at
from ai.reckoning.armament import guns
from ai.reckoning.expectation import expected_damage, models_of
from engine.core.event import Shot
from engine.core.facts import WeaponFacts
from engine.core.request import Because, Choose, Chosen, Line, Split, Splits
from engine.core.state import Unit
from engine.w40k.view import View
from geometry.measure.distance import within

ANTI = "anti-"
NO_TARGET = Because(clause="AI.SHOOT.1", reason="None of its guns has a legal target.")
Wanted = Callable[[str], bool]
"""Whether a weapon's preference is for this unit."""


def shoot(view: View, request: Split) -> Splits:
    """Return the shots of a Horde unit: model by model, each gun at its own target. Rule: R.A51"""
    unit = view.unit(request.unit)
    volley = Volley(view, unit)
    aims = [aim for line in request.lines if (aim := volley.aim(line)) is not None]
    fired = by_model(aims, unit, guns_first=view.ruling("ai.shoot.pistols") == "guns_first")
    shots = tuple(Shot(model=a.line.model, weapon=a.line.weapon, target=a.target) for a in fired)
    passed = (*volley.passed(), *volley.silent(request.lines), *left_out(aims, fired, "R.A50"))
    return Splits(shots=shots, because=distinct(a.because for a in fired) or (NO_TARGET,), passed=passed)


@carries_out("AI.SHOOT.1")
def sole_target(view: View, request: Choose) -> Chosen:
    """Return the enemy at which a unit fires all its shots: that at which it would fire most."""
    return most_aimed_at(request, shoot(view, free_fire(view, request)))


class Volley:
    """What one unit may shoot at, with distances from each model.

    The expected damage of a weapon at a target is asked once.
    """

    def __init__(self, view: View, unit: Unit) -> None:
        """Look from where the unit stands."""
        self.view = view
        self.unit = unit
        self.look = view.field.outlook(unit)
        self._columns = {name: self.look.columns(name) for name in dict.fromkeys(self.look.units)}
        self._damage: dict[tuple[int, str, bool, tuple[str, ...]], float] = {}
        self._sights = Sights(view, unit)
        self._disliked: list[Because] = []

    def aim(self, line: Line) -> Aim | None:
        """Return at what a line is fired, None if nothing is legal for it."""
        weapon = self.unit.weapon(line.weapon)
        entries, unseen = self._entries(line, weapon)
        clause, ranked, why = self._preferred(line, weapon, entries, unseen)
        if not ranked.chosen:
            return None
        near = bool(within(ranked.distance, self.view.reach(self.unit, weapon) / 2))
        name = self.view.unit(ranked.chosen).name
        reason = f'{weapon.name}: {name} is {why}, {ranked.distance:.2f}" away.'
        return Aim(
            line,
            ranked.chosen,
            self.damage(line, ranked.chosen, near),
            Because(
                clause=clause,
                reason=reason,
                target=ranked.chosen,
                candidates=(*ranked.candidates, *self._sights.rest(line.model, weapon, ranked.candidates)),
                models=(line.model,),
                weapon=weapon.name,
            ),
        )

    def passed(self) -> tuple[Because, ...]:
        """Return the preferences that no unit in range met, with alike ones put into one."""
        return as_one(self._disliked)

    def silent(self, lines: tuple[Line, ...]) -> tuple[Because, ...]:
        """Return the guns that have no legal target, with what each enemy fails."""
        firing = {(line.model, line.weapon) for line in lines}
        return as_one(
            Because(
                clause="AI.SHOOT.1",
                candidates=self._sights.rest(model.row, self.unit.weapon(i), ()),
                models=(model.row,),
                weapon=self.unit.weapon(i).name,
            )
            for model in models_of(self.unit)
            for i in guns(self.unit, model)
            if (model.row, i) not in firing
        )

    def damage(self, line: Line, target: str, near: bool) -> float:
        """Return the expected damage of a line at a target."""
        keywords = self.view.weapon_keywords(self.unit, line.model, line.weapon, self.view.unit(target))
        key = (line.weapon, target, near, keywords)
        if key not in self._damage:
            foe = self.view.unit(target)
            self._damage[key] = expected_damage(
                self.view, self.unit, line.model, line.weapon, foe, half_range=near
            )
        return self._damage[key]

    def _entries(self, line: Line, weapon: WeaponFacts) -> tuple[list[Entry], list[Entry]]:
        """Return the legal targets seen in range, and those that only indirect fire reaches."""
        own = self.look.own.index(line.model)
        gaps, visible = self.look.gaps[own], self.look.visible[own]
        reach = within(gaps, self.view.reach(self.unit, weapon))
        seen, unseen = [], []
        for target in line.targets:
            column = self._columns.get(target)
            if column is None:
                continue
            if (column & reach & visible).any():
                seen.append(Entry(target, float(np.where(column & reach & visible, gaps, np.inf).min())))
            else:
                unseen.append(Entry(target, float(np.where(column, gaps, np.inf).min())))
        return seen, unseen

    def _preferred(
        self, line: Line, weapon: WeaponFacts, seen: list[Entry], unseen: list[Entry]
    ) -> tuple[str, Ranked, str]:
        """Return the first preference that a visible unit in range meets.

        Rule: R.A43, R.A45, R.A48, R.A49
        """
        salt = f"shoot/{line.model}/{line.weapon}"
        weapon = self._as_preferred(line, weapon)
        preferences = (
            ("AI.SHOOT.2", self.anti(weapon), "the closest that its Anti is against"),
            ("AI.SHOOT.3", self.precise(line, weapon), "the closest with a Leader"),
            ("AI.SHOOT.4", self.melts(weapon), "the closest that is neither INFANTRY nor SWARM"),
        )
        met: list[tuple[str, Ranked, str]] = []
        for clause, wanted, why in preferences:
            if wanted is None or (met and self.view.ruling("ai.shoot.preference_order") == "anti_first"):
                continue
            liked = [self._judge(e, wanted(e.id), clause) for e in seen]
            ranked = closest(self.view, liked, salt)
            if ranked.chosen:
                met.append((clause, ranked, why))
            else:
                self._dislike(clause, line, weapon, ranked)
        if met:
            return min(met, key=lambda each: each[1].distance)
        return self.any_closest(salt, seen, unseen)

    def _as_preferred(self, line: Line, weapon: WeaponFacts) -> WeaponFacts:
        """Return the weapon with the abilities that its preferences go by. Rule: R.A44, R.A48"""
        keywords = weapon.keywords
        if self.view.ruling("ai.shoot.granted_prefs") == "true":
            keywords = self.view.weapon_keywords(self.unit, line.model, line.weapon)
        if self.view.ruling("ai.shoot.anti_scope") == "model":
            own = [self.unit.weapon(i) for i in self.view.model(line.model).facts.weapons]
            keywords += tuple(
                k for gun in own if not gun.is_melee for k in gun.keywords if k.startswith(ANTI)
            )
        return msgspec.structs.replace(weapon, keywords=keywords) if keywords != weapon.keywords else weapon

    def _dislike(self, clause: str, line: Line, weapon: WeaponFacts, ranked: Ranked) -> None:
        """Note a preference that no unit in range meets."""
        rest = self._sights.rest(line.model, weapon, ranked.candidates)
        self._disliked.append(
            Because(
                clause=clause,
                candidates=(*ranked.candidates, *rest),
                models=(line.model,),
                weapon=weapon.name,
            )
        )

    @staticmethod
    def _judge(entry: Entry, good: bool, clause: str) -> Entry:
        names = {"AI.SHOOT.2": NOT_ANTI, "AI.SHOOT.3": NO_LEADER, "AI.SHOOT.4": INFANTRY_OR_SWARM}
        return entry if good else Entry(entry.id, entry.distance, names[clause])

    @carries_out("AI.SHOOT.1")
    def any_closest(self, salt: str, seen: list[Entry], unseen: list[Entry]) -> tuple[str, Ranked, str]:
        """Return the closest legal target; an unseen one only if none is seen.

        Rule: AI.SHOOT.1, R.A49
        """
        if self.view.ruling("ai.shoot.indirect") == "closest":
            return "AI.SHOOT.1", closest(self.view, [*seen, *unseen], salt), "the closest legal target"
        if not seen:
            return "AI.SHOOT.1", closest(self.view, unseen, salt), "the closest legal target, unseen"
        hidden = [Entry(e.id, e.distance, NOT_VISIBLE) for e in unseen]
        return "AI.SHOOT.1", closest(self.view, [*seen, *hidden], salt), "the closest legal target"

    @carries_out("AI.SHOOT.2")
    def anti(self, weapon: WeaponFacts) -> Wanted | None:
        """Return what a weapon with Anti prefers. Rule: AI.SHOOT.2, R.A44"""
        kinds = [k[5:].rpartition(" ")[0].upper() for k in weapon.keywords if k.startswith(ANTI)]
        if not kinds:
            return None
        return lambda target: any(self.view.unit(target).has(kind) for kind in kinds)

    @carries_out("AI.SHOOT.3")
    def precise(self, line: Line, weapon: WeaponFacts) -> Wanted | None:
        """Return what a weapon with Precision prefers: units whose CHARACTER it sees. Rule: R.A46"""
        if not weapon.has("precision"):
            return None
        return lambda target: self._sees_leader(line, self.view.unit(target))

    def _sees_leader(self, line: Line, target: Unit) -> bool:
        if not target.is_attached and self.view.ruling("ai.shoot.lone_leader") == "no":
            return False
        seen = self.look.visible[self.look.own.index(line.model)]
        at = {row: i for i, row in enumerate(self.look.rows)}
        leaders = [
            model.row
            for model in target.facts.models
            if model.row in target.rows and "CHARACTER" in target.facts.parts[model.part].keywords
        ]
        return any(bool(seen[at[row]]) for row in leaders)

    @carries_out("AI.SHOOT.4")
    def melts(self, weapon: WeaponFacts) -> Wanted | None:
        """Return what a weapon with Melta prefers. Rule: AI.SHOOT.4, R.A47"""
        if not weapon.has("melta"):
            return None
        return lambda target: not self._on_foot(self.view.unit(target))

    def _on_foot(self, target: Unit) -> bool:
        """Return whether a unit counts as INFANTRY or a SWARM: by any part of it, or by all.

        Rule: R.A47
        """
        parts = [bool({"INFANTRY", "SWARM"} & part.keywords) for part in target.parts]
        return any(parts) if self.view.ruling("ai.shoot.melta_mixed") == "any" else all(parts)
