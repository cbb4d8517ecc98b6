"""The commands with their options, as typer reads and shows them.

Each command puts library, rules, agents and viewer together. What a command does is in a module of its own.
`viewer.cli` starts the commands.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from viewer.commands.common_arguments import Json
from viewer.commands.replay_arguments import replays
from viewer.commands.scenario_arguments import scenarios

if TYPE_CHECKING:
    from datasheets.library import Library
    from engine.horde.setup import Options

app = typer.Typer(
    add_completion=False, no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False
)
armies = typer.Typer(no_args_is_help=True, help="Read an army list, check a roster, or make a new one.")
rules = typer.Typer(no_args_is_help=True, help="What the rules say, and what of them is simulated.")
sheets = typer.Typer(no_args_is_help=True, help="The datasheets, and what of them is simulated.")
app.add_typer(replays, name="replay")
app.add_typer(armies, name="army")
app.add_typer(scenarios, name="scenario")
app.add_typer(rules, name="rules")
app.add_typer(sheets, name="datasheets")

Points = Annotated[str, typer.Option(help="1000 (two spawning zones) or 2000 (four).")]
Players = Annotated[str, typer.Option(help="How many players, 1 to 8.")]
Army = Annotated[list[str], typer.Option(help="A roster file, or the name of a shipped army; once a player.")]
Handicap = Annotated[str, typer.Option(help="How many points fewer all armies together have.")]
Transfers = Annotated[
    list[str], typer.Option("--transfer", help="Points that a player gives another, 15 at most: p1:p2:15.")
]
GameMaster = Annotated[
    bool,
    typer.Option("--game-master", help="The Horde is asked what the rules leave open; --ask gm asks you."),
]
Faction = Annotated[
    list[str],
    typer.Option(help="The Horde's faction; several share their tables, or spawn by shares: orks=2."),
]
Collection = Annotated[
    str, typer.Option(help="A TOML file of the models that the Horde has, by datasheet: as many as it says.")
]
Deployment = Annotated[str, typer.Option(help="A deployment; drawn by the seed if not given.")]
Layout = Annotated[str, typer.Option(help="A terrain layout for it; drawn by the seed if not given.")]
Rounds = Annotated[str, typer.Option(help="How many battle rounds, or infinite.")]
Seed = Annotated[str, typer.Option(help="The seed of all chance; a new one if not given.")]
Ruleset = Annotated[str, typer.Option(help="The rules to play by.")]
Ruling = Annotated[list[str], typer.Option(help="KEY=VALUE: how to read an open point of the text.")]
Autopilot = Annotated[str, typer.Option(help="Who plays the players' seats: steady or fuzz.")]
Ask = Annotated[
    list[str], typer.Option(help="Seats that are asked in the terminal: p1,p2; gm is the Game Master.")
]
AskAll = Annotated[bool, typer.Option("--ask-all", help="Ask everything, whatever horde settings says.")]
ReplayOut = Annotated[Path | None, typer.Option("--replay", help="Where to write the replay.")]


def _options(words: dict[str, Any]) -> Callable[[Library], Options]:
    """Return what makes a battle's options of a command's words, once there is a library."""
    from viewer.commands.options import battle_options

    asked = inspect.signature(battle_options).parameters.keys() - {"library"}
    return partial(battle_options, **{name: words[name] for name in sorted(asked)})


def _tell_version(asked: bool) -> None:
    """Print the version and stop, where it was asked for."""
    if asked:
        from viewer.commands.version_command import tell_version

        tell_version()
        raise typer.Exit()


@app.callback()
def horde(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_tell_version,
            is_eager=True,
            help="Tell the version, and how the core runs.",
        ),
    ] = False,
) -> None:
    """Play Horde Mode, watch it, and ask why."""


@app.command()
def battle(
    points: Points = "1000",
    players: Players = "1",
    army: Army = [],
    handicap: Handicap = "0",
    transfer: Transfers = [],
    game_master: GameMaster = False,
    faction: Faction = ["death-guard"],
    collection: Collection = "",
    deployment: Deployment = "",
    layout: Layout = "",
    rounds: Rounds = "5",
    seed: Seed = "",
    ruleset: Ruleset = "horde-1.1",
    ruling: Ruling = [],
    autopilot: Autopilot = "steady",
    ask: Ask = [],
    ask_all: AskAll = False,
    resume: Annotated[
        Path | None, typer.Option(help="A save or journal to go on with; it says which battle that is.")
    ] = None,
    replay: ReplayOut = None,
    json: Json = False,
) -> None:
    """Play a whole battle without a window."""
    from ai.horde.game_master import SEAT
    from viewer.commands import battle_command
    from viewer.commands.seating import seats_of

    asked = seats_of(ask)
    game_master = game_master or SEAT in asked
    battle_command.run(
        _options(locals()),
        autopilot=autopilot,
        ask=asked,
        out=replay,
        as_json=json,
        resume=resume,
        ask_all=ask_all,
    )


PaletteName = Annotated[
    str, typer.Option("--palette", help="The window's colours: default or colour-blind; else as remembered.")
]
TextSize = Annotated[
    str,
    typer.Option("--text", help="The size of the window's words in percent, 80 to 200; else as remembered."),
]


@app.command()
def watch(
    file: Annotated[
        Path | None,
        typer.Argument(help="A replay, or a scenario to be played; without one a battle is played live."),
    ] = None,
    points: Points = "1000",
    players: Players = "1",
    army: Army = [],
    handicap: Handicap = "0",
    transfer: Transfers = [],
    game_master: GameMaster = False,
    faction: Faction = ["death-guard"],
    collection: Collection = "",
    deployment: Deployment = "",
    layout: Layout = "",
    rounds: Rounds = "5",
    seed: Seed = "",
    ruleset: Ruleset = "horde-1.1",
    ruling: Ruling = [],
    autopilot: Autopilot = "steady",
    screenshot: Annotated[Path | None, typer.Option(help="Draw one picture into this file and stop.")] = None,
    jump: Annotated[
        str, typer.Option(help="Where to begin: round:3, phase:3:charge, or an event's number.")
    ] = "",
    unit: Annotated[str, typer.Option(help="The unit that is chosen at first, by its id or its name.")] = "",
    palette: PaletteName = "",
    text: TextSize = "",
) -> None:
    """Watch a replay, a scenario, or a battle as it happens, in a window."""
    from viewer.commands import watch_command

    watch_command.run(
        file,
        _options(locals()),
        autopilot=autopilot,
        screenshot=screenshot,
        jump=jump,
        unit=unit,
        palette=palette,
        text=text,
    )


@app.command()
def play(
    file: Annotated[
        Path | None, typer.Argument(help="A save or journal to go on with; it says which battle that is.")
    ] = None,
    points: Points = "1000",
    players: Players = "1",
    army: Army = [],
    handicap: Handicap = "0",
    transfer: Transfers = [],
    game_master: GameMaster = False,
    faction: Faction = ["death-guard"],
    collection: Collection = "",
    deployment: Deployment = "",
    layout: Layout = "",
    rounds: Rounds = "5",
    seed: Seed = "",
    ruleset: Ruleset = "horde-1.1",
    ruling: Ruling = [],
    autopilot: Autopilot = "steady",
    ask: Annotated[
        list[str], typer.Option(help="Seats that you play: p1,p2; all if not given. gm is the Game Master.")
    ] = [],
    ask_all: AskAll = False,
    save: Annotated[
        Path | None, typer.Option(help="Where the battle is saved if you leave it before its end.")
    ] = None,
    replay: ReplayOut = None,
    palette: PaletteName = "",
    text: TextSize = "",
) -> None:
    """Play the players' side in a window; the Horde plays itself."""
    from ai.horde.game_master import SEAT
    from viewer.commands import play_command
    from viewer.commands.seating import seats_of

    asked = seats_of(ask)
    game_master = game_master or SEAT in asked
    play_command.run(
        file,
        _options(locals()),
        autopilot=autopilot,
        ask=asked,
        aside=save,
        out=replay,
        ask_all=ask_all,
        palette=palette,
        text=text,
    )


