"""The tools over the board: ruler, what sees what, threat ranges; and what is shown of reaches and markers.

Owns which tools are in hand, what their keys and the mouse do, and which areas are worked out beside the
window. What they show is drawn by `viewer.window.tool_sketch`; what is true is asked of the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import NamedTuple

import pygame

from engine.core.facts import HORDE, Point
from engine.core.request import Move, Place
from engine.core.state import Unit
from engine.w40k.activation.objective import Tally
from engine.w40k.phase.movement import limits
from viewer.input.holding import changes, levels, tallies
from viewer.input.measured import End, Measure, between, end_at
from viewer.input.moment import Moment, poses_of
from viewer.input.newest import Newest
from viewer.input.opening import letters
from viewer.input.reach import Reach, places_of, reach_of
from viewer.input.seeing import Glance, Sightline, glances, onlookers
from viewer.input.threat import ADVANCE, Threat, threat_of
from viewer.story.name import inches, plain
from viewer.window.camera import Camera
from viewer.window.playback import Playback
from viewer.window.player import PlayerSeat
from viewer.window.scene import BESIDE, model_at

CELL = 0.5
"""How fine areas are worked out, in pixels: their borders are off by less than one."""
COARSEST = 0.05
"""The coarsest they are worked out, in inches, wherever the view is."""
KINDS = {"normal": "Move"}
"""What the line round a reach is called; where nothing stands here, as the kind of move."""
ARROWS = {"up": (0.0, 1.0), "down": (0.0, -1.0), "left": (-1.0, 0.0), "right": (1.0, 0.0)}
STEP, FINE_STEP = 1.0, 0.1
"""How far an arrow moves the ruler's end, in inches; with Shift."""


class Tool(NamedTuple):
    """An entry of the menu: its name, its key, and what takes it in hand or lays it down."""

    name: str
    key: str
    act: Callable[[], None]


class Look(NamedTuple):
    """What is shown of sights: of a unit, or of a place where no unit is chosen."""

    unit: str = ""
    moment: Moment | None = None
    """The table on which the unit stands as it is asked about."""
    glances: tuple[Glance, ...] = ()
    onlookers: Mapping[str, Sightline] = MappingProxyType({})
    pointed: str = ""
    """The enemy under the mouse."""
    place: Point | None = None
    """Where the unit is supposed to stand, or the place that is looked at."""


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


