"""The public answers of a View as bytes, by their names and arguments.

Answers are given by attributes, properties and methods. Methods get arguments that fit the names and
annotations of their parameters; of two and more, some are drawn. A parameter that nothing here fits raises
Unfit, so that a new method is never left out.
"""

from __future__ import annotations

import dataclasses
import hashlib
import inspect
import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from random import Random
from typing import Any

import msgspec
import numpy as np
from shapely.geometry.base import BaseGeometry

from engine.core.event import Event
from engine.core.facts import Facts
from engine.core.log import AnswerLine, BecauseLine
from engine.core.replay import encode
from engine.core.request import AnyAnswer, Said
from engine.core.state import Unit
from engine.w40k.battle import Battle
from engine.w40k.view import View

DRAWN = 6
"""The most calls of a method with several parameters for each value of the first parameter."""
FIRST = 24
"""The most calls of such a method in all, and the most numbers of an array given in full.

A first parameter with more values gets one call for each. Longer arrays are given as their digest.
"""
DEEP = 7
"""How many steps from an answer into objects that are no plain data are followed."""
ASKED = ("Battlefield", "CombatField", "Tabletop", "Question")
"""The classes whose methods are asked too where a View gives one out."""
KINDS = ("normal", "advance", "fall-back", "charge", "pile-in", "consolidate")
SIDES = ("horde", "players")
ABILITIES = ("stealth", "cover", "scouts", "deep strike", "fights first", "lone operative")

RAISES = b"raises "
"""How the answer to a question begins that cannot be answered."""

Answers = dict[str, bytes]


class Unfit(Exception):  # noqa: N818 - it is a finding
    """A method that cannot be asked, as nothing is known that fits a parameter of it."""


# answers as bytes


class Plain:
    """Things as plain data; facts, which never change, are read once."""

    def __init__(self) -> None:
        """Begin with nothing read."""
        self._facts: dict[int, tuple[object, str]] = {}

    def bytes(self, value: object) -> bytes:
        """Return a thing as bytes that are equal for equal things."""
        return json.dumps(self._of(value, ())).encode()

    def _of(self, value: Any, above: tuple[int, ...]) -> Any:
        if value is None or isinstance(value, bool | int | float | str):
            return value
        if isinstance(value, np.ndarray | np.generic):
            return _numbers(np.asarray(value))
        if isinstance(value, bytes):
            return value.hex()
        if isinstance(value, Event | AnswerLine | BecauseLine):
            return encode(value).decode()
        if id(value) in above or len(above) > DEEP:
            return f"… {type(value).__name__}"
        above = (*above, id(value))
        if isinstance(value, Facts):
            return self._read_once(value, above)
        if isinstance(value, Mapping):
            return [[self._of(key, above), self._of(each, above)] for key, each in value.items()]
        if isinstance(value, set | frozenset):
            return sorted((self._of(each, above) for each in value), key=json.dumps)
        if isinstance(value, list | tuple):
            return [self._of(each, above) for each in value]
        if isinstance(value, BaseGeometry):
            return value.wkb_hex
        if callable(value):
            return getattr(value, "__qualname__", type(value).__name__)
        return [type(value).__name__, {k: self._of(each, above) for k, each in attributes(value)}]

    def _read_once(self, facts: Facts, above: tuple[int, ...]) -> str:
        if id(facts) not in self._facts:
            text = json.dumps([[k, self._of(each, above)] for k, each in attributes(facts)])
            self._facts[id(facts)] = facts, f"{type(facts).__name__} {_short(text.encode())}"
        return self._facts[id(facts)][1]


def _numbers(array: Any) -> list[Any]:
    if array.dtype == object:
        return [str(each) for each in array.ravel().tolist()]
    if array.size <= FIRST:
        return [array.dtype.str, array.tolist()]
    return [array.dtype.str, list(array.shape), _short(np.ascontiguousarray(array).tobytes())]


def _short(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:20]


def attributes(value: object) -> Iterator[tuple[str, Any]]:
    """Yield the public attributes of an object, not its properties and methods."""
    if isinstance(value, msgspec.Struct):
        names = list(value.__struct_fields__)
    elif dataclasses.is_dataclass(value):
        names = [each.name for each in dataclasses.fields(value)]
    else:
        slots = (name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ()))
        names = [*slots, *getattr(value, "__dict__", ())]
    for name in names:
        if not name.startswith("_"):
            yield name, getattr(value, name)


