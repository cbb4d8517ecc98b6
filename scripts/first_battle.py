"""The moments of a first battle that docs/playing.md shows, each played by keys and mouse.

The battle is always the same. No window opens. A moment on a screen that this program has not is left out.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ["HORDE_SETTINGS"] = ""  # what the person that draws wishes of the window is of no account
import pygame

from datasheets.library import Library
from engine.core import event as ev
from engine.horde.setup import Options
from engine.systems import new_game
from viewer.commands.seating import seat_agents
from viewer.input.gate import Gate
from viewer.input.odds import ChargeOdds, Volley
from viewer.input.seat import Seated
from viewer.input.settings import Rules
from viewer.window.window import Window

SIZE = (1600, 900)
SEED, FACTION, ARMY = 9, "death-guard", "space-marines-1000"
FRAME = 0.2
"""How many seconds go by between two looks."""
MOST_LOOKS = 20_000
DRAGGED = "Infernus Squad"
"""The unit that is moved."""
UNSURE = (0.4, 0.9)
"""The chances of a charge that is worth a look."""
GO_ON = ("return", "g", "return", "end", "end", "k")
"""The keys that are tried in turn, one a look."""
MANY = 6
"""More options than this are much to choose from."""
SWEEP = 12
"""How many steps a drag of the mouse has."""
Pixel = tuple[int, int]
Holds = Callable[[Window], bool]


class NeverShown(RuntimeError):  # noqa: N818 - it says what happened
    """The battle comes to no such moment."""


def opened() -> Window:
    """Return the window on a new battle, as `horde play` opens it with the default settings."""
    library = Library()
    game = new_game(Options((library.army(ARMY),), (FACTION,), 1000, seed=SEED), library)
    pygame.display.init()
    surface = pygame.display.set_mode(SIZE)
    gate = Gate(Rules())
    window = Window(surface, Seated(game, seat_agents(("p1",), "steady"), ("p1",), gate=gate))
    window.fit()
    window.playback.playing = True
    return window


# what a person does


def key(window: Window, name: str) -> None:
    """Press a key and let it go."""
    for kind in (pygame.KEYDOWN, pygame.KEYUP):
        window.handle(pygame.event.Event(kind, key=pygame.key.key_code(name), unicode="", mod=0))


def point(window: Window, at: Pixel) -> None:
    """Move the mouse to a pixel and rest there."""
    window.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=at, rel=(0, 0), buttons=(0, 0, 0)))
    window.tick(0.5)


def hold(window: Window, start: Pixel, end: Pixel) -> None:
    """Press at a pixel and carry what is there to another; the button is not let go."""
    point(window, start)
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=start, button=1))
    for step in range(1, SWEEP + 1):
        x, y = (round(a + (b - a) * step / SWEEP) for a, b in zip(start, end, strict=True))
        window.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=(x, y), rel=(1, 1), buttons=(1, 0, 0)))
    for holder in (window.player.hand, window.player.setter):
        if holder is not None:
            holder.wait()
    window.tick(1.0)


def looks(window: Window, at_once: bool = True) -> Iterator[None]:
    """Let the battle play on, look by look; what is not watched is not shown on the way."""
    for _ in range(MOST_LOOKS):
        if at_once:
            window.playback.seek(len(window.playback.chronicle))
        window.tick(FRAME)
        yield


class Person:
    """Takes what is suggested: by Enter, else by the end of the phase or of the purchases."""

    def __init__(self, window: Window) -> None:
        """Sit down at a window."""
        self._window = window
        self._of: object = None
        self._tries = 0

    def go_on(self) -> None:
        """Press the next key that may answer what is asked."""
        asked = self._window.player.asked
        self._tries = self._tries + 1 if asked is self._of else 0
        self._of = asked
        keys = GO_ON
        if getattr(asked, "open", None) is not None:
            keys = ("g", *GO_ON)
        elif getattr(asked, "shop", None) is not None:
            keys = ("end", *GO_ON)
        key(self._window, keys[self._tries % len(keys)])


def play_to(window: Window, holds: Holds) -> Window:
    """Take what is suggested until a question is as it is meant."""
    person = Person(window)
    for _ in looks(window):
        if window.player.asked is not None and holds(window):
            return window
        if window.player.asked is not None or _has_summary(window):
            person.go_on()
    raise NeverShown


def _has_summary(window: Window) -> bool:
    return bool(getattr(getattr(window, "turn", None), "is_open", False))


def asks(decision: str, *, since: int = 1, kind: str = "") -> Holds:
    """Return whether a question is this decision, in a round from one on."""

    def holds(window: Window) -> bool:
        asked = window.player.asked
        if asked is None or asked.view.round < since or asked.request.decision != decision:
            return False
        return kind in ("", type(asked.request).__name__)

    return holds


def unit_at(window: Window, unit: str) -> Pixel:
    """Return the pixel of a unit's first model."""
    position = window.playback.state.position
    row = position.units[unit].rows[0]
    x, y = window.camera.to_screen(*map(float, position.table.xy[row]))
    return round(x), round(y)


def place(window: Window, x: float, y: float) -> Pixel:
    """Return the pixel of a point of the board, in inches."""
    across, down = window.camera.to_screen(x, y)
    return round(across), round(down)


