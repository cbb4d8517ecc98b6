"""Recorded moves of units: calls of planners made again from plain data.

A file holds the moves of a battle, or of several one after another: a JSON value a line, compressed.
A line with `battle` tells of the battle of those that follow. A line with `thing` is a part of calls, such
as a ground or the outlines of bases. It stands before what names it by its number, and equal parts stand once
in a battle. A line with `move` is one call. All numbers are exact.

The shape of a base is written as base and facing, any other shape as its arcs. Nothing else depends on
how a commit computes.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from msgspec.structs import replace

from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.w40k.ground.engagement import Engagement
from geometry.group import group_move
from geometry.group.group_move import Front, Moved, Nearest, Party, Placed
from geometry.measure.coherency import Spacing
from geometry.measure.segment_crossing import Across
from geometry.path.blockage import Blocked
from geometry.path.elevation import Crowd, Layer, Rise
from geometry.path.ground import Ground
from geometry.shape.base import Base, Polygon
from geometry.shape.convex_shape import NOTHING, POINT, Outlines, Stance, core_of
from geometry.shape.core_polygon import Core

SUFFIX = ".jsonl.xz"
CALLS = ("move_toward", "move_to_point", "move_into_contact", "move_away", "place_group")
POLYGONS = ("walls", "no_stand", "area", "shun")
OUTLINES = ("solid", "avoid", "no_end", "end_avoid")
PLAIN = ("size", "flies", "free", "free_climb")
ROUND, MIXED, LONG = "one round size", "mixed round sizes", "ovals and hulls"
AWAY, OUT = "away", "out of a zone"
KINDS = {
    "move_toward": "toward",
    "move_to_point": "point",
    "move_into_contact": "contact",
    "move_away": AWAY,
    "place_group": "placement",
}
Data = dict[str, Any]
Outcome = Moved | Placed | Blocked


def plain_outcome(outcome: Outcome) -> Data:
    """Return what a planner gave as plain data: paths, places, or why there are none."""
    if isinstance(outcome, Placed):
        return {"xy": outcome.xy.tolist(), "left_out": outcome.left_out}
    if isinstance(outcome, Moved):
        paths = [[path.start, path.legs, path.z] for path in outcome.paths]
        return {"paths": paths, "left": outcome.left.tolist(), "lost": outcome.lost}
    return {"blocked": outcome.reason}


def gist(outcome: Outcome) -> Data:
    """Return whether a planner found something, what is left in all, and a digest of it all."""
    told = plain_outcome(outcome)
    digest = sha256(json.dumps(told).encode()).hexdigest()[:16]
    return {"found": "blocked" not in told, "left": sum(told.get("left", ())), "digest": digest}


def lines_of(path: Path) -> Iterator[Data]:
    """Yield the lines of a file."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


@dataclass
class Reading:
    """The parts of calls that a file holds, each made when it is first asked for, and then kept."""

    things: dict[int, Data] = field(default_factory=dict)
    made: dict[int, Any] = field(default_factory=dict)

    def get(self, number: int | None, default: Any = None) -> Any:
        """Return a part by its number; the default where there is none."""
        if number is None:
            return default
        if number not in self.made:
            thing = self.things[number]
            self.made[number] = MADE[thing["kind"]](self, thing["is"])
        return self.made[number]

    def outlines(self, number: int | None) -> Outlines:
        """Return shapes by their number."""
        found: Outlines = self.get(number, NOTHING)
        return found

    def polygons(self, number: int | None) -> tuple[Polygon, ...]:
        """Return areas by their number."""
        found: tuple[Polygon, ...] = self.get(number, ())
        return found


def nested(value: Any) -> Any:
    """Return a value with tuples in the place of lists, whatever their depth."""
    return tuple(map(nested, value)) if isinstance(value, list) else value


def _outlines_made(reading: Reading, told: Data) -> Outlines:
    core = tuple(reading.get(number, POINT) for number in told["core"])
    return Outlines(np.array(told["xy"]), np.array(told["radius"]), core)


