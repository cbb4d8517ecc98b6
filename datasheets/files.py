"""The data files of a library: where each lies, what it says, and its digest.

A file is called by its folder and its own name ("factions/tyranids.toml"), wherever that folder lies. What
the files say becomes records in `library`. The digests of packaged files are committed: the program trusts
them and reads no file for its digest.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import msgspec

from datasheets.errors import BadData
from datasheets.rules_file import parsed

COMMITTED = "digests.json"
"""The file of the digests of packaged files, in `assets`; `scripts/digests.py` writes it."""


class DataFiles:
    """Data files in folders; of the packaged folders, the committed digests are trusted."""

    def __init__(self, folders: Mapping[str, Traversable], packaged: Collection[str]) -> None:
        """Take the folders by name, and the names of those that are packaged."""
        self._folders = folders
        self._packaged = frozenset(packaged)

    def all(self) -> tuple[str, ...]:
        """Return the names of all files, folder by folder."""
        return tuple(name for folder in self._folders for name in self.of(folder, (".json", ".toml")))

    def of(self, folder: str, suffix: str | tuple[str, ...]) -> tuple[str, ...]:
        """Return the names of a folder's files with this suffix, in order.

        There are none where there is no folder.
        """
        path = self._folders[folder]
        found = sorted(each.name for each in path.iterdir()) if path.is_dir() else []
        return tuple(f"{folder}/{name}" for name in found if name.endswith(suffix))

    def path(self, name: str) -> Traversable:
        """Return the place of a file, whether or not it is there."""
        folder, _, file = name.rpartition("/")
        return self._folders[folder].joinpath(file)

    def __contains__(self, name: str) -> bool:
        """Return whether there is a file of this name."""
        return self.path(name).is_file()

    def read(self, name: str) -> dict[str, Any]:
        """Return what a JSON or TOML file says, shared by all: change nothing in it. Raises BadData."""
        path = self.path(name)
        text = path.read_text(encoding="utf-8")
        try:
            return parsed(text) if name.endswith(".toml") else _parsed_json(text)
        except (tomllib.TOMLDecodeError, msgspec.DecodeError) as error:
            raise BadData(path.name, "", f"cannot be read ({error})") from None

    def digests(self, names: Iterable[str]) -> dict[str, str]:
        """Return the digests of those of these files that there are, in order of name."""
        return {name: self._digest(name) for name in sorted(set(names)) if name in self}

    def _digest(self, name: str) -> str:
        known = committed().get(name) if name.rpartition("/")[0] in self._packaged else None
        return known or digest(self.read(name))


def stem(name: str) -> str:
    """Return the name of a file without its folder and its suffix."""
    return name.rpartition("/")[2].rpartition(".")[0]


def digest(data: Any) -> str:
    """Return the SHA-256 of plain data, equal on every machine and for every layout of its file."""
    # Few ask for it, and what it needs takes long to be brought in.
    from hashlib import sha256

    return sha256(msgspec.json.encode(data, order="sorted")).hexdigest()


@cache
def committed() -> dict[str, str]:
    """Return the digests of packaged files that are committed, by name."""
    path = files("assets").joinpath(COMMITTED)
    return msgspec.json.decode(path.read_bytes(), type=dict[str, str]) if path.is_file() else {}


@lru_cache(maxsize=64)
def _parsed_json(text: str) -> dict[str, Any]:
    """Return what a JSON text says, read once for the records of a library and for its digest."""
    return dict(msgspec.json.decode(text))
