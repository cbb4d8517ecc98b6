"""The words of `that`: what a scenario may say about the table, in the file's own frame.

Each public method is a function that an expression may call; it reads the battle and changes nothing.
"""

from __future__ import annotations

import ast
import inspect
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from datasheets.errors import HordeError, unknown
from engine.core.facts import HORDE, PLAYERS, ModelFacts, ZoneFacts
from engine.core.state import Objective, Player, Unit
from engine.records.expression import BadExpression, Expression, Grammar
from engine.scenario.foothold import clear_place
from engine.scenario.frame import Frame
from engine.scenario.measure import Measure
from engine.scenario.naming import Part
from engine.scenario.value_kind import check_condition, check_length
from engine.w40k.attack.cover import cover
from engine.w40k.battle import Battle
from engine.w40k.party import party_of
from engine.w40k.phase.charge import targets
from geometry.group.group_move import move_into_contact
from geometry.measure.body import Bodies
from geometry.measure.coherency import is_coherent
from geometry.measure.distance import gaps, in_space, within
from geometry.measure.region import base_touches, base_within, grid
from geometry.path.ground import Ground
from geometry.path.pivoting import turning_path
from geometry.path.planner import Blocked, Path
from geometry.path.resting import may_rest
from geometry.shape.base import Bools, Floats
from geometry.shape.convex_shape import Outlines
from geometry.sight.landscape import Landscape
from geometry.sight.visibility import sight, visible
from geometry.tolerance import SLIVER_INCHES

BUILT_IN = {"abs": abs, "min": min, "max": max}
NOTE = "_note"
FORMS: tuple[type[ast.AST], ...] = (ast.Subscript, ast.List, ast.Pow, ast.UAdd)


@dataclass(frozen=True, slots=True)
class Some:
    """Some models of a unit, by their rows: all on the table, or one, which may have fallen."""

    unit: Unit
    rows: tuple[int, ...]
    row: int = -1
    """The one model that is meant, standing or not."""


