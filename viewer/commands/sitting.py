"""A battle at the window with persons at its seats: its keeping, and its end in words."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from datasheets.errors import HordeError
from datasheets.library import Library
from engine.core import event as ev
from engine.core.log import AnswerLine
from engine.core.replay import write_replay
from engine.systems import begin
from engine.w40k.battle import Battle
from viewer.commands.keeping import IN_WINDOW, Keeper, own_folder
from viewer.commands.seating import check_seats, seat_agents
from viewer.input.beside import Beside
from viewer.input.gate import Gate
from viewer.input.seat import Seated
from viewer.input.settings import Rules
from viewer.input.undoing import Reach
from viewer.story.report import lines, report, undone_lines

Tell = Callable[[str], None]


class Sitting:
    """A battle with persons at the window."""

    def __init__(
        self,
        game: Battle,
        asked: tuple[str, ...],
        rules: Rules | None,
        *,
        autopilot: str = "steady",
        aside: Path | None = None,
        file: Path | None = None,
        out: Path | None = None,
        tell: Tell | None = None,
        reach: Reach = "last-roll",
    ) -> None:
        """Seat persons and agents. Raises HordeError for a seat that the battle has not.

        Without rules everything is asked. `aside` is where the battle is saved, `file` what it was taken up
        from, `out` where its replay goes, `reach` how far answers may be taken back.
        """
        check_seats(asked, game)
        self.game, self.asked, self.autopilot, self.out = game, asked, autopilot, out
        self._tell = tell or print_sentence
        self.keeper = Keeper(game, aside, file, IN_WINDOW, self._tell)
        seats = tuple(game.state.players)
        self.gate = Gate(rules)
        agents = seat_agents(seats, autopilot)
        self.source = Seated(game, agents, asked, self.keeper.keep, self.gate, Beside, reach)
        self._is_told = False

    def end(self) -> None:
        """Print the report of a battle that is over, and write its replay, once."""
        game = self.game
        if not game.is_over or self._is_told:
            return
        self._is_told = True
        sys.stdout.write("\n".join([*lines(report(game.lines)), *undone_lines(game.origin)]) + "\n")
        if self.out is not None:
            write_replay(self.out, game.header, game.lines)
            told = f"Replay: {self.out} ({len(game.events)} events). Watch it with: horde watch {self.out}"
            self._tell(told)
        sys.stdout.flush()

    def put_aside(self) -> None:
        """Save a battle that is not over; take the journal away of one that is."""
        self.source.stop()
        self.keeper.put_aside()


def print_sentence(sentence: str) -> None:
    """Print a sentence for the person."""
    sys.stdout.write(f"{sentence}\n")
    sys.stdout.flush()


def free_replay(seed: int) -> Path:
    """Return a free file for a battle's replay, here or in the user's own folder."""
    here = Path()
    try:
        probe = here / f".horde-{seed}.probe"
        probe.touch()
        probe.unlink()
    except OSError:
        here = own_folder()
    number = 1
    while True:
        found = here / (f"horde-{seed}.replay" if number == 1 else f"horde-{seed}-{number}.replay")
        if not found.exists():
            return found
        number += 1


def anew(game: Battle, library: Library, seed: int | None = None) -> Battle:
    """Return the same battle at its beginning, perhaps with another seed."""
    header = dict(game.header)
    return begin(header if seed is None else {**header, "seed": seed}, library)


def from_round(game: Battle, number: int, library: Library) -> Battle:
    """Return a copy of a battle at a round's first question. Raises HordeError without it."""
    answers = 0
    for line in game.lines:
        if isinstance(line, ev.RoundBegan) and line.number == number:
            break
        answers += isinstance(line, AnswerLine)
    else:
        raise HordeError(f"The battle has no round {number} to be taken up from.")
    copy = begin(dict(game.header), library)
    back = [each for each in game.boundaries if each.answers <= answers]
    copy.restore(list(game.lines), back[:-1], back[-1], answers)
    return copy
