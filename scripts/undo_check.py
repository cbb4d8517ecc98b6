"""Undoes, saves and loads a battle at random decisions, and checks that its log is the same.

    python scripts/undo_check.py --decisions 50

At each decision the finished battle is taken back to it, and taken up again from a save of it; both must ask
the same question in the same state, and end with the same lines once the later answers are given again.
Exit 1 at the first difference.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Annotated

import typer

from ai.agents import agent
from datasheets.library import Library
from engine.core.apply import digest
from engine.core.facts import PLAYERS
from engine.core.game import Game
from engine.core.log import AnswerLine, LogLine, reasons_of
from engine.core.play import play
from engine.core.replay import encode
from engine.core.save import load, save
from engine.horde.setup import Options
from engine.systems import begin, new_game
from engine.w40k.view import View

Moment = tuple[str, bytes]
"""The state as text, and what is asked."""


def moment(game: Game) -> Moment:
    """Return where a battle stands."""
    return digest(game.state), encode(game.pending)


def finished(
    faction: str, points: int, seed: int, players: str, library: Library
) -> tuple[Game, list[Moment]]:
    """Return a battle played to its end, and where it stood at each decision."""
    army = library.army(f"space-marines-{points}")
    game = new_game(Options((army,), (faction,), points, seed=seed), library)
    moments = [moment(game)]
    seats = {"horde": agent("horde"), "p1": agent(players)}
    play(game, seats, View, watch=lambda game: moments.append(moment(game)))
    return game, moments


def given_again(game: Game, lines: Sequence[LogLine], start: int) -> None:
    """Give the answers of a log from this one on."""
    reasons = reasons_of(lines)
    for line in lines:
        if isinstance(line, AnswerLine) and line.answer >= start:
            game.resubmit(line, reasons.get(line.answer))


def differences(game: Game, lines: list[LogLine], moments: list[Moment], at: int, folder: Path) -> list[str]:
    """Return what differs when the finished battle goes back to this decision.

    The battle ends as it was.
    """
    library = game.library
    game.undo(at)
    found = [] if moment(game) == moments[at] else [f"undone to decision {at} it stands otherwise"]
    file = folder / f"{at}.save"
    save(game, file)
    loaded = load(file, library, begin)
    if moment(loaded) != moments[at]:
        found.append(f"loaded at decision {at} it stands otherwise")
    for name, again in (("undone to", game), ("loaded at", loaded)):
        given_again(again, lines, at)
        if list(map(encode, again.lines)) != list(map(encode, lines)):
            found.append(f"{name} decision {at} it goes on to another log")
    return found


def main(
    decisions: Annotated[int, typer.Option(min=1, help="At how many decisions.")] = 50,
    faction: Annotated[str, typer.Option(help="The Horde's faction.")] = "death-guard",
    points: Annotated[int, typer.Option(help="1000 or 2000.")] = 1000,
    seed: Annotated[int, typer.Option(help="The battle's seed.")] = 7,
    players: Annotated[
        str, typer.Option("--agent", help=f"Who plays the {PLAYERS}: steady or fuzz.")
    ] = "steady",
) -> None:
    """Check undo and save in one battle, and say what differs."""
    game, moments = finished(faction, points, seed, players, Library())
    lines = list(game.lines)
    chance = Random(seed)
    where = sorted(chance.sample(range(len(game.answers)), min(decisions, len(game.answers))))
    with tempfile.TemporaryDirectory() as folder:
        for at in where:
            found = differences(game, lines, moments, at, Path(folder))
            if found:
                sys.exit("; ".join(found))
    told = (
        f"{len(where)} of {len(game.answers)} decisions undone, saved and loaded: the same {len(lines)} lines"
    )
    sys.stdout.write(told + " each time\n")


if __name__ == "__main__":
    typer.run(main)
