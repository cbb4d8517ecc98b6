"""The tools over the board: ruler, what sees what, threat ranges; and the counts of markers.

Owns which tools are in hand, and what their keys and the mouse do. What they show is drawn by
`viewer.window.tool_sketch`; what is true is asked of the engine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pygame

from engine.core.event import Pose
from engine.core.facts import HORDE, Point
from engine.core.state import Unit
from engine.w40k.activation.objective import Tally
from viewer.input.holding import changes, levels, tallies
from viewer.input.measured import End, Measure, between, end_at
from viewer.input.moment import Moment, poses_of
from viewer.input.opening import letters
from viewer.window.camera import Camera
from viewer.window.hover import DELAY
from viewer.window.playback import Playback
from viewer.window.player import PlayerSeat
from viewer.window.scene import BESIDE, model_at
from viewer.window.shown_sight import ShownSight, shown_sight, stands
from viewer.window.tool_areas import Showing, ToolAreas

ARROWS = {"up": (0.0, 1.0), "down": (0.0, -1.0), "left": (-1.0, 0.0), "right": (1.0, 0.0)}
STEP, FINE_STEP = 1.0, 0.1
"""How far an arrow moves the ruler's end, in inches; with Shift."""


class Tool(NamedTuple):
    """An entry of the menu: its name, its key, and what takes it in hand or lays it down."""

    name: str
    key: str
    act: Callable[[], None]


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
        self.chosen = ""
        """The unit that is chosen in the window."""
        self._chosen_for = 0.0
        """For how many seconds it has been: its reach is shown after a moment."""
        self.areas = ToolAreas(player, camera, self._showing)
        self._measure: tuple[tuple[object, ...], Measure] | None = None
        self._known: tuple[tuple[object, ...], Moment] | None = None
        self._tallies: tuple[tuple[object, ...], dict[str, Tally]] | None = None
        self._mouse = self._rested = (-1, -1)
        """Where the mouse was last, and where it has rested."""
        self._sight: tuple[tuple[object, ...], ShownSight] | None = None
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

    def begin(self, chosen: str) -> dict[str, tuple[str, str]]:
        """Begin a frame with a unit that is chosen; return what is written at markers, by id."""
        if chosen != self.chosen:
            self.chosen, self._chosen_for = chosen, 0.0
        self.areas.refresh()
        return self.marker_words

    @property
    def left_to_the_sketch(self) -> dict[str, bool]:
        """Return what the drawing of a question still has to draw by itself."""
        return {"areas": self.areas.ends is None, "lines": not self.sees}

    # taking in hand

    def toggle_ruler(self) -> None:
        """Take the ruler in hand, or lay it down."""
        self.measures, self.ends, self._lays = not self.measures, None, False

    def toggle_sight(self) -> None:
        """Show what sees what, or no more."""
        self.sees = not self.sees

    def next_threat(self) -> None:
        """Show the chosen unit's threat, then that of the whole Horde, then none."""
        steps = ["", *([self.chosen] if stands(self.now, self.chosen) else []), HORDE]
        at = steps.index(self.threatens) if self.threatens in steps else 0
        self.threatens = steps[(at + 1) % len(steps)]

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
            unit = self._units.get(self.chosen) if stands(self.now, self.chosen) else None
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

    @property
    def measure(self) -> Measure | None:
        """Return what the ruler measures."""
        if self.ends is None:
            return None
        key = (*self._stamp, self.ends)
        if self._measure is None or self._measure[0] != key:
            self._measure = key, between(self.now.field, *self.ends)
        return self._measure[1]

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
    def carried_poses(self) -> dict[int, Pose]:
        """Return where the draft of a move or set-up has models, by row."""
        asked = self._player.asked
        return poses_of(asked) if asked is not None else {}

    @property
    def carried_place(self) -> Point | None:
        """Return the middle of the foot of what the draft of a move or set-up has, as it is seen."""
        poses = list(self.carried_poses.values())
        if not poses:
            return None
        return sum(x for x, *_ in poses) / len(poses), min(y for _, y, *_ in poses)

    # sights

    def tick(self, passed: float, mouse: tuple[int, int]) -> bool:
        """Let some seconds go by, and take in what is ready; return whether anything is new."""
        self._chosen_for += passed
        is_new = self.areas.refresh()
        return self._rest(mouse) or is_new

    def _rest(self, mouse: tuple[int, int]) -> bool:
        """Return whether the mouse rests now, elsewhere than before.

        What would be seen from a place is worked out where the mouse rests, not all along its way.
        """
        moved, self._mouse = mouse != self._mouse, mouse
        if moved or not self.sees or self._rested == mouse:
            return False
        self._rested = mouse
        return True

    def sight(self, mouse: tuple[int, int]) -> ShownSight | None:
        """Return what sees what; None where that is not shown."""
        if not self.sees:
            return None
        if not self._chosen_for and self._sight is not None:
            # A press has enough to do: the look of another unit comes with the next frame.
            return self._sight[1]
        asked, pointed = self._player.asked, self._pointed(mouse)
        place = None if pointed else self._place(self._rested)
        draft = asked.draft if asked is not None else None
        unit = self.chosen if stands(self.now, self.chosen) else pointed
        key = (*self._stamp, id(draft), unit, place)
        if self._sight is None or self._sight[0] != key:
            self._sight = key, shown_sight(self.now, asked, unit, place)
        return self._sight[1]._replace(pointed=pointed if pointed != unit else "")

    def _pointed(self, mouse: tuple[int, int]) -> str:
        """Return the unit under the mouse that stands on the battlefield, "" where there is none."""
        model = model_at(self._camera, self._playback, mouse) if self._camera.contains(*mouse) else None
        return model.unit if model is not None and stands(self.now, model.unit) else ""

    def _place(self, mouse: tuple[int, int]) -> Point | None:
        """Return the point of the battlefield under the mouse."""
        x, y = self._camera.to_world(*mouse)
        wide, high = self.now.state.position.board.size
        return (x, y) if self._camera.contains(*mouse) and 0 <= x <= wide and 0 <= y <= high else None

    def _showing(self) -> Showing:
        settled = self.chosen if self._chosen_for >= DELAY else ""
        return Showing(self.now, self._stamp, settled, self.threatens)
