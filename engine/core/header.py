"""What the first line of a replay says: rules, data, and from what the battle was set up.

Owns the shape of a header as a file tells it, and what of the library the battle of a header uses. A battle
is made of it by `engine.horde.setup`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, field

from datasheets.dependency import OVERRIDES, dependencies, differences, everything
from datasheets.errors import BadData, HordeError
from datasheets.library import Library
from datasheets.overrides import VARIABLE
from datasheets.record import Record, record
from datasheets.schema import Roster

UNDONE = "undone_past_rolls"
"""The key of a header that says how often answers were taken back past a roll."""


class SetUp(Record, frozen=True):
    """From what a battle was set up, nothing left open."""

    points: Literal[1000, 2000]
    factions: Annotated[tuple[str, ...], Meta(min_length=1)]
    deployment: str
    layout: str
    rounds: Annotated[int, Meta(ge=1)] | None
    armies: Annotated[tuple[Roster, ...], Meta(min_length=1, max_length=8)]
    shares: dict[str, Annotated[int, Meta(ge=1)]] = field(default_factory=dict)
    collection: dict[str, Annotated[int, Meta(ge=0)]] | None = None
    handicap: Annotated[int, Meta(ge=0)] = 0
    transfers: tuple[tuple[int, int, int], ...] = ()
    game_master: bool = False


class Header(Record, frozen=True):
    """The header of a battle's replay."""

    format: int
    library: dict[str, str]
    ruleset: str
    setup: SetUp
    seed: int | None = None
    """None in a sealed replay alone."""
    sealed: bool = False
    """Whether what nobody may know was taken out. Rule: PLAY.9"""
    rulings: dict[str, str] = field(default_factory=dict)
    program: str = ""
    """The version of the program that wrote it, since format 4."""
    undone_past_rolls: Annotated[int, Meta(ge=0)] = 0
    """How often answers were taken back past a roll or a revealed card; left out where never."""


class Digests(Record, frozen=True):
    """What every header says: the digest of all data that its battle uses, by name."""

    library: dict[str, str]


def check_header(header: dict[str, Any], path: str) -> None:
    """Raise BadData for the first thing in a battle's header that is none, by its key."""
    found = record(Header, header, path)
    if found.sealed == (found.seed is not None):
        raise BadData(path, "seed", "a replay has a seed, and a sealed one has none")


def check_digests(header: dict[str, Any], path: str) -> None:
    """Raise BadData where a header does not say with what data its battle was made."""
    if "setup" in header:
        check_header(header, path)
    record(Digests, {"library": header.get("library")}, path)


def data_of(header: Mapping[str, Any], library: Library) -> dict[str, str]:
    """Return the digest of all data that the battle of a header uses, by the names of the files.

    Where a header does not say from what the battle was set up, that is all data there is.
    """
    if "setup" not in header:
        return everything(library)
    setup = record(SetUp, header["setup"], "header")
    return dependencies(library, setup.factions, setup.armies, setup.deployment, setup.layout)


def changed_data(header: Mapping[str, Any], library: Library) -> tuple[str, ...]:
    """Return the names of the data of a battle that is no longer what the header says."""
    return differences(header["library"], data_of(header, library))


def check_data(header: Mapping[str, Any], library: Library, what: str) -> None:
    """Raise HordeError where data of a battle is no longer what its header says.

    `what` begins the sentence: the file of the header.
    """
    changed = changed_data(header, library)
    files = [each for each in changed if each != OVERRIDES]
    if files:
        them = "that file" if len(files) == 1 else "those files"
        raise HordeError(
            f"{what} was made with other data ({', '.join(files)}): "
            f"use the version of the program that made it, or put {them} back."
        )
    if changed:
        raise HordeError(f"{what} was made {_overridden(OVERRIDES in header['library'], library)}.")


def _overridden(before: bool, library: Library) -> str:
    """Return in words how the overrides of a battle differ, and what to do about it."""
    path = library.overrides_path
    if not before:
        return f"without overrides, and those of {path} change its datasheets: set {VARIABLE} to nothing"
    if path is None:
        return f"with overrides of datasheets, and none are in force: name their file by {VARIABLE}"
    return f"with other overrides than those of {path}: name the file of those by {VARIABLE}"
