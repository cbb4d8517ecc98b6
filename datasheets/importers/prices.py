"""The prices of units: the newest, and those that depend on a mix, a model or the army."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from datasheets.importers.naming import words
from datasheets.importers.tables import table
from datasheets.schema import ModelKind, PointsRow

Row = Mapping[str, Any]
ALLIED = "(Assigned Agent)"
"""What the older source says behind the price of a unit in an army of another faction."""


def points(row: Row, kinds: Sequence[ModelKind]) -> tuple[PointsRow, ...]:
    """Return what units of the datasheet cost, smallest first; nothing without a price."""
    told = [each for each in table("spelling")["price"] if each["datasheet"] == row["id"]]
    if told:
        return tuple(PointsRow(models=n, points=cost, allied=allied) for n, cost, allied in told[0]["rows"])
    now = row.get("points_now") or []
    older = [each for each in row["points"] if each["models"]]
    found: list[PointsRow] = []
    if now and all(each.get("models") for each in now):
        found = [PointsRow(models=each["models"], points=each["pts"]) for each in now]
    elif older:
        found = _with_words(older, [each["pts"] for each in now], kinds)
    elif now:
        found = _by_size(now, row["unit_size"]["max"])
    found = found or [PointsRow(models=row["unit_size"]["max"], points=0)]
    return tuple(sorted(found, key=lambda each: (each.models, each.allied)))


def extra_points(row: Row) -> dict[str, int]:
    """Return what each model or piece of wargear costs that has a price of its own, by its name."""
    return {each["desc"]: each["pts"] for each in row["points"] if not each["models"]}


def _with_words(older: Sequence[Row], newer: Sequence[int], kinds: Sequence[ModelKind]) -> list[PointsRow]:
    """Return the rows of the older source, which tell mixes apart, with the newer prices."""
    own = [each for each in older if ALLIED not in (each["desc"] or "")]
    prices = {id(each): pts for each, pts in zip(own, newer, strict=False)}
    many = {each["models"] for each in own if sum(a["models"] == each["models"] for a in own) > 1}
    return [
        PointsRow(
            models=each["models"],
            points=prices[id(each)] if id(each) in prices else each["pts"],
            kinds=_kinds(each["desc"] or "", kinds) if many else {},
            allied=each not in own,
        )
        for each in older
    ]


def _kinds(text: str, kinds: Sequence[ModelKind]) -> dict[str, int]:
    """Return how many models of each kind the words of a price name."""
    found = {}
    for count, name in re.findall(r"(\d+) ([^\d]+?)(?:,|$| and (?=\d))", text):
        kind = next((each.name for each in kinds if set(words(name)) == set(words(each.name))), None)
        if kind:
            found[kind] = int(count)
    return found


def _by_size(now: Sequence[Row], largest: int) -> list[PointsRow]:
    """Return the prices of a source that says from how many models each holds."""
    ends = [each["models_from"] - 1 for each in now[1:]] + [largest]
    found = []
    for each, end in zip(now, ends, strict=True):
        if "per_model" in each:
            each_model = each["per_model"][0]
            found += [PointsRow(models=n, points=n * each_model) for n in range(each["models_from"], end + 1)]
        else:
            found.append(PointsRow(models=end, points=each["pts"]))
    return found
