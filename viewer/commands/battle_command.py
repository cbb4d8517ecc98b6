"""`horde battle`: a whole battle without a window, told round by round."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

from ai.agents import agent
from datasheets.errors import HordeError
from datasheets.library import Library
from engine.core.facts import HORDE
from engine.core.play import Agent, play
from engine.core.replay import write_replay
from engine.horde.setup import Options
from engine.systems import new_game
from engine.w40k.battle import Battle
from engine.w40k.view import View
from viewer.commands.options import horde_of
from viewer.commands.overriding import tell_overrides
from viewer.story.report import lines, report


def run(
    options: Callable[[Library], Options],
    *,
    autopilot: str,
    ask: tuple[str, ...],
    out: Path | None,
    as_json: bool,
) -> None:
    """Play a battle to its end, print its report, and write its replay."""
    library = Library()
    chosen = options(library)
    seats = tuple(f"p{i}" for i in range(1, len(chosen.armies) + 1))
    check_seats(ask, seats)
    agents = seat_agents(seats, autopilot, ask)
    check_writable(out, "the replay")
    game = new_game(chosen, library)
    tell_overrides(game)
    if ask:
        from viewer.terminal.terminal import Teller

        teller = Teller(*ask)
        teller(game)
        play(game, agents, View, watch=teller)
    elif sys.stderr.isatty():
        _play_with_progress(game, agents)
    else:
        play(game, agents, View)
    fault = _written(out, game)
    _print(game, chosen, None if fault else out, as_json)
    if fault:
        raise HordeError(fault)


def _written(out: Path | None, game: Battle) -> str:
    """Write the replay, and return what went wrong."""
    if out is not None:
        try:
            write_replay(out, game.header, game.lines)
        except OSError as fault:
            return f"{out}: the replay cannot be written there ({fault.strerror}); the seed gives it again."
    return ""


def seat_agents(seats: tuple[str, ...], autopilot: str, ask: tuple[str, ...] = ()) -> dict[str, Agent[View]]:
    """Return the agent of each seat."""
    agents: dict[str, Agent[View]] = {HORDE: agent("horde")}
    for seat in seats:
        if seat in ask:
            from viewer.terminal.terminal import Person

            agents[seat] = Person(agent(autopilot))
        else:
            agents[seat] = agent(autopilot)
    return agents


def check_seats(ask: tuple[str, ...], seats: tuple[str, ...]) -> None:
    """Refuse to ask a seat that there is not."""
    for seat in ask:
        if seat not in seats:
            raise HordeError(f"There is no seat '{seat}' to ask; there is {', '.join(seats)}.")


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


def _print(game: Battle, options: Options, out: Path | None, as_json: bool) -> None:
    found = report(game.lines)
    setup = game.origin["setup"]
    assert isinstance(setup, dict)
    if as_json:
        told = {
            "seed": options.seed,
            "setup": {key: setup[key] for key in ("points", "factions", "deployment", "layout", "rounds")},
            "events": len(game.events),
            "replay": str(out) if out else None,
            **found.as_dict(),
        }
        sys.stdout.write(json.dumps(told, indent=1) + "\n")
        return
    names = " and ".join(army.name for army in options.armies)
    sys.stdout.write(
        f"{names} against {horde_of(setup)}: {setup['points']} points, {setup['deployment']}, "
        f"{setup['layout']}, seed {options.seed}\n"
    )
    sys.stdout.write("\n".join(lines(found)) + "\n")
    if out is not None:
        sys.stdout.write(f"Replay: {out} ({len(game.events)} events). Watch it with: horde watch {out}\n")