def over_best_target(window: Window) -> bool:
    """Rest the mouse on the target with the best odds; return whether any is worth a look."""
    found = []
    for unit in window.playback.state.position.on_table("horde"):
        at = unit_at(window, unit.id)
        odds = window.player.odds_at(at)
        if isinstance(odds, Volley) and odds.wounds >= 1.0:
            found.append((odds.wounds, at))
        elif isinstance(odds, ChargeOdds) and UNSURE[0] <= odds.chance <= UNSURE[1]:
            found.append((odds.chance, at))
    if found:
        point(window, max(found)[1])
    return bool(found)


# the moments


def menu() -> pygame.Surface:
    """The start menu, on the page of a new battle."""
    desk = importlib.import_module("viewer.commands.menu_desk").MenuDesk(Library(), "", "")
    choice = importlib.import_module("viewer.menu.choice").Choice(seed=str(SEED), faction=[FACTION])
    begin = importlib.import_module("viewer.menu.start_menu").StartMenu
    pygame.display.init()
    screen = begin(pygame.display.set_mode(SIZE), desk, lambda: desk.look, choice=choice)
    for _ in range(5):
        screen.tick(FRAME)
        screen.draw()
    surface: pygame.Surface = screen.surface
    return surface


def set_up() -> pygame.Surface:
    """A unit in the mouse's hold, over the zone where it may be set up."""
    window = play_to(opened(), asks("place", since=0, kind="Place"))
    hold(window, place(window, 9, 14), place(window, 14, 20))
    return drawn(window)


def movement() -> pygame.Surface:
    """A unit in the mouse's hold: where it stops, how far that is, what sees it there."""
    window = play_to(opened(), lambda w: _phase(w, "movement", 2) and asks("next-unit", since=2)(w))
    position = window.playback.state.position
    units = list(position.on_table("players"))
    unit = next((each for each in units if each.name == DRAGGED), units[0])
    x, y = unit_at(window, unit.id)
    hold(window, (x, y), (x + 120, y - 50))
    return drawn(window)


def shooting() -> pygame.Surface:
    """The mouse on a target: what the unit's weapons would do there."""
    window = play_to(opened(), lambda w: _phase(w, "shooting", 1) and over_best_target(w))
    return drawn(window)


def stratagem() -> pygame.Surface:
    """An offer in the Horde's turn."""
    return drawn(play_to(opened(), asks("stratagem")))


def charge() -> pygame.Surface:
    """The mouse on a target of a charge: how far it is, and how likely that is rolled."""
    window = play_to(opened(), lambda w: _phase(w, "charge", 1) and over_best_target(w))
    return drawn(window)


def horde_turn() -> pygame.Surface:
    """The Horde shoots: its reasons, and the dice."""
    window = play_to(opened(), lambda w: w.playback.state.round >= 1)
    person = Person(window)
    for _ in looks(window, at_once=False):
        effect, state = window.playback.effect, window.playback.state
        shoots = effect is not None and isinstance(effect.entry, ev.Attacked)
        if shoots and state.turn == "horde" and state.phase == "shooting" and state.round >= 2:
            return drawn(window)
        if window.player.asked is not None or _has_summary(window):
            person.go_on()
            window.playback.seek(len(window.playback.chronicle))
    raise NeverShown


def summary() -> pygame.Surface:
    """What the Horde's turn has cost and gained."""
    window = opened()
    person = Person(window)
    for _ in looks(window, at_once=False):
        if _has_summary(window) and window.playback.state.round >= 2:
            return drawn(window)
        if window.player.asked is not None or _has_summary(window):
            person.go_on()
    raise NeverShown


def resupply() -> pygame.Surface:
    """What supply points buy, where there is much to choose from."""

    def offers_much(window: Window) -> bool:
        asked = window.player.asked
        options = getattr(asked.request, "options", ()) if asked is not None else ()
        return asks("purchase")(window) and len(options) > MANY

    return drawn(play_to(opened(), offers_much))


def end() -> pygame.Surface:
    """The end of the battle."""
    window = opened()
    person = Person(window)
    for _ in looks(window):
        if window.playback.state.over and window.playback.at_end:
            window.tick(1.0)
            return drawn(window)
        if window.player.asked is not None or _has_summary(window):
            person.go_on()
    raise NeverShown


def _phase(window: Window, phase: str, since: int) -> bool:
    """Return whether it is a phase of the players, in a round from one on."""
    state = window.playback.state
    return (state.turn, state.phase) == ("players", phase) and state.round >= since


def drawn(window: Window) -> pygame.Surface:
    """Return what a window shows."""
    window.tick(0.3)
    window.draw()
    return window.surface


@dataclass(frozen=True, slots=True)
class Moment:
    """A picture of the guide: how it is played, and the module without which it is left out."""

    play: Callable[[], pygame.Surface]
    needs: str = ""

    @property
    def is_there(self) -> bool:
        """Return whether this program has the screen."""
        try:
            return not self.needs or importlib.util.find_spec(self.needs) is not None
        except ModuleNotFoundError:
            return False


MOMENTS: dict[str, Moment] = {
    "playing-1-menu": Moment(menu, "viewer.menu.start_menu"),
    "playing-2-set-up": Moment(set_up),
    "playing-3-movement": Moment(movement),
    "playing-4-shooting": Moment(shooting),
    "playing-5-stratagem": Moment(stratagem),
    "playing-6-charge": Moment(charge),
    "playing-7-horde-turn": Moment(horde_turn),
    "playing-8-summary": Moment(summary, "viewer.window.summary_page"),
    "playing-9-resupply": Moment(resupply),
    "playing-10-end": Moment(end),
}
"""The pictures of docs/playing.md by the names of their files."""
