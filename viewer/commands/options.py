"""The options of a battle, from the words of the command line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import SystemRandom
from typing import Any

from datasheets.collection import load_collection
from datasheets.errors import HordeError
from datasheets.library import Library
from datasheets.schema import Roster
from datasheets.share import GAME_SIZES, Transfer, share
from engine.horde.all_settings import SETTINGS
from engine.horde.setup import Options


def whole_number(text: str, what: str) -> int:
    """Return a number from the command line, or refuse it in a sentence."""
    try:
        return int(text)
    except ValueError:
        raise HordeError(f"'{text}' is no {what}; give a whole number.") from None


def rounds_of(text: str) -> int | None:
    """Return how many rounds a battle has, None for an infinite one."""
    return None if text == "infinite" else whole_number(text, "number of rounds (or 'infinite')")


def rulings_of(pairs: list[str]) -> tuple[tuple[str, str], ...]:
    """Return the rulings given as KEY=VALUE. Raises HordeError for an unknown key or value."""
    found = []
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not (key and equals and value):
            raise HordeError(
                f"'{pair}' is no ruling; write --ruling KEY=VALUE (horde rules rulings lists them)."
            )
        found.append((SETTINGS.named(key).key, SETTINGS.reading(key, value)))
    return tuple(found)


def factions_of(words: list[str]) -> tuple[tuple[str, ...], tuple[tuple[str, int], ...]]:
    """Return the Horde's factions, and the shares given as NAME=SHARE. Rule: ARMY.6"""
    named = {}
    for word in words:
        name, equals, share = word.partition("=")
        named[name] = whole_number(share, f"share of {name}") if equals else 1
        if named[name] < 1:
            raise HordeError(f"{share} is no share of {name}; give a whole number from 1 on.")
    return tuple(named), tuple(named.items()) if any("=" in word for word in words) else ()


def transfer_of(text: str) -> Transfer:
    """Return the points that one player gives another, from p1:p2:15. Rule: ARMY.3"""
    found = re.fullmatch(r"p([1-9]):p([1-9]):(\d{1,9})", text, re.ASCII)
    if found is None:
        raise HordeError(f"'{text}' is no transfer of points; write who gives whom how many: p1:p2:15.")
    return Transfer(*map(int, found.groups()))


def horde_of(setup: Mapping[str, Any]) -> str:
    """Return the Horde of a battle's set-up in words: its factions and their shares."""
    shares = setup.get("shares", {})
    told = [f"{name} ({shares[name]})" if name in shares else name for name in setup["factions"]]
    return " and ".join(told)


def battle_options(
    library: Library,
    *,
    points: str,
    players: str,
    army: Sequence[str | Roster],
    handicap: str,
    transfer: list[str],
    game_master: bool,
    faction: list[str],
    collection: str,
    deployment: str,
    layout: str,
    rounds: str,
    seed: str,
    ruleset: str,
    ruling: list[str],
) -> Options:
    """Return the options of a battle. Raises HordeError for the first that cannot be."""
    size = whole_number(points, "game size in points")
    seats = whole_number(players, "number of players")
    if size not in GAME_SIZES:
        raise HordeError(f"{size} points is no game size; choose 1000 or 2000.")
    hindered = whole_number(handicap, "handicap in points")
    names = list(army) or [library.army_within("space-marines", share(size, seats, hindered))] * seats
    seats = len(names) if seats == 1 else seats
    if len(names) != seats:
        raise HordeError(f"{seats} players need {seats} armies; give --army once for each.")
    factions, shares = factions_of(faction)
    for each in factions:
        library.spawn_table(each)
    return Options(
        armies=tuple(army_named(library, name) for name in names),
        factions=factions,
        points=size,
        ruleset=ruleset,
        deployment=deployment,
        layout=layout,
        rounds=rounds_of(rounds),
        seed=whole_number(seed, "seed") if seed else SystemRandom().randrange(1_000_000),
        rulings=rulings_of(ruling),
        shares=shares,
        handicap=hindered,
        transfers=tuple(map(transfer_of, transfer)),
        game_master=game_master,
        collection=tuple(load_collection(Path(collection), library).items()) if collection else None,
    )


def army_named(library: Library, name: str | Roster) -> Roster:
    """Return a shipped army, or that of a file; say what was found in a list of an app.

    One that was read already is returned as it is.
    """
    if isinstance(name, Roster):
        return name
    path = Path(name)
    if name in library.armies() or path.suffix == ".toml" or not path.is_file():
        return library.army(_path_or_name(name))
    from viewer.commands.import_command import read_army

    return read_army(path, library)


def _path_or_name(name: str) -> str | Path:
    return Path(name) if Path(name).suffix or "/" in name else name