class Words:
    """The functions of `that`, about one battle."""

    def __init__(self, game: Battle, frame: Frame, parts: Mapping[str, Part] | None = None) -> None:
        """Speak of this battle as its file does.

        A leader's id means its part of the unit that it leads.
        """
        self._parts = parts or {}
        self._game = game
        self._frame = frame
        self._state = game.state
        self._table = game.state.position.table
        self._field = game.field
        self.measures: list[float] = []

    def value(self, text: str) -> Any:
        """Return what an expression comes to. Raises BadExpression, UnknownName."""
        functions: dict[str, Any] = {"__builtins__": {}, **BUILT_IN, NOTE: self._note}
        functions |= {name: getattr(self, name) for name in FUNCTIONS}
        self.measures = []
        try:
            return noting(text).function(functions)({})
        except (TypeError, ValueError, IndexError, KeyError, ArithmeticError) as error:
            raise BadExpression(f"'{text}' cannot be worked out ({error})") from None

    def _note(self, compared: Any) -> Any:
        """Keep a number that is compared, to be held against that of a moved board. Rule: R.A86"""
        if isinstance(compared, int | float):
            self.measures.append(float(compared))
        return Measure(compared) if isinstance(compared, float) else compared

    # things

    def _unit(self, name: Any) -> Unit:
        if isinstance(name, Some):
            return name.unit
        if name not in self._state.position.units and name in self._parts:
            return self._state.position.units[self._parts[name][0]]
        if name not in self._state.position.units:
            known = (*self._state.position.units, *self._parts, *self._markers())
            raise unknown(str(name), known, "unit or objective")
        return self._state.position.units[name]

    def _models(self, name: Any) -> list[ModelFacts]:
        """Return the models that a unit's id means, or a leader's, fallen ones with them."""
        models = self._unit(name).facts.models
        if name in self._state.position.units or name not in self._parts:
            return list(models)
        return [model for model in models if model.part == self._parts[name][1]]

    def _living(self, thing: Any) -> list[int]:
        """Return the rows of the models that live of what is meant."""
        if isinstance(thing, Some):
            return list(thing.rows)
        alive = self._unit(thing).rows
        return [model.row for model in self._models(thing) if model.row in alive]

    def _some(self, thing: Any) -> Some:
        if isinstance(thing, Some):
            return thing
        unit = self._unit(thing)
        if thing in self._parts and thing not in self._state.position.units:
            rows = tuple(self._living(thing)) if unit.where == "table" else ()
            return Some(unit, rows, self._models(thing)[0].row)
        return Some(unit, unit.rows if unit.where == "table" else ())

    def _is_objective(self, thing: Any) -> bool:
        return isinstance(thing, str) and thing in self._markers() and thing not in self._state.position.units

    def _markers(self) -> list[str]:
        """Return the ids of the objective markers that the scenario began with."""
        return [each.id for each in self._state.position.board.objectives]

    def _objective(self, thing: str) -> Objective | None:
        """Return an objective marker, None once it has been removed."""
        if thing not in self._markers():
            raise unknown(str(thing), self._markers(), "objective")
        return self._state.position.objectives.get(thing)

    def model(self, unit: str, number: int) -> Some:
        """Return one model of a unit."""
        found, models = self._unit(unit), self._models(unit)
        if number not in range(len(models)):
            raise HordeError(f"{unit} has models 0 to {len(models) - 1}, not {number}")
        row = models[number].row
        return Some(found, (row,) if row in found.rows and found.where == "table" else (), row)

    def zone(self, name: str) -> ZoneFacts:
        """Return a zone."""
        if name not in self._state.position.zones:
            raise unknown(str(name), self._state.position.zones, "zone")
        return self._state.position.zones[name]

    def _shape(self, thing: Any) -> Outlines:
        """Return the bases of what stands there."""
        if self._is_objective(thing):
            marker = self._objective(thing)
            spots = np.array([marker.at] if marker else []).reshape(-1, 2)
            return Outlines(spots, np.full(len(spots), self._game.ruleset.parameters.marker_radius))
        return self._table.outlines(self._some(thing).rows)

    def _heights(self, thing: Any) -> Floats:
        """Return how high above the table the bases of what stands there are; markers lie on it."""
        if self._is_objective(thing):
            return np.zeros(len(self._shape(thing)))
        return self._table.z[list(self._some(thing).rows)]

    # measuring

    def distance(self, a: Any, b: Any) -> float:
        """Return how far apart the closest bases are in space; infinite off the table.

        To a marker it is the horizontal distance.
        """
        apart = gaps(self._shape(a), self._shape(b))
        if not (self._is_objective(a) or self._is_objective(b)):
            apart = in_space(apart, self._heights(a), self._heights(b))
        return float(apart.min(initial=math.inf))

    def position(self, unit: Any, number: int = 0) -> tuple[float, float, float]:
        """Return where a model stands, in the file's own frame; of one that fell, where it fell."""
        if isinstance(unit, Some):
            row = unit.row
        else:
            self.model(unit, number)
            row = self._models(unit)[number].row
        x, y = self._frame.back(self._table.xy[row])
        return x, y, float(self._table.z[row])

    def within(self, a: Any, b: Any, inches: float) -> bool:
        """Return whether two things are within a number of inches."""
        return within(self.distance(a, b), inches)

    def touching(self, a: Any, b: Any) -> int:
        """Return how many models of a are in base contact with b, as near as four decimals can say."""
        apart = gaps(self._shape(a), self._shape(b))
        if not apart.size:
            return 0
        a_z, b_z = (self._heights(each) for each in (a, b))
        level = within(np.abs(a_z[:, None] - b_z), self._game.ruleset.parameters.free_height)
        return int(np.count_nonzero((within(apart, SLIVER_INCHES) & level).any(axis=1)))

    def engaged(self, thing: Any) -> bool:
        """Return whether it is within engagement range of an enemy."""
        some = self._some(thing)
        mine = [some.unit.rows.index(row) for row in some.rows]
        met = [self._field.engaged_models(some.unit, enemy)[mine] for enemy in self._field.enemies(some.unit)]
        return any(bool(each.any()) for each in met)

    # sight

    def _bodies(self, thing: Any) -> Bodies:
        if not self._is_objective(thing):
            return self._field.bodies(self._some(thing).rows)
        disc = self._shape(thing)
        none, no = np.zeros(len(disc)), np.zeros(len(disc), dtype=bool)
        return Bodies(disc.xy, none, disc.radius, none, no, no)

    def _looked(self, a: Any, b: Any) -> tuple[Bodies, Bodies, Landscape]:
        """Return the bodies that look, those that they look at, and what is between."""
        own, other = (None if self._is_objective(each) else self._some(each).unit for each in (a, b))
        who = own or other
        if who is None:
            raise HordeError(f"neither {a} nor {b} is a unit; a marker is seen from a unit")
        return self._bodies(a), self._bodies(b), self._field.screens.between(who, other if own else None)

    def visible(self, a: Any, b: Any) -> bool:
        """Return whether a sees b: one model of it one of the other. Rule: CORE.LOS.1, CORE.LOS.3."""
        eyes, seen, land = self._looked(a, b)
        return bool(len(eyes) and len(seen) and visible(eyes, seen, land).any())

    def fully_visible(self, a: Any, b: Any) -> bool:
        """Return whether all of b is fully visible, each model to some model of a. Rule: CORE.LOS.3."""
        eyes, seen, land = self._looked(a, b)
        return bool(len(eyes) and len(seen) and sight(eyes, seen, land).fully.any(axis=0).all())

    def cover(self, target: Any, attacker: Any, number: int | None = None) -> bool:
        """Return whether a model, or every one, has the Benefit of Cover. Rule: CORE.COV.2."""
        some = self._some(target) if number is None else self.model(target, number)
        covered: Bools = cover(self._game, self._unit(attacker), some.unit)
        mine = [some.unit.rows.index(row) for row in some.rows]
        return bool(mine and covered[mine].all())

    # movement

    def _place(self, spot: Sequence[float], unit: Unit, row: int) -> tuple[float, ...]:
        """Return where a place of the file lies on the table, as a model would stand there."""
        numbers = isinstance(spot, Sequence) and all(isinstance(each, int | float) for each in spot)
        if not numbers or len(spot) not in (2, 3):
            raise HordeError(f"a place is [x, y] or [x, y, height], not {spot!r}")
        at = (*self._frame.point(spot), *spot[2:])
        return clear_place(self._ground(unit), at, self._table.stance(row))

    def _ground(self, unit: Unit) -> Ground:
        return self._field.ground(unit, "fall-back" if self.engaged(unit.id) else "normal")

    def path_length(self, unit: Any, spot: Sequence[float]) -> float:
        """Return how long the shortest legal path of a model, or a unit's first, to a place is.

        It is infinite where there is no path.
        """
        some = self._some(unit)
        if not some.rows:
            return math.inf
        found, row = some.unit, some.rows[0]
        start = (*self._table.xy[row], self._table.z[row])
        goal = self._place(spot, found, row)
        base, facing, cost = (
            self._table.base[row],
            float(self._table.facing[row]),
            self._field.pivot_cost(row),
        )
        way = turning_path(base, facing, start, goal, math.inf, cost, self._ground(found))
        return way.length if isinstance(way, Path) else math.inf

    def can_reach(self, unit: Any, spot: Sequence[float], inches: float) -> bool:
        """Return whether a model, or a unit's first, can reach a place by a move of this length."""
        return within(self.path_length(unit, spot), inches)

    def may_stand(self, unit: Any, spot: Sequence[float]) -> bool:
        """Return whether a model, or a unit's first, may end a move at a place."""
        some = self._some(unit)
        if not some.rows:
            return False
        goal = self._place(spot, some.unit, some.rows[0])
        return may_rest(self._ground(some.unit), goal, self._table.stance(some.rows[0]))

    def can_charge(self, unit: str, foes: Sequence[str] | str, roll: float) -> bool:
        """Return whether a charge at all of these succeeds with this roll.

        Rule: CORE.CHG.1, CORE.CHG.2.
        """
        found = self._unit(unit)
        named = tuple(self._unit(foe).id for foe in ([foes] if isinstance(foes, str) else foes))
        offered = {enemy.id for enemy in targets(self._game, found)}
        if not named or not set(named) <= offered:
            return False
        rows = list(found.rows)
        party = party_of(self._field, rows, dict.fromkeys(rows, float(roll)))
        ground = self._field.ground(found, "charge", named)
        discs = [self._field.outlines(self._state.position.units[foe].rows) for foe in named]
        parameters, reach = self._game.ruleset.parameters, self._field.engagement
        across = self._field.across(
            tuple(row for foe in named for row in self._state.position.units[foe].rows)
        )
        for aims in [discs, *([one] for one in discs if len(discs) > 1)]:
            outcome = move_into_contact(
                party, aims, ground, parameters.spacing, parameters.engagement, across=across
            )
            if isinstance(outcome, Blocked):
                continue
            poses = np.array(
                [self._table.after(row, way.legs) for row, way in zip(rows, outcome.paths, strict=True)]
            )
            ends = self._table.outlines(rows, poses[:, :2], poses[:, 3])
            if all(reach.near(gaps(ends, d), ends, d).any() for d in discs):
                return True
        return False

    # places

    def in_spawn_zone(self, thing: Any) -> bool:
        """Return whether any part of any of its bases is in a spawning zone. Rule: R.A66."""
        bases = self._shape(thing)
        return any(bool(base_touches(ring, bases).any()) for ring in self._field.spawn_zones())

    def wholly_within(self, thing: Any, zone: Any) -> bool:
        """Return whether all of it is in a zone."""
        place = zone if isinstance(zone, ZoneFacts) else self.zone(zone)
        bases = self._shape(thing)
        return bool(len(bases) and base_within(place.polygon, bases).all())

    def on_board(self, thing: Any) -> bool:
        """Return whether it stands on the battlefield, no base over its edge."""
        bases = self._shape(thing)
        board = self._frame.ring(grid((0.0, 0.0, *self._frame.size), 1, 1)[0])
        return bool(len(bases) and base_within(board, bases).all())

    def coherent(self, unit: Any) -> bool:
        """Return whether the unit's models form one coherent group. Rule: CORE.COH.1, CORE.COH.3."""
        rows = list(self._some(unit).rows)
        return is_coherent(
            self._table.outlines(rows), self._table.z[rows], self._game.ruleset.parameters.spacing
        )

    # what is left, and what each player has

    def models(self, unit: Any) -> int:
        """Return how many models of it live."""
        return len(self._living(unit))

    def wounds_left(self, unit: Any) -> int:
        """Return the wounds that its models have left."""
        return sum(self._state.position.models[row].wounds for row in self._living(unit))

    def destroyed(self, unit: Any) -> bool:
        """Return whether the unit is destroyed, or one model of it."""
        if isinstance(unit, Some):
            return unit.row not in unit.unit.rows
        return self._unit(unit).where == "destroyed" or not self._living(unit)

    def controls(self, side: str, objective: str) -> bool:
        """Return whether the Horde, the players or one of them controls a marker. Rule: CORE.OBJ.2."""
        marker = self._objective(objective)
        if side not in (HORDE, PLAYERS, *self._state.players):
            raise unknown(str(side), (HORDE, PLAYERS, *self._state.players), "side")
        if marker is None:
            return False
        return marker.by == side or (marker.by == PLAYERS and side in marker.players)

    def cp(self, player: str) -> int:
        """Return a player's command points."""
        return self._player(player).cp

    def sp(self, player: str) -> int:
        """Return a player's supply points."""
        return self._player(player).sp

    def _player(self, player: str) -> Player:
        if player not in self._state.players:
            raise unknown(str(player), self._state.players, "player")
        return self._state.players[player]


