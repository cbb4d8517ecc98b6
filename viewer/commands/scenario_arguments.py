"""The commands of scenario files with their options, as typer reads and tells them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from viewer.commands.common_arguments import Json, WhyNot

scenarios = typer.Typer(no_args_is_help=True, help="Try scenario files.")


@scenarios.callback()
def scenario() -> None:
    """Try scenario files: a position, the steps to play, and what must come of them."""


@scenarios.command("run")
def scenario_run(
    paths: Annotated[list[Path], typer.Argument(help="Scenario files, or folders of them.")],
    transform: Annotated[
        str, typer.Option(help="Play again on a moved board: shift, mirror, turn or all.")
    ] = "",
    workers: Annotated[
        str, typer.Option(help="How many files are tried at a time; many by all processors, unless told.")
    ] = "",
    json: Json = False,
) -> None:
    """Play scenarios and tell which of their expectations hold."""
    from viewer.commands import scenario_command
    from viewer.commands.options import whole_number

    scenario_command.run(
        paths, transform, json, whole_number(workers, "number of workers") if workers else None
    )


@scenarios.command("explain")
def scenario_explain(
    path: Annotated[Path, typer.Argument(help="A scenario file.")],
    why_not: WhyNot = "",
    json: Json = False,
) -> None:
    """Play a scenario and tell why each decision was taken."""
    from viewer.commands.explanation import explain_scenario

    explain_scenario(path, json, why_not)


@scenarios.command("show")
def scenario_show(
    path: Annotated[Path, typer.Argument(help="A scenario file.")],
    png: Annotated[Path | None, typer.Option(help="Draw the board into this file, too.")] = None,
    window: Annotated[bool, typer.Option("--window", help="Play it in the window, too.")] = False,
    json: Json = False,
) -> None:
    """Tell what stands where in a scenario before anything is played."""
    from viewer.commands import tableau

    tableau.show(path, png, json)
    if window:
        from viewer.commands.watch_command import open_file

        open_file(path)


@scenarios.command("record")
def scenario_record(
    replay: Annotated[Path, typer.Argument(help="A replay.")],
    out: Annotated[Path, typer.Argument(help="A file that is not there yet.")],
    decision: Annotated[str, typer.Option(help="The number of an answer of the Horde.")] = "",
    unit: Annotated[str, typer.Option(help="Or a unit's id…")] = "",
    round: Annotated[str, typer.Option(help="…and a round: its first decision in it.")] = "",
) -> None:
    """Cut a decision of the Horde out of a replay, as a scenario that holds."""
    from viewer.commands.options import whole_number
    from viewer.commands.recorder import record

    number = whole_number(decision, "number of a decision") if decision else None
    record(replay, out, number, unit, whole_number(round, "round") if round else None)


@scenarios.command("new")
def scenario_new(
    path: Annotated[Path | None, typer.Argument(help="A file that is not there yet; else printed.")] = None,
    step: Annotated[
        str, typer.Option(help="What it plays: movement, shooting, charge, fight, spawn or none.")
    ] = "movement",
) -> None:
    """Write a commented scenario that holds as it is, to be changed."""
    from viewer.commands.template import new

    new(path, step)


@scenarios.command("schema")
def scenario_schema() -> None:
    """Print the JSON Schema of scenario files, with which an editor completes and checks them."""
    from viewer.commands.template import print_schema

    print_schema()
