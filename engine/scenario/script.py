"""What a scenario's players answer: as its file says, else nothing.

Owns how an [[answer]] becomes a legal or illegal answer to a request. It judges no legality.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from datasheets.errors import BadData
from datasheets.scenario import Answer
from engine.core.event import Pose, Shot
from engine.core.request import (
    AnyAnswer,
    AnyRequest,
    Choose,
    Chosen,
    Move,
    Moves,
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
from engine.scenario.foothold import SHORT, clear_place, touching_place
from engine.scenario.frame import Frame
from engine.scenario.naming import OF_MODELS, Part, agreed, meant, offers_unit
from engine.w40k.activation.transport import STAY_OUT
from engine.w40k.activation.turn_taking import DONE, PASS
from engine.w40k.battle import Battle
from engine.w40k.flight import LEAVE
from engine.w40k.phase.shooting import SHOOT_INSTEAD
from geometry.path.ground import Ground, placed
from geometry.path.pivoting import turning_path
from geometry.path.planner import Blocked, Path, ShortestPaths
from geometry.path.reference_path import rounded
from geometry.portable import span
from geometry.shape.convex_shape import NOTHING, Outlines
from geometry.tolerance import TOLERANCE

CARD = "card"
"""The key of a purchase's `choose` that names the saved card that pays for it."""
MOVES = ("remain-stationary", "normal-move", "advance", "fall-back", LEAVE)
DISEMBARK = "disembark"
ACTION = "action"
SCOUT = "scout"
FIGHTS = ("pile-in", "fight", "consolidate")
STEPS: dict[str, tuple[str, ...]] = {
    "CORE.MOVE.1": (*MOVES, DISEMBARK),
    "CORE.SHOOT.1": ("shoot", "no-shot", ACTION),
    "CORE.RES.7": (SCOUT,),
    "CORE.CHG.1": ("charge", "no-charge"),
    "CORE.FGT.1": FIGHTS,
}
"""The rule that asks which unit is next, and what scripted units do in that step."""
FOLLOWED = ("next-unit", "reinforce", "move", "charge")
"""Choices of a unit after which it is asked how."""
LAST = (("remain-stationary",), (LEAVE,))
"""But for these, after which it is not."""
MEETS = ("charge", "pile-in", "consolidate", "surge")
"""The moves that end in base contact where they can."""
PASSIVE = ("remain-stationary", "shoot", "battlefield")


class AnsweredByItself(Exception):  # noqa: N818 - no fault: the autopilot is to answer
    """The script says what is done, but not how; the agent of the seat works it out."""


