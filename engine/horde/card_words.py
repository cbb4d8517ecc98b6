"""The words that Horde Mode adds: on supply, brackets, decks, secrets and its actions.

Each word reads the battle and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from engine.core import event as ev
from engine.core.apply import fold
from engine.core.facts import PLAYERS
from engine.core.state import Objective, State, Unit
from engine.horde.steps import card, recruit
from engine.records.language import Kind, word
from engine.w40k.activation import payer
from engine.w40k.battle import Battle


@word(looks_around=True)
def sp(battle: Battle, seat: str) -> int:
    """Return a player's SP."""
    return battle.state.players[seat].sp


@word(clause="ROUND.3")
def carried(battle: Battle, key: str) -> int:
    """Return what last round's missions added for this round. Rule: ROUND.3, R.A82."""
    return battle.state.marks.count(f"now:{key}")


@word()
def has_revealed(battle: Battle, seat: str) -> bool:
    """Return whether a player has a revealed secret objective."""
    return bool(battle.state.players[seat].revealed)


@word()
def has_shown(battle: Battle, seat: str, card: str) -> bool:
    """Return whether a player has revealed this secret objective."""
    return card in battle.state.players[seat].revealed


@word(looks_around=True)
def takes_part(battle: Battle, seat: str) -> bool:
    """Return whether a player gains points: a survivor, or one that goes on. Rule: SECRET.29."""
    return seat in payer.in_game(battle)


@word()
def on_battlefield(battle: Battle, unit: Unit) -> bool:
    """Return whether a unit is on the battlefield.

    Ruling `mission.aboard`: "on" counts riders in a transport that is. Rule: CORE.TRN.6
    """
    return _stands(battle, battle.state, unit)


def _stands(battle: Battle, state: State, unit: Unit) -> bool:
    if unit.where == "embarked" and battle.ruling("mission.aboard") == "on":
        unit = state.position.units[unit.transport]
    return unit.where == "table" and bool(unit.rows)


@word(clause="SEC.16", looks_around=True)
def heroes_lost(battle: Battle) -> int:
    """Return how many player CHARACTER models the battlefield has lost since the round began."""
    began = max(i for i, event in enumerate(battle.events) if isinstance(event, ev.RoundBegan))
    return _heroes(battle, fold(battle.events[: began + 1])) - _heroes(battle, battle.state)


def _heroes(battle: Battle, state: State) -> int:
    position = state.position
    there = [
        unit for unit in position.units.values() if unit.side == PLAYERS and _stands(battle, state, unit)
    ]
    return sum(
        "CHARACTER" in unit.facts.parts[model.facts.part].keywords
        for unit in there
        for model in position.alive(unit)
    )


@word(clause="SECRET.24", looks_around=True)
def actions_drawn(battle: Battle) -> int:
    """Return how many missions with an action have been revealed in the battle."""
    drawn = (event for event in battle.events if isinstance(event, ev.CardRevealed) and not event.player)
    return sum(bool(battle.rulebook.rule(event.card).offer) for event in drawn if event.deck == "secondary")


@word(clause="SECRET.28", looks_around=True)
def activated(battle: Battle) -> int:
    """Return how many misery cards have been activated in the battle."""
    return card.activated(battle)


@word(clause="SECRET.30", looks_around=True)
def others_tally(battle: Battle, seat: str, key: str) -> int:
    """Return the tallies of all other players together."""
    return sum(player.marks.count(key) for name, player in battle.state.players.items() if name != seat)


@word(clause="MISERY.29")
def is_richest(battle: Battle, seat: str) -> bool:
    """Return whether a player survives, and no survivor has more SP."""
    players, living = battle.state.players, battle.state.players_alive()
    return seat in living and all(players[other].sp <= players[seat].sp for other in living)


@word()
def has_table(battle: Battle, seat: str) -> bool:
    """Return whether the player's faction has a spawning table."""
    return recruit.has_table(battle, seat)


@word()
def bracket_price(battle: Battle, unit: Unit) -> int:
    """Return the lowest roll of the bracket of the unit's full size."""
    return recruit.bracket_price(battle, unit)


@word(clause="BUY.patched-up")
def affordable(battle: Battle, seat: str, price: float, purchase: str) -> bool:
    """Return whether the player has what a purchase costs now."""
    return recruit.price_now(battle, seat, price, purchase) <= battle.state.players[seat].sp


@word()
def in_deck(battle: Battle, card: str, deck: str) -> bool:
    """Return whether a card is of a deck."""
    return battle.rulebook.rule(card).tags[:1] == (deck,)


@word()
def can_spread(battle: Battle, unit: Unit, rule: str, *zones: str) -> bool:
    """Return whether the unit may join those doing an action, each at a marker of its own.

    Markers count that stand in the zones named, or anywhere.
    """
    units = [u for u in battle.state.position.on_table() if u.marks.get("action", "") == rule]
    return _are_spread(battle, [*units, unit], _markers(battle, *zones))


@word(clause="SECRET.25")
def signal_is_free(battle: Battle, seat: str, shown: bool = False) -> bool:
    """Return whether three markers with no Horde unit in range have a unit of the player's each.

    Once the objective is shown the Horde does not matter. Rule: SECRET.25.
    """
    field = battle.field
    horde = [] if shown else battle.state.position.on_table("horde")
    free = [o for o in _markers(battle) if not any(field.in_range_of(u, o).any() for u in horde)]
    own = [u for u in battle.state.position.on_table("players") if u.player == seat]
    return any(_are_spread(battle, list(trio), free) for trio in combinations(own, 3))


def _markers(battle: Battle, *zones: str) -> list[Objective]:
    return [o for o in battle.state.position.objectives.values() if not zones or o.facts.zone in zones]


def _are_spread(battle: Battle, units: list[Unit], markers: list[Objective]) -> bool:
    """Return whether each unit can be given a marker within whose range it is, no two the same."""
    if not units:
        return True
    field = battle.field
    near = [o for o in markers if field.in_range_of(units[0], o).any()]
    return any(_are_spread(battle, units[1:], [o for o in markers if o is not each]) for each in near)


def _missions(battle: Battle) -> Iterable[str]:
    decks = battle.state.decks
    return decks["secondary"].active if "secondary" in decks else ()


KINDS = (Kind("mission", _missions),)
"""What selectors may name beside the edition's kinds, and how a battle lists it."""
