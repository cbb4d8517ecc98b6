"""A typed line as an answer: names and numbers, a wish as a legal move or set-up.

Raises Misread, with what would be understood, where a line means nothing. Whether the answer is legal is the
engine's to say.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from ai.moving.flying import Flights
from ai.moving.move_planning import (
    STOP_SHORT_INCHES,
    Plan,
    close_in,
    into_combat,
    into_contact,
    stand,
    to_marker,
    to_point,
    toward,
)
from ai.moving.placement import anywhere, as_many_as_fit
from ai.moving.retreat import away
from ai.moving.surging import closest_approach
from engine.core.event import Shot
from engine.core.facts import Point
from engine.core.request import (
    AnyAnswer,
    AnyRequest,
    Choose,
    Chosen,
    Line,
    Move,
    Moves,
    Option,
    Order,
    Ordered,
    Place,
    Places,
    Said,
    Split,
    Splits,
    YesNo,
)
from engine.core.state import Unit
from engine.w40k.view import View

NOTHING = ("none", "nothing", "no")


class Misread(Exception):  # noqa: N818 - a person's slip of the pen is no error
    """A line that means nothing here; the text says what would be understood."""


def answer_of(view: View, request: AnyRequest, text: str) -> AnyAnswer:
    """Return the answer that a line means."""
    if isinstance(request, Choose):
        return _choice(request, text)
    if isinstance(request, Order):
        return _order(request, text)
    if isinstance(request, YesNo):
        return _yes_or_no(text)
    if isinstance(request, Move):
        return _move(view, request, text)
    if isinstance(request, Place):
        return _place(view, request, text)
    return WeaponTalk(view, request, Splits()).all_at(text)


# choosing


def _choice(request: Choose, text: str) -> Chosen:
    if request.minimum == 0 and text.lower() in NOTHING:
        return Chosen(ids=())
    return Chosen(ids=_picked(request.options, text, several=request.maximum > 1))


def _order(request: Order, text: str) -> Ordered:
    first = _picked(request.items, text, several=True)
    return Ordered(ids=(*first, *(item.id for item in request.items if item.id not in first)))


def _yes_or_no(text: str) -> Said:
    word = text.lower()
    if word in ("y", "yes", "n", "no"):
        return Said(yes=word.startswith("y"))
    raise Misread("Answer yes or no.")


def _picked(options: Sequence[Option], text: str, several: bool) -> tuple[str, ...]:
    """Return the ids of options given by numbers, by one id, or by the beginning of one label."""
    words = text.replace(",", " ").split()
    wrong = [word for word in words if not _is_number_to(word, len(options))]
    if wrong:
        # Ids may be numbers, too: what is written beside an option counts first.
        named = [o.id for o in options if text.lower() in (o.id.lower(), o.label.lower())]
        named = named or [o.id for o in options if o.label.lower().startswith(text.lower())]
        if len(named) == 1:
            return (named[0],)
        if named:
            numbers = [str(i) for i, option in enumerate(options, start=1) if option.id in named]
            raise Misread(f"'{text}' may be {', '.join(numbers[:9])}; give one of these numbers.")
        raise Misread(f"'{wrong[0]}' is no option; give a number from 1 to {len(options)}.")
    if len(words) > 1 and not several:
        raise Misread("Choose one of them.")
    return tuple(options[int(word) - 1].id for word in words)


def _is_number_to(word: str, most: int) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 6 and 1 <= int(word) <= most


# moving


def _move(view: View, request: Move, text: str) -> Moves:
    unit = view.unit(request.unit)
    words, limits = _shortened(request, text.split())
    word = words[0].lower() if words else ""
    if request.least:
        return _flight(view, unit, words)
    if word in ("stay", "stand") and len(words) == 1:
        plan = stand(view, unit)
    elif word == "away" and len(words) == 1:
        plan = _found(away(view, unit, limits, kind=request.kind, threats=_threats(view, unit)), "way out")
    elif word in ("toward", "towards", "to") and len(words) > 1:
        plan = _toward(view, unit, request, limits, " ".join(words[1:]))
    else:
        raise Misread('Say "toward X Y", "toward NAME", "away" or "stay"; "by 3" after it stops 3" on.')
    return Moves(paths=plan.paths)


def _flight(view: View, unit: Unit, words: list[str]) -> Moves:
    """Return a flight of so many inches with the turn after it, or none, off the board. Rule: CORE.AIR.2"""
    said = [word.lower() for word in words]
    if said == ["leave"]:
        return Moves()
    if said[:1] != ["ahead"] or len(said) not in (2, 4) or said[2:3] not in ([], ["turn"]):
        raise Misread('Say "ahead 24", "ahead 24 turn 45" (to the left; -45 to the right), or "leave".')
    flights, far = Flights(view, unit), _number(said[1])
    turn = _number(said[3]) if len(said) == 4 else 0.0
    return Moves(paths=flights.flown(far, turn).paths)


def _shortened(request: Move, words: list[str]) -> tuple[list[str], dict[int, float]]:
    """Return the words without "by N" at their end, and the limits cut to that."""
    if len(words) < 3 or words[-2].lower() != "by":
        return words, request.limits
    far = _number(words[-1])
    if far < 0:
        raise Misread("A move is not shorter than nothing.")
    return words[:-2], {row: min(limit, far) for row, limit in request.limits.items()}


def _threats(view: View, unit: Unit) -> tuple[str, ...]:
    """Return whom to get away from: those engaged with, or else the nearest enemy."""
    enemies = view.enemies(unit)
    if view.is_engaged(unit) or not enemies:
        return ()
    return (min(enemies, key=lambda enemy: (view.gap(unit, enemy), enemy.id)).id,)


def _toward(view: View, unit: Unit, request: Move, limits: dict[int, float], text: str) -> Plan:
    if request.kind == "charge":
        return _found(into_contact(view, unit, "charge", limits, request.targets), "way into contact")
    point = _point(text)
    if request.kind == "surge":
        return closest_approach(view, replace(request, limits=limits))
    if request.kind in ("pile-in", "consolidate"):
        return _combat_move(view, unit, replace(request, limits=limits))
    if point is not None:
        return to_point(view, unit, request.kind, limits, _on_board(view, unit, point))
    name = _named(view, text)
    if name in view.objectives:
        return to_point(view, unit, request.kind, limits, view.objectives[name].at)
    other = view.unit(name)
    stop = view.parameters.engagement + STOP_SHORT_INCHES if other.side != unit.side else 0.0
    return toward(view, unit, request.kind, limits, view.field.outlines(other.rows), stop)


def _on_board(view: View, unit: Unit, point: Point) -> Point:
    """Return the nearest point at which each base of a unit lies on the board."""
    bases = [view.model(row).facts.base for row in unit.rows]
    half = max(max(base.length, base.width) for base in bases) / 2
    x, y = (
        min(max(at, half), max(size - half, half)) for at, size in zip(point, view.board.size, strict=True)
    )
    return x, y


def _combat_move(view: View, unit: Unit, request: Move) -> Plan:
    """Return the pile-in or consolidation; its rules leave no choice of where to."""
    if request.kind == "pile-in":
        return _found(close_in(view, unit, request.kind, request.limits), "such move")
    plan = into_combat(view, request)
    if plan is None:
        found = to_marker(view, unit, request.limits)
        plan = found[1] if found else None
    return _found(plan, "such move")


def _found(plan: Plan | None, what: str) -> Plan:
    if plan is None:
        raise Misread(f"There is no {what}.")
    return plan


# setting up


def _place(view: View, request: Place, text: str) -> Places:
    words = text.split()
    if request.optional and text.lower() in (*NOTHING, "decline"):
        return Places()
    if words[0].lower() != "at" or len(words) < 2:
        decline = ', or "none" to decline' if request.optional else ""
        raise Misread(f'Say "at X Y" or "at NAME"{decline}.')
    where, _, facing = " ".join(words[1:]).partition(" facing ")
    if facing and request.piece is not None:
        point = _point(where)
        if point is None:
            raise Misread('Say "at X Y facing DEGREES".')
        return Places(poses={-1: (*point, 0.0, _number(facing) % 360.0)})
    point = _point(where) or _spot_of(view, _named(view, where))
    poses = anywhere(view, request, point)
    if poses is None and request.partly:
        poses = as_many_as_fit(view, request)
    if poses is None:
        raise Misread("It does not fit anywhere in the area.")
    return Places(poses=poses)


def _spot_of(view: View, name: str) -> Point:
    if name in view.objectives:
        return view.objectives[name].at
    x, y = view.xy(view.unit(name)).mean(axis=0)
    return float(x), float(y)


def _point(text: str) -> Point | None:
    """Return a place given by two numbers, None where the text begins with no number."""
    words = text.replace(",", " ").split()
    if len(words) != 2:
        return None
    try:
        x, y = float(words[0]), float(words[1])
    except ValueError:
        return None
    if not (math.isfinite(x) and math.isfinite(y) and max(abs(x), abs(y)) < 1000):
        raise Misread("That is no place on the table.")
    return x, y


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise Misread(f"'{text}' is no number of inches.") from None
    if not math.isfinite(value):
        raise Misread(f"'{text}' is no number of inches.")
    return value


def _named(view: View, text: str) -> str:
    """Return the id of the unit on the table or objective that a text names."""
    word = text.strip().lower()
    names = {i: i.lower() for i in view.objectives}
    names |= {unit.id: unit.name.lower() for unit in view.units()}
    exact = [i for i in names if i.lower() == word]
    found = exact or [i for i, name in names.items() if name == word]
    found = found or [i for i, name in names.items() if word in name or word in i.lower()]
    if len(found) == 1:
        return found[0]
    if not found:
        raise Misread(f"Nothing on the table is called '{text.strip()}'; ? lists what is there.")
    raise Misread(f"'{text.strip()}' may be {', '.join(found[:6])}; give one of these ids.")


# attacking


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
        """Return the attacks of every weapon that can reach one target, or none."""
        if text.lower() in NOTHING:
            return Splits()
        everyone = tuple(dict.fromkeys(t for line in self.request.lines for t in line.targets))
        target = self._target(everyone, text)
        for group in weapon_groups(self.request):
            if target in group[2]:
                for line in self.left_of(group):
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
        return _picked(options, text, several=False)[0]
