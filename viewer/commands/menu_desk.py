"""What the menus ask, answered: battles, armies, files, and what the person wishes."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from datasheets.errors import BadData, HordeError
from datasheets.library import Library
from datasheets.rosters.reading import whole_roster
from datasheets.schema import Roster
from datasheets.share import allowances
from engine.core.replay import read_lines
from engine.horde.setup import Options
from engine.systems import new_game
from engine.w40k.battle import Battle
from viewer.commands import shelf
from viewer.commands.battle_command import check_writable
from viewer.commands.keeping import JOURNAL, check_free, taken_up
from viewer.commands.options import battle_options, transfer_of, whole_number
from viewer.commands.recorded import recording
from viewer.input.preferences import Preferences, keep_preferences, load_preferences
from viewer.input.settings import Rules, keep_rules, load_rules
from viewer.menu.choice import Choice
from viewer.menu.desk import LeftOver, Outlined
from viewer.story.source import Recording
from viewer.window.look import Look

Opened = Battle | Recording


class MenuDesk:
    """Answers to what the menus ask."""

    def __init__(self, library: Library, palette: str = "", text: str = "") -> None:
        """Take what is remembered; a palette and a size of words that options give come before it.

        Raises HordeError for what cannot be, BadData where the file of settings is at fault.
        """
        self.library = library
        self._kept = load_preferences()
        given: dict[str, Any] = {"palette": palette} if palette else {}
        if text:
            given["text"] = whole_number(text, "size of words in percent")
        Look(given.get("palette", self._kept.palette), given.get("text", self._kept.text))
        self.preferences = msgspec.structs.replace(self._kept, **given)
        self.rules = load_rules()
        self.changed: Callable[[], None] = lambda: None
        """Is called as wishes or rules have changed."""
        self._shipped: list[tuple[str, str, int]] = []
        self._opened: tuple[Path, Opened] | None = None

    @property
    def look(self) -> Look:
        """Return how the window looks."""
        wishes = self.preferences
        return Look(wishes.palette, wishes.text, wishes.motion == "less")

    # a new battle

    def look_at(self, choice: Choice) -> Outlined:
        """Return the battle of a choice, or one sentence on what is wrong with it."""
        try:
            options = self._options(choice)
            check_writable(Path(choice.replay) if choice.replay else None, "the replay")
            if choice.save:
                check_writable(Path(choice.save), "the save")
                check_free(Path(choice.save))
            game = new_game(options, self.library)
        except HordeError as fault:
            return Outlined(None, (), str(fault).splitlines()[0])
        return Outlined(game, options.armies)

    def _options(self, choice: Choice) -> Options:
        words = {field: getattr(choice, field) for field in choice.__struct_fields__}
        words["army"] = [army or self.army_of(choice, i) for i, army in enumerate(choice.army)]
        asked = inspect.signature(battle_options).parameters.keys() - {"library"}
        return battle_options(self.library, **{name: words[name] for name in asked})

    def shipped(self) -> list[tuple[str, str, int]]:
        """Return the shipped armies by faction, the largest first: name, what it is called, points."""
        if not self._shipped:
            library = self.library
            rosters = [(library.army(name), name) for name in library.armies()]
            rows = sorted(
                (library.faction(each.faction).name, -each.points, each.name, name) for each, name in rosters
            )
            self._shipped = [
                (name, f"{called.split(', ')[0]} · {-points:,} points", -points)
                for _, points, called, name in rows
            ]
        return self._shipped

    def army_of(self, choice: Choice, number: int) -> str:
        """Return the largest shipped army that fits. Raises HordeError where there is none."""
        return self.library.army_within("space-marines", self.points_of(choice, number))

    def points_of(self, choice: Choice, number: int) -> int:
        """Return how many points a player's army may have. Raises HordeError."""
        points = whole_number(choice.points, "game size in points")
        seats = whole_number(choice.players, "number of players")
        handicap = whole_number(choice.handicap or "0", "handicap in points")
        gifts = tuple(map(transfer_of, choice.transfer))
        return allowances(points, seats, handicap, gifts)[number]

    def read_list(self, text: bytes, name: str) -> tuple[Roster, list[str]]:
        """Return the army of a list, and what was found in it. Raises HordeError."""
        read, roster = whole_roster(text, name, self.library)
        return roster, [str(each) for each in read.findings]

    # files

    def left_over(self) -> list[LeftOver]:
        """Return the battles that are not over, the newest first."""
        found = (shelf.left_over_battle(path, self.library) for path in shelf.kept())
        return [each for each in found if each is not None]

    def replays(self) -> list[Path]:
        """Return the replays that are at hand, the newest first."""
        return shelf.replays()

    def scenarios(self) -> list[Path]:
        """Return the scenarios that are at hand."""
        return shelf.scenarios()

    def check(self, file: Path) -> None:
        """Open a file, to be taken later. Raises HordeError where it cannot be opened."""
        try:
            self._opened = (file, self._open(file))
        except OSError as fault:
            raise BadData(str(file), "", f"cannot be read ({fault.strerror})") from None

    def _open(self, file: Path) -> Opened:
        if file.suffix == JOURNAL:
            return taken_up(file, self.library)
        if file.suffix != ".toml" and "save" in read_lines(file)[2]:
            return taken_up(file, self.library)
        return recording(file)

    def opened(self, file: Path) -> Opened:
        """Return what a file holds. Raises HordeError."""
        if self._opened is None or self._opened[0] != file:
            self.check(file)
        assert self._opened is not None
        found, self._opened = self._opened[1], None
        return found

    # what is remembered

    def prefer(self, preferences: Preferences) -> None:
        """Put wishes about the window in force, and remember those that are new. Raises HordeError."""
        before, after = self.preferences.as_dict(), preferences.as_dict()
        new = {name: value for name, value in after.items() if value != before[name]}
        self.preferences = preferences
        self._kept = msgspec.structs.replace(self._kept, **new)
        self.changed()
        keep_preferences(self._kept)

    def rule(self, rules: Rules) -> None:
        """Put rules about what is asked in force, and remember them. Raises HordeError."""
        self.rules = rules
        self.changed()
        keep_rules(rules)