@dataclass(slots=True)
class Script:
    """The answers of a file that have not been given yet."""

    left: list[Answer]
    frame: Frame
    path: str
    parts: dict[str, Part] = field(default_factory=dict)
    """Which part of which unit each leader is."""
    given: list[Answer] = field(default_factory=list)
    spare: list[Answer] = field(default_factory=list)
    """What answers to a rule say beyond its first question, kept for the next ones, if any."""

    def wanted(self, game: Battle, request: AnyRequest) -> Answer | None:
        """Return the first scripted answer that this request asks for."""
        for answer in (*self.spare, *self.left):
            if answer.player and answer.player not in request.seats:
                continue
            if self._fits(game, request, answer):
                return answer
        return None

    def lets_others(self, game: Battle, request: AnyRequest) -> bool:
        """Return whether the file has another player answer such a question first."""
        if not isinstance(request, Choose) or all(option.id != PASS for option in request.options):
            return False
        for answer in self.left:
            if answer.buy and request.decision == "purchase":
                return bool(answer.player) and answer.player not in request.seats
            if request.decision == "next-unit" and answer.decision in STEPS.get(request.rule, ()):
                unit = game.state.position.units.get(_opener(game, answer))
                return unit is not None and unit.player not in request.seats
        return False

    def _fits(self, game: Battle, request: AnyRequest, answer: Answer) -> bool:
        if answer.buy:
            return request.decision == "purchase"
        if answer.rule and (answer.decision != ACTION or answer.rule == request.rule):
            own = answer.rule == request.rule and (
                answer.unit in ("", request.unit) or offers_unit(request, answer.unit)
            )
            own = own and _says_how(request, answer)
            return own or bool(self._to_select(game, request, answer))
        if isinstance(request, Choose) and request.decision == "next-unit":
            offered = any(option.id == _opener(game, answer) for option in request.options)
            return offered and answer.decision in STEPS.get(request.rule, ())
        if request.unit != answer.unit:
            return (
                isinstance(request, Choose)
                and request.decision == "reinforce"
                and answer.decision in ("deep-strike", "arrive", "reserves")
                and any(option.id == answer.unit for option in request.options)
            )
        if isinstance(request, Place):
            early = answer.decision == DISEMBARK and self._is_later(request.beside, answer)
            return answer.decision in (request.kind, request.decision) and not early
        if isinstance(request, Split):
            return answer.decision in ("fight",) if request.melee else answer.decision in ("shoot", "no-shot")
        if isinstance(request, Move):
            name = "normal-move" if request.kind == "normal" else request.kind
            return answer.decision == (SCOUT if request.decision == SCOUT else name)
        if request.decision == "move":
            return answer.decision in MOVES
        if request.decision == "charge":
            return answer.decision in ("charge", "no-charge")
        return request.decision == answer.decision

    def _to_select(self, game: Battle, request: AnyRequest, said: Answer) -> str:
        """Return the unit to select to shoot so that it can use an answer's Stratagem, "" if none."""
        if not isinstance(request, Choose) or (request.decision, request.rule) != (
            "next-unit",
            "CORE.SHOOT.1",
        ):
            return ""
        if all(offer.rule.clause != said.rule for offer in game.rulebook.offers("selected-to-shoot")):
            return ""
        offered = {option.id for option in request.options}
        return next((name for name in self._named(game, said) if name in offered), "")

    def _is_later(self, transport: str, answer: Answer) -> bool:
        """Return whether the file has the transport move before this answer is given."""
        before = self.left[: self.left.index(answer)]
        return any(each.unit == transport and each.decision in MOVES for each in before)

    def answer(self, game: Battle, request: AnyRequest, said: Answer) -> AnyAnswer:
        """Return what a scripted answer says to a request; when it has said all, it is used up."""
        if selected := self._to_select(game, request, said):
            return Chosen(ids=(selected,))
        starts = said.decision == ACTION and said.rule != request.rule
        if isinstance(request, Choose) and (starts or not (said.rule or said.buy)):
            chosen = self._choice(game, request, said)
            if request.decision == ACTION:
                self._use(said)
                return Chosen(ids=self._started(game, request, said) or chosen.ids)
            if request.decision not in FOLLOWED or chosen.ids in LAST or said.decision == "no-charge":
                self._use(said)
            return chosen
        self._use(said)
        if isinstance(request, Choose):
            return Chosen(ids=self._offered(game, request, said))
        if isinstance(request, YesNo):
            return Said(yes=bool(said.choose.get("yes", True)))
        if isinstance(request, Order):
            first = meant(game, request, self._named(game, said), self.parts)
            rest = [item.id for item in request.items if item.id not in first]
            return Ordered(ids=(*first, *rest))
        if isinstance(request, Move):
            return self._moves(game, request, said)
        if isinstance(request, Split):
            return _splits(request, said)
        return self._places(game, request, said)

    def _use(self, said: Answer) -> None:
        if said in self.spare:
            self.spare.remove(said)
            return
        self.left.remove(said)
        self.given.append(said)

    def _choice(self, game: Battle, request: Choose, said: Answer) -> Chosen:
        if request.decision in ("next-unit", "reinforce"):
            return Chosen(ids=(_opener(game, said),))
        if request.decision == "charge":
            return Chosen(ids=said.targets if said.decision == "charge" else ())
        named = (*said.targets, *self._named(game, said))
        if request.decision == "embark" and not named:
            named = tuple(option.id for option in request.options if option.id != STAY_OUT)[:1]
        if request.decision == ACTION and not named:
            named = tuple(option.id for option in request.options if option.id != SHOOT_INSTEAD)[:1]
        return Chosen(ids=named or (said.decision,))

    def _offered(self, game: Battle, request: Choose, said: Answer) -> tuple[str, ...]:
        """Return the names of an answer that are on offer; the others are kept for later."""
        if said.buy:
            clause = game.rulebook.rule(said.buy).clause if said.buy in game.rulebook else said.buy
            bought, card = self._bought(game, request, said)
            others = {key: each for key, each in said.choose.items() if not card or key != CARD}
            self._keep(said, {"buy": "", "rule": clause, "choose": others})
            return (bought,)
        names = self._named(game, said) or agreed(request, said)
        if request.decision in OF_MODELS:
            return tuple(meant(game, request, names, self.parts)[: request.maximum])
        offered = {option.id for option in request.options}
        ids = tuple(name for name in names if name in offered)
        rest = [name for name in names if name not in offered]
        if rest and not ids:
            return names
        self._keep(said, {"choose": {"rest": rest} if rest else {}})
        return ids

    def _bought(self, game: Battle, request: Choose, said: Answer) -> tuple[str, bool]:
        """Return what is bought as it is offered, and whether the card that is named pays for it.

        What the player has not the SP for it takes for a saved card, or free.
        """
        (plain,) = self._known(game, [said.buy])
        offered = [option.id for option in request.options]
        (card,) = self._known(game, [str(said.choose.get(CARD, ""))])
        if f"{card}+{plain}" in offered:
            return f"{card}+{plain}", True
        free = (each for each in offered if each.endswith(f"+{plain}"))
        return (plain if plain in offered else next(free, plain)), False

    def _started(self, game: Battle, request: Choose, said: Answer) -> tuple[str, ...]:
        """Return the action that an answer names; what it is done on is kept for the next question."""
        offered = {option.id for option in request.options}
        names = self._named(game, said)
        ids = tuple(name for name in names if name in offered)
        ids = ids or self._known(game, [said.rule] if said.rule else [])
        rest = [name for name in names if name not in offered]
        if rest and ids:
            clause = game.rulebook.rule(ids[0]).clause
            self._keep(said, {"unit": "", "decision": "", "rule": clause, "choose": {"rest": rest}})
        return ids or names

    def _keep(self, said: Answer, changes: dict[str, Any]) -> None:
        """Keep what an answer says beyond the question that it has answered."""
        rest = said.model_copy(update=changes)
        if rest.choose or rest.to:
            self.spare.append(rest)

    def _named(self, game: Battle, said: Answer) -> tuple[str, ...]:
        """Return the ids that an answer to a rule names; cards and purchases go by their clause too."""
        names: list[str] = []
        for value in said.choose.values():
            if not isinstance(value, bool):
                names += [str(each) for each in value] if isinstance(value, list | tuple) else [str(value)]
        return self._known(game, names)

    @staticmethod
    def _known(game: Battle, names: list[str]) -> tuple[str, ...]:
        return tuple(game.rulebook.rule(name).id if name in game.rulebook else name for name in names)

    def _spot(self, said: Answer, unit: Unit, row: int) -> tuple[float, ...]:
        number = next(i for i, model in enumerate(unit.facts.models) if model.row == row)
        if number >= len(said.to):
            key = f"answer of {said.unit}"
            raise BadData(self.path, key, f"to has {len(said.to)} places; give one for each model")
        return (*self.frame.point(said.to[number]), *said.to[number][2:])

    def _moves(self, game: Battle, request: Move, said: Answer) -> Moves:
        if not said.to:
            raise AnsweredByItself
        unit = game.state.position.units[request.unit]
        table = game.state.position.table
        ground = game.field.ground(unit, request.kind, request.targets)
        paths, own = {}, NOTHING
        for row in unit.rows:
            if request.least:
                paths[row] = self._flight(said, unit, row)
                continue
            start, goal = (*table.xy[row], table.z[row]), self._spot(said, unit, row)
            goal = self._end(game, request, row, goal, ground, own)
            stays = row not in request.limits and span(start[:2], goal[:2]) < SHORT
            own = own.joined(placed(np.array([(start if stays else goal)[:2]]), [table.stance(row)]))
            if stays:
                continue
            found = self._way(game, row, goal, request.limits.get(row, 0.0), ground)
            # Where there is no way the answer is a straight one, to be refused for what it runs into.
            way = found if isinstance(found, Path) else Path.from_legs(start, (goal[:2],))
            paths[row] = tuple(rounded(way).legs)
        return Moves(paths=paths)

    @staticmethod
    def _end(
        game: Battle, request: Move, row: int, spot: tuple[float, ...], ground: Ground, own: Outlines
    ) -> tuple[float, ...]:
        """Return the end that is meant: clear of slight overlaps, in contact where that is near.

        Only the moves that end in base contact where they can are put in contact.
        """
        base = game.state.position.table.stance(row)
        clear = clear_place(ground, spot, base, own)
        if request.kind not in MEETS:
            return clear
        enemies = game.field.enemies(game.state.position.units[request.unit])
        return touching_place(ground, clear, base, game.field.outlines(game.field.rows(enemies)), own)

    def _flight(self, said: Answer, unit: Unit, row: int) -> tuple[tuple[float, ...], ...]:
        """Return the flight of AIRCRAFT to a place, with the turn at its end where one is said."""
        x, y = (round(each, 7) for each in self._spot(said, unit, row)[:2])
        return ((x, y),) if said.facing is None else ((x, y), (x, y, self.frame.facing(said.facing), 0.0))

    def _way(
        self, game: Battle, row: int, goal: tuple[float, ...], limit: float, ground: Ground
    ) -> Path | Blocked:
        """Return the shortest way of a model to a place; it turns only if it must."""
        table = game.state.position.table
        start = (*table.xy[row], table.z[row])
        plain = ShortestPaths(table.stance(row), ground).climbing(start, goal)
        if isinstance(plain, Path) and plain.length <= limit + TOLERANCE:
            return plain
        facing, cost = float(table.facing[row]), game.field.pivot_cost(row)
        turned = turning_path(table.base[row], facing, start, goal, limit, cost, ground)
        return turned if isinstance(turned, Path) else plain

    def _places(self, game: Battle, request: Place, said: Answer) -> Places:
        if not said.to:
            raise AnsweredByItself
        poses: dict[int, Pose] = {}
        if request.rows == (-1,):
            facing = self.frame.facing(said.facing or 0.0) if request.piece is not None else 0.0
            poses[-1] = (*self.frame.point(said.to[0]), 0.0, facing)
        else:
            unit = game.state.position.units[request.unit]
            facing = self.frame.facing(90.0 if said.facing is None else said.facing)
            ground, own = game.field.landing(unit), NOTHING
            for row in request.rows:
                base = game.state.position.table.stance(row, facing)
                x, y, *z = clear_place(ground, self._spot(said, unit, row), base, own)
                own = own.joined(placed(np.array([[x, y]]), [base]))
                poses[row] = (x, y, z[0] if z else 0.0, facing)
        return Places(poses=poses)