@app.command()
def menu(palette: PaletteName = "", text: TextSize = "") -> None:
    """Open the start menu in a window: new battles, replays, settings."""
    from viewer.commands import menu_command

    menu_command.run(palette, text)


@armies.command("import")
def import_list(
    file: Annotated[str, typer.Argument(help="An army list in any format; - reads the standard input.")],
    output: Annotated[Path | None, typer.Option(help="Where to write the roster file.")] = None,
) -> None:
    """Write a roster file from an army list of an app; what was found is said beside it."""
    from viewer.commands.import_command import import_army

    import_army(file, output)


@armies.command("check")
def check(
    file: Annotated[str, typer.Argument(help="A roster file, or the name of a shipped army.")],
    points: Points = "1000",
    players: Players = "1",
    handicap: Handicap = "0",
    transferred: Annotated[
        str, typer.Option(help="Points that other players give it; negative: that it gives.")
    ] = "0",
) -> None:
    """Say whether a roster is legal, and what is wrong with it."""
    from viewer.commands.army_command import check_army

    check_army(file, points, players, handicap, transferred)


@armies.command("new")
def army_new(
    faction: Annotated[str, typer.Option(help="Whose army: orks, space-marines…")],
    points: Annotated[str, typer.Option(help="How many points it may cost.")] = "1000",
    players: Annotated[
        str, typer.Option(help="With several players, the army of one: its share of the points.")
    ] = "1",
    seed: Annotated[str, typer.Option(help="Another seed, another army.")] = "1",
    random: Annotated[bool, typer.Option("--random", help="Any legal army, with default wargear.")] = False,
    output: Annotated[Path | None, typer.Option(help="A file that is not there yet; else printed.")] = None,
) -> None:
    """Put together a legal army of a faction."""
    from viewer.commands.army_command import write_army

    write_army(faction, points, players, seed, random, output)


