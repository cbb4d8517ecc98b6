"""Attacks declared in words: all at one target, or weapon by weapon.

Owns which lines of a question a declaration takes; what an attack does on average is `ai.reckoning`'s.
"""

from __future__ import annotations

from collections import Counter

from engine.core.event import Shot
from engine.core.request import AnyAnswer, Line, Option, Split, Splits
from engine.w40k.view import View
from viewer.input.odds import best_at
from viewer.input.reading import NOTHING, picked

Group = tuple[int, str, tuple[str, ...]]
"""Lines that are declared together: the weapon's place, its set, its targets."""


def weapon_groups(request: Split) -> list[Group]:
    """Return the weapons that may attack, those alike and with the same targets together."""
    return list(dict.fromkeys((line.weapon, line.set, line.targets) for line in request.lines))


class WeaponTalk:
    """The declaring of attacks, weapon by weapon; a used profile rules out the model's others."""

    def __init__(self, view: View, request: Split, advice: AnyAnswer) -> None:
        """Take the weapons that may attack, and what the adviser would declare."""
        self.view = view
        self.unit = view.unit(request.unit)
        self.request = request
        self.advised = advice.shots if isinstance(advice, Splits) else ()
        self.shots: list[Shot] = []
        self._used: set[str] = set()
        self._sets: dict[int, str] = {}

    def left_of(self, group: Group) -> list[Line]:
        """Return the lines of a group that may still be used."""
        return [
            line
            for line in self.request.lines
            if (line.weapon, line.set, line.targets) == group
            and line.group not in self._used
            and (not line.set or self._sets.get(line.model, line.set) == line.set)
        ]

    def told(self, group: Group) -> str:
        """Return a group as a question: the weapon, how many, its targets by number."""
        weapon, _, targets = group
        facts, count = self.unit.weapon(weapon), len(self.left_of(group))
        reach = "" if facts.range is None else f', {facts.range:g}"'
        listed = ", ".join(f"{i} {self.view.unit(t).name}" for i, t in enumerate(targets, start=1))
        return f"{count} × {facts.name} (A{facts.attacks} S{facts.strength}{reach}): {listed}, none"

    def declare(self, group: Group, text: str) -> None:
        """Declare a group's attacks at a target by number or name; an empty text takes the advice."""
        lines = self.left_of(group)
        if not text:
            wanted = Counter(self.advised)
            for line in lines:
                shot = next((s for s in wanted if wanted[s] and self._is_of(s, line)), None)
                if shot is not None:
                    wanted[shot] -= 1
                    self._fire(line, shot.target)
            return
        if text.lower() in NOTHING:
            return
        target = self._target(group[2], text)
        for line in lines:
            self._fire(line, target)

    def all_at(self, text: str) -> Splits:
        """Return the attacks at one target of the profiles that do most there, or none."""
        if text.lower() in NOTHING:
            return Splits()
        everyone = tuple(dict.fromkeys(t for line in self.request.lines for t in line.targets))
        target = self._target(everyone, text)
        best = best_at(self.view, self.request, target)
        used = {(aim.line.model, aim.line.weapon) for aim in best}
        for line in self.request.lines:
            if (line.model, line.weapon) in used and target in line.targets:
                self._fire(line, target)
        return self.answer()

    def answer(self) -> Splits:
        """Return the attacks declared, in the order in which the weapons were offered."""
        return Splits(shots=tuple(self.shots))

    def _is_of(self, shot: Shot, line: Line) -> bool:
        return (shot.model, shot.weapon) == (line.model, line.weapon) and shot.target in line.targets

    def _fire(self, line: Line, target: str) -> None:
        if line.group and line.group in self._used:
            return
        if line.set and self._sets.setdefault(line.model, line.set) != line.set:
            return
        if line.group:
            self._used.add(line.group)
        self.shots.append(Shot(model=line.model, weapon=line.weapon, target=target))

    def _target(self, targets: tuple[str, ...], text: str) -> str:
        options = [Option(id=t, label=self.view.unit(t).name) for t in targets]
        return picked(options, text, several=False)[0]
