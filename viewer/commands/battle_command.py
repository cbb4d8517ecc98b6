"""`horde battle`: a whole battle without a window, reported round by round."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from datasheets.errors import HordeError
from datasheets.library import Library
from engine.core.play import Agent, play
from engine.core.replay import write_replay
from engine.horde.setup import Options
from engine.systems import new_game
from engine.w40k.battle import Battle
from engine.w40k.view import View
from viewer.commands.keeping import IN_TERMINAL, Keeper, own_folder, taken_up, tell_left_over
from viewer.commands.options import horde_of
from viewer.commands.overriding import tell_overrides
from viewer.commands.seating import answers_of, check_seats, seat_agents
from viewer.story.report import lines, report, undone_lines


def run(
    options: Callable[[Library], Options],
    *,
    autopilot: str,
    ask: tuple[str, ...],
    out: Path | None,
    as_json: bool,
    resume: Path | None = None,
    ask_all: bool = False,
) -> None:
    """Play a battle to its end, print its report, and write its replay.

    With `resume` the battle of a save or journal goes on; with `ask_all` persons are asked everything.
    """
    library = Library()
    check_writable(out, "the replay")
    if ask and resume is None:
        tell_left_over(IN_TERMINAL)
    game = new_game(options(library), library) if resume is None else taken_up(resume, library)
    seats = tuple(game.state.players)
    check_seats(ask, game)
    tell_overrides(game)
    if ask:
        agents, back = _persons(game, seats, autopilot, ask, ask_all=ask_all)
        keeper = Keeper(game, None, resume, IN_TERMINAL)
        try:
            _play_with_persons(game, agents, ask, keeper, back)
            _tell_end(game, out, as_json, by_hand=True)
        finally:
            # Only after the report and the replay: a sudden end before them leaves the journal.
            keeper.put_aside()
        return
    agents = seat_agents(seats, autopilot)
    if sys.stderr.isatty():
        _play_with_progress(game, agents)
    else:
        play(game, agents, View)
    _tell_end(game, out, as_json, by_hand=resume is not None)


def _tell_end(game: Battle, out: Path | None, as_json: bool, *, by_hand: bool) -> None:
    """Write the replay and print the report; a replay that cannot be written raises HordeError."""
    fault = _written(out, game, by_hand=by_hand)
    _print(game, None if fault else out, as_json)
    sys.stdout.flush()
    if fault:
        raise HordeError(fault)


def _play_with_persons(
    game: Battle,
    agents: dict[str, Agent[View]],
    ask: tuple[str, ...],
    keeper: Keeper,
    back: Callable[[], None],
) -> None:
    """Play a battle with persons; each of their answers is kept, `back` takes one back."""
    from viewer.terminal.terminal import TakenBack, Teller  # a plain battle starts without

    # What several persons read on one screen, each of them may know.
    teller = Teller(*(ask if len(ask) == 1 else ()))

    def watch(game: Battle) -> None:
        keeper.keep()
        teller(game)

    teller(game)
    while True:
        try:
            play(game, agents, View, watch=watch)
            return
        except TakenBack:
            back()
            watch(game)


def _written(out: Path | None, game: Battle, *, by_hand: bool) -> str:
    """Write the replay, and return what went wrong; what was played by hand goes elsewhere then."""
    if out is None:
        return ""
    try:
        write_replay(out, game.header, game.lines)
    except OSError as fault:
        told = f"{out}: the replay cannot be written there ({fault.strerror})"
        if not by_hand:
            return f"{told}; the seed gives it again."
        try:
            place = own_folder() / out.name
            write_replay(place, game.header, game.lines)
        except OSError:
            return f"{told}, nor in your own folder."
        return f"{told}; it is in {place}."
    return ""


def _persons(
    game: Battle, seats: tuple[str, ...], autopilot: str, ask: tuple[str, ...], *, ask_all: bool
) -> tuple[dict[str, Agent[View]], Callable[[], None]]:
    """Return the agents of the seats, some of them persons, and what takes an answer back.

    All persons share the rules of what is asked.
    """
    # A plain battle starts without these.
    from viewer.commands.settings_command import gate
    from viewer.input.preferences import load_preferences
    from viewer.input.undoing import Undoing
    from viewer.story.knowledge import Knowledge
    from viewer.terminal.terminal import Person, take_back

    asking, undoing = gate(ask_all=ask_all), Undoing(game, answers_of(ask), load_preferences().undo)
    known = Knowledge(game.library, game)
    person = partial(Person, shares_screen=len(ask) > 1, gate=asking, undoing=undoing, knowledge=known)
    agents = seat_agents(seats, autopilot, ask, person)
    return agents, partial(take_back, game, agents, asking, undoing)


def check_writable(out: Path | None, what: str) -> None:
    """Refuse a file that cannot be written, before a battle is played for it."""
    if out is None:
        return
    try:
        folder = out.resolve().parent
    except (OSError, RuntimeError):
        raise HordeError(f"{out}: {what} cannot be written there, as the links in it go round.") from None
    if out.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        raise HordeError(f"{out}: {what} cannot be written there; name a file in a folder that exists.")


def _play_with_progress(game: Battle, agents: dict[str, Agent[View]]) -> None:
    from rich.console import Console
    from rich.progress import Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(file=sys.__stderr__), transient=True) as progress:
        task = progress.add_task("setting up")

        def tell(game: Battle) -> None:
            state = game.state
            whose = {"horde": "the Horde's", "players": "the players'"}.get(state.turn, "")
            where = f"round {state.round}: {whose} {state.phase}"
            progress.update(task, description=f"{where}, {len(game.events)} events")

        play(game, agents, View, watch=tell)


def _print(game: Battle, out: Path | None, as_json: bool) -> None:
    found = report(game.lines)
    setup = game.origin["setup"]
    assert isinstance(setup, dict)
    if as_json:
        told = {
            "seed": game.seed,
            "setup": {key: setup[key] for key in ("points", "factions", "deployment", "layout", "rounds")},
            "events": len(game.events),
            "replay": str(out) if out else None,
            **found.as_dict(),
        }
        sys.stdout.write(json.dumps(told, indent=1) + "\n")
        return
    names = " and ".join(str(army["name"]) for army in setup["armies"])
    sys.stdout.write(
        f"{names} against {horde_of(setup)}: {setup['points']} points, {setup['deployment']}, "
        f"{setup['layout']}, seed {game.seed}\n"
    )
    sys.stdout.write("\n".join([*lines(found), *undone_lines(game.origin)]) + "\n")
    if out is not None:
        sys.stdout.write(f"Replay: {out} ({len(game.events)} events). Watch it with: horde watch {out}\n")