# arguments


class Fitting:
    """Arguments that fit the parameters of methods, from what lies open in a battle."""

    def __init__(self, battle: Battle, view: View, answers: tuple[AnyAnswer, ...]) -> None:
        """Take what is on the table and what is asked."""
        here = battle.state.position
        numbers = tuple(battle.ruleset.language.numbers)
        self.request = battle.pending
        self.units = list(here.units.values())
        self.table = here.on_table()
        self.by_name: dict[str, list[Any]] = {
            "deck": [*battle.state.decks, "nothing"],
            "side": [*SIDES],
            "seat": ["horde", *battle.state.players],
            "rule": [rule.id for rule in battle.rulebook.rules],
            "keyword": ["FLY", "VEHICLE"],
            "enough": [("ruin",)],
            "key": [each.key for each in battle.ruleset.settings],
            "name": list(numbers),
            "question": list(battle.ruleset.language.questions),
            "ability": list(ABILITIES),
            "kind": list(KINDS),
            "stream": ["ai.tie", "fuzz"],
            "salt": ["", "1"],
            "moment": [None, 0],
            "count": [6, 1000],
            "facing": [None, 90.0],
            "base": [3.0],
            "margin": [0.0, 1.0],
            "radius": [0.0, 1.0],
            "clear": [0.0, 9.0],
            "make": [lambda: 0],
            "request": [self.request],
            "answer": [*answers, Said(yes=True)],
            "numbers": [numbers[:8], numbers],
            "names": [numbers],
            "ids": [("a", "b"), ("a", "b", "c")],
            "xy": [None],
            "at": [*[each.at for each in here.objectives.values()], (10.0, 10.0)],
            "polygon": [zone.polygon for zone in here.zones.values()],
            "objective": list(here.objectives.values()),
            "discs": [(), (((10.0, 10.0), 3.0),)],
        }
        if view.seat not in self.by_name["seat"]:
            self.by_name["seat"].append(view.seat)

    def every(self, parameter: inspect.Parameter, drawn: dict[str, Any]) -> list[Any]:
        """Return the arguments that fit a parameter, beside those drawn before it."""
        told = str(parameter.annotation)
        unit = next((each for each in drawn.values() if isinstance(each, Unit)), None)
        rows = unit.rows if unit is not None else tuple(row for each in self.units for row in each.rows)
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            return self._contexts()
        if told in ("Unit", "Unit | None"):
            return [*self.units, *([None] if "None" in told else [])]
        if told == "list[Unit]":
            return [[], list(self.table), self.table[:2]]
        if parameter.name == "unit" and told == "str":
            return [each.id for each in self.units]
        if parameter.name == "targets":
            return [(), *((each.id,) for each in self.table)]
        if parameter.name == "row":
            return list(rows)
        if parameter.name in ("rows", "a", "b") and told in ("Rows", "tuple[int, ...]", "Sequence[int]"):
            return [rows, rows[:1]]
        if parameter.name == "at" and told == "Sequence[Point]":
            return [tuple(self.by_name["at"])]
        if parameter.name == "weapon" and told == "WeaponFacts":
            return [weapon for each in ([unit] if unit else self.units) for weapon in each.facts.weapons]
        if parameter.name == "weapon":
            return list(range(len(unit.facts.weapons))) if unit is not None else [0]
        if parameter.name == "limits":
            return [dict.fromkeys(rows, 6.0), {}]
        if parameter.name in ("paths", "legs"):
            return [{}, None] if "None" in told else [{}] if parameter.name == "paths" else [()]
        if told.startswith("bool"):
            return [False, True, *([None] if "None" in told else [])]
        known = self.by_name.get(parameter.name, [])
        return [None, *known] if "None" in told and None not in known else known

    def _contexts(self) -> list[dict[str, Any]]:
        """Return the names of things that questions to the rules are about."""
        found: list[dict[str, Any]] = [{}]
        found += [{"player": seat} for seat in self.by_name["seat"]]
        for unit in self.table:
            enemy = next((each for each in self.table if each.side != unit.side), None)
            weapon = unit.facts.weapons[0] if unit.facts.weapons else None
            attack = {"unit": unit, "attacker": unit, "target": enemy, "weapon": weapon, "melee": False}
            found += [{"unit": unit}, attack, {**attack, "melee": True}]
        return found


