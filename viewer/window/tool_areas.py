"""The areas that are shown over the board: reach, places of set-up, threat.

Owns which area is to be shown, and its working out beside the window: once a press, not a frame. What an area
is, the engine says through `viewer.input.reach` and `viewer.input.threat`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from engine.core.facts import HORDE
from engine.core.request import Move, Place
from engine.w40k.phase.movement import limits
from viewer.input.moment import Moment
from viewer.input.newest import Newest
from viewer.input.reach import Reach, places_of, reach_of
from viewer.input.threat import ADVANCE, Threat, threat_of
from viewer.story.name import inches, plain
from viewer.window.camera import Camera
from viewer.window.player import PlayerSeat
from viewer.window.shown_sight import stands

CELL = 0.5
"""The side of the cells of areas, in pixels: their borders are off by less than one pixel."""
COARSEST_CELL = 0.05
"""The largest side of such a cell, in inches, wherever the view is."""
KINDS = {"normal": "Move"}
"""The words for the line round a reach; where nothing stands here, the kind of move."""


@dataclass(frozen=True, slots=True)
class Wish:
    """An area that is to be worked out; two of one key are the same."""

    key: tuple[object, ...]
    moment: Moment = field(compare=False)
    work: Callable[[Moment], object] = field(compare=False)

    kind: str = ""
    """The kind of move, "" where none is asked about."""
    longest: float = 0.0
    """The farthest that a model goes, in inches."""

    def done(self) -> object:
        """Return what comes of it."""
        return self.work(self.moment)

    def kept(self) -> Wish:
        """Return it for a reader beside the window: of a moment that nothing changes any more."""
        return replace(self, moment=self.moment.kept())


class Areas(NamedTuple):
    """What a unit that is to move can reach: with its move, and with an Advance of 6."""

    reach: Reach
    advance: Reach | None = None


class Showing(NamedTuple):
    """What the areas rest on: the moment, what changes with it, and whose areas are shown."""

    now: Moment
    stamp: tuple[object, ...]
    chosen: str
    """The unit that is chosen in the window."""
    threatens: str
    """The unit, or the side, whose threat is shown."""


class ToolAreas:
    """The areas at the moment that is shown; each is worked out once for what it rests on."""

    def __init__(self, player: PlayerSeat, camera: Camera, showing: Callable[[], Showing]) -> None:
        """Begin with none."""
        self._player, self._camera, self._showing = player, camera, showing
        self._reaches: Newest[Wish, object] = Newest(Wish.done)
        self._threats: Newest[Wish, object] = Newest(Wish.done)
        self._known: tuple[tuple[object, ...], tuple[Wish | None, Wish | None]] | None = None

    @property
    def cell(self) -> float:
        """Return the side of the cells in which areas are worked out now, in inches."""
        return min(CELL / self._camera.scale, COARSEST_CELL)

    def refresh(self) -> bool:
        """Ask for the areas that are to be shown now; return whether any is new since the last time."""
        found = False
        for wish, newest in self._wishes():
            if wish is not None and not newest.wants(wish):
                newest.ask(wish.kept())
            found = newest.look() or found
        return found

    def finish(self) -> None:
        """Wait for the areas that are to be shown now."""
        for wish, newest in self._wishes():
            if wish is not None and newest.known(wish) is None:
                newest.now(wish.kept())

    def _wishes(self) -> list[tuple[Wish | None, Newest[Wish, object]]]:
        return [(self._reach, self._reaches), (self._threat, self._threats)]

    @property
    def _reach(self) -> Wish | None:
        return self._wished()[0]

    @property
    def _threat(self) -> Wish | None:
        return self._wished()[1]

    def _wished(self) -> tuple[Wish | None, Wish | None]:
        """Return what is to be shown, found once for what it rests on."""
        showing, cell = self._showing(), self.cell
        key = (*showing.stamp, showing.chosen, showing.threatens, cell)
        if self._known is None or self._known[0] != key:
            self._known = key, (self._reach_wish(showing), self._threat_wish(showing))
        return self._known[1]

    @property
    def ends(self) -> Areas | None:
        """Return where the unit asked about, or chosen, can go or be set up; None while unknown."""
        found = _of(self._reaches, self._reach)
        return found if isinstance(found, Areas) else None

    @property
    def threat(self) -> Threat | None:
        """Return the threat that is shown, None where none is, or while it is worked out."""
        found = _of(self._threats, self._threat)
        return found if isinstance(found, Threat) else None

    @property
    def sets_up(self) -> bool:
        """Return whether the areas are those of a set-up."""
        asked = self._player.asked
        return asked is not None and isinstance(asked.request, Place)

    @property
    def words(self) -> tuple[str, str]:
        """Return what the lines round a reach are: the move, and its Advance; nothing of a set-up."""
        wish = self._reach
        if wish is None or not wish.kind:
            return "", ""
        far, kind = inches(wish.longest), KINDS.get(wish.kind, plain(wish.kind).capitalize())
        return f"{kind} {far}", f"Advance {far} + D6, up to {inches(wish.longest + ADVANCE)}"

    def _reach_wish(self, showing: Showing) -> Wish | None:
        asked = self._player.asked
        battle = showing.now.battle
        if asked is None or asked.course is not None or battle is None:
            return None
        request = asked.request
        if isinstance(request, Place):
            return None if request.piece is not None else self._place_wish(showing, request)
        if isinstance(request, Move):
            return self._move_wish(showing, request.unit, request.kind, request.limits, request.targets)
        hand, chosen = self._player.hand, showing.chosen
        if hand is None or not stands(showing.now, chosen) or not hand.takes(asked, chosen):
            return None
        unit = showing.now.state.position.units[chosen]
        kind = "fall-back" if showing.now.field.is_engaged(unit) else "normal"
        return self._move_wish(showing, chosen, kind, limits(battle, unit), ())

    def _place_wish(self, showing: Showing, request: Place) -> Wish:
        def work(then: Moment) -> Areas:
            return Areas(places_of(then.field, request))

        return Wish(("place", *showing.stamp, self.cell), showing.now, work)

    def _move_wish(
        self, showing: Showing, unit: str, kind: str, far: Mapping[int, float], targets: tuple[str, ...]
    ) -> Wish:
        cell = self.cell

        def work(then: Moment) -> Areas:
            known, battle = then.state.position.units[unit], then.battle
            reach = reach_of(then.field, known, kind, far, cell, targets)
            if kind != "normal" or battle is None or not battle.query.may("advance", unit=known):
                return Areas(reach)
            longer = {row: limit + ADVANCE for row, limit in far.items()}
            return Areas(reach, reach_of(then.field, known, "advance", longer, cell))

        key = ("move", *showing.stamp[:2], unit, kind, tuple(far.items()), targets, cell)
        return Wish(key, showing.now, work, kind, max(far.values(), default=0.0))

    def _threat_wish(self, showing: Showing) -> Wish | None:
        cell = self.cell
        now, whose = showing.now, showing.threatens
        if not whose or now.battle is None or (whose != HORDE and not stands(now, whose)):
            return None

        def work(then: Moment) -> Threat:
            position = then.state.position
            units = position.on_table(HORDE) if whose == HORDE else [position.units[whose]]
            return Threat() if then.battle is None else threat_of(then.battle, units, cell)

        return Wish(("threat", *showing.stamp[:2], whose, cell), now, work)


def _of(newest: Newest[Wish, object], wish: Wish | None) -> object:
    """Return what was worked out for a wish, None where that is still to come."""
    return None if wish is None else newest.known(wish)
