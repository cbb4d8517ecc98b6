"""A roster as the text of our own file, in the order of its keys."""

from __future__ import annotations

import json
from collections.abc import Iterator

from datasheets.schema import Roster, RosterUnit


def roster_toml(roster: Roster, comment: str = "") -> str:
    """Return the file of a roster, with a comment of one line before it."""
    lines = [f"# {comment}"] if comment else []
    for key in ("name", "faction", "detachment"):
        lines.append(f"{key} = {_text(getattr(roster, key))}")
    lines.append(f"points = {roster.points}")
    for unit in roster.units:
        lines += ["", "[[unit]]", *_lines(unit)]
    return "\n".join(lines) + "\n"


def _lines(unit: RosterUnit) -> Iterator[str]:
    yield f"id = {_text(unit.id)}"
    yield f"datasheet = {_text(unit.datasheet)}"
    yield f"models = {unit.models}"
    if unit.wargear:
        chosen = ", ".join(f"{_text(item)} = {count}" for item, count in unit.wargear.items())
        yield f"wargear = {{ {chosen} }}"
    if unit.warlord:
        yield "warlord = true"
    for key in ("attached_to", "embarked_in", "enhancement"):
        if getattr(unit, key) is not None:
            yield f"{key} = {_text(getattr(unit, key))}"


def _text(text: str) -> str:
    """Return a text in quotes; a basic string of TOML is one of JSON."""
    return json.dumps(text, ensure_ascii=False)