def _base_made(reading: Reading, told: Data) -> Core:
    return core_of(Base(*told["base"]), told["facing"])


def _arcs_made(reading: Reading, told: list[Any]) -> Core:
    return Core(*map(np.array, told))


def _ground_made(reading: Reading, told: Data) -> Ground:
    # A record made before climbs could be free does not say it, and a tree of that time does not know it.
    known = [name for name in PLAIN if name in told and name in Ground.__struct_fields__]
    found = {name: told[name] for name in known} | {"size": nested(told["size"])}
    found |= {name: reading.polygons(told[name]) for name in POLYGONS}
    found |= {name: reading.outlines(told[name]) for name in OUTLINES}
    return Ground(**found, rises=reading.get(told["rises"], ()), crowd=reading.get(told["crowd"]))


def _rises_made(reading: Reading, told: list[Any]) -> tuple[Rise, ...]:
    return tuple(Rise(nested(polygon), height, nested(levels)) for polygon, height, levels in told)


def _crowd_made(reading: Reading, told: Data) -> Crowd:
    layers = {name: reading.get(told[name]) for name in OUTLINES}
    some = {name: layer for name, layer in layers.items() if layer is not None}
    return Crowd(**some, all=reading.outlines(told["all"]), z=np.array(told["z"], dtype=np.float64))


def _layer_made(reading: Reading, told: list[Any]) -> Layer:
    return Layer(reading.outlines(told[0]), np.array(told[1]), np.array(told[2]))


MADE: dict[str, Callable[[Reading, Any], Any]] = {
    "arcs": _arcs_made,
    "base": _base_made,
    "crowd": _crowd_made,
    "ground": _ground_made,
    "layer": _layer_made,
    "outlines": _outlines_made,
    "polygons": lambda reading, told: nested(told),
    "rises": _rises_made,
}


