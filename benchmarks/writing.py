"""Calls of planners of units written down, in the form that `recorded.py` reads.

Owns the numbers of the parts that calls share. Which calls are written down is `benchmarks/record.py`'s.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.recorded import (
    OUTLINES,
    PLAIN,
    POLYGONS,
    Data,
    Outcome,
    Reading,
    RecordedMove,
    Section,
    gist,
)
from engine.w40k.ground.engagement import Engagement
from geometry.group.group_move import Front, Nearest, Party
from geometry.measure.coherency import Spacing
from geometry.measure.segment_crossing import Across
from geometry.path.elevation import Crowd, Layer
from geometry.path.ground import Ground
from geometry.shape.base import Base, Polygon
from geometry.shape.convex_shape import POINT, Outlines
from geometry.shape.core_polygon import Core

Facing = tuple[Base, float]


class Writing:
    """The lines of the moves of one battle, each part of them once."""

    def __init__(self, battle: Data) -> None:
        """Begin with the line of the battle."""
        self.lines: list[str] = [json.dumps({"battle": battle})]
        self.name = str(battle["name"])
        self.facings: dict[int, tuple[Core, Facing]] = {}
        """The cores of bases by identity, kept here so that no other takes that identity."""
        self._things: dict[str, int] = {}
        self._moves: set[str] = set()

    def note(self, core: Core, base: Base, facing: float) -> None:
        """Remember that a core is that of a base at a facing."""
        if core is not POINT:
            self.facings[id(core)] = (core, (base, float(facing)))

    @property
    def count(self) -> int:
        """Return the number of calls."""
        return len(self._moves)

    def asked(self, call: str, given: Mapping[str, Any]) -> Data:
        """Return a call of a planner as plain data, as it is before the call; its parts are written."""
        return {"call": call, **ENCODED[call](self, given)}

    def write(self, asked: Data, outcome: Outcome) -> None:
        """Add a call with what it gave; one that is there already is not added again."""
        text = json.dumps(asked)
        if text in self._moves:
            return
        name = f"{self.name}/{len(self._moves)}"
        self._moves.add(text)
        self.lines.append(json.dumps({"move": {"name": name, **asked, "gave": gist(outcome)}}))

    def save(self, path: Path) -> None:
        """Write all lines into a file, which is there whole or not at all."""
        part = path.with_name(path.name + ".part")
        part.write_bytes(compressed(self.lines))
        part.rename(path)

    def thing(self, kind: str, value: Any) -> int:
        """Return the number of a part."""
        text = json.dumps([kind, value])
        if text not in self._things:
            self._things[text] = len(self._things)
            self.lines.append(json.dumps({"thing": self._things[text], "kind": kind, "is": value}))
        return self._things[text]

    def outlines(self, shapes: Outlines) -> int | None:
        """Return the number of some shapes, None where there are none."""
        if not len(shapes):
            return None
        cores = [self.core(core) for core in shapes.core]
        return self.thing(
            "outlines", {"xy": shapes.xy.tolist(), "radius": shapes.radius.tolist(), "core": cores}
        )

    def core(self, core: Core) -> int | None:
        """Return the number of a core, None for a point."""
        if core is POINT:
            return None
        known = self.facings.get(id(core))
        if known is not None:
            base, facing = known[1]
            return self.thing("base", {"base": plain_base(base), "facing": facing})
        arcs = [core.centre.tolist(), core.radius.tolist(), core.low.tolist(), core.width.tolist()]
        return self.thing("arcs", arcs)

    def polygons(self, areas: Sequence[Polygon] | None) -> int | None:
        """Return the number of some areas, None where there are none."""
        return self.thing("polygons", areas) if areas else None

    def ground(self, ground: Ground) -> int:
        """Return the number of a ground."""
        found: Data = {name: getattr(ground, name) for name in PLAIN}
        found |= {name: self.polygons(getattr(ground, name)) for name in POLYGONS}
        found |= {name: self.outlines(getattr(ground, name)) for name in OUTLINES}
        rises = [[rise.polygon, rise.height, rise.levels] for rise in ground.rises]
        found["rises"] = self.thing("rises", rises) if rises else None
        found["crowd"] = None if ground.crowd is None else self._crowd(ground.crowd)
        if missed := set(ground.__struct_fields__) - set(found):
            raise TypeError(f"a ground has more than is recorded: {', '.join(sorted(missed))}")
        return self.thing("ground", found)

    def _crowd(self, crowd: Crowd) -> int:
        layers = {name: self._layer(getattr(crowd, name)) for name in OUTLINES}
        return self.thing("crowd", {**layers, "all": self.outlines(crowd.all), "z": crowd.z.tolist()})

    def _layer(self, layer: Layer) -> int | None:
        if not len(layer.low):
            return None
        shapes = self.outlines(layer.shapes)
        return self.thing("layer", [shapes, layer.low.tolist(), layer.high.tolist()])

    def party(self, party: Party) -> Data:
        """Return the models of a unit."""
        rows = {name: getattr(party, name) for name in ("xy", "radius", "limit", "facing", "pivot", "z")}
        found: Data = {name: None if each is None else each.tolist() for name, each in rows.items()}
        return {**found, "bases": [plain_base(base) for base in party.bases], "budget": _plain_budget(party)}

    def across(self, across: Across | None) -> Data | None:
        """Return the barricades across which bases may be near enough, and how near."""
        if across is None:
            return None
        # The places are data; a method of the engine decides which bases they bring near enough.
        engagement = getattr(across.met, "__self__", None)
        if not isinstance(engagement, Engagement):
            raise TypeError("what is near enough is told by something else than the engagement")
        return {
            "places": self.outlines(across.places),
            "barricades": self.polygons(engagement.barricades),
            "reach": engagement.parameters.engagement,
            "farther": engagement.parameters.engagement_barricade,
        }


def _plain_budget(party: Party) -> tuple[int, int] | None:
    """Return the work that a unit's searches may take, and what is spent; None without a limit."""
    budget = party.budget
    # No other attribute holds what it allows in all.
    return None if budget is None else (budget._most, budget.spent)


