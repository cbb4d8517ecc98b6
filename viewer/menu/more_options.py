"""The options of a new battle that are seldom wanted, below the others of its page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from engine.systems import RULESETS, ruleset_of
from viewer.menu.choice import Choice
from viewer.menu.desk import Desk
from viewer.menu.kit import Act, FieldColumn

AUTOPILOTS = {"steady": "Steady", "fuzz": "Any legal answer"}


class Chooser(Protocol):
    """The page on which a battle is chosen."""

    desk: Desk
    choice: Choice

    def set(self, name: str, value: object) -> None:
        """Take another value of an option that was picked."""
        ...

    def type(self, name: str, value: str) -> None:
        """Take another value of an option that was typed."""
        ...

    def renew(self) -> None:
        """Make the page anew."""
        ...

    def pick_file(self, title: str, picked: Callable[[Path], None], *, new: bool = False) -> None:
        """Let the person pick a file."""
        ...


class MoreOptions:
    """The part of the page that opens with a button."""

    def __init__(self, page: Chooser) -> None:
        """Begin closed."""
        self._page = page
        self.is_open = False
        self._ruling = ""

    def make(self, column: FieldColumn) -> None:
        """Make the button, and the fields where they are open."""
        column.button("Fewer options" if self.is_open else "More options", self._toggle)
        if not self.is_open:
            return
        kit = column.kit
        two = column.width >= kit.lettering.t(560)
        gap = kit.lettering.t(24)
        share = (column.width - gap) // 2 if two else column.width
        left = FieldColumn(kit, column.left, column.y, share, column.container)
        self._make_armies(left)
        right = (
            FieldColumn(kit, column.left + share + gap, column.y, share, column.container) if two else left
        )
        self._make_horde(right)
        self._make_files(right)
        column.y = max(left.y, right.y)
        self._make_rulings(column)

    def _toggle(self) -> None:
        self.is_open = not self.is_open
        self._page.renew()

    def _make_armies(self, column: FieldColumn) -> None:
        page, choice = self._page, self._page.choice
        column.caption("Handicap: points fewer for all armies together")
        column.entry(choice.handicap, lambda text: page.type("handicap", text or "0"))
        column.caption("Points that players give: p1:p2:15")
        column.entry(" ".join(choice.transfer), lambda text: self._type_list("transfer", text))
        column.caption("Rounds: a number, or infinite")
        column.entry(choice.rounds, lambda text: page.type("rounds", text))
        column.caption("The autopilot")
        column.segments(AUTOPILOTS, choice.autopilot, lambda name: page.set("autopilot", name))
        column.caption("Rules")
        column.choice(
            [(name, name) for name in RULESETS], choice.ruleset, lambda name: page.set("ruleset", name)
        )

    def _type_list(self, name: str, text: str) -> None:
        self._page.type(name, text)
        setattr(self._page.choice, name, text.replace(",", " ").split())

    def _make_horde(self, column: FieldColumn) -> None:
        page, choice = self._page, self._page.choice
        library = page.desk.library
        column.caption("The Horde's factions, with shares: orks=2 tyranids=1")
        column.entry(" ".join(choice.faction), lambda text: self._type_list("faction", text or "death-guard"))
        taken = {each.partition("=")[0] for each in choice.faction}
        hordes = sorted((library.faction(each).name, each) for each in library.hordes() if each not in taken)
        column.choice([("Add a faction", ""), *hordes], "", self._join)

    def _join(self, faction: str) -> None:
        if faction:
            self._page.set("faction", [*self._page.choice.faction, faction])

    def _make_files(self, column: FieldColumn) -> None:
        page = self._page
        for name, words, is_new in (
            ("collection", "The models that the Horde has: a TOML file", False),
            ("save", "Where the battle is saved", True),
            ("replay", "Where the replay is written", True),
        ):
            column.caption(words)
            column.entry(getattr(page.choice, name), self._typer(name), "as usual")
            column.y -= column.kit.gap // 2
            column.button("Choose a file…", self._chooser(name, words, new=is_new))

    def _typer(self, name: str) -> Callable[[str], None]:
        return lambda text: self._page.type(name, text)

    def _chooser(self, name: str, words: str, *, new: bool) -> Act:
        def picked(path: Path) -> None:
            self._page.set(name, str(path))

        return lambda: self._page.pick_file(words, picked, new=new)

    # readings of open points

    def _make_rulings(self, column: FieldColumn) -> None:
        choice = self._page.choice
        settings = ruleset_of(choice.ruleset).settings
        column.caption("How open points of the rules are read")
        every = [(f"{each.key}: {each.doubt}", each.key) for each in settings]
        column.choice([("Choose a point", ""), *every], self._ruling, self._show)
        if self._ruling:
            point = settings.named(self._ruling)
            given = dict(each.split("=", 1) for each in choice.ruling)
            readings = [(f"{value}: {means}", value) for value, means in point.readings]
            if point.takes_any_number:
                column.entry(
                    given.get(point.key, point.default), lambda text: self._read(point.key, text, typed=True)
                )
            else:
                chosen = given.get(point.key, point.default)
                column.choice(readings, chosen, lambda value: self._read(point.key, value))
        for each in choice.ruling:
            column.button(f"{each} · take back", self._dropper(each.split("=", 1)[0]))

    def _show(self, key: str) -> None:
        self._ruling = key
        self._page.renew()

    def _read(self, key: str, value: str, *, typed: bool = False) -> None:
        choice = self._page.choice
        others = [each for each in choice.ruling if each.split("=", 1)[0] != key]
        default = ruleset_of(choice.ruleset).settings.named(key).default
        ruling = others if value == default else [*others, f"{key}={value}"]
        if typed:
            self._page.type("ruleset", choice.ruleset)
            choice.ruling = ruling
        else:
            self._page.set("ruling", ruling)

    def _dropper(self, key: str) -> Act:
        def drop() -> None:
            kept = [each for each in self._page.choice.ruling if each.split("=", 1)[0] != key]
            self._page.set("ruling", kept)

        return drop
