"""What one seat may know of a battle, read-only.

It shows no dice, no order of a deck and no secret of another seat. Agents ask it for distances, sight, ground
and numbers; it never decides.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from msgspec.structs import replace

from engine.core.event import Rolled
from engine.core.facts import HORDE, Point, UnitFacts, WeaponFacts, facing_ahead
from engine.core.request import AnyAnswer, AnyRequest, Line, Move, Moves
from engine.core.state import Marker, Model, Objective, Player, Unit
from engine.core.ware import Ware
from engine.records.clauses import ATTACKS
from engine.w40k.activation.objective import control
from engine.w40k.activation.stratagem import price_of
from engine.w40k.attack.cover import cover
from engine.w40k.attack.eligibility import lines
from engine.w40k.attack.firing_deck import size
from engine.w40k.boarding import passengers
from engine.w40k.bracket_watch import told_by
from engine.w40k.hidden import players_as_known
from engine.w40k.legality.answer_check import faults
from engine.w40k.legality.move_check import MoveCheck
from engine.w40k.party import party_of
from engine.w40k.phase.foresight import foreseen
from engine.w40k.phase.movement import limits, scouts
from engine.w40k.seat_chance import SeatChance
from engine.w40k.seat_log import SeatLog
from engine.w40k.supposition import supposed
from engine.w40k.view_memory import ViewMemory
from geometry.group.group_move import Party
from geometry.measure.body import Bodies
from geometry.measure.coherency import Spacing
from geometry.path.budget import Budget
from geometry.path.ground import Ground
from geometry.shape.base import Bools, Floats
from geometry.shape.convex_shape import Outlines, Stance

if TYPE_CHECKING:
    from engine.core.facts import BoardFacts, ZoneFacts
    from engine.core.log import BecauseLine, LogLine
    from engine.records.question import Question
    from engine.table.index import Index
    from engine.w40k.battle import Battle
    from engine.w40k.ground.tabletop import Tabletop
    from engine.w40k.parameters import Parameters


T = TypeVar("T")
Legs = tuple[tuple[float, ...], ...]


class View(SeatChance):
    """The battle as a seat sees it."""

    def __init__(self, battle: Battle, seat: str) -> None:
        """Look at the game from this seat; its chance is its own."""
        super().__init__(battle, seat)
        self.seat = seat
        self._log = SeatLog(seat)
        self._memory = ViewMemory()
        self.broken_off = 0
        """How many searches for a move were broken off for what this seat asked. Rule: R.BUDGET"""

    # when and where

    @property
    def round(self) -> int:
        """Return the battle round."""
        return self._game.state.round

    @property
    def rounds(self) -> int | None:
        """Return how many rounds the battle lasts, None if it goes on until the players have lost."""
        return self._game.state.rounds

    @property
    def ruleset(self) -> str:
        """Return the id of the game system that is played."""
        return self._game.state.ruleset

    @property
    def turn(self) -> str:
        """Return whose turn it is: horde, players or nobody's."""
        return self._game.state.turn

    @property
    def phase(self) -> str:
        """Return the phase."""
        return self._game.state.phase

    @property
    def board(self) -> BoardFacts:
        """Return the battlefield as it was set up."""
        return self._game.state.position.board

    @property
    def parameters(self) -> Parameters:
        """Return the numbers of the edition."""
        return self._game.ruleset.parameters

    @property
    def spacing(self) -> Spacing:
        """Return what unit coherency asks."""
        return self.parameters.spacing

    @property
    def field(self) -> Tabletop:
        """Return the questions of geometry about the table."""
        return self._game.field

    @property
    def near(self) -> Index:
        """Return what is near a point or a path on the table."""
        return self._game.near

    @property
    def zones(self) -> dict[str, ZoneFacts]:
        """Return the zones by id."""
        return self._game.state.position.zones

    @property
    def objectives(self) -> dict[str, Objective]:
        """Return the objective markers by id."""
        return self._game.state.position.objectives

    @property
    def markers(self) -> dict[str, Marker]:
        """Return the other markers by id."""
        return self._game.state.position.markers

    @property
    def players(self) -> dict[str, Player]:
        """Return the players' seats, those of others without their secrets. Rule: PLAY.9."""
        return players_as_known(self._game.state, self.seat)

    def active(self, deck: str) -> tuple[str, ...]:
        """Return the cards of a deck that are in play."""
        found = self._game.state.decks.get(deck)
        return found.active if found else ()

    # units

    def unit(self, unit: str) -> Unit:
        """Return a unit by its id."""
        return self._game.state.position.units[unit]

    def facts(self, unit: str) -> UnitFacts:
        """Return the facts of a unit, also of one that has still to be set up."""
        known = self._game.state.position.units.get(unit)
        return known.facts if known else next(f for f in self._game.mustered if f.id == unit)

    def units(self, side: str | None = None) -> list[Unit]:
        """Return the units on the battlefield, of one side or both."""
        return self._game.state.position.on_table(side)

    def reserves(self, side: str) -> list[Unit]:
        """Return a side's units in reserves."""
        return [
            u for u in self._game.state.position.units.values() if u.where == "reserves" and u.side == side
        ]

    def riders(self, transport: Unit) -> list[Unit]:
        """Return the units that ride in a transport."""
        units = self._game.state.position.units.values()
        return [u for u in units if u.where == "embarked" and u.transport == transport.id]

    def passengers(self, transport: Unit) -> list[Unit]:
        """Return the units that ride in a transport. Rule: CORE.TRN.6"""
        return passengers(self._game.state.position, transport.id)

    def firing_deck(self, transport: Unit) -> int:
        """Return how many models inside a transport may fire from it. Rule: CORE.TRN.5"""
        return size(self._game, transport)

    def enemies(self, unit: Unit) -> list[Unit]:
        """Return the unit's enemies on the battlefield."""
        return self.field.enemies(unit)

    def friends(self, unit: Unit) -> list[Unit]:
        """Return the other units of its side on the battlefield."""
        return self.field.friends(unit)

    def xy(self, unit: Unit) -> Floats:
        """Return the positions of the unit's models, (n, 2)."""
        return self._game.state.position.table.xy[list(unit.rows)]

    def stance(self, row: int, facing: float | None = None) -> Stance:
        """Return how a model's base stands: as it faces, or at a facing in degrees."""
        return self._game.state.position.table.stance(row, facing)

    def bases(self, unit: Unit, xy: Floats | None = None) -> Outlines:
        """Return the unit's bases as they stand, or at other places as they face now."""
        table = self._game.state.position.table
        return self.field.outlines(unit.rows) if xy is None else table.outlines(unit.rows, xy)

    def poses_after(self, unit: Unit, paths: Mapping[int, Legs]) -> Floats:
        """Return where the unit's models stand after these paths (n, 4): x, y, z and facing."""
        table = self._game.state.position.table
        return np.array([table.after(row, paths.get(row, ())) for row in unit.rows]).reshape(-1, 4)

    def bases_after(self, unit: Unit, paths: Mapping[int, Legs]) -> Outlines:
        """Return the unit's bases as they stand and face after these paths."""
        poses = self.poses_after(unit, paths)
        return self._game.state.position.table.outlines(unit.rows, poses[:, :2], poses[:, 3])

    def bodies_after(self, unit: Unit, paths: Mapping[int, Legs]) -> Bodies:
        """Return the unit's models as they stand and face after these paths, and how high."""
        bases, heights = self.bases_after(unit, paths), self.poses_after(unit, paths)[:, 2]
        return replace(self.field.bodies(unit.rows), xy=bases.xy, z=heights, core=bases.core)

    def after(self, paths: Mapping[int, Legs]) -> View:
        """Return what the seat would see after these paths; rules answer as they do now."""
        ends = {row: self.field.after(row, legs) for row, legs in paths.items() if legs}
        return View(supposed(self._game, ends), self.seat) if ends else self

    def ahead(self, unit: Unit) -> float:
        """Return the facing, in degrees, that looks from the unit's board edge to the other side's."""
        return facing_ahead(self.board, unit.facts.side)

    def at(self, row: int) -> Point:
        """Return where a model's base has its centre."""
        x, y = self._game.state.position.table.xy[row]
        return float(x), float(y)

    def model(self, row: int) -> Model:
        """Return the model of a row."""
        return self._game.state.position.models[row]

    def wounds(self, row: int) -> int:
        """Return the wounds that a model has left."""
        return self._game.state.position.models[row].wounds

    def characteristics(self, row: int) -> dict[str, int]:
        """Return a model's printed characteristics."""
        return self._game.state.position.models[row].facts.characteristics

    def weapons(self, unit: Unit, melee: bool) -> list[tuple[int, int, WeaponFacts]]:
        """Return row, place and facts of every weapon that the unit's models carry."""
        return [
            (model.row, i, unit.weapon(i))
            for model in self._game.state.position.alive(unit)
            for i in model.facts.weapons
            if unit.weapon(i).is_melee == melee
        ]

    def control(self, unit: Unit, row: int) -> int:
        """Return the Objective Control of a model of the unit, as the rules in force make it."""
        return control(self._game, unit, self.model(row))

    # measuring

    def gap(self, a: Unit, b: Unit) -> float:
        """Return the distance between the closest models of two units."""
        return self.field.gap(a, b)

    def closest_gap(self, unit: Unit, others: list[Unit]) -> float:
        """Return the least gap between a unit and any of some others, infinite without any."""
        return self.field.closest_gap(unit, others)

    def gaps(self, a: Unit, b: Unit) -> Floats:
        """Return the distances between the models of two units."""
        return self.field.gaps(a, b)

    def visible(self, a: Unit, b: Unit) -> Bools:
        """Return which models of a see which models of b."""
        return self.field.visible(a, b)

    def sees_objective(self, unit: Unit, objective: Objective, *, centre: bool = False) -> bool:
        """Return whether the unit sees any part of the marker, or its `centre`. Rule: R.A10."""
        radius = 0.0 if centre else self.parameters.marker_radius
        every = [each.at for each in self.objectives.values()]
        seen = self.field.sees_points(unit, every, radius)
        return bool(seen[:, every.index(objective.at)].any())

    def is_engaged(self, unit: Unit) -> bool:
        """Return whether the unit is within engagement range of an enemy."""
        return self.field.is_engaged(unit)

    # movement

    def ground(self, unit: Unit, kind: str, targets: tuple[str, ...] = ()) -> Ground:
        """Return where the unit's models may go in a move of this kind."""
        return self.field.ground(unit, kind, targets)

    def party(self, unit: Unit, limits: dict[int, float]) -> Party:
        """Return the unit's models as the geometry moves them, each with its limit in inches."""
        return self._budgeted(party_of(self.field, unit.rows, limits))

    def party_after(self, unit: Unit, paths: Mapping[int, Legs], limits: dict[int, float]) -> Party:
        """Return the unit's models as they stand after these paths, each with what it may still go."""
        return self._budgeted(party_of(self.field, unit.rows, limits, paths))

    def _budgeted(self, party: Party) -> Party:
        def note() -> None:
            self.broken_off += 1

        return replace(party, budget=Budget(self.parameters.search, note))

    def toward_edge(self) -> tuple[Point, Point]:
        """Return the Defender's board edge."""
        return self.board.defender_edge

    # rules

    @property
    def log(self) -> Sequence[LogLine]:
        """Return the battle's log without what others hide and how the decks lie. Rule: PLAY.9"""
        return self._log.of(self._game.lines)

    def last_reasons(self, seat: str) -> BecauseLine | None:
        """Return a seat's reasons for its last decision about one of its units.

        None before the first, and for other players. Everybody hears the Horde's; a player's may speak of a
        secret objective. Rule: PLAY.9
        """
        return self._game.last_reasons(seat) if seat in (HORDE, self.seat) else None

    @property
    def last_roll(self) -> Rolled | None:
        """Return the dice that fell last, which everybody sees."""
        return next((line for line in reversed(self.log) if isinstance(line, Rolled)), None)

    def stratagem_price(self, rule: str, unit: Unit | None = None) -> int:
        """Return what a Stratagem costs the seat on a unit, 0 where there is none of this clause."""
        if rule not in self._game.rulebook:
            return 0
        offers = [each for each in self._game.rulebook.compiled(rule).offers if each.on]
        return max((price_of(self._game, each, self.seat, unit) for each in offers), default=0)

    @property
    def wares(self) -> tuple[Ware, ...]:
        """Return what the seat may buy, with its prices and what stands against it. Rule: SP.4"""
        return self.meanwhile("wares", lambda: self._game.ruleset.wares(self._game, self.seat))

    def number(self, name: str, base: float, **context: object) -> float:
        """Return a number with every rule in force that changes it."""
        return self.about(**context).value(name, base)

    def about(self, **context: object) -> Question:
        """Return the question about one matter, of which several numbers are asked."""
        return self._game.query.about(**context)

    def looked_at(
        self, numbers: tuple[str, ...], unit: Unit, names: tuple[str, ...] = ATTACKS
    ) -> frozenset[str]:
        """Return the names of the things ("weapon") with which any of the numbers may change.

        The rules are those that can concern the unit where it has these names.
        """
        return self._game.query.in_force.looked_at(numbers, unit, names)

    def singled_out(
        self, numbers: tuple[str, ...], unit: Unit, names: tuple[str, ...]
    ) -> frozenset[int] | None:
        """Return the models for which alone rules may change numbers; None if for any.

        The rules are those that can concern the unit where it has these names.
        """
        return self._game.query.in_force.singled_out(numbers, unit, names)

    def set_of_rules(self) -> int:
        """Return a number that tells the rules in force now from those in force before and after."""
        return self._game.query.in_force.place

    def told_by(self, unit: Unit, row: int, numbers: tuple[str, ...] = (), *, armed: bool = False) -> int:
        """Return what tells a model from its unit's others for these numbers, -1 for nothing.

        With `armed` what gives weapons abilities counts too.
        """
        return told_by(self._game, unit, row, numbers, armed=armed)

    def may(self, question: str, **context: object) -> bool:
        """Return whether the rules in force allow it."""
        return self._game.query.may(question, **context)

    def weapon_keywords(
        self, unit: Unit, row: int, weapon: int, target: Unit | None = None, *, rewarded: bool | None = None
    ) -> tuple[str, ...]:
        """Return the abilities of a weapon, printed and granted.

        `rewarded` says whether the unit counts as having remained stationary; None takes it as it is.
        """
        query = self._game.query
        if not query.in_force.weapons:
            return unit.weapon(weapon).keywords
        looked = query.in_force.looked_at((), unit, armed=True)
        bearer = query.in_force.told_by(unit, row, armed=True)
        foe = target.id if target is not None and "target" in looked else None
        return self.meanwhile(
            ("weapon-keywords", unit.id, bearer, weapon, foe, rewarded),
            lambda: query.weapon_keywords(unit, row, weapon, target, rewarded=rewarded),
        )

    def rewards(self, unit: Unit) -> tuple[str, ...]:
        """Return the names of the abilities that give the unit something for standing still."""
        return self._game.query.rewards(unit)

    def reach(self, unit: Unit, weapon: WeaponFacts) -> float:
        """Return how far a unit's weapon reaches, as the rules in force change it; 0 in melee."""
        return self._game.query.reach(unit, weapon)

    def shots(self, unit: Unit) -> tuple[Line, ...]:
        """Return every gun of the unit that could be fired now, with its legal targets."""
        return lines(self._game, unit)

    def foreseen(self, unit: Unit) -> AnyRequest | None:
        """Return what the unit would be asked, were it chosen to act now; None where nothing."""
        return foreseen(self._game, unit)

    def covered(self, attacker: Unit, target: Unit) -> frozenset[int]:
        """Return the rows of the target's models with the Benefit of Cover against the attacker."""
        behind = cover(self._game, attacker, target)
        return frozenset(row for row, is_covered in zip(target.rows, behind, strict=True) if is_covered)

    def has_ability(self, unit: Unit, ability: str) -> bool:
        """Return whether the unit has a core ability ("stealth", "cover", …), printed or granted."""
        return bool(self._game.query.has_ability(unit, ability))

    def move_limits(self, unit: Unit) -> dict[int, float]:
        """Return how far each model of the unit goes in a normal move. Rule: CORE.MOVE.5, AI.SCOUT"""
        return limits(self._game, unit)

    def scouts(self, unit: Unit) -> float:
        """Return by how much Scouts lengthen a normal move this turn. Rule: AI.SCOUT, CORE.RES.7."""
        return scouts(self._game, unit)

    def rule_summary(self, rule: str) -> str:
        """Return what a rule does, in a sentence."""
        return self._game.rulebook.summary(rule) or self._game.library.summary(rule)

    def limit_of(self, rule: str) -> str:
        """Return how often what a rule asks for may be had: "battle", "turn", …; "" without a limit."""
        return self._game.rulebook.limit(rule)

    def is_under(self, unit: Unit, rule: str) -> bool:
        """Return whether a rule of this clause has been put on a unit."""
        return self._game.rulebook.is_bestowed(unit, rule)

    def ruling(self, key: str) -> str:
        """Return how an open point of the text is read in this battle."""
        return self._game.ruling(key)

    def faults(self, request: AnyRequest, answer: AnyAnswer) -> list[str]:
        """Return every reason for which this answer would be refused."""
        return faults(self._game, request, answer, self.seat)

    def plain_engagement(self, request: Move) -> dict[int, Legs] | None:
        """Return a legal plain move into combat; None where there is none.

        Where there is one, the unit may not move onto a marker instead. Rule: CORE.FGT.7
        """
        return MoveCheck(self._game, request, Moves(paths={})).plain_engagement()

    def plain_approach(self, request: Move) -> dict[int, Legs]:
        """Return the plain surge that ends closest to its target; none where none is legal."""
        return MoveCheck(self._game, request, Moves(paths={})).plain_approach()

    # memory

    def remembered(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what `make` gives, worked out once in a phase while nothing on the table moves.

        Searches broken off for it count each time it is asked for.
        """
        self._memory.look(self._game)
        found: T
        if key in self._memory.known:
            found, broken_off = self._memory.known[key]
            self.broken_off += broken_off
        else:
            before, found = self.broken_off, make()
            self._memory.known[key] = found, self.broken_off - before
        return found

    def meanwhile(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what `make` gives, worked out only once until anything happens."""
        self._memory.look(self._game)
        if key not in self._memory.meanwhile:
            self._memory.meanwhile[key] = make()
        found: T = self._memory.meanwhile[key]
        return found
