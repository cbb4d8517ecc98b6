"""The holders of objective markers, and by what: now, and were a unit elsewhere.

Owns the words. The counts are the engine's; nothing is weighed here.
"""

from __future__ import annotations

from engine.core.facts import PLAYERS
from engine.w40k.activation.objective import Tally, tally
from engine.w40k.battle import Battle
from viewer.story.name import objective_name


def tallies(battle: Battle) -> dict[str, Tally]:
    """Return the count of every marker, by its id."""
    return {name: tally(battle, marker) for name, marker in battle.state.position.objectives.items()}


def levels(count: Tally) -> str:
    """Return by what a marker is held: the holder's level first."""
    high, low = (count.players, count.horde) if count.by == PLAYERS else (count.horde, count.players)
    if not count.by:
        high, low = count.players, count.horde
    return f"{high} to {low}"


def changes(before: dict[str, Tally], after: dict[str, Tally]) -> list[str]:
    """Return in a few words which markers another place of a unit would make otherwise."""
    found = []
    for name, count in after.items():
        known = before.get(name)
        if known is None or known == count:
            continue
        letter = objective_name(name).removeprefix("objective ")
        letter = letter.upper() if len(letter) <= 3 else letter
        if count.by != known.by and not count.by:
            found.append(f"nobody holds {letter}: {levels(count)}")
        else:
            verb = "holds" if count.by == PLAYERS else "Horde holds" if count.by else "nobody holds"
            found.append(f"{verb} {letter}: {levels(count)}")
    return found
