"""Setting up the players' units before the battle: on the battlefield or in reserves."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import shapely

from engine.core import event as ev
from engine.core.facts import PLAYERS, Ring, UnitFacts
from engine.core.request import CRAMPED, Choose, Chosen, Option, Place, Places
from engine.core.ruleset import Steps
from engine.core.state import State
from engine.w40k.attack.damage import lose_the_unplaced
from engine.w40k.flight import can_hover, choose_hover, is_in_the_air
from engine.w40k.room import has_room
from geometry.shape.base import TOLERANCE

if TYPE_CHECKING:
    from engine.core.game import Game

ROUND = 256
"""With so many corners a quarter of a circle is drawn round a corner of a zone."""


def deploy(game: Game) -> Steps[bool]:
    """Set up one of the players' units. Rule: SETUP.5, CORE.RES.8, CORE.AIR.1"""
    waiting = [facts for facts in game.mustered if facts.id not in game.state.position.units]
    if not waiting:
        return False
    facts = waiting[0]
    player = facts.player
    if facts.embarked_in:
        event = ev.Embarked(unit=facts.id, transport=facts.embarked_in, facts=facts)
        yield from game.happen(event, "SETUP.5")
        name_unmodelled(game, facts)
        return True
    facts = yield from choose_hover(game, facts)
    if is_in_the_air(facts):
        game.log(ev.Reserved(unit=facts.id, facts=facts, how="strategic"), "CORE.AIR.1")
        name_unmodelled(game, facts)
        return True
    choices = [Option(id="battlefield", label="Set it up on the battlefield")]
    if _may_reserve(game, facts):
        choices.append(Option(id="reserves", label="Keep it in reserves"))
    answer = yield Choose(
        seats=(player,),
        rule="SETUP.5",
        decision="deploy",
        prompt=f"Where does {facts.name} begin?",
        unit=facts.id,
        options=tuple(choices),
    )
    assert isinstance(answer, Chosen)
    # It enters off the table first, so that the set-up can be asked for by its rows.
    at_once = answer.ids[0] == "battlefield"
    later = "deep-strike" if deep_strikes(facts) else "strategic"
    game.log(ev.Reserved(unit=facts.id, facts=facts, how="muster" if at_once else later), "SETUP.5")
    name_unmodelled(game, facts)
    if at_once:
        yield from _set_up(game, facts, player)
    return True


def _set_up(game: Game, facts: UnitFacts, player: str) -> Steps[None]:
    """Ask where a unit is set up; models for which there is no room are destroyed. Rule: CORE.RES.8"""
    infiltrates = all("infiltrators" in part.abilities for part in facts.parts)
    zone = next(z.polygon for z in game.state.position.zones.values() if z.kind == "defender")
    where = "in the Defender's deployment zone"
    if infiltrates:
        where = 'more than 9" from the enemy and its deployment zone'
    unit, areas = game.state.position.units[facts.id], infiltration(game) if infiltrates else (zone,)
    fits = has_room(game.field, unit, areas)
    answer = yield Place(
        seats=(player,),
        rule="CORE.RES.6" if infiltrates else "SETUP.5",
        decision="place",
        prompt=f"Set up {facts.name} {where}." + ("" if fits else " What finds no place is destroyed."),
        unit=facts.id,
        kind="deploy" if fits else CRAMPED,
        rows=tuple(model.row for model in facts.models),
        areas=areas,
        optional=not fits,
    )
    assert isinstance(answer, Places)
    if answer.poses:
        yield from game.happen(ev.Placed(unit=facts.id, poses=answer.poses), "SETUP.5")
    yield from lose_the_unplaced(game, unit, cause="CORE.RES.8")


def infiltration(game: Game) -> tuple[Ring, ...]:
    """Return where Infiltrators may be set up: more than 9" from the Horde's deployment zone.

    Rule: CORE.RES.6
    """
    allowed = shapely.box(*game.state.position.board.bounds)
    # "More than" is strict, while a base may touch the border of an area.
    far = game.ruleset.knobs.deep_strike + 2 * TOLERANCE
    # The corners of the rounded border lie beyond the arc, so that nothing of it is too near.
    far /= math.cos(math.pi / (4 * ROUND))
    for zone in game.state.position.zones.values():
        if zone.kind == "horde":
            allowed = allowed.difference(shapely.Polygon(zone.polygon).buffer(far, quad_segs=ROUND))
    pieces = [p for p in getattr(allowed, "geoms", [allowed]) if p.geom_type == "Polygon" and not p.is_empty]
    return tuple(tuple((float(x), float(y)) for x, y in p.exterior.coords[:-1]) for p in pieces)


def name_unmodelled(game: Game, facts: UnitFacts) -> None:
    """Name in the log everything of a new unit that is not simulated."""
    for part in facts.parts:
        for name in part.unmodelled:
            event = ev.Unmodelled(rule=name, reason="this ability is not simulated yet", unit=facts.id)
            game.log(event, part.datasheet)


def deep_strikes(facts: UnitFacts) -> bool:
    """Return whether every model of the unit has Deep Strike. Rule: CORE.RES.5, SP.R14."""
    return all("deep strike" in part.abilities for part in facts.parts)


def _may_reserve(game: Game, facts: UnitFacts) -> bool:
    """Return whether the player's reserves stay within their share with it; AIRCRAFT to come count already.

    Rule: SETUP.5, CORE.RES.1, CORE.AIR.1
    """
    mine = [f for f in game.mustered if f.player == facts.player]
    bound = {
        f.id for f in mine if f.id not in game.state.position.units and is_in_the_air(f) and not can_hover(f)
    }
    waiting = [f for f in mine if _in_reserves(game.state, f.embarked_in or f.id)]
    waiting += [f for f in mine if (f.embarked_in or f.id) in bound]
    kept = sum(f.points for f in waiting)
    coming = sum(f.points for f in mine if facts.id in (f.id, f.embarked_in))
    limit = game.ruleset.knobs.reserves_share * sum(f.points for f in mine)
    fortification = any("FORTIFICATION" in part.keywords for part in facts.parts)
    return not fortification and kept + coming <= limit


def _in_reserves(state: State, unit: str) -> bool:
    return unit in state.position.units and state.position.units[unit].where == "reserves"


def players_alive(state: State) -> list[str]:
    """Return the players that have a model in play or in reserve. Rule: WIN.3, R.A88."""
    living = {u.player for u in state.position.units.values() if u.side == PLAYERS and u.where != "destroyed"}
    return [player for player in state.players if player in living]
