"""The community's catalogues in a folder: read safely, of one game system, and complete.

Owns the refusals. What stands in a catalogue is `tree`'s.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from datasheets.errors import BadData

SYSTEM = "sys-352e-adc2-7639-d6a9"
"""The catalogues' own id of the 10th edition."""
EDITION = 10
SUFFIXES = (".cat", ".gst")
LARGEST_BYTES = 64 * 1024 * 1024
DEEPEST = 200
KINDS = {"catalogue": ".cat", "gameSystem": ".gst"}
ORDINAL = re.compile(r"\b(\d+)(?:st|nd|rd|th)\b", re.IGNORECASE)
LINKED = frozenset({"selectionEntry", "selectionEntryGroup", "profile", "rule", "infoGroup"})
"""What a link may lead to."""


@dataclass(frozen=True, slots=True, eq=False)
class SourceFile:
    """One file: its name in the folder, its own name and revision, and what stands in it."""

    file: str
    id: str
    name: str
    revision: str
    root: Element
    targets: dict[str, Element]

    @property
    def is_system(self) -> bool:
        """Return whether the file is the game system's own, which holds what all catalogues share."""
        return self.root.tag == "gameSystem"


@dataclass(frozen=True, slots=True, eq=False)
class Catalogues:
    """Every file of a folder, in order of file name."""

    files: tuple[SourceFile, ...]
    targets: dict[str, Element]

    def target(self, link: Element, home: SourceFile) -> Element | None:
        """Return what a link leads to: in its own file, else in any; None where nothing has that id."""
        wanted = link.get("targetId", "")
        found = home.targets.get(wanted)
        return self.targets.get(wanted) if found is None else found

    @property
    def source(self) -> str:
        """Return the names and revisions of the files, in one line."""
        return ", ".join(f"{each.name} {each.revision}" for each in self.files)


def read_folder(folder: Path) -> Catalogues:
    """Return the catalogues of a folder. Raises BadData where one cannot be read or is missing."""
    files = tuple(_read(path) for path in _paths(folder))
    system = next((each for each in files if each.is_system), None)
    if system is None:
        raise BadData(str(folder), "", "holds no game system (.gst); give the folder of the whole checkout")
    _check_links(files)
    targets: dict[str, Element] = {}
    for each in files:
        for key, element in each.targets.items():
            targets.setdefault(key, element)
    return Catalogues(files, targets)


def _paths(folder: Path) -> list[Path]:
    if not folder.is_dir():
        what = "is a file; give the folder that it lies in" if folder.exists() else "there is no such folder"
        raise BadData(str(folder), "", what)
    paths = sorted(path for path in folder.iterdir() if path.suffix in SUFFIXES and path.is_file())
    if not any(path.suffix == ".cat" for path in paths):
        raise BadData(str(folder), "", "holds no catalogue (.cat); give a checkout of the 10th edition's")
    return paths


def _read(path: Path) -> SourceFile:
    root = _parsed(path)
    if KINDS.get(root.tag) != path.suffix:
        raise BadData(path.name, "", f"begins with <{root.tag[:40]}> and is no catalogue; take it away")
    _check_system(root, path.name)
    return SourceFile(
        file=path.name,
        id=root.get("id", ""),
        name=root.get("name", path.stem),
        revision=root.get("revision", "?"),
        root=root,
        targets={each.get("id", ""): each for each in root.iter() if each.tag in LINKED and each.get("id")},
    )


def _parsed(path: Path) -> Element:
    """Return the root of an XML file, its tags without their namespace."""
    if path.stat().st_size > LARGEST_BYTES:
        raise BadData(path.name, "", f"is larger than {LARGEST_BYTES // 1024**2} MB and is not read")
    try:
        root: Element = fromstring(path.read_bytes(), forbid_dtd=True)
    except DefusedXmlException:
        raise BadData(
            path.name, "", "declares a document type, which no catalogue needs; take it out"
        ) from None
    except ParseError as error:
        line, column = error.position
        raise BadData(
            path.name, f"line {line}, column {column + 1}", "is broken XML; fetch the file again"
        ) from None
    except (ValueError, LookupError):
        raise BadData(path.name, "", "is in an encoding that is not known; fetch the file again") from None
    for depth, element in _with_depth(root):
        if depth > DEEPEST:
            raise BadData(path.name, "", "is nested too deeply to be a catalogue; fetch the file again")
        element.tag = element.tag.rpartition("}")[2]
    return root


def _with_depth(root: Element) -> Iterator[tuple[int, Element]]:
    """Yield every element with the number of those around it."""
    left = [(0, root)]
    while left:
        depth, element = left.pop()
        yield depth, element
        left += [(depth + 1, child) for child in element]


def _check_system(root: Element, file: str) -> None:
    """Refuse another game system, and another edition under the id of this one."""
    name = root.get("name", "")
    is_system = root.tag == "gameSystem"
    found = root.get("id" if is_system else "gameSystemId")
    told = ORDINAL.search(name) if is_system else None
    if found == SYSTEM and (told is None or int(told[1]) == EDITION):
        return
    known = f"'{name}'" if is_system else f"of the game system {found or 'without an id'}"
    raise BadData(file, "", f"is {known}; only catalogues of the {EDITION}th edition can be imported")


def _check_links(files: Iterable[SourceFile]) -> None:
    """Refuse a folder in which a catalogue is missing that another one links to."""
    known = {each.id for each in files}
    for each in files:
        for link in each.root.iterfind("catalogueLinks/catalogueLink"):
            if link.get("targetId") not in known:
                name = link.get("name", link.get("targetId", ""))
                mend = f"the catalogue '{name}' is missing from the folder; give that of the whole checkout"
                raise BadData(each.file, "catalogueLinks", mend)
