"""The names of things on the screen: units, models, seats, cards, rules, phases.

Ids are the program's; names are for people. Knows no sentence and draws nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import msgspec

from engine.core.state import Player, Position, State


class Names(msgspec.Struct, frozen=True):
    """What a seat may know of a battle, as far as names are looked up in it."""

    position: Position
    players: Mapping[str, Player]
    ruleset: str = ""


Known = State | Names
"""A battle in which names are looked up: all of it, or what a seat knows."""

_SMALL = {"a", "an", "and", "for", "from", "in", "of", "on", "or", "the", "to", "with"}
_CAPITALS = {"cp", "sp", "ai", "oc", "vip"}
_OWN = {
    "misery/24-sellers-market": "Seller's Market",
    "misery/29-fates-fetters": "Fate's Fetters",
    "misery/12-nowhere-is-safe": "Nowhere is Safe",
    "secondary/19-dive-into-hell": "Dive into Hell",
    "secret/29-deus-ex-machina": "Deus ex Machina",
    "buy/name-earned": "A Name Earned",
    "buy/teleporter": "Short Range Teleporter",
    "buy/shovel-stash": "Emergency Shovel Stash",
    "buy/change-of-plans": "A Change of Plans",
    "buy/reinforcements": "Reinforcements Arrive",
    "stratagem/command-re-roll": "Command Re-roll",
}
"""Cards and purchases whose names their ids do not spell: a replay holds ids alone."""


def title(id_: str) -> str:
    """Return an id as a heading, "misery/3-rip-and-tear" as "Rip and Tear"; a clause stays."""
    if re.fullmatch(r"[A-Z]+(\.[\w-]+)+", id_):
        return id_
    if id_ in _OWN:
        return _OWN[id_]
    last = re.sub(r"^\d+[-_. ]", "", id_.rsplit("/", 1)[-1]) or id_
    words = [word for word in re.split(r"[-_ ]+", last) if word]
    return " ".join(_capital(word, first=i == 0) for i, word in enumerate(words)) or id_


def _capital(word: str, *, first: bool) -> str:
    if word in _CAPITALS:
        return word.upper()
    if word in _SMALL and not first:
        return word
    return word[:1].upper() + word[1:]


def plain(id_: str) -> str:
    """Return an id as running words: "fall-back" is "fall back"."""
    return id_.rsplit("/", 1)[-1].replace("-", " ").replace("_", " ")


def unit_name(state: Known, id_: str) -> str:
    """Return a unit's name, with its number where others that came before it have the same name."""
    unit = state.position.units.get(id_)
    if unit is None:
        return title(id_)
    before = 0
    for other in state.position.units.values():
        if other is unit:
            break
        before += other.name == unit.name
    return f"{unit.name} {before + 1}" if before else unit.name


def unit_meant(state: Known, ids: Iterable[str], said: str) -> str:
    """Return the id of the unit that a word means, or the word itself where it means none.

    The word may be the id of the unit, its name, or the name of a part that no other of these units has.
    """
    known, plain_said = list(ids), said.lower()
    named = {unit_name(state, id_).lower(): id_ for id_ in known}
    if said in known or plain_said in named:
        return said if said in known else named[plain_said]
    led = [id_ for id_ in known if plain_said in _part_names(state, id_)]
    return led[0] if len(led) == 1 else said


def _part_names(state: Known, id_: str) -> set[str]:
    """Return what the parts of an attached unit are called, and their datasheets' own ids."""
    parts = state.position.units[id_].facts.parts if id_ in state.position.units else ()
    return {word.lower() for part in parts for word in (part.name, part.datasheet.rsplit("/", 1)[-1])}


def unit_names(state: Known, ids: tuple[str, ...]) -> str:
    """Return several units' names as a list in words, each once."""
    return listed([unit_name(state, id_) for id_ in dict.fromkeys(ids)])


def model_name(state: Known, row: int) -> str:
    """Return a model's name, with its unit's where the two differ."""
    if not 0 <= row < len(state.position.models):
        return "a model"
    model = state.position.models[row]
    unit = unit_name(state, model.unit)
    return unit if model.facts.name == unit else f"{model.facts.name} of {unit}"


def seat_name(state: Known, id_: str) -> str:
    """Return what a seat or side is called."""
    if id_ in ("horde", "players"):
        return {"horde": "the Horde", "players": "the players"}[id_]
    player = state.players.get(id_)
    return player.facts.name if player and player.facts.name else id_ or "nobody"


def objective_name(id_: str) -> str:
    """Return what an objective marker is called: its letter or number."""
    short = re.sub(r"^(objective|obj)[-_ ]?", "", id_)
    return f"objective {short}" if short and len(short) <= 3 else f"the {title(_numbered(id_))}"


def _numbered(id_: str) -> str:
    """Return an id with its number set apart: "mine#2" is "mine 2"."""
    kind, _, number = id_.partition("#")
    return kind if number in ("", "1") else f"{kind} {number}"


def short_name(name: str) -> str:
    """Return a unit's short name for a plate: without its kind of squad, armour or wings."""
    parts = []
    for part in name.split(" + "):
        bare = re.sub(r"(?i) (with|in) (?!the\b)[\w -]+?(?= \d+$|$)", "", part)
        parts.append(re.sub(r" (Squad|Team)(?= \d+$|$)", "", bare))
    return " + ".join(parts)


def thing_name(state: Known, id_: str) -> str:
    """Return the name of whatever has this id: a unit, objective, zone, seat, rule or other."""
    kind, _, rest = id_.partition(":")
    if rest and kind in ("unit", "objective", "terrain", "marker", "player", "zone", "rule"):
        return thing_name(state, rest)
    if id_ in state.position.units:
        return unit_name(state, id_)
    if id_ in state.position.objectives:
        return objective_name(id_)
    if id_ in state.position.terrain:
        return f"{state.position.terrain[id_].kind} {id_}"
    if id_ in state.position.zones:
        return f"zone {id_}"
    if id_ in state.position.markers:
        return f"the {title(state.position.markers[id_].kind)}"
    if "#" in id_:
        return f"the {title(_numbered(id_))}"
    if id_ in state.players or id_ in ("horde", "players"):
        return seat_name(state, id_)
    return {"defender-edge": "the Defender's edge", "horde-edge": "the Horde's edge"}.get(id_, title(id_))


def phase_name(name: str) -> str:
    """Return a phase's name as a heading."""
    return title(name) or "Between phases"


def listed(names: list[str]) -> str:
    """Return names as a list in words."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def count(n: int, one: str, many: str = "") -> str:
    """Return a number with its noun."""
    return f"{n} {one if n == 1 else many or one + 's'}"


def inches(value: float) -> str:
    """Return a length for people."""
    text = f"{value:.1f}".removesuffix(".0")
    return f"{text}″"