# asking


class Inquiry:
    """Questions to Views: the same to each that is asked."""

    def __init__(self, seed: str, often: int = DRAWN) -> None:
        """Draw arguments by a seed; ask for each first of several arguments at the most so often."""
        self._seed = seed
        self._often = often
        self._plain = Plain()

    def answers(self, view: View, fitting: Fitting) -> Answers:
        """Return every public answer of a View. Raises Unfit for a method that cannot be asked."""
        return dict(self._of(view, "view", fitting, strict=True))

    def _of(self, thing: object, name: str, fitting: Fitting, *, strict: bool) -> Iterator[tuple[str, bytes]]:
        for attribute in public_names(thing):
            label = f"{name}.{attribute}"
            found = inspect.getattr_static(thing, attribute)
            if callable(found) or isinstance(found, staticmethod | classmethod):
                yield from self._calls(getattr(thing, attribute), label, fitting, strict=strict)
            else:
                yield from self._told(label, partial(getattr, thing, attribute), fitting)

    def _told(self, label: str, ask: Callable[[], Any], fitting: Fitting) -> Iterator[tuple[str, bytes]]:
        """Yield an answer, or those of a thing that is asked further."""
        try:
            answer = ask()
        except Exception as fault:
            yield label, RAISES + f"{type(fault).__name__}: {fault}".encode()
            return
        if type(answer).__name__ in ASKED:
            yield from self._of(answer, label, fitting, strict=False)
        else:
            yield label, self._plain.bytes(answer)

    def _calls(
        self, method: Callable[..., Any], label: str, fitting: Fitting, *, strict: bool
    ) -> Iterator[tuple[str, bytes]]:
        """Yield the answers of a method to arguments that fit."""
        parameters = list(inspect.signature(method).parameters.values())
        unfit = [each.name for each in parameters if not fitting.every(each, {})]
        if unfit:
            if strict and fitting.units:
                raise Unfit(f"{label}: nothing fits {', '.join(unfit)}")
            return
        for arguments in self._drawn(parameters, fitting, Random(f"{self._seed}/{label}")):
            said = ", ".join(f"{key}={_named(value)}" for key, value in arguments.items())
            given = dict(arguments)
            for each in parameters:
                if each.kind is inspect.Parameter.VAR_KEYWORD:
                    given |= given.pop(each.name)
            yield from self._told(f"{label}({said})", partial(method, **given), fitting)

    def _drawn(
        self, parameters: list[inspect.Parameter], fitting: Fitting, chance: Random
    ) -> Iterator[dict[str, Any]]:
        """Yield the arguments of each call of a method, by the names of its parameters.

        A single parameter takes every value that fits. Of several, the first takes every value, and values
        of the others are drawn. Of many values of a first `**` parameter, some are drawn.
        """
        if not parameters:
            yield {}
            return
        first, *others = parameters
        every = fitting.every(first, {})
        if first.kind is inspect.Parameter.VAR_KEYWORD and len(every) > 2 * self._often:
            every = chance.sample(every, 2 * self._often)
        often = 1 if not others else max(1, min(self._often, FIRST // len(every)))
        for value in every:
            for _ in range(often):
                found = {first.name: value}
                for other in others:
                    options = fitting.every(other, found)
                    found[other.name] = options[chance.randrange(len(options))] if options else None
                yield found


def public_names(thing: object) -> list[str]:
    """Return the names of the public attributes, properties and methods of a thing, in order."""
    names = {*dir(type(thing)), *getattr(thing, "__dict__", ())}
    return sorted(name for name in names if not name.startswith("_"))


def _named(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_named(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple) and len(value) > 4:
        return f"{len(value)} of them"
    name = getattr(value, "id", None) or getattr(value, "name", None)
    return str(name) if name else repr(value) if not callable(value) else "…"