class Toolbox:
    """The tools in hand, and what they show at the moment."""

    def __init__(self, playback: Playback, player: PlayerSeat, camera: Camera) -> None:
        """Lay all tools down."""
        self._playback, self._player, self._camera = playback, player, camera
        self.measures = self.sees = False
        """Whether the ruler is in hand, and whether sights are shown."""
        self.threatens = ""
        """Whose threat is shown: a unit's id, the side "horde", or nobody's."""
        self.ends: tuple[End, End] | None = None
        """The ruler's ends."""
        self._lays = False
        """Whether the mouse draws the ruler just now."""
        self._areas: Newest[Wish, object] = Newest(Wish.done)
        self._threat: Newest[Wish, object] = Newest(Wish.done)
        self._known: tuple[tuple[object, ...], Moment] | None = None
        self._tallies: tuple[tuple[object, ...], dict[str, Tally]] | None = None
        self._look: tuple[tuple[object, ...], Look] | None = None
        self._carried: tuple[object, list[str]] | None = None

    @property
    def tools(self) -> list[Tool]:
        """Return the entries of the menu."""
        return [
            Tool("Ruler", "D", self.toggle_ruler),
            Tool("What sees what", "V", self.toggle_sight),
            Tool("Threat ranges", "T", self.next_threat),
        ]

    @property
    def in_hand(self) -> list[str]:
        """Return the names of the tools in hand."""
        on = (self.measures, self.sees, bool(self.threatens))
        return [tool.name for tool, is_on in zip(self.tools, on, strict=True) if is_on]

    # taking in hand

    def toggle_ruler(self) -> None:
        """Take the ruler in hand, or lay it down."""
        self.measures, self.ends, self._lays = not self.measures, None, False

    def toggle_sight(self) -> None:
        """Show what sees what, or no more."""
        self.sees = not self.sees

    def next_threat(self) -> None:
        """Show the chosen unit's threat, then that of the whole Horde, then none."""
        steps = ["", *([self.chosen] if self._stands(self.chosen) else []), HORDE]
        at = steps.index(self.threatens) if self.threatens in steps else 0
        self.threatens = steps[(at + 1) % len(steps)]

    chosen = ""
    """The unit that is chosen in the window."""

    def lay_down(self) -> bool:
        """Lay the last tool down; return whether any was in hand."""
        if self.measures:
            self.toggle_ruler()
        elif self.sees:
            self.sees = False
        elif self.threatens:
            self.threatens = ""
        else:
            return False
        return True

    # keys

    def key(self, event: pygame.event.Event) -> bool:
        """Take a key; return whether it was one of a tool.

        While an answer may be typed that begins with the letter, Shift makes it a tool's.
        """
        name = pygame.key.name(event.key)
        if event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META | pygame.KMOD_ALT):
            return False
        is_shifted = bool(event.mod & pygame.KMOD_SHIFT)
        if self.measures and name in ARROWS:
            self._nudge(name, FINE_STEP if is_shifted else STEP)
            return True
        if name == "escape" and not self._player.holds:
            asked = self._player.asked
            return not (asked is not None and (asked.line or asked.fault)) and self.lay_down()
        tool = next((each for each in self.tools if each.key.lower() == name), None)
        if tool is None or not self._is_free(name, is_shifted=is_shifted):
            return False
        tool.act()
        return True

    def _is_free(self, letter: str, *, is_shifted: bool) -> bool:
        """Return whether a letter is not one of an answer that is typed, or will be."""
        player, asked = self._player, self._player.asked
        if player.holds:
            return True
        if player.has_typed:
            return False
        return is_shifted or (not player.types_ahead if asked is None else letter not in letters(asked))

    def _nudge(self, arrow: str, step: float) -> None:
        """Move the ruler's end; the first time it begins at the chosen unit, else amid the board."""
        if self.ends is None:
            unit = self._units.get(self.chosen) if self._stands(self.chosen) else None
            wide, high = self.now.state.position.board.size
            table = self.now.state.position.table
            at = tuple(table.xy[unit.rows[0]].tolist()) if unit is not None else (wide / 2, high / 2)
            begin = self._end(at)
            self.ends = begin, End(begin.at)
        dx, dy = ARROWS[arrow]
        x, y = self.ends[1].at
        self.ends = self.ends[0], End((x + dx * step, y + dy * step))

    # the mouse

    def press(self, at: tuple[int, int], button: int) -> bool:
        """Begin a measurement where the ruler is in hand; return whether the press was for it."""
        if not self.measures or button != 1 or self._player.holds or not self._camera.contains(*at):
            return False
        begin = self._end(self._camera.to_world(*at))
        self.ends, self._lays = (begin, begin), True
        return True

    def move(self, at: tuple[int, int]) -> None:
        """Draw the ruler to where the mouse is."""
        if self._lays and self.ends is not None:
            self.ends = self.ends[0], self._end(self._camera.to_world(*at))

    def release(self, button: int) -> bool:
        """Leave the ruler where it is; return whether the mouse drew it."""
        lays, self._lays = self._lays and button == 1, self._lays and button != 1
        return lays

    def _end(self, at: Point) -> End:
        return end_at(self.now.field, self._playback.index, at, BESIDE / self._camera.scale)

    # what is shown

    @property
    def _stamp(self) -> tuple[object, ...]:
        """Return what changes with the moment that is shown."""
        playback, asked = self._playback, self._player.asked
        return id(playback.chronicle), playback.cursor, id(asked), id(playback.state)

    @property
    def now(self) -> Moment:
        """Return the moment that is shown."""
        stamp = self._stamp
        if self._known is None or self._known[0] != stamp:
            game, asked = self._playback.source.knowledge.game, self._player.asked
            is_now = asked is not None and game is not None
            state = game.state if is_now and game is not None else self._playback.state
            self._known = stamp, Moment.of(state, game)
        return self._known[1]

    @property
    def _units(self) -> dict[str, Unit]:
        return self.now.state.position.units

    def _stands(self, unit: str) -> bool:
        known = self._units.get(unit)
        return known is not None and known.where == "table" and bool(known.rows)

    @property
    def measure(self) -> Measure | None:
        """Return what the ruler measures."""
        return between(self.now.field, *self.ends) if self.ends is not None else None

    @property
    def counts(self) -> dict[str, Tally]:
        """Return the count of every marker; nothing where no battle is known."""
        battle = self.now.battle
        if battle is None:
            return {}
        if self._tallies is None or self._tallies[0] != self._stamp:
            self._tallies = self._stamp, tallies(battle)
        return self._tallies[1]

    @property
    def marker_words(self) -> dict[str, tuple[str, str]]:
        """Return by what each marker is held and by which side, of those in whose range anybody is."""
        counts = self.counts.items()
        return {name: (levels(each), each.by) for name, each in counts if each.horde or each.players}

    @property
    def carried_words(self) -> list[str]:
        """Return which markers would be held otherwise where the draft of a move has its unit."""
        asked, battle = self._player.asked, self.now.battle
        if asked is None or battle is None or asked.draft is None:
            return []
        if self._carried is None or self._carried[0] is not asked.draft:
            poses = poses_of(asked)
            then = self.now.elsewhere(poses).battle if poses else None
            self._carried = asked.draft, [] if then is None else changes(self.counts, tallies(then))
        return self._carried[1]

    @property
    def is_carried(self) -> bool:
        """Return whether the hand's ghost is shown, which tells by itself what sees it."""
        asked = self._player.asked
        return asked is not None and asked.ghost is not None

    @property
    def carried_place(self) -> Point | None:
        """Return the middle of the foot of what the draft of a move or set-up has, as it is seen."""
        asked = self._player.asked
        poses = list(poses_of(asked).values()) if asked is not None else []
        if not poses:
            return None
        return sum(x for x, *_ in poses) / len(poses), min(y for _, y, *_ in poses)

    # sights

    def look(self, mouse: tuple[int, int]) -> Look | None:
        """Return what sees what, for what is held, chosen, or under the mouse; None where nothing is."""
        if not self.sees:
            return None
        asked = self._player.asked
        draft = asked.draft if asked is not None else None
        key = (*self._stamp, id(draft), self.chosen, mouse, self._camera.key())
        if self._look is None or self._look[0] != key:
            self._look = key, self._looked(mouse)
        return self._look[1]

    def _looked(self, mouse: tuple[int, int]) -> Look:
        asked = self._player.asked
        poses = poses_of(asked) if asked is not None else {}
        pointed = self._pointed(mouse)
        place = self._camera.to_world(*mouse) if self._camera.contains(*mouse) else None
        if poses and asked is not None and asked.request.unit in self._units:
            return _seen(self.now.elsewhere(poses), asked.request.unit, pointed)
        if self._stands(self.chosen):
            if pointed or place is None or not self._is_on_table(place):
                return _seen(self.now, self.chosen, pointed)
            return self._carried_to(self.chosen, place)
        if pointed:
            return _seen(self.now, pointed, "")
        if place is None or not self._is_on_table(place):
            return Look()
        return Look(moment=self.now, onlookers=onlookers(self.now.field, place), place=place)

    def _pointed(self, mouse: tuple[int, int]) -> str:
        model = model_at(self._camera, self._playback, mouse) if self._camera.contains(*mouse) else None
        return model.unit if model is not None and self._stands(model.unit) else ""

    def _is_on_table(self, at: Point) -> bool:
        wide, high = self.now.state.position.board.size
        return 0 <= at[0] <= wide and 0 <= at[1] <= high

    def _carried_to(self, name: str, place: Point) -> Look:
        """Return what a unit would see with its middle at a place, as it stands in itself."""
        unit, table = self._units[name], self.now.state.position.table
        xy = table.xy[list(unit.rows)]
        dx, dy = (xy.mean(axis=0) * -1 + place).tolist()
        poses = {
            row: (x + dx, y + dy, 0.0, float(table.facing[row]))
            for row, (x, y) in zip(unit.rows, xy.tolist(), strict=True)
        }
        return _seen(self.now.elsewhere(poses), name, "")._replace(place=place)

    # areas

    @property
    def cell(self) -> float:
        """Return how fine areas are worked out now, in inches."""
        return min(CELL / self._camera.scale, COARSEST)

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
            if wish is not None:
                newest.now(wish.kept())

    def _wishes(self) -> list[tuple[Wish | None, Newest[Wish, object]]]:
        return [(self._area_wish(), self._areas), (self._threat_wish(), self._threat)]

    @property
    def areas(self) -> Areas | None:
        """Return where the unit asked about, or chosen, can go or be set up; None where that is open."""
        found = _of(self._areas, self._area_wish())
        return found if isinstance(found, Areas) else None

    @property
    def threat(self) -> Threat | None:
        """Return the threat that is shown, None where none is, or while it is worked out."""
        found = _of(self._threat, self._threat_wish())
        return found if isinstance(found, Threat) else None

    @property
    def sets_up(self) -> bool:
        """Return whether the areas are those of a set-up."""
        asked = self._player.asked
        return asked is not None and isinstance(asked.request, Place)

    @property
    def reach_words(self) -> str:
        """Return what the line round the reach is: the kind of move and its inches; "" of a set-up."""
        wish = self._area_wish()
        if wish is None or not wish.kind:
            return ""
        return f"{KINDS.get(wish.kind, plain(wish.kind).capitalize())} {inches(wish.longest)}"

    @property
    def advance_words(self) -> str:
        """Return what the line round the reach of an Advance is."""
        wish = self._area_wish()
        longest = wish.longest if wish is not None else 0.0
        return f"Advance {inches(longest)} + D6, up to {inches(longest + ADVANCE)}"

    def _area_wish(self) -> Wish | None:
        asked = self._player.asked
        if asked is None or asked.course is not None or self.now.battle is None:
            return None
        request = asked.request
        if isinstance(request, Place):
            return None if request.piece is not None else self._place_wish(request)
        if isinstance(request, Move):
            return self._move_wish(request.unit, request.kind, request.limits, request.targets)
        hand = self._player.hand
        if hand is None or not self._stands(self.chosen) or not hand.takes(asked, self.chosen):
            return None
        unit = self._units[self.chosen]
        kind = "fall-back" if self.now.field.is_engaged(unit) else "normal"
        return self._move_wish(unit.id, kind, limits(self.now.battle, unit), ())

    def _place_wish(self, request: Place) -> Wish:
        def work(then: Moment) -> Areas:
            return Areas(places_of(then.field, request))

        return Wish(("place", *self._stamp, self.cell), self.now, work)

    def _move_wish(self, unit: str, kind: str, far: dict[int, float], targets: tuple[str, ...]) -> Wish:
        cell = self.cell

        def work(then: Moment) -> Areas:
            known, battle = then.state.position.units[unit], then.battle
            reach = reach_of(then.field, known, kind, far, cell, targets)
            if kind != "normal" or battle is None or not battle.query.may("advance", unit=known):
                return Areas(reach)
            longer = {row: limit + ADVANCE for row, limit in far.items()}
            return Areas(reach, reach_of(then.field, known, "advance", longer, cell))

        key = ("move", *self._stamp[:2], unit, kind, tuple(far.items()), targets, cell)
        return Wish(key, self.now, work, kind, max(far.values(), default=0.0))

    def _threat_wish(self) -> Wish | None:
        now, cell, whose = self.now, self.cell, self.threatens
        if not whose or now.battle is None or (whose != HORDE and not self._stands(whose)):
            return None

        def work(then: Moment) -> Threat:
            position = then.state.position
            units = position.on_table(HORDE) if whose == HORDE else [position.units[whose]]
            return Threat() if then.battle is None else threat_of(then.battle, units, cell)

        return Wish(("threat", *self._stamp[:2], whose, cell), now, work)


def _seen(moment: Moment, unit: str, pointed: str) -> Look:
    found = glances(moment.field, moment.state.position.units[unit], moment.cover)
    return Look(unit, moment, tuple(found), pointed=pointed)


def _of(newest: Newest[Wish, object], wish: Wish | None) -> object:
    """Return what was worked out for a wish, None where that is still to come."""
    return None if wish is None else newest.known(wish)
