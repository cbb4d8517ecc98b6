"""The journal of a battle while a person plays it, and its save when the person leaves.

Owns where these lie, what is tried where a folder or disk is full, and the sentences for the person. The
files themselves are `engine.core.journal`'s and `engine.core.save`'s.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from datasheets.errors import BadData, HordeError
from datasheets.library import Library
from engine.core.journal import Journal, is_in_use, is_journal, load_journal
from engine.core.replay import Replay, named, read_lines, read_replay
from engine.core.save import load, save
from engine.systems import begin
from engine.w40k.battle import Battle
from viewer.input.closing import closes_by_fault
from viewer.input.user_folder import SAVES, user_folder

JOURNAL = ".journal"
SAVE = ".save"
IN_WINDOW = "horde play"
IN_TERMINAL = "horde battle --ask p1 --resume"
"""The commands with which a battle is taken up again."""


def own_folder() -> Path:
    """Return the user's own folder for saves, made where it is not there. Raises OSError."""
    return user_folder(SAVES)


def taken_up(file: Path, library: Library) -> Battle:
    """Return the battle of a save or a journal. Raises HordeError where it cannot be taken up."""
    return load_journal(file, library, begin) if is_journal(file) else load(file, library, begin)


def log_of(file: Path, library: Library) -> Replay:
    """Return the log of a replay, a save or a journal; a journal is played up to its question."""
    if not is_journal(file):
        return read_replay(file)
    game = load_journal(file, library, begin)
    return Replay(named(game.header), tuple(game.lines))


def unused(stem: str, folder: Path = Path()) -> Path:
    """Return a file for a save that is not there yet, nor its journal."""
    number = 1
    while True:
        name = stem if number == 1 else f"{stem}-{number}"
        found = folder / f"{name}{SAVE}"
        if not found.exists() and not found.with_suffix(JOURNAL).exists():
            return found
        number += 1


def check_free(aside: Path) -> None:
    """Refuse to write over a file that is no save."""
    if not aside.exists():
        return
    try:
        is_save = "save" in read_lines(aside)[2]
    except BadData:
        is_save = False
    if not is_save:
        raise HordeError(f"{aside}: another file is there, and no save of a battle; name one that is free.")


class Keeper:
    """Keeps a battle while a person plays it, wherever there is room."""

    def __init__(
        self,
        game: Battle,
        aside: Path | None,
        resumed: Path | None = None,
        go_on: str = IN_WINDOW,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        """Take the battle, the file of its save, and the file that it was taken up from.

        Without a file a save goes into the one that the battle was taken up from, or a new one. `go_on` is
        the command that takes the battle up again, `tell` what tells the person.
        """
        self.game, self.go_on = game, go_on
        self.resumed = resumed
        self.aside = aside or _place_of(game, resumed)
        self._tell = tell or _told
        self._journal: Journal | None = None
        self._is_lost = False
        """Whether the person knows that nothing can be kept."""

    def keep(self) -> None:
        """Keep the answers given since the last time; the battle goes on where that fails."""
        if self._is_lost:
            return
        full = self._journal
        if full is not None:
            try:
                full.keep(self.game)
                return
            except OSError as fault:
                self._tell(f"{full.path}: your answers can no longer be kept there ({fault.strerror}).")
        if self._has_begun() and full is not None:
            with suppress(OSError):
                full.remove()

    def _has_begun(self) -> bool:
        """Begin a journal beside the save, or in the user's own folder; return whether it could."""
        faults: list[OSError] = []
        folders: tuple[Callable[[], Path], ...] = (lambda: self.aside.parent, own_folder)
        for folder in folders:
            try:
                path = unused(self.aside.stem, folder()).with_suffix(JOURNAL)
                self._journal = Journal(path, self.game)
            except OSError as fault:
                faults.append(fault)
                continue
            self._drop_resumed()
            if faults:
                self._tell(f"Your answers are kept in {path}, as there is no room in {self.aside.parent}.")
            return True
        self._is_lost = True
        self._tell(
            f"Your answers cannot be kept ({faults[-1].strerror}): the battle goes on, and is lost where "
            "the program ends before it."
        )
        return False

    def _drop_resumed(self) -> None:
        """Take the journal away that the battle was taken up from: another holds all of it."""
        if self.resumed is not None and is_journal(self.resumed):
            with suppress(OSError):
                self.resumed.unlink()

    def _leave(self) -> None:
        """Keep the journal as it is, and say how the battle is taken up again."""
        if self._journal is not None:
            self._journal.close()
            self._tell(f"Your answers are kept. Go on with: {self.go_on} {self._journal.path}")

    def put_aside(self) -> None:
        """Save a battle that is not over where it has answers, and say how it is taken up again.

        Where a fault ends the program, only the journal is trusted: it stays.
        """
        if closes_by_fault():
            self._leave()
            return
        if self.game.is_over or not self.game.answers:
            self._finish()
            return
        files: tuple[Callable[[], Path], ...] = (
            lambda: self.aside,
            lambda: unused(self.aside.stem, own_folder()),
        )
        for path in files:
            try:
                place = path()
                save(self.game, place)
            except OSError as fault:
                self._tell(f"{self.aside}: the battle cannot be saved there ({fault.strerror}).")
                continue
            self._tell(f"The battle is saved. Go on with: {self.go_on} {place}")
            self._finish()
            return
        if self._journal is not None:
            self._tell(f"Its answers are kept. Go on with: {self.go_on} {self._journal.path}")

    def _finish(self) -> None:
        """Take the journals away: the save holds all that they held, or the battle is over."""
        with suppress(OSError):
            if self._journal is not None:
                self._journal.remove()
        self._drop_resumed()
        self._journal = None


def _place_of(game: Battle, resumed: Path | None) -> Path:
    """Return where a battle is saved, if no place is named."""
    if resumed is None:
        return unused(f"horde-{game.seed}")
    if not is_journal(resumed):
        return resumed
    beside = resumed.with_suffix(SAVE)
    return unused(resumed.stem, resumed.parent) if beside.exists() else beside


def _told(sentence: str) -> None:
    sys.stdout.write(f"{sentence}\n")
    sys.stdout.flush()


def left_over(folder: Path = Path()) -> list[Path]:
    """Return the journals in a folder of battles that ended suddenly, the newest first."""
    with suppress(OSError):
        found = [path for path in folder.glob(f"*{JOURNAL}") if is_journal(path) and not is_in_use(path)]
        return sorted(found, key=lambda path: (-path.stat().st_mtime, path.name))
    return []


def tell_left_over(go_on: str = IN_WINDOW) -> None:
    """Say how the newest battle that ended suddenly is taken up again."""
    found = left_over()
    if found:
        more = f" ({len(found) - 1} more are in this folder)" if len(found) > 1 else ""
        _told(f"A battle ended suddenly and was kept. Go on with: {go_on} {found[0]}{more}")
