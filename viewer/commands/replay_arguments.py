"""The commands of replays with their options, as typer reads and tells them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from viewer.commands.common_arguments import Json, WhyNot

replays = typer.Typer(no_args_is_help=True, help="Check a replay, sum it up, or draw of it.")

Colours = Annotated[str, typer.Option("--palette", help="The colours: default or colour-blind.")]
WordSize = Annotated[str, typer.Option("--text", help="The size of the words in percent, 80 to 200.")]
PictureSize = Annotated[str, typer.Option(help="Width and height in pixels: 960x540.")]


@replays.command("verify")
def verify(
    file: Annotated[Path, typer.Argument(help="A replay.")],
    referee: Annotated[
        bool, typer.Option("--referee", help="First measure every path, line of sight and set-up anew.")
    ] = False,
    json: Json = False,
) -> None:
    """Play a replay's answers again and compare every event."""
    from viewer.commands.replay_command import verify_file

    verify_file(file, json, referee)


@replays.command("info")
def info(file: Annotated[Path, typer.Argument(help="A replay.")], json: Json = False) -> None:
    """Tell what a replay holds: battle, rounds, result."""
    from viewer.commands.replay_command import tell

    tell(file, json)


@replays.command("log")
def log(
    file: Annotated[Path, typer.Argument(help="A replay.")],
    seat: Annotated[str, typer.Option("--as", help="What this seat may know: p1; all: everything.")] = "",
) -> None:
    """Tell a replay line by line, with every die and what it needed."""
    from viewer.commands.replay_command import tell_all

    tell_all(file, seat)


@replays.command("export")
def replay_export(
    file: Annotated[Path, typer.Argument(help="A replay.")],
    out: Annotated[Path, typer.Argument(help="A file that is not there yet.")],
    sealed: Annotated[
        bool, typer.Option("--sealed", help="Without the seed and hidden cards: to watch, not to verify.")
    ] = False,
    seat: Annotated[str, typer.Option("--as", help="Sealed, but with what this seat may know: p1.")] = "",
) -> None:
    """Write a replay once more, for others to watch."""
    from viewer.commands.replay_command import export

    export(file, out, seat, sealed=sealed)


@replays.command("explain")
def replay_explain(
    file: Annotated[Path, typer.Argument(help="A replay.")],
    unit: Annotated[str, typer.Option(help="Only this unit's decisions, by its id or its name.")] = "",
    round: Annotated[str, typer.Option(help="Only decisions of this round.")] = "",
    why_not: WhyNot = "",
    json: Json = False,
) -> None:
    """Tell why decisions were taken: clauses, reasons, and what was passed over."""
    from viewer.commands.explanation import explain_replay
    from viewer.commands.options import whole_number

    explain_replay(file, unit, whole_number(round, "round") if round else None, json, why_not)


@replays.command("film")
def replay_film(
    file: Annotated[Path, typer.Argument(help="A replay, or a scenario to be played.")],
    round: Annotated[str, typer.Option(help="Only this round.")] = "",
    phase: Annotated[str, typer.Option(help="Only this phase: movement, shooting, charge, fight.")] = "",
    turn: Annotated[str, typer.Option(help="Only this side's turns: horde or players.")] = "",
    out: Annotated[Path, typer.Option(help="A file that is not there yet.")] = Path("film.gif"),
    size: PictureSize = "960x540",
    speed: Annotated[str, typer.Option(help="How many times faster than usual it plays.")] = "2",
    palette: Colours = "default",
    text: WordSize = "100",
) -> None:
    """Make a film of a replay, or of a part of it: a GIF."""
    from viewer.commands import film_command
    from viewer.commands.options import whole_number

    film_command.film(
        file,
        out,
        round=round,
        phase=phase,
        turn=turn,
        size=size,
        speed=speed,
        palette=palette,
        text=whole_number(text, "size of words in percent"),
    )


@replays.command("picture")
def replay_picture(
    file: Annotated[Path, typer.Argument(help="A replay, or a scenario to be played.")],
    out: Annotated[Path, typer.Option(help="A file that is not there yet.")] = Path("picture.png"),
    at: Annotated[
        str, typer.Option(help="The moment: end, round:3, round:3:horde:shooting, or an event's number.")
    ] = "end",
    unit: Annotated[str, typer.Option(help="The unit that is chosen, by its id or its name.")] = "",
    size: PictureSize = "1600x900",
    palette: Colours = "default",
    text: WordSize = "100",
) -> None:
    """Draw one moment of a replay, as the window shows it: a PNG."""
    from viewer.commands import film_command
    from viewer.commands.options import whole_number

    film_command.picture(
        file,
        out,
        at=at,
        unit=unit,
        size=size,
        palette=palette,
        text=whole_number(text, "size of words in percent"),
    )
