"""The mouse's hold on a set-up: its places follow the mouse, release sets it up there.

Where the models fit is what the typed "at X Y" finds; it draws nothing.
"""

from __future__ import annotations

import numpy as np

from engine.core.facts import Point
from engine.core.request import AnyAnswer, Place, Places
from engine.w40k.view import View
from geometry.measure.region import point_in
from viewer.input.answering import Answering
from viewer.input.newest import Newest
from viewer.input.reading import Misread
from viewer.input.wish import answer_of

Found = tuple[str, AnyAnswer | None, str]
"""A line, the set-up that it means (None for none), and what is wrong with it."""


class PlaceDrag:
    """What the hand sets up."""

    def __init__(self) -> None:
        """Hold nothing."""
        self.asked: Answering | None = None
        self._line = ""
        self.has_let_go = False
        """Whether the hand has let go before the set-up there was worked out."""
        self._found: Newest[str, Found] | None = None

    def takes(self, asked: Answering, at: Point) -> bool:
        """Return whether a press at a point of the board takes hold of what is to be set up."""
        request = asked.request
        if not isinstance(request, Place):
            return False
        return not request.areas or any(point_in(area, np.array([at])).all() for area in request.areas)

    def carry(self, asked: Answering, at: Point) -> None:
        """Carry what is to be set up to a point of the board."""
        if self.asked is not asked:
            self.let_go()
            assert isinstance(asked.request, Place)
            self.asked, self._found = asked, Newest(asked.worker(_found))
        assert self._found is not None
        self._line = asked.line_at(at)
        self._found.ask(self._line)
        self._show()

    @property
    def is_late(self) -> bool:
        """Return whether the set-up at the place where the hand is now is still to come."""
        return self._found is not None and self._found.is_late

    def look(self) -> bool:
        """Take in the set-up that is ready; return whether it is another."""
        is_new = self._found is not None and self._found.look()
        if is_new:
            self._show()
        return is_new

    def wait(self) -> None:
        """Wait for the set-up at the place where the hand is now."""
        if self._found is not None:
            self._found.now(self._line)
            self._show()

    def _show(self) -> None:
        latest = self._found.latest if self._found is not None else None
        if self.asked is not None and latest is not None:
            self.asked.show(*latest)

    def release(self) -> AnyAnswer | None:
        """Return the set-up where the hand lets go, None where none is legal; the fault says why.

        One that is late comes when `late` is asked for it.
        """
        asked, found = self.asked, self._found
        if asked is None or found is None:
            return None
        self.has_let_go = not found.comes(self._line, asked.patience)
        if self.has_let_go:
            return None
        line, answer, fault = found.now(self._line)
        asked.show(line, answer, fault)
        self._stop()
        return answer if not fault and isinstance(answer, Places) and answer.poses else None

    def late(self) -> AnyAnswer | None:
        """Return the set-up that was late as the hand let go, once it is there."""
        return self.release() if self.has_let_go and not self.is_late else None

    def let_go(self) -> bool:
        """Let go of what is held; return whether anything was."""
        asked = self.asked
        self._stop()
        if asked is not None:
            asked.write("")
        return asked is not None

    def forget(self) -> None:
        """Hold nothing, whatever was held."""
        self._stop()

    def _stop(self) -> None:
        if self._found is not None:
            self._found.stop(waits=self.asked is None or self.asked.patience is None)
        self.has_let_go = False
        self.asked = self._found = None


def _found(view: View, request: Place, line: str) -> Found:
    try:
        answer = answer_of(view, request, line)
    except Misread as fault:
        return line, None, str(fault)
    faults = view.faults(request, answer)
    return line, answer, f"That may not be: {faults[0]}." if faults else ""
