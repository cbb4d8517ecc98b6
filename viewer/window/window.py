"""The screen of a battle: its keys and mouse, what is chosen, its pictures.

How things look is the drawing modules', which moment is shown the playback's.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import partial

import pygame

from datasheets.errors import unknown
from engine.core.state import State
from viewer.input.odds import ChargeOdds, Volley
from viewer.story.name import unit_name
from viewer.story.source import Reason, Source
from viewer.window.application import Veil
from viewer.window.camera import Camera
from viewer.window.columns import Columns, Pointed
from viewer.window.ghost_sketch import draw_sign
from viewer.window.hover import Hover
from viewer.window.keys import command
from viewer.window.layout import divide
from viewer.window.lettering import Lettering
from viewer.window.look import Look
from viewer.window.message import Message
from viewer.window.mouse import ZOOM, Mouse
from viewer.window.notice import draw_announcement, draw_help, draw_tooltip
from viewer.window.odds_card import draw_odds, room_for
from viewer.window.picture_file import save_picture
from viewer.window.playback import Playback
from viewer.window.player import PlayerSeat
from viewer.window.recovery import BattleRecovery
from viewer.window.scene import Marked, Scene, model_at, thing_at, words_at
from viewer.window.screens import Screens
from viewer.window.side import Shown
from viewer.window.sketch import Sketch
from viewer.window.subject import able, acting, subject, told_of
from viewer.window.table import Table
from viewer.window.timeline import button, cursor_at, track
from viewer.window.tool_sketch import ToolSketch
from viewer.window.toolbox import Toolbox
from viewer.window.turn_board import TurnBoard
from viewer.window.verdict import CLAUSES
from viewer.window.widgets import Widgets

Tool = tuple[str, str, Callable[[], None]]
"""A mode of the mouse that ≡ lists: its name, its key, and what turns it on or off."""

PAN = 60


class Window:
    """A battle in a window: the playback, the view of it, and what is chosen."""

    def __init__(self, surface: pygame.Surface, source: Source, look: Look | None = None) -> None:
        """Show a source from its beginning on a surface, in a look of one's own."""
        self.surface = surface
        self.playback = Playback(source)
        self.lettering = Lettering(look)
        self.playback.less_motion = self.lettering.look.less_motion
        self.lettering.fit(surface.get_height())
        self.scene = Scene(self.lettering)
        self.layout = divide(*surface.get_size(), self.lettering.sizes)
        self.camera = Camera(self.layout.viewport)
        self.chosen = ""
        self._expected = ""
        self.help = False
        self.quit = False
        self.wish = ""
        """What follows this screen: "menu", "again", "same-seed", "watch", "quit",
        "from-round:3", or "" for nothing yet."""
        self.menu: Veil | None = None
        """What ≡ opens; without one it opens the help."""
        self._widgets: Widgets | None = None
        self.changed = True
        self.player = PlayerSeat(self.playback, self.camera)
        self.toolbox = Toolbox(self.playback, self.player, self.camera)
        self.tools = self.toolbox.tools
        """The entries of the menu for tools over the board: name, key, and what takes each in hand."""
        self._tool_sketch = ToolSketch(self.lettering, self.toolbox)
        self.scene.under = self._tool_sketch.draw_areas
        self.columns = Columns(self.lettering, self.playback, self.player)
        self.panel, self.top, self.side = self.columns.panel, self.columns.top, self.columns.side
        self.dossier, self.logbook = self.columns.dossier, self.columns.logbook
        self.units, self.turn = self.columns.units, self.columns.turn
        self.turn_board = TurnBoard(self.lettering, self.playback, self.scene, self.turn)
        table = Table(self.lettering, self.playback, self.player, self.camera, self.scene)
        self.screens = self.columns.screens = Screens(table, partial(setattr, self, "wish"), self.choose)
        self.hover = Hover()
        self.message = Message()
        self.recovery = BattleRecovery(self.playback, self.player, self.message, self._let_go)
        parts = self.playback, self.camera, self.player, self.columns, self.toolbox, self.message
        self.mouse = Mouse(*parts)
        self.mouse.on_line = lambda at: self._track().inflate(0, 24).collidepoint(at)
        self.mouse.scrub = self._scrub
        self._commands = self._known_commands()
        self.fit()

    @property
    def widgets(self) -> Widgets:
        """Return the manager of widgets over the window, made where it is first asked for."""
        if self._widgets is None:
            self._widgets = Widgets(self.lettering, self.surface.get_size())
        return self._widgets

    def begin(self, jump: str | int | None = None, unit: str = "", *, play: bool = True) -> None:
        """Show a moment (see `Playback.jump`), the first without one, and choose a unit.

        Raises UnknownName for a moment or unit that is not there.
        """
        if jump is not None:
            self.playback.jump(jump)
        elif len(self.playback.chronicle):
            self.playback.seek(1)
        self.fit()
        if unit:
            self.expect(unit)
        self.playback.playing = play

    def fit(self) -> None:
        """Show the whole board."""
        size = self.playback.chronicle.head.position.board.size
        self.camera.fit_within(*size, self.layout.margin)

    def choose(self, unit: str) -> None:
        """Choose a unit by its id; an empty one chooses none."""
        known = unit in self.playback.state.position.units
        self.chosen = unit if known or self.playback.source.knowledge.coming(unit) else ""
        if self.chosen:
            self.player.turn_to(self.chosen)

    def expect(self, unit: str) -> None:
        """Choose a unit by its id or name, as soon as it is there. Raises UnknownName."""
        head = self.playback.chronicle.head
        names = {id_: unit_name(head, id_) for id_ in head.position.units}
        found = [id_ for id_, name in names.items() if unit.lower() in (id_.lower(), name.lower())]
        if not found and self.playback.source.ended:
            raise unknown(unit, (*names, *names.values()), "unit in the battle")
        self._expected = found[0] if found else unit
        self._meet()

    def _meet(self) -> None:
        if self._expected in self.playback.state.position.units:
            self.choose(self._expected)
            self._expected = ""

    def resize(self, width: int, height: int) -> None:
        """Divide the window anew and keep the same middle of the board in view."""
        old = self.layout.board.w
        self.lettering.fit(max(height, 1))
        self.layout = divide(max(width, 1), max(height, 1), self.lettering.sizes, self._aside(width))
        self.camera.viewport = self.layout.viewport
        if self._widgets is not None:
            self._widgets.fit(self.surface.get_size())
        if self.menu is not None:
            self.menu.resize()
        if old > 0:
            self.fit()

    def _aside(self, width: int) -> int:
        """Return how wide a summary or a screen asks the right column to be, 0 where none does."""
        return self.turn.aside or self.screens.width(self.player.asked, width)

    def wear(self, look: Look) -> None:
        """Take another look."""
        self.lettering.look = look
        self.playback.less_motion = look.less_motion
        self.resize(*self.surface.get_size())

    def open_menu(self, page: str = "") -> None:
        """Open what lies behind ≡, perhaps at one of its pages; without a menu the help."""
        if self.menu is not None:
            self.menu.open(page)
        else:
            self.help = True

    def draw(self) -> None:
        """Draw the whole window."""
        playback, state = self.playback, self.playback.state
        if self.layout.aside != self._aside(self.surface.get_width()):
            self.turn_board.make_room(self.camera, self.surface.get_size(), self.resize)
        self.lettering.begin(self.surface)
        self.surface.fill(self.lettering.palette.background)
        asked = self.player.asked
        self.scene.counts = self.toolbox.begin(self.chosen)
        marked = Marked(
            chosen=self.chosen,
            hovered=self.hover.unit,
            able=able(playback, asked),
            acting=acting(playback, asked),
            told=told_of(playback, asked, self.chosen),
        )
        sketch, odds = self._sketched(), self._odds()
        clear = [*(sketch.plates if sketch is not None else ()), *([odds[1]] if odds is not None else ())]
        self.scene.draw(self.surface, self.camera, playback, marked, clear)
        if sketch is not None:
            sketch.lay(self.surface)
        self._draw_upon_sketch()
        self._tool_sketch.draw(self.surface, self.camera, self.mouse.at)
        self.turn_board.draw(self.surface, self.camera, self.mouse.at, self.player.odds_at(self.mouse.at))
        draw_announcement(self.surface, self.lettering, self.layout.board, state, playback.effect)
        pointed = Pointed(self.mouse.at, self.chosen, self.hover.unit, self.mouse.peeks)
        self.columns.draw(self.surface, self.layout, self._shown(), pointed)
        self.screens.draw(self.surface, self.layout, asked, self.mouse.at)
        self.message.draw(self.surface, self.lettering, self.layout.board)
        if self.help:
            draw_help(self.surface, self.lettering)
        elif self.mouse.pressed is None:
            is_shown = odds is not None and not self.turn_board.tray_box.w
            if odds is not None and is_shown:
                draw_odds(self.surface, self.lettering, odds[1], odds[0])
            lines = [] if is_shown else self._hint()
            draw_tooltip(self.surface, self.lettering, lines, self.mouse.at)
        if self._widgets is not None:
            self._widgets.draw_ui(self.surface)
        if self.menu is not None and self.menu.is_open:
            self.menu.draw()
        self.changed = False

    def _hint(self) -> list[str]:
        """Return what is said of the thing under the mouse, in lines."""
        if not self.mouse.is_on_board(self.mouse.at):
            return self.columns.hint(self.mouse.at)
        is_on_card = bool(self.hover.unit) and self.layout.side.w > 0
        return [] if is_on_card else words_at(self.camera, self.playback, self.mouse.at)

    def _shown(self) -> Shown:
        """Return what the side column shows."""
        reason = self._decision()
        unit = self.hover.card or self.chosen or subject(self.playback, self.player.asked, reason)
        pinned = bool(unit) and unit == self.chosen
        told = self._is_told() and not self.hover.card
        return Shown(unit, pinned, reason, told, self._then, self.turn.halts())

    def _decision(self) -> Reason | None:
        """Return the decision that is shown."""
        index = self.scene.decision(self.playback, told_of(self.playback, self.player.asked, self.chosen))
        entry = self.playback.chronicle.entries[index] if index is not None else None
        return entry if isinstance(entry, Reason) else None

    def _then(self) -> State:
        """Return the state in which the decision that is shown was taken."""
        return self.playback.at(
            self.scene.decision(self.playback, told_of(self.playback, self.player.asked, self.chosen)) or 0
        )

    def _sketched(self) -> Sketch | None:
        """Return the sketch of what the question is about, None without a question."""
        asked = self.player.asked
        if asked is None:
            return None
        sketch, shown = Sketch(self.camera, self.lettering), asked.rows(self.panel.option_at(self.mouse.at))
        sketch.draw(self.playback.state, asked, shown, **self.toolbox.left_to_the_sketch)
        return sketch

    def _draw_upon_sketch(self) -> None:
        """Draw over the board what is to be set up, and the sign of an Advance."""
        self.screens.sketch(self.surface, self.player.asked)
        sign = self.player.advance_sign
        if sign is not None:
            draw_sign(self.surface, sign, self.lettering, lit=sign.collidepoint(self.mouse.at))

    def _odds(self) -> tuple[Volley | ChargeOdds, pygame.Rect] | None:
        """Return what attacks would do at what is under the mouse, and the room of their card."""
        odds, asked = self.player.odds_at(self.mouse.at), self.player.asked
        if odds is None or asked is None or self.mouse.pressed is not None:
            return None
        rooms = self.scene.rooms(self.camera, self.playback)
        shunned = [*rooms.get(odds.target, ()), *rooms.get(asked.subject, ())]
        shunned.append(pygame.Rect(self.mouse.at, (1, 1)).inflate(24, 24))
        tokens = [box for boxes in rooms.values() for box in boxes]
        return odds, room_for(self.lettering, odds, self.camera.viewport, tokens, shunned)

    def _is_told(self) -> bool:
        """Return whether the side column shows the decision's facts: when still, or if asked."""
        still = not self.chosen and (self.turn.horde_acts or not self.playback.playing)
        return self.scene.reasons and (still or self.dossier.is_open)

    def tick(self, passed: float) -> None:
        """Let some seconds go by; the battle waits while the menu is open."""
        if self.menu is not None and self.menu.is_open:
            self.changed = self.menu.tick(passed) or self.changed
            return
        before = self.playback.cursor, self.playback.effect, len(self.playback.chronicle)
        self.playback.tick(passed)
        self.changed = self.turn_board.tick(passed, self.camera) or self.changed
        if self._expected:
            self._meet()
        after = self.playback.cursor, self.playback.effect, len(self.playback.chronicle)
        rested, asked, ghost = self.hover.tick(passed), self.player.look(passed), self.player.ghost_is_new()
        if asked:
            self.choose(self.player.chosen_now(self.chosen))
        self.changed = self.screens.look(passed) or self.changed or rested or asked or ghost
        self.changed = self.message.tick(passed) or self.changed
        self.changed = self.toolbox.tick(passed, self.mouse.at) or self.changed
        self.changed = self.changed or before != after or self.playback.effect is not None
        if self._widgets is not None:
            self.changed = self._widgets.tick(passed) or self.changed

    def handle(self, event: pygame.event.Event) -> None:
        """Do what a key, the mouse or the window asks for."""
        self.changed = True
        if event.type == pygame.QUIT:
            self.quit = True
        elif event.type == pygame.VIDEORESIZE:
            self.surface = pygame.display.get_surface() or self.surface
            self.resize(event.w, event.h)
        elif self.menu is not None and self.menu.is_open:
            self.menu.handle(event)
        elif self._widgets is None or not self._widgets.take(event):
            self._handle_own(event)

    def _handle_own(self, event: pygame.event.Event) -> None:
        """Do what an event asks for that nothing over the window takes."""
        if self.player.asked is not None and event.type in (pygame.KEYDOWN, pygame.MOUSEBUTTONDOWN):
            self.turn_board.dismiss()
        if not self.help and self.screens.handle(event, self.mouse.at):
            self.quit = self.quit or self.player.left
        elif event.type in (pygame.KEYDOWN, pygame.KEYUP) and event.key == pygame.K_F4:
            self.mouse.peeks = event.type == pygame.KEYDOWN
        elif event.type == pygame.KEYDOWN and event.key == pygame.K_F12:
            self.press("picture")
        elif event.type == pygame.KEYDOWN and self._is_of_a_tool(event):
            pass
        elif event.type == pygame.KEYDOWN and not self.help and self.turn.key(event):
            self.quit = self.quit or self.player.left
        elif event.type == pygame.KEYDOWN and self.dossier.line is not None:
            name = pygame.key.name(event.key)
            self.dossier.type(name, event.unicode, self._decision(), self.playback.state)
        elif event.type == pygame.KEYDOWN:
            self.press(command(pygame.key.name(event.key), event.unicode))
        elif event.type == pygame.MOUSEWHEEL:
            self.mouse.wheel(event.y)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button in (1, 2, 3):
            self.mouse.down(event.pos, event.button, is_free=not self.help)
        elif event.type == pygame.MOUSEMOTION:
            self.mouse.move(event.pos, event.rel)
            self.hover.over("" if self.mouse.dragged else self._unit_at(event.pos))
        elif (
            event.type == pygame.MOUSEBUTTONUP
            and event.button in (1, 2, 3)
            and self.mouse.up(event.pos, event.button)
        ):
            self._click(event.pos, event.button)

    def _is_of_a_tool(self, event: pygame.event.Event) -> bool:
        """Take a key for a tool; return whether it was one."""
        is_free = not self.help and self.dossier.line is None and self.turn.opened is None
        return is_free and self.toolbox.key(event)

    def press(self, name: str | None) -> None:
        """Carry out a command by its name; one that is not known does nothing."""
        action = self._commands.get(name or "")
        if action is not None:
            action()

    def _known_commands(self) -> dict[str, Callable[[], None]]:
        playback, camera = self.playback, self.camera
        return {
            "toggle": playback.toggle,
            "forward": self._step(playback.forward),
            "back": self._step(playback.back),
            "next-decision": self._step(lambda: playback.to_decision(1)),
            "previous-decision": self._step(lambda: playback.to_decision(-1)),
            "next-phase": self._step(lambda: playback.to_phase(1)),
            "previous-phase": self._step(lambda: playback.to_phase(-1)),
            "next-round": self._step(lambda: playback.to_round(1)),
            "previous-round": self._step(lambda: playback.to_round(-1)),
            "start": self._step(lambda: playback.seek(0)),
            "end": self._step(lambda: playback.seek(len(playback.chronicle))),
            "faster": lambda: playback.faster(1),
            "slower": lambda: playback.faster(-1),
            "pan-left": lambda: camera.pan(-PAN, 0),
            "pan-right": lambda: camera.pan(PAN, 0),
            "pan-up": lambda: camera.pan(0, -PAN),
            "pan-down": lambda: camera.pan(0, PAN),
            "zoom-in": lambda: camera.zoom(ZOOM, camera.middle),
            "zoom-out": lambda: camera.zoom(1 / ZOOM, camera.middle),
            "fit": self.fit,
            "next-unit": self._next_unit,
            "labels": lambda: setattr(self.scene, "names", not self.scene.names),
            "reasons": lambda: setattr(self.scene, "reasons", not self.scene.reasons),
            "follow": lambda: self.turn.act("follow"),
            "summary": self.turn.open_last,
            "why-not": self._wonder,
            "picture": lambda: save_picture(self.picture(), self.playback.source, self.message),
            "help": lambda: setattr(self, "help", not self.help),
            "escape": self._escape,
            "menu": self.open_menu,
            "settings": lambda: self.open_menu("settings"),
        }

    def _step(self, move: Callable[[], None]) -> Callable[[], None]:
        """Return a command that pauses first and shows the log's newest lines after."""

        def act() -> None:
            self.playback.playing = False
            self.logbook.back = 0
            move()
            self.choose(self.chosen)

        return act

    def _wonder(self) -> None:
        """Let a name be typed, to learn why the decision that is shown did not fall on it."""
        if self._decision() is not None:
            self.playback.playing = False
            self.scene.reasons = True
            self.dossier.line = ""

    def _escape(self) -> None:
        if self.help:
            self.help = False
        elif self.dossier.is_open:
            self.dossier.close()
        else:
            self.chosen = ""
            self.player.turn_to("")

    def _let_go(self) -> None:
        """Let go of all that the mouse or an open part holds."""
        self.mouse.let_go()
        self.help, self.hover = False, Hover()
        self.dossier.close()
        self.choose(self.chosen)

    def _next_unit(self) -> None:
        """Choose the next unit, with Shift the one before: in an open phase of those that may act."""
        step = -1 if pygame.key.get_mods() & pygame.KMOD_SHIFT else 1
        units = [unit.id for unit in self.playback.state.position.on_table()]
        place = units.index(self.chosen) + step if self.chosen in units else 0
        self.choose(self.player.ready_after(step) or (units[place % len(units)] if units else ""))

    def _track(self) -> pygame.Rect:
        return track(self.layout.timeline, self.lettering.sizes.text)

    def _unit_at(self, at: tuple[int, int]) -> str:
        """Return the unit under a pixel, on the board or in a list, "" where there is none."""
        if not self.mouse.is_on_board(at):
            return self.units.unit_at(at)
        model = model_at(self.camera, self.playback, at)
        return model.unit if model is not None else ""

    def _click(self, at: tuple[int, int], pressed: int) -> None:
        if self.help:
            self.help = False
        elif self._takes(at):
            pass
        elif self.panel.hides(at) and self.player.asked is self.mouse.pressed_on:
            self.player.click(self.panel.press(at), self.panel.option_at(at))
            self.quit = self.quit or self.player.left
        elif self.panel.hides(at) or (self.camera.contains(*at) and self.player.point(at, turn=pressed == 3)):
            pass
        elif self.camera.contains(*at) and pressed == 3 and self._decision() is not None:
            self.playback.playing = False
            self.dossier.ask(thing_at(self.camera, self.playback, at), None, self.playback.state)
        elif self.camera.contains(*at):
            model = model_at(self.camera, self.playback, at)
            self.choose(model.unit if model is not None else "")
        elif button(self.layout.timeline).collidepoint(at):
            self.playback.toggle()
        else:
            line = self.logbook.line_at(at)
            if line is not None and not self.turn.open_at(line.index):
                self._step(lambda: self.playback.seek(line.index + 1))()

    def _takes(self, at: tuple[int, int]) -> bool:
        """Return whether a click was for a bar or a column: the menu, a tab, a unit's row."""
        if self.top.menu.collidepoint(at):
            self.open_menu()
        elif self.turn.click(at):
            pass
        elif self.side.verdict.button_at(at) == CLAUSES:
            self.playback.playing, self.dossier.whole = False, True
        elif self.side.verdict.button_at(at):
            self._wonder()
        elif self.side.tab_at(at):
            self.side.tab = self.side.tab_at(at)
        elif self.units.unit_at(at):
            self.choose(self.units.unit_at(at))
        else:
            return False
        return True

    def _scrub(self, at: tuple[int, int]) -> None:
        cursor = cursor_at(self._track(), at[0], len(self.playback.chronicle))
        self._step(lambda: self.playback.seek(cursor))()

    def picture(self) -> bytes:
        """Return what the window shows, as a PNG."""
        self.draw()
        target = io.BytesIO()
        pygame.image.save(self.surface, target, "window.png")
        return target.getvalue()
