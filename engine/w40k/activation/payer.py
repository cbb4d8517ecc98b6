"""The players that may use points, each in its own name, or a lost one in another's.

A player that is knocked out uses nothing, unless a rule lets it go on in the name of a survivor.
Rule: WIN.3, SECRET.29
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.w40k.battle import Battle


def goes_on(battle: Battle, seat: str) -> bool:
    """Return whether a rule lets a player that is knocked out use its points all the same."""
    return battle.query.may("go-on", buyer=seat)


def in_game(battle: Battle) -> list[str]:
    """Return the players that gain and use points: the survivors, and those that go on."""
    alive = battle.state.players_alive()
    return [seat for seat in battle.state.players if seat in alive or goes_on(battle, seat)]


def names_for(battle: Battle, payer: str) -> list[str]:
    """Return in whose name a player uses points: its own, or any survivor's once it is lost."""
    return [seat for each, seat in payments(battle) if each == payer]


def payments(battle: Battle) -> list[tuple[str, str]]:
    """Return every pair of a player that may use points and one in whose name it does."""
    alive = battle.state.players_alive()
    found: list[tuple[str, str]] = []
    for payer in battle.state.players:
        if payer in alive:
            found.append((payer, payer))
        elif goes_on(battle, payer):
            found += [(payer, seat) for seat in alive]
    return found
