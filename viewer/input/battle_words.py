"""The words in which a new battle is asked for, on the command line and in the start menu."""

from __future__ import annotations

import msgspec


class BattleWords(msgspec.Struct):
    """What is said of a new battle, and what holds where nothing is said."""

    points: str = "1000"
    players: str = "1"
    handicap: str = "0"
    transfer: list[str] = []
    faction: list[str] = msgspec.field(default_factory=lambda: ["death-guard"])
    collection: str = ""
    deployment: str = ""
    layout: str = ""
    rounds: str = "5"
    seed: str = ""
    ruleset: str = "horde-1.1"
    ruling: list[str] = []
    autopilot: str = "steady"
    replay: str = ""