def plain_base(base: Base) -> tuple[str, float, float]:
    """Return a base as plain data."""
    return base.shape, base.length, base.width


def _unit(writing: Writing, given: Mapping[str, Any]) -> Data:
    spacing: Spacing = given["spacing"]
    return {
        "party": writing.party(given["party"]),
        "ground": writing.ground(given["ground"]),
        "spacing": [spacing.reach, spacing.vertical, spacing.two_from],
    }


def _toward(writing: Writing, given: Mapping[str, Any]) -> Data:
    goal = writing.outlines(given["goal"])
    own = {"goal": goal, "stop": given["stop"], "stays": given["stays"]}
    return _unit(writing, given) | own


def _to_point(writing: Writing, given: Mapping[str, Any]) -> Data:
    return _unit(writing, given) | {name: given[name] for name in ("point", "stays")}


def _into_contact(writing: Writing, given: Mapping[str, Any]) -> Data:
    return _unit(writing, given) | {
        "targets": [writing.outlines(target) for target in given["targets"]],
        "reach": given["reach"],
        "must_reach_all": given["must_reach_all"],
        "across": writing.across(given["across"]),
    }


def _away(writing: Writing, given: Mapping[str, Any]) -> Data:
    return _unit(writing, given) | {"threats": writing.outlines(given["threats"])}


def _place(writing: Writing, given: Mapping[str, Any]) -> Data:
    bases, near, spacing = given["bases"], given["near"], given["spacing"]
    if isinstance(bases, np.ndarray):
        stances: list[Any] = bases.tolist()
    else:
        stances = [[stance.radius, writing.core(stance.core)] for stance in bases]
    return {
        "bases": stances,
        "ground": writing.ground(given["ground"]),
        "spacing": [spacing.reach, spacing.vertical, spacing.two_from],
        "front": near.segments if isinstance(near, Front) else None,
        "first": near.first if isinstance(near, Front) else None,
        "nearest": writing.outlines(near.bases) if isinstance(near, Nearest) else None,
        "overflow": writing.polygons(given["overflow"]),
    }


ENCODED: dict[str, Callable[[Writing, Mapping[str, Any]], Data]] = {
    "move_toward": _toward,
    "move_to_point": _to_point,
    "move_into_contact": _into_contact,
    "move_away": _away,
    "place_group": _place,
}


def compressed(lines: Sequence[str]) -> bytes:
    """Return lines as they stand in a file, the same bytes for the same lines."""
    return lzma.compress(("\n".join(lines) + "\n").encode())


def written(section: Section) -> list[str]:
    """Return the lines of a section: battle, parts that its moves need, moves; none if empty."""
    if not section.moves:
        return []
    reading = Reading(section.things)
    for told in section.moves:
        RecordedMove(told, section.battle, reading).question()
    things = [json.dumps(section.things[number]) for number in sorted(reading.made)]
    moves = [json.dumps({"move": told}) for told in section.moves]
    return [json.dumps({"battle": section.battle}), *things, *moves]
