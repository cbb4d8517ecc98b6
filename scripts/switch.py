"""The switches that leave clauses of the rules out, with their faults.

A fault is a place or a change that does not fit the project.

A switch of code says a function or a constant (`at`), an expression in it (`expr`) and other code (`by`).
A switch of data says a file (`record`), a value in it (`key`) and another value (`by`).
Either may `drop` an entry. A table `each` says a file of records (`record`), of which every part of every
record is dropped in turn, unless a switch names that part.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

import switch_code
import switch_data
import switch_scope
from switch_hint import ROOT, Misfit

from datasheets.errors import BadData

TEXTS = ("clause", "at", "record", "key", "expr")


@dataclass(frozen=True, slots=True)
class Switch:
    """A switch leaves a clause out by a change of one place in the code or in a data file."""

    clause: str
    at: str = ""
    record: str = ""
    key: str = ""
    expr: str = ""
    nth: int = 0
    by: Any = None
    drop: bool = False

    @property
    def file(self) -> str:
        """Return the path of the file that changes, below the project's folder. Raises Misfit."""
        return switch_data.path_of(self.record) if self.record else switch_scope.path_of(self.at)

    def check(self) -> None:
        """Raise Misfit unless it fits the project."""
        text = _text(ROOT / self.file)
        if self.record:
            self.changed(text)
        else:
            switch_code.check(text, self._change)

    def changed(self, text: str) -> str:
        """Return the text of its file with the clause left out. Raises Misfit."""
        if self.record:
            return switch_data.changed(text, self.record, self.key, self.by, self._change)
        return switch_code.changed(text, self._change)

    @property
    def _change(self) -> switch_code.Change:
        by = self.by if isinstance(self.by, str) else ""
        return switch_code.Change(self.at, self.expr, by, self.nth, self.drop)


def switches(folder: Path) -> list[Switch]:
    """Return the switches of all files of a folder.

    Raises BadData for the first that does not fit the project.
    """
    found = []
    for each in judged(folder):
        if isinstance(each, BadData):
            raise each
        found.append(each)
    return found


def judged(folder: Path) -> Iterator[Switch | BadData]:
    """Yield each switch of all files of a folder, or the error of one that does not fit."""
    named: set[tuple[str, str, str]] = set()
    whole: dict[str, Path] = {}
    for path in sorted(folder.glob("*.toml")):
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        whole |= {each["record"]: path for each in data.get("each", ())}
        for i, said in enumerate(data.get("switch", ())):
            try:
                switch = _read(said)
                switch.check()
                named.add((switch.clause, switch.record, switch.key))
                yield switch
            except Misfit as misfit:
                yield BadData(str(path), f"switch.{i}.{misfit.key}", misfit.mend)
    for record, path in whole.items():
        try:
            text = _text(ROOT / switch_data.path_of(record))
        except Misfit as misfit:
            yield BadData(str(path), f"each.{misfit.key}", misfit.mend)
            continue
        for clause, key in switch_data.parts(text):
            if not any(each[:2] == (clause, record) and each[2].startswith(key) for each in named):
                yield Switch(clause, record=record, key=key, drop=True)


def _read(said: dict[str, Any]) -> Switch:
    """Return a switch from its table. Raises Misfit if a key is wrong or missing."""
    for key in said:
        if key not in {field.name for field in fields(Switch)}:
            raise Misfit(key, f"a switch has no {key}; say at, expr and by, or record, key and by")
    for key in TEXTS:
        if not isinstance(said.get(key, ""), str):
            raise Misfit(key, "is no text")
    switch = Switch(**{"clause": "", **said})
    if not switch.clause:
        raise Misfit("clause", "say which clause is left out")
    if bool(switch.at) == bool(switch.record):
        raise Misfit("at", "say either at, for code, or record, for data")
    if bool(switch.record) != bool(switch.key):
        raise Misfit("key", "say record and key together")
    if switch.drop == ("by" in said):
        raise Misfit("by", "say either by or drop = true")
    if switch.drop and switch.at and not switch.expr:
        raise Misfit("drop", "say the entry to drop as expr")
    if (switch.at or switch.expr) and not switch.drop and not isinstance(switch.by, str):
        raise Misfit("by", "is no text")
    return switch


@cache
def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")
