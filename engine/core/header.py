"""What the first line of a replay says: by what rules, with what library and from what the battle was set up.

Owns the shape of a header as a file tells it. Who makes a battle of it is `engine.horde.setup`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, field

from datasheets.record import Record, record
from datasheets.schema import Roster


class SetUp(Record, frozen=True):
    """From what a battle was set up, nothing left open."""

    points: Literal[1000, 2000]
    factions: Annotated[tuple[str, ...], Meta(min_length=1)]
    deployment: str
    layout: str
    rounds: Annotated[int, Meta(ge=1)] | None
    armies: Annotated[tuple[Roster, ...], Meta(min_length=1, max_length=8)]


class Header(Record, frozen=True):
    """The header of a battle's replay."""

    format: int
    library: str
    ruleset: str
    seed: int
    setup: SetUp
    rulings: dict[str, str] = field(default_factory=dict)


def check_header(header: dict[str, Any], path: str) -> None:
    """Raise BadData for the first thing in a battle's header that is none, by its key."""
    record(Header, header, path)