def _says_how(request: AnyRequest, answer: Answer) -> bool:
    """Return whether an answer to a rule says what is asked: a place or a choice.

    An answer that says neither fits every question.
    """
    if isinstance(request, Place | Move):
        return bool(answer.to) or not answer.choose
    return bool(answer.choose) or not answer.to


def _opener(game: Battle, said: Answer) -> str:
    """Return the unit to select for a scripted deed: its transport for one that disembarks."""
    unit = game.state.position.units.get(said.unit)
    rides = unit is not None and said.decision == DISEMBARK and unit.where == "embarked"
    return unit.transport if unit is not None and rides else said.unit


def _splits(request: Split, said: Answer) -> Splits:
    """Return every line fired at the first of the targets that is legal for it.

    Each model fires the lines of one set only.
    """
    if said.decision == "no-shot":
        return Splits()
    if not said.targets:
        raise AnsweredByItself
    shots: list[Shot] = []
    groups: set[str] = set()
    sets: dict[int, str] = {}
    for line in request.lines:
        target = next((t for t in said.targets if t in line.targets), "")
        taken = sets.setdefault(line.model, line.set) if target and line.set else line.set
        if target and line.group not in groups and line.set == taken:
            groups.add(line.group)
            shots.append(Shot(model=line.model, weapon=line.weapon, target=target))
    if not shots:
        first = request.lines[0]
        shots = [Shot(model=first.model, weapon=first.weapon, target=said.targets[0])]
    return Splits(shots=tuple(shots))


def declined(request: AnyRequest) -> AnyAnswer | None:
    """Return the answer of a player that does nothing; None where something must be done."""
    if isinstance(request, Choose):
        return _least(request)
    if isinstance(request, Move):
        return Moves()
    if isinstance(request, Split):
        return Splits()
    if isinstance(request, Order):
        return Ordered(ids=tuple(item.id for item in request.items))
    if isinstance(request, YesNo):
        return Said(yes=False)
    return Places() if request.optional else None


def _least(request: Choose) -> Chosen:
    ids = [option.id for option in request.options]
    if request.minimum == 0:
        return Chosen(ids=())
    for passive in (DONE, *PASSIVE):
        if passive in ids:
            return Chosen(ids=(passive,))
    if request.decision == "next-unit":
        ids = [name for name in ids if name != PASS]
    return Chosen(ids=tuple(ids[: request.minimum]))
