"""The points of each player: shares of a game, handicaps, transfers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from datasheets.errors import BadData

GAME_SIZES = (1000, 2000)
MOST_PLAYERS = 8
MOST_GIVEN = 15
"""How many points one player may transfer in all. Rule: ARMY.3"""


class Transfer(NamedTuple):
    """Points that one player gives another, each by the number of its seat from 1 on."""

    giver: int
    taker: int
    points: int


def share(points: int, players: int, handicap: int = 0) -> int:
    """Return each player's part of a game's points, rounded to the nearest 5.

    A handicap is taken off the total before it is divided. Rule: ARMY.2, ARMY.7.
    """
    if points not in GAME_SIZES:
        raise BadData("points", "", f"a game has {' or '.join(map(str, GAME_SIZES))} points, not {points}")
    if not 1 <= players <= MOST_PLAYERS:
        raise BadData("players", "", f"a game has 1 to {MOST_PLAYERS} players, not {players}")
    if not 0 <= handicap < points:
        raise BadData("handicap", "", f"a handicap has 0 to {points - 1} points, not {handicap}")
    return 5 * ((2 * (points - handicap) + 5 * players) // (10 * players))


def allowances(
    points: int, players: int, handicap: int = 0, transfers: Sequence[Transfer] = ()
) -> tuple[int, ...]:
    """Return the points that each army may cost, after all transfers.

    Rule: ARMY.2, ARMY.3, ARMY.7.
    """
    found = [share(points, players, handicap)] * players
    given = [0] * players
    for giver, taker, gift in transfers:
        for seat in (giver, taker):
            if not 1 <= seat <= players:
                raise BadData("transfer", "", f"there is no player p{seat}; there are p1 to p{players}")
        if giver == taker or gift < 1:
            raise BadData("transfer", "", "a player gives points to another player, 1 at least")
        given[giver - 1] += gift
        if given[giver - 1] > MOST_GIVEN:
            said = f"p{giver} gives {given[giver - 1]} points; a player gives {MOST_GIVEN} in all at the most"
            raise BadData("transfer", "", said)
        found[giver - 1] -= gift
        found[taker - 1] += gift
    return tuple(found)
