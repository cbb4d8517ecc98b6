"""Lists saved by BattleScribe: `.ros` is XML, `.rosz` the same in a ZIP file.

Owns what is refused for safety: a document type, entities, a file that unpacks to more than 20 MB. No name
of the archive is used as a path.
"""

from __future__ import annotations

import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from io import BytesIO
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from datasheets.rosters.raw_list import LARGEST, MOST_DEPTH, RawRoster, RefusedList
from datasheets.rosters.saved_number import points_among, saved_number
from datasheets.rosters.selection_tree import Force, SavedList, Selection, roster_of, too_deep

FAULTS_OF_ZIP = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    RuntimeError,
    EOFError,
    OSError,
    ValueError,
    KeyError,
)
"""What a damaged archive raises; an unknown method and a password are RuntimeErrors."""


def read_zip_list(data: bytes) -> RawRoster:
    """Return what a `.rosz` file says. Raises `RefusedList` for a damaged or too large one."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            entries = [each for each in archive.infolist() if not each.is_dir()]
            lists = [each for each in entries if each.filename.endswith(".ros")] or entries
            if len(lists) != 1:
                raise RefusedList(f"it is a ZIP file of {len(lists)} files, and a .rosz file has one")
            with archive.open(lists[0]) as file:
                text = file.read(LARGEST + 1)
    except FAULTS_OF_ZIP:
        raise RefusedList("it is a damaged ZIP file; export the list anew") from None
    if len(text) > LARGEST:
        raise RefusedList(f"it is larger than {LARGEST // 1_000_000} MB unpacked; that is no army list")
    return read_xml_list(text, "BattleScribe .rosz")


def read_xml_list(data: bytes, form: str = "BattleScribe .ros") -> RawRoster:
    """Return what a `.ros` file says. Raises `RefusedList` for no list, or a document type."""
    try:
        root = fromstring(data, forbid_dtd=True)
    except DefusedXmlException:
        raise RefusedList("it has a document type or entities, which no army list needs") from None
    except (ParseError, ValueError, LookupError):
        raise RefusedList("it looks like XML and cannot be read as such; export the list anew") from None
    if _name(root) != "roster":
        raise RefusedList(f"it is XML, but no roster of BattleScribe (its root is '{_name(root)[:40]}')")
    saved = SavedList(
        form=form,
        name=_said(root, "name"),
        system=_said(root, "gameSystemId"),
        system_name=_said(root, "gameSystemName"),
        total=_points(root, "costs"),
        limit=_points(root, "costLimits"),
        forces=tuple(_forces(root, 0)),
    )
    return roster_of(saved)


def _name(element: Element) -> str:
    """Return the name of an element without its namespace."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _within(element: Element, group: str) -> Iterator[Element]:
    """Yield what an element holds in a group ("selections")."""
    for each in element:
        if _name(each) == group:
            yield from each


def _said(element: Element, key: str) -> str:
    return " ".join(element.get(key, "").split())[:300]


def _points(element: Element, group: str) -> int | None:
    return points_among((each.get("name", ""), each.get("value")) for each in _within(element, group))


def _forces(element: Element, depth: int) -> Iterator[Force]:
    """Yield the forces, each before those within it."""
    if depth > MOST_DEPTH:
        raise too_deep()
    for force in _within(element, "forces"):
        selections = tuple(_selection(each, 0) for each in _within(force, "selections"))
        yield Force(_said(force, "catalogueName"), selections)
        yield from _forces(force, depth + 1)


def _selection(element: Element, depth: int) -> Selection:
    if depth > MOST_DEPTH:
        raise too_deep()
    categories = list(_within(element, "categories"))
    return Selection(
        name=_said(element, "name"),
        type=_said(element, "type"),
        number=saved_number(element.get("number"), 1),
        points=_points(element, "costs") or 0,
        group=_said(element, "group"),
        categories=tuple(_said(each, "name") for each in categories),
        primary=next((_said(each, "name") for each in categories if each.get("primary") == "true"), ""),
        inner=tuple(_selection(each, depth + 1) for each in _within(element, "selections")),
    )
