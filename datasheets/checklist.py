"""The project's list of the rules' clauses: what each says and which modules carry it out.

Owns the lines and how they are read. What tests pin a clause is found by the command that tells of it.
"""

from __future__ import annotations

from importlib.resources.abc import Traversable
from typing import Any

import tomli
from msgspec.structs import replace

from datasheets.errors import BadData
from datasheets.record import Record, record
from datasheets.rule import Rule
from datasheets.schema import Status


class Line(Record, frozen=True):
    """One clause: its id, what it says in our words, and the modules that carry it out.

    With a reason in `unmodelled` it is not simulated, or not whole, even where a module does a part of it.
    """

    id: str
    says: str
    by: tuple[str, ...] = ()
    unmodelled: str = ""
    rules: tuple[str, ...] = ()
    """The rule records of the clause."""
    hooked: bool = False
    abilities: tuple[str, ...] = ()
    """The core abilities, by name, that the clause carries out."""

    def __post_init__(self) -> None:
        """Refuse a line that says nothing of how it is carried out."""
        if not self.by and not self.unmodelled and not self.rules:
            raise ValueError("say by which module it is carried out, or why it is not")

    @property
    def status(self) -> Status:
        """Return whether the clause is simulated: as records and steps do, by a hook, or not wholly."""
        if self.unmodelled:
            return "unmodelled"
        return "hooked" if self.hooked else "modelled"


def load_lines(path: Traversable) -> tuple[Line, ...]:
    """Return the lines of a file in its order. Raises BadData for a fault, with the clause."""
    try:
        data: dict[str, Any] = tomli.loads(path.read_text(encoding="utf-8"))
    except tomli.TOMLDecodeError as error:
        raise BadData(path.name, "", f"cannot be read ({error})") from None
    clauses = data.get("clauses", {})
    return tuple(record(Line, {"id": key, **told}, f"{path.name}, {key}") for key, told in clauses.items())


def with_rules(lines: tuple[Line, ...], rules: tuple[Rule, ...]) -> tuple[Line, ...]:
    """Return the lines with the rule records of each.

    A clause that has rule records and no line gets a line too. A record that is not simulated makes its
    clause unmodelled.
    """
    of: dict[str, list[Rule]] = {}
    for rule in rules:
        of.setdefault(rule.clause, []).append(rule)
    known = {line.id for line in lines}
    found = [_joined(line, of.get(line.id, [])) for line in lines]
    for clause, records in of.items():
        if clause not in known:
            told = Line(id=clause, says=records[0].summary, rules=(records[0].id,))
            found.append(_joined(told, records))
    return tuple(found)


def _joined(line: Line, records: list[Rule]) -> Line:
    if not records:
        return line
    reasons = [rule.reason for rule in records if rule.reason]
    return replace(
        line,
        rules=tuple(rule.id for rule in records),
        unmodelled=line.unmodelled or next(iter(reasons), ""),
        hooked=any(rule.status == "hooked" for rule in records),
    )
