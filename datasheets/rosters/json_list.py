"""Lists saved as JSON: New Recruit's, ListForge's (packed in a link, too) and Rosterizer's."""

from __future__ import annotations

import binascii
import re
import zlib
from base64 import b64decode
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

import msgspec

from datasheets.rosters.raw_list import LARGEST, MOST_DEPTH, RawRoster, RefusedList
from datasheets.rosters.saved_number import points_among, saved_number
from datasheets.rosters.selection_tree import Force, SavedList, Selection, roster_of, too_deep

PACKED = re.compile(r"H4sI[A-Za-z0-9+/_=%-]{20,}")
"""How a gzip stream begins in base64."""
NO_LIST = "it is JSON, but no army list of New Recruit, ListForge or Rosterizer"
ROSTERIZER = "Rosterizer JSON"


def read_json_list(text: str | bytes) -> RawRoster:
    """Return what a list says that is JSON. Raises `RefusedList` where it is none."""
    try:
        data = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise RefusedList("it looks like JSON and cannot be read as such; export the list anew") from None
    if not isinstance(data, dict):
        raise RefusedList(NO_LIST)
    if isinstance(data.get("snapshot"), dict):
        return roster_of(_rosterizer(data))
    roster = data.get("roster", data)
    if not isinstance(roster, dict) or not isinstance(roster.get("forces"), list):
        raise RefusedList(NO_LIST)
    return roster_of(_saved(data, roster))


def packed_text(text: str) -> re.Match[str] | None:
    """Return where a text holds a packed list, as links of ListForge do; None for no such list."""
    return PACKED.search(text[:LARGEST])


def read_packed_list(packed: str) -> RawRoster:
    """Return what a packed list says. Raises `RefusedList` where it cannot be unpacked."""
    code = unquote(packed).replace("-", "+").replace("_", "/").rstrip("=")
    try:
        data = b64decode(code[: len(code) - (len(code) % 4 == 1)] + "=" * (-len(code) % 4))
    except (binascii.Error, ValueError):
        raise RefusedList("its packed list is cut short or damaged; copy the whole link") from None
    return read_json_list(unzipped(data))


def unzipped(data: bytes) -> bytes:
    """Return what a gzip stream holds, at most as much as a list may. Raises `RefusedList`."""
    stream = zlib.decompressobj(wbits=31)
    try:
        found = stream.decompress(data, LARGEST + 1)
    except zlib.error:
        raise RefusedList("its packed list is cut short or damaged; copy the whole link") from None
    if len(found) > LARGEST:
        raise RefusedList(f"its packed list is larger than {LARGEST // 1_000_000} MB unpacked")
    return found


def _saved(data: Mapping[str, Any], roster: Mapping[str, Any]) -> SavedList:
    maker = _text(data.get("generatedBy")) or _text(roster.get("generatedBy"))
    return SavedList(
        form="ListForge JSON" if "forge" in maker.casefold() else "New Recruit JSON",
        name=_text(data.get("name")) or _text(roster.get("name")),
        system=_text(data.get("gameSystemId")) or _text(roster.get("gameSystemId")),
        system_name=_text(data.get("gameSystemName")) or _text(roster.get("gameSystemName")),
        total=_points(roster.get("costs")),
        limit=_points(roster.get("costLimits")),
        forces=tuple(_forces(roster.get("forces"), 0)),
    )


def _forces(said: Any, depth: int) -> Iterator[Force]:
    """Yield the forces, each before those within it."""
    if depth > MOST_DEPTH:
        raise too_deep()
    for each in _rows(said):
        selections = tuple(_selection(row, 0) for row in _rows(each.get("selections")))
        yield Force(_text(each.get("catalogueName")), selections)
        yield from _forces(each.get("forces"), depth + 1)


def _selection(row: Mapping[str, Any], depth: int) -> Selection:
    if depth > MOST_DEPTH:
        raise too_deep()
    categories = _rows(row.get("categories"))
    return Selection(
        name=_text(row.get("name")),
        type=_text(row.get("type")),
        number=saved_number(row.get("number"), 1),
        points=_points(row.get("costs")) or 0,
        group=_text(row.get("group")),
        categories=tuple(_text(each.get("name")) for each in categories),
        primary=next((_text(each.get("name")) for each in categories if each.get("primary") is True), ""),
        inner=tuple(_selection(each, depth + 1) for each in _rows(row.get("selections"))),
    )


def _points(costs: Any) -> int | None:
    return points_among((_text(each.get("name")), each.get("value")) for each in _rows(costs))


def _rows(said: Any) -> list[Mapping[str, Any]]:
    """Return the tables of a list; nothing for whatever is no list."""
    return [each for each in said if isinstance(each, dict)] if isinstance(said, list) else []


def _text(said: Any) -> str:
    return " ".join(said.split())[:300] if isinstance(said, str) else ""


def _rosterizer(data: Mapping[str, Any]) -> SavedList:
    """Return Rosterizer's list of assets as a tree of selections: "Unit§Name" says what each is."""
    snapshot = data["snapshot"]
    assets = [_asset(each, 0) for each in _assets(snapshot)]
    book = data.get("rulebook")
    units = [each for each in assets if each.type in ("unit", "model")]
    settings = [each for each in assets if each.primary == "Configuration"]
    factions = [each.name for each in assets if each.type == "faction"]
    return SavedList(
        form=ROSTERIZER,
        name=_text(snapshot.get("name")),
        system_name=_text(book.get("game")) if isinstance(book, dict) else "",
        total=_stated_points(snapshot),
        forces=(*(Force(name, ()) for name in factions), Force("", (*settings, *units))),
    )


def _assets(asset: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the assets within one, of every kind."""
    within = asset.get("assets")
    if not isinstance(within, dict):
        return []
    return [each for kind in ("included", "traits") for each in _rows(within.get(kind))]


def _stated_points(asset: Mapping[str, Any]) -> int | None:
    stats = asset.get("stats")
    points = stats.get("Points") if isinstance(stats, dict) else None
    return saved_number(points.get("value")) if isinstance(points, dict) else None


def _asset(asset: Mapping[str, Any], depth: int) -> Selection:
    """Return an asset as a selection; a detachment or a battle size as a setting that holds it."""
    if depth > MOST_DEPTH:
        raise too_deep()
    kind, _, name = _text(asset.get("item")).partition("§")
    kind, name = kind.casefold(), _text(asset.get("name")) or name
    inner = tuple(_asset(each, depth + 1) for each in _assets(asset))
    if kind in ("detachment", "battle size"):
        return Selection(name=kind, type=kind, primary="Configuration", inner=(Selection(name=name),))
    # The points of a Rosterizer asset are those of all within it.
    points = (_stated_points(asset) or 0) - sum(part.points for each in inner for part in each.everything())
    return Selection(
        name=name,
        type=kind,
        number=saved_number(asset.get("quantity"), 1),
        points=max(0, points),
        group=kind,
        inner=inner,
    )
