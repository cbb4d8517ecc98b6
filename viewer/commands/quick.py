"""The words of a plain `horde battle`, read without typer.

Typer takes longer to load than the words take to be read. A word means here what it means to typer. Typer
itself reads all that is not plain: help, a fault, a question to a seat, a short form.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec

from viewer.input.battle_words import BattleWords


class Words(BattleWords):
    """What a plain `horde battle` says."""

    army: list[str] = msgspec.field(default_factory=list)
    json: bool = False


def battle_words(words: Sequence[str]) -> Words | None:
    """Return what a plain `horde battle` asks for; None for whatever typer has to read."""
    if not words or words[0] != "battle":
        return None
    known, told = Words(), set[str]()
    left = iter(words[1:])
    for word in left:
        name = word.removeprefix("--")
        if name == word or name not in known.__struct_fields__ or name in told:
            return None
        value = "" if name == "json" else next(left, "-")
        if value.startswith("-") or (not value and name != "json"):
            return None
        told.add(name)
        before = getattr(known, name)
        setattr(known, name, True if name == "json" else [value] if isinstance(before, list) else value)
    return known


def battle(told: Words) -> None:
    """Play the battle, as the command does."""
    from viewer.commands.battle_command import run
    from viewer.commands.options import battle_options

    options = partial(
        battle_options,
        points=told.points,
        players=told.players,
        army=told.army,
        handicap=told.handicap,
        transfer=told.transfer,
        game_master=False,
        faction=told.faction,
        collection=told.collection,
        deployment=told.deployment,
        layout=told.layout,
        rounds=told.rounds,
        seed=told.seed,
        ruleset=told.ruleset,
        ruling=told.ruling,
    )
    out = Path(told.replay) if told.replay else None
    run(options, autopilot=told.autopilot, ask=(), out=out, as_json=told.json)