Tests = Annotated[Path | None, typer.Option(help="The folder of tests that are looked through for ids.")]


@rules.command("show")
def rules_show(
    clause: Annotated[str, typer.Argument(metavar="ID", help="A clause: CORE.WPN.MELTA, AI.MOVE.1.")],
    tests: Tests = None,
) -> None:
    """Tell what a clause says, where it is carried out, and which tests pin it."""
    from viewer.commands import rules_command

    rules_command.show(clause, tests)


@rules.command("rulings")
def rules_rulings(
    key: Annotated[str, typer.Argument(metavar="KEY", help="A setting, or its ruling's id.")] = "",
    json: Json = False,
) -> None:
    """List the points of the text that --ruling KEY=VALUE reads in another way."""
    from viewer.story.ruling_words import rulings

    rulings(key, json)


@rules.command("words")
def rules_words(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A name, or a kind: moments, numbers…")] = "",
    json: Json = False,
) -> None:
    """List what rule records may say: words, verbs, moments, numbers, questions and names."""
    from viewer.commands.grammar import words

    words(name, json)


@rules.command("check")
def rules_check() -> None:
    """Tell what is wrong in the rule records: faults that no battle may have met yet."""
    from viewer.commands.record_check import check

    check()


@rules.command("coverage")
def rules_coverage(
    family: Annotated[str, typer.Option(help="Only clauses of this family: CORE, CORE.WPN, AI.")] = "",
    tests: Tests = None,
    json: Json = False,
) -> None:
    """Count what is simulated and tested of the rules, and name what is not."""
    from viewer.commands.coverage import coverage

    coverage(family, tests, json)


@sheets.callback()
def datasheets() -> None:
    """The datasheets, and what of them is simulated."""


OfFaction = Annotated[str, typer.Option("--faction", help="Only of this faction.")]


@sheets.command("list")
def datasheets_list(
    faction: OfFaction = "",
    legends: Annotated[bool, typer.Option("--legends", help="Those of Legends, too.")] = False,
    keyword: Annotated[list[str], typer.Option(help="Only with this keyword; several: with each.")] = [],
    json: Json = False,
) -> None:
    """List the datasheets: name, faction, points, sizes."""
    from viewer.commands import datasheets_command

    datasheets_command.list_sheets(faction, legends, keyword, json)


@sheets.command("show")
def datasheets_show(
    name: Annotated[str, typer.Argument(help="A datasheet, by its name or its id.")],
    faction: OfFaction = "",
    json: Json = False,
) -> None:
    """Show a datasheet: profiles, weapons, options, and each ability with its status."""
    from viewer.commands import datasheets_command

    datasheets_command.show(name, faction, json)


@app.command("settings")
def settings(
    kind: Annotated[
        str,
        typer.Argument(
            help="A kind of question, stratagem, all, palette, text, speed, motion, undo, window, reset."
        ),
    ] = "",
    words: Annotated[
        list[str] | None, typer.Argument(help="always, matters or never; a threshold such as 1.5; a value.")
    ] = None,
    json: Json = False,
) -> None:
    """Tell or change which questions are put to you, and how the window looks and plays."""
    from viewer.commands import settings_command

    settings_command.settings(kind, words or [], json)


@app.command("doctor")
def doctor(json: Json = False) -> None:
    """Tell what of this machine matters to a battle: for reports of faults."""
    from viewer.commands import doctor_command

    doctor_command.doctor(json)


@app.command("factions")
def all_factions(json: Json = False) -> None:
    """List the factions: what there is of each, and what of it is simulated."""
    from viewer.commands.factions_command import factions

    factions(json)


@sheets.command("import")
def datasheets_import(
    folder: Annotated[Path, typer.Argument(help="A checkout of the community's catalogues.")],
    output: Annotated[
        Path | None, typer.Option(help="The file to write; the one in the user's data folder if not given.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Tell what changed, and write nothing.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="List what could not be compared.")] = False,
) -> None:
    """Follow a balance update: write what it changed as overrides of the datasheets."""
    from viewer.commands import catalogue_command

    catalogue_command.run(folder, output, dry_run, verbose)
