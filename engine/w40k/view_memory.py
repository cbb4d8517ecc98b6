"""What a seat has worked out, kept as long as nothing makes it otherwise.

Owns when it is forgotten. What is worked out, and by what key, is the affair of the view and its readers.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from engine.w40k.bracket_watch import BracketWatch

if TYPE_CHECKING:
    from engine.w40k.battle import Battle


class ViewMemory:
    """What was worked out in a phase in which nothing moved, and since anything happened."""

    def __init__(self) -> None:
        """Know nothing."""
        self.known: dict[Hashable, tuple[Any, int]] = {}
        """By key, what was worked out in this phase, and how many searches were broken off for it."""
        self.meanwhile: dict[Hashable, Any] = {}
        """By key, what was worked out since anything happened."""
        self._brackets = BracketWatch()
        self._stamp: object = None
        self._moment: object = None

    def look(self, battle: Battle) -> None:
        """Forget what may be otherwise after the events since the last look.

        Wounds that cross a bracket make what was worked out in the phase another, too.
        """
        moment = (battle.field, len(battle.events))
        if moment == self._moment:
            return
        self._moment, self.meanwhile = moment, {}
        state, table = battle.state, battle.state.position.table
        stamp = (battle.field, table.version, table.terrain_version, state.round, state.turn, state.phase)
        if self._brackets.has_crossed(battle) or stamp != self._stamp:
            self._stamp, self.known = stamp, {}