@dataclass(frozen=True)
class RecordedMove:
    """One call of a planner of units, as a file tells of it."""

    told: Data
    battle: Data
    reading: Reading = field(repr=False)

    @property
    def name(self) -> str:
        """Return the name, which no other recorded move has."""
        return str(self.told["name"])

    @property
    def kind(self) -> str:
        """Return what is asked: toward, point, contact, away, out of a zone, placement."""
        return OUT if self.told.get("stays") is False else KINDS[self.told["call"]]

    @property
    def shapes(self) -> str:
        """Return which bases the unit has: round of one size or of mixed sizes, or ovals and hulls."""
        if "party" not in self.told:
            rounds = [each if isinstance(each, float) else each[0] for each in self.told["bases"]]
            is_long = any(isinstance(each, list) and each[1] is not None for each in self.told["bases"])
        else:
            party = self.told["party"]
            rounds, is_long = party["radius"], any(a != b for _, a, b in party["bases"])
            is_long = is_long or any(shape == "hull" for shape, _, _ in party["bases"])
        if is_long:
            return LONG
        return ROUND if len(set(rounds)) == 1 else MIXED

    @property
    def is_walled(self) -> bool:
        """Return whether it was made on a table with walls and floors."""
        return bool(self.battle["walled"])

    @property
    def is_high(self) -> bool:
        """Return whether a model of a unit that moves stands above the ground."""
        return any(self.told.get("party", {}).get("z") or ())

    @property
    def ground(self) -> Ground:
        """Return its ground."""
        found: Ground = self.reading.get(self.told["ground"])
        return found

    @property
    def spacing(self) -> Spacing:
        """Return how near the models must stand."""
        return Spacing(*self.told["spacing"])

    @property
    def party(self) -> Party:
        """Return the models of a unit that moves."""
        told = self.told["party"]
        names = ("xy", "radius", "limit", "facing", "pivot", "z")
        rows: Data = {name: None if told[name] is None else np.array(told[name]) for name in names}
        found = Party(**rows, bases=tuple(Base(*base) for base in told["bases"]))
        return found if told["budget"] is None else replace(found, **_budget(*told["budget"]))

    @property
    def stances(self) -> list[Stance]:
        """Return how the models of a unit stand that is set up."""
        told = self.told["bases"]
        pairs = [(each, None) if isinstance(each, float) else each for each in told]
        return [Stance(radius, self.reading.get(core, POINT)) for radius, core in pairs]

    def outlines(self, name: str) -> Outlines:
        """Return the shapes of an argument."""
        return self.reading.outlines(self.told[name])

    def question(self) -> Callable[[], Outcome]:
        """Return the call, all its arguments made: what is timed is the planner alone."""
        told, call = self.told, self.told["call"]
        planner: Callable[..., Outcome] = getattr(group_move, call)
        if call == "place_group":
            return partial(planner, *self._set_up())
        unit = self.party
        if call == "move_away":
            return partial(planner, unit, self.outlines("threats"), self.ground, self.spacing)
        if call == "move_into_contact":
            targets = [self.reading.outlines(number) for number in told["targets"]]
            rest = (told["reach"], told["must_reach_all"], self.across())
            return partial(planner, unit, targets, self.ground, self.spacing, *rest)
        if call == "move_to_point":
            point = nested(told["point"])
            return partial(planner, unit, point, self.ground, self.spacing, told["stays"])
        goal, stop = self.outlines("goal"), told["stop"]
        return partial(planner, unit, goal, self.ground, self.spacing, stop, told["stays"])

    def plan(self) -> Outcome:
        """Return what the planner of this commit gives."""
        return self.question()()

    @property
    def near(self) -> Front | Nearest:
        """Return what a unit is set up by."""
        front = self.told["front"]
        if front is None:
            return Nearest(self.outlines("nearest"))
        # A tree in which no place of a front is wanted knows the stretches alone.
        first = [nested(self.told.get("first") or ())] if "first" in Front.__struct_fields__ else []
        return Front(nested(front), *first)

    def _set_up(self) -> tuple[Any, ...]:
        is_plain = bool(self.told["bases"]) and isinstance(self.told["bases"][0], float)
        bases = np.array(self.told["bases"]) if is_plain else self.stances
        beyond = self.reading.get(self.told["overflow"])
        return bases, self.ground, self.spacing, self.near, beyond

    def across(self) -> Across | None:
        """Return where bases may be near enough across barricades; None where there are none."""
        told = self.told["across"]
        if told is None:
            return None
        reach, farther = told["reach"], told["farther"]
        parameters = replace(HORDE_1_1.parameters, engagement=reach, engagement_barricade=farther)
        engagement = Engagement(parameters, self.reading.polygons(told["barricades"]))
        return engagement.across(self.reading.outlines(told["places"]))


def _budget(most: int, spent: int) -> Data:
    """Return the budget of a unit as an argument; nothing in a commit without budgets."""
    if "budget" not in Party.__struct_fields__:
        return {}
    made = import_module("geometry.path.budget").Budget(most)
    made.spent = spent
    return {"budget": made}


@dataclass
class Section:
    """The part of a file that is of one battle: the lines of its parts and of its moves."""

    battle: Data
    things: dict[int, Data] = field(default_factory=dict)
    moves: list[Data] = field(default_factory=list)

    def recorded(self) -> Iterator[RecordedMove]:
        """Yield the moves, which share their parts."""
        shared = Reading(self.things)
        for told in self.moves:
            yield RecordedMove(told, self.battle, shared)


def sections_of(path: Path) -> Iterator[Section]:
    """Yield the sections of a file."""
    section: Section | None = None
    for line in lines_of(path):
        if "battle" in line:
            if section is not None:
                yield section
            section = Section(line["battle"])
        elif section is not None and "thing" in line:
            section.things[line["thing"]] = line
        elif section is not None:
            section.moves.append(line["move"])
    if section is not None:
        yield section


def moves_of(path: Path) -> Iterator[RecordedMove]:
    """Yield the moves of a file, or of each file of a folder; those of a battle share parts."""
    for each in sorted(path.glob(f"*{SUFFIX}")) if path.is_dir() else [path]:
        for section in sections_of(each):
            yield from section.recorded()
