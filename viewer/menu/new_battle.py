"""The page of a new battle: players, armies, the Horde, the table, and how it is played.

Everything is filled in; what is chosen is shown at once as a table and an army, or as one sentence on what
is wrong. Options that are seldom wanted are `viewer.menu.more_options`'.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import SystemRandom
from typing import cast

import msgspec
import pygame
from pygame_gui.elements import UIImage, UITextEntryLine

from datasheets.errors import HordeError
from datasheets.roster import cost
from datasheets.schema import Roster
from datasheets.share import GAME_SIZES, MOST_PLAYERS
from viewer.input.preferences import Speed
from viewer.input.undoing import Reach
from viewer.menu.army_list import ArmyList
from viewer.menu.choice import Choice, Questions
from viewer.menu.desk import Desk, Outlined
from viewer.menu.file_picker import FilePicker
from viewer.menu.kit import Act, FieldColumn
from viewer.menu.more_options import MoreOptions
from viewer.menu.sheet import Sheet
from viewer.menu.table_picture import army_picture, table_picture, table_words
from viewer.window.lettering import Lettering
from viewer.window.widgets import Widgets

SETTLED = 0.4
"""After this many seconds without another sign what was typed is looked at."""
THREE, TWO = 880, 560
"""A page at least this wide, by the size of its words, has three or two columns."""
WIDEST = 460
"""How wide the picture of the table is at most, at the usual size of words."""
DRAWN = "Drawn by the seed"
ROUNDS = {"3": "3", "5": "5", "7": "7", "infinite": "Endless"}
QUESTIONS = {"matters": "What matters", "more": "More", "all": "All"}
UNDO = {"last-roll": "To the last roll", "free": "Free, marked"}
SPEED = {"slow": "Slow", "normal": "Normal", "fast": "Fast", "skip": "Skip"}
SEATS = {"person": "At this screen", "autopilot": "Autopilot"}


def new_seed() -> str:
    """Return a seed that nobody has chosen."""
    return str(SystemRandom().randrange(1_000_000))


class NewBattle(Sheet):
    """The page of a new battle."""

    title = "New battle"
    under = "Everything below is filled in. You can begin at once."

    def __init__(
        self, desk: Desk, widgets: Widgets, lettering: Lettering, begin: Act, choice: Choice | None = None
    ) -> None:
        """Fill everything in."""
        super().__init__(desk, widgets, lettering)
        self.choice = choice or Choice()
        self.choice.seed = self.choice.seed or new_seed()
        self.choice.seat(int(self.choice.players))
        self._begin = begin
        self._pasting: ArmyList | None = None
        self._picker: FilePicker | None = None
        self._unsettled = 0.0
        self._picture: UIImage | None = None
        self._shown = Outlined(None)
        self._more = MoreOptions(self)

    # what is chosen

    @property
    def shown(self) -> Outlined:
        """Return the battle as it was chosen when it was looked at last."""
        return self._shown

    def begin(self) -> None:
        """Begin the battle, where it can be played."""
        if self._pasting is not None or self._picker is not None:
            return
        if self._unsettled or self._shown.game is None:
            self._look()
        if not self.fault:
            self._begin()
        else:
            self.renew()

    def _look(self) -> None:
        """Look at the battle that is chosen."""
        self._unsettled = 0.0
        self._shown = self.desk.look_at(self.choice)
        self.fault = self._shown.fault

    def set(self, name: str, value: object) -> None:
        """Take another value of an option that was picked, and show what comes of it."""
        setattr(self.choice, name, value)
        self.again()

    def again(self) -> None:
        """Look at the battle anew, and make the page anew."""
        self._look()
        self.renew()

    def type(self, name: str, value: str) -> None:
        """Take another value of an option that was typed; it is looked at when the hand rests."""
        setattr(self.choice, name, value.strip())
        self._unsettled = SETTLED

    def tick(self, passed: float) -> bool:
        """Look at what was typed, as soon as the hand rests."""
        if not self._unsettled:
            return False
        self._unsettled = max(self._unsettled - passed, 0.0)
        if self._unsettled:
            return False
        fault = self.fault
        self._look()
        if fault != self.fault:
            self._renew_typing()
        elif self._picture is not None and self._shown.game is not None:
            width = self._picture.rect.w
            self._picture.set_image(table_picture(self._shown.game.state, self.lettering, width))
        return True

    def _renew_typing(self) -> None:
        """Make the page anew while a line is typed into: the line keeps the keys."""
        focused = [each for each in self.kit.widgets.focused_set or () if isinstance(each, UITextEntryLine)]
        places = [i for i, (each, _) in enumerate(self.kit.ring.stops) if each in focused]
        self.renew()
        if places:
            widget = self.kit.ring.stops[places[0]][0]
            self.kit.widgets.set_focus_set(widget)

    # the page

    def build(self, rect: pygame.Rect) -> None:
        """Make the widgets within a part of the window."""
        if self._shown.game is None:
            self._look()
        super().build(rect)

    def make(self) -> None:
        """Make the widgets."""
        self._picture = None
        if self._pasting is not None:
            self._pasting.make(self.rect)
            return
        kit, rect = self.kit, self.rect
        top = self.head(("Begin battle · Enter", self.begin, "@main"))
        room = pygame.Rect(rect.x, top, rect.w, max(rect.bottom - top, 1))
        inside = kit.scrolled(room)
        wide = rect.w - kit.lettering.t(24)
        count = 3 if wide >= kit.lettering.t(THREE) else 2 if wide >= kit.lettering.t(TWO) else 1
        gap = kit.lettering.t(24)
        share = (wide - gap * (count - 1)) // count
        columns = [FieldColumn(kit, i * (share + gap), 0, share, inside) for i in range(count)]
        self._make_players(columns[0])
        self._make_battle(columns[min(1, count - 1)])
        self._make_table(columns[-1])
        under = max(column.y for column in columns)
        lower = [FieldColumn(kit, i * (share + gap), under, share, inside) for i in range(count)]
        self._make_feel(lower)
        whole = FieldColumn(kit, 0, max(column.y for column in lower), wide, inside)
        self._make_army(whole)
        self._more.make(whole)
        kit.close_at(whole.y)

    def _make_players(self, column: FieldColumn) -> None:
        choice = self.choice
        column.words("Players", "@heading")
        column.skip(8)
        numbers = [(f"{n} player" if n == 1 else f"{n} players", str(n)) for n in range(1, MOST_PLAYERS + 1)]
        column.choice(numbers, choice.players, lambda number: self._seat(int(number)))
        for number in range(int(choice.players)):
            self._make_player(column, number)
        column.caption("Game Master")
        column.segments(
            {"program": "The program", "person": "A person"},
            "person" if choice.game_master else "program",
            lambda name: self.set("game_master", name == "person"),
        )
        column.caption("Set-up")
        column.segments(
            {"hand": "By hand", "autopilot": "By the autopilot"},
            "hand" if choice.by_hand else "autopilot",
            lambda name: setattr(choice, "by_hand", name == "hand"),
        )

    def _seat(self, number: int) -> None:
        self.choice.seat(number)
        self.again()

    def _make_player(self, column: FieldColumn, number: int) -> None:
        choice = self.choice
        column.caption(f"Player {number + 1}")
        column.segments(SEATS, "person" if choice.played[number] else "autopilot", self._taker(number))
        column.choice(*self._armies(number), lambda name: self.field(number, name))
        column.buttons(
            [("Open a list…", lambda: self._pick_list(number)), ("Paste a list", lambda: self._paste(number))]
        )

    def _taker(self, number: int) -> Callable[[str], None]:
        def take(name: str) -> None:
            self.choice.played[number] = name == "person"

        return take

    def _armies(self, number: int) -> tuple[list[tuple[str, str]], str]:
        """Return the armies that a player may have, and the one that is chosen."""
        given, library = self.choice.army[number], self.desk.library
        own = [] if isinstance(given, str) and given in ("", *library.armies()) else [(_called(given), "own")]
        chosen = "own" if own else str(given) or self._usual(number)
        most = self._most(number)
        shipped = [
            (words, name) for name, words, points in self.desk.shipped() if points <= most or name == chosen
        ]
        return [*own, *shipped], chosen

    def _usual(self, number: int) -> str:
        """Return the army that a player has where none was named; "" where the options allow none."""
        try:
            return self.desk.army_of(self.choice, number)
        except HordeError:
            return ""

    def _most(self, number: int) -> int:
        """Return how many points a player's army may have, as far as the options say."""
        try:
            return self.desk.points_of(self.choice, number)
        except HordeError:
            return max(GAME_SIZES)

    def field(self, number: int, army: str | Roster) -> None:
        """Let a player have an army."""
        if army != "own":
            self.choice.army[number] = army
        self.again()

    def _make_battle(self, column: FieldColumn) -> None:
        choice, library = self.choice, self.desk.library
        column.words("Battle", "@heading")
        column.skip(8)
        column.caption("Horde")
        hordes = sorted((library.faction(each).name, each) for each in library.hordes())
        column.choice(hordes, choice.faction[0].partition("=")[0], self._lead)
        column.caption("Points")
        sizes = {str(size): f"{size:,}" for size in GAME_SIZES}
        column.segments(sizes, choice.points, lambda size: self.set("points", size))
        column.caption("Deployment")
        deployments = [(each.name, each.id) for each in library.deployments()]
        column.choice([(DRAWN, ""), *deployments], choice.deployment, self._deploy)
        column.caption("Layout")
        named = {name: words for words, name in deployments}
        layouts = library.layout_ids(choice.deployment) if choice.deployment else ()
        shown = [(f"{named[choice.deployment]} {each.rpartition('-')[2]}", each) for each in layouts]
        column.choice([(DRAWN, ""), *shown], choice.layout, lambda name: self.set("layout", name))
        column.caption("Rounds")
        column.segments(ROUNDS, choice.rounds, lambda rounds: self.set("rounds", rounds))
        column.caption("Seed")
        draw = self.kit.lettering.width("Draw", 14, True) + self.kit.lettering.t(32)
        beside = FieldColumn(self.kit, column.left + column.width - draw, column.y, draw, column.container)
        line = FieldColumn(
            self.kit, column.left, column.y, column.width - draw - self.kit.lettering.t(8), column.container
        )
        line.entry(choice.seed, lambda seed: self.type("seed", seed), "a whole number")
        beside.button("Draw", lambda: self.set("seed", new_seed()))
        column.y = line.y

    def _lead(self, faction: str) -> None:
        """Let another faction be the Horde's first."""
        others = [each for each in self.choice.faction[1:] if each.partition("=")[0] != faction]
        self.choice.faction = [faction, *others]
        self.again()

    def _deploy(self, deployment: str) -> None:
        self.choice.layout = ""
        self.set("deployment", deployment)

    def _make_table(self, column: FieldColumn) -> None:
        column.words("Table", "@heading")
        column.skip(8)
        game = self._shown.game
        if game is None:
            column.words("The table is shown as soon as the battle can be played.", "@soft")
            column.skip(14)
            return
        width = min(column.width, self.lettering.t(WIDEST))
        self._picture = column.picture(table_picture(game.state, self.lettering, width))
        board = game.state.position.board
        names = {each.id: each.name for each in self.desk.library.deployments()}
        column.words(f"{names.get(board.deployment, '')}, layout {board.layout.rpartition('-')[2]}")
        column.words(table_words(game.state), "@soft")
        column.skip(14)

    def _make_feel(self, columns: list[FieldColumn]) -> None:
        wishes = self.desk.preferences
        places = [columns[i % len(columns)] for i in range(3)]
        places[0].caption("Questions")
        places[0].segments(
            QUESTIONS,
            self.choice.questions,
            lambda name: setattr(self.choice, "questions", cast(Questions, name)),
        )
        places[1].caption("Undo")
        places[1].segments(UNDO, wishes.undo, lambda name: self._prefer(undo=cast(Reach, name)))
        places[2].caption("Speed of the Horde")
        places[2].segments(SPEED, wishes.speed, lambda name: self._prefer(speed=cast(Speed, name)))

    def _prefer(self, **more: str) -> None:
        """Keep another wish about the window; where that fails it holds until the end."""
        wishes = msgspec.structs.replace(self.desk.preferences, **more)
        if not self.attempt(lambda: self.desk.prefer(wishes)):
            self.renew()

    def _make_army(self, column: FieldColumn) -> None:
        game, armies = self._shown.game, self._shown.armies
        if game is None:
            return
        library = self.desk.library
        column.words("Your army" if len(armies) == 1 else "Your armies", "@heading")
        for army in armies:
            points = cost(army, library)
            column.words(f"{army.name} · {army.detachment} · {points:,} points · legal", "@soft")
        column.skip(8)
        column.picture(army_picture(armies, game, self.lettering, column.width))
        column.words(
            "First battle? Leave the set-up to the autopilot: you begin in round 1, and the program asks "
            "only what matters.",
            "@soft",
        )
        column.skip(14)

    # lists of armies

    def _pick_list(self, number: int) -> None:
        def picked(path: Path) -> None:
            try:
                data = path.read_bytes()
            except OSError as fault:
                self.fault = f"{path.name}: the list cannot be read ({fault.strerror})."
                self.renew()
                return
            self.read(number, data, path.name)

        self.pick_file("Open a list", picked)

    def pick_file(self, title: str, picked: Callable[[Path], None], *, new: bool = False) -> None:
        """Let the person pick a file, be it one that is not there yet."""

        def closed(path: Path | None) -> None:
            self._picker = None
            if path is not None:
                picked(path)

        self._picker = FilePicker(self.kit, title, closed, new=new)

    def read(self, number: int, data: bytes, name: str) -> bool:
        """Let a player have the army of a list; return whether it could be read."""
        try:
            army, _ = self.desk.read_list(data, name)
        except HordeError as fault:
            self.fault = str(fault).splitlines()[0]
            self.renew()
            return False
        self.field(number, army)
        return True

    def _paste(self, number: int) -> None:
        def done(army: Roster | None) -> None:
            self._pasting = None
            if army is None:
                self.renew()
            else:
                self.field(number, army)

        self._pasting = ArmyList(self.kit, self.desk, f"Player {number + 1}: paste a list", done)
        self.renew()

    # events

    def take(self, event: pygame.event.Event) -> bool:
        """Take an event; Enter begins the battle."""
        if self._picker is not None:
            return self._picker.take(event)
        if event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE and self._pasting is not None:
            self._pasting.cancel()
            return True
        if super().take(event):
            return True
        if event.type == pygame.KEYDOWN and event.key in (pygame.K_RETURN, pygame.K_KP_ENTER):
            if self._pasting is not None:
                return False
            self.begin()
            return True
        return False


def _called(army: str | Roster) -> str:
    return f"{army.name} (your list)" if isinstance(army, Roster) else Path(army).name