def _functions() -> Iterator[str]:
    for name, _ in inspect.getmembers(Words, inspect.isfunction):
        if not name.startswith("_") and name != "value":
            yield name


FUNCTIONS = tuple(_functions())
"""Every function that `that` may call."""


@lru_cache(maxsize=1)
def grammar() -> Grammar:
    """Return the grammar of `that`."""
    return Grammar((*FUNCTIONS, *BUILT_IN), more=FORMS)


def _noted(side: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(NOTE, ast.Load()), [side], [])


class _Noting(ast.NodeTransformer):
    """Wraps what is compared, so that a verdict can name it."""

    def visit_Compare(self, node: ast.Compare) -> ast.Compare:
        """Return the comparison with each of its sides noted."""
        sides = [self.visit(side) for side in (node.left, *node.comparators)]
        first, *rest = (_noted(side) for side in sides)
        return ast.Compare(first, node.ops, rest)


@lru_cache(maxsize=256)
def noting(text: str) -> Expression:
    """Return a checked expression that tells the numbers it compares. Raises BadExpression."""
    check_length(text)
    grammar().expression(text)
    for node in ast.walk(ast.parse(text.strip(), mode="eval")):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS:
            _check_arguments(node.func.id, len(node.args))
    check_condition(text, ast.parse(text.strip(), mode="eval"), vars(Words))
    noted = ast.unparse(_Noting().visit(ast.parse(text.strip(), mode="eval")))
    return Expression(text, noted, ast.parse(noted, mode="eval"))


def _check_arguments(name: str, given: int) -> None:
    """Raise BadExpression where a function has too few arguments or too many."""
    wanted = list(inspect.signature(getattr(Words, name)).parameters.values())[1:]
    needed = [each for each in wanted if each.default is inspect.Parameter.empty]
    if not len(needed) <= given <= len(wanted):
        spare = [f"[{each.name}]" for each in wanted[len(needed) :]]
        called = ", ".join([*(each.name for each in needed), *spare])
        raise BadExpression(f"{name} has {given} of its arguments: write {name}({called})")
