"""Where the autopilot moves its units: it weighs what a few moves win and what they risk.

Owns the moves considered. What a place is worth is `ai.autopilot.prospect`'s, paths are
`ai.moving.move_planning`'s.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
import numpy as np

from ai.autopilot.appraisal import CLOSER
from ai.autopilot.charge_choice import charge_value
from ai.autopilot.prospect import MARKER, Prospect, prospect
from ai.moving.flying import Flights, middle
from ai.moving.move_planning import Plan, stand, to_point, toward
from ai.moving.retreat import away
from engine.core.facts import Point
from engine.core.request import Because, Choose, Chosen, Move, Moves
from engine.core.state import Unit
from engine.w40k.flight import LEAVE
from engine.w40k.view import View
from geometry.measure.distance import within
from geometry.portable import mean_point, norm, span, sum_of
from geometry.shape.base import Floats
from geometry.tolerance import ROUNDING

STAY = "remain-stationary"
STRIDE = 3.0
"""How many inches an Advance is counted on to add to a move."""
GAIN = 3.0
"""By how many points an Advance must promise more than a Normal move."""
STRANDED = 25.0
"""What it costs AIRCRAFT, in points, to end where they have to leave the board next."""
FLIGHTS = 24
"""About how many of the flights that AIRCRAFT could make are weighed."""
NEAR = 24.0
"""The distance, in inches, within which an enemy makes a unit consider keeping away."""


class Option(msgspec.Struct, frozen=True):
    """A move that was planned, with its worth and what it is for."""

    plan: Plan
    value: float
    purpose: str
    target: str = ""


class Idea(msgspec.Struct, frozen=True):
    """A move that might be planned: what it is for, and about where it would end."""

    purpose: str
    target: str
    guess: Floats
    plan: Callable[[], Plan | None]


def choose_move(view: View, request: Choose) -> Chosen:
    """Return the kind of move with the best prospects."""
    unit = view.unit(request.unit)
    offered = {option.id for option in request.options}
    if LEAVE in offered:
        flight = _best_flight(view, unit)
        kind = LEAVE if flight is None else "normal-move"
        told = "It flies off the board" if flight is None else flight.purpose
        return Chosen(ids=(kind,), because=(_because(f"{told}."),))
    if "normal-move" not in offered:
        return _in_combat(view, unit, offered)
    best = best_move(view, unit, "normal", view.move_limits(unit))
    if "advance" in offered and _should_run(view, unit, best):
        because = _because("Nothing is in reach; it advances.", best.target)
        return Chosen(ids=("advance",), because=(because,))
    run = _run(view, unit, best) if "advance" in offered else None
    if run is not None:
        return Chosen(ids=("advance",), because=(_because(f"{run.purpose}, at a run.", run.target),))
    kind = "normal-move" if best.plan.moves else STAY
    return Chosen(ids=(kind,), because=(_because(f"{best.purpose} ({best.value:.0f}).", best.target),))


def move(view: View, request: Move) -> Moves:
    """Return the paths of the best move of this kind."""
    unit = view.unit(request.unit)
    if request.least:
        flight = _best_flight(view, unit)
        return Moves(paths=flight.plan.paths if flight else {})
    if request.kind == "fall-back":
        plan = away(view, unit, request.limits) or stand(view, unit)
        return Moves(paths=plan.paths)
    best = best_move(view, unit, request.kind, request.limits)
    return Moves(paths=best.plan.paths, because=(_because(f"{best.purpose}.", best.target),))


def _best_flight(view: View, unit: Unit) -> Option | None:
    """Return the best of the flights that AIRCRAFT can make; None where there is none.

    Rule: CORE.AIR.2
    """
    return view.remembered(("best-flight", unit.id), lambda: _weighed_flights(view, unit))


def _weighed_flights(view: View, unit: Unit) -> Option | None:
    hope, flights = prospect(view, unit), Flights(view, unit)
    every = flights.lengths()
    if not every:
        return None
    tried = every[:: max(1, len(every) // FLIGHTS)]
    places = {far: flights.ends(far).xy for far in tried}
    hope.foresee(list(places.values()))
    worth = {far: round(hope.value(places[far], True), 6) for far in tried}
    worth = {far: value - (0.0 if flights.leads_on(far) else STRANDED) for far, value in worth.items()}
    far = max(tried, key=lambda length: (worth[length], -length))
    prey = _prey(hope)
    aim = middle(view.xy(prey[0])) if prey else middle([(0.0, 0.0), view.board.size])
    plan = flights.plan(far, aim)
    return Option(plan, worth[far], f'It flies {far:g}" straight on', prey[0].id if prey else "")


def _because(reason: str, target: str = "") -> Because:
    return Because(clause="CORE.MOVE.1", reason=reason, target=target)


def best_move(view: View, unit: Unit, kind: str, limits: dict[int, float]) -> Option:
    """Return the best of the moves considered."""
    key = ("best-move", unit.id, kind, tuple(limits.items()))
    return view.remembered(key, lambda: _best_move(view, unit, kind, limits))


def _best_move(view: View, unit: Unit, kind: str, limits: dict[int, float]) -> Option:
    """Return the move that promises most of those that can be made, or staying if it is better."""
    staying, ideas = _promises(view, unit, kind, limits)
    for promised, idea in ideas:
        if promised <= staying.value:
            break
        plan = idea.plan()
        if plan is not None and plan.moves:
            worth = round(prospect(view, unit).value(plan.ends, _shoots(view, unit, kind), idea.guess), 6)
            return Option(plan, worth, idea.purpose, idea.target) if worth > staying.value else staying
    return staying


def promise(view: View, unit: Unit, kind: str, limits: dict[int, float]) -> float:
    """Return about what the best move considered is worth if nothing is in its way."""
    here, ideas = _promises(view, unit, kind, limits)
    return max((promised for promised, _ in ideas), default=here.value)


def _promises(
    view: View, unit: Unit, kind: str, limits: dict[int, float]
) -> tuple[Option, list[tuple[float, Idea]]]:
    """Return what staying is worth, and each move that might be planned with its promise.

    The move that promises most comes first.
    """
    hope, shoots = prospect(view, unit), _shoots(view, unit, kind)
    ideas, here = list(_ideas(hope, kind, limits)), stand(view, unit)
    hope.foresee([here.ends, *(idea.guess for idea in ideas)])
    promises = [(round(hope.value(idea.guess, shoots), 6), idea) for idea in ideas]
    staying = Option(here, round(hope.value(here.ends, shoots), 6), "It holds its place")
    return staying, sorted(promises, key=lambda each: -each[0])


def _shoots(view: View, unit: Unit, kind: str) -> bool:
    """Return whether the unit may shoot after a move of this kind."""
    return kind == "normal" or view.may("shoot-after-advance", unit=unit)


def _ideas(hope: Prospect, kind: str, limits: dict[int, float]) -> Iterator[Idea]:
    view, unit = hope.view, hope.unit
    far = min(limits.values(), default=0.0)

    def onto(at: Point, purpose: str, target: str) -> Idea:
        guess = _shifted(view.xy(unit), np.array(at), far, 0.0)
        return Idea(purpose, target, guess, lambda: to_point(view, unit, kind, limits, at))

    def near(enemy: Unit, stop: float) -> Idea:
        foes = view.field.outlines(enemy.rows)
        i, j = np.unravel_index(int(view.gaps(unit, enemy).argmin()), view.gaps(unit, enemy).shape)
        apart = span(view.xy(unit)[i], view.xy(enemy)[j])
        short = stop + apart - float(view.gaps(unit, enemy)[i, j])
        guess = _shifted(view.xy(unit), view.xy(enemy)[j], far, short, int(i))
        plan = lambda: toward(view, unit, kind, limits, foes, stop)  # noqa: E731 - one of three alike
        return Idea(f"It makes for {enemy.name}", enemy.id, guess, plan)

    if hope.goal is not None:
        name = hope.goal.facts.id
        yield onto(hope.goal.at, f"It makes for {name}", name)
    for at, name in hope.errand.goals:
        yield onto(at, f"It makes for {name}", "")
    for enemy in _prey(hope):
        for stop in _stops(hope):
            if view.gap(unit, enemy) > stop:
                yield near(enemy, stop)
    refuge = _refuge(hope)
    if refuge is not None:
        threat, at = refuge
        yield onto(at, f"It keeps away from {threat.name}", threat.id)


def _shifted(xy: Floats, goal: Floats, far: float, short: float, leader: int | None = None) -> Floats:
    """Return about where the models would end if all moved alike, straight at a place.

    The way begins at the `leader`, else at the middle of the models. It ends `short` inches before the place,
    and after `far` inches at most.
    """
    start = mean_point(xy) if leader is None else xy[leader]
    way = goal - start
    length = norm(*way)
    return np.asarray(xy + way * (min(far, max(length - short, 0.0)) / max(length, ROUNDING)))


def _refuge(hope: Prospect) -> tuple[Unit, Point] | None:
    """Return the closest enemy and a place well away from it; None if it is not near."""
    view, unit = hope.view, hope.unit
    threat = min(hope.enemies, key=lambda e: (view.gap(unit, e), e.id), default=None)
    if threat is None or not within(view.gap(unit, threat), NEAR):
        return None
    here, there = mean_point(view.xy(unit)), mean_point(view.xy(threat))
    x, y = here + (here - there) * (NEAR / max(span(here, there), ROUNDING))
    return threat, (float(x), float(y))


def _prey(hope: Prospect) -> list[Unit]:
    """Return the two enemies most worth attacking, given how far away they are."""
    return sorted(hope.enemies, key=lambda e: (-_appeal(hope, e), e.id))[:2]


def _appeal(hope: Prospect, enemy: Unit) -> float:
    values, unit = hope.values, hope.unit
    dealt = max(values.shots(unit, enemy), values.melee(unit, enemy))
    return values.trade(dealt, enemy) / (6.0 + hope.view.gap(unit, enemy))


def _stops(hope: Prospect) -> list[float]:
    """Return at which distances from an enemy a move may end: in reach of the guns, or close.

    Half the reach counts too, of guns that do more there.
    """
    guns, weapon = hope.values.guns(hope.unit), hope.unit.weapon
    longest = max((gun.reach for gun in guns), default=0.0)
    closer = max((gun.reach for gun in guns if any(map(weapon(gun.weapon).has, CLOSER))), default=0.0)
    stops = [longest - 0.25] if longest > 2.0 else []
    stops += [closer / 2 - 0.25] if closer > 12.0 else []
    return [*stops, 1.2]


def _should_run(view: View, unit: Unit, best: Option) -> bool:
    """Return whether to Advance: nothing to shoot or charge, and the marker is out of reach."""
    hope = prospect(view, unit)
    ends = best.plan.ends
    if hope.goal is None or best.target != hope.goal.facts.id or hope.shooting(ends) > 1.0:
        return False
    if any(hope.charge(ends, enemy) > 0 for enemy in hope.enemies):
        return False
    gap = view.field.closest_to_objective(unit, hope.goal)
    return gap > max(view.move_limits(unit).values(), default=0.0) + view.parameters.objective_range


def _run(view: View, unit: Unit, best: Option) -> Option | None:
    """Return an Advance after which the unit still attacks, if it promises more than `best`."""
    shoots = view.may("shoot-after-advance", unit=unit)
    charges = view.may("charge-after-advance", unit=unit)
    if not (shoots or charges):
        return None
    limits = {row: far + STRIDE for row, far in view.move_limits(unit).items()}
    hope = prospect(view, unit)
    if not _could_gain(hope, best, charges, min(limits.values(), default=0.0)):
        return None
    run = best_move(view, unit, "advance", limits)
    value = run.value
    if not charges:
        value -= max((hope.charge(run.plan.ends, enemy) for enemy in hope.enemies), default=0.0)
    return run if run.plan.moves and value > best.value + GAIN else None


def _could_gain(hope: Prospect, best: Option, charges: bool, far: float) -> bool:
    """Return whether an Advance could bring a charge, or targets for the guns, into reach."""
    if charges:
        gaps = [(enemy, hope.view.gap(hope.unit, enemy) - far) for enemy in hope.enemies]
        return any(charge_value(hope.values, hope.unit, enemy, gap) > GAIN for enemy, gap in gaps)
    return hope.shooting(best.plan.ends) <= 1.0


def _in_combat(view: View, unit: Unit, offered: set[str]) -> Chosen:
    if "fall-back" in offered and _should_fall_back(view, unit):
        return Chosen(ids=("fall-back",), because=(_because("It loses this fight, and breaks off."),))
    return Chosen(ids=(STAY,), because=(_because("It stays in combat."),))


def _should_fall_back(view: View, unit: Unit) -> bool:
    """Return whether the fight at hand costs more than it wins, and the unit can get out of it."""
    if unit.has("MONSTER") or unit.has("VEHICLE"):
        return False
    hope = prospect(view, unit)
    foes = view.field.engaged_with(unit)
    lost = sum_of(hope.values.trade(hope.values.melee(e, unit), unit) for e in foes)
    won = max((hope.values.trade(hope.values.melee(unit, e), e) for e in foes), default=0.0)
    if view.may("shoot-after-fall-back", unit=unit):
        won -= max((hope.values.fire(unit, e) for e in hope.enemies), default=0.0)
    held = MARKER if hope.is_on_marker() else 0.0
    return won + held < lost and away(view, unit, view.move_limits(unit)) is not None
