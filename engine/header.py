"""What the first line of a replay says: by what rules, with what library and from what the battle was set up.

Owns the shape of a header as a file tells it. Who makes a battle of it is `engine.battle`.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from datasheets.record import Record, record
from datasheets.schema import Roster


class SetUp(Record):
    """From what a battle was set up, nothing left open."""

    points: Literal[1000, 2000]
    factions: tuple[str, ...] = Field(min_length=1)
    deployment: str
    layout: str
    rounds: int | None = Field(ge=1)
    armies: tuple[Roster, ...] = Field(min_length=1, max_length=8)


class Header(Record):
    """The header of a battle's replay."""

    format: int
    library: str
    ruleset: str
    rulings: dict[str, str] = Field(default_factory=dict)
    seed: int
    setup: SetUp


def check_header(header: dict[str, Any], path: str) -> None:
    """Raise BadData for the first thing in a battle's header that is none, by its key."""
    record(Header, header, path)
