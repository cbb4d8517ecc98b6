"""The screens of an evening: from the start menu to a battle, and to what comes after it.

Owns which screen follows which, and carries out what a screen that is left wished for.
"""

from __future__ import annotations

from pathlib import Path
from random import SystemRandom

import pygame

from ai.horde.game_master import SEAT as GAME_MASTER
from datasheets.errors import HordeError
from engine.core.save import save
from engine.w40k.battle import Battle
from viewer.commands.keeping import check_free
from viewer.commands.menu_desk import MenuDesk
from viewer.commands.sitting import Sitting, anew, free_replay, from_round, print_sentence
from viewer.input.preferences import SPEEDS, Speed
from viewer.input.settings import Rules
from viewer.input.stops import NAMED
from viewer.menu.battle_menu import BattleMenu
from viewer.menu.choice import Choice, Questions
from viewer.menu.start_menu import StartMenu
from viewer.story.knowledge import Knowledge
from viewer.story.live import entries, summaries
from viewer.story.source import Recording, Source
from viewer.window.application import Screen
from viewer.window.window import Window

FROM_ROUND = "from-round:"


class Session:
    """The screens of one window, one after another."""

    def __init__(self, desk: MenuDesk, sitting: Sitting | None = None, *, ask_all: bool = False) -> None:
        """Begin with a battle, or none."""
        self.desk = desk
        self._sitting = self._last = sitting
        """The battle at the window, and the last that was there."""
        self._questions: Questions = "all" if ask_all else "matters"
        self._by_hand = True
        self._choice: Choice | None = None
        self._window: Window | None = None
        self._speed: Speed | None = None
        """The speed of the settings that the window plays at; keys change only the window's."""
        self._notices: list[str] = []
        desk.changed = self._refit

    # wishes and rules in force

    def rules(self) -> Rules | None:
        """Return the rules about what is asked, as they were chosen for the battle."""
        return rules_for(self.desk.rules, self._questions, by_hand=self._by_hand)

    def _refit(self) -> None:
        """Put in force what has changed in the settings."""
        if self._sitting is not None:
            self._sitting.gate.rules = self.rules()
            self._sitting.source.undoing.reach = self.desk.preferences.undo
        if self._window is not None:
            speed = self.desk.preferences.speed
            if speed != self._speed:
                self._window.playback.at_speed(SPEEDS[speed])
                self._speed = speed
            if self._window.lettering.look != self.desk.look:
                self._window.wear(self.desk.look)

    def prepare(self, window: Window) -> None:
        """Give a battle's window its menu and its speed."""
        self._window, self._speed = window, None
        if self._sitting is not None:
            name = f"horde-{self._sitting.game.seed}"
            window.menu = BattleMenu(window, self.desk, self._save_as, name)
        else:
            window.menu = BattleMenu(window, self.desk)
        self._refit()

    def _save_as(self, path: Path) -> str:
        """Save the battle under a name; it goes on."""
        if self._sitting is None:
            raise HordeError("There is no battle to save.")
        path = path if path.suffix else path.with_suffix(".save")
        check_free(path)
        save(self._sitting.game, path)
        return f"Saved as {path.name}."

    def _tell(self, sentence: str) -> None:
        print_sentence(sentence)
        self._notices.append(sentence)

    # which screen follows

    def menu(self, surface: pygame.Surface) -> StartMenu:
        """Return the start menu."""
        self._window = None
        pygame.display.set_caption("Horde")
        # How a battle is taken up without the menu, nobody needs to know here.
        notice = self._notices[-1].partition(" Go on with:")[0] if self._notices else ""
        self._notices = []
        return StartMenu(surface, self.desk, lambda: self.desk.look, notice, self._choice)

    def following(self, left: Screen) -> Screen | None:
        """Return the screen that follows one that is left, None where the window is to be closed."""
        if left.quit or left.wish == "quit":
            return None
        if isinstance(left, StartMenu):
            return self._from_menu(left)
        return self._from_battle(left) if isinstance(left, Window) else None

    def _from_menu(self, menu: StartMenu) -> Screen:
        if menu.wish == "begin" and menu.battle.shown.game is not None:
            return self._begin(menu.surface, menu.battle.shown.game, menu.choice)
        try:
            found = self.desk.opened(menu.file or Path())
        except HordeError as fault:
            self._notices.append(str(fault))
            return self.menu(menu.surface)
        if isinstance(found, Battle):
            self._questions, self._by_hand = "matters", True
            return self._sit(menu.surface, found, file=menu.file, jump="now")
        return self._show(menu.surface, found)

    def _from_battle(self, window: Window) -> Screen:
        last, wish, surface = self._last, window.wish, window.surface
        self.close()
        if last is None or wish == "menu":
            return self.menu(surface)
        try:
            if wish == "watch":
                known, told = summaries(last.game.rulebook.rules), Knowledge(self.desk.library, last.game)
                return self._show(
                    surface, Recording(entries(last.game.lines), "Horde: your battle", known, told)
                )
            game, jump = self._wished(last.game, wish)
        except HordeError as fault:
            self._notices.append(str(fault))
            return self.menu(surface)
        return self._sit(surface, game, jump=jump, like=last)

    def _wished(self, game: Battle, wish: str) -> tuple[Battle, str | None]:
        """Return the battle that a wish means, and the moment to begin at. Raises HordeError."""
        library = self.desk.library
        if wish == "again":
            return anew(game, library, SystemRandom().randrange(1_000_000)), None
        if wish == "same-seed":
            return anew(game, library), None
        number = wish.removeprefix(FROM_ROUND)
        if number == wish or not number.isdecimal():
            raise HordeError(f"There is no way to go on by '{wish}'.")
        return from_round(game, int(number), library), "now"

    def _begin(self, surface: pygame.Surface, game: Battle, choice: Choice) -> Screen:
        """Begin the battle that was chosen."""
        self._questions, self._by_hand, self._choice = choice.questions, choice.by_hand, choice
        # The next battle is another one.
        choice.seed = ""
        asked = (*choice.asked, *((GAME_MASTER,) if choice.game_master else ()))
        out = Path(choice.replay) if choice.replay else free_replay(game.seed)
        aside = Path(choice.save) if choice.save else None
        sitting = Sitting(
            game, asked, self.rules(), autopilot=choice.autopilot, aside=aside, out=out, tell=self._tell
        )
        return self._seat(surface, sitting, None)

    def _sit(
        self,
        surface: pygame.Surface,
        game: Battle,
        *,
        file: Path | None = None,
        jump: str | None = None,
        like: Sitting | None = None,
    ) -> Screen:
        """Take a battle up, all seats or those that were played in one like it."""
        asked = like.asked if like is not None else _all_seats(game)
        sitting = Sitting(
            game,
            asked,
            self.rules(),
            autopilot=like.autopilot if like is not None else "steady",
            file=file,
            out=free_replay(game.seed),
            tell=self._tell,
        )
        return self._seat(surface, sitting, jump)

    def _seat(self, surface: pygame.Surface, sitting: Sitting, jump: str | None) -> Screen:
        self._sitting = self._last = sitting
        return self._open(surface, sitting.source, jump)

    def _show(self, surface: pygame.Surface, source: Source) -> Screen:
        """Show what was recorded, from its start."""
        self._sitting = None
        return self._open(surface, source, None)

    def _open(self, surface: pygame.Surface, source: Source, jump: str | None) -> Window:
        pygame.display.set_caption(source.title)
        window = Window(surface, source, self.desk.look)
        window.begin(jump)
        self.prepare(window)
        return window

    # the end

    def end(self) -> None:
        """Say how the battle at the window ended, if it did."""
        if self._sitting is not None:
            self._sitting.end()

    def put_aside(self) -> None:
        """Save the battle at the window, if it is not over."""
        if self._sitting is not None:
            self._sitting.put_aside()
        self._sitting = None

    def close(self) -> None:
        """Leave the battle at the window: tell its end, or save it."""
        try:
            self.end()
        except OSError as fault:
            self._tell(f"The replay cannot be written ({fault.strerror}).")
        self.put_aside()


def rules_for(rules: Rules, questions: Questions, *, by_hand: bool) -> Rules | None:
    """Return the rules by which a battle is asked; None where everything is asked."""
    if questions == "all" and by_hand:
        return None
    if questions == "all":
        rules = Rules().changed("all", ["always"])
    elif questions == "more":
        rules = more_of(rules)
    return rules if by_hand else rules.changed("set-up", ["never"])


def more_of(rules: Rules) -> Rules:
    """Return rules by which all is asked that is else asked where it matters."""
    for kind in NAMED.values():
        if rules.asking(kind) == "matters":
            rules = rules.changed(kind.name, ["always"])
    return rules


def _all_seats(game: Battle) -> tuple[str, ...]:
    return (*game.state.players, *((GAME_MASTER,) if game.state.game_master else ()))
