"""An agent that draws its answers at random; each of them is legal.

Owns no judgement. Tests use it to reach states that no sensible player would reach.
"""

from __future__ import annotations

from ai.moving.flying import Flights
from ai.moving.move_planning import (
    Plan,
    close_in,
    into_combat,
    into_contact,
    may_end,
    stand,
    to_marker,
    to_point,
)
from ai.moving.placement import anywhere, as_many_as_fit, beside, returning
from ai.moving.retreat import away
from ai.moving.surging import closest_approach
from engine.core.event import Shot
from engine.core.request import (
    RETURN,
    AnyAnswer,
    AnyRequest,
    Choose,
    Chosen,
    Line,
    Move,
    Moves,
    Order,
    Ordered,
    Place,
    Places,
    Said,
    Split,
    Splits,
)
from engine.w40k.view import View

STREAM = "fuzz"


class FuzzAgent:
    """A player that acts at random, within the rules."""

    name = "fuzz"

    def answer(self, view: View, request: AnyRequest) -> AnyAnswer:
        """Return some legal answer."""
        chance = _Chance(view)
        if isinstance(request, Choose):
            return _choose(view, request, chance)
        if isinstance(request, Move):
            return _move(view, request, chance)
        if isinstance(request, Place):
            return _place(view, request, chance)
        if isinstance(request, Split):
            return _split(request, chance)
        if isinstance(request, Order):
            return Ordered(ids=tuple(chance.shuffled([item.id for item in request.items])))
        return Said(yes=chance.below(2) == 0)


class _Chance:
    """The draws of one answer, one after another."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.drawn = 0

    def below(self, count: int) -> int:
        """Return a random index below `count`."""
        self.drawn += 1
        return self.view.index(count, STREAM, str(self.drawn))

    def share(self) -> float:
        """Return a random number from 0 to 1."""
        return self.below(1001) / 1000

    def shuffled(self, items: list[str]) -> list[str]:
        """Return the items in a random order."""
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in range(len(items))]


def _choose(view: View, request: Choose, chance: _Chance) -> Chosen:
    ids = [option.id for option in request.options]
    if request.decision == "next-unit":
        foreign = {u.id for u in view.units() if u.player != view.seat}
        ids = [one for one in ids if one not in foreign]
        # The end of a phase is drawn rarely: otherwise hardly any unit would act.
        if len(ids) > 1 and "done" in ids and chance.below(8):
            ids.remove("done")
    if request.decision == "move":
        ids = [one for one in ids if one != "fall-back" or _can_fall_back(view, request.unit)]
    count = request.minimum + chance.below(request.maximum - request.minimum + 1)
    return Chosen(ids=tuple(chance.shuffled(ids)[:count]))


def _can_fall_back(view: View, name: str) -> bool:
    unit = view.unit(name)
    return away(view, unit, view.move_limits(unit)) is not None


def _move(view: View, request: Move, chance: _Chance) -> Moves:
    unit = view.unit(request.unit)
    plan: Plan | None
    if request.least:
        plan = _fly(view, request, chance)
    elif request.kind == "fall-back":
        plan = away(view, unit, request.limits)
    elif request.kind == "charge":
        plan = into_contact(view, unit, "charge", request.limits, request.targets)
    elif request.kind == "surge":
        plan = closest_approach(view, request)
    elif chance.below(8) == 0:
        plan = None
    elif request.kind == "pile-in":
        plan = close_in(view, unit, request.kind, request.limits)
    elif request.kind == "consolidate":
        found = to_marker(view, unit, request.limits)
        plan = into_combat(view, request) or (found[1] if found else None)
    else:
        plan = _wander(view, request, chance)
    moves = Moves(paths=(plan or stand(view, unit)).paths)
    # The planners know nothing of the distance that Scouts keep.
    return moves if may_end(view, request, moves) else Moves()


def _wander(view: View, request: Move, chance: _Chance) -> Plan:
    unit = view.unit(request.unit)
    width, depth = view.board.size
    goal = (chance.share() * width, chance.share() * depth)
    if chance.below(2):
        share = chance.share()
        limits = {row: limit * share for row, limit in request.limits.items()}
    else:
        limits = request.limits
    return to_point(view, unit, request.kind, limits, goal)


def _fly(view: View, request: Move, chance: _Chance) -> Plan | None:
    flights = Flights(view, view.unit(request.unit))
    lengths = flights.lengths()
    width, depth = view.board.size
    if not lengths or chance.below(8) == 0:
        return None
    aim = (chance.share() * width, chance.share() * depth)
    return flights.plan(lengths[chance.below(len(lengths))], aim)


def _place(view: View, request: Place, chance: _Chance) -> Places:
    if request.optional and chance.below(6) == 0:
        return Places()
    if request.decision in ("disembark", "teleport"):
        return Places(poses=beside(view, request) or {})
    if request.kind == RETURN:
        return Places(poses=returning(view, request))
    width, depth = view.board.size
    for _ in range(6):
        near = (chance.share() * width, chance.share() * depth)
        poses = anywhere(view, request, near)
        if poses is not None:
            turn = round(360 * chance.share() - 180, 3)
            about = Places(poses={row: (x, y, z, turn) for row, (x, y, z, _) in poses.items()})
            return Places(poses=poses) if view.faults(request, about) else about
    return Places(poses=as_many_as_fit(view, request) if request.partly else {})


def _split(request: Split, chance: _Chance) -> Splits:
    shots: list[Shot] = []
    for model in sorted({line.model for line in request.lines}):
        shots += _model_shots([line for line in request.lines if line.model == model], chance)
    return Splits(shots=tuple(shots))


def _model_shots(lines: list[Line], chance: _Chance) -> list[Shot]:
    sets = sorted({line.set for line in lines if line.set})
    wanted = sets[chance.below(len(sets))] if sets else ""
    used: set[str] = set()
    shots = []
    for line in lines:
        group = line.group or f"weapon-{line.weapon}"
        if line.set not in ("", wanted) or group in used or not line.targets or chance.below(10) == 0:
            continue
        used.add(group)
        shots.append(
            Shot(model=line.model, weapon=line.weapon, target=line.targets[chance.below(len(line.targets))])
        )
    return shots
